#include "sim/explain/decision_view.h"

namespace sim {

DecisionView watch_decision(const Engine& engine, const Machine& before) {
    DecisionView view{.before = before, .after = before};
    Trace trace;
    engine.step(view.after, kHorizon, {.trace = &trace, .log = &view.log});
    const Globals& g = view.after.globals();
    assert(g.decisions == before.globals().decisions + 1);
    view.number = g.decisions;
    if (g.switches > before.globals().switches) view.switch_number = g.switches;
    for (const TraceRecord& record : trace.records)
        if (record.kind == TraceKind::schedule) view.record = record;
    return view;
}

}  // namespace sim
