// A drawing in the making: its shapes so far, and what is where already. The parts of a figure write on it
// one after the other, and a text for which there is no room is left out.
//
// Every length is a fraction of an em, the size of the texts, so that a figure grows with its letters.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sim/plot/drawing.h"
#include "sim/plot/geometry.h"
#include "sim/plot/layout.h"
#include "sim/plot/occupied.h"
#include "sim/plot/palette.h"
#include "sim/plot/text_fit.h"

namespace sim::plot {

// So many parts of an em.
struct Ems {
    int parts = 1, of = 1;
};

// Widths of lines, in units where an em is kEmOfWidths.
inline constexpr int kEmOfWidths = 15 * kUnit;
inline constexpr int kGridLine = 16, kAxisLine = 20, kZeroLine = 24, kNoteLine = 24;
// How far apart the lines of a pattern are.
inline constexpr int kPatternSpacing = 112;
// How far around its place a mark reaches, and a line, so that texts keep off both.
inline constexpr Ems kMarkReach{6, 10}, kLineReach{1, 8};

class Canvas {
  public:
    // `options` outlives it. REQUIRES: 0 < width and height < 100,000 (pixels).
    Canvas(int width, int height, const LayoutOptions& options);

    const Palette& colours() const { return colours_; }
    Box bounds() const { return {0, 0, drawing_.width, drawing_.height}; }
    int em() const { return em_; }
    int length(Ems ems) const { return em_ * ems.parts / ems.of; }
    // What a length is here that is given for an em of kEmOfWidths; 1 at least.
    int scaled(int units) const;

    Font title_font() const { return {options_.title_size, true}; }
    Font heading_font() const { return {em_, true}; }
    Font text_font() const { return {em_, false}; }
    Font small_font() const { return {options_.small_size, false}; }

    // --- shapes; the width and the dash are for scaled() ---

    void stroke(std::vector<Line> lines, int width, Colour colour, std::vector<int> dash = {});
    void fill(const Line& polygon, Colour colour);
    // With the lines of a pattern on it, in the colour `ink`.
    void fill(const Line& polygon, Colour colour, std::size_t pattern, Colour ink,
              int spacing = kPatternSpacing);
    // Says where a point of the data is.
    void add(const Place& place) { drawing_.places.push_back(place); }

    // --- texts ---

    // Not written yet. `at`: its baseline, at the anchor.
    static Text text(std::string words, Point at, Anchor anchor, Font font, Colour colour);
    // Writes the text unless another one is there already; whether it did.
    bool write(Text text);
    bool write(std::string words, Point at, Anchor anchor, Font font, Colour colour);
    // Writes lines one below the other, the first one below `top`; where they end.
    int write_below(const std::vector<std::string>& lines, Point top, Anchor anchor, Font font,
                    Colour colour);
    // Writes lines on a ground in the background's colour, which hides what is behind them; texts of points
    // keep away from it. `margin`: left of the lines, and above them.
    void write_on_ground(const std::vector<std::string>& lines, const Box& ground, Point margin);

    Occupied& occupied() { return occupied_; }
    const Occupied& occupied() const { return occupied_; }

    // The drawing, with which the canvas ends.
    Drawing finish() { return std::move(drawing_); }

  private:
    const LayoutOptions& options_;
    const Palette& colours_;
    int em_;
    Drawing drawing_;
    Occupied occupied_;
};

}  // namespace sim::plot
