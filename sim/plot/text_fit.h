// Texts made to fit into a width: cut with an ellipsis, or broken between words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sim::plot {

// DejaVu Sans, in a size in units of the drawing.
struct Font {
    int size = 0;
    bool bold = false;
};

int text_width(std::string_view text, Font font);
// That of the widest; 0 for none.
int text_width(const std::vector<std::string>& lines, Font font);

// From one baseline to the next.
int line_height(Font font);
// The baseline of a line that begins at `top`.
int baseline_below(int top, Font font);
// The baseline of a line whose digits have their middle at `middle`.
int baseline_around(int middle, Font font);

// The text, or as much of its beginning as fits, with an ellipsis; empty when not one letter does.
std::string shortened(std::string_view text, Font font, int width);

// At most `most` lines, broken between words and at '\n'; the last one is cut where there is more.
std::vector<std::string> wrapped(std::string_view text, Font font, int width, std::size_t most);

}  // namespace sim::plot
