#include "sim/figures/sweep_figure.h"

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/figures/curves_figure.h"
#include "sim/lab/axis_words.h"
#include "sim/lab/crossover.h"
#include "sim/lab/values.h"
#include "sim/plot/layout.h"

namespace sim::figures {

plot::Plot sweep_plot(const lab::SweepResults& results, std::size_t measure, std::size_t axis,
                      const std::string& command) {
    const lab::SweepSpec& spec = results.spec();
    const lab::Measure& m = results.measures()[measure];
    const std::vector<lab::Curve> list = lab::curves(results, measure, axis);
    const auto panel = [&](const std::vector<std::size_t>& at) {
        std::string text;
        for (std::size_t other = 0; other < spec.axes.size(); ++other)
            if (other != axis)
                text +=
                    (text.empty() ? "" : ", ") +
                    lab::axis_value_text(spec.axes[other], shorten(spec.axes[other].values[at[other]], 40));
        return text;
    };
    const lab::NumericValues numbers = *lab::numbers_of(spec.axes[axis].values);
    const std::string name = lab::axis_display_name(spec.axes[axis]);
    Curves input{.title = fmt::format("{}: {}", spec.scenario, m.label),
                 .subtitle = {},
                 .source = command,
                 .x_label = numbers.unit.empty() ? name : fmt::format("{}, {}", name, numbers.unit),
                 .y_label = m.unit.empty() || m.label.find(m.unit) != std::string::npos
                                ? m.label
                                : fmt::format("{}, {}", m.label, m.unit),
                 .x_detail = name == spec.axes[axis].pointer ? "" : spec.axes[axis].pointer,
                 .curves = {}};
    for (const lab::Curve& curve : list) {
        Curve to{.name = spec.policies[curve.policy], .points = {}, .panel = panel(curve.at)};
        for (const lab::CurvePoint& p : curve.points) {
            if (p.y.n == 0) continue;
            CurvePoint point{.x = p.x, .mean = p.y.mean};
            if (p.y.half)
                point.interval = plot::ConfidenceInterval{p.y.mean - *p.y.half, p.y.mean + *p.y.half};
            to.points.push_back(point);
        }
        input.curves.push_back(std::move(to));
    }
    for (const lab::Crossover& c : lab::crossovers(lab::keep_common_points(list, results)))
        input.crossings.push_back(
            {c.left, c.right, c.below_left, c.above_left, c.below_right, c.above_right,
             fmt::format("{} is {}\nthan {}\n{}{}", spec.policies[c.below], m.is_cost ? "cheaper" : "lower",
                         spec.policies[c.above], lab::crossover_position_text(c, numbers),
                         c.is_clear ? "" : ", but the intervals overlap"),
             panel(c.at)});
    if (spec.seeds() > 1)
        input.subtitle = fmt::format("means of {} seeds, with 95 % intervals", spec.seeds());
    if (results.added_run_count() < spec.runs()) {
        // Reserves space for all values, so that the axis does not change while the curves grow.
        input.to_come = numbers.values;
        input.subtitle += fmt::format("{}{} of {} runs finished so far", input.subtitle.empty() ? "" : "; ",
                                      plot::number_text(static_cast<double>(results.added_run_count()), 1),
                                      plot::number_text(static_cast<double>(spec.runs()), 1));
    }
    input.source += fmt::format("  (seed{} {}{})", spec.seeds() > 1 ? "s" : "", spec.first_seed,
                                spec.seeds() > 1 ? fmt::format(" to {}", spec.last_seed) : "");
    return curves_plot(input);
}

}  // namespace sim::figures
