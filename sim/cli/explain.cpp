// `switchyard explain`: one decision of a run and the steps of its context switch.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/human_text.h"
#include "sim/base/problem.h"
#include "sim/base/seek_target.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/policy_on_machine.h"
#include "sim/explain/decision_reasons.h"
#include "sim/explain/decision_steps.h"
#include "sim/explain/switch_steps.h"
#include "sim/replay/session.h"
#include "sim/replay/switch_out.h"
#include "sim/replay/why_not.h"
#include "sim/scenario/json_text.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

struct ExplainOptions : CommonOptions {
    std::string policy;
    std::uint64_t switch_number = 0, decision = 0;
    std::string at, task;
};

constexpr std::size_t kTextWidth = 100;
constexpr std::size_t kMostOthers = 8;

// A remark on a step of a context switch, in brackets. The remark has up to three parts: "spared" if the step
// does not happen; the cost of the step; whether the old contents of registers, page tables, TLB or caches
// are kept. Empty: no part applies.
std::string step_remark(const SwitchStep& step) {
    std::string text = step.happens ? "" : "spared";
    if (step.cost != Nanos{}) text += format_time(step.cost);
    if (step.kept != SwitchStep::OldContents::none)
        text += (text.empty() ? "" : ", ") + std::string(to_string(step.kept));
    return text.empty() ? text : " (" + text + ")";
}

std::string explanation_text(const DecisionView& decision, const SwitchView& view,
                             const PolicyOnMachine& side) {
    std::string text = fmt::format("{} at {} on cpu{}: decision {}", side.label,
                                   human_time(decision.record.time), decision.record.cpu, decision.number);
    if (view.switched) text += fmt::format(", switch {}", decision.switch_number);
    const DecisionReasons reasons = decision_reasons(decision, side.policy, side.scenario);
    text += "\n\n" + wrapped(reasons.text(), kTextWidth);
    const TaskNamer name = make_task_namer(decision, side.scenario);
    for (std::size_t i = 0; i < reasons.others.size() && i < kMostOthers; ++i)
        text += wrapped(fmt::format("Not {}: {}.", name(reasons.others[i].task), reasons.others[i].reason),
                        kTextWidth, "  ");
    if (reasons.others.size() > kMostOthers)
        text += fmt::format("  ... {} ready tasks in all\n", reasons.others.size());
    text +=
        "\n" + explain_decision(decision.log, side.policy, name) + "\n" + wrapped(view.summary, kTextWidth);
    for (std::size_t i = 0; i < view.steps.size(); ++i) {
        const SwitchStep& step = view.steps[i];
        text += fmt::format("\n{:2}. {}{}\n", i + 1, step.title, step_remark(step));
        text += wrapped(step.detail, kTextWidth, "    ");
    }
    text += "\n" + wrapped(view.whose_prev, kTextWidth);
    if (view.switched) text += fmt::format("\nCost of the switch: {}\n", format_time(view.cost));
    return text;
}

ordered_json json_of(const DecisionView& decision, const SwitchView& view, const PolicyOnMachine& side) {
    ordered_json steps = ordered_json::array();
    for (const SwitchStep& step : view.steps)
        steps.push_back({{"step", step.title},
                         {"text", step.detail},
                         {"happens", step.happens},
                         {"cost_ns", step.cost.count()},
                         {"contents", to_string(step.kept)}});
    const TaskNamer name = make_task_namer(decision, side.scenario);
    const DecisionReasons reasons = decision_reasons(decision, side.policy, side.scenario);
    ordered_json others = ordered_json::object();
    for (const DecisionReasons::NotChosenTask& other : reasons.others)
        others[name(other.task)] = other.reason;
    return {{"policy", side.policy.spec()},
            {"decision", decision.number},
            {"switch", decision.switch_number},
            {"time_ns", decision.record.time.count()},
            {"cpu", decision.record.cpu},
            {"prev", name(decision.record.other)},
            {"next", name(decision.record.task)},
            {"reason", why_winner_won(decision.log, side.policy, name)},
            {"stopped", reasons.stopped},
            {"since", reasons.since},
            {"goes", reasons.goes},
            {"others", std::move(others)},
            {"summary", view.summary},
            {"steps", std::move(steps)},
            {"prev_after_switch", view.whose_prev},
            {"cost_ns", view.cost.count()}};
}

// The task of this name at the session's position. Throws UsageError if there is none.
TaskId task_named(const Session& session, const std::string& name) {
    const Machine& m = session.machine();
    std::vector<std::string> known;
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
        if (!m.is_live(p)) continue;
        known.push_back(session.scenario().task_name(m, p));
        if (known.back() == name) return p;
    }
    throw UsageError(fmt::format("--task: there is no task '{}' at {}{}", printable(shorten(name)),
                                 human_time(session.now()), did_you_mean(name, known)));
}

