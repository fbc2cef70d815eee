// Random scenarios: small, mean, and always valid, so that a test can ask of any of them what must hold for
// all. The JSON text of a number is the same on every platform, and the loader accepts it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/scenario.h"

namespace sim {

// One CPU. Its tasks compute, yield, sleep, wait for and wake each other, fork and exit; many of its times
// are multiples of one unit, often of the tick, so that events often fall on the same instant; and a run of
// it makes some hundreds to some thousands of decisions.
std::string random_scenario_json(std::uint64_t seed);
Scenario random_scenario(std::uint64_t seed);

// 1 + number % 8 CPUs, and everything a scenario can say: locks, pipes, devices, parking, exec, munmap,
// affinity, working sets, TLBs and caches.
std::string random_smp_scenario_json(std::uint64_t number);
Scenario random_smp_scenario(std::uint64_t number);

// The same, of tasks that all come to an end whatever the scheduler does: locks are taken in one order, what
// one reads another one writes, and nobody repeats anything for ever.
std::string random_ending_scenario_json(std::uint64_t number);

// The same, of 1 to 300 tasks at the start, on one CPU as often as on several. In most of them most tasks are
// ready at any time, which makes the queue long and decisions frequent; they never end by themselves.
std::string random_crowd_json(std::uint64_t number);

}  // namespace sim
