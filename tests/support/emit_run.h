// Simulates a run and emits it as scheduler events.
#pragma once

#include <algorithm>
#include <utility>

#include "sim/core/engine.h"
#include "sim/trace_io/export/run_events.h"

namespace sim::trace_io {

// Runs `scenario` up to `limits`, emits its events to `sink`, and returns the final machine.
inline Machine emit_run(const Scenario& scenario, const Policy& policy, const Limits& limits, RunInfo info,
                        EventSink& sink, Statistics* statistics = nullptr) {
    const Engine engine(scenario, policy);
    Machine m = engine.initial_state();
    const Nanos begin = info.begin;
    RunToEventConverter events(scenario, m, std::move(info), sink);
    Trace trace;
    engine.run(m, limits, {.statistics = statistics, .trace = &trace});
    for (const TraceRecord& record : trace.records) events.add_record(record);
    events.finish(std::max(m.globals().now, begin));
    return m;
}

}  // namespace sim::trace_io
