// CPU time of the current thread; only for limits on untrusted scripts, never for results.
#pragma once

#include <chrono>

namespace sim::os {

// Time since an arbitrary point; wall-clock time where there is no thread clock (browser).
std::chrono::nanoseconds thread_cpu_time();

}  // namespace sim::os
