// Converts a whole run to the events of a trace, with progress on a terminal.
#pragma once

#include "sim/core/engine.h"
#include "sim/trace_io/sched_event.h"

namespace sim::cli {

struct RunTotals {
    std::uint64_t switches = 0;
    Nanos end{};
};
// Simulates from time 0 until a limit in `limits` is reached, and passes the events to `sink` as
// RunToEventConverter does. Shows progress unless `quiet`. Throws PolicyError and the exceptions of the sink.
RunTotals emit_run(const Scenario& scenario, const Policy& policy, const Limits& limits,
                   trace_io::RunInfo info, trace_io::EventSink& sink, bool quiet);

}  // namespace sim::cli
