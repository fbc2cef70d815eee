// The virtual times of one CPU's run queue in a common form for all fair policies, for observers such as the
// window. The policies themselves use fair_state.h.
//
// Virtual times are relative to min_vruntime, in ns, because absolute values have no meaning and may wrap.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/policy.h"

namespace sim::fair {

// The kernel whose fair class a policy models. none: the policy has no virtual times.
enum class FairKernel : std::uint8_t { none, linux_2_6_24, linux_2_6_32, linux_6_6 };
FairKernel fair_kernel_of(const NamedPolicy& policy);

// Display names of the fair policies, as one phrase.
const char* fair_policies_text();

struct TaskVirtualTimes {
    TaskId task = kNoTask;
    std::int64_t vruntime = 0;
    std::int64_t deadline = 0;  // linux-6.6 only; otherwise 0
    std::uint32_t weight = 0;   // load weight, which determines the CPU share; 1024 at nice 0
    // Parent in the red-black tree; kNoTask: this task is the root or not in the tree.
    TaskId parent = kNoTask;
    bool red = false;  // colour of the task's node in the tree
};

struct VirtualTimes {
    std::int64_t min_vruntime = 0;       // absolute value
    std::vector<TaskVirtualTimes> tree;  // in tree order: the leftmost first
    // The running fair task, which is not in the tree; kNoTask: none.
    TaskVirtualTimes current;
    TaskId buddy = kNoTask;         // the task that a wake-up preempted (linux-2.6.32)
    std::vector<TaskId> real_time;  // waiting real-time tasks, highest rt_priority first
};

// REQUIRES: `kernel` is the kernel of the machine's policy, and not `none`.
VirtualTimes virtual_times(const Machine& m, CpuId cpu, FairKernel kernel);

// The virtual times of p relative to `min_vruntime`. REQUIRES: p is of the fair class; `kernel` meets the
// requirement of virtual_times().
TaskVirtualTimes task_virtual_times(const Machine& m, TaskId p, std::int64_t min_vruntime, FairKernel kernel);

// V, the average of the vruntimes of `tasks`, weighted by TaskVirtualTimes::weight, rounded down and relative
// to min_vruntime; 0 if there are no tasks. For all runnable tasks of a queue, V equals avg_vruntime() of
// linux-6.6.
std::int64_t average_vruntime(std::span<const TaskVirtualTimes> tasks);

}  // namespace sim::fair
