#include "sim/os/display.h"

namespace sim::os {

float display_scale() { return 1; }

}  // namespace sim::os
