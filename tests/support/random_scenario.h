// Small random scenarios with extreme parameters, for property tests. All are valid; the JSON text of a
// number is the same on every platform.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/scenario.h"

namespace sim {

// A scenario with one CPU. Its tasks compute, yield, sleep, wait for and wake each other, fork and exit. Many
// times are multiples of one unit, often of the tick, so that events coincide. A run makes some hundreds to
// some thousands of decisions.
std::string random_scenario_json(std::uint64_t seed);
Scenario random_scenario(std::uint64_t seed);

// A scenario with 1 + number % 8 CPUs that uses all features: locks, pipes, devices, parking, exec, munmap,
// affinity, working sets, TLBs and caches.
std::string random_smp_scenario_json(std::uint64_t number);
Scenario random_smp_scenario(std::uint64_t number);

// As random_smp_scenario_json(), but all tasks end under any scheduler: locks are taken in one order, each
// read has a matching write, and no loop is endless.
std::string random_ending_scenario_json(std::uint64_t number);

// As random_smp_scenario_json(), with 1 to 300 initial tasks; half of the scenarios have one CPU. In most
// scenarios, the majority of the tasks are always ready, so that queues are long and decisions frequent.
// The tasks never end by themselves.
std::string random_crowd_json(std::uint64_t number);

}  // namespace sim
