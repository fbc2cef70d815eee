// Tests of the parts of the figure painters: pixels, dashes, boxes, bars, spans, point symbols and colours.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sim/plot/collision_map.h"
#include "sim/plot/geometry.h"
#include "sim/plot/layout.h"
#include "sim/plot/marks.h"
#include "sim/plot/palette.h"
#include "sim/plot/raster.h"
#include "sim/plot/ticks.h"

namespace painting_test {

using namespace sim::plot;

constexpr Colour kBlack{0, 0, 0}, kWhite{255, 255, 255}, kRed{255, 0, 0};

int at(const Raster& raster, int x, int y, std::size_t channel = 0) {
    const Image& image = raster.image();
    return image.rgb[static_cast<std::size_t>(y * image.width + x) * 3 + channel];
}

Line box(double left, double top, double right, double bottom) {
    const auto unit = [](double n) { return static_cast<int>(std::lround(n * kUnit)); };
    return corners_of({unit(left), unit(top), unit(right), unit(bottom)});
}

// --- pixels ---

TEST(Raster, PixelValueIsCoveredShare) {
    Raster raster(8, 8, kBlack);
    raster.fill(box(1.5, 1.25, 4, 3), kWhite);
    EXPECT_EQ(at(raster, 2, 2), 255);
    EXPECT_EQ(at(raster, 1, 2), 128);
    EXPECT_EQ(at(raster, 2, 1), 191);
    EXPECT_EQ(at(raster, 1, 1), 96);
    for (const auto& [x, y] : {std::pair{0, 2}, {4, 2}, {2, 0}, {2, 3}}) EXPECT_EQ(at(raster, x, y), 0);
    // Each channel is blended with the existing value.
    Raster coloured(2, 1, {10, 100, 200});
    coloured.fill(box(0, 0, 0.5, 1), {110, 0, 200});
    EXPECT_EQ(at(coloured, 0, 0, 0), 60);
    EXPECT_EQ(at(coloured, 0, 0, 1), 50);
    EXPECT_EQ(at(coloured, 0, 0, 2), 200);
}

TEST(Raster, FillsSlantedAndConcavePolygons) {
    Raster raster(8, 8, kBlack);
    raster.fill({{0, 0}, {128, 0}, {0, 128}}, kWhite);
    for (int i = 0; i < 8; ++i) {
        EXPECT_NEAR(at(raster, i, 7 - i), 128, 1);
        EXPECT_EQ(at(raster, i, std::max(0, 6 - i)), i < 7 ? 255 : 128);
    }
    // The area between the two arms of a U-shaped polygon is not painted.
    Raster arms(9, 4, kBlack);
    arms.fill({{0, 0}, {32, 0}, {32, 32}, {96, 32}, {96, 0}, {128, 0}, {128, 64}, {0, 64}}, kWhite);
    for (int x = 0; x < 9; ++x) {
        EXPECT_EQ(at(arms, x, 0), x < 2 || x == 6 || x == 7 ? 255 : 0) << x;
        EXPECT_EQ(at(arms, x, 3), x < 8 ? 255 : 0) << x;
    }
}

// Overlapping parts of one polygon, or of a line and its joins, are painted only once.
TEST(Raster, OverlapWithinShapeIsPaintedOnce) {
    Raster once(20, 20, kWhite), twice(20, 20, kWhite);
    once.fill(box(2.3, 2.3, 15.6, 15.6), kRed);
    Line around = box(2.3, 2.3, 15.6, 15.6);
    around.insert(around.end(), around.begin(), around.begin() + 4);
    twice.fill(around, kRed);
    EXPECT_EQ(once.image().rgb, twice.image().rgb);
    Raster line(40, 40, kWhite);
    line.stroke({.lines = {{{160, 160}, {480, 160}, {480, 480}, {168, 168}, {480, 160}}},
                 .width = 96,
                 .colour = kBlack});
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 40; ++x) EXPECT_TRUE(at(line, x, y) == at(line, x, y, 2)) << x << " " << y;
    EXPECT_EQ(at(line, 20, 10), 0);
    EXPECT_EQ(at(line, 30, 10), 0);
    EXPECT_EQ(at(line, 2, 2), 255);
}

