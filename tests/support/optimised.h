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

// How much such a test does: in a thorough build, in that of the mutants, and in builds that are not
// optimised, which look for what sanitizers and assertions see, and need not see it a thousand times.
template <class Number>
constexpr Number rounds(Number thorough, Number fewer, Number watched) {
    return kThorough ? thorough : kOptimised ? fewer : watched;
}

// Whether AddressSanitizer watches: it reserves more address space than there is memory, and ends the program
// where more is asked for than it can have.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif
