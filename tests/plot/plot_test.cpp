// Tests of the layout of figures: for any plot and size, texts do not overlap or leave the picture. All
// painters draw the same shapes, which are distinguishable without colour.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sim/figures/curves_figure.h"
#include "sim/figures/table_figure.h"
#include "sim/figures/yield_figure.h"
#include "sim/plot/layout.h"
#include "sim/plot/palette.h"
#include "sim/plot/parts.h"
#include "sim/plot/png.h"
#include "sim/plot/svg.h"
#include "sim/plot/text_width.h"
#include "sim/plot/ticks.h"
#include "tests/support/golden_table.h"
#include "tests/support/test_sizes.h"
#include "tests/support/xml_check.h"

namespace plot_test {

using namespace sim::plot;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                 kInfinity = std::numeric_limits<double>::infinity();

Plot plot_of(std::vector<Series> series) {
    Panel panel{
        .title = {}, .x = {.label = "contexts"}, .y = {.label = "us per yield"}, .series = std::move(series)};
    return {
        .title = "A title", .subtitle = "and what is under it", .source = "from nowhere", .panels = {panel}};
}

std::vector<DataPoint> points_of(const std::vector<double>& ys) {
    std::vector<DataPoint> points;
    for (std::size_t i = 0; i < ys.size(); ++i)
        points.push_back({.x = static_cast<double>(i + 1), .y = ys[i]});
    return points;
}

// A table plot and a yield plot from invented data.
Plot a_table(bool goes_beyond) {
    const auto cell = [](const char* row, double published, double simulated, bool scored) {
        return sim::figures::TableCell{.row = row,
                                       .column = "us",
                                       .unit = "us",
                                       .published = published,
                                       .simulated = simulated,
                                       .tolerance = 1,
                                       .scored = scored};
    };
    sim::figures::TableInput table{.name = "made-up",
                                   .summary = "what is drawn of a table",
                                   .source = "nowhere",
                                   .cells = {cell("near", 10, 10.5, true), cell("far", 10, 12, true),
                                             cell("not published", kNan, 3, false)}};
    if (goes_beyond) table.cells.push_back(cell("beyond", 10, 3, false));
    return sim::figures::table_plot(table);
}
Plot a_yield_row() {
    sim::figures::YieldCurve curve{
        .row = "before, processes", .simulated = {}, .published = {}, .source = "nowhere"};
    for (const int n : {2, 8, 32, 128}) {
        curve.simulated.push_back({.contexts = n,
                                   .system = 1,
                                   .switching = 2,
                                   .cache = 0.5,
                                   .search = 0.1 * n,
                                   .recalculation = 0.05 * n});
        curve.published.push_back({.x = static_cast<double>(n), .y = 3 + 0.16 * n});
    }
    return sim::figures::yield_plot(curve);
}

// Returns a plot for each potential problem of the layout.
std::vector<std::pair<std::string, Plot>> plots() {
    const auto lines = [](const std::vector<double>& ys) {
        return plot_of({{.name = "a", .type = ChartType::line_with_marks, .points = points_of(ys)},
                        {.name = "b", .type = ChartType::line, .points = points_of(ys)}});
    };
    std::vector<std::pair<std::string, Plot>> list{
        {"no panel", {.title = "Nothing", .subtitle = {}, .source = {}, .panels = {}}},
        {"no series", plot_of({})},
        {"no points", lines({})},
        {"one point", lines({3})},
        {"equal values", lines({7, 7, 7, 7})},
        {"zeros", lines({0, 0})},
        {"negative", lines({-5, -1, 3, -1e6})},
        {"huge", lines({1e300, -1e300, 1e-300})},
        {"beyond", lines({1.7e308, -1.7e308})},
        {"not a number", lines({kNan, 1, kInfinity, 2, -kInfinity})},
        {"nothing but not a number", lines({kNan, kNan})},
        {"tiny to huge", lines({1e-9, 1e-3, 1, 1e6, 1e12})},
        {"nearly equal", lines({1e9, 1e9 + 1e-3, 1e9})},
    };
    for (const Scale x : {Scale::linear, Scale::logarithmic})
        for (const Scale y : {Scale::linear, Scale::logarithmic}) {
            Plot p = lines({1e-9, 0, -3, 17, kNan, 1e12});
            p.panels[0].x.scale = x;
            p.panels[0].y.scale = y;
            p.panels[0].notes = {{.x = 2, .y = {}, .text = "here"},
                                 {.x = 4, .y = 17, .text = "and\nthere, at length"}};
            p.panels[0].residuals = {{1, 2, 3}, {2, kNan, 4}, {kInfinity, 1, 2}};
            list.emplace_back(fmt::format("scales {} {}", static_cast<int>(x), static_cast<int>(y)), p);
        }
    const std::string longest(400, 'W');
    Plot names = lines({1, 2, 3});
    names.title = names.subtitle = names.source = longest;
    names.panels[0].title = names.panels[0].x.label = names.panels[0].y.label = longest;
    names.panels[0].series[0].name = longest;
    names.panels[0].notes = {{.x = 2, .y = 2, .text = longest}};
    list.emplace_back("long names", names);
    Plot foreign = lines({1, 2, 3});
    foreign.title = "Größe: \u00b5s \u2264 \u4e2d\u6587 <&\"'> \U0001f600 \xff\xc0 broken";
    foreign.panels[0].series[0].name = "\u0416\u0438\u0437\u043d\u044c & <b>";
    list.emplace_back("not ASCII", foreign);
    Plot many = plot_of({});
    for (int i = 0; i < 20; ++i)
        many.panels[0].series.push_back({.name = fmt::format("a policy with a name, {}", i),
                                         .type = ChartType::line,
                                         .points = points_of({1.0 * i, 2.0 * i, 40.0 - i})});
    list.emplace_back("many series", many);
    Plot bars = plot_of({{.name = "a", .type = ChartType::stacked_bars, .points = points_of({1, 2, 0, 5})},
                         {.name = "b", .type = ChartType::stacked_bars, .points = points_of({4, kNan, 3, 1})},
                         {.name = "c", .type = ChartType::bars, .points = points_of({-2, 3, 1, 0.5})}});
    for (DataPoint& p : bars.panels[0].series[2].points) p.label = fmt::format("{:+.2f}", p.y);
    list.emplace_back("bars", bars);
    Plot cut = bars;
    cut.panels[0].y.from = 2;
    list.emplace_back("bars, from above 0", cut);
    Plot apart = plot_of({{.name = "long", .type = ChartType::line, .points = points_of({1, 2, 3, 4})},
                          {.name = "short", .type = ChartType::line, .points = points_of({3, 2})}});
    list.emplace_back("lines that end apart", apart);
    list.emplace_back("a table", a_table(false));
    list.emplace_back("a table, a bar cut", a_table(true));
    list.emplace_back("a row of the yield table", a_yield_row());
    Plot categories = bars;
    for (int i = 0; i < 30; ++i)
        categories.panels[0].x.categories.push_back(fmt::format("category number {}", i));
    list.emplace_back("categories", categories);
    Plot areas = plot_of(
        {{.name = "a", .type = ChartType::stacked_area, .points = points_of({1, 2, 0, 5}), .inside = "in it"},
         {.name = "b", .type = ChartType::stacked_area, .points = points_of({9, 8, 7, 6}), .inside = longest},
         {.name = "c", .type = ChartType::steps, .points = points_of({9, 8, 7, 6})}});
    list.emplace_back("areas", areas);
    Plot intervals = lines({5, 6, 7});
    for (DataPoint& p : intervals.panels[0].series[0].points)
        p.interval = ConfidenceInterval{p.y - 1, p.y + 2};
    intervals.panels[0].y.from = 5.5;
    intervals.panels[0].y.to = 6.5;
    intervals.panels.push_back(intervals.panels[0]);
    intervals.panels.push_back(areas.panels[0]);
    intervals.columns = 2;
    list.emplace_back("panels, cut", intervals);
    Plot lanes{.title = "Lanes", .subtitle = {}, .source = {}, .panels = {Panel{}}};
    Panel& panel = lanes.panels[0];
    panel.kinds = {{"full", 0, SpanKind::Fill::full},
                   {"plain", 1, SpanKind::Fill::plain},
                   {"pale", 2, SpanKind::Fill::pale},
                   {"hatched", 3, SpanKind::Fill::hatched},
                   {"line", 4, SpanKind::Fill::line}};
    panel.lane_headings = {"name", "x", "y"};
    for (std::size_t i = 0; i < 40; ++i)
        panel.lanes.push_back(
            {fmt::format("lane {}", i),
             {{1.0 * static_cast<double>(i), 50, i % 6, "label"}, {3, kNan, 0}, {60, 60.0001, i % 5}},
             {fmt::format("{}", i * i * i), "b"}});
    list.emplace_back("lanes", lanes);
    return list;
}

constexpr std::pair<int, int> kSizes[] = {{1, 1},     {40, 3},      {160, 160}, {200, 120},
                                          {320, 200}, {480, 300},   {640, 400}, {960, 600},
                                          {600, 960}, {1920, 1080}, {4000, 300}};

LayoutOptions options_of(int width, int height, Theme theme = Theme::light) {
    const int em = std::clamp(std::min(width / 60, height / 37), 9, 60) * kUnit;
    return {.theme = theme, .title_size = em * 4 / 3, .text_size = em, .small_size = em * 13 / 15};
}

std::vector<Text> texts_of(const Drawing& d) {
    std::vector<Text> texts;
    for (const Shape& shape : d.shapes)
        if (const Text* text = std::get_if<Text>(&shape)) texts.push_back(*text);
    return texts;
}

TEST(Plot, TextsNeitherOverlapNorLeavePicture) {
    std::size_t seen = 0;
    for (const auto& [name, plot] : plots()) {
        for (const auto& [width, height] : kSizes) {
            const Drawing d = layout(plot, width, height, options_of(width, height));
            const std::vector<Text> texts = texts_of(d);
            const Box all{0, 0, d.width, d.height};
            for (std::size_t i = 0; i < texts.size(); ++i) {
                EXPECT_TRUE(all.contains(texts[i].box()))
                    << name << " " << width << "x" << height << ": " << texts[i].text;
                for (std::size_t k = 0; k < i; ++k)
                    EXPECT_FALSE(texts[i].box().overlaps(texts[k].box()))
                        << name << " " << width << "x" << height << ": " << texts[i].text << " on "
                        << texts[k].text;
            }
            seen += texts.size();
        }
    }
    EXPECT_GT(seen, 1000u);
}

// No line or area extends beyond the picture. Only symbols of points at the edge of the axes may extend
// slightly beyond the axes.
TEST(Plot, ShapesStayInsidePicture) {
    for (const auto& [name, plot] : plots()) {
        for (const auto& [width, height] : kSizes) {
            if (width < 100 || height < 100) continue;
            const Drawing d = layout(plot, width, height, options_of(width, height));
            const auto inside = [&](const Point& s) {
                return s.x >= 0 && s.y >= 0 && s.x <= d.width && s.y <= d.height;
            };
            for (const Shape& shape : d.shapes) {
                if (const Strokes* s = std::get_if<Strokes>(&shape)) {
                    for (const auto& line : s->lines)
                        for (const Point& point : line)
                            EXPECT_TRUE(inside(point))
                                << name << " " << width << "x" << height << " " << point.x << " " << point.y;
                }
                if (const FilledPolygon* a = std::get_if<FilledPolygon>(&shape)) {
                    for (const Point& point : a->corners)
                        EXPECT_TRUE(inside(point))
                            << name << " " << width << "x" << height << " " << point.x << " " << point.y;
                }
            }
        }
    }
}

TEST(Plot, NamesSeriesAndFindsNearestPoints) {
    Plot p = plot_of({{.name = "first", .type = ChartType::line_with_marks, .points = points_of({1, 2, 3})},
                      {.name = "second", .type = ChartType::points, .points = points_of({3, kNan, 1})}});
    const Drawing d = layout(p, 960, 600);
    for (const std::string name :
         {"first", "second", "A title", "contexts", "us per yield", "from nowhere"}) {
        const std::vector<Text> texts = texts_of(d);
        EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [&](const Text& t) { return t.text == name; }))
            << name;
    }
    ASSERT_EQ(d.places.size(), 5u);
    for (const PlottedPoint& place : d.places) {
        const PlottedPoint* found = nearest_plotted_point(d, {place.at.x + 20, place.at.y - 20}, 100);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->at, place.at);
    }
    EXPECT_EQ(nearest_plotted_point(d, {0, 0}, 16), nullptr);
    // Higher values are drawn higher up.
    EXPECT_GT(d.places[0].at.y, d.places[2].at.y);
    EXPECT_LT(d.places[0].at.x, d.places[2].at.x);
}

