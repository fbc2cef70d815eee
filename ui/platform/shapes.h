// Lines, rings, discs and polygons, drawn alike on every machine.
//
// Dear ImGui's own are not: its lines are normalised by RSQRTSS where the processor has it, an approximation
// that each maker of processors implements in its own way, and its circles are made of the C library's sines.
// Here every corner follows from +, -, *, / and square roots, which IEEE 754 defines to the last bit. The
// look is that of ImGui's unsmoothed shapes. tests/ui/ui_shapes_test.cpp refuses the calls that these are
// for, and looks for lines of ImGui's in what the window draws.
#pragma once

#include <imgui.h>

#include <initializer_list>
#include <span>

namespace ui {

// A line through the middles of the pixels at `from` and `to`, as wide as given.
void stroke(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float width);

// One line after the other, exactly from point to point; each ends squarely at its points. A closed one goes
// on from the last point to the first.
void polyline(ImDrawList& list, std::span<const ImVec2> points, ImU32 colour, float width,
              bool closed = false);

// Fills a convex polygon of at least three corners. Polygons with a common edge join without a seam.
void polygon(ImDrawList& list, std::span<const ImVec2> corners, ImU32 colour);
inline void polygon(ImDrawList& list, std::initializer_list<ImVec2> corners, ImU32 colour) {
    polygon(list, std::span<const ImVec2>(corners.begin(), corners.size()), colour);
}

// As many corners as a disc or a ring may have. 0 asks for what a circle of that radius needs to look like
// one. REQUIRES: 0, or a divisor of 240 from 3 on.
void disc(ImDrawList& list, ImVec2 middle, float radius, ImU32 colour, int corners = 0);
// The radius is that of the outer edge of a ring that is 1 wide; a wider one is as much wider inside as
// outside.
void ring(ImDrawList& list, ImVec2 middle, float radius, ImU32 colour, int corners, float width);

// ImGui's check box, with a mark of these lines.
bool checkbox(const char* label, bool* chosen);

// The button at the right of a window's title that ImGui has for windows that know whether they are open,
// with a cross of these lines. Returns whether it was clicked. REQUIRES: right after ImGui::Begin() of a
// window with a title.
bool close_button();

}  // namespace ui
