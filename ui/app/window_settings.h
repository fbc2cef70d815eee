// Settings that are kept between sessions, except keys: hidden parts of the window, and recently opened
// files. The file has lines "folded = what_if, hints" and "recent = PATH".
#pragma once

#include <string>
#include <vector>

#include "ui/view/view_state.h"

namespace ui {

inline constexpr std::size_t kMostRecent = 8;

// Moves `path` to the front of `recent`, or inserts it there.
void add_recent(std::vector<std::string>& recent, const std::string& path);

// Reads the settings. Ignores unknown lines. Returns true if the file does not exist, false if it cannot be
// read.
bool read_window_settings(const std::string& path, ViewState& view, std::vector<std::string>& recent);
// Writes the settings, and creates the directory if necessary. Returns true if the file was written.
bool write_window_settings(const std::string& path, const ViewState& view,
                           const std::vector<std::string>& recent);

}  // namespace ui
