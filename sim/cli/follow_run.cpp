#include "sim/cli/follow_run.h"

#include <algorithm>

namespace sim::cli {

StopReason follow_run(const Engine& engine, Machine& m, const Limits& limits, Progress& progress,
                      const std::function<void(const TraceRecord&)>& follow, Statistics* statistics) {
    constexpr std::uint64_t kSlice = 4096;  // events; a few hundred KiB of trace
    Trace trace;
    for (;;) {
        Limits slice = limits;
        slice.events = std::min(limits.events, m.globals().events + kSlice);
        trace.records.clear();
        const StopReason reason = engine.run(m, slice, {.statistics = statistics, .trace = &trace});
        engine.check(m);
        for (const TraceRecord& record : trace.records) follow(record);
        progress.show(m);
        if (reason != StopReason::event_limit || m.globals().events >= limits.events) return reason;
    }
}

}  // namespace sim::cli
