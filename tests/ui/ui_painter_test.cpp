// Tests of the painter pixel by pixel. Its input is made by hand, without windows and fonts of ImGui.
#if __has_include(<imgui.h>)

#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "ui/platform/painter.h"

namespace ui {
namespace ui_painter_test {

const ImVec2 kWhite{0.5f, 0.5f};  // the texture position for shapes without a texture

struct Picture {
    int width, height;
    std::vector<std::uint32_t> pixels;

    std::uint32_t at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
    int red(int x, int y) const { return static_cast<int>(at(x, y) & 0xff); }
};

// A frame with one list of triangles on black.
class Frame {
  public:
    void rectangle(ImVec2 a, ImVec2 c, ImU32 colour, ImVec2 uv_a = kWhite, ImVec2 uv_c = kWhite) {
        const unsigned first = corner(a, colour, uv_a);
        corner({c.x, a.y}, colour, {uv_c.x, uv_a.y});
        corner(c, colour, uv_c);
        corner({a.x, c.y}, colour, {uv_a.x, uv_c.y});
        for (const unsigned i : {0u, 1u, 2u, 0u, 2u, 3u}) index(first + i);
    }
    void triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 one, ImU32 two, ImU32 three) {
        for (const auto& [at, colour] : {std::pair(a, one), std::pair(b, two), std::pair(c, three)})
            index(corner(at, colour, kWhite));
    }
    void triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 colour) { triangle(a, b, c, colour, colour, colour); }
    void clip(ImVec4 box) { clip_ = box; }
    void origin(ImVec2 at) { origin_ = at; }

    Picture paint(int width, int height, ImU32 clear = IM_COL32_BLACK) {
        ImDrawCmd command;
        command.ClipRect = clip_;
        command.ElemCount = static_cast<unsigned>(list_.IdxBuffer.Size);
        list_.CmdBuffer.push_back(command);
        ImDrawList* lists[] = {&list_};
        ImDrawData data;
        set_draw_lists(data, lists, 1);
        data.DisplayPos = origin_;
        Picture picture{width, height,
                        std::vector<std::uint32_t>(static_cast<std::size_t>(width * height), 7)};
        ui::paint(data, {texels_.data(), 8, 4}, {picture.pixels.data(), width, height}, clear);
        return picture;
    }
    std::vector<std::uint8_t>& texels() { return texels_; }

  private:
    unsigned corner(ImVec2 at, ImU32 colour, ImVec2 uv) {
        list_.VtxBuffer.push_back({at, uv, colour});
        return static_cast<unsigned>(list_.VtxBuffer.Size) - 1;
    }
    void index(unsigned i) { list_.IdxBuffer.push_back(static_cast<ImDrawIdx>(i)); }

    ImDrawList list_{nullptr};
    ImVec4 clip_{-1e4f, -1e4f, 1e4f, 1e4f};
    ImVec2 origin_{0, 0};
    std::vector<std::uint8_t> texels_ = std::vector<std::uint8_t>(8 * 4, 255);
};

TEST(Painter, ClearsToAnOpaqueColour) {
    const Picture picture = Frame().paint(3, 2, IM_COL32(1, 2, 3, 0));
    for (const std::uint32_t pixel : picture.pixels) EXPECT_EQ(pixel, IM_COL32(1, 2, 3, 255));
}

TEST(Painter, RectangleCoversPixelsWithCentresInside) {
    Frame frame;
    frame.rectangle({1.4f, 1.6f}, {3.4f, 3.6f}, IM_COL32(200, 100, 50, 255));
    frame.rectangle({7, 6}, {5, 5}, IM_COL32_WHITE);  // corners in reverse order
    frame.rectangle({2, 7}, {2, 8}, IM_COL32_WHITE);  // empty
    const Picture picture = frame.paint(8, 8);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
            EXPECT_EQ(picture.at(x, y), 1 <= x && x < 3 && 2 <= y && y < 4 ? IM_COL32(200, 100, 50, 255)
                                        : 5 <= x && x < 7 && y == 5        ? IM_COL32_WHITE
                                                                           : IM_COL32_BLACK)
                << x << " " << y;
}

TEST(Painter, LeftAndTopEdgesAreInclusive) {
    Frame frame;
    frame.rectangle({1.5f, 2.5f}, {3.5f, 4.5f}, IM_COL32_WHITE);
    const Picture picture = frame.paint(6, 6);
    for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 6; ++x)
            EXPECT_EQ(picture.red(x, y), 1 <= x && x < 3 && 2 <= y && y < 4 ? 255 : 0) << x << " " << y;
}

