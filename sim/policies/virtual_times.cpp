#include "sim/policies/virtual_times.h"

#include "sim/policies/fair_state.h"
#include "sim/policies/fair_weights.h"

namespace sim::fair {
namespace {

template <class Kept>
VirtualTimes times_of(const Machine& m, CpuId cpu, FairKernel kernel) {
    const Kept& q = m.of_cpu<Kept>(cpu);
    VirtualTimes times{.min_vruntime = q.min_vruntime, .tree = {}, .current = {}, .real_time = {}};
    for (TaskId p = m.next_run[cpu]; p != cpu; p = m.next_run[p]) {
        if (is_real_time(m.sched_class[p]))
            times.real_time.push_back(p);
        else
            times.tree.push_back(task_virtual_times(m, p, q.min_vruntime, kernel));
    }
    if (q.current != kNoTask) times.current = task_virtual_times(m, q.current, q.min_vruntime, kernel);
    return times;
}

}  // namespace

FairKernel fair_kernel_of(const NamedPolicy& policy) {
    if (policy.name == "linux-2.6.24") return FairKernel::linux_2_6_24;
    if (policy.name == "linux-2.6.32") return FairKernel::linux_2_6_32;
    if (policy.name == "linux-6.6") return FairKernel::linux_6_6;
    return FairKernel::none;
}

const char* fair_policies_text() { return "linux-2.6.24, linux-2.6.32 and linux-6.6"; }

TaskVirtualTimes task_virtual_times(const Machine& m, TaskId p, std::int64_t min_vruntime,
                                    FairKernel kernel) {
    const auto in_tree = [&](TaskVirtualTimes task, const TreeNode& node) {
        task.parent = node.parent;
        task.red = node.red != 0;
        return task;
    };
    switch (kernel) {
        case FairKernel::none:
            break;
        case FairKernel::linux_2_6_24: {
            const TaskFields2624& t = m.of_task<TaskFields2624>(p);
            return in_tree({.task = p,
                            .vruntime = wrapping_difference(t.vruntime, min_vruntime),
                            .weight = weight_of(m, p, kIdleWeightOf2624).w},
                           t.node);
        }
        case FairKernel::linux_2_6_32: {
            const TaskFields2632& t = m.of_task<TaskFields2632>(p);
            return in_tree({.task = p,
                            .vruntime = wrapping_difference(t.vruntime, min_vruntime),
                            .weight = weight_of(m, p, kIdleWeight).w},
                           t.node);
        }
        case FairKernel::linux_6_6: {
            const TaskFields66& t = m.of_task<TaskFields66>(p);
            return in_tree({.task = p,
                            .vruntime = wrapping_difference(t.vruntime, min_vruntime),
                            .deadline = wrapping_difference(t.deadline, min_vruntime),
                            .weight = t.weight},
                           t.node);
        }
    }
    return {};
}

VirtualTimes virtual_times(const Machine& m, CpuId cpu, FairKernel kernel) {
    switch (kernel) {
        case FairKernel::none:
            break;
        case FairKernel::linux_2_6_24:
            return times_of<RunQueueFields>(m, cpu, kernel);
        case FairKernel::linux_2_6_32: {
            VirtualTimes times = times_of<RunQueueFields2632>(m, cpu, kernel);
            times.buddy = m.of_cpu<RunQueueFields2632>(cpu).last;
            return times;
        }
        case FairKernel::linux_6_6:
            return times_of<RunQueueFields66>(m, cpu, kernel);
    }
    return {};
}

std::int64_t average_vruntime(std::span<const TaskVirtualTimes> tasks) {
    std::uint64_t wrapping = 0;  // wraps like the kernel's sum if weights and lags are very large
    std::int64_t load = 0;
    for (const TaskVirtualTimes& t : tasks) {
        wrapping += std::uint64_t{t.weight} * static_cast<std::uint64_t>(t.vruntime);
        load += t.weight;
    }
    if (load == 0) return 0;
    auto sum = static_cast<std::int64_t>(wrapping);
    if (sum < 0) sum -= load - 1;
    return sum / load;
}

}  // namespace sim::fair
