// One line of `vmstat -w` for an interval of a run.
#pragma once

#include <cstdint>
#include <string>

#include "sim/replay/overview.h"

namespace sim {

// A line of vmstat. Memory and transferred blocks are not modelled: their columns are 0. `wa` is the idle
// time of a CPU during which a task that last ran on this CPU waits for a device: Linux 2.6.32,
// kernel/sched.c, account_idle_time() and io_schedule(). `b` is procs_blocked of /proc/stat, nr_iowait().
struct VmstatLine {
    std::uint32_t runnable = 0;                 // r: ready and running tasks at the end of the interval
    std::uint32_t blocked = 0;                  // b: tasks that wait for a device at the end of the interval
    std::int64_t interrupts = 0, switches = 0;  // in, cs: per second of simulated time
    std::int64_t user = 0, system = 0, idle = 0, io_wait = 0, stolen = 0;  // us, sy, id, wa, st: percent

    bool operator==(const VmstatLine&) const = default;
};

// The line for the interval between two samples. REQUIRES: before.time < after.time.
VmstatLine vmstat_line(const Sample& before, const Sample& after);

// Titles of two memory columns: buff and cache (without options), or inact and active (with -a).
enum class VmstatMemoryColumns : std::uint8_t { buffers, active };

// The header and the line in the format of vmstat, with line ends.
std::string vmstat_header(VmstatMemoryColumns memory = VmstatMemoryColumns::buffers);
std::string to_text(const VmstatLine& line);

// The load averages over 1, 5 and 15 minutes as /proc/loadavg prints them: "0.16, 0.03, 0.01".
std::string to_text(const LoadAverage& load);

}  // namespace sim
