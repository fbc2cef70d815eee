// goodness() of linux-2.2 and linux-2.4, which adds the static priority and a bonus for the address space;
// and the flag of tasks that have yielded.
//
// The source file of each kernel version defines the goodness of a task that has yielded, and when the flag
// is cleared.
#pragma once

#include "sim/core/address_space.h"
#include "sim/policies/goodness_queue.h"

namespace sim {

// SCHED_YIELD, a bit of task->policy in the kernel: set by sched_yield(), cleared by a later schedule().
inline bool has_yielded(const Machine& m, TaskId p) { return m.task[p].policy_byte != 0; }
inline void set_yielded(Machine& m, TaskId p, bool yielded) { m.task[p].policy_byte = yielded ? 1 : 0; }

// Parameters of goodness(): the calling CPU and the kernel version.
struct GoodnessParameters {
    CpuId cpu;
    MmId mm;                        // tasks with this address space get a bonus of 1
    bool kernel_threads;            // true: tasks without an address space get this bonus, too
    std::int32_t yielded_goodness;  // goodness of a task that has yielded
};

// goodness() within one call of schedule() on the CPU parameters.cpu.
template <bool smp>
struct LinuxGoodness {
    static constexpr std::int32_t kRealTime = 1000;  // goodness of a fifo or rr task: kRealTime + rt_priority
    // Bonus of a task that last ran on this CPU (value for i386); SMP only.
    static constexpr std::int32_t kProcChangePenalty = 15;

    const Machine& m;
    GoodnessParameters parameters;

    std::int32_t goodness_of(TaskId p) const {
        if (has_yielded(m, p)) [[unlikely]]
            return parameters.yielded_goodness;
        if (is_real_time(m.sched_class[p])) [[unlikely]]
            return kRealTime + m.rt_priority[p];
        std::int32_t weight = m.counter[p];
        if (weight == 0) return 0;  // with counter 0, bonuses and priority are not added
        if (smp && m.task[p].last_processor == parameters.cpu) weight += kProcChangePenalty;
        return weight + mm_bonus(p) + m.priority[p];
    }

    // The goodness of p, or kNotEligible if the kernel's can_schedule() would be false. can_schedule() tests
    // has_cpu in 2.2; in 2.4 it also tests cpus_allowed.
    std::int32_t goodness_if_eligible(TaskId p) const {
        if (smp && (m.task[p].processor != Task::kNoProcessor || !m.may_run(p, parameters.cpu)))
            return kNotEligible;
        return goodness_of(p);
    }

    std::int32_t max_bonus() const {
        std::uint32_t mates = m.ready.count_with_mm(parameters.mm);
        if (parameters.kernel_threads && parameters.mm != kKernelMm)
            mates += m.ready.count_with_mm(kKernelMm);
        const std::int32_t bonus = mates > 0 ? 1 : 0;
        return smp && m.ready.count_with_last_cpu(parameters.cpu) > 0 ? bonus + kProcChangePenalty : bonus;
    }

    Candidate candidate(TaskId p, std::int32_t weight, bool best) const {
        const CandidateRemark remark = smp && m.task[p].processor != Task::kNoProcessor
                                           ? CandidateRemark::elsewhere
                                       : smp && !m.may_run(p, parameters.cpu) ? CandidateRemark::not_allowed
                                       : has_yielded(m, p)                    ? CandidateRemark::yielded
                                                                              : CandidateRemark::none;
        const std::int32_t counter = m.counter[p];
        Candidate c{p, counter, 0, weight, best, remark};
        if (!is_real_time(m.sched_class[p]) && counter != 0 && remark == CandidateRemark::none) {
            c.bonus = weight - counter;
            c.for_priority = m.priority[p];
            c.for_mm = mm_bonus(p);
        }
        return c;
    }

  private:
    std::int32_t mm_bonus(TaskId p) const {
        const MmId mm = m.task[p].mm;
        return mm == parameters.mm || (parameters.kernel_threads && mm == kKernelMm) ? 1 : 0;
    }
};

// The part of GoodnessQueue's `Rules` (goodness_queue.h) that 2.2 and 2.4 share. Each kernel adds its own
// grant().
struct GoodnessLevelRules {
    static constexpr bool kCountsMm = true;
    static std::int32_t level(const Machine& m, TaskId p) {
        if (has_yielded(m, p)) return ReadyIndex::kNoLevel;
        if (is_real_time(m.sched_class[p])) [[unlikely]]
            return ReadyIndex::kRealTime;
        return m.counter[p] > 0 ? m.counter[p] + m.priority[p] : ReadyIndex::kNoLevel;
    }
};

}  // namespace sim
