#include "ui/platform/fonts.h"

#include <stb_rect_pack.h>  // must precede stb_truetype.h, which then packs glyphs with it, as in Dear ImGui
// stb_truetype is compiled here, also for Dear ImGui. The installed library of stb may use fused multiply-add
// instructions, which make some letters slightly darker.
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/plot/fonts.h"
#include "ui/platform/builtin.h"

namespace ui {
namespace {

// The characters in the fonts, as ranges (first, last), with a 0 at the end: Latin letters, and the symbols
// that the window uses. ImGui keeps a pointer to the array, so the array is static. DejaVu lacks the symbols
// for play, pause and stop; kSymbols defines them.
constexpr ImWchar kCharacters[] = {
    0x0020, 0x007e, 0x00a0, 0x00ff,  // Basic Latin and Latin-1, with multiplication sign, middle dot, micro
    0x03a3, 0x03a3, 0x03bc, 0x03bc,  // capital sigma, mu
    0x2010, 0x2015, 0x2018, 0x201e,  // dashes and quotation marks
    0x2022, 0x2022, 0x2026, 0x2026,  // bullet, ellipsis
    0x2190, 0x2195, 0x21b5, 0x21b5,  // arrows
    0x2206, 0x2206, 0x2211, 0x2212,  // increment, sum, minus
    0x221e, 0x221e, 0x2248, 0x2248, 0x2260, 0x2260, 0x2264, 0x2265,  // infinity, comparisons
    0x25a0, 0x25a1, 0x25ae, 0x25af, 0x25b2, 0x25c6,                  // squares, bars, triangles
    0x25c7, 0x25c7, 0x25cb, 0x25cb, 0x25cf, 0x25cf,                  // diamond, circles
    0x2713, 0x2713, 0x2715, 0x2717,                                  // check mark, crosses
    0xfffd, 0xfffd, 0};

// A symbol that is drawn into the atlas from bars and triangles. Coordinates are from 0 to 16.
struct Symbol {
    ImWchar character;
    bool (*covers)(float x, float y);
};
bool is_in_bar(float x, float y, float left, float right) {
    return x >= left && x < right && y >= 2 && y < 14;
}
bool is_in_triangle(float x, float y, float base, float tip) {
    const float along = (x - tip) / (base - tip);  // 0 at the tip, 1 at the base
    return along >= 0 && along < 1 && std::abs(y - 8) < 6 * along;
}
constexpr Symbol kSymbols[] = {
    {0x23f8, [](float x, float y) { return is_in_bar(x, y, 3, 6.5f) || is_in_bar(x, y, 9.5f, 13); }},
    {0x23f5, [](float x, float y) { return is_in_triangle(x, y, 3, 14); }},
    {0x23f4, [](float x, float y) { return is_in_triangle(x, y, 13, 2); }},
    {0x23f9, [](float x, float y) { return is_in_bar(x, y, 2, 14); }},
    {0x23ee,
     [](float x, float y) {
         return is_in_bar(x, y, 1, 3) || is_in_triangle(x, y, 9, 3) || is_in_triangle(x, y, 15, 9);
     }},
    {0x23ed,
     [](float x, float y) {
         return is_in_bar(x, y, 13, 15) || is_in_triangle(x, y, 1, 7) || is_in_triangle(x, y, 7, 13);
     }},
};
constexpr int kSamples = 4;  // samples per pixel of a symbol, in each direction

// True if the pattern covers the pixel x, y of its tile. A tile is a whole number of periods wide and high.
bool is_inked(Pattern pattern, int x, int y, int period) {
    const int line = std::max(1, (period + 2) / 4);
    switch (pattern) {
        case Pattern::solid:
            return true;
        case Pattern::hatch:
            return (x + y) % period < line;
        case Pattern::dense_hatch:
            return (x - y + 64 * period) % (period / 2) < std::max(1, line - 1);
        case Pattern::vertical:
            return x % period < line;
        case Pattern::horizontal:
            return y % period < line;
        case Pattern::checker:
            return (x * 2 / period + y * 2 / period) % 2 == 0;
        case Pattern::dots: {
            const int shift = y / (period / 2) % 2 * (period / 2);
            return (x + shift) % period < line && y % (period / 2) < line;
        }
        case Pattern::grid:
            return x % period < line || y % period < line;
    }
    return true;
}

ImFont* add_font(ImFontAtlas& atlas, std::string_view ttf_data, float size_in_pixels) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    // One texel per pixel, so that text is copied and not resampled.
    config.OversampleH = 1;
    config.OversampleV = 1;
    config.PixelSnapH = true;
    // ImGui does not modify the font data, although its parameter is not const.
    return atlas.AddFontFromMemoryTTF(const_cast<char*>(ttf_data.data()), static_cast<int>(ttf_data.size()),
                                      size_in_pixels, &config, kCharacters);
}

}  // namespace

