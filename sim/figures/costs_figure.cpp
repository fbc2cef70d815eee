#include "sim/figures/costs_figure.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::figures {
namespace {

struct CostPart {
    const char* name;
    Nanos Overhead::*of;
    plot::CostComponent cost;
};
// As in yield_figure.cpp, the costs that all policies share come first.
constexpr CostPart kCostParts[] = {
    {"system call", &Overhead::system, plot::CostComponent::system_call},
    {"switch", &Overhead::context_switch, plot::CostComponent::context_switch},
    {"address space", &Overhead::address_space, plot::CostComponent::address_space},
    {"cache refill", &Overhead::cache_refill, plot::CostComponent::cache_refill},
    {"interrupts", &Overhead::interrupts, plot::CostComponent::interrupts},
    {"search", &Overhead::select, plot::CostComponent::search},
    {"recalculation", &Overhead::recalculation, plot::CostComponent::recalculation}};

// The parts of the costs of these runs as stacked bars, with the sum above each bar. `yields`: true: costs
// per yield; false: costs per switch.
std::vector<plot::Series> cost_bars(const std::vector<const RunCosts*>& runs, bool yields) {
    std::vector<plot::Series> bars;
    std::vector<double> totals(runs.size());
    for (const CostPart& part : kCostParts) {
        plot::Series series{
            .name = part.name, .type = plot::ChartType::stacked_bars, .points = {}, .cost = part.cost};
        double most = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const std::uint64_t count = yields ? runs[i]->yields : runs[i]->switches;
            const auto time = static_cast<double>((runs[i]->overhead.*part.of).count()) / 1e3;
            const double each = count == 0 ? 0 : time / static_cast<double>(count);
            series.points.push_back({.x = static_cast<double>(i), .y = each});
            totals[i] += each;
            most = std::max(most, each);
        }
        if (most > 0) bars.push_back(std::move(series));
    }
    plot::Series sums{.name = {}, .type = plot::ChartType::labels, .points = {}, .style = 0};
    for (std::size_t i = 0; i < totals.size(); ++i)
        sums.points.push_back(
            {.x = static_cast<double>(i), .y = totals[i], .label = fmt::format("{:.2f}", totals[i])});
    bars.push_back(std::move(sums));
    return bars;
}

}  // namespace

plot::Plot costs_plot(const CostsInput& input) {
    const bool yields =
        std::all_of(input.runs.begin(), input.runs.end(), [](const RunCosts& r) { return r.yields != 0; });
    std::vector<std::string> names;
    bool varied = false;
    for (const RunCosts& run : input.runs) {
        if (std::find(names.begin(), names.end(), run.name) == names.end()) names.push_back(run.name);
        varied = varied || !run.group.empty();
    }
    plot::Plot plot{
        .title = input.title, .subtitle = {}, .source = input.source, .panels = {}, .same_y = true};
    const auto add_panel = [&](const std::string& title, auto belongs) {
        plot::Panel panel;
        panel.title = title;
        panel.x.label = input.x_label;
        panel.x.detail = input.x_detail;
        panel.y.label = yields ? "us per yield" : "us per switch";
        std::vector<const RunCosts*> runs;
        for (const RunCosts& run : input.runs)
            if (belongs(run)) runs.push_back(&run);
        for (const RunCosts* run : runs) panel.x.categories.push_back(varied ? run->group : run->name);
        panel.series = cost_bars(runs, yields);
        plot.panels.push_back(std::move(panel));
    };
    if (varied && names.size() > 1) {
        for (const std::string& name : names)
            add_panel(name, [&](const RunCosts& run) { return run.name == name; });
    } else {
        add_panel("", [](const RunCosts&) { return true; });
        if (varied && !names.empty()) plot.subtitle = names.front();
    }
    plot.columns = plot.panels.size() <= 3 ? static_cast<int>(plot.panels.size()) : 2;
    return plot;
}

}  // namespace sim::figures
