// A system call that does next to nothing. syscall(2), since a C library may remember what it would return.
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/calibrate/measurements/turn.h"

namespace sim::calibrate {

std::uint64_t call_getppid(const Turn& turn) {
    const std::uint64_t quota = turn.quota();
    turn.begin();
    for (std::uint64_t i = 0; i < quota; ++i) syscall(SYS_getppid);
    turn.end();
    return quota;
}

}  // namespace sim::calibrate