TEST(Painter, TranslucentColoursAreMixedAndNeverWrap) {
    for (const int alpha : {0, 1, 64, 127, 128, 200, 254, 255}) {
        Frame once;
        once.rectangle({0, 0}, {4, 4}, IM_COL32(255, 100, 0, alpha));
        const Picture picture = once.paint(4, 4, IM_COL32(0, 200, 255, 255));
        const int share = alpha + (alpha >> 7);  // of 256
        const auto mixed = [&](int over, int under) { return (over * share + under * (256 - share)) >> 8; };
        EXPECT_EQ(picture.at(1, 1), IM_COL32(mixed(255, 0), mixed(100, 200), mixed(0, 255), 255)) << alpha;
        Frame often;
        for (int i = 0; i < 100; ++i) often.rectangle({0, 0}, {4, 4}, IM_COL32(255, 255, 255, alpha));
        const int covered = often.paint(4, 4).red(1, 1);
        EXPECT_GE(covered, picture.red(1, 1)) << alpha;
        EXPECT_TRUE(alpha < 64 || covered >= 250) << alpha;
        Frame white;
        white.rectangle({0, 0}, {4, 4}, IM_COL32(255, 255, 255, alpha));
        EXPECT_EQ(white.paint(4, 4, IM_COL32_WHITE).red(1, 1), 255) << alpha;
    }
}

TEST(Painter, ClipAndPictureLimitPainting) {
    Frame frame;
    frame.clip({2, 1, 5, 3});
    frame.rectangle({-100, -100}, {100, 100}, IM_COL32(255, 0, 0, 255));
    frame.triangle({-500, -500}, {500, -500}, {0, 900}, IM_COL32_WHITE);
    const Picture picture = frame.paint(8, 6);
    for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 8; ++x)
            EXPECT_EQ(picture.at(x, y), 2 <= x && x < 5 && 1 <= y && y < 3 ? IM_COL32_WHITE : IM_COL32_BLACK);
    Frame large;
    large.rectangle({-1e9f, -1e9f}, {1e9f, 1e9f}, IM_COL32_WHITE);
    EXPECT_EQ(large.paint(3, 3).at(2, 2), IM_COL32_WHITE);
}

TEST(Painter, CoordinatesAreRelativeToFrameOrigin) {
    Frame frame;
    frame.origin({100, 50});
    frame.clip({100, 50, 104, 54});
    frame.rectangle({101, 51}, {102, 52}, IM_COL32_WHITE);
    frame.triangle({102, 52}, {104, 52}, {102, 54}, IM_COL32(9, 9, 9, 255));
    const Picture picture = frame.paint(5, 5);
    EXPECT_EQ(picture.at(1, 1), IM_COL32_WHITE);
    EXPECT_EQ(picture.at(2, 2), IM_COL32(9, 9, 9, 255));
    EXPECT_EQ(picture.at(0, 0), IM_COL32_BLACK);
}

// The texture has 8 x 4 texels: 0, 8, 16, ... in reading order.
TEST(Painter, GlyphCopiesTexelsAndClipsAtEdge) {
    Frame frame;
    for (std::size_t i = 0; i < 32; ++i) frame.texels()[i] = static_cast<std::uint8_t>(8 * i);
    frame.rectangle({2, 1}, {6, 3}, IM_COL32_WHITE, {2 / 8.0f, 1 / 4.0f}, {6 / 8.0f, 3 / 4.0f});
    frame.rectangle({-2, 4}, {2, 6}, IM_COL32_WHITE, {2 / 8.0f, 1 / 4.0f}, {6 / 8.0f, 3 / 4.0f});
    const Picture picture = frame.paint(8, 6);
    const auto expect = [&](int x, int y, int texel) {
        EXPECT_NEAR(picture.red(x, y), 8 * texel, 2) << x << " " << y;
    };
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 4; ++x) expect(2 + x, 1 + y, 8 * (1 + y) + 2 + x);
    EXPECT_EQ(picture.red(1, 1) + picture.red(6, 1) + picture.red(2, 0) + picture.red(2, 3), 0);
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) expect(x, 4 + y, 8 * (1 + y) + 4 + x);
}

TEST(Painter, GlyphScalesByNearestTexelAndBlends) {
    Frame half;
    half.texels().assign(32, 128);
    half.rectangle({0, 0}, {4, 2}, IM_COL32(255, 255, 255, 128), {0, 0}, {4 / 8.0f, 2 / 4.0f});
    EXPECT_NEAR(half.paint(4, 4).red(1, 1), 64, 2);
    Frame large;
    for (std::size_t i = 0; i < 32; ++i) large.texels()[i] = static_cast<std::uint8_t>(8 * i);
    large.rectangle({0, 0}, {16, 8}, IM_COL32_WHITE, {0, 0}, {1, 1});
    const Picture picture = large.paint(16, 8);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 16; ++x)
            EXPECT_NEAR(picture.red(x, y), 8 * (8 * (y / 2) + x / 2), 2) << x << " " << y;
    // Draws a part of the texture, and a glyph at fractional coordinates.
    Frame part, between;
    part.texels() = between.texels() = large.texels();
    part.rectangle({0, 0}, {6, 4}, IM_COL32_WHITE, {0, 0}, {3 / 8.0f, 2 / 4.0f});
    const Picture twice = part.paint(8, 4);
    for (int x = 0; x < 6; ++x) EXPECT_NEAR(twice.red(x, 3), 8 * (8 + x / 2), 2) << x;
    between.rectangle({1.3f, 0.3f}, {5.3f, 2.3f}, IM_COL32_WHITE, {2 / 8.0f, 1 / 4.0f}, {6 / 8.0f, 3 / 4.0f});
    const Picture moved = between.paint(8, 4);
    for (int x = 0; x < 4; ++x) EXPECT_NEAR(moved.red(1 + x, 0), 8 * (8 + 2 + x), 2) << x;
}

