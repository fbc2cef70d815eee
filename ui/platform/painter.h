// Paints ImGui's draw lists into memory, without a graphics card.
//
// A frame consists mainly of thousands of upright rectangles at whole pixels, each with one colour or a
// glyph. The painter paints them row by row, and everything else as triangles. It calculates with integers,
// so that the pixels are the same on every machine.
#pragma once

#include <imgui.h>

#include <cstdint>

#include "ui/platform/imgui_versions.h"

namespace ui {

// The pixels to paint. A pixel is the bytes red, green, blue, alpha in this order; there are no gaps between
// rows.
struct PixelGrid {
    std::uint32_t* pixels;
    int width;
    int height;
};

// Fills the pixels with the opaque colour `background` and paints the frame over them. Assumes that `texture`
// is the only texture.
void paint(const ImDrawData& data, const AlphaTexture& texture, const PixelGrid& target, ImU32 background);

}  // namespace ui
