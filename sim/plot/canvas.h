// A drawing under construction: its shapes and the map of occupied space. The parts of a figure draw on it in
// order; a text is omitted if there is no space for it.
//
// All lengths are fractions of an em, the text size, so that a figure scales with its text.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sim/plot/collision_map.h"
#include "sim/plot/drawing.h"
#include "sim/plot/geometry.h"
#include "sim/plot/layout.h"
#include "sim/plot/palette.h"
#include "sim/plot/text_fit.h"

namespace sim::plot {

// A length as a fraction of an em: `parts` / `of`.
struct EmLength {
    int parts = 1, of = 1;
};

// kEmOfWidths: the em (font size) for which the following line widths are specified, all in units (kUnit
// units are 1 pixel). Canvas scales the widths if its own em is different.
inline constexpr int kEmOfWidths = 15 * kUnit;
inline constexpr int kGridLine = 16, kAxisLine = 20, kZeroLine = 24, kNoteLine = 24;
// Distance in units between the lines of a fill pattern, for an em of kEmOfWidths.
inline constexpr int kPatternSpacing = 112;
// The minimum distance of a text from a marker of a data point, and from a line.
inline constexpr EmLength kMarkReach{6, 10}, kLineReach{1, 8};

class Canvas {
  public:
    // `options` must outlive the canvas. REQUIRES: 0 < width and height < 100,000 (pixels).
    Canvas(int width, int height, const LayoutOptions& options);

    const Palette& colours() const { return colours_; }
    Box bounds() const { return {0, 0, drawing_.width, drawing_.height}; }
    int em() const { return em_; }
    int length(EmLength ems) const { return em_ * ems.parts / ems.of; }
    // Converts a length for an em of kEmOfWidths to the em of this drawing; returns at least 1.
    int scaled_to_em(int units) const;

    Font title_font() const { return {options_.title_size, true}; }
    Font heading_font() const { return {em_, true}; }
    Font text_font() const { return {em_, false}; }
    Font small_font() const { return {options_.small_size, false}; }

    // --- shapes; widths and dashes are scaled by scaled_to_em() ---

    void stroke(std::vector<Line> lines, int width, Colour colour, std::vector<int> dash = {});
    void fill(const Line& polygon, Colour colour);
    // Fills the polygon with `colour` and draws the lines of the pattern in the colour `ink`.
    void fill(const Line& polygon, Colour colour, std::size_t pattern, Colour ink,
              int spacing = kPatternSpacing);
    // Records the position of a data point.
    void add_plotted_point(const PlottedPoint& place) { drawing_.places.push_back(place); }

    // --- texts ---

    // Returns a text item without adding it to the drawing. `at`: the position of the anchor on the baseline.
    static Text text(std::string words, Point at, Anchor anchor, Font font, Colour colour);
    // Writes the text unless it is empty, extends beyond the picture or overlaps another text. Returns
    // whether it was written.
    bool write(Text text);
    bool write(std::string words, Point at, Anchor anchor, Font font, Colour colour);
    // Writes lines one below the other, starting at `top`; returns the y coordinate below the last line.
    int write_below(const std::vector<std::string>& lines, Point top, Anchor anchor, Font font,
                    Colour colour);
    // Writes lines on a box in the background colour, which covers the shapes drawn so far. Later texts that
    // avoid data avoid the box too. `margin`: space to the left of the lines and above them.
    void write_in_filled_box(const std::vector<std::string>& lines, const Box& box, Point margin);

    CollisionMap& occupied() { return occupied_; }
    const CollisionMap& occupied() const { return occupied_; }

    // Moves the drawing out; the canvas must not be used afterwards.
    Drawing finish() { return std::move(drawing_); }

  private:
    const LayoutOptions& options_;
    const Palette& colours_;
    int em_;
    Drawing drawing_;
    CollisionMap occupied_;
};

}  // namespace sim::plot
