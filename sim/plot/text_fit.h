// Fits texts into a width: cuts them with an ellipsis or breaks them between words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sim::plot {

// DejaVu Sans; size in units of a drawing.
struct Font {
    int size = 0;
    bool bold = false;
};

int text_width(std::string_view text, Font font);
// Width of the widest line; 0 without lines.
int text_width(const std::vector<std::string>& lines, Font font);

// Distance from one baseline to the next.
int line_height(Font font);
// The baseline of a line whose top is at `top`.
int baseline_below(int top, Font font);
// The baseline of a line whose digits are centred at `middle`.
int baseline_around(int middle, Font font);

// The text, cut with an ellipsis if it is too wide; empty if not even one letter fits.
std::string shortened(std::string_view text, Font font, int width);

// Up to `max_lines` lines, broken between words and at '\n'; the last line is cut if text remains.
std::vector<std::string> wrapped(std::string_view text, Font font, int width, std::size_t max_lines);

}  // namespace sim::plot
