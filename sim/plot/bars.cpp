#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/plot/parts.h"

namespace sim::plot {
namespace {

constexpr EmLength kMostBarWidth{6};
constexpr int kShareOfGap = 78;  // part of the distance between two x values that bars fill, in percent
// Bars fill the whole distance between two x values if this distance is at most kMostGapToFill. Bars that are
// at most kLeastBarWithEdge wide are drawn without an edge.
constexpr int kMostGapToFill = 5 * kUnit, kLeastBarWithEdge = 8 * kUnit;
constexpr int kBarEdge = 12, kAreaEdge = 16, kAreaPatternSpacing = 144;

constexpr EmLength kInsideMargin{1, 3}, kInsideStep{1, 2};
constexpr std::size_t kMostLinesInside = 3;
constexpr int kShapesInside[] = {70, 45, 30, 22};  // text widths to try, in percent of the panel's width
constexpr int kProbes = 12;  // number of x positions along a text at which the free height is measured

// For each x, the sum of the stacked values drawn so far.
using Stacks = std::map<double, double>;

// Divides the width at one x into adjacent slots; the first slot is for the stack if there is one.
struct BarSlots {
    int width = 0;  // width of all slots together
    int count = 0;
    bool stacked = false;

    int slot_width() const { return width / std::max(1, count); }
};

BarSlots slots_of(const Canvas& canvas, const PanelFrame& f, const AxisMapping& x) {
    const Panel& p = *f.panel;
    BarSlots slots;
    std::set<int> places;
    for (const Series& s : p.series) {
        if (!is_bars(s.type)) continue;
        slots.count += s.type == ChartType::bars;
        slots.stacked = slots.stacked || s.type == ChartType::stacked_bars;
        for (const DataPoint& point : s.points)
            if (is_plottable(p.x, point.x)) places.insert(x(point.x));
    }
    slots.count += slots.stacked;
    int gap = p.x.categories.empty() ? f.area.width() / 3
                                     : f.area.width() / static_cast<int>(p.x.categories.size());
    for (auto at = places.begin(); at != places.end() && std::next(at) != places.end(); ++at)
        gap = std::min(gap, *std::next(at) - *at);
    slots.width =
        std::min(gap, canvas.length(kMostBarWidth)) * (gap > kMostGapToFill ? kShareOfGap : 100) / 100;
    return slots;
}

void draw_bars(Canvas& canvas, const PanelFrame& f, std::size_t series_index, const BarSlots& slots, int slot,
               Stacks& stacks) {
    const Panel& p = *f.panel;
    const Series& series = p.series[series_index];
    const AxisMapping x = f.x_mapping(), y = f.y_mapping();
    const int base = f.y_of_zero(y);
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const DataPoint& point = series.points[i];
        if (!is_plottable(p.x, point.x) || !std::isfinite(point.y)) continue;
        int from = base, to = is_plottable(p.y, point.y) ? y(point.y) : base;
        if (series.type == ChartType::stacked_bars) {
            double& sum = stacks[point.x];
            from = y(sum);
            to = y(sum += point.y);
        }
        from = std::clamp(from, f.area.top, f.area.bottom);
        to = std::clamp(to, f.area.top, f.area.bottom);
        const int slot_width = slots.slot_width(), left = x(point.x) - slots.width / 2 + slot * slot_width;
        const Box box{left, std::min(from, to), left + std::max(kUnit, slot_width), std::max(from, to)};
        canvas.add_plotted_point({{(box.left + box.right) / 2, to}, f.index, series_index, i});
        if (box.height() == 0) continue;
        Line edge = corners_of(box);
        fill_in_style(canvas, edge, (*f.styles)[series_index]);
        if (slot_width > kLeastBarWithEdge) {
            edge.push_back(edge[0]);
            canvas.stroke({std::move(edge)}, kBarEdge, canvas.colours().background);
        }
        canvas.occupied().add_data(Line{{box.left, box.top}, {box.right, box.top}},
                                   canvas.length(kLineReach));
    }
}

// The two lines that enclose an area, from left to right.
struct AreaLines {
    const Series* series = nullptr;
    Line upper, lower;
};

AreaLines draw_area(Canvas& canvas, const PanelFrame& f, std::size_t series_index, Stacks& stacks) {
    const Panel& p = *f.panel;
    const Series& series = p.series[series_index];
    const AxisMapping x = f.x_mapping(), y = f.y_mapping();
    const auto place = [&](double at, double sum) -> Point {
        return {x(at), std::clamp(y(sum), f.area.top, f.area.bottom)};
    };
    AreaLines lines{&series, {}, {}};
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const DataPoint& point = series.points[i];
        if (!is_plottable(p.x, point.x) || !std::isfinite(point.y)) continue;
        double& sum = stacks[point.x];
        lines.lower.push_back(place(point.x, sum));
        sum += point.y;
        lines.upper.push_back(place(point.x, sum));
        canvas.add_plotted_point({lines.upper.back(), f.index, series_index, i});
    }
    if (lines.upper.size() < 2) return {};
    Line polygon = lines.upper;
    polygon.insert(polygon.end(), lines.lower.rbegin(), lines.lower.rend());
    fill_in_style(canvas, polygon, (*f.styles)[series_index], kAreaPatternSpacing);
    canvas.stroke({lines.upper}, kAreaEdge, canvas.colours().background);
    return lines;
}

