// The figure of a published table, or of one row of yield-table as a curve.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/cli/figure.h"
#include "sim/figures/yield_figure.h"
#include "sim/tables/yield_cost.h"

namespace sim::cli {
namespace {

plot::Plot draw_yield_row(const FigureOptions& o) {
    std::vector<std::string> names;
    for (const tables::YieldRow& row : tables::yield_rows()) names.emplace_back(row.label);
    const auto place = std::find(names.begin(), names.end(), o.row);
    if (place == names.end())
        throw UsageError(fmt::format("unknown row '{}'{} (available: '{}')", o.row,
                                     did_you_mean(o.row, names), join(names, "', '")));
    const tables::YieldRow& row = tables::yield_rows()[static_cast<std::size_t>(place - names.begin())];
    figures::YieldCurve curve{.row = row.label, .simulated = {}, .published = {}, .source = {}};
    for (std::size_t i = 0; i < tables::kYieldContexts.size(); ++i)
        curve.published.push_back(
            {.x = static_cast<double>(tables::kYieldContexts[i]), .y = row.published[i]});
    for (int n = tables::kYieldContexts.front(); n <= tables::kYieldContexts.back(); ++n) {
        // For a number of contexts that is in the table, simulates the same number of yields as the table
        // does, so that both results agree to the last digit.
        const bool in_table = std::find(tables::kYieldContexts.begin(), tables::kYieldContexts.end(), n) !=
                              tables::kYieldContexts.end();
        const tables::YieldCost c =
            tables::measure_yield_cost(row, n, in_table ? tables::kYields : tables::kYields / 10);
        const Overhead& parts = c.overhead;
        curve.simulated.push_back({.contexts = n,
                                   .system = c.per_yield(parts.system),
                                   .switching = c.per_yield(parts.context_switch + parts.address_space),
                                   .cache = c.per_yield(parts.cache_refill),
                                   .search = c.per_yield(parts.select),
                                   .recalculation = c.per_yield(parts.recalculation)});
    }
    curve.source = fmt::format("{}; published: the 1997 document on sched_yield, its last table",
                               figure_command_line(o));
    return figures::yield_plot(curve);
}

}  // namespace

plot::Plot draw_table(const FigureOptions& o, const tables::Table& table) {
    if (o.row.empty())
        return tables::plot_of(table, table.reproduce({.hints = false}), figure_command_line(o));
    if (table.name != "yield-table") throw UsageError("--row can only be used with `figure yield-table`");
    return draw_yield_row(o);
}

}  // namespace sim::cli
