// Common parts of the CFS of 2.6.24 and 2.6.32: balancing parameters, set_user_nice(), sched_yield() and
// moving a waking task to another CPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/human_text.h"
#include "sim/core/policy.h"
#include "sim/policies/fair.h"

namespace sim::fair {

// Balancing parameters of CFS (run_queues.h).
constexpr BalanceRules balance_rules_of_2_6(std::uint32_t idle_per_task, bool fork_balances,
                                            BalanceRules::PlacementRule placement,
                                            BalanceRules::BusiestRule busiest) {
    return {.smt = kSmtOf26,
            .others = kOthersOf26,
            .hot = Nanos{500'000},  // sysctl_sched_migration_cost
            .nominal = kNice0Load,
            .idle_per_task = idle_per_task,
            .leaves_one = false,
            .real_time_is_hot = false,
            // fork_balances also selects this rule: 2.6.32 has both rules, 2.6.24 has neither of them.
            .pulls_real_time = fork_balances,
            .fork_balances = fork_balances,
            .placement = placement,
            .busiest = busiest};
}

// The option for sysctl_sched_compat_yield.
inline OptionInfo yield_option() {
    return {"yield",
            {"default", "compat"},
            "what sched_yield() does: almost nothing, or queue the caller last (sysctl "
            "sched_compat_yield)"};
}

// `Kernel`, which is derived from this class, also provides the following.
//   comes_before(a, b): the order of two virtual times in yield_task_fair();
//   raise_min_vruntime(queue): raises min_vruntime to the least vruntime of the queue;
//   kNewTaskPreempts: true if each new task sets need_resched;
//   kHasIdleRules: true if tasks of class idle preempt no task, and each task of class other preempts a task
//   of class idle;
//   margin_of_preemption(queue, p): distance by which the vruntime of the running task must be ahead of that
//   of p, so that p preempts the running task;
//   current_slice(queue): slice of the running task in ns.
template <class Kernel>
class CfsPolicy : public FairPolicy<Kernel> {
  public:
    static constexpr bool kAccountsForRealTime = true, kCopiesSlice = true;
    static constexpr std::uint32_t kRealTimeLoad = 2 * 88'761;
    static constexpr std::size_t kMostLookedAt = 33;

    explicit CfsPolicy(const PolicyOptions& options) : compat_yield_(options.at("yield") == "compat") {}

    static std::uint32_t add_to_queue(const Queue<Kernel>& queue, TaskId p) {
        queue.add_to_totals(p);
        return queue.insert(p);
    }

    // Models set_user_nice() of the kernel.
    bool renice_fair(const Queue<Kernel>& queue, TaskId p, std::int32_t priority) const {
        Machine& m = queue.m;
        const bool better = priority > m.priority[p], runs = queue.q.current == p;
        if (m.task[p].state != TaskState::runnable) {
            m.priority[p] = priority;
            return false;
        }
        this->kernel().charge_current(queue);
        this->kernel().forget_buddy(queue, p);
        if (!runs) queue.remove(p);
        queue.remove_from_totals(p);
        // p is not in the tree now, so the new min_vruntime may exceed p's vruntime.
        this->kernel().raise_min_vruntime(queue);
        m.priority[p] = priority;
        queue.add_to_totals(p);
        if (!runs) queue.insert(p);
        return better || runs;
    }

    // Models yield_task_fair() of the kernel.
    void yield_fair(const Queue<Kernel>& queue) const {
        const TaskId current = queue.q.current;
        if (queue.q.running == 1) return;
        this->kernel().forget_buddy(queue, current);
        if (!compat_yield_ && queue.m.sched_class[current] != SchedClass::batch) {
            this->kernel().charge_current(queue);
            return;
        }
        std::int64_t& vruntime = queue.state_of(current).vruntime;
        const std::int64_t last = queue.state_of(queue.rightmost()).vruntime;
        if (!Kernel::comes_before(last, vruntime)) vruntime = wrapping_sum(last, 1);
    }

    // set_task_cpu(): changes p's vruntime so that its distance from min_vruntime is the same on the new
    // queue.
    static void on_wake_migration(const Queue<Kernel>& from, const Queue<Kernel>& to, TaskId p) {
        std::int64_t& vruntime = to.state_of(p).vruntime;
        vruntime = wrapping_sum(vruntime, wrapping_difference(to.q.min_vruntime, from.q.min_vruntime));
    }

    static std::string fair_wake_reason(const Queue<Kernel>& queue, TaskId p, bool needs_resched,
                                        const TaskNamer& name) {
        const TaskId current = queue.q.current;
        const SchedClass own = queue.m.sched_class[p];
        if (needs_resched && queue.m.task[p].last_processor == sim::Task::kNoProcessor &&
            Kernel::kNewTaskPreempts)
            return "a new task always asks for a schedule()";
        if (own == SchedClass::batch || (Kernel::kHasIdleRules && own == SchedClass::idle))
            return fmt::format("{} is of class {}, which does not preempt", name(p), to_string(own));
        if (Kernel::kHasIdleRules && queue.m.sched_class[current] == SchedClass::idle && needs_resched)
            return fmt::format("{} is of class idle", name(current));
        const std::int64_t ahead =
            wrapping_difference(queue.state_of(current).vruntime, queue.state_of(p).vruntime);
        return fmt::format("{}'s vruntime is {} {} {}'s; preemption requires it to be more than {} above",
                           name(current), human_time(Nanos{std::abs(ahead)}), ahead < 0 ? "below" : "above",
                           name(p), human_time(Nanos{Kernel::margin_of_preemption(queue, p)}));
    }

    static std::string fair_not_chosen_reason(const Queue<Kernel>& queue, TaskId p, TaskId winner,
                                              const TaskNamer& name) {
        const std::int64_t more =
            wrapping_difference(queue.state_of(p).vruntime, queue.state_of(winner).vruntime);
        if (more < 0)
            return fmt::format("{} was preempted by a wake-up, and its vruntime is close to the least",
                               name(winner));
        if (more == 0)
            return fmt::format("its vruntime is the same, and {} comes first in the tree", name(winner));
        return fmt::format("its vruntime is {} more than {}'s", human_time(Nanos{more}), name(winner));
    }

    static std::string fair_tick_reason(const Queue<Kernel>& queue, bool needs_resched,
                                        const TaskNamer& name) {
        const std::string current = name(queue.q.current);
        const std::string ran = human_time(Nanos{queue.q.ran}),
                          slice = human_time(Nanos{Kernel::current_slice(queue)});
        if (needs_resched && queue.q.ran <= Kernel::current_slice(queue))
            return fmt::format("{}'s vruntime exceeds the least vruntime by more than its slice of {}",
                               current, slice);
        return needs_resched
                   ? fmt::format("{} has run for {}, longer than its slice of {}", current, ran, slice)
                   : fmt::format("{} has run for {} of its slice of {}", current, ran, slice);
    }

    // A buddy is a task that the kernel prefers at the next choice. After this call, p is not a buddy. This
    // default version does nothing; a `Kernel` with buddies has its own version.
    static void forget_buddy(const Queue<Kernel>&, TaskId) {}

  protected:
    static constexpr std::uint32_t kFitInLatency = 5;  // sched_nr_latency

  private:
    bool compat_yield_;
};

}  // namespace sim::fair
