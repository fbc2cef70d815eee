// The values of an axis as people write them: lists, geometric and arithmetic ranges, times and sizes, words.
//
// Ranges are worked out in decimal, never in binary: 0..1/0.1 has the eleven values that one writes down by
// hand, and none of them is 0.30000000000000004.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sim::lab {

inline constexpr std::size_t kMaxValues = 100'000;   // of one axis
inline constexpr std::size_t kLongestValue = 1'000;  // in bytes

// What is wrong with the values of an axis or with the name of a measure.
class LabError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// "2,4,8", "2..4096*2", "0..1/0.1" (or "0..1+0.1"), "1..10", "0.25us..2us*2", "a,b": the values one by one,
// in the order in which they are written. A comma inside of quotes or brackets belongs to the value. Throws
// LabError.
std::vector<std::string> parse_values(std::string_view text);

// A list of values as numbers.
struct Numbers {
    std::vector<double> values;
    std::string unit;      // of them: that of the first value; empty for bare numbers
    bool integers = true;  // bare whole numbers below 10^15
};
// Nothing when one of them is no number, or some are times and others are not.
std::optional<Numbers> numbers_of(std::span<const std::string> values);

}  // namespace sim::lab
