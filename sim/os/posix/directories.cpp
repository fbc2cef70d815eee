#include "sim/os/directories.h"

#include <cstdlib>

namespace sim::os {
namespace {

std::string environment_variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

std::string home_directory() { return environment_variable("HOME"); }

std::string settings_directory() {
    if (const std::string config = environment_variable("XDG_CONFIG_HOME"); !config.empty())
        return config + "/switchyard";
    const std::string home = home_directory();
    return home.empty() ? home : home + "/.config/switchyard";
}

std::string expand_home(std::string path) {
    const std::string home = home_directory();
    if (!home.empty() && (path == "~" || path.starts_with("~/"))) path.replace(0, 1, home);
    return path;
}

}  // namespace sim::os
