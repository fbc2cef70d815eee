// Facts about this machine that can be read without privileges.
#pragma once

#include "sim/calibrate/samples.h"

namespace sim::calibrate {

// Reads the facts. The cache sizes are those of CPU `cpu`.
MachineFacts read_machine_facts(int cpu);

}  // namespace sim::calibrate
