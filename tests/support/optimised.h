// Whether this is a build for speed. Others, with assertions and sanitizers, are an order of magnitude
// slower, and the tests that simulate much do less of it there.
#pragma once

#ifdef NDEBUG
inline constexpr bool kOptimised = true;
#else
inline constexpr bool kOptimised = false;
#endif

// Whether AddressSanitizer watches: it reserves more address space than there is memory, and ends the program
// where more is asked for than it can have.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif
