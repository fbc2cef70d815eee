#include "ui/view/workload.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/action.h"
#include "sim/core/summary.h"
#include "sim/scenario/workload_edit.h"
#include "ui/view/format.h"
#include "ui/view/text_table.h"

namespace ui {
namespace {

using sim::Nanos;

// The number of program steps as text: "8 steps". Steps that end a loop or the task are not counted.
std::string step_count_text(const sim::Scenario& scenario, std::size_t group) {
    auto end = static_cast<sim::StepId>(scenario.steps.size());
    for (const sim::TaskGroup& other : scenario.groups)
        if (other.program > scenario.groups[group].program) end = std::min(end, other.program);
    std::size_t steps = 0;
    for (sim::StepId i = scenario.groups[group].program; i < end; ++i) {
        const std::string& action = sim::actions()[scenario.steps[i].action].name;
        if (action != "exit" && action.find(' ') == std::string::npos) ++steps;
    }
    return pluralize(steps, "step", "s");
}

std::string without_trailing_zeros(std::string number) {
    if (number.find('.') == std::string::npos) return number;
    number.erase(number.find_last_not_of('0') + 1);
    if (number.ends_with('.')) number.pop_back();
    return number;
}

}  // namespace

std::string exact_ms_text(Nanos time) {
    const std::int64_t ns = time.count();
    return without_trailing_zeros(fmt::format("{}.{:06}", ns / 1'000'000, ns % 1'000'000));
}

std::string rounded_ms_text(double ns) { return without_trailing_zeros(fmt::format("{:.3f}", ns / 1e6)); }

WorkloadTable workload_table(const Model& model) {
    const Run& run = *model.a;
    const sim::Scenario& scenario = run.scenario();
    const sim::RunHistory& history = run.history();
    const sim::Moment& simulated_end = history.simulated_end();
    WorkloadTable table;
    table.is_complete = history.is_complete();
    const std::vector<sim::TaskStatistics> tasks =
        sim::elapsed_task_statistics(scenario, simulated_end.statistics, simulated_end.machine);
    sim::TaskId p = simulated_end.machine.first_task();
    for (std::size_t i = 0; i < scenario.groups.size(); ++i) {
        const sim::TaskGroup& group = scenario.groups[i];
        WorkloadRow row;
        row.name = group.name;
        row.arrival = exact_ms_text(group.start);
        row.tasks = group.count;
        row.has_single_burst = sim::has_single_burst(scenario, i);
        row.burst =
            row.has_single_burst ? exact_ms_text(sim::burst_of(scenario, i)) : step_count_text(scenario, i);
        if (group.has_priority) row.priority = fmt::format("{}", group.priority);
        if (group.count == 1 && p < simulated_end.machine.globals().high_row) {
            const sim::Summary::TaskSummary task =
                sim::summary_of_task(scenario, simulated_end.machine, simulated_end.statistics, tasks, p);
            row.finish = task.finish;
            row.turnaround = task.turnaround;
            row.waiting = task.waiting;
        }
        p += group.count;
        table.rows.push_back(std::move(row));
    }
    const sim::Summary::Jobs jobs =
        sim::summary_of_jobs(simulated_end.machine, simulated_end.statistics, tasks);
    table.mean_turnaround = jobs.mean_turnaround;
    table.mean_waiting = jobs.mean_waiting;
    return table;
}

std::string text_of(const WorkloadTable& table) {
    constexpr std::size_t kMost = 200;
    const auto time = [](const std::optional<Nanos>& t) {
        return t ? rounded_ms_text(static_cast<double>(t->count())) : "-";
    };
    const auto mean = [](const std::optional<double>& t) { return t ? rounded_ms_text(*t) : "-"; };
    TextTable text("lrrrrrr");
    text.add({"times in ms", "arrival", "burst", "priority", "finish", "turnaround", "waiting"});
    for (std::size_t i = 0; i < std::min(kMost, table.rows.size()); ++i) {
        const WorkloadRow& row = table.rows[i];
        text.add({row.tasks == 1 ? row.name : fmt::format("{} × {}", row.name, row.tasks), row.arrival,
                  row.burst, row.priority.empty() ? "-" : row.priority, time(row.finish),
                  time(row.turnaround), time(row.waiting)});
    }
    text.add({"mean", "", "", "", "", mean(table.mean_turnaround), mean(table.mean_waiting)});
    std::string all = text.text();
    if (table.rows.size() > kMost)
        all += fmt::format("... and {} more\n", group_digits(table.rows.size() - kMost));
    return all;
}

}  // namespace ui
