// The fonts of the window and the patterns of its bars, in one texture.
//
// The fonts are DejaVu's, built into the program, so that every machine shows the same text in the same
// place. The patterns are tiles of white in the same texture, so that a frame of bars and labels is drawn
// without ever changing textures. They exist so that colour is never the only sign of a state.
#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>

#include "ui/platform/imgui_versions.h"

namespace ui {

enum class Pattern {
    solid,
    hatch,        // diagonal lines
    dense_hatch,  // the other diagonal, twice as close
    vertical,
    horizontal,
    checker,
    dots,
    grid,  // lines across and down
};
inline constexpr std::size_t kPatterns = 8;

// Where a pattern's tile is in the texture.
struct PatternTile {
    ImVec2 uv;     // of its upper left corner
    ImVec2 texel;  // what one pixel is in texture coordinates
    float width;   // in pixels, and texels
    float height;
};

struct Fonts {
    ImFont* sans;   // 15 pixels at scale 1; ImGui's default font
    ImFont* mono;   // 14 pixels
    ImFont* title;  // bold, 20 pixels
    float scale;
    std::array<PatternTile, kPatterns> tiles;  // by Pattern; that of `solid` is unused

    const PatternTile& tile(Pattern pattern) const { return tiles[static_cast<std::size_t>(pattern)]; }
};

// Fills ImGui's font atlas anew, with fonts and tiles for this scale.
// REQUIRES: no frame is being made.
Fonts build_fonts(ImFontAtlas& atlas, float scale);

// Fills a rectangle with a colour, to whole pixels and without smoothing; nothing when it is empty.
void fill_rect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour);

// Fills a rectangle with a pattern in a colour. The pattern is locked to the screen rather than to the
// rectangle: neighbouring rectangles of one pattern join without a seam. What the draw list clips away costs
// nothing.
void fill_pattern(ImDrawList& list, const Fonts& fonts, Pattern pattern, ImVec2 min, ImVec2 max,
                  ImU32 colour);

}  // namespace ui
