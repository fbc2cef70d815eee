#include "sim/figures/curves_figure.h"

#include <algorithm>
#include <set>

#include "sim/plot/ticks.h"

namespace sim::figures {
namespace {

// The point at fraction `share` of the distance from `low` to `high` on an axis of this scale.
double between(double low, double high, double share, plot::Scale scale) {
    if (scale == plot::Scale::linear) return low + (high - low) * share;
    const double wanted = plot::log2_of(low) + (plot::log2_of(high) - plot::log2_of(low)) * share;
    double a = std::min(low, high), b = std::max(low, high);
    for (int i = 0; i < 60; ++i) {
        const double middle = a + (b - a) / 2;
        (plot::log2_of(middle) < wanted ? a : b) = middle;
    }
    return a;
}

plot::Note crossing_note(const Crossing& c, plot::Scale x, plot::Scale y) {
    const auto height = [&](double value) { return y == plot::Scale::linear ? value : plot::log2_of(value); };
    const double left = height(c.below_left) - height(c.above_left),
                 right = height(c.below_right) - height(c.above_right);
    const double share = left == right ? 0 : std::clamp(left / (left - right), 0.0, 1.0);
    return {.x = between(c.left, c.right, share, x),
            .y = between(c.below_left, c.below_right, share, y),
            .text = c.text};
}

}  // namespace

bool has_wide_range(const std::vector<double>& values, double factor) {
    if (values.size() < 3) return false;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *low > 0 && *high >= factor * *low;
}

plot::Plot curves_plot(const Curves& input) {
    plot::Plot plot{.title = input.title, .subtitle = input.subtitle, .source = input.source, .panels = {}};
    std::vector<double> xs = input.to_come, ys;
    std::vector<std::string> titles, names;
    const auto index = [](std::vector<std::string>& list, const std::string& text) {
        const auto place = std::find(list.begin(), list.end(), text);
        const auto at = static_cast<std::size_t>(place - list.begin());
        if (place == list.end()) list.push_back(text);
        return at;
    };
    for (const Curve& curve : input.curves) {
        const std::size_t panel = index(titles, curve.panel);
        plot.panels.resize(titles.size());
        plot::Series series{.name = curve.name,
                            .type = plot::ChartType::line_with_marks,
                            .points = {},
                            .style = index(names, curve.name)};
        for (const CurvePoint& p : curve.points) {
            series.points.push_back({.x = p.x, .y = p.mean, .interval = p.interval});
            xs.push_back(p.x);
            ys.push_back(p.mean);
        }
        plot.panels[panel].series.push_back(std::move(series));
    }
    const std::set<double> different(xs.begin(), xs.end());
    for (std::size_t p = 0; p < plot.panels.size(); ++p) {
        plot::Panel& panel = plot.panels[p];
        panel.title = titles[p];
        panel.x.label = input.x_label;
        panel.x.detail = input.x_detail;
        panel.y.label = input.y_label;
        panel.x.categories = input.categories;
        if (input.categories.empty()) {
            if (!input.to_come.empty() && different.size() > 1) {
                panel.x.from = *different.begin();
                panel.x.to = *different.rbegin();
            }
            if (has_wide_range(xs, 10)) panel.x.scale = plot::Scale::logarithmic;
            if (different.size() <= 14) panel.x.ticks.assign(different.begin(), different.end());
        }
        if (has_wide_range(ys, 100)) panel.y.scale = plot::Scale::logarithmic;
        for (const Crossing& c : input.crossings)
            if (c.panel == titles[p]) panel.notes.push_back(crossing_note(c, panel.x.scale, panel.y.scale));
    }
    plot.columns = plot.panels.size() <= 3 ? static_cast<int>(plot.panels.size()) : 2;
    plot.same_y = true;
    return plot;
}

}  // namespace sim::figures
