// Gooch's measurements of 1998: two real-time tasks that yield to each other, alone and with ten more tasks
// on the run queue.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/lab/simulation.h"
#include "sim/tables/published.h"
#include "sim/tables/tables.h"
#include "sim/tables/yield_cost.h"

namespace sim::tables {
namespace {

constexpr std::uint64_t kGoochYields = 20'000;
// A setting that adds ten tasks with the lowest priority, which compute forever and never leave the run
// queue.
constexpr const char* kLowPriority =
    R"(/tasks/1={"name": "low", "count": 10, "nice": 19, "program": [{"loop": "forever", "steps": [{"run": "1h"}]}]})";

// The time of one switch in us.
double switch_time(const std::string& scenario, bool longer_queue) {
    std::vector<std::string> sets{"/tasks/0/class=rr", "/tasks/0/rt_priority=1"};
    if (longer_queue) sets.emplace_back(kLowPriority);
    lab::Simulation s(scenario, sets, "linux-2.2");
    s.run({.decisions = 1'000});  // after 1,000 decisions all tasks have started
    const std::uint64_t switches = s.statistics().switches.total();
    const Nanos begin = s.now();
    s.run({.decisions = 1'000 + kGoochYields});
    return static_cast<double>((s.now() - begin).count()) / 1e3 /
           static_cast<double>(s.statistics().switches.total() - switches);
}

TableResult reproduce_gooch(const TableOptions& options) {
    TableResult result;
    const auto add = [&](const char* row, const char* column, double published, double simulated, bool scored,
                         const char* note) {
        result.cells.push_back({row, column, published, simulated, "us", scored, note, Basis::predicted});
    };
    const char* why =
        "kernel 2.1.122 switches in software; the simulated costs are those of Linux 2.0, which uses the "
        "processor's task switch";
    for (const GoochRow& row : kGooch) {
        const double alone = switch_time(row.scenario, false), with_ten = switch_time(row.scenario, true);
        add(row.label, "two alone", row.alone, alone, false, why);
        add(row.label, "with ten more", row.with_ten, with_ten, false, why);
        // The value of this cell follows from the two other cells of the row, so the cell is not counted.
        result.cells.back().counted_elsewhere = true;
        add(row.label, "each one more", (row.with_ten - row.alone) / 10, (with_ten - alone) / 10, true, "");
    }
    result.holds = all_within_tolerance(result.cells);
    result.text =
        "gooch-1998: a switch between two real-time tasks, and the cost of ten more tasks on the run "
        "queue\n"
        "\n" +
        cells_text(result.cells) +
        "\n"
        "No parameter is fitted: the costs are those of the 1997 document's table. Scored "
        "published values: 2.\n";
    if (options.hints)
        result.text += fmt::format(
            "\n"
            "Look at: the cost of one more task agrees, the cost of a switch does not. Here a switch takes "
            "{:.1f} and {:.1f} us more\n"
            "  than Gooch measured with two tasks on the same type of processor, because its cost is fitted "
            "to the 1997 table.\n"
            "Try next:\n"
            "  switchyard run yield-processes --policy linux-2.2 --set /tasks/0/class=rr --set "
            "/tasks/0/rt_priority=1\n",
            result.cells[0].difference(), result.cells[3].difference());
    return result;
}

// The published times of another table, yield-table, for the kernel with changed sched_yield(): for 2 tasks,
// for 12 tasks (interpolated between 10 and 20), and the difference per additional task.
Baseline yield_table_times() {
    Baseline baseline{"the times of the patched kernel in yield-table for as many contexts", {}};
    for (const YieldRow& row : yield_rows().subspan(2, 2)) {
        const double alone = row.published[0],
                     with_ten = row.published[3] + (row.published[4] - row.published[3]) * 2 / 10;
        for (const double us : {alone, with_ten, (with_ten - alone) / 10}) baseline.values.push_back(us);
    }
    return baseline;
}

}  // namespace

Table gooch_table() {
    return {
        .name = "gooch-1998",
        .summary = "a switch between two real-time tasks, alone and with ten more: 6 cells",
        .source =
            "R. Gooch, Linux Scheduler Benchmark Results, 30 September 1998: Pentium MMX 200, kernel 2.1.122",
        .reproduce = reproduce_gooch,
        .predictions = {{.from = {"yield-table"}, .baselines = {yield_table_times()}}}};
}

}  // namespace sim::tables
