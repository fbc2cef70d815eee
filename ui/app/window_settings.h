// Settings that outlast a session, besides keys: folded parts of the window, and recently opened files. The
// file has lines "folded = what_if, hints" and "recent = PATH".
#pragma once

#include <string>
#include <vector>

#include "ui/view/view_state.h"

namespace ui {

inline constexpr std::size_t kMostRecent = 8;

// Puts the path in front, without duplicates.
void add_recent(std::vector<std::string>& recent, const std::string& path);

// Ignores unknown lines and a missing file. Returns false if a file exists and cannot be read.
bool read_remembered(const std::string& path, ViewState& view, std::vector<std::string>& recent);
// Creates the directory if necessary. Returns whether the file could be written.
bool write_remembered(const std::string& path, const ViewState& view, const std::vector<std::string>& recent);

}  // namespace ui
