// Chooses the CPU on which a task starts or wakes, for policies with a run queue per CPU.
#include <algorithm>
#include <bit>
#include <limits>

#include "sim/policies/domains.h"
#include "sim/policies/run_queues.h"

namespace sim {
namespace {

CpuId socket_of(const Machine& m, CpuId c) { return c / (m.shape().siblings * m.shape().cores); }

// Limit of the ratio of two loads, in percent: 100 plus half of the amount by which `imbalance_pct` exceeds
// 100. Wake-up: the task moves to the waker's CPU if that CPU's load, including the task, is at most (6.6:
// below) this percentage of the load of the task's previous CPU. Start and exec: the task moves to the idlest
// other group of CPUs if the load of its own group is at least this percentage of the load of the idlest
// group.
std::uint64_t placement_imbalance_pct(std::uint32_t imbalance_pct) { return 100 + (imbalance_pct - 100) / 2; }

// Bit mask of those CPUs of the bit mask `cpus` that are in [first, end).
std::uint64_t cpus_in_range(std::uint64_t cpus, CpuId first, CpuId end) {
    return first < end ? cpus & ~std::uint64_t{0} << first & ~std::uint64_t{0} >> (64 - end) : 0;
}

}  // namespace

CpuId PerCpuPolicy::cpu_of_adopted_task(const Machine& m, TaskId p) {
    const Task& task = m.task[p];
    if (task.processor != Task::kNoProcessor) return task.processor;
    return allowed_cpu(m, p, task.last_processor != Task::kNoProcessor ? task.last_processor : 0);
}

CpuId PerCpuPolicy::cpu_to_wake_on(Machine& m, TaskId p, const WakeUp& wake_up) const {
    const bool has_own_rule = rules_.pulls_real_time && is_real_time(m.sched_class[p]);
    switch (wake_up.by) {
        case WakeUp::Waker::start:
            if (!has_own_rule) return idlest_cpu(m, p, wake_up.here);
            return lowest_priority_cpu(m, p, allowed_cpu(m, p, wake_up.here), wake_up.here);
        case WakeUp::Waker::fork:
            if (rules_.fork_balances && !has_own_rule) return idlest_cpu(m, p, wake_up.here);
            if (!has_own_rule || rules_.placement == BalanceRules::PlacementRule::linux_2_6_32)
                return allowed_cpu(m, p, wake_up.here);
            return lowest_priority_cpu(m, p, allowed_cpu(m, p, wake_up.here), wake_up.here);
        case WakeUp::Waker::task:
        case WakeUp::Waker::interrupt:
            break;
    }
    if (rules_.placement == BalanceRules::PlacementRule::linux_2_6_20)
        return cpu_to_wake_on_2_6_20(m, p, wake_up.here);
    if (has_own_rule) return lowest_priority_cpu(m, p, task_cpu(m, p), wake_up.here);
    return rules_.placement == BalanceRules::PlacementRule::linux_6_6
               ? cpu_to_wake_on_6_6(m, p, wake_up.here)
               : cpu_to_wake_on_2_6_32(m, p, wake_up.here);
}

// CPU for a waking task, as in try_to_wake_up() and wake_idle() of 2.6.20.
CpuId PerCpuPolicy::cpu_to_wake_on_2_6_20(const Machine& m, TaskId p, CpuId here) const {
    CpuId target = task_cpu(m, p);
    if (here != target && m.may_run(p, here)) {
        const CpuId prev = target;
        const DomainRules& rules = rules_of(Domains(m.shape(), here).smallest_containing(prev));
        const std::uint64_t load = load_of(m, prev), own = load_of(m, here);
        const std::uint32_t running = nr_running(m, here);
        const std::uint64_t per_task = running > 0 ? own / running : rules_.idle_per_task;
        if ((own <= load && own + load <= per_task) ||
            100 * (own + load_weight(m, p)) <= placement_imbalance_pct(rules.imbalance_pct) * load)
            target = here;
    }
    if (is_idle(m, target)) return target;
    const Domains domains(m.shape(), target);
    if (domains.count == 0 || domains.of[0].level != 0) return target;
    for (CpuId c = domains.of[0].first; c < domains.of[0].end; ++c)
        if (m.may_run(p, c) && is_idle(m, c)) return c;
    return target;
}

// CPU for a waking task, as in select_task_rq_fair() and wake_affine() of 2.6.32.
CpuId PerCpuPolicy::cpu_to_wake_on_2_6_32(const Machine& m, TaskId p, CpuId here) const {
    const CpuId prev = task_cpu(m, p);
    if (!m.may_run(p, here)) return prev;
    for (const Domain& d : Domains(m.shape(), here)) {
        CpuId candidate = d.contains(prev) ? here : kNoCpu;
        if (d.level > 0) {  // SD_PREFER_SIBLING
            if (candidate == here && first_cpu_without_fair_task(m, bit(prev)) == prev) candidate = prev;
            if (candidate == kNoCpu || candidate == here) {
                const CpuId c =
                    first_cpu_without_fair_task(m, cpus_in_range(allowed_cpus(m, p), d.first, d.end));
                if (c != kNoCpu) candidate = c;
            }
        }
        if (candidate == kNoCpu) continue;
        const std::uint64_t load = load_of(m, prev), own = load_of(m, here);
        const std::uint32_t running = nr_running(m, here);
        const std::uint64_t per_task = running > 0 ? own / running : rules_.idle_per_task;
        const bool balanced = own == 0 || 100 * (own + load_weight(m, p)) <=
                                              placement_imbalance_pct(rules_of(d).imbalance_pct) * load;
        return balanced || (own <= load && own + load <= per_task) ? candidate : prev;
    }
    return prev;
}

// CPU for a waking task, as in select_task_rq_fair(), wake_affine() and select_idle_sibling() of 6.6.
CpuId PerCpuPolicy::cpu_to_wake_on_6_6(const Machine& m, TaskId p, CpuId here) const {
    const CpuId prev = task_cpu(m, p);
    const auto share_cache = [&](CpuId a, CpuId b) { return socket_of(m, a) == socket_of(m, b); };
    CpuId target = prev;
    if (here != prev && m.may_run(p, here)) {
        const DomainRules& rules = rules_of(Domains(m.shape(), here).smallest_containing(prev));
        if (is_idle(m, here) && share_cache(here, prev))
            target = is_idle(m, prev) ? prev : here;
        else if (!is_idle(m, prev) && 100 * (load_of(m, here) + load_weight(m, p)) <
                                          placement_imbalance_pct(rules.imbalance_pct) * load_of(m, prev))
            target = here;
    }
    if (is_idle(m, target)) return target;
    if (share_cache(prev, target) && is_idle(m, prev)) return prev;

    const MachineShape& shape = m.shape();
    const auto core_of = [&](CpuId c) { return c / shape.siblings; };
    const CpuId first = socket_of(m, target) * shape.siblings * shape.cores;
    const CpuId end = std::min(first + shape.siblings * shape.cores, shape.cpus);
    // The first CPU of target's socket that p may use and for which is_so(cpu) holds. The search starts
    // after `target` and wraps around.
    const auto first_that = [&](auto is_so) {
        for (CpuId c = target + 1; c < end; ++c)
            if (is_so(c) && m.may_run(p, c)) return c;
        for (CpuId c = first; c <= target; ++c)
            if (is_so(c) && m.may_run(p, c)) return c;
        return kNoCpu;
    };
    const auto idle = [&](CpuId c) { return is_idle(m, c); };
    CpuId found = kNoCpu;
    if (shape.siblings > 1) {
        found = first_that([&](CpuId c) {
            for (CpuId s = core_of(c) * shape.siblings; s < end && core_of(s) == core_of(c); ++s)
                if (!is_idle(m, s)) return false;
            return true;
        });
        if (found == kNoCpu && share_cache(prev, target))
            for (CpuId s = core_of(prev) * shape.siblings; s < end && core_of(s) == core_of(prev); ++s)
                if (s != prev && m.may_run(p, s) && is_idle(m, s)) return s;
    }
    if (found == kNoCpu) found = first_that(idle);
    return found != kNoCpu ? found : target;
}

// Models select_task_rq_rt() and find_lowest_rq() of the kernel.
CpuId PerCpuPolicy::lowest_priority_cpu(const Machine& m, TaskId p, CpuId prev, CpuId here) const {
    const auto importance = [&](CpuId c) {
        const TaskId current = m.cpu(c).current;
        if (m.is_idle_task(current)) return -1;
        return is_real_time(m.sched_class[current]) ? m.rt_priority[current] : 0;
    };
    if (importance(prev) <= 0) return prev;
    // In 6.6, p stays on `prev` if p preempts the task that runs there and that task may run on another CPU.
    const bool may_go = std::popcount(allowed_cpus(m, m.cpu(prev).current)) > 1;
    if (rules_.placement == BalanceRules::PlacementRule::linux_6_6 && may_go &&
        importance(prev) < m.rt_priority[p])
        return prev;
    CpuId lowest = prev;
    const auto look_at = [&](CpuId c) {
        if (m.may_run(p, c) && importance(c) < importance(lowest)) lowest = c;
    };
    look_at(here);
    for (CpuId c = 0; c < m.shape().cpus; ++c) look_at(c);
    return importance(lowest) < m.rt_priority[p] ? lowest : prev;
}

// CPU for a new task or an exec, as in sched_balance_self(), find_idlest_group() and find_idlest_cpu().
CpuId PerCpuPolicy::idlest_cpu(const Machine& m, TaskId p, CpuId at_hand) const {
    CpuId here = allowed_cpu(m, p, at_hand);
    std::uint32_t fewer_than = std::numeric_limits<std::uint32_t>::max();
    for (;;) {
        const Domains domains(m.shape(), here);
        const Domain* d = domains.end();
        while (d != domains.begin() && (d - 1)->cpu_count() >= fewer_than) --d;
        if (d == domains.begin()) return here;
        --d;
        fewer_than = d->cpu_count();

        constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t own = 0, least = kNone;
        CpuId first = 0, end = 0;  // the group with load `least`
        for_each_group(*d, here, [&](CpuId group, CpuId group_end) {
            std::uint64_t load = 0, may_run = 0;
            for (CpuId c = group; c < group_end; ++c) {
                load += load_of(m, c);
                may_run |= m.may_run(p, c);
            }
            if (here >= group && here < group_end) {
                own = load;
            } else if (may_run != 0 && load < least) {
                least = load;
                first = group;
                end = group_end;
            }
        });
        if (least == kNone || 100 * own < placement_imbalance_pct(rules_of(*d).imbalance_pct) * least)
            continue;
        CpuId idlest = kNoCpu;
        for (CpuId c = first; c < end; ++c)
            if (m.may_run(p, c) && (idlest == kNoCpu || load_of(m, c) < load_of(m, idlest))) idlest = c;
        here = idlest;
    }
}

}  // namespace sim
