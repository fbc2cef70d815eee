#include "sim/plot/panel_frame.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace sim::plot {
namespace {

// kLeastPanelWidth: minimum width of a panel if there are several columns. kBetweenPanels: gap between
// columns, twice the gap between rows. kLeastFigure: if all panels together have less width or height, none
// is drawn.
constexpr EmLength kLeastPanelWidth{14}, kBetweenPanels{14, 10}, kLeastFigure{2};
// Distances from the lines of text above a panel to its area, and from the area to the ticks below.
constexpr EmLength kAboveArea{8, 10}, kBelowArea{1, 3};
constexpr EmLength kLeastHeightForLabel{4}, kMostLaneHeight{10};
// Part of a panel's width that is not available for category names; distance between two category names.
constexpr EmLength kBesideCategories{4}, kBetweenCategories{1, 3};
constexpr std::size_t kMostTitleLines = 2, kMostLabelLines = 1, kMostCategoryLines = 3;
// kPerTick...: minimum length of the axis per tick. kMostTicks...: maximum number of ticks.
constexpr EmLength kPerTickOfY{26, 10}, kPerTickOfX{5}, kPerTickOfLanes{7, 2};
constexpr int kMostTicksOfY = 12, kMostTicksOfX = 14;
constexpr EmLength kAfterLeft{1, 2}, kBetweenLaneColumns{1}, kBeforeLineNames{1, 2}, kBesideMarks{7, 10};
// Maximum width of everything left of the area, and of lane names, in percent of the panel's width.
constexpr int kMostLeftShare = 75, kMostLaneNameShare = 40;
constexpr int kCellWidthDivisor = 8;  // a text cell of a lane is at most 1/8 as wide as its panel

// The weight of a row of panels is the weight of the first panel in the row.
int weight_of(const Panel& row_begin) { return std::max(1, row_begin.weight); }

std::size_t category_line_count(const Canvas& canvas, const PanelFrame& f) {
    const std::vector<std::string>& names = f.panel->x.categories;
    if (names.empty()) return 1;
    const int slot = (f.cell.width() - canvas.length(kBesideCategories)) / static_cast<int>(names.size());
    std::size_t most = 1;
    for (const std::string& name : names)
        most = std::max(most, wrapped(name, canvas.small_font(), slot - canvas.length(kBetweenCategories),
                                      kMostCategoryLines)
                                  .size());
    return most;
}

void measure_heights(const Canvas& canvas, PanelFrame& f) {
    const Panel& p = *f.panel;
    f.area = f.cell;
    const int line = line_height(canvas.heading_font()), small = line_height(canvas.small_font());
    f.title = wrapped(p.title, canvas.heading_font(), f.cell.width(), kMostTitleLines);
    f.label = wrapped(p.y.label, canvas.small_font(), f.cell.width(), kMostLabelLines);
    const auto head = [&] {
        return static_cast<int>(f.title.size()) * line + static_cast<int>(f.label.size()) * small;
    };
    if (head() > f.cell.height() / 3) f.label.clear();
    if (head() > f.cell.height() / 3) f.title.clear();
    f.area.top += head() + canvas.length(kAboveArea);
    if (!p.lanes.empty() && !p.lane_headings.empty()) f.area.top += small;
    f.category_lines = category_line_count(canvas, f);
    f.area.bottom -= small * static_cast<int>(f.category_lines) + canvas.length(kBelowArea);
    if (!p.x.label.empty() && f.area.height() > canvas.length(kLeastHeightForLabel)) f.area.bottom -= line;
}

// Arranges the panels in rows and columns and measures their heights.
std::vector<PanelFrame> arrange_panels(const Plot& plot, const SeriesStyles& styles, const Canvas& canvas,
                                       const Box& inside, std::size_t columns) {
    const std::size_t count = plot.panels.size(), rows = (count + columns - 1) / columns;
    const int gap = canvas.length(kBetweenPanels), row_gap = gap / 2;
    const int room = inside.height() - row_gap * (static_cast<int>(rows) - 1),
              width = (inside.width() - gap * (static_cast<int>(columns) - 1)) / static_cast<int>(columns);
    int weights = 0;
    for (std::size_t first = 0; first < count; first += columns) weights += weight_of(plot.panels[first]);
    std::vector<PanelFrame> frames;
    int y = inside.top, done = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t first = row * columns;
        done += weight_of(plot.panels[first]);
        const int bottom = inside.top + static_cast<int>(std::int64_t{room} * done / weights) +
                           row_gap * static_cast<int>(row);
        for (std::size_t i = first; i < std::min(first + columns, count); ++i) {
            PanelFrame& f = frames.emplace_back();
            f.panel = &plot.panels[i];
            f.index = i;
            f.styles = &styles[i];
            const int x = inside.left + static_cast<int>(i - first) * (width + gap);
            f.cell = {x, y, x + width, bottom};
            measure_heights(canvas, f);
        }
        y = bottom + row_gap;
    }
    return frames;
}

