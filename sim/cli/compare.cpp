// `switchyard compare`: runs a workload under several policies and shows the first decision that differs.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

#include "sim/base/text.h"
#include "sim/check/lockstep.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/policy_on_machine.h"
#include "sim/cli/progress.h"
#include "sim/cli/read_trace.h"
#include "sim/cli/trace_comparison.h"
#include "sim/explain/explain.h"
#include "sim/lab/follow_run.h"
#include "sim/lab/measure.h"
#include "sim/lab/simulation.h"
#include "sim/lab/summary_json.h"
#include "sim/scenario/json_text.h"
#include "sim/trace_io/import/input_kind.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

struct CompareOptions : CommonOptions {
    bool sets_exit_code = false;
};

// A row of the table: one measure. An indented label belongs to the nearest row above that is not indented.
struct ComparisonRow {
    const char* label;
    const char* measure;
    const char* format;  // fmt format of the value
};

constexpr ComparisonRow kComparisonRows[] = {
    {"switches", "switches", "{:.0f}"},
    {"  per second", "switches-per-second", "{:.4g}"},
    {"  voluntary", "voluntary", "{:.0f}"},
    {"  involuntary", "involuntary", "{:.0f}"},
    {"yields", "yields", "{:.0f}"},
    {"  share that caused a switch", "yield-switch-share", "{:.4f}"},
    {"  total time per yield, us", "us-per-yield", "{:.2f}"},
    {"tasks considered per schedule()", "considered", "{:.2f}"},
    {"queue steps per schedule()", "queue-steps", "{:.2f}"},
    {"recalculations", "recalculations", "{:.0f}"},
    {"mean run queue length", "run-queue", "{:.2f}"},
    {"longest run queue", "longest-run-queue", "{:.0f}"},
    {"user time, %", "user-share", "{:.3f}"},
    {"system call time, %", "system-share", "{:.3f}"},
    {"search, %", "search-share", "{:.3f}"},
    {"recalculation, %", "recalculation-share", "{:.3f}"},
    {"switch, %", "switching-share", "{:.3f}"},
    {"address-space switch, %", "address-space-share", "{:.3f}"},
    {"idle, %", "idle-share", "{:.3f}"},
};

// A table with one column per run.
std::string comparison_table(const std::vector<ordered_json>& runs,
                             const std::vector<PolicyOnMachine>& sides) {
    std::size_t width = 12;
    for (const PolicyOnMachine& side : sides) width = std::max(width, side.label.size());
    std::string text = fmt::format("{:<32}", "");
    for (const PolicyOnMachine& side : sides) text += fmt::format("  {:>{}}", side.label, width);
    text += "\n";
    for (const ComparisonRow& row : kComparisonRows) {
        const lab::Measure measure = lab::find_measure(row.measure);
        std::string line = fmt::format("{:<32}", row.label);
        bool any = false;
        for (const ordered_json& run : runs) {
            const double value = lab::value_of(measure, run).value_or(0);
            any = any || value != 0;
            line += fmt::format("  {:>{}}", fmt::format(fmt::runtime(row.format), value), width);
        }
        if (any) text += line + "\n";
    }
    return text;
}

// The first difference between two policies, as text and as JSON.
struct DecisionDifference {
    bool none = true;
    std::string text;
    ordered_json json;
};

DecisionDifference find_decision_difference(const PolicyOnMachine& a, const PolicyOnMachine& b) {
    const LockstepResult r = find_first_divergence(
        {a.scenario, *a.policy.policy}, {b.scenario, *b.policy.policy}, lab::limits_of(a.scenario));
    DecisionDifference difference{
        !r.divergence,
        {},
        {{"policy_a", a.label}, {"policy_b", b.label}, {"compared", r.decisions}, {"decision", nullptr}}};
    std::string& text = difference.text;
    if (!r.divergence) {
        text = fmt::format("\n{} and {}: none of {} decisions differs\n", a.label, b.label,
                           group_digits(r.decisions));
        return difference;
    }
    const Divergence& d = *r.divergence;
    const auto json_of = [&](const PolicyOnMachine& side, const DecisionView& view) {
        const auto name = [&](TaskId p) { return side.scenario.task_name(view.after, p); };
        return ordered_json{{"time_ns", view.record.time.count()},
                            {"chosen", name(view.record.task)},
                            {"why", why_winner_won(view.log, side.policy, name)}};
    };
    difference.json["decision"] = d.decision;
    difference.json["a"] = json_of(a, d.a);
    difference.json["b"] = json_of(b, d.b);
    text = fmt::format("\nThe first decision that differs between {} and {} is number {}:\n", a.label,
                       b.label, group_digits(d.decision));
    text += decision_text(a, d.a) + decision_text(b, d.b);
    if (d.a.log.prev != d.b.log.prev || d.a.after.globals().nr_running != d.b.after.globals().nr_running)
        text +=
            "  The two runs are not in the same state here. They made the same choices so far, but at "
            "different\n"
            "  times (different costs, or a wake-up that preempts in only one), so different tasks are "
            "ready.\n";
    return difference;
}

