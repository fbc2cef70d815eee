// The policies as items of a drop-down box: kernels, built-in scripts, the user's scripts.
#pragma once

#include <string>

#include "ui/panels/panel.h"

namespace ui {

// `shown`: the highlighted policy. Returns the spec of the clicked policy; empty if none was clicked, or
// the highlighted one. REQUIRES: a drop-down box is open.
std::string policy_choices(Frame& frame, const std::string& shown, bool variants);

}  // namespace ui
