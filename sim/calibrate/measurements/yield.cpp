// The program of the 1997 document: contexts that do nothing but sched_yield(). The time is that of one call,
// whether it led to a switch or not.
//
// The yields of others that are under way when the clock starts were begun before, and those under way when
// it stops are not counted: the one makes up for the other.
#include <sched.h>

#include "sim/calibrate/measurements/turn.h"

namespace sim::calibrate {

std::uint64_t yield_in_turn(const Turn& turn) {
    std::uint64_t yields = 0;
    if (turn.is_first()) {
        const std::uint64_t quota = turn.quota();
        turn.begin();
        for (; yields < quota; ++yields) sched_yield();
        turn.end();
        return yields;
    }
    for (;;) {
        sched_yield();
        if (turn.batch.ended.load(std::memory_order_relaxed)) return yields;
        if (turn.batch.begun.load(std::memory_order_relaxed)) ++yields;
    }
}

}  // namespace sim::calibrate