TEST(Raster, PolygonOrientationDoesNotMatter) {
    Line there = box(1, 1, 6, 6), back(there.rbegin(), there.rend());
    Raster a(8, 8, kBlack), b(8, 8, kBlack);
    a.fill(there, kWhite);
    b.fill(back, kWhite);
    EXPECT_EQ(a.image().rgb, b.image().rgb);
    EXPECT_EQ(at(a, 3, 3), 255);
}

TEST(Raster, ClipsShapesAtEdges) {
    Raster raster(6, 4, kBlack);
    raster.fill(box(-1000, -1000, 2, 1000), kWhite);
    raster.fill(box(4, -5, 5000, 2), kWhite);
    raster.fill(box(-50, -50, -1, -1), kRed);
    raster.fill(box(20, 20, 30, 30), kRed);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 6; ++x)
            EXPECT_EQ(at(raster, x, y), x < 2 || (x > 3 && y < 2) ? 255 : 0) << x << " " << y;
}

TEST(Raster, StrokeHasExactWidthAndRoundJoins) {
    Raster level(10, 10, kBlack), corner(40, 40, kBlack), point(4, 4, kBlack);
    level.stroke({.lines = {{{32, 80}, {128, 80}}}, .width = 32, .colour = kWhite});
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 10; ++x)
            EXPECT_EQ(at(level, x, y), 2 <= x && x < 8 && (y == 4 || y == 5) ? 255 : 0);
    corner.stroke({.lines = {{{80, 320}, {320, 320}, {320, 80}}}, .width = 160, .colour = kWhite});
    EXPECT_EQ(at(corner, 21, 21), 255) << "the outer side of the corner";
    EXPECT_EQ(at(corner, 24, 24), 0) << "a join is round";
    EXPECT_EQ(at(corner, 3, 20), 0) << "an end is flat";
    point.stroke({.lines = {{{32, 32}, {32, 32}}, {{16, 16}}, {}}, .width = 32, .colour = kWhite});
    EXPECT_EQ(at(point, 2, 2), 0);
    point.stroke({.lines = {{{0, 32}, {0, 32}, {64, 32}}}, .width = 32, .colour = kWhite});
    EXPECT_EQ(at(point, 2, 2), 255) << "a piece without length is no end";
}

TEST(Raster, GlyphIsBlendedByOpacityAndClipped) {
    const std::uint8_t alpha[] = {0, 255, 128, 51};
    Raster raster(4, 4, kBlack);
    raster.blend(alpha, 2, 2, 1, 1, kWhite);
    EXPECT_EQ(at(raster, 1, 1), 0);
    EXPECT_EQ(at(raster, 2, 1), 255);
    EXPECT_NEAR(at(raster, 1, 2), 128, 1);
    EXPECT_NEAR(at(raster, 2, 2), 51, 1);
    Raster cut(2, 2, kBlack);
    cut.blend(alpha, 2, 2, -1, -1, kWhite);
    EXPECT_NEAR(at(cut, 0, 0), 51, 1);
    cut.blend(alpha, 2, 2, 1, 1, kWhite);
    EXPECT_EQ(at(cut, 1, 1), 0);
    EXPECT_EQ(at(cut, 1, 0) + at(cut, 0, 1), 0);
}

// --- dashes ---

using Lines = std::vector<std::vector<Point>>;

TEST(Dashes, AlternateLinesAndGaps) {
    EXPECT_EQ(cut_into_dashes({{0, 0}, {100, 0}}, {}), (Lines{{{0, 0}, {100, 0}}}));
    EXPECT_EQ(cut_into_dashes({{0, 0}}, {8, 8}), (Lines{{{0, 0}}}));
    EXPECT_EQ(cut_into_dashes({{0, 0}, {100, 0}}, {32, 16}),
              (Lines{{{0, 0}, {32, 0}}, {{48, 0}, {80, 0}}, {{96, 0}, {100, 0}}}));
    // If there are several lengths of dashes and gaps, they are used in the specified order.
    EXPECT_EQ(cut_into_dashes({{0, 0}, {0, 60}}, {20, 5, 10, 5}),
              (Lines{{{0, 0}, {0, 20}}, {{0, 25}, {0, 35}}, {{0, 40}, {0, 60}}}));
    // A length of 0 is replaced by 1; otherwise the loop would be endless.
    EXPECT_EQ(cut_into_dashes({{0, 0}, {4, 0}}, {1, 0}), (Lines{{{0, 0}, {1, 0}}, {{2, 0}, {3, 0}}}));
}