// All y values that a panel shows; stacks are summed.
std::vector<double> values_of_y(const Panel& p) {
    std::vector<double> values;
    std::map<double, double> stack;
    for (const Series& s : p.series) {
        for (const DataPoint& point : s.points) {
            if (!is_plottable(p.x, point.x) || !std::isfinite(point.y)) continue;
            if (s.type == ChartType::stacked_bars || s.type == ChartType::stacked_area) {
                values.push_back(stack[point.x] += point.y);
            } else {
                values.push_back(point.y);
                if (point.interval) values.insert(values.end(), {point.interval->low, point.interval->high});
            }
        }
    }
    for (const Residual& r : p.residuals) values.insert(values.end(), {r.from, r.to});
    for (const Note& n : p.notes)
        if (n.y) values.push_back(*n.y);
    return values;
}

std::vector<double> values_of_x(const Panel& p) {
    std::vector<double> values;
    for (const Series& s : p.series)
        for (const DataPoint& point : s.points)
            if (std::isfinite(point.y)) values.push_back(point.x);
    for (const Residual& r : p.residuals) values.push_back(r.x);
    for (const Note& n : p.notes) values.push_back(n.x);
    for (const Lane& lane : p.lanes)
        for (const Span& span : lane.spans) values.insert(values.end(), {span.begin, span.end});
    return values;
}

// Extends the upper end by `percent` of the range.
void extend(AxisRange& range, Scale scale, int percent) {
    if (scale == Scale::linear) {
        range.high += (range.high - range.low) * percent / 100;
        return;
    }
    // The extension is rounded up to whole octaves, which avoids pow().
    for (double octaves = (log2_of(range.high) - log2_of(range.low)) * percent / 100; octaves > 0; --octaves)
        range.high *= 2;
}

void measure_y_axis(const Canvas& canvas, PanelFrame& f, const std::vector<double>& values, int headroom) {
    const Panel& p = *f.panel;
    const bool log = p.y.scale == Scale::logarithmic;
    const bool with_zero = std::any_of(p.series.begin(), p.series.end(), [](const Series& s) {
        return is_bars(s.type) || s.type == ChartType::stacked_area;
    });
    const int most = std::clamp(f.area.height() / canvas.length(kPerTickOfY), 1, kMostTicksOfY);
    f.y = range_of(p.y, values, with_zero && !log, most, true);
    if (log && !p.y.from && with_zero) f.y.low /= 2;  // keeps the smallest bar visible
    if (!p.y.to && headroom > 0) extend(f.y, p.y.scale, headroom);
    f.y_ticks = ticks_of(p.y, f.y, most);
    for (const double value : f.y_ticks.values)
        f.left = std::max(f.left, text_width(number_text(value, f.y_ticks.step), canvas.text_font()));
    f.left += canvas.length(kAfterLeft);
}

void measure_lanes(const Canvas& canvas, PanelFrame& f) {
    const Panel& p = *f.panel;
    f.area.bottom = std::min(f.area.bottom,
                             f.area.top + static_cast<int>(p.lanes.size()) * canvas.length(kMostLaneHeight));
    std::size_t cells = 0;
    for (const Lane& lane : p.lanes) cells = std::max(cells, lane.cells.size());
    f.columns.assign(cells + 1, 0);
    const auto widen = [&](std::size_t column, const std::string& text) {
        f.columns[column] = std::max(f.columns[column], text_width(text, canvas.small_font()));
    };
    for (std::size_t c = 0; c < std::min(p.lane_headings.size(), cells + 1); ++c)
        widen(c, p.lane_headings[c]);
    for (const Lane& lane : p.lanes) {
        widen(0, lane.name);
        for (std::size_t c = 0; c < lane.cells.size(); ++c) widen(c + 1, lane.cells[c]);
    }
    f.columns[0] = std::min(f.columns[0], f.cell.width() * kMostLaneNameShare / 100);
    for (std::size_t c = 1; c <= cells; ++c)
        f.columns[c] = std::min(f.columns[c], f.cell.width() / kCellWidthDivisor);
    for (const int width : f.columns) f.left += width + canvas.length(kBetweenLaneColumns);
    f.left -= canvas.length(kAfterLeft);
}

