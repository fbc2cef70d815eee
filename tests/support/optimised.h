// Whether this is a build for speed. Others, with assertions and sanitizers, are an order of magnitude
// slower, and the tests that simulate much do less of it there.
#pragma once

#ifdef NDEBUG
inline constexpr bool kOptimised = true;
#else
inline constexpr bool kOptimised = false;
#endif
