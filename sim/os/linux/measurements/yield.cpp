// The program of the document of 1997 (docs/reference/published_tables.md): contexts that only call
// sched_yield(). The measured time is that of one call, with or without a switch.
//
// If a yield of another member is in progress when the clock starts, the yield is counted. If it is in
// progress when the clock stops, it is not counted. These two errors balance.
#include <sched.h>

#include "sim/os/linux/measurements/batch_context.h"

namespace sim::calibrate {

std::uint64_t yield_in_turn(const BatchContext& context) {
    std::uint64_t yields = 0;
    if (context.is_first()) {
        const std::uint64_t quota = context.quota();
        context.start_clock();
        for (; yields < quota; ++yields) sched_yield();
        context.stop_clock();
        return yields;
    }
    for (;;) {
        sched_yield();
        if (context.batch.ended.load(std::memory_order_relaxed)) return yields;
        if (context.batch.begun.load(std::memory_order_relaxed)) ++yields;
    }
}

}  // namespace sim::calibrate
