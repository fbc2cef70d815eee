#include "sim/cli/trace_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/base/text.h"
#include "sim/cli/emit_run.h"
#include "sim/cli/output.h"
#include "sim/cli/waits_table.h"
#include "sim/explain/explain.h"
#include "sim/lab/follow_run.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

WaitsColumn column_of(const trace_io::RecordedRun& trace, const std::string& label,
                      const trace_io::WaitAnalyzer& waits, const std::vector<int>& same_as) {
    WaitsColumn column{.label = label, .waits = &waits};
    std::vector<std::string> names(trace.waits.identities().size());
    for (const auto& [name, number] : trace.numbers)
        if (number >= 0) names[static_cast<std::size_t>(number)] = name;
    for (std::size_t i = 0; i < same_as.size(); ++i)
        if (same_as[i] >= 0)
            column.by_group[names[static_cast<std::size_t>(same_as[i])]] = static_cast<int>(i);
    column.agreement = placement_agreement(trace.waits, waits, same_as);
    column.switches = compare_switches(trace.waits, waits, same_as);
    return column;
}

// Returns the number of the decision in which CPU `cpu` made its switch `switch_number`; 0: none. Decisions
// of all CPUs are counted, from 1. Switches of this CPU are counted from 0, without switches to the idle
// task.
std::uint64_t find_decision_of_switch(const Engine& engine, const Limits& limits, std::size_t cpu,
                                      std::size_t switch_number) {
    Machine m = engine.initial_state();
    lab::RunProgressReporter reported(/*progress=*/nullptr, m, limits);
    std::uint64_t decision = 0, decisions = 0;
    std::size_t switches = 0;
    lab::run_and_visit_records(engine, m, limits, reported, [&](const TraceRecord& r) {
        if (r.kind != TraceKind::schedule) return;
        ++decisions;
        const bool is_switch = r.cpu == cpu && r.task != r.other && !m.is_idle_task(r.task);
        if (is_switch && switches++ == switch_number) decision = decisions;
    });
    return decision;
}

struct FirstDifference {
    std::string text;
    ordered_json json;
};

FirstDifference first_difference(const trace_io::RecordedRun& trace, const PolicyOnMachine& side,
                                 const trace_io::SwitchComparison& switches) {
    FirstDifference difference{{}, {{"side", side.label}, {"switch", nullptr}}};
    if (switches.mismatches.empty()) {
        difference.text = fmt::format("\n{} makes all recorded switches in the same order.\n", side.label);
        return difference;
    }
    const trace_io::SwitchMismatch& parting = switches.mismatches.front();
    std::string recorded = "no more switches on this CPU";
    ordered_json json{{"cpu", parting.cpu}, {"number", parting.number + 1}};
    if (parting.recorded) {
        const auto name = std::find_if(trace.numbers.begin(), trace.numbers.end(),
                                       [&](const auto& n) { return n.second == parting.recorded->task; });
        recorded = fmt::format("at {}: switch to {}", human_time(parting.recorded->since), name->first);
        json["recorded"] = {{"time_ns", parting.recorded->since.count()}, {"chosen", name->first}};
    }
    difference.text = fmt::format(
        "\n"
        "The first switch of {} that differs from the trace is number {} on CPU {}:\n"
        "  recorded{} {}\n",
        side.label, group_digits(parting.number + 1), parting.cpu, parting.recorded ? "," : ":", recorded);
    if (parting.made) {
        const Engine engine(side.scenario, *side.policy.policy);
        const Limits limits = lab::limits_of(side.scenario);
        Limits until = limits;
        until.until = std::min(limits.until, parting.made->since + Nanos{1});
        const DecisionView view =
            compute_decision_view(engine, engine.initial_state(), limits,
                                  find_decision_of_switch(engine, until, parting.cpu, parting.number));
        const auto name = [&](TaskId p) { return side.scenario.task_name(view.after, p); };
        difference.text += decision_text(side, view);
        json["run"] = {{"time_ns", view.record.time.count()},
                       {"decision", view.number},
                       {"chosen", name(view.record.task)},
                       {"why", why_winner_won(view.log, side.policy, name)}};
    } else {
        difference.text += fmt::format("  under {}: no more switches on this CPU\n", side.label);
    }
    difference.json["switch"] = std::move(json);
    return difference;
}

// Reports that a run gave the tasks more CPU time than was recorded. The reason: the trace does not state how
// long a task that is ready at the end of the trace would compute. In the run, such a task computes until the
// run ends.
void report_excess(const std::string& side, Nanos recorded, Nanos simulated) {
    // An excess is reported if it is at least 1/100 of the recorded time.
    constexpr std::int64_t kLeastPart = 100;
    if ((simulated - recorded) * kLeastPart < recorded || simulated == recorded) return;
    print_diagnostic(
        fmt::format("{}: the tasks get {} of CPU time, {} more than was recorded: a task that is ready at "
                    "the end of the trace computes until the run ends",
                    side, human_time(simulated), human_time(simulated - recorded)));
}

}  // namespace

ScenarioText scenario_text_of(const trace_io::RecordedRun& trace) {
    return {.file = "the trace", .text = trace.scenario, .folder = "", .name = "recording"};
}

TraceComparison compare_with_trace(const trace_io::RecordedRun& trace,
                                   const std::vector<PolicyOnMachine>& sides,
                                   const TraceComparisonOptions& options) {
    std::vector<int> itself(trace.waits.identities().size(), -1);
    for (const auto& [name, number] : trace.numbers)
        if (number >= 0) itself[static_cast<std::size_t>(number)] = number;
    std::vector<WaitsColumn> columns;
    columns.push_back(column_of(trace, "recorded", trace.waits, itself));
    std::vector<std::unique_ptr<trace_io::WaitAnalyzer>> runs;
    for (const PolicyOnMachine& side : sides) {
        const Scenario& s = side.scenario;
        runs.push_back(std::make_unique<trace_io::WaitAnalyzer>());
        emit_run(s, *side.policy.policy, lab::limits_of(s),
                 {.title = s.title, .cpus = s.cpus, .hz = s.machine.hz}, *runs.back(), options.quiet);
        columns.push_back(column_of(trace, side.label, *runs.back(), trace.task_indices(*runs.back())));
        if (!options.quiet)
            report_excess(side.label, trace.waits.waits_of_all_tasks().ran,
                          runs.back()->waits_of_all_tasks().ran);
    }

    std::vector<std::string> order;
    for (const auto& [group, number] : columns.front().by_group) order.push_back(group);
    std::stable_sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
        return columns.front().of(a)->total_wait() > columns.front().of(b)->total_wait();
    });
    TraceComparison beside{waits_table(columns, order, options.tasks),
                           {{"format", "switchyard-reschedule/1"}, {"sides", waits_json(columns, order)}}};
    ordered_json differences = ordered_json::array();
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const trace_io::SwitchComparison& switches = columns[i + 1].switches;
        beside.all_same = beside.all_same && switches.mismatches.empty();
        if (!options.explains_differences) continue;
        FirstDifference difference = first_difference(trace, sides[i], switches);
        beside.text += difference.text;
        differences.push_back(std::move(difference.json));
    }
    if (options.explains_differences) beside.json["first_differences"] = std::move(differences);
    return beside;
}

}  // namespace sim::cli
