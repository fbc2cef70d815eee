// Formats numbers, times and texts for the window.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/types.h"

namespace ui {

inline constexpr const char* kThinSpace = " ";  // between groups of digits

// "24 289 115"
std::string grouped(std::uint64_t n);
// "1 task", "2 000 tasks" for pluralize(n, "task", "s").
std::string pluralize(std::uint64_t n, std::string_view what, std::string_view plural);

// A time to the nanosecond: "12.345 678 ms", "13.42 µs", "61.2 s"; from one hour on "2:23:29.489 096 726".
// Navigator::go_to() accepts it.
std::string instant(sim::Nanos t);
// A time rounded to the power of ten at or below `step`, the resolution of a view. For 3 ms per pixel:
// "2:23:29.489". REQUIRES: step > 0.
std::string instant(sim::Nanos t, sim::Nanos step);
// Converts the format of instant() to the syntax of sim::parse_place(): "13.42us". In other texts only spaces
// change.
std::string typed_place(std::string_view text);

// A duration in three or four digits: "530 ns", "19.2 µs", "1.04 s", "17.0 h".
std::string span(sim::Nanos t);
// "12 ms to 13.5 ms, 1.5 ms"
std::string from_to(sim::Nanos begin, sim::Nanos end);

// Replaces the unit "us" of the simulator: "us per yield" becomes "µs per yield".
std::string with_micro_sign(std::string_view text);

// An external text for a text box, cut between characters to `most` bytes. Invalid, control and unsupported
// characters become '_'.
std::string typeable(std::string_view text, std::size_t most);

// 0.1234 as "12.3 %"; 1 as "100 %".
std::string percent(double share);

}  // namespace ui
