// Draws what ImGui wants drawn into memory, without a graphics card.
//
// A frame of Switchyard is thousands of upright rectangles of one colour and thousands of glyphs at whole
// pixels. The painter fills the ones and blends the others row by row, and everything else as triangles. The
// arithmetic is in integers: the same frame gives the same pixels on every machine.
#pragma once

#include <imgui.h>

#include <cstdint>

#include "ui/platform/imgui_versions.h"

namespace ui {

// Where to paint: red, green, blue, alpha in memory, rows without gaps.
struct PixelGrid {
    std::uint32_t* pixels;
    int width;
    int height;
};

// Fills the pixels with the opaque colour `clear` and paints the frame over them. Every texture is taken to
// be `texture`.
void paint(const ImDrawData& data, const AlphaTexture& texture, const PixelGrid& to, ImU32 clear);

}  // namespace ui
