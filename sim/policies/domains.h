// The scheduling domains of a CPU (struct sched_domain) and the groups of a domain, for placement of tasks
// and load balancing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sim/core/machine.h"
#include "sim/policies/run_queues.h"

namespace sim {

// The domains of a CPU, the smallest first.
struct Domains {
    Domain of[3];
    std::uint32_t count = 0;

    Domains(const MachineShape& shape, CpuId c) {
        const std::uint32_t socket = shape.siblings * shape.cores;
        const std::uint32_t sizes[] = {shape.siblings, socket, std::max(socket, shape.cpus)};
        std::uint32_t group = 1;
        for (std::uint32_t level = 0; level < 3; ++level) {
            const CpuId first = c / sizes[level] * sizes[level];
            const CpuId end = std::min(first + sizes[level], shape.cpus);
            if (end - first > group) of[count++] = {level, first, end, group};
            group = sizes[level];
        }
    }

    const Domain* begin() const { return of; }
    const Domain* end() const { return of + count; }

    // The smallest of these domains that also contains the CPU `other`. REQUIRES: such a domain exists.
    const Domain& smallest_containing(CpuId other) const {
        return *std::find_if(begin(), end(), [&](const Domain& d) { return d.contains(other); });
    }
};

// Calls visit(first, end) for each group of d, starting with the group of the CPU c. The group consists of
// the CPUs from `first` to `end` - 1.
template <class Visit>
void for_each_group(const Domain& d, CpuId c, Visit visit) {
    const std::uint32_t groups = (d.cpu_count() + d.group - 1) / d.group;
    for (std::uint32_t i = 0, g = (c - d.first) / d.group; i < groups; ++i, g = g + 1 < groups ? g + 1 : 0) {
        const CpuId first = d.first + g * d.group;
        visit(first, std::min(first + d.group, d.end));
    }
}

// Bit mask of the CPUs that p may use.
inline std::uint64_t allowed_cpus(const Machine& m, TaskId p) {
    const std::uint32_t cpus = m.shape().cpus;
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - cpus);
    return cpus == 1 ? 1 : m.cpus_allowed[p] & all;
}

// The CPU `wanted` if p may use it; otherwise the CPU with the lowest number that p may use.
inline CpuId allowed_cpu(const Machine& m, TaskId p, CpuId wanted) {
    if (m.may_run(p, wanted)) return wanted;
    return static_cast<CpuId>(std::countr_zero(allowed_cpus(m, p)));
}

}  // namespace sim
