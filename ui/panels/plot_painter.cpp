#include "ui/panels/plot_painter.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/plot/layout.h"
#include "sim/plot/palette.h"
#include "ui/platform/shapes.h"

namespace ui {
namespace {

using sim::plot::Colour;
using sim::plot::Drawing;
using sim::plot::FilledPolygon;
using sim::plot::kUnit;
using sim::plot::Point;
using sim::plot::Strokes;
using sim::plot::Text;

Colour colour_of(ImU32 c) {
    return {static_cast<std::uint8_t>(c >> IM_COL32_R_SHIFT),
            static_cast<std::uint8_t>(c >> IM_COL32_G_SHIFT),
            static_cast<std::uint8_t>(c >> IM_COL32_B_SHIFT)};
}

ImU32 packed_colour(Colour c) { return IM_COL32(c.red, c.green, c.blue, 255); }

int plot_units(float pixels) { return static_cast<int>(std::lround(pixels * kUnit)); }

struct FigurePainter {
    ImDrawList& list;
    const Fonts& fonts;
    ImVec2 at;

    ImVec2 screen_point(Point s) const {
        return {at.x + static_cast<float>(s.x) / kUnit, at.y + static_cast<float>(s.y) / kUnit};
    }

    void operator()(const Strokes& s) const {
        std::vector<ImVec2> points;
        for (const auto& whole : s.lines) {
            for (const auto& line : sim::plot::cut_into_dashes(whole, s.dash)) {
                points.clear();
                for (const Point& point : line) points.push_back(screen_point(point));
                polyline(list, points, packed_colour(s.colour), static_cast<float>(s.width) / kUnit);
            }
        }
    }

    // ImGui fills only convex polygons, so the area is cut into vertical slices at the x coordinates of its
    // corners.
    void operator()(const FilledPolygon& a) const {
        const std::vector<Point>& p = a.corners;
        std::vector<int> xs;
        for (const Point& s : p) xs.push_back(s.x);
        std::sort(xs.begin(), xs.end());
        xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
        struct CutEdge {
            std::int64_t middle;  // twice the y coordinate in the middle of the slice
            int left, right;      // y coordinates at the edges of the slice
        };
        std::vector<CutEdge> cuts;
        for (std::size_t i = 0; i + 1 < xs.size(); ++i) {
            cuts.clear();
            for (std::size_t k = 0; k < p.size(); ++k) {
                Point from = p[k], to = p[(k + 1) % p.size()];
                if (from.x > to.x) std::swap(from, to);
                if (from.x > xs[i] || to.x < xs[i + 1] || from.x == to.x) continue;
                const auto y = [&](int x) {
                    return static_cast<int>(from.y +
                                            std::int64_t{to.y - from.y} * (x - from.x) / (to.x - from.x));
                };
                cuts.push_back({std::int64_t{y(xs[i])} + y(xs[i + 1]), y(xs[i]), y(xs[i + 1])});
            }
            std::sort(cuts.begin(), cuts.end(),
                      [](const CutEdge& c, const CutEdge& d) { return c.middle < d.middle; });
            for (std::size_t k = 0; k + 1 < cuts.size(); k += 2)
                polygon(
                    list,
                    {screen_point({xs[i], cuts[k].left}), screen_point({xs[i + 1], cuts[k].right}),
                     screen_point({xs[i + 1], cuts[k + 1].right}), screen_point({xs[i], cuts[k + 1].left})},
                    packed_colour(a.fill));
        }
    }

    void operator()(const Text& t) const {
        ImFont* font = t.bold && t.size > plot_units(pixel_size(*fonts.sans)) ? fonts.title : fonts.sans;
        const float size = pixel_size(*font);
        const char *begin = t.text.data(), *end = begin + t.text.size();
        // Measures the text again. Text in the window is at whole pixels, so its width differs from the
        // width for which the figure was laid out.
        const float width = font->CalcTextSizeA(size, 1e9f, 0, begin, end).x;
        const ImVec2 base = screen_point(t.at);
        const float left = t.anchor == sim::plot::Anchor::start    ? base.x
                           : t.anchor == sim::plot::Anchor::middle ? base.x - width / 2
                                                                   : base.x - width;
        list.AddText(font, size, {std::round(left), std::round(base.y - ascent_of(*font))},
                     packed_colour(t.colour), begin, end);
    }
};

}  // namespace

Drawing lay_out_figure(const sim::plot::Plot& plot, ImVec2 size, const Theme& theme, const Fonts& fonts) {
    sim::plot::Palette colours =
        sim::plot::palette(theme.dark ? sim::plot::Theme::dark : sim::plot::Theme::light);
    colours.background = colour_of(theme.background);
    colours.text = colour_of(theme.text);
    colours.dim = colour_of(theme.text_dim);
    colours.grid = colour_of(theme.grid);
    colours.accent = colour_of(theme.error);
    const int text = plot_units(pixel_size(*fonts.sans));
    const sim::plot::LayoutOptions options{.colours = &colours,
                                           .title_size = plot_units(pixel_size(*fonts.title)),
                                           .text_size = text,
                                           .small_size = text};
    return sim::plot::layout(plot, std::clamp(static_cast<int>(size.x), 1, 99'999),
                             std::clamp(static_cast<int>(size.y), 1, 99'999), options);
}

void draw_figure(ImDrawList& list, const Drawing& drawing, ImVec2 at, const Fonts& fonts) {
    const FigurePainter painter{list, fonts, at};
    const ImVec2 end = painter.screen_point({drawing.width, drawing.height});
    list.PushClipRect(at, end, true);
    fill_rect(list, at, end, packed_colour(drawing.background));
    for (const sim::plot::Shape& shape : drawing.shapes) std::visit(painter, shape);
    list.PopClipRect();
}

const sim::plot::PlottedPoint* nearest_point(const Drawing& drawing, ImVec2 at, ImVec2 mouse,
                                             float max_distance) {
    // Limit for the coordinates and the distance, in pixels, so that their values in units of the drawing
    // (1/16 pixel) fit in an int.
    const float most = 99'999;
    const auto clamped = [&](float n) { return plot_units(std::clamp(n, -most, most)); };
    return sim::plot::nearest_plotted_point(drawing, {clamped(mouse.x - at.x), clamped(mouse.y - at.y)},
                                            clamped(max_distance));
}

}  // namespace ui
