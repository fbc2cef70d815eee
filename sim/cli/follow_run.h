// Runs whose trace records are processed during the run.
#pragma once

#include <functional>

#include "sim/cli/progress.h"
#include "sim/core/engine.h"
#include "sim/exchange/sched_event.h"

namespace sim::cli {

// Passes each trace record to `follow` and then discards it, so that long runs need little memory.
StopReason follow_run(const Engine& engine, Machine& m, const Limits& limits, Progress& progress,
                      const std::function<void(const TraceRecord&)>& follow,
                      Statistics* statistics = nullptr);

struct RunTotals {
    std::uint64_t switches = 0;
    Nanos end{};
};
// Runs from time 0 to `limits` and emits events to `sink` as RunEvents does; progress unless `quiet`. Throws
// PolicyError and what the sink throws.
RunTotals emit_run(const Scenario& scenario, const Policy& policy, const Limits& limits,
                   exchange::RunInfo info, exchange::EventSink& sink, bool quiet);

}  // namespace sim::cli
