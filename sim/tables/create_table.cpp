// The creation table of 1997: the time for a new process, a copy of a process and a new thread, on Linux and
// on NT. The simulation of each cell runs a loop that creates a process or thread, lets it end and waits for
// it. The costs of creation are fitted to these cells, so the table predicts nothing and only shows the other
// costs in the loop.
#include <fmt/format.h>

#include "sim/lab/simulation.h"
#include "sim/tables/published.h"
#include "sim/tables/tables.h"

namespace sim::tables {
namespace {

struct Benchmark {
    const char* label;
    const char* scenario;
    const char* system;
    const char* machine;
    const char* policy;
    double published;  // ms
};
constexpr Benchmark kBenchmarks[] = {
    {"spawn a process", "create-program", "NT", "pentium-mmx-200-nt", "nt4", 12.0},
    {"spawn a process", "create-program", "Linux", "pentium-mmx-200", "linux-2.0", 6.0},
    {"clone a process", "create-process", "Linux", "pentium-mmx-200", "linux-2.0", kClone1997},
    {"spawn a thread", "create-thread", "NT", "pentium-mmx-200-nt", "nt4", 0.9},
    {"spawn a thread", "create-thread", "Linux", "pentium-mmx-200", "linux-2.0", kThread1997},
};

TableResult reproduce_create(const TableOptions& options) {
    TableResult result;
    std::string work;
    for (const Benchmark& b : kBenchmarks) {
        lab::Simulation run(b.scenario, {fmt::format("/machine={}", b.machine)}, b.policy);
        run.run_to_end();
        const std::uint64_t forks = run.statistics().forks;
        const auto each = [&](Nanos part) {
            return static_cast<double>(part.count()) / 1e3 / static_cast<double>(forks);
        };
        result.cells.push_back({b.label, b.system, b.published, each(run.now()) / 1e3, "ms"});
        const Overhead o = run.time_parts().overhead;
        work += fmt::format("  {:<15}  {:<5} {:>10.1f} {:>10.1f} {:>13.1f} {:>10.1f} {:>10.1f} {:>10.1f}\n",
                            b.label, b.system, each(o.system), each(o.select), each(o.recalculation),
                            each(o.context_switch), each(o.address_space), each(o.cache_refill));
    }
    result.holds = all_within_tolerance(result.cells);
    result.text =
        "create-table: the time to create a process, a copy of a process or a thread, and to wait for its "
        "end\n"
        "\n" +
        cells_text(result.cells) + "\nKernel time per creation, in us:\n\n" +
        fmt::format("  {:<15}  {:<5} {:>10} {:>10} {:>13} {:>10} {:>10} {:>10}\n", "", "", "system", "search",
                    "recalculation", "switch", "addresses", "cache") +
        work +
        "\n"
        "Fitted: 5 (the costs of fork, exec and a thread on Linux, of a process and a thread on "
        "NT): one for each\n"
        "cell, so this table predicts nothing; it shows the other parts of a creation. Assumed: "
        "the benchmark waits for the\n"
        "child, which ends at once. Scored published values: 5; there is none for cloning a "
        "process on NT, which has no fork().\n";
    if (options.hints)
        result.text +=
            "\n"
            "Look at: scheduling is a small part of a creation. On Linux 2.0, every fifth creation "
            "recalculates the counters of\n"
            "  all tasks, because fork() halves the parent's counter and the end of the child returns "
            "nothing to the parent.\n"
            "Try next:\n"
            "  switchyard run create-thread --set /tasks/2/count=1000\n"
            "  switchyard compare create-process --policy linux-2.0 --policy linux-2.4.22\n";
    return result;
}

}  // namespace

Table creation_table() {
    return {.name = "create-table",
            .summary = "a new process, a copy of one and a new thread, on Linux and on NT: 5 cells",
            .source = "the 1997 document on sched_yield, its first table: spawn, clone, new thread",
            .reproduce = reproduce_create,
            .fitted = 5,
            .not_left_out =
                "each of the five numbers is fitted to one cell, so it cannot be fitted without that cell"};
}

}  // namespace sim::tables
