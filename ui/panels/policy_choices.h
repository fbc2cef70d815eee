// Draws the policies as the items of a drop-down box, in groups: textbook policies, kernels, the user's
// scripts, example scripts.
#pragma once

#include <string>

#include "ui/panels/panel.h"

namespace ui {

// `shown`: the highlighted policy. `variants`: as for policy_groups(). Returns the spec of the policy that
// the user clicked; empty if the user clicked none, or the highlighted one. REQUIRES: a drop-down box is
// open.
std::string policy_choices(Frame& frame, const std::string& shown, bool variants);

}  // namespace ui
