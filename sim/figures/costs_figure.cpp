#include "sim/figures/costs_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sim::figures {

plot::Plot costs_plot(const CostsInput& input) {
    const bool yields =
        std::all_of(input.runs.begin(), input.runs.end(), [](const RunCosts& r) { return r.yields != 0; });
    struct Part {
        const char* name;
        Nanos Overhead::*of;
        std::size_t style;
    };
    static constexpr Part kParts[] = {
        {"system call", &Overhead::system, 6},          {"choosing", &Overhead::select, 3},
        {"refilling counters", &Overhead::recalc, 1},   {"switching", &Overhead::context_switch, 0},
        {"address space", &Overhead::address_space, 7}, {"cache refill", &Overhead::cache_refill, 5}};
    plot::Panel panel;
    panel.x.label = input.x_label;
    panel.y.label = yields ? "us per yield" : "us per switch";
    std::set<std::string> names;
    for (const RunCosts& run : input.runs) names.insert(run.name);
    for (const RunCosts& run : input.runs)
        panel.x.categories.push_back(names.size() == 1   ? run.group
                                     : run.group.empty() ? run.name
                                                         : run.group + "\n" + run.name);
    std::vector<double> totals(input.runs.size());
    for (const Part& part : kParts) {
        plot::Series series{
            .name = part.name, .look = plot::Look::stacked_bars, .points = {}, .style = part.style};
        double most = 0;
        for (std::size_t i = 0; i < input.runs.size(); ++i) {
            const RunCosts& run = input.runs[i];
            const std::uint64_t count = yields ? run.yields : run.switches;
            const double each = count == 0 ? 0
                                           : static_cast<double>((run.overhead.*part.of).count()) / 1e3 /
                                                 static_cast<double>(count);
            series.points.push_back({.x = static_cast<double>(i), .y = each});
            totals[i] += each;
            most = std::max(most, each);
        }
        if (most > 0) panel.series.push_back(std::move(series));
    }
    plot::Series sums{.name = {}, .look = plot::Look::points, .points = {}, .style = 0};
    sums.look = plot::Look::labels;
    for (std::size_t i = 0; i < totals.size(); ++i)
        sums.points.push_back(
            {.x = static_cast<double>(i), .y = totals[i], .label = fmt::format("{:.2f}", totals[i])});
    panel.series.push_back(std::move(sums));
    std::string subtitle = names.size() == 1 && !input.runs.empty() ? input.runs.front().name : "";
    return {.title = input.title, .subtitle = subtitle, .source = input.source, .panels = {std::move(panel)}};
}

}  // namespace sim::figures
