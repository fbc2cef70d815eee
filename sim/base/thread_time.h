// The CPU time of this thread: for bounds on what strangers' scripts take, and never for a result.
#pragma once

#include <chrono>
#include <ctime>

namespace sim {

// Since some instant; where there is no such clock (a browser), the time that has passed.
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
