#include "sim/os/thread_time.h"

#include <ctime>

namespace sim::os {

std::chrono::nanoseconds thread_cpu_time() {
#ifdef __EMSCRIPTEN__
    return std::chrono::steady_clock::now().time_since_epoch();
#else
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
#endif
}

}  // namespace sim::os
