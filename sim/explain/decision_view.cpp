#include "sim/explain/decision_view.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sim {
namespace {

// Executes the event of the decision again and records the requested `lines`.
void replay_with_line_trace(const Engine& engine, const DecisionView& view, ScriptLineTrace& lines) {
    struct LineTraceScope {
        LineTraceScope(const Policy& p, ScriptLineTrace& to) : policy(p) { policy.set_line_trace(&to); }
        ~LineTraceScope() { policy.set_line_trace(nullptr); }
        const Policy& policy;
    };
    lines.only_schedule_lines = true;
    Machine m = view.before;
    DecisionLog log;
    const LineTraceScope watch(engine.policy(), lines);
    engine.step(m, kHorizon, {.log = &log});
}

}  // namespace

std::optional<ReschedCheck> find_requesting_check(const TraceRecord& schedule,
                                                  std::span<const ReschedCheck> checks) {
    const auto of_this_cpu = [&](const ReschedCheck& check) {
        if (check.cpu != schedule.cpu || !check.asks || check.pending) return false;
        switch (check.at) {
            case ReschedCheck::Point::wake_up:
                return schedule.cause == ReschedCause::wake_up && check.task == schedule.caused_by;
            case ReschedCheck::Point::tick:
                return schedule.cause == ReschedCause::tick;
            case ReschedCheck::Point::slice_end:
                return schedule.cause == ReschedCause::slice_end;
            case ReschedCheck::Point::yield:
                break;
        }
        return false;
    };
    const auto last = std::find_if(checks.rbegin(), checks.rend(), of_this_cpu);
    return last == checks.rend() ? std::nullopt : std::optional(*last);
}

DecisionView compute_decision_view(const Engine& engine, const Machine& before) {
    DecisionView view{.before = before, .after = before};
    Trace trace;
    trace.logs_checks = true;
    engine.step(view.after, kHorizon, {.trace = &trace, .log = &view.log});
    const Globals& g = view.after.globals();
    assert(g.decisions == before.globals().decisions + 1);
    view.number = g.decisions;
    if (g.switches > before.globals().switches) view.switch_number = g.switches;
    for (const TraceRecord& record : trace.records)
        if (record.kind == TraceKind::schedule) view.record = record;
    for (const TraceRecord& record : trace.records)
        if (record.kind == TraceKind::wake_up && record.task == view.record.task)
            view.ready_since = record.time;
    view.check = find_requesting_check(view.record, trace.checks);
    return view;
}

DecisionView compute_decision_view(const Engine& engine, const Machine& from, Limits limits,
                                   std::uint64_t number) {
    Machine m = from;
    limits.decisions = number;
    engine.run(m, limits, {});
    limits.events = m.globals().events - 1;
    m = from;
    engine.run(m, limits, {});
    return compute_decision_view(engine, m);
}

void record_script_lines(const Engine& engine, DecisionView& view) {
    ScriptLineTrace lines{.most = kFirstLines + kLastLines};
    replay_with_line_trace(engine, view, lines);
    view.script = std::move(lines.lines);
    if (lines.all <= view.script.size()) return;
    // The decision is executed a second time to record the last lines, because their numbers are known only
    // after the first execution.
    ScriptLineTrace last{.first = lines.all - kLastLines, .most = kLastLines};
    replay_with_line_trace(engine, view, last);
    view.script.resize(std::min<std::uint64_t>(kFirstLines, last.first));
    view.script.insert(view.script.end(), std::make_move_iterator(last.lines.begin()),
                       std::make_move_iterator(last.lines.end()));
}

Machine machine_at_line(const Engine& engine, const DecisionView& view, std::uint64_t line) {
    Machine m = view.before;
    ScriptLineTrace lines{.most = 0, .machine = &m, .machine_at = line};
    replay_with_line_trace(engine, view, lines);
    return m;
}

}  // namespace sim
