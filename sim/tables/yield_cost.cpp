#include "sim/tables/yield_cost.h"

#include <fmt/format.h>

#include "sim/lab/simulation.h"

namespace sim::tables {

std::span<const YieldRow> yield_rows() {
    static constexpr const char *kLinux = "pentium-mmx-200", *kNt = "pentium-mmx-200-nt";
    static constexpr YieldRow kRows[] = {
        {"before, processes",
         "yield-processes",
         kLinux,
         "linux-2.0:yield=original",
         {19, 13, 13, 14, 16, 27}},
        {"before, threads", "yield-threads", kLinux, "linux-2.0:yield=original", {16, 11, 10, 10, 15, 23}},
        {"after, processes", "yield-processes", kLinux, "linux-2.0:yield=one_tick", {4, 6, 11, 12, 15, 28}},
        {"after, threads", "yield-threads", kLinux, "linux-2.0:yield=one_tick", {3, 3, 5, 7, 12, 22}},
        {"NT, processes", "yield-processes", kNt, "nt4", {10, 15, 15, 17, 16, 17}},
        {"NT, threads", "yield-threads", kNt, "nt4", {5, 8, 8, 9, 10, 11}},
    };
    return kRows;
}

YieldCost measure_yield_cost(const YieldRow& row, int contexts, std::uint64_t yields,
                             const std::vector<std::string>& changes) {
    std::vector<std::string> sets{fmt::format("/tasks/0/count={}", contexts),
                                  fmt::format("/machine={}", row.machine)};
    sets.insert(sets.end(), changes.begin(), changes.end());
    lab::Simulation run(row.scenario, sets, row.policy);
    const Statistics& s = run.statistics();
    const Globals& g = run.machine().globals();

    // First the daemons go to sleep. After that, each decision is caused by a yield, apart from occasional
    // ticks. Only whole rounds of 20 * contexts yields are counted. Under the policy option yield=one_tick,
    // a yield costs the caller one tick of its slice of 20 ticks, so each task uses up its slice once a
    // round.
    const auto round = 20 * static_cast<std::uint64_t>(contexts);
    const std::uint64_t warm_up = g.nr_tasks + round;
    const std::uint64_t rounds = (yields + round - 1) / round;
    run.run({.decisions = warm_up});
    const Statistics before = s;
    const Nanos from = g.now;
    const TimeParts parts_before = run.time_parts();
    while (s.yields - before.yields < rounds * round) {
        const std::uint64_t left = rounds * round - (s.yields - before.yields);
        run.run({.decisions = g.decisions + left});
    }
    const Overhead o = (run.time_parts() - parts_before).overhead;
    return {.yields = s.yields - before.yields,
            .switched = s.yields_switched - before.yields_switched,
            .recalculations = s.recalculations - before.recalculations,
            .considered = s.considered - before.considered,
            .recalculated = s.recalculated - before.recalculated,
            .mm_loads = s.mm_loads - before.mm_loads,
            .time = g.now - from,
            .overhead = o};
}

}  // namespace sim::tables
