// The policies that can be chosen, as entries of a drop-down box: those of kernels, scripts, one's own.
#pragma once

#include <string>

#include "ui/panels/panel.h"

namespace ui {

// REQUIRES: a drop-down box is open. `shown` is the one that is lit. Returns the one that was clicked, as
// make_policy() takes it; empty for none, or for the one that is lit.
std::string policy_choices(Frame& frame, const std::string& shown, bool variants);

}  // namespace ui
