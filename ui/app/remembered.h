// What the window remembers from one time to the next, besides keys: what is folded away, and which files
// were opened. A file of lines, "folded = what_if, hints" and "recent = PATH".
#pragma once

#include <string>
#include <vector>

#include "ui/view/view_state.h"

namespace ui {

inline constexpr std::size_t kMostRecent = 8;

// Puts this path in front, once.
void add_recent(std::vector<std::string>& recent, const std::string& path);

// What the file says; what it does not know is passed over, as is a file that is not there. Returns whether
// it could be read, if there is one.
bool read_remembered(const std::string& path, ViewState& view, std::vector<std::string>& recent);
// Returns whether it could be written. Makes its folder.
bool write_remembered(const std::string& path, const ViewState& view, const std::vector<std::string>& recent);

}  // namespace ui
