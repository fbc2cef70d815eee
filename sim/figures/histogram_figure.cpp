#include "sim/figures/histogram_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/figures/curves_figure.h"

namespace sim::figures {

plot::Plot histogram_plot(const HistogramInput& input) {
    plot::Panel panel;
    panel.x.label = "ready tasks that schedule() found, including the caller";
    panel.y.label = "% of the calls of schedule()";
    std::vector<double> shares;
    std::string subtitle;
    std::size_t longest = 1;
    for (std::size_t r = 0; r < input.runs.size(); ++r) {
        const QueueHistogram& run = input.runs[r];
        std::uint64_t calls = 0;
        double sum = 0;
        std::size_t most = 0;
        for (std::size_t n = 0; n < run.calls.size(); ++n) {
            calls += run.calls[n];
            sum += static_cast<double>(run.calls[n]) * static_cast<double>(n);
            if (run.calls[n] != 0) most = n;
        }
        plot::Series series{.name = run.name, .type = plot::ChartType::bars, .points = {}, .style = r};
        for (std::size_t n = 0; n <= most && calls != 0; ++n) {
            if (run.calls[n] == 0) continue;
            const double share = 100 * static_cast<double>(run.calls[n]) / static_cast<double>(calls);
            series.points.push_back({.x = static_cast<double>(n), .y = share});
            shares.push_back(share);
        }
        longest = std::max(longest, most);
        const double mean = calls == 0 ? 0 : sum / static_cast<double>(calls);
        subtitle += fmt::format("{}{}mean length {:.2f}, maximum length {}", subtitle.empty() ? "" : "\n",
                                input.runs.size() == 1 ? "" : run.name + ": ", mean, most);
        if (calls != 0 && input.runs.size() == 1)
            panel.notes.push_back({.x = mean, .y = {}, .text = fmt::format("mean {:.2f}", mean)});
        panel.series.push_back(std::move(series));
    }
    panel.x.from = -0.5;
    panel.x.to = static_cast<double>(longest) + 0.5;
    if (has_wide_range(shares, 500)) panel.y.scale = plot::Scale::logarithmic;
    return {.title = input.title, .subtitle = subtitle, .source = input.source, .panels = {std::move(panel)}};
}

}  // namespace sim::figures
