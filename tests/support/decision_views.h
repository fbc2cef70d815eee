// Visits the decisions of a run, each as a DecisionView.
#pragma once

#include <cstdint>

#include "sim/core/engine.h"
#include "sim/explain/decision_view.h"

namespace sim {

// Calls visit(view) for each of the first `most` decisions for which wanted(number) holds. Stops after 20 *
// most events. The machine is copied only before the events that lead to a wanted decision, because the
// copies take most of the time.
template <class Wanted, class Visit>
void for_each_decision(const Scenario& scenario, const Policy& policy, std::uint64_t most, Wanted wanted,
                       Visit visit) {
    const Engine engine(scenario, policy);
    Machine m = engine.initial_state();
    DecisionView view{.before = m, .after = m};
    Trace trace;
    const Nanos until = scenario.until.value_or(kHorizon);
    for (std::uint64_t number = 1; number <= most; ++number) {
        if (!wanted(number)) continue;
        if (m.globals().decisions + 1 < number)
            engine.run(m, {.until = until, .decisions = number - 1, .events = 20 * most}, {});
        do {
            view.before = m;
            trace.records.clear();
            if (m.globals().events >= 20 * most ||
                !engine.step(m, until, {.trace = &trace, .log = &view.log}))
                return;
        } while (m.globals().decisions < number);
        view.number = number;
        view.switch_number = m.globals().switches > view.before.globals().switches ? m.globals().switches : 0;
        for (const TraceRecord& record : trace.records)
            if (record.kind == TraceKind::schedule) view.record = record;
        view.after = m;
        visit(view);
    }
}

template <class Visit>
void for_each_decision(const Scenario& scenario, const Policy& policy, std::uint64_t most, Visit visit) {
    for_each_decision(
        scenario, policy, most, [](std::uint64_t) { return true; }, visit);
}

// Calls visit(view) for decision `number`, if it exists.
template <class Visit>
void look_at_decision(const Scenario& scenario, const Policy& policy, std::uint64_t number, Visit visit) {
    for_each_decision(
        scenario, policy, number, [number](std::uint64_t n) { return n == number; }, visit);
}

}  // namespace sim
