// Numbers as the window writes them: grouped by thousands, never without a unit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/types.h"

namespace ui {

inline constexpr const char* kThinSpace = " ";  // between groups of digits

// "24 289 115"
std::string grouped(std::uint64_t n);
// "1 task", "2 000 tasks" for so_many(n, "task", "s").
std::string so_many(std::uint64_t n, std::string_view what, std::string_view plural);

// With small letters where ASCII has them, for what a person types.
std::string lowered(std::string_view text);

// An instant, to the nanosecond, without zeros that say nothing: "12.345 678 ms", "13.42 µs", "61.2 s"; from
// an hour on "2:23:29.489 096 726". Navigator::go_to() takes it.
std::string instant(sim::Nanos t);
// The same as exact as `step`, of which a view shows what is apart: to the power of ten that is not above it.
// A pixel that is 3 ms gives "2:23:29.489". REQUIRES: step > 0.
std::string instant(sim::Nanos t, sim::Nanos step);
// An instant that instant() has written, or somebody has typed like that, as sim::parse_place() takes it:
// "13.42us". Any other text comes back as it is, but for blanks.
std::string typed_place(std::string_view text);

// A span, to three or four figures: "530 ns", "19.2 µs", "1.04 s", "17.0 h".
std::string span(sim::Nanos t);
// "12 ms to 13.5 ms, 1.5 ms"
std::string from_to(sim::Nanos begin, sim::Nanos end);

// A text of the simulator's, in which microseconds are "us" as in files, as the window writes it: "us per
// yield" as "µs per yield".
std::string with_micro_sign(std::string_view text);

// A text from outside as a box may begin with it: what is no character, no text box can hold or would be
// obeyed is a '_', and what is beyond so many bytes is cut off between characters.
std::string typeable(std::string_view text, std::size_t most);

// 0.1234 as "12.3 %"; 1 as "100 %".
std::string percent(double share);

}  // namespace ui
