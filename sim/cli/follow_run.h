// A run that is followed in its trace, however long it is.
#pragma once

#include <functional>

#include "sim/cli/progress.h"
#include "sim/core/engine.h"
#include "sim/exchange/sched_event.h"

namespace sim::cli {

// Runs to a limit, and hands over each record of the trace on the way, which is forgotten then: however long
// the run, it needs little memory.
StopReason follow_run(const Engine& engine, Machine& m, const Limits& limits, Progress& progress,
                      const std::function<void(const TraceRecord&)>& follow,
                      Statistics* statistics = nullptr);

// What a run comes to that is told as events.
struct ToldRun {
    std::uint64_t switches = 0;
    Nanos end{};
};
// Makes the run from time 0 to the limits, and tells `sink` of it as RunEvents does, with progress unless
// `quiet`. Throws PolicyError, and what the sink throws.
ToldRun tell_run(const Scenario& scenario, const Policy& policy, const Limits& limits, exchange::RunInfo info,
                 exchange::EventSink& sink, bool quiet);

}  // namespace sim::cli
