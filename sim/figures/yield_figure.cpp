#include "sim/figures/yield_figure.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::figures {
namespace {

using plot::ChartType;

const YieldCostParts* at(const std::vector<YieldCostParts>& list, double contexts) {
    const auto place = std::find_if(list.begin(), list.end(),
                                    [&](const YieldCostParts& p) { return p.contexts == contexts; });
    return place == list.end() ? nullptr : &*place;
}

// Adds the cost components of a curve, stacked from bottom to top: first the components that do not depend on
// the number of contexts, then those that grow with this number, then those that fall with it. The sum of the
// components is the curve.
void add_parts(plot::Panel& panel, const std::vector<YieldCostParts>& simulated) {
    struct Part {
        const char* name;
        double YieldCostParts::*of;
        plot::CostComponent cost;
        const char* inside;
    };
    const Part parts[] = {
        {"system call", &YieldCostParts::system, plot::CostComponent::system_call, ""},
        {"switch and address space", &YieldCostParts::switching, plot::CostComponent::context_switch, ""},
        {"cache refill", &YieldCostParts::cache, plot::CostComponent::cache_refill, ""},
        {"search", &YieldCostParts::search, plot::CostComponent::search,
         "the search examines all N ready tasks"},
        {"recalculation", &YieldCostParts::recalculation, plot::CostComponent::recalculation,
         "recalculation of all T + N tasks, shared by N yields"},
    };
    for (const Part& part : parts) {
        plot::Series series{
            .name = part.name, .type = ChartType::stacked_area, .points = {}, .cost = part.cost};
        double most = 0;
        for (const YieldCostParts& p : simulated) {
            series.points.push_back({.x = static_cast<double>(p.contexts), .y = p.*part.of});
            most = std::max(most, p.*part.of);
        }
        if (most > 1) series.inside = part.inside;
        if (most > 0) panel.series.push_back(std::move(series));
    }
}

plot::Panel cost_panel(const YieldCurve& curve) {
    plot::Panel panel{
        .title = {}, .x = {.label = {}, .scale = plot::Scale::logarithmic}, .y = {.label = "us per yield"}};
    panel.weight = 5;
    add_parts(panel, curve.simulated);
    plot::Series total{
        .name = "simulated", .type = ChartType::line, .points = {}, .style = 0, .emphasis = true};
    for (const YieldCostParts& p : curve.simulated)
        total.points.push_back({.x = static_cast<double>(p.contexts), .y = p.total()});
    panel.series.push_back(std::move(total));
    panel.series.push_back(
        {.name = "published", .type = ChartType::points, .points = curve.published, .style = 2});
    return panel;
}

plot::Panel difference_panel(const YieldCurve& curve) {
    plot::Panel panel{.title = {},
                      .x = {.label = "runnable contexts, N", .scale = plot::Scale::logarithmic},
                      .y = {.label = "simulated minus published, us"}};
    panel.weight = 2;
    panel.y.from = -2.2;  // leaves space for the labels of the bars
    panel.y.to = 3.5;
    panel.y.ticks = {-2, 0, 2};
    plot::Series bars{.name = {}, .type = ChartType::bars, .points = {}, .style = 0};
    for (const plot::DataPoint& p : curve.published) {
        const YieldCostParts* simulated = at(curve.simulated, p.x);
        if (simulated == nullptr) continue;
        const double difference = simulated->total() - p.y;
        panel.y.from = std::min(*panel.y.from, difference * 1.1);
        panel.y.to = std::max(*panel.y.to, difference * 1.75);
        bars.points.push_back(
            {.x = p.x,
             .y = difference,
             .label = fmt::format("{}{:.2f}", difference < 0 ? "\u2212" : "+", std::abs(difference))});
    }
    panel.series.push_back(std::move(bars));
    return panel;
}

}  // namespace

plot::Plot yield_plot(const YieldCurve& curve) {
    plot::Panel costs = cost_panel(curve), differences = difference_panel(curve);
    for (const plot::DataPoint& p : curve.published) costs.x.ticks.push_back(p.x);
    differences.x.ticks = costs.x.ticks;
    bool is_u = false;
    if (!curve.simulated.empty()) {
        const YieldCostParts &first = curve.simulated.front(), &last = curve.simulated.back();
        differences.x.from = costs.x.from = first.contexts;
        differences.x.to = costs.x.to = last.contexts;
        const auto least = std::min_element(
            curve.simulated.begin(), curve.simulated.end(),
            [](const YieldCostParts& a, const YieldCostParts& b) { return a.total() < b.total(); });
        const bool falls = least != curve.simulated.begin();
        if (falls)
            costs.notes.push_back(
                {.x = static_cast<double>(least->contexts),
                 .y = least->total(),
                 .text = fmt::format("minimum at N = {}: {:.2f} us", least->contexts, least->total())});
        is_u = falls && first.recalculation > 0.2 * first.total();
    }
    return {.title = fmt::format("Cost of one yield: {}", curve.row),
            .subtitle = is_u ? "U-shaped: the cost of recalculation falls as 1/N, the cost of the search "
                               "rises as N"
                             : "Cost components of a simulated yield, and the published cost",
            .source = curve.source,
            .panels = {std::move(costs), std::move(differences)}};
}

}  // namespace sim::figures
