// What a build can do: others than those for speed, with assertions and sanitizers, are an order of magnitude
// slower.
#pragma once

#ifdef NDEBUG
inline constexpr bool kOptimised = true;
#else
inline constexpr bool kOptimised = false;
#endif

// Whether tests that simulate much do all of it. The build of the mutants (tests/mutants/) is not slow, but
// runs them hundreds of times.
#ifdef SWITCHYARD_FEWER_ROUNDS
inline constexpr bool kThorough = false;
#else
inline constexpr bool kThorough = kOptimised;
#endif

// Whether what is tried at random, or for each of many combinations, is tried as often as it may well be:
// takes minutes (`./run test --thorough`).
#ifdef SWITCHYARD_MANY_ROUNDS
inline constexpr bool kManyRounds = kThorough;
#else
inline constexpr bool kManyRounds = false;
#endif

// How much such a test does: with `./run test --thorough`, without, and in builds that are not optimised,
// which look for what sanitizers and assertions see, and need not see it a thousand times.
template <class Number>
constexpr Number rounds(Number many, Number fewer, Number watched) {
    return kManyRounds ? many : kOptimised ? fewer : watched;
}

// How far a policy goes in lock step with its model: millions of decisions, but in the builds of the mutants
// and of the sanitizers.
template <class Number>
constexpr Number decisions(Number millions, Number fewer, Number watched) {
    return kThorough ? millions : kOptimised ? fewer : watched;
}

// Whether AddressSanitizer watches: it reserves more address space than there is memory, and ends the program
// where more is asked for than it can have.
#ifdef SWITCHYARD_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
