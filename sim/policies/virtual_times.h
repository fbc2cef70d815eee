// The virtual times of one CPU's run queue, in one form for all fair policies: for those who look on, as a
// window and a figure do. The policies themselves know only what they keep (fair_kept.h).
//
// All times are told by how far they are ahead of min_vruntime, in ns: a virtual time says nothing by itself,
// and may wrap.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/policy.h"

namespace sim::fair {

// Which kernel's virtual times there are; none under a policy that has no such thing.
enum class FairKernel : std::uint8_t { none, linux_2_6_24, linux_2_6_32, linux_6_6 };
FairKernel kernel_of(const NamedPolicy& policy);

// The policies that have them, as people write them: "linux-2.6.24, linux-2.6.32 and linux-6.6".
const char* names_of_fair_policies();

struct VirtualTask {
    TaskId task = kNoTask;
    std::int64_t vruntime = 0;
    std::int64_t deadline = 0;  // of linux-6.6; otherwise 0
    std::uint32_t weight = 0;   // its share: 1024 at nice 0
};

struct VirtualTimes {
    std::int64_t min_vruntime = 0;  // as it is kept
    std::vector<VirtualTask> tree;  // in its order: the first is the leftmost
    VirtualTask current;            // the fair task that runs, which is not in the tree; or no task
    TaskId buddy = kNoTask;         // who gave way to a wake-up (linux-2.6.32)
    std::vector<TaskId> real_time;  // that wait, and come before all others: the best first
};

// REQUIRES: the machine is scheduled by this kernel's policy, which is not `none`.
VirtualTimes virtual_times(const Machine& m, CpuId cpu, FairKernel kernel);

// What that policy keeps of p, told by this min_vruntime. REQUIRES: likewise, and p is of the fair class.
VirtualTask virtual_task(const Machine& m, TaskId p, std::int64_t min_vruntime, FairKernel kernel);

// V: the average vruntime of these tasks by weight, rounded down, and like theirs ahead of min_vruntime; 0 of
// nobody. Of a queue's runnable tasks it is what avg_vruntime() of linux-6.6 says.
std::int64_t average(std::span<const VirtualTask> tasks);

}  // namespace sim::fair