TEST(Painter, TriangleWindingIsIrrelevantAndColoursInterpolate) {
    Frame there, back;
    there.triangle({1, 1}, {9, 1}, {1, 9}, IM_COL32_WHITE);
    back.triangle({1, 1}, {1, 9}, {9, 1}, IM_COL32_WHITE);
    const Picture one = there.paint(10, 10), two = back.paint(10, 10);
    EXPECT_EQ(one.pixels, two.pixels);
    int inside = 0;
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 10; ++x) inside += one.red(x, y) == 255;
    EXPECT_NEAR(inside, 32, 4);
    EXPECT_EQ(one.red(1, 1), 255);
    EXPECT_EQ(one.red(8, 8), 0);
    Frame flow;
    flow.triangle({0, 0}, {100, 0}, {0, 100}, IM_COL32(0, 0, 0, 255), IM_COL32(200, 0, 0, 255),
                  IM_COL32(0, 100, 0, 255));
    const Picture colours = flow.paint(100, 100);
    for (const auto& [x, y] : {std::pair{10, 10}, {50, 10}, {10, 50}, {80, 5}, {30, 60}}) {
        EXPECT_NEAR(colours.red(x, y), 2 * x + 1, 2) << x << " " << y;
        EXPECT_NEAR(static_cast<int>(colours.at(x, y) >> 8 & 0xff), y, 2) << x << " " << y;
    }
    Frame slanted;
    slanted.triangle({10, 5}, {90, 30}, {40, 95}, IM_COL32(240, 0, 0, 255), IM_COL32(0, 240, 0, 255),
                     IM_COL32(0, 0, 240, 255));
    const Picture middle = slanted.paint(100, 100);
    EXPECT_NEAR(middle.red(46, 43), 80, 4);
    EXPECT_NEAR(static_cast<int>(middle.at(46, 43) >> 8 & 0xff), 80, 4);
    EXPECT_NEAR(static_cast<int>(middle.at(46, 43) >> 16 & 0xff), 80, 4);
    EXPECT_GT(middle.red(12, 7), 225);
    EXPECT_GT(static_cast<int>(middle.at(86, 30) >> 8 & 0xff), 220);
    EXPECT_GT(static_cast<int>(middle.at(40, 91) >> 16 & 0xff), 220);
    // A rectangle that fades from opaque to transparent.
    Frame fade;
    fade.triangle({0, 0}, {100, 0}, {0, 100}, IM_COL32(255, 255, 255, 0), IM_COL32_WHITE,
                  IM_COL32(255, 255, 255, 0));
    EXPECT_NEAR(fade.paint(100, 100).red(50, 10), 128, 4);
}

// Four triangles meet in a point, and their corners are at pixel centres. Each pixel belongs to exactly one
// triangle.
TEST(Painter, AdjacentTrianglesCoverEachPixelOnce) {
    Frame frame;
    const ImVec2 middle{5.5f, 5.5f}, corners[] = {{1.5f, 1.5f}, {9.5f, 1.5f}, {9.5f, 9.5f}, {1.5f, 9.5f}};
    for (std::size_t i = 0; i < 4; ++i)
        frame.triangle(middle, corners[i], corners[(i + 1) % 4], IM_COL32(255, 255, 255, 127));
    const Picture picture = frame.paint(11, 11);
    for (int y = 0; y < 11; ++y)
        for (int x = 0; x < 11; ++x)
            EXPECT_EQ(picture.red(x, y), 1 <= x && x < 9 && 1 <= y && y < 9 ? 126 : 0) << x << " " << y;
    Frame low;
    low.triangle({0, 1.3f}, {8, 1.3f}, {4, 3.7f}, IM_COL32_WHITE);
    const Picture rows = low.paint(8, 6);
    EXPECT_EQ(rows.red(4, 1), 255);
    EXPECT_EQ(rows.red(4, 0) + rows.red(4, 4), 0);
}

TEST(Painter, DegenerateTrianglesAreSkipped) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), far = 1e8f;
    Frame frame;
    frame.triangle({1, 1}, {5, 5}, {9, 9}, IM_COL32_WHITE);
    frame.triangle({nan, 1}, {5, 5}, {9, 1}, IM_COL32_WHITE);
    frame.triangle({far, 1}, {5, 5}, {9, 1}, IM_COL32_WHITE);
    frame.rectangle({nan, 1}, {5, 5}, IM_COL32_WHITE);
    frame.rectangle({1, 1}, {5, 5}, IM_COL32(255, 255, 255, 0));
    for (const std::uint32_t pixel : frame.paint(10, 10).pixels) EXPECT_EQ(pixel, IM_COL32_BLACK);
}

}  // namespace ui_painter_test
}  // namespace ui

#endif
