// One line of `vmstat -w` for an interval of a run.
#pragma once

#include <cstdint>
#include <string>

#include "sim/replay/overview.h"

namespace sim {

// A line of vmstat. Memory and disk are not modelled: their columns are 0.
struct VmstatLine {
    std::uint32_t runnable = 0;                 // r: ready and running tasks at the end of the interval
    std::int64_t interrupts = 0, switches = 0;  // in, cs: per second of simulated time
    std::int64_t user = 0, system = 0, idle = 0, stolen = 0;  // us, sy, id, st: percentages

    bool operator==(const VmstatLine&) const = default;
};

// The line for the interval between two samples. REQUIRES: before.time < after.time.
VmstatLine vmstat_line(const Sample& before, const Sample& after);

// Titles of two memory columns: buff and cache (without options), or inact and active (with -a).
enum class VmstatMemory : std::uint8_t { buffers, active };

// The header and the line in the format of vmstat, with line ends.
std::string vmstat_header(VmstatMemory memory = VmstatMemory::buffers);
std::string to_text(const VmstatLine& line);

}  // namespace sim