// --- without colour ---

TEST(Plot, StylesDifferInBrightnessDashAndSymbol) {
    for (const Theme theme : {Theme::light, Theme::dark, Theme::print}) {
        const Palette& p = palette(theme);
        for (std::size_t i = 0; i + 1 < kStyles; ++i) {
            EXPECT_GE(std::abs(luminance(p.hues[i]) - luminance(p.hues[i + 1])), 60)
                << "theme " << static_cast<int>(theme) << ", styles " << i << " and " << i + 1;
        }
        for (std::size_t i = 0; i < kStyles; ++i) {
            EXPECT_GE(std::abs(luminance(p.hues[i]) - luminance(p.background)), 100) << i;
            for (std::size_t k = 0; k < i; ++k) {
                EXPECT_NE(p.hues[i], p.hues[k]);
                EXPECT_NE(dash_of(i), dash_of(k));
                EXPECT_FALSE(std::ranges::equal(mark_outline(i), mark_outline(k)));
            }
        }
    }
}

TEST(Plot, StackedSeriesHaveDistinctPatterns) {
    std::vector<Series> parts;
    for (int i = 0; i < 8; ++i)
        parts.push_back({.name = fmt::format("part {}", i),
                         .type = ChartType::stacked_bars,
                         .points = points_of({5, 4, 3})});
    const Drawing d = layout(plot_of(parts), 960, 600);
    std::vector<std::size_t> patterns;
    for (const Shape& shape : d.shapes)
        if (const FilledPolygon* a = std::get_if<FilledPolygon>(&shape))
            if (a->corners.size() == 4 && (patterns.empty() || patterns.back() != a->pattern))
                patterns.push_back(a->pattern);
    for (std::size_t pattern = 0; pattern < kStyles; ++pattern)
        EXPECT_NE(std::find(patterns.begin(), patterns.end(), pattern), patterns.end()) << pattern;
    const std::vector<Point> square{{0, 0}, {1600, 0}, {1600, 1600}, {0, 1600}};
    std::vector<std::vector<std::vector<Point>>> lines;
    for (std::size_t pattern = 0; pattern < kStyles; ++pattern)
        lines.push_back(pattern_lines(pattern, square, 160));
    EXPECT_TRUE(lines[0].empty());
    for (std::size_t i = 1; i < kStyles; ++i)
        for (std::size_t k = 0; k < i; ++k) EXPECT_NE(lines[i], lines[k]) << i << " " << k;
}

