// Draws the policies as the items of a drop-down box, in groups: textbook policies, kernels, the user's
// scripts, example scripts.
#pragma once

#include <string>

#include "ui/panels/panel.h"

namespace ui {

// `current_spec`: the highlighted policy. `with_variants`: as for policy_groups(). Returns the spec of the
// policy that the user clicked; empty if the user clicked none, or the highlighted one. REQUIRES: a drop-down
// box is open.
std::string draw_policy_choices(Frame& frame, const std::string& current_spec, bool with_variants);

}  // namespace ui
