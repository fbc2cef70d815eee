// Numbers, times and paragraphs as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/types.h"
#include "sim/base/units.h"  // grouped()

namespace sim {

// A percentage, with more digits if it is small: "12.3 %", "1.23 %", "0.040 %", "0 %".
std::string percent(double share);

// These functions change only ASCII letters.
std::string upper_case(std::string_view text);   // "ABC"
std::string lower_case(std::string_view text);   // "abc"
std::string capitalized(std::string_view text);  // "Abc": only the first letter is changed

// "1 entry", "2,000 entries" for pluralize(n, "entr", "ies", "y").
std::string pluralize(std::uint64_t number, const char* stem, const char* plural_suffix = "s",
                      const char* singular_suffix = "");
// A bar of `width` characters, of which the fraction `share` is filled.
std::string text_bar(double share, int width);
// Breaks text at spaces and newlines into lines of at most `width` characters, including `indent`.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent = "");
// Simulated time in readable units: "1.234 ms", "17 h 0 min", "4.2 us".
std::string human_time(Nanos time);
// A point in time, fine enough to tell neighbouring events apart: "327.02 ms", "102.427408 s".
std::string human_instant(Nanos time);

}  // namespace sim
