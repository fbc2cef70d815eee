#include "sim/rng.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sim {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr int kTableBits = 10;
constexpr std::uint64_t kOne = std::uint64_t{1} << 32;  // 1.0 in the Q32 fixed-point form used below

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

constexpr auto kLog2 = [] {
    std::array<std::uint64_t, (1 << kTableBits) + 1> table{};
    for (std::uint64_t i = 0; i < (1 << kTableBits); ++i)
        table[i] = log2_of_mantissa(((std::uint64_t{1} << kTableBits) + i) << (62 - kTableBits));
    table[1 << kTableBits] = kOne;
    return table;
}();

// -log2(bits / 2^64) in Q32. REQUIRES: bits > 0.
std::uint64_t minus_log2(std::uint64_t bits) {
    const int zeros = std::countl_zero(bits);
    const std::uint64_t mantissa = (bits << zeros) << 1;  // without its leading one
    const std::uint64_t index = mantissa >> (64 - kTableBits);
    const std::uint64_t rest = (mantissa << kTableBits) >> 32;  // place within the interval, Q32
    const std::uint64_t low = kLog2[index];
    const std::uint64_t fraction = low + (((kLog2[index + 1] - low) * rest) >> 32);
    return (static_cast<std::uint64_t>(zeros) + 1) * kOne - fraction;
}

}  // namespace

std::uint64_t random_below(std::uint64_t& stream, std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<Wide>(next_random(stream)) * bound) >> 64);
}

Nanos random_exponential(std::uint64_t& stream, Nanos mean) {
    constexpr std::uint64_t kLn2 = 2'977'044'472;  // ln 2 in Q32
    const std::uint64_t logarithm = minus_log2(next_random(stream) | 1);
    const auto scaled = static_cast<Wide>(mean.count()) * logarithm;
    const auto time = static_cast<std::int64_t>(((scaled >> 16) * kLn2) >> 48);
    return Nanos{std::max<std::int64_t>(time, 1)};
}

}  // namespace sim
