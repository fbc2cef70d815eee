#include "sim/figures/latency_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sim::figures {
namespace {

constexpr std::size_t kMostLines = 3;  // maximum number of lines of the subtitle

// Maximum ratio of the longest to the shortest wait on the axis. Shorter waits are at the left edge.
constexpr double kMostRatio = 1e5;

double to_microseconds(Nanos span) { return static_cast<double>(span.count()) / 1e3; }

std::string text(Nanos span) {
    return to_microseconds(span) < 1000 ? fmt::format("{:.4g} us", to_microseconds(span))
                                        : fmt::format("{:.4g} ms", to_microseconds(span) / 1000);
}

}  // namespace

plot::Plot latency_plot(const LatencyInput& input) {
    double shortest = 0, longest = 0;
    bool has_zero = false;
    for (const LatencyRun& run : input.runs)
        for (const SpanHistogram::Bucket& item : run.spans.nonempty_buckets()) {
            if (item.at_most == Nanos{}) {
                has_zero = true;
                continue;
            }
            shortest = shortest == 0 ? to_microseconds(item.at_most)
                                     : std::min(shortest, to_microseconds(item.at_most));
            longest = std::max(longest, to_microseconds(item.at_most));
        }
    if (longest == 0) shortest = longest = 1;
    const bool has_shorter = shortest < longest / kMostRatio;
    shortest = std::max(shortest, longest / kMostRatio);
    // Left edge of the axis in us: a power of ten, so that the axis has a tick there. It is at least 1 ns
    // (1e-3), the shortest wait above 0. If the edge stands for waits of 0 only, it is one power of ten
    // lower.
    double left = has_zero && !has_shorter ? 1e-4 : 1e-3;
    for (double next = 1e-2; next <= shortest; next *= 10) left *= 10;

    plot::Panel panel;
    panel.x = {.label = "wait, us", .scale = plot::Scale::logarithmic, .from = left};
    panel.y = {.label = fmt::format("cumulative share of the {}, %", input.what), .from = 0, .to = 100};
    std::string subtitle;
    for (std::size_t r = 0; r < input.runs.size(); ++r) {
        const SpanHistogram& spans = input.runs[r].spans;
        plot::Series series{
            .name = input.runs[r].name, .type = plot::ChartType::steps, .points = {}, .style = r};
        std::uint64_t count = 0;
        for (const SpanHistogram::Bucket& item : spans.nonempty_buckets()) {
            count += item.count;
            const double share = 100 * static_cast<double>(count) / static_cast<double>(spans.count());
            if (series.points.empty() && to_microseconds(item.at_most) > left)
                series.points.push_back({.x = left, .y = 0});
            series.points.push_back({.x = std::max(left, to_microseconds(item.at_most)), .y = share});
        }
        if (!series.points.empty()) series.points.push_back({.x = longest, .y = 100});
        if (input.runs.size() <= kMostLines)
            subtitle += fmt::format("{}{}: {} {}, median {}, 99th percentile {}", r == 0 ? "" : "\n",
                                    input.runs[r].name, spans.count(), input.what, text(spans.percentile(50)),
                                    text(spans.percentile(99)));
        panel.series.push_back(std::move(series));
    }
    if (has_zero || has_shorter)
        panel.notes.push_back({.x = left,
                               .y = {},
                               .text = has_shorter ? "left edge: all shorter waits"
                                                   : "left edge: waits "
                                                     "of 0"});
    return {.title = input.title, .subtitle = subtitle, .source = input.source, .panels = {std::move(panel)}};
}

}  // namespace sim::figures
