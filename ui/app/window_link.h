// Converts the state of the window to a Link (sim/link/link.h) and back. The command line of the window is
// also parsed into a Link.
#pragma once

#include <string>

#include "sim/core/scenario.h"
#include "sim/link/link.h"
#include "ui/view/view_state.h"

namespace ui {

class App;

using sim::parse_link;

// Applies a link. If that fails, returns false and shows as much of the link as possible;
// model().error or model().message contains the reason.
bool apply_link(App& app, const sim::Link& link);

// The laboratory request of a link that specifies a value to vary (Link::vary). Policies or a run length that
// the link does not specify are the defaults for this scenario and policy.
LabRequest lab_request(const sim::Link& link, const sim::Scenario& scenario, const std::string& policy);

// The window's state as a link: changed values, policies of both runs, the position, a visible range other
// than the default, and a visible laboratory's request. A scenario that is not built in is included as text
// if it came in a link, or if the link stays below kLongestSafeLink. Interventions and the position inside
// schedule() are omitted. REQUIRES: an open scenario.
sim::Link link_of_window(App& app);

}  // namespace ui
