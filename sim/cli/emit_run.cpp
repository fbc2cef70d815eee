// emit_run() of follow_run.h: the only part that depends on the exchange formats.
#include <utility>

#include "sim/cli/follow_run.h"
#include "sim/exchange/run_events.h"

namespace sim::cli {

RunTotals emit_run(const Scenario& scenario, const Policy& policy, const Limits& limits,
                   exchange::RunInfo info, exchange::EventSink& sink, bool quiet) {
    const Engine engine(scenario, policy);
    Machine m = engine.initial_state();
    exchange::RunEvents events(scenario, m, std::move(info), sink);
    Progress progress(m, limits, quiet);
    follow_run(engine, m, limits, progress, [&](const TraceRecord& record) { events.follow(record); });
    events.finish(m.globals().now);
    return {events.switches(), m.globals().now};
}

}  // namespace sim::cli
