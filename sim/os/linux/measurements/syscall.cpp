// Measures a trivial system call. The call is made by syscall(2), because a C library may cache the result.
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/os/linux/measurements/batch_context.h"

namespace sim::calibrate {

std::uint64_t call_getppid(const BatchContext& context) {
    const std::uint64_t quota = context.quota();
    context.start_clock();
    for (std::uint64_t i = 0; i < quota; ++i) syscall(SYS_getppid);
    context.stop_clock();
    return quota;
}

}  // namespace sim::calibrate
