#include "sim/os/directories.h"

#include <cstdlib>

#include "sim/os/files.h"
#include "sim/os/windows/wide.h"

namespace sim::os {
namespace {

// The directory in the environment variable `name`, with '/' as separator, as in all paths that this program
// makes.
std::string directory_in_variable(const wchar_t* name) {
    const wchar_t* const value = _wgetenv(name);
    std::string path = value == nullptr ? "" : utf8_of(value);
    for (char& c : path)
        if (c == '\\') c = '/';
    return path;
}

}  // namespace

std::string home_directory() { return directory_in_variable(L"USERPROFILE"); }

std::string settings_directory() {
    const std::string data = directory_in_variable(L"APPDATA");
    return data.empty() ? data : data + "/switchyard";
}

std::string expand_home(std::string path) {
    const std::string home = home_directory();
    const bool has_tilde = path == "~" || (path.size() > 1 && path[0] == '~' && is_separator(path[1]));
    if (!home.empty() && has_tilde) path.replace(0, 1, home);
    return path;
}

}  // namespace sim::os
