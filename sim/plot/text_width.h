// How wide a text is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sim::plot {

// The character of a UTF-8 text that begins at `at`, which moves behind it, as it is shown: a line end or tab
// as a blank, and U+FFFD for what is not shown (sim/base/text.h). REQUIRES: at < text.size().
std::uint32_t next_character(std::string_view text, std::size_t& at);

// The width of a character in 1/2048 of the font's size.
int advance(std::uint32_t character, bool bold);

// The width of a text in the unit of `size`, rounded up. Pairs of letters are not kerned.
int text_width(std::string_view text, int size, bool bold);

}  // namespace sim::plot
