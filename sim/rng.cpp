#include "sim/rng.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sim {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr int kTableBits = 9;
constexpr std::uint64_t kOne = std::uint64_t{1} << 32;  // 1.0 in the Q32 fixed-point form used below
constexpr std::uint64_t kLn2 = 2'977'044'472;           // ln 2 in Q32

// log2(x / 2^62) in Q32 for 2^62 <= x < 2^63, one bit at a time: squaring doubles the logarithm.
constexpr std::uint64_t log2_of_mantissa(std::uint64_t x) {
    std::uint64_t result = 0;
    for (std::uint64_t bit = kOne >> 1; bit != 0; bit >>= 1) {
        const Wide square = static_cast<Wide>(x) * x;
        x = static_cast<std::uint64_t>(square >> 62);
        if (x >= (std::uint64_t{1} << 63)) {
            x >>= 1;
            result |= bit;
        }
    }
    return result;
}

// ln(1 + i/512) in Q32, with the way to the next one beside it: one cache line for each look-up, 4 kB in all.
struct Interval {
    std::uint32_t low, step;
};
constexpr auto kLn = [] {
    constexpr std::uint64_t kIntervals = std::uint64_t{1} << kTableBits;
    const auto ln = [](std::uint64_t i) {
        return i == kIntervals ? kLn2
                               : (log2_of_mantissa((kIntervals + i) << (62 - kTableBits)) * kLn2) >> 32;
    };
    std::array<Interval, kIntervals> table{};
    for (std::uint64_t i = 0; i < kIntervals; ++i)
        table[i] = {static_cast<std::uint32_t>(ln(i)), static_cast<std::uint32_t>(ln(i + 1) - ln(i))};
    return table;
}();

// -ln(bits / 2^64) in Q32. REQUIRES: bits > 0.
std::uint64_t minus_ln(std::uint64_t bits) {
    const int zeros = std::countl_zero(bits);
    const std::uint64_t mantissa = (bits << zeros) << 1;  // without its leading one
    const Interval& interval = kLn[mantissa >> (64 - kTableBits)];
    const std::uint64_t rest = (mantissa << kTableBits) >> 32;  // place within the interval, Q32
    const std::uint64_t fraction = interval.low + ((interval.step * rest) >> 32);
    return (static_cast<std::uint64_t>(zeros) + 1) * kLn2 - fraction;
}

}  // namespace

std::uint64_t random_below(std::uint64_t& stream, std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<Wide>(next_random(stream)) * bound) >> 64);
}

Nanos random_exponential(std::uint64_t& stream, Nanos mean) {
    const std::uint64_t logarithm = minus_ln(next_random(stream) | 1);
    const auto whole = static_cast<Wide>(static_cast<std::uint64_t>(mean.count())) * logarithm;
    const auto time = static_cast<std::int64_t>(whole >> 32);
    return Nanos{std::max<std::int64_t>(time, 1)};
}

}  // namespace sim