Fonts build_fonts(ImFontAtlas& atlas, float scale) {
    clear_atlas(atlas, 1024);
    // Without this flag, ImGui does not draw vertical lines as rectangles of one colour.
    atlas.Flags |= ImFontAtlasFlags_NoBakedLines;
    Fonts fonts{};
    fonts.scale = scale;
    fonts.sans = add_font(atlas, sim::plot::sans_font_bytes(), std::round(15 * scale));
    fonts.mono = add_font(atlas, builtin_mono_font(), std::round(14 * scale));
    fonts.title = add_font(atlas, sim::plot::bold_font_bytes(), std::round(20 * scale));

    const int period = std::max(2, static_cast<int>(std::lround(4 * scale))) * 2;  // even
    std::array<int, kPatterns> tile_ids{};
    for (int& id : tile_ids) id = reserve_rect(atlas, 8 * period, 4 * period);
    std::vector<int> symbol_ids;
    const int side = static_cast<int>(std::lround(13 * scale));
    for (const Symbol& symbol : kSymbols)
        symbol_ids.push_back(reserve_glyph(atlas, fonts.sans, symbol.character, side,
                                           static_cast<float>(side) + 1,
                                           ImVec2(0, std::round(1.5f * scale))));

    build_atlas(atlas);
    const auto [pixels, width, height] = texture_of(atlas);
    const ImVec2 texel(1.0f / static_cast<float>(width), 1.0f / static_cast<float>(height));
    for (std::size_t i = 0; i < kPatterns; ++i) {
        const AtlasRect at = rect_in_atlas(atlas, tile_ids[i]);
        for (int y = 0; y < at.height; ++y)
            for (int x = 0; x < at.width; ++x)
                pixels[(at.y + y) * width + at.x + x] =
                    is_inked(static_cast<Pattern>(i), x, y, period) ? std::uint8_t{255} : std::uint8_t{0};
        fonts.tiles[i] = {ImVec2(static_cast<float>(at.x) * texel.x, static_cast<float>(at.y) * texel.y),
                          texel, static_cast<float>(at.width), static_cast<float>(at.height)};
    }
    for (std::size_t i = 0; i < symbol_ids.size(); ++i) {
        const AtlasRect at = rect_in_atlas(atlas, symbol_ids[i]);
        const float unit = 16 / static_cast<float>(side * kSamples);
        for (int y = 0; y < at.height; ++y) {
            for (int x = 0; x < at.width; ++x) {
                int hits = 0;
                for (int sample = 0; sample < kSamples * kSamples; ++sample)
                    hits += kSymbols[i].covers(
                        (static_cast<float>(x * kSamples + sample % kSamples) + 0.5f) * unit,
                        (static_cast<float>(y * kSamples + sample / kSamples) + 0.5f) * unit);
                pixels[(at.y + y) * width + at.x + x] =
                    static_cast<unsigned char>(hits * 255 / (kSamples * kSamples));
            }
        }
    }
    return fonts;
}

void fill_rect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour) {
    if (!(min.x < max.x && min.y < max.y) || (colour & IM_COL32_A_MASK) == 0) return;
    list.PrimReserve(6, 4);
    list.PrimRect(min, max, colour);
}

void fill_pattern(ImDrawList& list, const Fonts& fonts, Pattern pattern, ImVec2 min, ImVec2 max,
                  ImU32 colour) {
    if (pattern == Pattern::solid) {
        fill_rect(list, min, max, colour);
        return;
    }
    // Clips the rectangle first, because a slice of a magnified timeline can be a thousand times as wide as
    // the window. Then rounds the edges of the clipped rectangle as the painter rounds those of a solid one.
    const ImVec2 clip_min = list.GetClipRectMin();
    const ImVec2 clip_max = list.GetClipRectMax();
    min =
        ImVec2(std::ceil(std::max(min.x, clip_min.x) - 0.5f), std::ceil(std::max(min.y, clip_min.y) - 0.5f));
    max =
        ImVec2(std::ceil(std::min(max.x, clip_max.x) - 0.5f), std::ceil(std::min(max.y, clip_max.y) - 0.5f));
    if (!(min.x < max.x && min.y < max.y) || (colour & IM_COL32_A_MASK) == 0) return;
    const PatternTile& tile = fonts.tile(pattern);
    for (float top = std::floor(min.y / tile.height) * tile.height; top < max.y; top += tile.height) {
        for (float left = std::floor(min.x / tile.width) * tile.width; left < max.x; left += tile.width) {
            const ImVec2 from(std::max(min.x, left), std::max(min.y, top));
            const ImVec2 to(std::min(max.x, left + tile.width), std::min(max.y, top + tile.height));
            const auto uv = [&](const ImVec2& at) {
                return ImVec2(tile.uv.x + (at.x - left) * tile.texel.x,
                              tile.uv.y + (at.y - top) * tile.texel.y);
            };
            list.PrimReserve(6, 4);
            list.PrimRectUV(from, to, uv(from), uv(to), colour);
        }
    }
}

}  // namespace ui