void measure_x_axis(const Canvas& canvas, PanelFrame& f, int left) {
    const Panel& p = *f.panel;
    f.area.left = f.cell.left + std::min(left, f.cell.width() * kMostLeftShare / 100);
    f.area.right =
        f.cell.right - (f.curve_names_width > 0 ? f.curve_names_width + canvas.length(kBeforeLineNames) : 0);
    if (!p.x.categories.empty()) {
        f.x = {-0.5, static_cast<double>(p.x.categories.size()) - 0.5};
        return;
    }
    const int each = canvas.length(p.lanes.empty() ? kPerTickOfX : kPerTickOfLanes);
    const int most = std::clamp(f.area.width() / each, 1, kMostTicksOfX);
    f.x = range_of(p.x, values_of_x(p), false, most, false);
    f.x_ticks = ticks_of(p.x, f.x, p.x.scale == Scale::logarithmic ? most * 3 / 2 : most);
    if (f.x_ticks.values.empty()) return;
    // Leaves space for the half of the last number that extends beyond the axis.
    const std::string last = number_text(f.x_ticks.values.back(), f.x_ticks.step);
    const int half = text_width(last, canvas.text_font()) / 2;
    if (f.area.width() > 4 * half) f.area.right -= std::max(0, half - canvas.length(kAfterLeft));
}

// Space at each end of the x axis for half a bar at the first or last x; without bars, for half a mark.
int x_axis_padding(const Canvas& canvas, const PanelFrame& f) {
    const Panel& p = *f.panel;
    if (!p.x.categories.empty() || !p.lanes.empty()) return 0;
    std::set<double> xs;
    bool bars = false, marks = false;
    for (const Series& s : p.series) {
        bars = bars || is_bars(s.type);
        marks = marks || s.type == ChartType::points || s.type == ChartType::line_with_marks;
        for (const DataPoint& point : s.points)
            if (is_plottable(p.x, point.x)) xs.insert(point.x);
    }
    if (!bars) return marks ? canvas.length(kBesideMarks) : 0;
    if (xs.size() < 2) return f.area.width() / 4;
    double least = std::numeric_limits<double>::infinity();
    const bool log = p.x.scale == Scale::logarithmic;
    const auto distance = [&](double from, double to) {
        return log ? log2_of(to) - log2_of(from) : to - from;
    };
    for (auto x = xs.begin(), next = std::next(x); next != xs.end(); ++x, ++next)
        least = std::min(least, distance(*x, *next));
    const double share = std::clamp(least / (distance(f.x.low, f.x.high) + least), 0.0, 0.5);
    return static_cast<int>(share * f.area.width() / 2) + kUnit;
}

// Aligns the x axes of the panels in one column, separately for panels with and without lanes.
void align_x_axes(const Canvas& canvas, const std::vector<PanelFrame*>& column) {
    for (const bool lanes : {false, true}) {
        std::vector<PanelFrame*> alike;
        std::copy_if(column.begin(), column.end(), std::back_inserter(alike),
                     [&](const PanelFrame* f) { return f->panel->lanes.empty() != lanes; });
        int left = 0, right = INT_MAX;
        for (const PanelFrame* f : alike) left = std::max(left, f->left);
        for (PanelFrame* f : alike) {
            measure_x_axis(canvas, *f, left);
            right = std::min(right, f->area.right);
        }
        for (PanelFrame* f : alike) f->area.right = right;
    }
    int pad = 0;
    for (const PanelFrame* f : column) pad = std::max(pad, x_axis_padding(canvas, *f));
    for (PanelFrame* f : column) f->pad = pad;
}

}  // namespace

std::vector<PanelFrame> frames_of(const Plot& plot, const SeriesStyles& styles, const Canvas& canvas,
                                  const Box& inside, int curve_names_width, int headroom) {
    const int least = canvas.length(kLeastFigure);
    if (plot.panels.empty() || inside.width() < least || inside.height() < least) return {};
    const int most_columns = std::max(1, inside.width() / canvas.length(kLeastPanelWidth));
    const auto columns = static_cast<std::size_t>(std::clamp(plot.columns, 1, most_columns));
    std::vector<PanelFrame> frames = arrange_panels(plot, styles, canvas, inside, columns);
    std::vector<double> all;
    for (const PanelFrame& f : frames) {
        const std::vector<double> values = values_of_y(*f.panel);
        all.insert(all.end(), values.begin(), values.end());
    }
    for (PanelFrame& f : frames) {
        f.curve_names_width = curve_names_width;
        if (f.panel->lanes.empty())
            measure_y_axis(canvas, f, plot.same_y ? all : values_of_y(*f.panel), headroom);
        else
            measure_lanes(canvas, f);
    }
    for (std::size_t c = 0; c < std::min(columns, frames.size()); ++c) {
        std::vector<PanelFrame*> column;
        for (std::size_t i = c; i < frames.size(); i += columns) column.push_back(&frames[i]);
        align_x_axes(canvas, column);
    }
    std::erase_if(frames, [&](const PanelFrame& f) {
        return f.area.width() <= canvas.em() + 2 * f.pad || f.area.height() <= canvas.em();
    });
    return frames;
}

}  // namespace sim::plot
