// `switchyard explain`: one decision of a run and the steps of its context switch.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/human_text.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/policy_on_machine.h"
#include "sim/explain/decision_steps.h"
#include "sim/explain/switch_steps.h"
#include "sim/replay/session.h"
#include "sim/replay/switch_out.h"
#include "sim/scenario/json_text.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

struct ExplainOptions : CommonOptions {
    std::string policy;
    std::uint64_t switch_number = 0, decision = 0;
};

constexpr std::size_t kTextWidth = 100;

// "cost, kept" of a step, in brackets; empty if there is neither.
std::string remark_on(const SwitchStep& step) {
    std::string text = step.happens ? "" : "spared";
    if (step.cost != Nanos{}) text += format_time(step.cost);
    if (step.kept != SwitchStep::Kept::none)
        text += (text.empty() ? "" : ", ") + std::string(to_string(step.kept));
    return text.empty() ? text : " (" + text + ")";
}

std::string explanation_text(const DecisionView& decision, const SwitchView& view,
                             const PolicyOnMachine& side) {
    std::string text = fmt::format("{} at {} on cpu{}: decision {}", side.label,
                                   human_time(decision.record.time), decision.record.cpu, decision.number);
    if (view.switched) text += fmt::format(", switch {}", decision.switch_number);
    text += "\n\n" + explain_decision(decision.log, side.policy, names_in(decision, side.scenario)) + "\n" +
            wrapped(view.summary, kTextWidth);
    for (std::size_t i = 0; i < view.steps.size(); ++i) {
        const SwitchStep& step = view.steps[i];
        text += fmt::format("\n{:2}. {}{}\n", i + 1, step.title, remark_on(step));
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
    const TaskNamer name = names_in(decision, side.scenario);
    return {{"policy", side.policy.spec()},
            {"decision", decision.number},
            {"switch", decision.switch_number},
            {"time_ns", decision.record.time.count()},
            {"cpu", decision.record.cpu},
            {"prev", name(decision.record.other)},
            {"next", name(decision.record.task)},
            {"reason", why_it_won(decision.log, side.policy, name)},
            {"summary", view.summary},
            {"steps", std::move(steps)},
            {"prev_after_switch", view.whose_prev},
            {"cost_ns", view.cost.count()}};
}

int execute_explain(const ExplainOptions& o) {
    const PolicyOnMachine side = std::move(load_sides(o, {o.policy}).front());
    Session session(std::make_shared<const Scenario>(side.scenario), side.policy);
    const bool by_switch = o.decision == 0;
    const Place place{.kind = by_switch ? StepKind::context_switch : StepKind::decision,
                      .n = by_switch ? std::max<std::uint64_t>(1, o.switch_number) : o.decision};
    if (!session.seek(place)) {
        const Globals& end = session.history().tip().machine.globals();
        throw UsageError(fmt::format("this run has no {} {}; it has {}", to_string(*place.kind), place.n,
                                     by_switch ? end.switches : end.decisions));
    }
    const DecisionView view = *session.history().decision_at(session.machine().globals().decisions);
    const SwitchView steps =
        switch_steps(view, side.policy, side.scenario, names_in(view, side.scenario),
                     uses_switch_out(side.policy, side.scenario) ? find_switch_out(session.history(), view)
                                                                 : std::nullopt);
    deliver(o.json() ? json_text(json_of(view, steps, side), 2) + "\n" : explanation_text(view, steps, side),
            o.output);
    return kDone;
}

}  // namespace

void add_explain(Command& program) {
    auto o = std::make_shared<ExplainOptions>();
    Command& command =
        program.add_command("explain", "print one decision of a run, and each step of its context switch");
    add_scenario_options(command, *o);
    command.add_option("--policy", o->policy, "use this policy instead of the scenario's")
        .type_name("POLICY[@MACHINE]");
    Option& by_switch =
        command.add_option("--switch", o->switch_number, "the switch, counted from 1 (the default)")
            .type_name("N")
            .check(from_one());
    command.add_option("--decision", o->decision, "the decision, counted from 1, even without a switch")
        .type_name("N")
        .check(from_one())
        .excludes(by_switch);
    add_output_options(command, *o);
    command.set_examples({"switchyard explain lazy-tlb --policy linux-2.6.24 --switch 3",
                          "switchyard explain two-hogs --decision 20",
                          "switchyard explain token-pipe --policy linux-6.6 --switch 100 --format json"});
    command.set_action([o] { return execute_explain(*o); });
}

}  // namespace sim::cli
