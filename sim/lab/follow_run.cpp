#include "sim/lab/follow_run.h"

#include <algorithm>

namespace sim::lab {

Limits limits_of(const Scenario& scenario) { return {.until = scenario.until.value_or(kHorizon - 1ns)}; }

StopReason run_with_progress(const Engine& engine, Machine& m, const Limits& limits, const Sinks& sinks,
                             ProgressDisplay* progress) {
    if (progress == nullptr) {
        const StopReason reason = engine.run(m, limits, sinks);
        engine.throw_if_policy_failed(m);
        return reason;
    }

    constexpr std::uint64_t kSlice = 1 << 20;  // number of decisions; simulating them takes about 50 ms
    RunProgressReporter reported(progress, m, limits);
    for (;;) {
        Limits slice = limits;
        slice.decisions = std::min(limits.decisions, m.globals().decisions + kSlice);
        const StopReason reason = engine.run(m, slice, sinks);
        engine.throw_if_policy_failed(m);
        if (reason != StopReason::decision_limit || m.globals().decisions >= limits.decisions) return reason;
        reported.show(m);
    }
}

StopReason run_and_visit_records(const Engine& engine, Machine& m, const Limits& limits,
                                 RunProgressReporter& reporter,
                                 const std::function<void(const TraceRecord&)>& on_record,
                                 Statistics* statistics) {
    constexpr std::uint64_t kSlice = 4096;  // number of events; their trace takes a few hundred KiB
    Trace trace;
    for (;;) {
        Limits slice = limits;
        slice.events = std::min(limits.events, m.globals().events + kSlice);
        trace.records.clear();
        const StopReason reason = engine.run(m, slice, {.statistics = statistics, .trace = &trace});
        engine.throw_if_policy_failed(m);
        for (const TraceRecord& record : trace.records) on_record(record);
        reporter.show(m);
        if (reason != StopReason::event_limit || m.globals().events >= limits.events) return reason;
    }
}

}  // namespace sim::lab
