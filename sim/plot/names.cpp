#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "sim/plot/parts.h"

namespace sim::plot {
namespace {

// Names are written at the ends of lines only if the figure is at least kLeastFigureWithNames wide and has at
// least kLeastLinesWithNames lines.
constexpr EmLength kLeastFigureWithNames{36};
// kMostShareOfNames: maximum width of the names, in percent of the figure's width.
constexpr int kLeastLinesWithNames = 2, kMostShareOfNames = 28;

constexpr EmLength kBeforeName{1, 2}, kLeaderFromEnd{1, 2}, kLeaderToName{1, 6};
constexpr int kLeaderWidth = 14;

// Distances from a point to the baseline of its label.
constexpr EmLength kLabelAbove{45, 100}, kLabelBelow{11, 10};

bool is_named_line(const Series& s) {
    return !s.name.empty() && (s.type == ChartType::line || s.type == ChartType::line_with_marks) &&
           !s.points.empty();
}

struct LineName {
    Point end;   // end of the line
    int middle;  // y of the middle of the name
    std::size_t series;
};

// The names in the order of the line ends, from top to bottom.
std::vector<LineName> line_names(const PanelFrame& f) {
    const Panel& p = *f.panel;
    const AxisMapping x = f.x_mapping(), y = f.y_mapping();
    std::vector<LineName> names;
    for (std::size_t s = 0; s < p.series.size(); ++s) {
        if (!is_named_line(p.series[s])) continue;
        Point end{f.area.right, f.area.top};
        for (const DataPoint& point : p.series[s].points)
            if (is_plottable(p.x, point.x) && is_plottable(p.y, point.y))
                end = nearest_point_in(f.area, {x(point.x), y(point.y)});
        names.push_back({end, end.y, s});
    }
    std::stable_sort(names.begin(), names.end(),
                     [](const LineName& a, const LineName& b) { return a.middle < b.middle; });
    return names;
}

// Separates overlapping names. Moves names down, from top to bottom, then moves the names below the area up
// again, from bottom to top. `line`: height of a line of text.
void spread(std::vector<LineName>& names, const Box& area, int line) {
    int bottom = area.top - line / 2;
    for (LineName& name : names) bottom = name.middle = std::max(name.middle, bottom + line);
    int top = area.bottom + line / 2;
    for (auto name = names.rbegin(); name != names.rend(); ++name)
        top = name->middle = std::min(name->middle, top - line);
}

// Whether all lines end at the same x, at the end of the axis. Only then are names written at the ends: a
// leader line from the end of a shorter line to its name could cross other lines.
bool lines_end_together(const Panel& p) {
    double last = p.x.to.value_or(-std::numeric_limits<double>::infinity());
    std::vector<double> ends;
    for (const Series& s : p.series) {
        if (!is_named_line(s)) continue;
        ends.push_back(-std::numeric_limits<double>::infinity());
        for (const DataPoint& point : s.points)
            if (is_plottable(p.x, point.x) && is_plottable(p.y, point.y))
                ends.back() = std::max(ends.back(), point.x);
        last = std::max(last, ends.back());
    }
    return std::all_of(ends.begin(), ends.end(), [&](double end) { return end == last; });
}

}  // namespace

int width_of_curve_names(const Plot& plot, const Canvas& canvas) {
    if (plot.panels.size() != 1) return 0;
    const Font font = canvas.text_font();
    const Box all = canvas.bounds();
    int lines = 0, widest = 0;
    for (const Series& s : plot.panels[0].series) {
        if (s.name.empty()) continue;
        if (!is_named_line(s)) return 0;
        ++lines;
        widest = std::max(widest, text_width(s.name, font));
    }
    if (lines < kLeastLinesWithNames || all.width() < canvas.length(kLeastFigureWithNames) ||
        all.height() / 2 < lines * line_height(font) || !lines_end_together(plot.panels[0]))
        return 0;
    return std::min(widest, all.width() * kMostShareOfNames / 100);
}

void draw_curve_names(Canvas& canvas, const PanelFrame& f) {
    if (f.curve_names_width == 0) return;
    const Font font = canvas.text_font();
    const int line = line_height(font);
    std::vector<LineName> names = line_names(f);
    spread(names, f.area, line);
    for (const LineName& name : names) {
        const Series& s = f.panel->series[name.series];
        const int left = f.area.right + canvas.length(kBeforeName);
        if (std::abs(name.middle - name.end.y) > line / 3)
            canvas.stroke({{{name.end.x + canvas.length(kLeaderFromEnd), name.end.y},
                            {left - canvas.length(kLeaderToName), name.middle}}},
                          kLeaderWidth, canvas.colours().dim);
        const Colour hue = canvas.colours().hues[(*f.styles)[name.series]];
        canvas.write(shortened(s.name, {font.size, s.emphasis}, f.curve_names_width),
                     {left, baseline_around(name.middle, font)}, Anchor::start, font,
                     readable_colour(canvas.colours(), hue));
    }
}

void label_points(Canvas& canvas, const PanelFrame& f) {
    const Panel& p = *f.panel;
    const AxisMapping x = f.x_mapping(), y = f.y_mapping();
    for (const Series& series : p.series) {
        const bool bars = is_bars(series.type);
        for (const DataPoint& point : series.points) {
            if (point.label.empty() || !is_plottable(p.x, point.x) || !is_plottable(p.y, point.y)) continue;
            const Point at{x(point.x), y(point.y)};
            // Places the label of a bar beyond the bar's end or, if the label does not fit there, on the
            // other side of the zero line. Places the label of a point above the point or, if the label does
            // not fit there, below.
            const bool downwards = bars && point.y < 0;
            const int base = bars && f.has_zero() ? y(0) - at.y : 0;
            const int above = -canvas.length(kLabelAbove), below = canvas.length(kLabelBelow);
            for (const int dy : {downwards ? below : above, base + (downwards ? above : below)}) {
                const Text label = Canvas::text(point.label, {at.x, at.y + dy}, Anchor::middle,
                                                canvas.small_font(), canvas.colours().text);
                if (label.box().bottom > f.area.bottom) continue;
                const bool on_data = bars || series.type == ChartType::labels;
                if ((on_data || !canvas.occupied().has_data(label.box())) && canvas.write(label)) break;
            }
        }
    }
}

}  // namespace sim::plot
