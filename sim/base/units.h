// Times and sizes as people write them: "2.5ms", "64KiB".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/types.h"

namespace sim {

// The end of a message about something that is no time, or no size: what one looks like.
inline constexpr const char* kTimeForms = "; one looks like \"200ms\", with ns, us, ms, s, min or h";
inline constexpr const char* kSizeForms = "; one looks like \"64KiB\", with B, KiB, MiB or GiB";

inline constexpr const char* kLongestTime = "78h of simulated time";  // kHorizon, for a message
inline constexpr std::uint32_t kLargestSize = 1u << 30;               // in bytes

// "2.5ms" as time. Returns nothing when it is not a time or above kHorizon, with the reason in `why`. Exact:
// a fraction of a nanosecond is refused, not rounded.
std::optional<Nanos> parse_time(std::string_view text, std::string& why);

// 1500 ns as "1.5us": exact, in the largest unit up to seconds that leaves no leading zero.
std::string format_time(Nanos time);

// "64KiB" in bytes; of what is too large, some number above kLargestSize. Returns nothing when it is not a
// size, with the reason in `why`.
std::optional<std::uint64_t> parse_size(std::string_view text, std::string& why);

// 65536 bytes as "64KiB": exact, in the largest unit that leaves a whole number.
std::string format_size(std::uint64_t bytes);

// "; did you mean ...?" with what a bare number can mean as a size: bytes, or so many KiB.
// REQUIRES: digits only.
std::string size_suggestion(std::string_view digits);

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace sim
