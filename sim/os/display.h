// Properties of the screen.
#pragma once

namespace sim::os {

// On Windows, the scale of text that the user has chosen for the first screen: 1.5 for 150 %. On other
// systems 1, because the window system may scale windows itself.
float display_scale();

}  // namespace sim::os
