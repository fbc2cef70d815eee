// Paints ImGui's draw lists into memory, without a graphics card.
//
// A frame has thousands of upright rectangles of one colour and of glyphs at whole pixels, which are painted
// row by row; the rest is triangles. The arithmetic is in integers, so that the pixels are the same on every
// machine.
#pragma once

#include <imgui.h>

#include <cstdint>

#include "ui/platform/imgui_versions.h"

namespace ui {

// The pixels to paint: red, green, blue, alpha in memory, rows without gaps.
struct PixelGrid {
    std::uint32_t* pixels;
    int width;
    int height;
};

// Fills the pixels with the opaque colour `clear` and paints the frame over them. Assumes that `texture` is
// the only texture.
void paint(const ImDrawData& data, const AlphaTexture& texture, const PixelGrid& to, ImU32 clear);

}  // namespace ui