TEST(Dashes, ContinueAroundCorners) {
    // A dash around the corner is one polyline.
    EXPECT_EQ(cut_into_dashes({{0, 0}, {30, 0}, {30, 100}}, {40, 10}),
              (Lines{{{0, 0}, {30, 0}, {30, 10}}, {{30, 20}, {30, 60}}, {{30, 70}, {30, 100}}}));
    // If a dash ends on the corner, the gap starts there.
    EXPECT_EQ(cut_into_dashes({{0, 0}, {32, 0}, {32, 64}}, {32, 16}),
              (Lines{{{0, 0}, {32, 0}}, {{32, 16}, {32, 48}}}));
    // If a gap ends on the corner, the dash starts there.
    EXPECT_EQ(cut_into_dashes({{0, 0}, {48, 0}, {48, 40}}, {32, 16}),
              (Lines{{{0, 0}, {32, 0}}, {{48, 0}, {48, 32}}}));
    // A dash ends exactly at the end of the line.
    EXPECT_EQ(cut_into_dashes({{0, 0}, {80, 0}}, {32, 16}), (Lines{{{0, 0}, {32, 0}}, {{48, 0}, {80, 0}}}));
    // A gap continues around the corner.
    EXPECT_EQ(cut_into_dashes({{0, 0}, {40, 0}, {40, 40}}, {32, 16}),
              (Lines{{{0, 0}, {32, 0}}, {{40, 8}, {40, 40}}}));
}

// --- boxes and lines ---

TEST(Geometry, ClipsLinesToBox) {
    const Box area{0, 0, 100, 50};
    Point a{-100, 25}, b{200, 25};
    EXPECT_TRUE(clip(a, b, area));
    EXPECT_EQ(a, (Point{0, 25}));
    EXPECT_EQ(b, (Point{100, 25}));
    a = {-50, -50}, b = {50, 50};
    EXPECT_TRUE(clip(a, b, area));
    EXPECT_EQ(a, (Point{0, 0}));
    EXPECT_EQ(b, (Point{50, 50}));
    for (const auto& [from, to] :
         {std::pair<Point, Point>{{-10, -10}, {110, -1}}, {{101, 0}, {101, 50}}, {{-20, 40}, {10, 70}}}) {
        a = from, b = to;
        EXPECT_FALSE(clip(a, b, area)) << from.x;
    }
    EXPECT_EQ(clipped({{-50, 25}, {50, 25}, {50, 100}, {80, 100}, {80, 10}}, area),
              (Lines{{{0, 25}, {50, 25}, {50, 50}}, {{80, 50}, {80, 10}}}));
    EXPECT_EQ(clipped({{-50, 25}, {50, 25}, {50, 100}, {80, 100}, {80, 10}, {90, 10}, {90, 40}}, area),
              (Lines{{{0, 25}, {50, 25}, {50, 50}}, {{80, 50}, {80, 10}, {90, 10}, {90, 40}}}));
    EXPECT_EQ(nearest_point_in(area, {120, -3}), (Point{100, 0}));
    EXPECT_EQ(closed_outline({{0, 0}, {1, 0}, {1, 1}}), (Line{{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 0}}));
}

TEST(Geometry, InterpolatesHeightAlongLine) {
    const Line line{{0, 0}, {10, 100}, {20, 100}, {30, 0}};
    for (const auto& [x, y] :
         {std::pair{-5, 0}, {0, 0}, {5, 50}, {10, 100}, {15, 100}, {25, 50}, {30, 0}, {99, 0}})
        EXPECT_EQ(y_of_line_at(line, x), y) << x;
}

