#include "sim/figures/curves_figure.h"

#include <algorithm>
#include <set>

namespace sim::figures {

bool spans(const std::vector<double>& values, double factor) {
    if (values.size() < 3) return false;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *low > 0 && *high >= factor * *low;
}

plot::Plot curves_plot(const Curves& input) {
    plot::Panel panel;
    std::vector<double> xs, ys;
    for (std::size_t i = 0; i < input.curves.size(); ++i) {
        const Curve& curve = input.curves[i];
        plot::Series series{
            .name = curve.name, .look = plot::Look::line_with_marks, .points = {}, .style = i};
        for (const CurvePoint& p : curve.points) {
            series.points.push_back({.x = p.x, .y = p.mean, .interval = p.interval});
            xs.push_back(p.x);
            ys.push_back(p.mean);
        }
        panel.series.push_back(std::move(series));
    }
    for (const Crossing& c : input.crossings) panel.notes.push_back({.x = c.x, .y = c.y, .text = c.text});
    panel.x.label = input.x_label;
    panel.y.label = input.y_label;
    if (!input.categories.empty()) {
        panel.x.categories = input.categories;
    } else {
        if (spans(xs, 10)) panel.x.scale = plot::Scale::logarithmic;
        const std::set<double> different(xs.begin(), xs.end());
        if (different.size() <= 14) panel.x.ticks.assign(different.begin(), different.end());
    }
    if (spans(ys, 100)) panel.y.scale = plot::Scale::logarithmic;
    return {.title = input.title,
            .subtitle = input.subtitle,
            .source = input.source,
            .panels = {std::move(panel)}};
}

}  // namespace sim::figures