// Simulates the scenario that was made from a trace. Compares the switches of these runs with the switches
// that the trace has recorded.
int compare_runs_with_trace(const CompareOptions& o) {
    ImportOptions file;
    file.files = {o.scenario};
    const auto trace = read_recorded_run(file, o.quiet);
    const std::vector<std::string> policies = o.policies.empty() ? std::vector<std::string>{""} : o.policies;
    const std::vector<PolicyOnMachine> sides =
        load_policies_on_machines(o, scenario_text_of(*trace), policies);
    const TraceComparison beside =
        compare_with_trace(*trace, sides, {.explains_differences = true, .quiet = o.quiet});
    const std::string text = fmt::format(
        "{}: a trace of {} on {}, {} in {}\n\n{}", printable(o.scenario),
        pluralize(trace->made.tasks, "task"), pluralize(trace->made.cpus, "CPU"),
        pluralize(trace->made.switches, "switch", "es"), human_time(trace->made.length), beside.text);
    write_output_text(o.is_json() ? json_text(beside.json, 2) + "\n" : text, o.output);
    return o.sets_exit_code && !beside.all_same ? kFailed : kDone;
}

int execute_compare(const CompareOptions& o) {
    if (trace_io::is_trace_or_unsupported(o.scenario)) return compare_runs_with_trace(o);
    std::vector<std::string> policies = o.policies;
    if (policies.size() < 2) policies.insert(policies.begin(), "");  // empty: the scenario's own policy
    const std::vector<PolicyOnMachine> sides = load_policies_on_machines(o, policies);
    if (sides.size() < 2) throw UsageError("compare needs at least one --policy to compare with");
    const Scenario& scenario = sides.front().scenario;

    std::vector<ordered_json> runs;
    ordered_json machines = ordered_json::array();
    for (const PolicyOnMachine& side : sides) {
        lab::Simulation simulation(side.scenario, side.policy);
        TerminalProgress progress(o.quiet);
        simulation.run_to_end(progress.get());
        runs.push_back(lab::to_json(simulation.summary()));
        machines.push_back(side.scenario.machine.name);
    }

    std::string text = fmt::format("{}{}{}\n\n{}", scenario.name, scenario.title.empty() ? "" : ": ",
                                   scenario.title, comparison_table(runs, sides));
    ordered_json differences = ordered_json::array();
    bool all_same = true;
    for (std::size_t i = 1; i < sides.size(); ++i) {
        DecisionDifference difference = find_decision_difference(sides.front(), sides[i]);
        all_same = all_same && difference.none;
        text += difference.text;
        differences.push_back(std::move(difference.json));
    }
    if (!o.quiet && !scenario.hint.empty()) text += fmt::format("\nHint: {}\n", scenario.hint);
    const ordered_json json{{"format", "switchyard-compare/1"},
                            {"scenario", scenario.name},
                            {"machines", machines},
                            {"runs", runs},
                            {"first_differences", differences}};
    write_output_text(o.is_json() ? json_text(json, 2) + "\n" : text, o.output);
    return o.sets_exit_code && !all_same ? kFailed : kDone;
}

}  // namespace

void add_compare_command(Command& program) {
    auto o = std::make_shared<CompareOptions>();
    Command& command = program.add_command(
        "compare", "run a workload under several policies and show the first decision that differs");
    add_scenario_options(command, *o, TraceInput::read);
    command.add_repeatable(
        "--policy", o->policies, "POLICY[@MACHINE]",
        "policy to compare: NAME[:option=value,...], optionally on another machine; repeatable; a single "
        "policy is compared with the scenario's own policy");
    command.add_flag("--exit-code", o->sets_exit_code,
                     "exit with code 1 if any decision differs (for a trace: if any switch to a task "
                     "differs)");
    add_output_options(command, *o);
    command.set_examples(
        {"switchyard compare yield-processes --policy linux-2.0 --policy linux-2.0:yield=one_tick",
         "switchyard compare yield-threads --set /tasks/0/count=20 --policy "
         "linux-2.0:yield=one_tick --policy nt4@pentium-mmx-200-nt",
         "switchyard compare tests/recordings/three-on-one-cpu.txt --quiet --policy linux-6.6"});
    command.set_action([o] { return execute_compare(*o); });
}

}  // namespace sim::cli
