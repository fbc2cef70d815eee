// Tests of PNG figures: every pixel is as expected, on all platforms.
#include "sim/plot/png.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/plot/layout.h"
#include "sim/plot/svg.h"
#include "sim/plot/text_width.h"

#if __has_include(<stb_image.h>) && __has_include(<stb_truetype.h>)
#include <stb_image.h>
#include <stb_truetype.h>

#include "sim/plot/fonts.h"
#include "sim/plot/raster.h"

namespace png_test {

using namespace sim::plot;

std::uint64_t hash(const std::uint8_t* bytes, std::size_t n) {
    std::uint64_t h = 0xcbf29ce484222325;
    for (std::size_t i = 0; i < n; ++i) h = (h ^ bytes[i]) * 0x100000001b3;
    return h;
}

Plot plot_of_everything() {
    Panel lines{.title = "Lines", .x = {.label = "x"}, .y = {.label = "y"}};
    lines.series = {
        {.name = "one",
         .type = ChartType::line_with_marks,
         .points = {{1, 1}, {2, 4, ConfidenceInterval{3, 5}}, {3, 2}}},
        {.name = "two", .type = ChartType::points, .points = {{1, 2}, {2, 2}, {3, 3}}, .hollow = true},
        {.name = "steps", .type = ChartType::steps, .points = {{1, 0.5}, {2, 1.5}, {3, 1}}}};
    lines.notes = {{.x = 2, .y = 4, .text = "a note"}, {.x = 1.5, .y = {}, .text = "a line"}};
    Panel bars{.title = "Bars", .x = {.label = {}, .categories = {"a", "b"}}, .y = {}};
    for (std::size_t i = 0; i < 8; ++i)
        bars.series.push_back({.name = "part " + std::to_string(i),
                               .type = ChartType::stacked_bars,
                               .points = {{0, 1}, {1, 2}}});
    return {.title = "Everything: \u00b5, \u2264, \u2212",
            .subtitle = "under it",
            .source = "test",
            .panels = {lines, bars},
            .columns = 2};
}

// Decodes a PNG file into RGB pixels.
std::vector<std::uint8_t> decoded(const std::string& bytes, int& width, int& height) {
    int channels = 0;
    std::uint8_t* pixels =
        stbi_load_from_memory(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                              static_cast<int>(bytes.size()), &width, &height, &channels, 3);
    if (pixels == nullptr) return {};
    std::vector<std::uint8_t> copy(pixels, pixels + width * height * 3);
    stbi_image_free(pixels);
    return copy;
}

TEST(Png, MatchesKnownPixelHash) {
    if (!supports_png()) GTEST_SKIP() << "built without " << why_no_png();
    const Drawing d = layout(plot_of_everything(), 640, 400);
    const std::string bytes = png(d);
    EXPECT_EQ(bytes, png(d));
    int width = 0, height = 0;
    const std::vector<std::uint8_t> pixels = decoded(bytes, width, height);
    ASSERT_EQ(width, 640);
    ASSERT_EQ(height, 400);
    // A hash of the pixels, because another version of stb may compress the file differently.
    EXPECT_EQ(hash(pixels.data(), pixels.size()), 3046981398649215712u);
}

// Each shape is at the same position as in the SVG.
TEST(Png, ShowsEveryShapeOfTheDrawing) {
    if (!supports_png()) GTEST_SKIP() << "built without " << why_no_png();
    Drawing d{.width = 100 * kUnit,
              .height = 60 * kUnit,
              .background = {255, 255, 255},
              .title = {},
              .description = {},
              .shapes = {},
              .places = {}};
    const auto u = [](int pixels) { return pixels * kUnit; };
    d.shapes.emplace_back(
        FilledPolygon{{{u(10), u(10)}, {u(20), u(10)}, {u(20), u(20)}, {u(10), u(20)}}, {255, 0, 0}, 0});
    d.shapes.emplace_back(Strokes{{{{u(30), u(10)}, {u(30), u(50)}}}, u(2), {}, {0, 255, 0}});
    d.shapes.emplace_back(Strokes{{{{u(40), u(30)}, {u(80), u(30)}}}, u(2), {u(10), u(10)}, {0, 0, 255}});
    d.shapes.emplace_back(
        Text{{u(50), u(55)}, "X", u(16), text_width("X", u(16), true), Anchor::middle, true, {0, 0, 0}});
    int width = 0, height = 0;
    const std::vector<std::uint8_t> p = decoded(png(d), width, height);
    const auto at = [&](int x, int y) {
        const std::uint8_t* rgb = &p[static_cast<std::size_t>((y * width + x) * 3)];
        return rgb[0] << 16 | rgb[1] << 8 | rgb[2];
    };
    EXPECT_EQ(at(10, 10), 0xff0000);
    EXPECT_EQ(at(19, 19), 0xff0000);
    EXPECT_EQ(at(20, 15), 0xffffff);
    EXPECT_EQ(at(9, 15), 0xffffff);
    EXPECT_EQ(at(29, 30), 0x00ff00);
    EXPECT_EQ(at(30, 30), 0x00ff00);
    EXPECT_EQ(at(31, 30), 0xffffff);
    EXPECT_EQ(at(45, 30), 0x0000ff);
    EXPECT_EQ(at(55, 30), 0xffffff);
    EXPECT_EQ(at(65, 30), 0x0000ff);
    int ink = 0;
    for (int y = 40; y < 57; ++y)
        for (int x = 40; x < 60; ++x) ink += at(x, y) == 0;
    EXPECT_GT(ink, 20);
}

TEST(Raster, BlendsPartialCoverageAndClipsFarCoordinates) {
    Raster r(4, 4, {0, 0, 0});
    // The two squares cover half of one pixel and a quarter of another.
    r.fill({{8, 0}, {16, 0}, {16, 16}, {8, 16}}, {255, 255, 255});
    r.fill({{40, 40}, {48, 40}, {48, 48}, {40, 48}}, {255, 255, 255});
    EXPECT_NEAR(r.image().rgb[0], 128, 1);
    EXPECT_NEAR(r.image().rgb[(2 * 4 + 2) * 3], 64, 1);
    EXPECT_EQ(r.image().rgb[3], 0);
    // Coordinates far outside the picture.
    r.fill({{-100000, -100000}, {100000, -100000}, {100000, 100000}, {-100000, 100000}}, {9, 9, 9});
    for (const std::uint8_t byte : r.image().rgb) EXPECT_EQ(byte, 9);
    r.stroke({{{{-5000, 8}, {5000, 8}}}, 16, {}, {200, 200, 200}});
    EXPECT_EQ(r.image().rgb[0], 200);
    EXPECT_EQ(r.image().rgb[4 * 3], 9);
}

TEST(TextWidth, MatchesFontMetrics) {
    if (!supports_png()) GTEST_SKIP() << "built without " << why_no_png();
    for (const bool bold : {false, true}) {
        stbtt_fontinfo font;
        const std::string_view file = bold ? bold_font_bytes() : sans_font_bytes();
        ASSERT_NE(stbtt_InitFont(&font, reinterpret_cast<const unsigned char*>(file.data()), 0), 0);
        for (std::uint32_t c = 0x20; c < 0x2300; ++c) {
            if (advance_width(c, bold) == 2048) continue;  // this width may be that of a fallback font
            int width = 0, bearing = 0;
            stbtt_GetCodepointHMetrics(&font, static_cast<int>(c), &width, &bearing);
            EXPECT_EQ(advance_width(c, bold), width) << c;
        }
    }
    EXPECT_EQ(text_width("", 16, false), 0);
    EXPECT_EQ(text_width("ii", 2048, false), 2 * 569);
    EXPECT_EQ(text_width("\u4e2d", 2048, false), 2048);
}

}  // namespace png_test
#endif
