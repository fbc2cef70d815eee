#include "sim/base/rng.h"

namespace sim {
namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << 32;  // 1.0 in Q32 fixed point, used below

// log2(x / 2^62) in Q32 for 2^62 <= x < 2^63, one bit at a time: squaring doubles the logarithm.
constexpr std::uint64_t log2_of_mantissa(std::uint64_t mantissa) {
    std::uint64_t result = 0;
    for (std::uint64_t bit = kOne >> 1; bit != 0; bit >>= 1) {
        const Wide square = static_cast<Wide>(mantissa) * mantissa;
        mantissa = static_cast<std::uint64_t>(square >> 62);
        if (mantissa >= (std::uint64_t{1} << 63)) {
            mantissa >>= 1;
            result |= bit;
        }
    }
    return result;
}

}  // namespace

constexpr std::array<LogTableEntry, std::size_t{1} << kLogTableBits> kLogTable = [] {
    constexpr std::uint64_t kIntervals = std::uint64_t{1} << kLogTableBits;
    const auto ln = [](std::uint64_t i) {
        return i == kIntervals ? kLn2
                               : (log2_of_mantissa((kIntervals + i) << (62 - kLogTableBits)) * kLn2) >> 32;
    };
    std::array<LogTableEntry, kIntervals> table{};
    for (std::uint64_t i = 0; i < kIntervals; ++i)
        table[i] = {static_cast<std::uint32_t>(ln(i)), static_cast<std::uint32_t>(ln(i + 1) - ln(i))};
    return table;
}();

}  // namespace sim
