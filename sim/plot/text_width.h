// The width of texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sim::plot {

// Decodes the character of a UTF-8 text at `at` and advances `at` past it. Line ends and tabs become spaces,
// unprintable characters U+FFFD (sim/base/text.h). REQUIRES: at < text.size().
std::uint32_t next_character(std::string_view text, std::size_t& at);

// The width of a character in 1/2048 of the font's size.
int advance_width(std::uint32_t character, bool bold);

// The width of a text in the unit of `size`, rounded up, without kerning.
int text_width(std::string_view text, int size, bool bold);

}  // namespace sim::plot
