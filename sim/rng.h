// Random numbers that are the same everywhere: one 64-bit stream a task, and integer arithmetic throughout.
//
// The generator is SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
// 2014): eight bytes of state, so a stream is one column of the task table and a snapshot carries it along.
// The standard library's distributions are not used: their results differ between libraries.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/types.h"

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

// A number below `bound`, by multiplication (Lemire); the bias is below bound / 2^64.
// REQUIRES: bound > 0.
std::uint64_t random_below(std::uint64_t& stream, std::uint64_t bound);

// An exponentially distributed time with the given mean, at least 1 ns: mean * -ln(u), with the logarithm
// read interpolated in a table of 512 intervals (off by less than 5e-7) instead of std::log, whose last bits
// differ between C libraries.
Nanos random_exponential(std::uint64_t& stream, Nanos mean);

}  // namespace sim
