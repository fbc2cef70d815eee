#include "sim/cli/emit_run.h"

#include <utility>

#include "sim/cli/progress.h"
#include "sim/lab/follow_run.h"
#include "sim/trace_io/export/run_events.h"

namespace sim::cli {

RunTotals emit_run(const Scenario& scenario, const Policy& policy, const Limits& limits,
                   trace_io::RunInfo info, trace_io::EventSink& sink, bool quiet) {
    const Engine engine(scenario, policy);
    Machine m = engine.initial_state();
    trace_io::RunToEventConverter events(scenario, m, std::move(info), sink);
    TerminalProgress progress(quiet);
    lab::RunProgressReporter reported(progress.get(), m, limits);
    lab::run_and_visit_records(engine, m, limits, reported,
                               [&](const TraceRecord& record) { events.add_record(record); });
    events.finish(m.globals().now);
    return {events.switches(), m.globals().now};
}

}  // namespace sim::cli
