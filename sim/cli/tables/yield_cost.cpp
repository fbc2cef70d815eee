#include "sim/cli/tables/yield_cost.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/core/summary.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {

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

YieldCost yield_cost(const YieldRow& row, int contexts, std::uint64_t yields) {
    const Scenario scenario =
        load_scenario(row.scenario, std::vector<std::string>{fmt::format("/tasks/0/count={}", contexts),
                                                             fmt::format("/machine={}", row.machine)});
    const NamedPolicy policy = make_policy(row.policy);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics s(scenario.shape);

    // The daemons go to sleep first; from then on each decision is a yield's, but for a tick's now and then.
    // Whole rounds of 20 N yields are measured, in which each patched spinner uses up its 20 ticks once.
    const auto round = 20 * static_cast<std::uint64_t>(contexts);
    const std::uint64_t warm_up = m.globals().nr_tasks + round;
    const std::uint64_t rounds = (yields + round - 1) / round;
    engine.run(m, {.decisions = warm_up}, {.statistics = &s});
    const Statistics before = s;
    const Nanos from = m.globals().now;
    const TimeParts parts_before = settled_time(scenario, s, m);
    while (s.yields - before.yields < rounds * round) {
        const std::uint64_t left = rounds * round - (s.yields - before.yields);
        engine.run(m, {.decisions = m.globals().decisions + left}, {.statistics = &s});
    }
    const Overhead o = (settled_time(scenario, s, m) - parts_before).overhead;
    return {s.yields - before.yields, s.yields_switched - before.yields_switched, s.recalcs - before.recalcs,
            m.globals().now - from, o};
}

}  // namespace sim::cli
