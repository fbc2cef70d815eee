// What the window remembers from one time to the next, besides keys: what is folded away. A file of one line,
// "folded = what_if, tour, hints".
#pragma once

#include <string>

#include "ui/view/view_state.h"

namespace ui {

// What the file says; names that it does not know are passed over, as is a file that is not there.
void read_remembered(const std::string& path, ViewState& view);
// Returns whether it could be written. Makes its folder.
bool write_remembered(const std::string& path, const ViewState& view);

}  // namespace ui
