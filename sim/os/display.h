// The screen.
#pragma once

namespace sim::os {

// The scale at which text has its usual size on the first screen: 1.5 if the user has chosen 150 %. 1 on
// other systems, where the window system may scale windows itself.
float display_density();

}  // namespace sim::os
