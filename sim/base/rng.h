// Reproducible random numbers: one 64-bit stream per task and integer arithmetic only.
//
// The generator is SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
// 2014). Its state has eight bytes, so a stream is part of its task's row and is included in snapshots. The
// distributions of the standard library are not used, because their results differ between libraries.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/types.h"

namespace sim {

// Scrambles 64 bits so that each input bit flips about half of the output bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9;
    x ^= x >> 27;
    x *= 0x94d049bb133111eb;
    x ^= x >> 31;
    return x;
}

constexpr std::uint64_t next_random(std::uint64_t& stream) {
    stream += 0x9e3779b97f4a7c15;
    return mix64(stream);
}

// The random-number stream of a task. It depends on the scenario's seed and the task's name only, so another
// policy or an additional task does not change this task's behaviour.
constexpr std::uint64_t named_random_stream(std::uint64_t seed, std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return mix64(seed ^ mix64(hash));
}

// The functions below are inline for speed: a task that alternately sleeps and computes draws two random
// numbers per cycle.

__extension__ typedef unsigned __int128 Wide;

// A random number below `bound`, by multiplication (Lemire's method); the bias is below bound / 2^64.
// REQUIRES: bound > 0.
inline std::uint64_t random_below(std::uint64_t& stream, std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<Wide>(next_random(stream)) * bound) >> 64);
}

// An entry of kLogTable: ln(1 + i/512) as a 32-bit fraction, and the difference to the next entry. Both
// numbers are in one cache line. The table occupies 4 kB.
struct LogTableEntry {
    std::uint32_t low, step;
};
inline constexpr int kLogTableBits = 9;
inline constexpr std::uint64_t kLn2 = 2'977'044'472;  // ln 2, in Q32
extern const std::array<LogTableEntry, std::size_t{1} << kLogTableBits> kLogTable;

// -ln(fraction_bits / 2^64) in Q32 (a number with 32 fractional bits). REQUIRES: fraction_bits > 0.
inline std::uint64_t minus_ln_q32(std::uint64_t fraction_bits) {
    const int zeros = std::countl_zero(fraction_bits);
    const std::uint64_t mantissa = (fraction_bits << zeros) << 1;  // mantissa without its leading 1 bit
    const LogTableEntry& interval = kLogTable[mantissa >> (64 - kLogTableBits)];
    // Position within the table interval, as a 32-bit fraction.
    const std::uint64_t rest = (mantissa << kLogTableBits) >> 32;
    const std::uint64_t fraction = interval.low + ((interval.step * rest) >> 32);
    return (static_cast<std::uint64_t>(zeros) + 1) * kLn2 - fraction;
}

// An exponentially distributed time with this mean, at least 1 ns: mean * -ln(u). The logarithm is
// interpolated in a table of 512 intervals (error below 5e-7). std::log is not used, because its last bits
// differ between C libraries.
inline Nanos random_exponential(std::uint64_t& stream, Nanos mean) {
    const std::uint64_t logarithm = minus_ln_q32(next_random(stream) | 1);
    const auto whole = static_cast<Wide>(static_cast<std::uint64_t>(mean.count())) * logarithm;
    const auto time = static_cast<std::int64_t>(whole >> 32);
    return Nanos{std::max<std::int64_t>(time, 1)};
}

}  // namespace sim
