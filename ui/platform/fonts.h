// The window's fonts and fill patterns, in one texture. The fonts are DejaVu's and are built into the
// program, so that text is the same on every machine. Patterns are white tiles, drawn in any colour. They
// distinguish states also for users who cannot distinguish the colours.
#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>

#include "ui/platform/imgui_versions.h"

namespace ui {

enum class Pattern {
    solid,
    hatch,        // diagonal lines
    dense_hatch,  // diagonal lines in the other direction, twice as dense
    vertical,
    horizontal,
    checker,
    dots,
    grid,  // horizontal and vertical lines
};
inline constexpr std::size_t kPatterns = 8;

// The tile of a pattern in the texture.
struct PatternTile {
    ImVec2 uv;     // upper left corner
    ImVec2 texel;  // size of a pixel in texture coordinates
    float width;   // in pixels; one pixel is one texel
    float height;
};

struct Fonts {
    ImFont* sans;   // 15 pixels at scale 1; ImGui's default font
    ImFont* mono;   // 14 pixels
    ImFont* title;  // bold, 20 pixels
    float scale;
    std::array<PatternTile, kPatterns> tiles;  // by Pattern; the tile of `solid` is unused

    const PatternTile& tile(Pattern pattern) const { return tiles[static_cast<std::size_t>(pattern)]; }
};

// Rebuilds ImGui's font atlas with fonts and tiles for this scale. REQUIRES: called outside a frame.
Fonts build_fonts(ImFontAtlas& atlas, float scale);

// Fills a rectangle, rounded to whole pixels, without smoothing; does nothing if it is empty.
void fill_rect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour);

// Fills a rectangle with a pattern that is aligned to the screen, so that neighbouring rectangles join
// without a seam. Parts outside the clip rectangle cost nothing.
void fill_pattern(ImDrawList& list, const Fonts& fonts, Pattern pattern, ImVec2 min, ImVec2 max,
                  ImU32 colour);

}  // namespace ui