TEST(Plot, PatternsStayInsidePolygonsAndAlign) {
    const std::vector<Point> left{{3, 5}, {1000, 100}, {1000, 900}, {3, 1500}},
        right{{1000, 100}, {2000, 5}, {2000, 1000}, {1000, 900}};
    const auto lines = pattern_lines(2, left, 160);
    ASSERT_FALSE(lines.empty());
    for (const auto& line : lines)
        for (const Point& s : line) {
            EXPECT_GE(s.x, 3);
            EXPECT_LE(s.x, 1000);
        }
    std::vector<int> ends, begins;
    for (const auto& line : lines)
        if (line[1].x == 1000) ends.push_back(line[1].y);
    for (const auto& line : pattern_lines(2, right, 160))
        if (line[0].x == 1000) begins.push_back(line[0].y);
    EXPECT_FALSE(ends.empty());
    EXPECT_EQ(ends, begins);
}

// --- axes ---

TEST(AxisTicks, RoundAscendingWithinRangeAndLimit) {
    for (const double low : {-1e6, -3.0, 0.0, 0.1, 7.0, 1e-9, 12345.0})
        for (const double size : {1e-9, 0.3, 1.0, 42.0, 1e12})
            for (const int most : {1, 2, 5, 12}) {
                const Axis axis;
                const AxisRange range = range_of(axis, {low, low + size}, false, most, false);
                const Ticks ticks = ticks_of(axis, range, most);
                EXPECT_LE(ticks.values.size(), static_cast<std::size_t>(most) + 1) << low << " " << size;
                // The step is 1, 2 or 5 times a power of ten, and each value a multiple of it.
                const double digit =
                    ticks.step / std::pow(10.0, std::floor(std::log10(ticks.step * (1 + 1e-9))));
                EXPECT_TRUE(std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 ||
                            std::abs(digit - 5) < 1e-6)
                    << ticks.step;
                for (const double value : ticks.values)
                    EXPECT_NEAR(value / ticks.step, std::round(value / ticks.step), 1e-6)
                        << value << " " << ticks.step;
                for (std::size_t i = 0; i < ticks.values.size(); ++i) {
                    EXPECT_GE(ticks.values[i], range.low - 1e-6 * size);
                    EXPECT_LE(ticks.values[i], range.high + 1e-6 * size);
                    if (i > 0) {
                        EXPECT_GT(ticks.values[i], ticks.values[i - 1]);
                    }
                }
            }
}

