#include "sim/os/display.h"

namespace sim::os {

float display_density() { return 1; }

}  // namespace sim::os
