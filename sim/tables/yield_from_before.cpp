// Predicts the Linux rows of the yield table after the patch from the twelve cells before the patch. The
// patch changes how often a yield switches and how often it recalculates, not what each of them costs.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/tables/predictions.h"
#include "sim/tables/published.h"
#include "sim/tables/yield_fit.h"

namespace sim::tables {
namespace {

constexpr std::size_t kRowsBefore = 2;

std::vector<Cell> cells_after_patch(const std::vector<std::string>& changes) {
    std::vector<Cell> cells;
    for (const YieldRow& row : yield_rows().subspan(kRowsBefore, kRowsBefore))
        for (std::size_t i = 0; i < kYieldContexts.size(); ++i) {
            const YieldCost m = measure_yield_cost(row, kYieldContexts[i], kYields, changes);
            cells.push_back({.row = row.label,
                             .column = fmt::format("{}", kYieldContexts[i]),
                             .published = row.published[i],
                             .simulated = m.per_yield(m.time),
                             .unit = "us",
                             .basis = Basis::predicted,
                             .noise = kNoise1997});
        }
    return cells;
}

}  // namespace

Prediction predict_yields_after_patch() {
    std::vector<YieldCell> before;
    Baseline no_change{"the same cell before the patch", {}};
    for (const YieldRow& row : yield_rows().first(kRowsBefore))
        for (std::size_t i = 0; i < kYieldContexts.size(); ++i) {
            before.push_back(
                {row.published[i], kYieldContexts[i], false, measure_yield_cost(row, kYieldContexts[i])});
            no_change.values.push_back(row.published[i]);
        }
    const LinuxCosts costs = fit_costs_to_switching_yields(before);
    LinuxCosts of_the_call = costs;
    std::swap(of_the_call.call, of_the_call.switch_same);
    const std::vector<Cell> other = cells_after_patch(of_the_call.machine_settings());
    return {
        .how = fmt::format(
            "The twelve cells give, by non-negative least squares, {:.3f} us for a task considered, {:.3f} "
            "us for a counter\n"
            "  recalculated, {:.3f} us for a switch and {:.3f} us for another address space. Before the "
            "patch every yield switches, so\n"
            "  these cells do not separate the costs of a call and of a switch. Assumed: both together are "
            "the cost of the switch. If they\n"
            "  were the cost of the call, the rms would be {:.2f} us, and {} of {} cells would be within "
            "their tolerance.",
            costs.considered, costs.recalculated, costs.switch_same, costs.other_mm, rms_difference(other),
            std::count_if(other.begin(), other.end(), [](const Cell& c) { return c.is_within_tolerance(); }),
            other.size()),
        .cells = cells_after_patch(costs.machine_settings()),
        .baselines = {no_change}};
}

}  // namespace sim::tables
