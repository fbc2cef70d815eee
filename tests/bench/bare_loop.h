// The yardstick for the engine's speed: the least that a program must do to schedule as Linux 2.0 does.
//
// std::priority_queue for the timer, a linked run queue of structs, the same search and the same
// recalculation; no programs, no statistics, no prices to look up, no second policy, nothing that could be
// rewound.
#pragma once

#include <cstdint>

namespace bench {

// So many yields by `spinners` tasks beside `sleepers` that sleep, under 2.0.30's sched_yield(). Answers the
// number of switches, so that nothing of it can be optimised away.
std::uint64_t bare_yield_loop(int spinners, int sleepers, std::uint64_t yields);

}  // namespace bench
