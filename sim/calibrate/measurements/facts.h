// What machine this is, as far as it can be read without rights.
#pragma once

#include "sim/calibrate/samples.h"

namespace sim::calibrate {

// Caches are those of this CPU.
Facts facts_here(int cpu);

}  // namespace sim::calibrate
