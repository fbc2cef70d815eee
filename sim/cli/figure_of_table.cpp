// The figure of a published table, or of one row of yield-table as a curve.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/cli/figure.h"
#include "sim/cli/tables/yield_cost.h"
#include "sim/figures/yield_figure.h"

namespace sim::cli {
namespace {

plot::Plot yield_row(const FigureOptions& o) {
    std::vector<std::string> names;
    for (const YieldRow& row : yield_rows()) names.emplace_back(row.label);
    const auto place = std::find(names.begin(), names.end(), o.row);
    if (place == names.end())
        throw UsageError(fmt::format("unknown row '{}'{} (there are '{}')", o.row, did_you_mean(o.row, names),
                                     join(names, "', '")));
    const YieldRow& row = yield_rows()[static_cast<std::size_t>(place - names.begin())];
    figures::YieldCurve curve{.row = row.label, .simulated = {}, .published = {}, .source = {}};
    for (std::size_t i = 0; i < kYieldContexts.size(); ++i)
        curve.published.push_back({.x = static_cast<double>(kYieldContexts[i]), .y = row.published[i]});
    for (int n = kYieldContexts.front(); n <= kYieldContexts.back(); ++n) {
        // A cell of the table uses its number of yields, so that both agree to the last digit.
        const bool in_table =
            std::find(kYieldContexts.begin(), kYieldContexts.end(), n) != kYieldContexts.end();
        const YieldCost c = yield_cost(row, n, in_table ? kYields : kYields / 10);
        const Overhead& parts = c.overhead;
        curve.simulated.push_back({.contexts = n,
                                   .system = c.per_yield(parts.system),
                                   .switching = c.per_yield(parts.context_switch + parts.address_space),
                                   .cache = c.per_yield(parts.cache_refill),
                                   .choosing = c.per_yield(parts.select),
                                   .refilling = c.per_yield(parts.recalc)});
    }
    curve.source =
        fmt::format("{}; published: the 1997 document on sched_yield, its last table", command_of(o));
    return figures::yield_plot(curve);
}

}  // namespace

plot::Plot table_of(const FigureOptions& o, const Table& table) {
    if (o.row.empty()) return plot_of(table, table.reproduce(true), command_of(o));
    if (table.name != "yield-table") throw UsageError("--row goes with `figure yield-table`");
    return yield_row(o);
}

}  // namespace sim::cli