// Explains the last event before the position `--at`, and why each ready task does not run at this position.
int explain_position(const ExplainOptions& o, const PolicyOnMachine& side, Session& session) {
    std::string problem;
    std::optional<SeekTarget> place = parse_seek_target(o.at, problem);
    if (!place) throw UsageError("--at: " + problem);
    if (!place->kind) place->time += Nanos{1};  // the position is after all events at this time
    if (!session.seek(*place)) throw UsageError(fmt::format("--at: this run has no {}", o.at));
    const Machine& m = session.machine();
    const Nanos time = !place->kind && session.now() == place->time ? place->time - Nanos{1} : session.now();
    std::string text = fmt::format("{} at {}, after event {}\n\n", side.label,
                                   criterion_value_text("deadline", time.count()), m.globals().events);
    ordered_json tasks = ordered_json::object();
    const auto add = [&](TaskId p) {
        const std::string answer = explain_not_running(session.history(), session.moment(), p);
        tasks[session.scenario().task_name(m, p)] = answer;
        text += wrapped(answer, kTextWidth);
    };
    const std::string event = explain_last_event(session);
    if (o.task.empty()) {
        text += wrapped(event.empty() ? "No schedule() has been called yet." : event, kTextWidth) + "\n";
        for (TaskId p = m.first_task(); p < m.globals().high_row && tasks.size() < kMostOthers; ++p)
            if (m.is_live(p) && m.task[p].state == TaskState::runnable) add(p);
    } else {
        add(task_named(session, o.task));
    }
    write_output_text(o.is_json() ? json_text(ordered_json{{"format", "switchyard-position/1"},
                                                           {"time_ns", time.count()},
                                                           {"event", m.globals().events},
                                                           {"why", event},
                                                           {"tasks", tasks}},
                                              2) +
                                        "\n"
                                  : text,
                      o.output);
    return kDone;
}

int execute_explain(const ExplainOptions& o) {
    const PolicyOnMachine side = std::move(load_policies_on_machines(o, {o.policy}).front());
    Session session(std::make_shared<const Scenario>(side.scenario), side.policy);
    if (!o.at.empty()) return explain_position(o, side, session);
    if (!o.task.empty()) throw UsageError("--task needs --at, which names the position");
    const bool by_switch = o.decision == 0;
    const SeekTarget place{.kind = by_switch ? StepEventKind::context_switch : StepEventKind::decision,
                           .n = by_switch ? std::max<std::uint64_t>(1, o.switch_number) : o.decision};
    if (!session.seek(place)) {
        const Globals& end = session.history().simulated_end().machine.globals();
        throw UsageError(fmt::format("this run has no {} {}; it has {}", to_string(*place.kind), place.n,
                                     by_switch ? end.switches : end.decisions));
    }
    const DecisionView view = *session.history().decision_at(session.machine().globals().decisions);
    const SwitchView steps =
        switch_steps(view, side.policy, side.scenario, make_task_namer(view, side.scenario),
                     uses_switch_out(side.policy, side.scenario) ? find_switch_out(session.history(), view)
                                                                 : std::nullopt);
    write_output_text(
        o.is_json() ? json_text(json_of(view, steps, side), 2) + "\n" : explanation_text(view, steps, side),
        o.output);
    return kDone;
}

}  // namespace

void add_explain_command(Command& program) {
    auto o = std::make_shared<ExplainOptions>();
    Command& command = program.add_command(
        "explain", "explain one decision and each step of its switch, or why tasks do not run at a position");
    add_scenario_options(command, *o);
    command.add_option("--policy", o->policy, "use this policy instead of the scenario's")
        .type_name("POLICY[@MACHINE]");
    Option& by_switch =
        command.add_option("--switch", o->switch_number, "number of the switch, counted from 1 (default 1)")
            .type_name("N")
            .check(positive_integer());
    Option& by_decision =
        command
            .add_option("--decision", o->decision,
                        "number of the decision, counted from 1; a decision need not cause a switch")
            .type_name("N")
            .check(positive_integer())
            .excludes(by_switch);
    command
        .add_option(
            "--at", o->at,
            "explain the last event up to this position (a time, or `tick 3`), and why each ready task waits")
        .type_name("PLACE")
        .excludes(by_switch)
        .excludes(by_decision);
    command
        .add_option("--task", o->task,
                    "with --at: explain only why this task does not "
                    "run")
        .type_name("NAME");
    add_output_options(command, *o);
    command.set_examples({"switchyard explain lazy-tlb --policy linux-2.6.24 --switch 3",
                          "switchyard explain interactive-vs-hog --policy linux-6.6 --at 120ms",
                          "switchyard explain token-pipe --policy linux-6.6 --switch 100 --format json"});
    command.set_action([o] { return execute_explain(*o); });
}

}  // namespace sim::cli
