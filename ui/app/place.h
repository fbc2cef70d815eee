// Where the window goes, and where it stands: as the command line and links (sim/link/link.h) name it.
#pragma once

#include <string>

#include "sim/core/scenario.h"
#include "sim/link/link.h"
#include "ui/view/view_state.h"

namespace ui {

class App;

using sim::parse_link;

// Goes there. Returns whether there is such a place; the model says what was wrong (model().error, or
// .message), and the window stands as near to it as could be.
bool go_to_place(App& app, const sim::Link& place);

// What a link with a `vary` asks the laboratory, of this scenario under this policy: what it does not say is
// usual.
LabRequest lab_request(const sim::Link& link, const sim::Scenario& scenario, const std::string& policy);

// Where the window stands, as far as a link can say it: the values that were changed, the policy, the second
// run's, the event, what the timeline shows unless that is what it shows there by itself, and what the
// laboratory was asked for where it is seen. A scenario that is not built in is carried as text if the link
// stays below kLongestSafeLink, and one that came in a link always. What was done to the second run and where
// one is inside schedule() are not in it. REQUIRES: an open scenario.
sim::Link place_of(App& app);

}  // namespace ui
