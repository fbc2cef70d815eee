// Reference for the engine's speed: a loop that does the minimum work of scheduling like Linux 2.0. It uses
// a std::priority_queue for the timer, a linked run queue of structs, and the search and recalculation of
// Linux 2.0. It contains no programs, statistics, cost lookup, second policy or rewinding.
#pragma once

#include <cstdint>

namespace bench {

// Simulates `yields` yields by `spinners` tasks, with `sleepers` sleeping tasks, under the sched_yield() of
// 2.0.30. Returns the number of switches, so that the compiler cannot remove the loop.
std::uint64_t bare_yield_loop(int spinners, int sleepers, std::uint64_t yields);

}  // namespace bench
