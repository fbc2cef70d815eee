// Lines, rings, discs and polygons with the same pixels on every machine.
//
// Dear ImGui's own shapes differ: it normalizes lines with RSQRTSS, an approximation that differs between
// processors, and computes circles with the C library's sines. Here every corner is computed with +, -, *, /
// and square roots, which IEEE 754 defines to the last bit. The shapes look like ImGui's without smoothing.
// tests/ui/ui_shapes_test.cpp verifies that the window does not use ImGui's shapes.
#pragma once

#include <imgui.h>

#include <initializer_list>
#include <span>

namespace ui {

// Draws a line from the centre of the pixel `from` to the centre of the pixel `to`.
void stroke(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float width);

// Draws connected lines exactly from point to point, with square ends. `closed`: also draws a line from the
// last point to the first.
void polyline(ImDrawList& list, std::span<const ImVec2> points, ImU32 colour, float width,
              bool closed = false);

// Fills a convex polygon of at least three corners. Polygons with a common edge join without a seam.
void polygon(ImDrawList& list, std::span<const ImVec2> corners, ImU32 colour);
inline void polygon(ImDrawList& list, std::initializer_list<ImVec2> corners, ImU32 colour) {
    polygon(list, std::span<const ImVec2>(corners.begin(), corners.size()), colour);
}

// Fills a disc. `corners`: number of corners of the polygon; 0 selects a number that suits the radius.
// REQUIRES: `corners` is 0 or a divisor of 240 that is at least 3.
void disc(ImDrawList& list, ImVec2 middle, float radius, ImU32 colour, int corners = 0);
// Draws a ring: a line of `width` pixels along the circle with the radius `radius` - 0.5. So `radius` is the
// outer radius if `width` is 1.
void ring(ImDrawList& list, ImVec2 middle, float radius, ImU32 colour, int corners, float width);

// ImGui's check box, with this program's own check mark.
bool checkbox(const char* label, bool* chosen);

// ImGui's close button at the right of a title, with this program's own cross. Returns true if it was
// clicked. REQUIRES: called right after ImGui::Begin() of a window with a title.
bool close_button();

}  // namespace ui
