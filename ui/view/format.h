// Formats numbers, times and texts for the window.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/types.h"

namespace ui {

inline constexpr const char* kThinSpace = " ";  // between groups of digits

// A number with grouped digits: "24 289 115".
std::string group_digits(std::uint64_t n);
// A number with its noun: "1 task", "2 000 tasks" for pluralize(n, "task", "s").
std::string pluralize(std::uint64_t n, std::string_view what, std::string_view plural);

// A time to the nanosecond: "12.345 678 ms", "13.42 µs", "61.2 s"; from one hour on "2:23:29.489 096 726".
// Navigator::go_to() accepts a text in this format.
std::string instant_text(sim::Nanos t);
// A time rounded to a multiple of the largest power of ten that is at most `step`. `step` is the resolution
// of a view: "2:23:29.489" for 3 ms per pixel. REQUIRES: step > 0.
std::string instant_text(sim::Nanos t, sim::Nanos step);
// Converts a typed time in the format of instant_text() to the syntax of sim::parse_seek_target(), such as
// "13.42us". In a text that is not a time, only removes superfluous spaces and replaces "µs" by "us".
std::string to_seek_syntax(std::string_view typed_time);

// A duration as text: "53 ns", "530 ns", "19.2 µs", "1.04 s", "17.0 h". Times of 100 ns or more have at least
// three digits.
std::string span(sim::Nanos t);
// A part of `whole` in the unit of span(whole): "0.53 µs" of 31.1 µs. A part that would be shown as 0 in this
// unit is shown in a smaller unit.
std::string span(sim::Nanos part, sim::Nanos whole);
// A range and its length: "12 ms to 13.5 ms, 1.5 ms".
std::string range_text(sim::Nanos begin, sim::Nanos end);

// Replaces the unit "us", which the simulator uses: "us per yield" becomes "µs per yield".
std::string with_micro_sign(std::string_view text);

// An external text, prepared for a text box: invalid, control and unsupported characters are replaced by
// '_', and the text is cut to at most `most` bytes, without splitting a character.
std::string sanitize_for_text_box(std::string_view text, std::size_t most);

// A share as a percentage: 0.1234 is "12.3 %", 1 is "100 %".
std::string percent(double share);

}  // namespace ui