TEST(AxisTicks, LogarithmicTicksFollowRangeEnds) {
    const Axis axis{.label = {}, .scale = Scale::logarithmic};
    EXPECT_EQ(ticks_of(axis, {2, 64}, 8).values, (std::vector<double>{2, 4, 8, 16, 32, 64}));
    EXPECT_EQ(ticks_of(axis, {1, 1000}, 4).values, (std::vector<double>{1, 10, 100, 1000}));
    EXPECT_EQ(ticks_of(axis, {3, 50}, 5).values, (std::vector<double>{5, 10, 20, 50}));
}

TEST(AxisTicks, BinaryLogarithmMatchesStandardLibrary) {
    for (int n = -1000; n <= 1000; n += 7) EXPECT_EQ(log2_of(std::ldexp(1.0, n)), n);
    for (double x = 1e-9; x < 1e12; x *= 1.37)
        EXPECT_NEAR(log2_of(x), std::log2(x), 1e-14 * std::abs(std::log2(x)) + 1e-15);
}

TEST(AxisTicks, NumbersHaveGroupsAndStepDecimals) {
    EXPECT_EQ(number_text(1234567, 1), "1,234,567");
    EXPECT_EQ(number_text(-0.5, 0.5), "\u22120.5");
    EXPECT_EQ(number_text(0, 0.25), "0");
    EXPECT_EQ(number_text(1e-17, 0.1), "0");
    EXPECT_EQ(number_text(2.5, 0.25), "2.50");
    EXPECT_EQ(number_text(0.01, 0), "0.01");
    EXPECT_EQ(number_text(1000, 0), "1,000");
    EXPECT_EQ(number_text(3e15, 1e15), "3e+15");
}

