// CPU time of the current thread; only for limits on untrusted scripts, never for results.
#pragma once

#include <chrono>
#include <ctime>

namespace sim {

// Time since an arbitrary point; wall-clock time where there is no thread clock (browser).
inline std::chrono::nanoseconds thread_time() {
#ifdef __EMSCRIPTEN__
    return std::chrono::steady_clock::now().time_since_epoch();
#else
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
#endif
}

}  // namespace sim
