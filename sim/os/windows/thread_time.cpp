#include "sim/os/thread_time.h"

#include <windows.h>

#include <cstdint>

namespace sim::os {

std::chrono::nanoseconds thread_cpu_time() {
    FILETIME created, exited, kernel, user;
    GetThreadTimes(GetCurrentThread(), &created, &exited, &kernel, &user);
    const auto units = [](const FILETIME& time) {  // a FILETIME counts units of 100 ns
        return std::int64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime;
    };
    return std::chrono::nanoseconds(100 * (units(kernel) + units(user)));
}

}  // namespace sim::os
