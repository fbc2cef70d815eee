// What must be true of a machine between any two events, whatever the scenario.
#pragma once

#include <string>

#include "sim/machine.h"
#include "sim/policy.h"
#include "sim/scenario.h"
#include "sim/statistics.h"

namespace sim {

// The first rule that is broken, in words; empty when all hold:
//   time is conserved: the parts add up to cpus * now, to the nanosecond (with statistics only);
//   no task is lost or doubled: each is in exactly one place, and the counts agree;
//   the counter of a SCHED_OTHER task is neither negative nor above twice the largest priority;
//   the event queue is a heap of future events, one for each sleeping task.
// Takes time proportional to the number of tasks.
std::string broken_invariant(const Machine& m, const Scenario& scenario, const Policy& policy,
                             const Statistics* statistics);

}  // namespace sim
