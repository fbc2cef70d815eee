// Random scenarios for machines of one to eight CPUs that use everything a scenario can say: locks, pipes,
// devices, parking, exec, munmap, affinity, working sets, TLBs and caches.
#pragma once

#include <cstdint>
#include <string>

namespace sim {

// The scenario of this number as JSON text, which the loader accepts; the same on every platform. It has
// 1 + number % 8 CPUs.
std::string random_smp_scenario_json(std::uint64_t number);

// The same, of tasks that all come to an end whatever the scheduler does: locks are taken in one order, what
// one reads another one writes, and nobody repeats anything for ever.
std::string random_ending_scenario_json(std::uint64_t number);

// The same, of 1 to 300 tasks at the start, on one CPU as often as on several. In most of them most tasks are
// ready at any time, which makes the queue long and decisions frequent; they never end by themselves.
std::string random_crowd_json(std::uint64_t number);

}  // namespace sim