// --- painters ---

TEST(Svg, IsWellFormedAndHasEveryShape) {
    for (const auto& [name, plot] : plots()) {
        for (const auto& [width, height] : {std::pair{320, 200}, std::pair{960, 600}}) {
            const Drawing d = layout(plot, width, height, options_of(width, height));
            const std::string text = svg(d);
            EXPECT_EQ(xml_fault(text), "") << name;
            EXPECT_TRUE(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" ")) << name;
            EXPECT_EQ(text, svg(layout(plot, width, height, options_of(width, height))));
            std::size_t strokes = 0, areas = 0, words = 0;
            for (const Shape& shape : d.shapes) {
                strokes += std::holds_alternative<Strokes>(shape);
                areas += std::holds_alternative<FilledPolygon>(shape);
                words += std::holds_alternative<Text>(shape);
            }
            const auto count = [&](const std::string& part) {
                std::size_t found = 0;
                for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
                return found;
            };
            EXPECT_EQ(count("<path "), strokes) << name;
            EXPECT_EQ(count("<polygon "), areas) << name;
            EXPECT_EQ(count("<text "), words) << name;
        }
    }
}

TEST(Svg, EscapesXmlCharacters) {
    Drawing drawing;
    drawing.title = "a<b>&\"c\" \u00e9 \x01\xff";
    EXPECT_NE(svg(drawing).find("<title>a&lt;b&gt;&amp;&quot;c&quot; \u00e9 \ufffd\ufffd</title>"),
              std::string::npos);
}

TEST(Dashes, CoverWholeLine) {
    const std::vector<Point> line{{0, 0}, {950, 0}, {950, 550}};
    const auto pieces = cut_into_dashes(line, {100, 50});
    ASSERT_EQ(pieces.size(), 10u);
    EXPECT_EQ(pieces.front().front(), (Point{0, 0}));
    EXPECT_EQ(pieces.front().back(), (Point{100, 0}));
    EXPECT_EQ(pieces[1].front(), (Point{150, 0}));
    // One dash continues around the corner.
    EXPECT_TRUE(
        std::any_of(pieces.begin(), pieces.end(), [](const auto& piece) { return piece.size() == 3; }));
    EXPECT_EQ(cut_into_dashes(line, {}), (std::vector<std::vector<Point>>{line}));
}

TEST(Plot, LineEndNamesNeed36EmsWidth) {
    const Plot p = plot_of({{.name = "a", .type = ChartType::line, .points = points_of({1, 2})},
                            {.name = "b", .type = ChartType::line, .points = points_of({2, 1})}});
    const LayoutOptions options;
    const int least = 36 * options.text_size / kUnit;
    EXPECT_EQ(width_of_curve_names(p, Canvas(least - 1, 400, options)), 0);
    EXPECT_GT(width_of_curve_names(p, Canvas(least, 400, options)), 0);
}

