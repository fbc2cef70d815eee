#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/plot/parts.h"

namespace sim::plot {
namespace {

constexpr EmLength kBelowAxis{1, 3}, kTickLength{1, 4}, kBesideAxis{1, 2}, kBetweenNumbers{1, 2},
    kAboveAxisLabel{1, 5}, kBeforeDetail{1, 2};
// Lengths for category names: the distance between two names, and the minimum width of a name.
constexpr EmLength kBetweenNames{1, 3}, kLeastName{5, 4};

// Draws all category names, or only every n-th if there is not enough space.
void draw_category_names(Canvas& canvas, const PanelFrame& f, const AxisMapping& x, int top) {
    const std::vector<std::string>& names = f.panel->x.categories;
    const int count = static_cast<int>(names.size()), slot = f.area.width() / count;
    const int least = canvas.length(kLeastName);
    const int every = std::max(1, (least + slot - 1) / std::max(1, slot));
    for (int i = 0; i < count; i += every)
        canvas.write_below(wrapped(names[static_cast<std::size_t>(i)], canvas.small_font(),
                                   slot * every - canvas.length(kBetweenNames), f.category_lines),
                           {x(i), top}, Anchor::middle, canvas.small_font(), canvas.colours().text);
}

// Draws the numbers, but omits a number that is too close to the previous number. Panels with lanes get
// grid lines, other panels get ticks.
void draw_tick_numbers(Canvas& canvas, const PanelFrame& f, const AxisMapping& x, int top) {
    const Box& a = f.area;
    const Font font = canvas.text_font();
    std::vector<Line> grid, ticks;
    bool first = true;
    int last = 0;
    for (const double value : f.x_ticks.values) {
        const int at = x(value);
        grid.push_back({{at, a.top}, {at, a.bottom}});
        ticks.push_back({{at, a.bottom}, {at, a.bottom + canvas.length(kTickLength)}});
        const Text number = Canvas::text(number_text(value, f.x_ticks.step), {at, baseline_below(top, font)},
                                         Anchor::middle, font, canvas.colours().text);
        if (!first && number.box().left < last + canvas.length(kBetweenNumbers)) continue;
        if (!canvas.write(number)) continue;
        first = false;
        last = number.box().right;
    }
    if (f.panel->lanes.empty()) return canvas.stroke(std::move(ticks), kAxisLine, canvas.colours().dim);
    canvas.stroke(std::move(grid), kGridLine, canvas.colours().grid);
    if (f.x.low < 0 && f.x.high > 0)
        canvas.stroke({{{x(0), a.top}, {x(0), a.bottom}}}, kZeroLine, canvas.colours().dim);
}

}  // namespace

void draw_x_axis(Canvas& canvas, const PanelFrame& f) {
    const Axis& axis = f.panel->x;
    const AxisMapping x = f.x_mapping();
    const int top = f.area.bottom + canvas.length(kBelowAxis);
    if (axis.categories.empty())
        draw_tick_numbers(canvas, f, x, top);
    else
        draw_category_names(canvas, f, x, top);
    if (axis.label.empty()) return;
    const Font font = canvas.text_font();
    const int below = top + line_height(canvas.small_font()) * static_cast<int>(f.category_lines) +
                      canvas.length(kAboveAxisLabel);
    Point end{f.cell.right, baseline_below(below, font)};
    const std::string label = shortened(axis.label, font, f.cell.width());
    const int detail = text_width(axis.detail, canvas.small_font()) + canvas.length(kBeforeDetail);
    if (!axis.detail.empty() && text_width(label, font) + detail <= f.cell.width()) {
        canvas.write(axis.detail, end, Anchor::end, canvas.small_font(), canvas.colours().dim);
        end.x -= detail;
    }
    canvas.write(label, end, Anchor::end, font,
                 axis.detail.empty() ? canvas.colours().dim : canvas.colours().text);
}

void draw_y_axis(Canvas& canvas, const PanelFrame& f) {
    const AxisMapping y = f.y_mapping();
    const Font font = canvas.text_font();
    std::vector<Line> grid;
    for (const double value : f.y_ticks.values) {
        const int at = y(value);
        if (at > f.area.bottom + kUnit || at < f.area.top - kUnit) continue;
        if (at < f.area.bottom - kUnit) grid.push_back({{f.area.left, at}, {f.area.right, at}});
        canvas.write(number_text(value, f.y_ticks.step),
                     {f.area.left - canvas.length(kBesideAxis), baseline_around(at, font)}, Anchor::end, font,
                     canvas.colours().text);
    }
    canvas.stroke(std::move(grid), kGridLine, canvas.colours().grid);
    if (f.y.low < 0 && f.y.high > 0)
        canvas.stroke({{{f.area.left, y(0)}, {f.area.right, y(0)}}}, kAxisLine, canvas.colours().dim);
}

}  // namespace sim::plot
