// Converts the window's state to and from a Link (sim/link/link.h), which the command line and links use.
#pragma once

#include <string>

#include "sim/core/scenario.h"
#include "sim/link/link.h"
#include "ui/view/view_state.h"

namespace ui {

class App;

using sim::parse_link;

// Applies a link. Returns false if that fails: the model holds the reason (model().error or .message), and
// the window shows as much of it as possible.
bool go_to_place(App& app, const sim::Link& place);

// The laboratory request in a link with `vary`, for this scenario and policy, with defaults for unspecified
// parts.
LabRequest lab_request(const sim::Link& link, const sim::Scenario& scenario, const std::string& policy);

// The window's state as a link: changed values, policies of both runs, the position, a visible range other
// than the default, and a visible laboratory's request. A scenario that is not built in is included as text
// if it came in a link, or if the link stays below kLongestSafeLink. Interventions and the position inside
// schedule() are omitted. REQUIRES: an open scenario.
sim::Link place_of(App& app);

}  // namespace ui