TEST(CollisionMap, ZeroLengthLineHitsNearbyData) {
    CollisionMap there({0, 0, 1000, 1000}, 10);
    there.add_data(Point{100, 100}, 1);
    EXPECT_TRUE(there.crosses_data({100, 104}, {100, 104}, 0, 10));
    EXPECT_TRUE(there.crosses_data({95, 104}, {105, 104}, 0, 10));
    EXPECT_FALSE(there.crosses_data({100, 150}, {100, 150}, 0, 10));
}

TEST(Geometry, TextBoxFollowsAnchor) {
    Text text{.at = {1000, 500}, .text = "x", .size = 100, .width = 60, .colour = {}};
    EXPECT_EQ(text.box(), (Box{1000, 407, 1060, 524}));
    text.anchor = Anchor::middle;
    EXPECT_EQ(text.box().left, 970);
    text.anchor = Anchor::end;
    EXPECT_EQ(text.box().right, 1000);
}

TEST(Geometry, NearestPicksFirstOfEqualsWithinReach) {
    Drawing drawing;
    drawing.places = {{{0, 0}, 0, 0, 0}, {{10, 0}, 0, 0, 1}, {{20, 0}, 0, 0, 2}};
    EXPECT_EQ(nearest_plotted_point(drawing, {5, 0}, 5)->point, 0u);
    EXPECT_EQ(nearest_plotted_point(drawing, {14, 3}, 5)->point, 1u);
    EXPECT_EQ(nearest_plotted_point(drawing, {25, 0}, 5)->point, 2u);
    EXPECT_EQ(nearest_plotted_point(drawing, {26, 0}, 5), nullptr);
    EXPECT_EQ(square_root(0) + square_root(-4), 0);
    for (const std::int64_t n : {1LL, 2LL, 99LL, 4611686014132420609LL}) {
        const std::int64_t root = square_root(n);
        EXPECT_LE(root * root, n);
        EXPECT_GT((root + 1) * (root + 1), n);
    }
}

// --- axes ---