// The position between two lines that leaves the most vertical space around a text of a specific size.
struct WidestGap {
    Box box;
    int room = -1;  // vertical space left over; -1: the text does not fit
};

WidestGap find_widest_gap(const Canvas& canvas, const PanelFrame& f, const AreaLines& area, int width,
                          int height) {
    const int margin = canvas.length(kInsideMargin), step = canvas.length(kInsideStep);
    const int whole = width + 2 * margin;
    WidestGap best;
    for (int left = f.area.left + step; left + whole < f.area.right; left += step) {
        int top = f.area.top, bottom = f.area.bottom;
        for (int k = 0; k <= kProbes; ++k) {
            const int x = left + whole * k / kProbes;
            if (x < area.upper.front().x || x > area.upper.back().x) top = f.area.bottom;
            top = std::max(top, y_of_line_at(area.upper, x));
            bottom = std::min(bottom, y_of_line_at(area.lower, x));
        }
        const int room = bottom - top - height - margin;
        if (room <= best.room) continue;
        const int at = (top + bottom - height) / 2;
        const Box box{left, at, left + whole, at + height};
        if (canvas.occupied().is_free(box)) best = {box, room};
    }
    return best;
}

// Writes the series' text into its area, in the widest shape that fits and at the position with the most
// vertical space.
void write_text_in_area(Canvas& canvas, const PanelFrame& f, const AreaLines& area) {
    const std::string& text = area.series->inside;
    if (text.empty()) return;
    const Font font = canvas.text_font();
    for (const int percent : kShapesInside) {
        const std::vector<std::string> lines =
            wrapped(text, font, f.area.width() * percent / 100, kMostLinesInside);
        const WidestGap best = find_widest_gap(canvas, f, area, text_width(lines, font),
                                               line_height(font) * static_cast<int>(lines.size()));
        if (best.room < 0) continue;
        return canvas.write_in_filled_box(lines, best.box, {canvas.length(kInsideMargin), 0});
    }
}

}  // namespace

void draw_bars_and_areas(Canvas& canvas, const PanelFrame& f) {
    const std::vector<Series>& series = f.panel->series;
    const BarSlots slots = slots_of(canvas, f, f.x_mapping());
    Stacks stacks;
    std::vector<AreaLines> areas;
    int next_slot = slots.stacked ? 1 : 0;
    for (std::size_t s = 0; s < series.size(); ++s) {
        if (series[s].type == ChartType::stacked_area) {
            AreaLines lines = draw_area(canvas, f, s, stacks);
            if (lines.series != nullptr) areas.push_back(std::move(lines));
        } else if (is_bars(series[s].type)) {
            const int slot = series[s].type == ChartType::stacked_bars ? 0 : next_slot++;
            draw_bars(canvas, f, s, slots, slot, stacks);
        }
    }
    for (const AreaLines& area : areas) write_text_in_area(canvas, f, area);
}

}  // namespace sim::plot
