#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "sim/plot/parts.h"

namespace sim::plot {
namespace {

constexpr int kResidualWidth = 80, kWhiskerWidth = 22, kHalfAWhisker = 64;
constexpr std::size_t kMostMarksOnALine = 40;

bool has_marks(const Series& series) {
    return series.type == ChartType::points || series.type == ChartType::line_with_marks;
}

void append(std::vector<Line>& to, std::vector<Line> lines) {
    to.insert(to.end(), std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()));
}

void draw_residuals(Canvas& canvas, const PanelFrame& f) {
    const Panel& p = *f.panel;
    const AxisMapping x = f.x_mapping(), y = f.y_mapping();
    std::vector<Line> lines;
    for (const Residual& r : p.residuals)
        if (is_plottable(p.x, r.x) && is_plottable(p.y, r.from) && is_plottable(p.y, r.to))
            append(lines, clipped({{x(r.x), y(r.from)}, {x(r.x), y(r.to)}}, f.area));
    canvas.stroke(std::move(lines), kResidualWidth, canvas.colours().accent);
}

// A series in coordinates of the picture.
struct Curve {
    Line line, marks;  // marks: positions of the points that are inside the area
    std::vector<Line> whiskers;
};

void add_whisker(const Canvas& canvas, const PanelFrame& f, int x, int low, int high, Curve& curve) {
    const int half = canvas.scaled_to_em(kHalfAWhisker);
    for (const Line& piece : {Line{{x, low}, {x, high}}, Line{{x - half, low}, {x + half, low}},
                              Line{{x - half, high}, {x + half, high}}})
        append(curve.whiskers, clipped(piece, f.area));
}

Curve curve_of(Canvas& canvas, const PanelFrame& f, std::size_t series_index) {
    const Panel& p = *f.panel;
    const Series& series = p.series[series_index];
    const AxisMapping x = f.x_mapping(), y = f.y_mapping();
    Curve curve;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const DataPoint& point = series.points[i];
        if (!is_plottable(p.x, point.x) || !is_plottable(p.y, point.y)) continue;
        const Point at{x(point.x), y(point.y)};
        if (series.type == ChartType::steps && !curve.line.empty())
            curve.line.push_back({at.x, curve.line.back().y});
        curve.line.push_back(at);
        if (f.area.contains(at)) {
            curve.marks.push_back(at);
            canvas.add_plotted_point({at, f.index, series_index, i});
            canvas.occupied().add_data(at, canvas.length(has_marks(series) ? kMarkReach : kLineReach));
        }
        if (point.interval && is_plottable(p.y, point.interval->low) &&
            is_plottable(p.y, point.interval->high))
            add_whisker(canvas, f, at.x, y(point.interval->low), y(point.interval->high), curve);
    }
    return curve;
}

void draw_curve(Canvas& canvas, const PanelFrame& f, std::size_t series_index) {
    const Series& series = f.panel->series[series_index];
    const std::size_t style = (*f.styles)[series_index];
    const Colour hue = canvas.colours().hues[style];
    const bool points = series.type == ChartType::points;
    Curve curve = curve_of(canvas, f, series_index);
    const int reach = canvas.length(kLineReach);
    for (const Line& piece : curve.whiskers) canvas.occupied().add_data(piece, reach);
    canvas.stroke(std::move(curve.whiskers), kWhiskerWidth, hue);
    if (!points) {
        for (const Line& piece : clipped(curve.line, f.area)) canvas.occupied().add_data(piece, reach);
        canvas.stroke(clipped(curve.line, f.area), curve_width(series), hue, dash_of(style));
    }
    if (!has_marks(series)) return;
    const std::size_t every = points ? 1 : std::max<std::size_t>(1, curve.marks.size() / kMostMarksOnALine);
    for (std::size_t i = 0; i < curve.marks.size(); i += every)
        draw_mark(canvas, curve.marks[i], style, series.hollow);
}

}  // namespace

void draw_curves(Canvas& canvas, const PanelFrame& f) {
    draw_residuals(canvas, f);
    for (std::size_t s = 0; s < f.panel->series.size(); ++s) {
        const ChartType type = f.panel->series[s].type;
        if (is_bars(type) || type == ChartType::stacked_area || type == ChartType::labels) continue;
        draw_curve(canvas, f, s);
    }
}

}  // namespace sim::plot
