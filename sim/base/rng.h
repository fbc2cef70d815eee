// Random numbers that are the same everywhere: one 64-bit stream a task, and integer arithmetic throughout.
//
// The generator is SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
// 2014): eight bytes of state, so a stream is part of its task's row and a snapshot carries it along.
// The standard library's distributions are not used: their results differ between libraries.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/types.h"

namespace sim {

// Scrambles 64 bits so that each input bit moves about half of the output bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9;
    x ^= x >> 27;
    x *= 0x94d049bb133111eb;
    x ^= x >> 31;
    return x;
}

// The next 64 random bits of the stream.
constexpr std::uint64_t next_random(std::uint64_t& stream) {
    stream += 0x9e3779b97f4a7c15;
    return mix64(stream);
}

// The stream of a task: a function of the scenario's seed and the task's own name, and of nothing else, so
// that neither another policy nor one task more changes what this task will do.
constexpr std::uint64_t stream_of(std::uint64_t seed, std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return mix64(seed ^ mix64(hash));
}

// The draws are inline: a task that sleeps and computes makes two for each of its turns.

__extension__ typedef unsigned __int128 Wide;

// A number below `bound`, by multiplication (Lemire); the bias is below bound / 2^64.
// REQUIRES: bound > 0.
inline std::uint64_t random_below(std::uint64_t& stream, std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<Wide>(next_random(stream)) * bound) >> 64);
}

// ln(1 + i/512) as a 32-bit fraction, with the way to the next one beside it: one cache line for each
// look-up, 4 kB in all.
struct LogInterval {
    std::uint32_t low, step;
};
inline constexpr int kLogTableBits = 9;
inline constexpr std::uint64_t kLn2 = 2'977'044'472;  // ln 2, with 32 bits behind the point
extern const std::array<LogInterval, std::size_t{1} << kLogTableBits> kLogTable;

// -ln(bits / 2^64), with 32 bits behind the point. REQUIRES: bits > 0.
inline std::uint64_t minus_ln(std::uint64_t bits) {
    const int zeros = std::countl_zero(bits);
    const std::uint64_t mantissa = (bits << zeros) << 1;  // without its leading one
    const LogInterval& interval = kLogTable[mantissa >> (64 - kLogTableBits)];
    const std::uint64_t rest = (mantissa << kLogTableBits) >> 32;  // place within the interval
    const std::uint64_t fraction = interval.low + ((interval.step * rest) >> 32);
    return (static_cast<std::uint64_t>(zeros) + 1) * kLn2 - fraction;
}

// An exponentially distributed time with the given mean, at least 1 ns: mean * -ln(u), with the logarithm
// read interpolated in a table of 512 intervals (off by less than 5e-7) instead of std::log, whose last bits
// differ between C libraries.
inline Nanos random_exponential(std::uint64_t& stream, Nanos mean) {
    const std::uint64_t logarithm = minus_ln(next_random(stream) | 1);
    const auto whole = static_cast<Wide>(static_cast<std::uint64_t>(mean.count())) * logarithm;
    const auto time = static_cast<std::int64_t>(whole >> 32);
    return Nanos{std::max<std::int64_t>(time, 1)};
}

}  // namespace sim
