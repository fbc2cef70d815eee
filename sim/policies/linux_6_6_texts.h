// The pseudo-code of linux-6.6, and its reasons for preempting and for not choosing a task.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include "sim/base/human_text.h"
#include "sim/core/policy.h"
#include "sim/policies/fair_queue.h"
#include "sim/policies/fair_state.h"

namespace sim::fair {

inline std::vector<PseudoLine> eevdf_pseudo_code(const PolicyOptions& options) {
    const char* const yield = options.at("yield") == "forfeit"
                                  ? "sched_yield(): charge; eligible? vruntime = deadline; a later deadline"
                                  : "sched_yield(): charge the caller; its deadline a slice later";
    // With group_sched=yes, schedule() considers prev before prev is put back into the tree.
    const bool group_sched = options.at("group_sched") == "yes";
    std::vector<PseudoLine> lines{
        {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
        {Phase::yield, 1, yield},
        {Phase::place_woken, 1, "woken task: as far from the average as it left; a new deadline"},
        {Phase::begin, 0, "charge prev; past its deadline? a new one, a slice later"},
        {Phase::leave, 1, "prev is no longer runnable? keep its lag, V - vruntime"},
    };
    const auto add = [&lines](std::initializer_list<PseudoLine> more) { lines.insert(lines.end(), more); };
    if (group_sched)
        add({{Phase::consider, 0, "for each task: first of the best rt list, else prev, then down the tree"},
             {Phase::consider, 1, "eligible? V, the average, has reached its vruntime"},
             {Phase::consider, 1, "prev is eligible, with the deadline of its last pick? it continues"},
             {Phase::keep, 1, "and its deadline is the earliest so far"},
             {Phase::insert, 1, "another one is chosen? prev into the tree, by its vruntime"}});
    else
        add({{Phase::put_back, 1, "prev can continue? into the tree, by its vruntime"},
             {Phase::consider, 0, "for each task: first of the best rt list, else down this CPU's tree"},
             {Phase::consider, 1, "eligible? V, the average, has reached its vruntime"},
             {Phase::keep, 1, "and its deadline is the earliest so far"}});
    add({{Phase::switch_context, 0, "it is not prev? save prev's context, load its own"},
         {Phase::switch_mm, 1, "no mm? it borrows prev's; another mm? load its page tables, flush the TLB"},
         {Phase::resume, 0, "it runs, or the idle task if there is none"}});
    return lines;
}

// `Kernel` is the policy: it provides the average vruntime, the test of eligibility and the search.
template <class Kernel>
struct EevdfReasons {
    // The reason why the woken task p preempts the running task or does not preempt it. A wake-up first calls
    // charge_current(), which requests a schedule() if the deadline of the running task has passed.
    // Otherwise, check_preempt() decides.
    static std::string fair_wake_reason(const Queue<Kernel>& q, TaskId p, bool needs_resched,
                                        const TaskNamer& name) {
        const TaskId current = q.q.current;
        const TaskFields66 &own = q.state_of(p), &running = q.state_of(current);
        // Whether charge_current() has just renewed the deadline of the running task while another task was
        // runnable. In this case charge_current() has requested a schedule().
        const bool charge_asked =
            running.deadline - running.vruntime ==
                Kernel::virtual_time(Kernel::base_slice(q.m), Kernel::weight(q.m, current)) &&
            running.vlag != running.deadline && q.q.running > 2;
        if (needs_resched && charge_asked)
            return fmt::format("{} has reached its deadline, so its slice ends", name(current));
        const SchedClass its = q.m.sched_class[p];
        if (needs_resched && q.m.sched_class[current] == SchedClass::idle)
            return fmt::format("{} is of class idle", name(current));
        if (its == SchedClass::batch || its == SchedClass::idle)
            return fmt::format("{} is of class {}, which does not preempt", name(p), to_string(its));
        const auto a = Kernel::average(q);
        const std::int64_t lag = Kernel::virtual_now(q) - own.vruntime;
        const std::string lag_text =
            fmt::format("{}{}", lag < 0 ? "-" : "", human_time(Nanos{std::abs(lag)}));
        // As in __pick_eevdf(), RUN_TO_PARITY is tested first. While a task runs, its vlag is the deadline
        // that it had when it was chosen. If vlag and deadline are equal, this deadline has not been reached.
        if (Kernel::is_eligible(q, a, current) && running.vlag == running.deadline) {
            const std::int64_t later = own.deadline - running.deadline;
            const std::string order = later == 0 ? "the same"
                                                 : fmt::format("{} {}", human_time(Nanos{std::abs(later)}),
                                                               later < 0 ? "earlier" : "later");
            return fmt::format(
                "RUN_TO_PARITY keeps {}, which is eligible and has {} of virtual time to its deadline; {} is "
                "{}",
                name(current), human_time(Nanos{running.deadline - running.vruntime}), name(p),
                Kernel::is_eligible(q, a, p)
                    ? fmt::format("eligible (lag {}), and its deadline is {}", lag_text, order)
                    : fmt::format("not eligible (lag {})", lag_text));
        }
        if (!Kernel::is_eligible(q, a, p))
            return fmt::format("{}'s lag is {}, so it is not eligible", name(p), lag_text);
        const TaskId best = Kernel::pick_eevdf(q, [](TaskId, bool, CandidateRemark) {});
        if (best == p)
            return Kernel::is_eligible(q, a, current)
                       ? fmt::format("{} is eligible (lag {}), and its deadline is the earliest", name(p),
                                     lag_text)
                       : fmt::format(
                             "{} is eligible (lag {}), and its deadline is the earliest of the "
                             "eligible tasks; {} is not eligible",
                             name(p), lag_text, name(current));
        return fmt::format("{} is eligible (lag {}), but {}'s deadline is earlier", name(p), lag_text,
                           name(best));
    }

    // Called after the choice of `winner`. The queue contains the same tasks as during the search, but its
    // running task can be another task.
    static std::string fair_not_chosen_reason(const Queue<Kernel>& q, TaskId p, TaskId winner,
                                              const TaskNamer& name) {
        const std::int64_t lag = Kernel::virtual_now(q) - q.state_of(p).vruntime;
        if (!Kernel::is_eligible(q, Kernel::average(q), p))
            return fmt::format("it is not eligible: its lag is -{}", human_time(Nanos{std::abs(lag)}));
        const std::int64_t later = q.state_of(p).deadline - q.state_of(winner).deadline;
        if (later < 0) return fmt::format("RUN_TO_PARITY keeps {}, which is eligible", name(winner));
        if (later == 0)
            return fmt::format("its deadline is the same, and the search finds {} first", name(winner));
        return fmt::format("its deadline is {} later than {}'s", human_time(Nanos{later}), name(winner));
    }

    static std::string fair_tick_reason(const Queue<Kernel>& q, bool needs_resched, const TaskNamer& name) {
        const TaskFields66& running = q.state_of(q.q.current);
        if (needs_resched)
            return fmt::format("{} has reached its deadline: its slice is used up", name(q.q.current));
        return fmt::format("{} reaches its deadline in {} of virtual time", name(q.q.current),
                           human_time(Nanos{running.deadline - running.vruntime}));
    }
};

}  // namespace sim::fair
