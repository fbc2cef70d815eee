// One line of `vmstat -w` for an interval of a run: the machine as an administrator would see it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/replay/overview.h"

namespace sim {

// There is no memory and no disk to report on: those columns of vmstat are 0.
struct VmstatLine {
    std::uint32_t runnable = 0;                 // r: ready and running tasks at the end of the interval
    std::int64_t interrupts = 0, switches = 0;  // in, cs: per second of simulated time
    std::int64_t user = 0, system = 0, idle = 0, stolen = 0;  // us, sy, id, st: percentages

    bool operator==(const VmstatLine&) const = default;
};

// What happened between two samples. REQUIRES: before.time < after.time.
VmstatLine vmstat_line(const Sample& before, const Sample& after);

// What two of the columns on memory are about: buffers and cache or, with -a, what is inactive and active.
enum class VmstatMemory : std::uint8_t { buffers, active };

// As the tool prints them, with their line ends.
std::string vmstat_header(VmstatMemory memory = VmstatMemory::buffers);
std::string to_text(const VmstatLine& line);

}  // namespace sim