TEST(AxisTicks, RangeExtendsToNextStep) {
    const auto range = [](double low, double high, int ticks = 5) {
        const AxisRange r = range_of({}, {low, high}, false, ticks, true);
        return std::pair(r.low, r.high);
    };
    EXPECT_EQ(range(0, 10), std::pair(0.0, 10.0));
    EXPECT_EQ(range(0, 10.1), std::pair(0.0, 15.0));
    EXPECT_EQ(range(0, 9), std::pair(0.0, 10.0));
    EXPECT_EQ(range(-10, 10, 4), std::pair(-10.0, 10.0));
    EXPECT_EQ(range(-11, 10, 5), std::pair(-15.0, 10.0));
    EXPECT_EQ(range(8, 10, 2), std::pair(8.0, 10.0));
    EXPECT_EQ(ticks_of({}, {0, 10}, 5).values, (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(ticks_of({}, {1, 9.9}, 5).values, (std::vector<double>{2, 4, 6, 8}));
    EXPECT_EQ(ticks_of({}, {-4, 4}, 4).values, (std::vector<double>{-4, -2, 0, 2, 4}));
    EXPECT_EQ(ticks_of({.label = {}, .ticks = {7, 1, 3}}, {1, 5}, 9).values, (std::vector<double>{1, 3}));
    EXPECT_EQ(ticks_of({.label = {}, .scale = Scale::logarithmic}, {1, 100}, 4).values,
              (std::vector<double>{1, 10, 100}));
}

// --- figures ---

Plot plot_of(std::vector<Series> series) {
    return {.title = "",
            .subtitle = "",
            .source = "",
            .panels = {Panel{.x = {.label = {}}, .y = {.label = {}}, .series = std::move(series)}}};
}

std::vector<DataPoint> line_of(int points) {
    std::vector<DataPoint> all;
    for (int i = 0; i < points; ++i) all.push_back({.x = 1.0 * i, .y = 1.0 * (i % 7)});
    return all;
}

std::vector<FilledPolygon> areas_in(const Drawing& drawing, Colour colour) {
    std::vector<FilledPolygon> found;
    for (const Shape& shape : drawing.shapes)
        if (const FilledPolygon* area = std::get_if<FilledPolygon>(&shape);
            area != nullptr && area->fill == colour)
            found.push_back(*area);
    return found;
}

Box around(const FilledPolygon& area) {
    Box all{area.corners[0].x, area.corners[0].y, area.corners[0].x, area.corners[0].y};
    for (const Point& p : area.corners)
        all = {std::min(all.left, p.x), std::min(all.top, p.y), std::max(all.right, p.x),
               std::max(all.bottom, p.y)};
    return all;
}

TEST(Curves, LongLineShowsFewerPointSymbols) {
    const Colour hue = palette(Theme::light).hues[0];
    const auto marks = [&](ChartType type, int points) {
        return areas_in(layout(plot_of({{.name = "", .type = type, .points = line_of(points)}}), 960, 600),
                        hue)
            .size();
    };
    EXPECT_EQ(marks(ChartType::line_with_marks, 30), 30u);
    EXPECT_EQ(marks(ChartType::line_with_marks, 79), 79u);
    EXPECT_EQ(marks(ChartType::line_with_marks, 80), 40u);
    EXPECT_EQ(marks(ChartType::line_with_marks, 1000), 40u);
    EXPECT_EQ(marks(ChartType::points, 1000), 1000u) << "points are all there is";
    EXPECT_EQ(marks(ChartType::line, 30), 0u);
}

TEST(Bars, DoNotOverlapAndStayVisible) {
    const Palette& colours = palette(Theme::light);
    std::vector<DataPoint> two{{.x = 0, .y = 4}, {.x = 1, .y = 2}};
    const Drawing pair = layout(plot_of({{.name = "", .type = ChartType::bars, .points = two},
                                         {.name = "", .type = ChartType::bars, .points = two}}),
                                960, 600);
    const std::vector<FilledPolygon> first = areas_in(pair, colours.hues[0]),
                                     second = areas_in(pair, colours.hues[1]);
    ASSERT_EQ(first.size(), 2u);
    ASSERT_EQ(second.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LE(around(first[i]).right, around(second[i]).left);
        EXPECT_EQ(around(first[i]).top, around(second[i]).top);
        EXPECT_EQ(around(first[i]).width(), around(second[i]).width());
    }
    EXPECT_EQ(around(first[0]).bottom, around(first[1]).bottom);
    EXPECT_NEAR(around(first[0]).height(), 2 * around(first[1]).height(), 1);
    // Many bars without gaps.
    std::vector<DataPoint> many = line_of(4000);
    for (DataPoint& point : many) point.y += 1;
    const std::vector<FilledPolygon> thin = areas_in(
        layout(plot_of({{.name = "", .type = ChartType::bars, .points = many}}), 640, 400), colours.hues[0]);
    ASSERT_EQ(thin.size(), 4000u);
    for (const FilledPolygon& area : thin) {
        EXPECT_EQ(around(area).width(), kUnit);
        EXPECT_GT(around(area).height(), 0);
    }
}

TEST(Bars, ZeroHasNoHeightAndStacksSum) {
    const Palette& colours = palette(Theme::light);
    const auto stack = [](double y) {
        return Series{
            .name = "", .type = ChartType::stacked_bars, .points = {{.x = 0, .y = y}, {.x = 1, .y = 1}}};
    };
    const Drawing d = layout(plot_of({stack(3), stack(0), stack(2)}), 960, 600);
    EXPECT_EQ(d.places.size(), 6u);
    const std::vector<FilledPolygon> low = areas_in(d, colours.hues[0]), none = areas_in(d, colours.hues[1]),
                                     high = areas_in(d, colours.hues[2]);
    ASSERT_EQ(low.size(), 2u);
    EXPECT_EQ(none.size(), 1u);
    EXPECT_EQ(around(low[0]).top, around(high[0]).bottom);
    EXPECT_EQ(around(low[0]).left, around(high[0]).left);
    EXPECT_NEAR(around(low[0]).height() * 2, around(high[0]).height() * 3, 3);
    // A stack has its own slot, next to the slot of the single bars.
    const Drawing both = layout(
        plot_of({stack(3), {.name = "", .type = ChartType::bars, .points = stack(2).points}}), 960, 600);
    EXPECT_LE(around(areas_in(both, colours.hues[0])[0]).right,
              around(areas_in(both, colours.hues[1])[0]).left);
}

TEST(Lanes, EmptySpanIsVisibleAndHeightsScale) {
    const Palette& colours = palette(Theme::light);
    Plot plot = plot_of({});
    Panel& panel = plot.panels[0];
    panel.x = {.label = "t", .from = 0, .to = 100};
    panel.kinds = {{"", 0, SpanKind::Fill::plain}, {"", 1, SpanKind::Fill::plain}};
    panel.lanes = {{.name = "a", .spans = {{.begin = 50, .end = 50}, {.begin = 90, .end = 80, .kind = 1}}},
                   {.name = "b", .spans = {{.begin = 10, .end = 20, .kind = 1, .label = "", .height = 0.5}}}};
    const Drawing d = layout(plot, 960, 600);
    const std::vector<FilledPolygon> instant = areas_in(d, colours.hues[0]),
                                     spans = areas_in(d, colours.hues[1]);
    ASSERT_EQ(instant.size(), 1u);
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_EQ(around(instant[0]).width(), kUnit / 2);
    EXPECT_GT(around(instant[0]).height(), kUnit);
    EXPECT_EQ(around(spans[0]).width(), around(spans[1]).width()) << "from the one end or the other";
    EXPECT_NEAR(around(spans[0]).height(), around(spans[1]).height() * 2, 2);
    EXPECT_LT(around(spans[0]).bottom, around(spans[1]).top);
}

// --- colours ---

double wcag(Colour c) {
    const auto linear = [](int n) {
        const double s = n / 255.0;
        return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

double contrast(Colour a, Colour b) {
    const double x = wcag(a) + 0.05, y = wcag(b) + 0.05;
    return x > y ? x / y : y / x;
}

TEST(Colours, LuminanceMatchesWcagAndMixInterpolates) {
    for (int n = 0; n < 256; n += 5) {
        const auto level = static_cast<std::uint8_t>(n);
        for (const Colour c :
             {Colour{level, level, level}, Colour{level, 0, 0}, Colour{0, level, 0}, Colour{0, 0, level}})
            EXPECT_NEAR(luminance(c), 1000 * wcag(c), 5) << n;
    }
    EXPECT_EQ(mix(kWhite, kBlack, 100), kWhite);
    EXPECT_EQ(mix(kWhite, kBlack, 0), kBlack);
    EXPECT_EQ(mix({200, 100, 0}, {100, 200, 50}, 25), (Colour{125, 175, 38}));
}

// Curve names have the hue of their curve, but enough contrast for text.
TEST(Colours, CurveNamesHaveReadableContrast) {
    for (const Theme theme : {Theme::light, Theme::dark, Theme::print}) {
        const Palette& colours = palette(theme);
        std::vector<Series> series;
        for (std::size_t s = 0; s < kStyles; ++s) {
            series.push_back(
                {.name = fmt::format("curve {}", s), .type = ChartType::line, .points = line_of(4)});
            for (DataPoint& point : series.back().points) point.y += 10.0 * static_cast<double>(s);
        }
        LayoutOptions options = options_for_file(960, 600);
        options.theme = theme;
        std::set<std::string> named;
        for (const Shape& shape : layout(plot_of(series), 960, 600, options).shapes) {
            const Text* const text = std::get_if<Text>(&shape);
            if (text == nullptr || !text->text.starts_with("curve ")) continue;
            named.insert(text->text);
            EXPECT_GE(contrast(text->colour, colours.background), 4.4)
                << static_cast<int>(theme) << " " << text->text;
            const Colour hue = colours.hues[static_cast<std::size_t>(text->text.back() - '0')];
            if (contrast(hue, colours.background) >= 4.7) {
                EXPECT_EQ(text->colour, hue) << text->text;
            }
        }
        EXPECT_EQ(named.size(), kStyles);
    }
    EXPECT_EQ(readable_colour(palette(Theme::light), kBlack), kBlack);
    EXPECT_EQ(readable_colour(palette(Theme::dark), kWhite), kWhite);
    EXPECT_TRUE(is_bright(kWhite));
    EXPECT_FALSE(is_bright(kBlack));
}

}  // namespace painting_test
