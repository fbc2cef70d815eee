#include "sim/figures/table_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "sim/figures/curves_figure.h"
#include "sim/plot/layout.h"

namespace sim::figures {
namespace {

std::optional<int> whole_number(const std::string& text) {
    int n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return n;
}

bool has_numeric_columns(const TableInput& table) {
    return !table.cells.empty() &&
           std::all_of(table.cells.begin(), table.cells.end(), [&](const TableCell& c) {
               return whole_number(c.column) && c.unit == table.cells.front().unit;
           });
}

// Draws one curve per row, and one panel per suffix of row names. For example, the row "before, processes" is
// the curve "before" in the panel "processes".
plot::Plot curves_of(const TableInput& table) {
    plot::Plot plot{.title = table.name, .subtitle = table.summary, .source = table.source, .panels = {}};
    const auto cut = [](const std::string& row) { return row.rfind(", "); };
    const bool grouped = std::all_of(table.cells.begin(), table.cells.end(),
                                     [&](const TableCell& c) { return cut(c.row) != std::string::npos; });
    std::vector<std::string> panels, names;
    const auto index = [](std::vector<std::string>& list, const std::string& name) {
        const auto place = std::find(list.begin(), list.end(), name);
        const auto at = static_cast<std::size_t>(place - list.begin());
        if (place == list.end()) list.push_back(name);
        return at;
    };
    std::vector<double> xs;
    for (const TableCell& c : table.cells) xs.push_back(*whole_number(c.column));
    for (const TableCell& c : table.cells) {
        const std::size_t p = index(panels, grouped ? c.row.substr(cut(c.row) + 2) : ""),
                          style = index(names, grouped ? c.row.substr(0, cut(c.row)) : c.row);
        if (p == plot.panels.size()) {
            plot.panels.emplace_back();
            plot.panels[p].title = panels[p];
            plot.panels[p].y.label = c.unit;
            if (has_wide_range(xs, 10)) plot.panels[p].x.scale = plot::Scale::logarithmic;
        }
        plot::Panel& panel = plot.panels[p];
        const auto series_of = [&](const std::string& name, plot::ChartType type) -> plot::Series& {
            for (plot::Series& s : panel.series)
                if (s.name == name && s.style == style) return s;
            panel.series.push_back({.name = name,
                                    .type = type,
                                    .points = {},
                                    .style = style,
                                    .emphasis = type == plot::ChartType::line,
                                    .hollow = type == plot::ChartType::points});
            return panel.series.back();
        };
        const double x = *whole_number(c.column);
        series_of(names[style], plot::ChartType::line).points.push_back({.x = x, .y = c.simulated});
        series_of("", plot::ChartType::points).points.push_back({.x = x, .y = c.published});
        if (std::isfinite(c.published)) panel.residuals.push_back({x, c.published, c.simulated});
        if (std::find(panel.x.ticks.begin(), panel.x.ticks.end(), x) == panel.x.ticks.end())
            panel.x.ticks.push_back(x);
    }
    plot.columns = static_cast<int>(plot.panels.size());
    plot.same_y = true;
    plot.subtitle += "\nLines: simulated. Points: published. Bars between them: the difference.";
    return plot;
}

std::string value_text(double value) {
    if (!std::isfinite(value)) return "\u2013";
    if (value == std::trunc(value) || std::abs(value) >= 1000) return plot::number_text(std::round(value), 1);
    return plot::number_text(value, std::abs(value) >= 100 ? 0.1 : std::abs(value) >= 1 ? 0.01 : 0.001);
}

}  // namespace

plot::Plot table_plot(const TableInput& table) {
    if (has_numeric_columns(table)) return curves_of(table);
    enum : std::size_t { kPromised, kScored, kNotScored };
    // Maximum bar length: a difference of 30 %. Longer bars are cut off; the column "difference" has their
    // values.
    constexpr double kWidest = 30;
    const auto percent = [](const TableCell& c) {
        return c.published == 0 ? 0 : 100 * (c.simulated / c.published - 1);
    };
    double most = 12;
    std::size_t unpublished = 0;
    for (const TableCell& c : table.cells)
        if (std::isfinite(c.published)) most = std::max(most, std::min(kWidest, std::abs(percent(c)) * 1.05));

    plot::Panel panel{.title = {}, .x = {.label = "difference, %", .from = -most, .to = most}, .y = {}};
    panel.lane_headings = {"", "published", "simulated", "unit", "difference"};
    panel.kinds = {{"promised", plot::kNeutral, plot::SpanKind::Fill::pale},
                   {"difference", 0, plot::SpanKind::Fill::plain},
                   {"difference, not scored", 0, plot::SpanKind::Fill::hatched}};
    for (const TableCell& c : table.cells) {
        if (!std::isfinite(c.published)) {
            ++unpublished;
            continue;
        }
        plot::Lane lane{.name = c.row == c.column ? c.row : fmt::format("{}: {}", c.row, c.column),
                        .spans = {}};
        const double difference = percent(c);
        lane.cells = {value_text(c.published), value_text(c.simulated), c.unit,
                      c.published == 0
                          ? ""
                          : fmt::format("{}{:.1f} %", difference < 0 ? "\u2212" : "+", std::abs(difference))};
        if (c.published != 0) {
            const double promised = std::min(most, std::abs(100 * c.tolerance / c.published));
            if (c.scored) lane.spans.push_back({.begin = -promised, .end = promised, .kind = kPromised});
            lane.spans.push_back({.begin = std::clamp(difference, -most, 0.0),
                                  .end = std::clamp(difference, 0.0, most),
                                  .kind = c.scored ? kScored : kNotScored,
                                  .height = 0.5});
        }
        panel.lanes.push_back(std::move(lane));
    }
    std::string subtitle = table.summary;
    if (unpublished != 0)
        subtitle += fmt::format("\nNot shown: {} value{} without a published counterpart", unpublished,
                                unpublished == 1 ? "" : "s");
    return {.title = table.name, .subtitle = subtitle, .source = table.source, .panels = {std::move(panel)}};
}

}  // namespace sim::figures
