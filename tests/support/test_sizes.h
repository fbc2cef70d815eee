// Test sizes by type of build: builds with assertions and sanitizers are an order of magnitude slower than
// optimized builds.
#pragma once

#ifdef NDEBUG
inline constexpr bool kOptimised = true;
#else
inline constexpr bool kOptimised = false;
#endif

// True if tests with long simulations run at full length. The build for mutation tests (tests/mutation/) is
// optimized, but runs the tests hundreds of times.
#ifdef SWITCHYARD_FEWER_ROUNDS
inline constexpr bool kThorough = false;
#else
inline constexpr bool kThorough = kOptimised;
#endif

// True if random and combinatorial tests run at full size; this takes minutes (`./run test --thorough`).
#ifdef SWITCHYARD_THOROUGH_TESTS
inline constexpr bool kManyRounds = kThorough;
#else
inline constexpr bool kManyRounds = false;
#endif

// Number of rounds of a random or combinatorial test: `many` with `./run test --thorough`, `fewer` without,
// `watched` in builds that are not optimized. Those builds look for sanitizer and assertion failures, for
// which few rounds are enough.
template <class Number>
constexpr Number rounds(Number many, Number fewer, Number watched) {
    return kManyRounds ? many : kOptimised ? fewer : watched;
}

// Number of decisions for which a policy is compared with its model: `millions`, except in the builds for
// mutation tests (`fewer`) and in builds that are not optimized (`watched`).
template <class Number>
constexpr Number decisions(Number millions, Number fewer, Number watched) {
    return kThorough ? millions : kOptimised ? fewer : watched;
}

// True with AddressSanitizer. It reserves more address space than there is memory, and aborts on an
// allocation that is too large.
#ifdef SWITCHYARD_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
