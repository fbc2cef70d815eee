#include "sim/plot/marks.h"

#include <algorithm>
#include <utility>

namespace sim::plot {
namespace {

constexpr int kThinCurve = 36, kThickCurve = 56, kMarkOutline = 32, kMarkEdge = 16, kKindLine = 24;

// Sizes in hundredths of the size of mark_outline(). A hollow mark is drawn larger, so that it looks as large
// as a filled one.
constexpr int kMarkSize = 82, kHollowMarkSize = 84;

// Shares of the hue, in hundredths, in the colour of pale spans and in the colour behind hatching. The
// remainder is the background colour.
constexpr int kPale = 24, kBehindHatching = 25;
constexpr std::size_t kHatching = 1;
constexpr int kHatchingSpacing = 80;

// Shares of black or white in the colour of pattern lines, in hundredths; the remainder is the hue.
constexpr int kDarkInk = 42, kBrightInk = 55;

constexpr int kBright = 180;  // colours with a higher luminance, 0 to 1000, are bright

// WCAG's minimum contrast for text, 4.5 : 1, and the ambient light that WCAG adds to both luminances.
constexpr int kContrastTimesTen = 45, kAmbientLight = 50;

Colour ink_on(Colour colour) {
    return is_bright(colour) ? mix(Colour{0, 0, 0}, colour, kDarkInk)
                             : mix(Colour{255, 255, 255}, colour, kBrightInk);
}

}  // namespace

SeriesStyles styles_of_series(const Plot& plot) {
    SeriesStyles all;
    std::size_t next = 0;
    for (const Panel& panel : plot.panels) {
        std::vector<std::size_t>& styles = all.emplace_back();
        for (const Series& s : panel.series) {
            if (s.cost) {
                styles.push_back(style_of(*s.cost));
                continue;
            }
            if (!s.style) {
                styles.push_back(next++ % kStyles);
                continue;
            }
            styles.push_back(*s.style % kStyles);
            next = std::max(next, *s.style + 1);
        }
    }
    return all;
}

int curve_width(const Series& series) { return series.emphasis ? kThickCurve : kThinCurve; }

void draw_mark(Canvas& canvas, Point at, std::size_t style, bool hollow) {
    const Palette& colours = canvas.colours();
    const int size = hollow ? kHollowMarkSize : kMarkSize;
    // Rounds to even units, so that a mark is symmetrical.
    const auto length = [&](int units) { return units * canvas.em() / kEmOfWidths * size / 100 / 2 * 2; };
    Line corners;
    for (const Point& p : mark_outline(style)) corners.push_back({at.x + length(p.x), at.y + length(p.y)});
    canvas.fill(corners, hollow ? colours.background : colours.hues[style]);
    canvas.stroke({closed_outline(std::move(corners))}, hollow ? kMarkOutline : kMarkEdge,
                  hollow ? colours.hues[style] : colours.background);
}

void fill_in_style(Canvas& canvas, const Line& polygon, std::size_t style, int spacing) {
    const Colour hue = canvas.colours().hues[style];
    canvas.fill(polygon, hue, style, ink_on(hue), spacing);
}

void draw_span_sample(Canvas& canvas, const SpanKind& kind, const Box& box) {
    const Palette& colours = canvas.colours();
    const Colour hue = kind.style == kNeutral ? colours.text : colours.hues[kind.style % kStyles];
    const Line polygon = corners_of(box);
    switch (kind.fill) {
        case SpanKind::Fill::full:
            return canvas.fill(polygon, hue, kind.style % kStyles, ink_on(hue));
        case SpanKind::Fill::plain:
            return canvas.fill(polygon, hue);
        case SpanKind::Fill::pale:
            return canvas.fill(polygon, mix(hue, colours.background, kPale));
        case SpanKind::Fill::hatched:
            return canvas.fill(polygon, mix(hue, colours.background, kBehindHatching), kHatching, hue,
                               kHatchingSpacing);
        case SpanKind::Fill::line: {
            const int middle = (box.top + box.bottom) / 2;
            return canvas.stroke({{{box.left, middle}, {box.right, middle}}}, kKindLine, hue);
        }
    }
}

bool is_bright(Colour colour) { return luminance(colour) > kBright; }

Colour readable_colour(const Palette& colours, Colour colour) {
    const int ground = luminance(colours.background);
    const bool dark = ground < kBright;
    for (int share = 100; share > 0; share -= 10) {
        const Colour mixed = mix(colour, colours.text, share);
        const int a = luminance(mixed) + kAmbientLight, b = ground + kAmbientLight;
        if ((dark ? a * 10 / b : b * 10 / a) >= kContrastTimesTen) return mixed;
    }
    return colours.text;
}

}  // namespace sim::plot
