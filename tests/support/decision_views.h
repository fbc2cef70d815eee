// The decisions of a run as views, one after the other, for tests that look inside each.
#pragma once

#include <cstdint>

#include "sim/core/engine.h"
#include "sim/explain/decision_view.h"

namespace sim {

// Calls visit(view) for the first `most` decisions, or for as many as the first 20 * most events make. Events
// are made one by one, each from a copy of the machine.
template <class Visit>
void for_each_decision(const Scenario& scenario, const Policy& policy, std::uint64_t most, Visit visit) {
    const Engine engine(scenario, policy);
    Machine m = engine.initial_state();
    DecisionView view{.before = m, .after = m};
    const Nanos until = scenario.until.value_or(kHorizon);
    Trace trace;
    for (std::uint64_t seen = 0, events = 0; seen < most && events < 20 * most; ++events) {
        view.before = m;
        trace.records.clear();
        if (!engine.step(m, until, {.trace = &trace, .log = &view.log})) return;
        if (m.globals().decisions == seen) continue;
        view.number = seen = m.globals().decisions;
        view.switch_number = m.globals().switches > view.before.globals().switches ? m.globals().switches : 0;
        for (const TraceRecord& record : trace.records)
            if (record.kind == TraceKind::schedule) view.record = record;
        view.after = m;
        visit(view);
    }
}

}  // namespace sim
