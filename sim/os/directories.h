// Directories of the user.
#pragma once

#include <string>

namespace sim::os {

// The user's home directory. Empty if it is unknown.
std::string home_directory();

// The directory for this program's settings: ~/.config/switchyard, or switchyard in $XDG_CONFIG_HOME; on
// Windows, switchyard in %APPDATA%. Empty if it is unknown. It need not exist.
std::string settings_directory();

// Replaces "~" at the start of a path by the home directory, as a shell does.
std::string expand_home(std::string path);

}  // namespace sim::os
