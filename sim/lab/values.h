// Parses the values of an axis: lists, geometric and arithmetic ranges, times and sizes, words.
//
// Ranges are computed in decimal, not in binary: 0..1/0.1 has exactly the eleven expected values, and none is
// 0.30000000000000004.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sim::lab {

inline constexpr std::size_t kMaxValues = 100'000;   // per axis
inline constexpr std::size_t kLongestValue = 1'000;  // in bytes

// An error in the values of an axis, the name of a measure or the description of a sweep.
class LabError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Expands "2,4,8", "2..4096*2", "0..1/0.1" (or "0..1+0.1"), "1..10", "0.25us..2us*2" or "a,b" to single
// values in the order written. A comma inside quotes or brackets belongs to the value. Throws LabError.
std::vector<std::string> parse_values(std::string_view text);

// A list of values as numbers, in one unit.
struct NumericValues {
    std::vector<double> values;
    std::string unit;      // unit of the first value; empty for bare numbers
    bool integers = true;  // true: all values are whole numbers without a unit, below 10^15
};
// Converts values to the unit of the first value. Returns nullopt if a value is not a number, or if bare
// numbers, times and sizes are mixed.
std::optional<NumericValues> numbers_of(std::span<const std::string> values);

}  // namespace sim::lab
