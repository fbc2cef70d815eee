// Directories of the user.
#pragma once

#include <string>

namespace sim::os {

// The user's home directory. Empty if it is unknown.
std::string home_directory();

// The directory for this program's settings: ~/.config/switchyard, or switchyard in $XDG_CONFIG_HOME; on
// Windows, switchyard in %APPDATA%. Empty if it is unknown. The directory may not exist yet.
std::string settings_directory();

// The usual settings directory, for help texts.
#ifdef _WIN32
inline constexpr const char* kSettingsDirectory = "%APPDATA%/switchyard";
#else
inline constexpr const char* kSettingsDirectory = "~/.config/switchyard";
#endif

// Replaces "~" at the start of a path by the home directory, as a shell does.
std::string expand_home(std::string path);

}  // namespace sim::os
