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

// With small letters where ASCII has them, for what a person types.
std::string lowered(std::string_view text);

// An instant, to the nanosecond: "12.345 678 ms", "61 200.000 000 000 s". The unit fits the instant.
std::string instant(sim::Nanos t);

// A span, to three or four figures: "530 ns", "19.2 us", "1.04 s", "17.0 h".
std::string span(sim::Nanos t);

// 0.1234 as "12.3 %"; 1 as "100 %".
std::string percent(double share);

}  // namespace ui
