// Predicts the Linux rows of the yield table from Gooch's four values of 1998. Kernel and author are
// different; the type of processor is the same.
#include <fmt/format.h>

#include "sim/lab/least_squares.h"
#include "sim/tables/cache_fit.h"
#include "sim/tables/predictions.h"
#include "sim/tables/published.h"
#include "sim/tables/yield_cost.h"

namespace sim::tables {

Prediction predict_yields_from_gooch() {
    // The cost of Gooch's switch has these parts: one that is independent of the queue, one for each of the
    // 2 or 12 considered tasks, and, for processes only, one for another address space.
    std::vector<lab::Observation> observations;
    for (const GoochRow& row : kGooch) {
        const double loads = &row == kGooch.data() ? 1 : 0;
        observations.push_back({{1, 2, loads}, row.alone});
        observations.push_back({{1, 12, loads}, row.with_ten});
    }
    const std::vector<double> costs = lab::nonnegative_least_squares(observations);
    const double rest = costs[0], considered = costs[1], other_mm = costs[2];
    const std::string pointer = "/machine/costs/";
    const std::vector<std::string> changes{
        cost_setting(pointer + "syscall", 0.001),  // a loop of yields must take some time
        cost_setting(pointer + "schedule", 0),
        cost_setting(pointer + "considered", considered),
        cost_setting(pointer + "recalculated", considered),
        cost_setting(pointer + "switch_same_mm", rest),
        cost_setting(pointer + "switch_other_mm", rest + other_mm)};
    Prediction prediction;
    prediction.how = fmt::format(
        "The four values of gooch-1998 give, by non-negative least squares, {:.3f} us for a task "
        "considered,\n"
        "  {:.3f} us for another address space and {:.3f} us for all else. Assumed: recalculating "
        "a counter takes as long as\n"
        "  considering a task. The rows before the patch also depend on the scenario's 70 daemons. "
        "These were assumed with\n"
        "  this table in view, so the rows do not count as predicted.",
        considered, other_mm, rest);
    Baseline line{"the straight line through the two values of the same kind", {}};
    for (const YieldRow& row : yield_rows().first(kLinuxRows)) {
        const bool before = &row < yield_rows().data() + 2;
        for (std::size_t i = 0; i < kYieldContexts.size(); ++i) {
            const YieldCost m = measure_yield_cost(row, kYieldContexts[i], kYields, changes);
            prediction.cells.push_back({.row = row.label,
                                        .column = fmt::format("{}", kYieldContexts[i]),
                                        .published = row.published[i],
                                        .simulated = m.per_yield(m.time),
                                        .unit = "us",
                                        .scored = !before,
                                        .basis = before ? Basis::assumed : Basis::predicted,
                                        .noise = kNoise1997});
            const GoochRow& kind =
                kGooch[static_cast<std::size_t>(&row - yield_rows().data()) % kGooch.size()];
            if (!before)
                line.values.push_back(kind.alone +
                                      (kind.with_ten - kind.alone) * (kYieldContexts[i] - 2) / 10);
        }
    }
    prediction.baselines = {line};
    return prediction;
}

}  // namespace sim::tables
