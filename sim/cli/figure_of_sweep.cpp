// The curves of a sweep, from its results file.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "sim/base/input_file.h"
#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/figure.h"
#include "sim/figures/sweep_figure.h"
#include "sim/lab/curves.h"
#include "sim/lab/sweep_file.h"
#include "sim/lab/values.h"
#include "sim/scenario/renamed_keys.h"

namespace sim::cli {
namespace {

std::size_t axis_of(const FigureOptions& o, const lab::SweepSpec& spec) {
    std::vector<std::string> pointers;
    for (const lab::Axis& axis : spec.axes) pointers.push_back(axis.pointer);
    if (o.x_axis.empty()) {
        const std::optional<std::size_t> axis = lab::last_numeric_axis(spec);
        if (!axis) throw UsageError("no axis of this sweep has numeric values, so no curve can be drawn");
        return *axis;
    }
    const auto place = std::find(pointers.begin(), pointers.end(), with_current_key(o.x_axis));
    if (place == pointers.end())
        throw UsageError(fmt::format("--x-axis {}: the sweep has no such axis{} (available: {})",
                                     shorten(o.x_axis), did_you_mean(o.x_axis, pointers),
                                     pointers.empty() ? "none" : join(pointers, ", ")));
    const auto axis = static_cast<std::size_t>(place - pointers.begin());
    if (!lab::numbers_of(spec.axes[axis].values))
        throw UsageError(fmt::format("--x-axis {}: the values of this axis are not numbers", o.x_axis));
    return axis;
}

// Returns the requested measure. If none is requested, returns three measures: the main cost per yield, the
// main cost per switch, and the share of schedule() calls that yields made. The cost per yield is drawn if
// the share is at least half in every run (is_yielding_workload()); otherwise, the cost per switch is drawn.
std::vector<lab::Measure> measures_for(const FigureOptions& o) {
    try {
        if (!o.measure.empty()) return {parse_measure_option(o.measure)};
        return {lab::default_measures(true).front(), lab::default_measures(false).front(),
                lab::yield_share_measure()};
    } catch (const lab::LabError& error) {
        throw UsageError(fmt::format("--measure {}: {}", shorten(o.measure), error.what()));
    }
}

}  // namespace

plot::Plot draw_sweep(const FigureOptions& o) {
    if (o.scenario != "-" && !std::filesystem::exists(o.scenario))
        throw UsageError(fmt::format("{}: no such file; `switchyard sweep ... --results FILE` writes one",
                                     shorten(o.scenario)));
    InputFile in(o.scenario);
    lab::SweepReader reader(in, in.name());
    const lab::SweepSpec& spec = reader.spec();
    const std::vector<lab::Measure> measures = measures_for(o);
    const std::size_t axis = axis_of(o, spec);
    lab::SweepResults results(spec, measures);
    for (lab::Row row; reader.next(row);) results.add(row);
    if (results.added_run_count() == 0)
        throw UsageError(
            fmt::format("{}: the results file contains no finished run "
                        "yet",
                        o.scenario));
    const std::size_t measure = o.measure.empty() && !lab::is_yielding_workload(results, 2) ? 1 : 0;
    const std::vector<lab::Curve> list = lab::curves(results, measure, axis);
    constexpr std::size_t kMostCurves = 8, kMostPanels = 6;
    if (spec.policies.size() > kMostCurves || list.size() > kMostPanels * spec.policies.size())
        throw UsageError(fmt::format(
            "the sweep has {} curves, but a figure can show at most {} diagrams of {} curves each: sweep "
            "fewer policies or values",
            list.size(), kMostPanels, kMostCurves));
    return figures::sweep_plot(results, measure, axis, figure_command_line(o));
}

}  // namespace sim::cli
