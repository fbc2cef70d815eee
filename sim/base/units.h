// Parsing and formatting of times and sizes: "2.5ms", "64KiB".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/types.h"

namespace sim {

// The last parts of messages about a malformed time or size.
inline constexpr const char* kTimeForms = "; write it like \"200ms\"; units are ns, us, ms, s, min, h";
inline constexpr const char* kSizeForms = "; write it like \"64KiB\"; units are B, KiB, MiB, GiB";

inline constexpr const char* kLongestTime = "78h of simulated time";  // kHorizon in words, for messages
inline constexpr std::uint32_t kLargestSize = 1u << 30;               // in bytes

// Parses a time such as "2.5ms". Returns nullopt with the reason in `why` if the text is not a time or is
// above kHorizon. The result is exact: a fraction of a nanosecond is refused, not rounded.
std::optional<Nanos> parse_time(std::string_view text, std::string& why);

// Returns 1500 ns as "1.5us": the exact time in the largest unit, up to seconds, in which it is at least 1.
std::string format_time(Nanos time);

// Parses a size such as "64KiB" into bytes. If the size is too large, returns some number above
// kLargestSize. Returns nullopt with the reason in `why` if the text is not a size.
std::optional<std::uint64_t> parse_size(std::string_view text, std::string& why);

// Returns 65536 bytes as "64KiB": the exact size, in the largest unit in which it is a whole number.
std::string format_size(std::uint64_t bytes);

// "; did you mean ...?" with the sizes that a bare number could mean: bytes or KiB. REQUIRES: digits only.
std::string suggest_size_with_unit(std::string_view digits);

// Returns 1234567 as "1,234,567".
std::string group_digits(std::uint64_t number, const char* separator = ",");

}  // namespace sim
