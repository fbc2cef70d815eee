// A million units of work on a pool of threads, as in the runtime of a Go program, compared with one loop.
#include <fmt/format.h>

#include "sim/lab/simulation.h"
#include "sim/replay/vmstat_columns.h"
#include "sim/tables/tables.h"

namespace sim::tables {
namespace {

struct GoroutinesRun {
    VmstatLine line;
    double switches_per_unit = 0;
};

GoroutinesRun measure_goroutines(const std::string& scenario, const std::vector<std::string>& settings = {},
                                 const std::string& policy = {}) {
    lab::Simulation s(scenario, settings, policy);
    const Sample begin = s.sample();
    s.run_to_end();
    const Sample end = s.sample();
    const Summary summary = s.summary();
    GoroutinesRun m{.line = vmstat_line(begin, end)};
    for (const Summary::Wait& wait : summary.waits)
        if (wait.name == "work")
            m.switches_per_unit =
                static_cast<double>(summary.switches.total()) / static_cast<double>(wait.switches);
    return m;
}

struct GoroutinesRuns {
    explicit GoroutinesRuns(const std::string& policy = {})
        : pool(measure_goroutines("goroutines", {}, policy)),
          wide(measure_goroutines("goroutines", {"cpus=4"}, policy)),
          loop(measure_goroutines("goroutines-one-loop", {}, policy)) {}

    GoroutinesRun pool, wide, loop;
};

std::vector<Cell> cells_of(const GoroutinesRuns& runs) {
    const auto& [pool, wide, loop] = runs;
    std::vector<Cell> cells;
    const auto add = [&](const char* row, const char* column, double published, std::int64_t simulated,
                         bool scored, const char* note) {
        cells.push_back(
            {row, column, published, static_cast<double>(simulated), "1/s", scored, note, Basis::tuned});
    };
    add("a pool of threads", "switches (cs)", 201'516, pool.line.switches, true, "");
    add("a pool of threads", "interrupts (in)", 65'259, pool.line.interrupts, true, "");
    const char* few = "the document states only that one loop has fewer; its figure is not available";
    add("one loop", "switches (cs)", kNotPublished, loop.line.switches, false, few);
    add("one loop", "interrupts (in)", kNotPublished, loop.line.interrupts, false, few);
    const char* four = "simulated only: the same program on four CPUs";
    add("a pool on 4 CPUs", "switches (cs)", kNotPublished, wide.line.switches, false, four);
    add("a pool on 4 CPUs", "interrupts (in)", kNotPublished, wide.line.interrupts, false, four);
    return cells;
}

TableResult reproduce_goroutines(const TableOptions& options) {
    const GoroutinesRuns runs;
    TableResult result;
    result.cells = cells_of(runs);
    result.holds = all_within_tolerance(result.cells);
    result.text = "goroutines: a million tiny units of work on a pool of threads, and in one loop\n\n" +
                  cells_text(result.cells) +
                  fmt::format("\nSwitches per unit: {:.2f} on two CPUs, {:.2f} on four.\n",
                              runs.pool.switches_per_unit, runs.wide.switches_per_unit) +
                  "Fitted: 2 (the time in which the loop creates a unit, and the number of CPUs). Assumed: "
                  "the time of a unit, the\n"
                  "size of the pool, and all costs except one. Scored published values: 2.\n";
    if (options.hints)
        result.text +=
            "\n"
            "Look at: three switches and one interrupt for each unit of work. The loop wakes a parked "
            "thread on the idle\n"
            "  CPU: an interrupt and the first switch. Before that thread does the unit, it wakes "
            "another one to look for\n"
            "  more. No CPU is free for it, so it runs when the first one parks: the second switch. It "
            "finds nothing and\n"
            "  parks: the third. The published value is 3.1 switches per interrupt. With a third CPU, "
            "the second wake-up\n"
            "  would also be an interrupt, and a unit would cause two: that is why the machine has two "
            "CPUs here.\n"
            "Try next:\n"
            "  switchyard run goroutines --view vmstat\n"
            "  switchyard run goroutines --set cpus=4\n"
            "  switchyard run goroutines-one-loop --view vmstat\n";
    return result;
}

}  // namespace

Table goroutines_table() {
    return {.name = "goroutines",
            .summary = "a million goroutines: switches and interrupts per second, compared with one loop",
            .source = "a document on high context switch and interrupt rates in Linux, its figure 8",
            .reproduce = reproduce_goroutines,
            .fitted = 2,
            .not_left_out = "the two numbers of the workload were tuned to the two cells",
            .cells_under = [](const std::string& policy) { return cells_of(GoroutinesRuns(policy)); }};
}

}  // namespace sim::tables
