// Settings that are kept between sessions, except keys: hidden and shown parts of the window, the layout, and
// recently opened files. The file has lines such as "folded = hints" (the hidden parts), "shown = what_if",
// "recent = PATH", and a line with the layout. The latter is "layout = kernel" or, if the window starts with
// the start screen, "more = kernel": the layout that the button More opens. Older files call the kernel
// layout "all".
#pragma once

#include <string>
#include <vector>

#include "ui/view/view_state.h"

namespace ui {

inline constexpr std::size_t kMostRecent = 8;

// Moves `path` to the front of `recent_files`, or inserts it there; `recent_files` has at most kMostRecent
// paths. Ignores a path that does not fit in one line of the file.
void add_recent_file(std::vector<std::string>& recent_files, const std::string& path);

// Reads the settings and ignores unknown lines. `starts_on_start_screen`: whether the window starts with the
// start screen. Returns false if the file exists and cannot be read; returns true if it does not exist.
bool read_window_settings(const std::string& path, ViewState& view, std::vector<std::string>& recent_files,
                          bool& starts_on_start_screen);
// Writes the settings, and creates the directory if necessary. Returns true if the file was written.
bool write_window_settings(const std::string& path, const ViewState& view,
                           const std::vector<std::string>& recent_files, bool starts_on_start_screen);

}  // namespace ui