TEST(Plot, SpanShowsLabelOnlyIfHeightSuffices) {
    std::set<int> with, without;  // heights of spans
    int high = 0;
    for (int percent = 20; percent <= 100; ++percent) {
        Plot p{.title = "Lanes", .subtitle = {}, .source = {}, .panels = {Panel{}}};
        p.panels[0].kinds = {{"plain", 1, SpanKind::Fill::plain}};
        p.panels[0].lanes = {{"lane", {{0, 50, 0, "label", percent / 100.0}}, {}}};
        const Drawing d = layout(p, 960, 200);
        int height = 0;
        bool labelled = false;
        for (const Shape& shape : d.shapes) {
            if (const FilledPolygon* a = std::get_if<FilledPolygon>(&shape);
                a != nullptr && a->corners.size() == 4) {
                const auto [low, top] = std::ranges::minmax(a->corners, {}, &Point::y);
                const auto [left, right] = std::ranges::minmax(a->corners, {}, &Point::x);
                if (2 * (right.x - left.x) > d.width && 2 * (top.y - low.y) < d.height)
                    height = top.y - low.y;
            }
            if (const Text* t = std::get_if<Text>(&shape); t != nullptr && t->text == "label") {
                labelled = true;
                high = t->box().height();
            }
        }
        (labelled ? with : without).insert(height);
    }
    ASSERT_FALSE(with.empty());
    EXPECT_TRUE(with.contains(high)) << high;
    EXPECT_EQ(*with.begin(), high);
    EXPECT_LT(*without.rbegin(), high);
}

TEST(Plot, CrossingNoteIsAtDrawnIntersection) {
    sim::figures::Curves curves{
        .title = {},
        .subtitle = {},
        .source = {},
        .x_label = {},
        .y_label = {},
        .curves = {{"a", {{1, 10}, {10, 20}, {100, 90}}}, {"b", {{1, 30}, {10, 10}, {100, 10}}}},
        .crossings = {{1, 10, 30, 10, 10, 20, "b is below"}}};
    const Plot p = sim::figures::curves_plot(curves);
    ASSERT_EQ(p.panels[0].notes.size(), 1u);
    EXPECT_EQ(p.panels[0].x.scale, Scale::logarithmic);
    // Two thirds of the way from 1 to 10 on a logarithmic axis.
    EXPECT_NEAR(p.panels[0].notes[0].x, std::pow(10, 2.0 / 3), 1e-9);
    EXPECT_NEAR(*p.panels[0].notes[0].y, 10 + 10 * 2.0 / 3, 1e-9);
}

TEST(Plot, NoteIsCompleteOrOmitted) {
    const auto words_of = [](const std::string& text) {
        Plot p = plot_of({{.name = "a", .type = ChartType::line, .points = points_of({1, 2, 3})}});
        p.panels[0].notes = {{.x = 2, .y = {}, .text = text}};
        std::string all;
        for (const Shape& shape : layout(p, 900, 500, options_of(900, 500)).shapes)
            if (const Text* written = std::get_if<Text>(&shape)) all += written->text + " ";
        return all;
    };
    // If a note has too many lines, they are joined into fewer, longer ones.
    const std::string shown = words_of("zero\none\ntwo\nthree\nfour\nfive");
    EXPECT_NE(shown.find("zero one two three four five "), std::string::npos) << shown;
    // If the joined lines do not fit either, the note is omitted.
    std::string text = "begin";
    for (int i = 0; i < 200; ++i) text += " and on";
    EXPECT_EQ(words_of(text + "\nend").find("begin"), std::string::npos);
    EXPECT_NE(words_of("begin and on\nend").find("begin and on end "), std::string::npos)
        << "as it is when it fits";
}

std::string golden_name(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

TEST(GoldenPlots, AreDrawnAsBefore) {
    GoldenTable table("plot_hashes.txt");
    std::vector<std::string> names;
    for (const auto& [name, plot] : plots()) {
        std::string text;
        for (const auto& [width, height] : {std::pair(480, 300), std::pair(960, 600), std::pair(4000, 300)})
            for (const Theme theme : {Theme::light, Theme::print})
                text += svg(layout(plot, width, height, options_of(width, height, theme)));
        names.push_back(golden_name(name));
        table.expect(names.back(), text);
    }
    table.expect_names(names);
}

}  // namespace plot_test
