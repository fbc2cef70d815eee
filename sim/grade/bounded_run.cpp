#include "sim/grade/bounded_run.h"

#include <fmt/format.h>

#include "sim/base/units.h"

namespace sim::grade {

Limits grading_limits(const Scenario& scenario) {
    return {.until = scenario.until.value_or(kHorizon - 1ns), .events = kMostEvents};
}

StopReason run_to_end(const Engine& engine, const Scenario& scenario, Machine& m, const Sinks& sinks) {
    const StopReason reason = engine.run(m, grading_limits(scenario), sinks);
    engine.throw_if_policy_failed(m);
    const std::string when = format_time(m.globals().now);
    if (reason == StopReason::event_limit)
        throw GradingError(
            fmt::format("{}: after {} events, at {}, the run has not ended; no more events are simulated",
                        scenario.name, kMostEvents, when));
    if (reason == StopReason::livelock)
        throw GradingError(fmt::format(
            "{}: from {} on, the simulated time does not advance: tasks endlessly repeat steps that take no "
            "time",
            scenario.name, when));
    return reason;
}

}  // namespace sim::grade
