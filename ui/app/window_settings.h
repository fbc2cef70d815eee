// Settings that are kept between sessions, except keys: hidden and shown parts of the window, the layout, and
// recently opened files. The file has these lines:
// - "folded = tour, hints": parts of the window that are usually shown, but are now hidden
// - "shown = what_if": this part is usually hidden, but is now shown
// - "layout = kernel": the layout. If the window starts with the start screen, the line is "more = kernel":
//   the layout that the button More opens. Older files call the kernel layout "all".
// - "recent = PATH": a recently opened file
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
