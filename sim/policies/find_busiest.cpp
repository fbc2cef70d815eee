// Finds the busiest CPU of a domain, and how much load or how many tasks to move from it. The rules are in
// docs/reference/run_queues.md.
#include <algorithm>

#include "sim/policies/domains.h"
#include "sim/policies/run_queues.h"

namespace sim {

// find_busiest_group() and find_busiest_queue(). In the result, `busiest` is kNoCpu if the domain is
// balanced.
PerCpuPolicy::Imbalance PerCpuPolicy::find_imbalance(Machine& m, CpuId here, const Domain& d,
                                                     std::uint64_t cpus) const {
    balance_of(m, here).looks += d.cpu_count();
    if (is_linux_6_6()) return find_imbalance_6_6(m, here, d, cpus);
    const GroupComparison groups = compare_groups(m, here, d, cpus);
    const auto& [own, busiest, mean] = groups;
    if (busiest.running == 0 || own.load >= busiest.load || own.load >= mean ||
        100 * busiest.load <= rules_of(d).imbalance_pct * own.load || busiest.load <= busiest.load_per_task())
        return {};
    const std::optional<std::uint64_t> amount = load_to_move(groups);
    if (!amount) return {};
    return {busiest_cpu(m, busiest, *amount, cpus), *amount, false};
}

PerCpuPolicy::Group PerCpuPolicy::group_sums(const Machine& m, CpuId first, CpuId end,
                                             std::uint64_t cpus) const {
    Group g{.first = first, .end = end};
    for (CpuId c = first; c < end; ++c) {
        if ((cpus & bit(c)) == 0) continue;
        g.load += load_of(m, c);
        g.running += nr_running(m, c);
        g.fair += nr_fair(m, c);
        g.idle += is_idle(m, c) ? 1 : 0;
    }
    return g;
}

// Models the loop of find_busiest_group(). If there is no busiest group, busiest.running is 0.
PerCpuPolicy::GroupComparison PerCpuPolicy::compare_groups(const Machine& m, CpuId here, const Domain& d,
                                                           std::uint64_t cpus) const {
    GroupComparison groups;
    std::uint64_t total = 0, count = 0;
    for_each_group(d, here, [&](CpuId first, CpuId end) {
        const Group g = group_sums(m, first, end, cpus);
        total += g.load;
        ++count;
        if (here >= first && here < end)
            groups.own = g;
        else if (g.load > groups.busiest.load && g.running > 1)  // a single task is not moved
            groups.busiest = g;
    });
    groups.mean = total / count;
    return groups;
}

// Models the part of find_busiest_group() after the loop and, for 2.6.32, fix_small_imbalance(). Returns
// nullopt if the groups are balanced. REQUIRES: there is a busiest group.
std::optional<std::uint64_t> PerCpuPolicy::load_to_move(const GroupComparison& groups) const {
    const auto& [own, busiest, mean] = groups;
    const std::uint64_t load_per_task = busiest.load_per_task();
    std::uint64_t amount = 0;
    if (busiest.load >= mean)
        amount = std::min({busiest.load - mean, busiest.load - load_per_task, mean - own.load});
    if (amount >= load_per_task) return amount;

    using enum BalanceRules::BusiestRule;
    const std::uint64_t of_idle = rules_.busiest == linux_2_6_32 ? 0 : rules_.nominal;
    const std::uint64_t own_per_task = own.running > 0 ? own.load_per_task() : of_idle;
    const std::uint64_t tasks = own.running > 0 && load_per_task > own_per_task ? 1 : 2;
    std::uint64_t tolerance = 0;
    if (rules_.busiest == linux_2_6_24) tolerance = rules_.nominal;  // SCHED_LOAD_SCALE_FUZZ
    if (rules_.busiest == linux_2_6_32) tolerance = load_per_task;
    if (busiest.load - own.load + tolerance >= load_per_task * tasks) return load_per_task;
    // Here, the difference of the loads alone does not justify moving one task. One task is moved only if the
    // move uses the CPUs' power better.
    const std::uint64_t now = load_per_task + std::min(own_per_task, own.load);
    const std::uint64_t then = std::min(load_per_task, busiest.load - load_per_task) +
                               std::min(own_per_task, own.load + load_per_task);
    if (then > now) return load_per_task;
    if (rules_.busiest == linux_2_6_20) return std::nullopt;
    // Kernels after 2.6.20 try to move `amount`, although it is less than the load of a task.
    return amount;
}

// Models find_busiest_queue() of the kernel.
CpuId PerCpuPolicy::busiest_cpu(const Machine& m, const Group& group, std::uint64_t amount,
                                std::uint64_t cpus) const {
    CpuId busiest = kNoCpu;
    std::uint64_t most = 0;
    for (CpuId c = group.first; c < group.end; ++c) {
        const std::uint64_t load = load_of(m, c);
        const std::uint32_t tasks = is_linux_6_6() ? nr_fair(m, c) : nr_running(m, c);
        if ((cpus & bit(c)) == 0 || (tasks == 1 && load > amount) || load <= most) continue;
        most = load;
        busiest = c;
    }
    return busiest;
}

namespace {

// enum group_type of 6.6, as far as it is modelled. A CPU with a task counts as fully used.
enum class GroupType : std::uint8_t { has_spare, fully_busy, overloaded };

GroupType group_type_of(std::uint64_t running, std::uint64_t cpus) {
    if (running < cpus) return GroupType::has_spare;
    return running == cpus ? GroupType::fully_busy : GroupType::overloaded;
}

}  // namespace

// update_sd_pick_busiest() of 6.6: whether `a` is busier than `b`, the busiest group so far.
bool PerCpuPolicy::is_busier_6_6(const Group& a, const Group& b, CpuId siblings) {
    if (a.fair == 0) return false;
    if (b.fair == 0) return true;
    const GroupType type = group_type_of(a.running, a.cpu_count()),
                    other = group_type_of(b.running, b.cpu_count());
    if (type != other) return type > other;
    switch (type) {
        case GroupType::overloaded:
            return a.load_per_cpu() > b.load_per_cpu();
        case GroupType::fully_busy:
            // Of two fully busy groups, the later group `a` counts as busier, unless the groups are cores
            // with several hardware threads.
            return b.cpu_count() == 1 || b.cpu_count() > siblings;
        case GroupType::has_spare:
            break;
    }
    return a.idle != b.idle ? a.idle < b.idle : a.running > b.running;
}

// Models find_busiest_group(), calculate_imbalance() and find_busiest_queue() of 6.6.
PerCpuPolicy::Imbalance PerCpuPolicy::find_imbalance_6_6(const Machine& m, CpuId here, const Domain& d,
                                                         std::uint64_t cpus) const {
    Group own, busiest;
    std::uint64_t total = 0;
    for_each_group(d, here, [&](CpuId first, CpuId end) {
        const Group g = group_sums(m, first, end, cpus);
        total += g.load;
        if (here >= first && here < end)
            own = g;
        else if (is_busier_6_6(g, busiest, m.shape().siblings))
            busiest = g;
    });
    if (busiest.fair == 0) return {};
    const GroupType own_type = group_type_of(own.running, own.cpu_count());
    const GroupType type = group_type_of(busiest.running, busiest.cpu_count());
    const std::uint64_t mean = total / d.cpu_count();
    if (own_type > type) return {};
    if (own_type == GroupType::overloaded &&
        (own.load_per_cpu() >= busiest.load_per_cpu() || own.load_per_cpu() >= mean ||
         100 * busiest.load_per_cpu() <= rules_of(d).imbalance_pct * own.load_per_cpu()))
        return {};
    const bool is_idle = nr_running(m, here) == 0;
    if (own_type == GroupType::has_spare) {
        const std::uint64_t tasks = tasks_to_move_6_6(d, own, busiest, is_idle);
        return {tasks == 0 ? kNoCpu : cpu_with_most_tasks(m, busiest, cpus), tasks, true};
    }
    if (type != GroupType::overloaded || own.load_per_cpu() >= busiest.load_per_cpu() ||
        own.load_per_cpu() >= mean)
        return {};
    // If the load of the busiest group is below the mean, the first difference wraps to a very large number,
    // as in the kernel.
    const std::uint64_t amount = std::min((busiest.load_per_cpu() - mean) * busiest.cpu_count(),
                                          (mean - own.load_per_cpu()) * own.cpu_count());
    return {amount == 0 ? kNoCpu : busiest_cpu(m, busiest, amount, cpus), amount, false};
}

// The number of tasks to move to a group with an idle CPU.
std::uint64_t PerCpuPolicy::tasks_to_move_6_6(const Domain& d, const Group& own, const Group& busiest,
                                              bool is_idle) {
    const bool is_overloaded = busiest.running > busiest.cpu_count();
    if (is_overloaded && d.level == 2)
        // CPUs in different groups of level 2 do not share a cache. One task is moved for each idle CPU of
        // the own group, at least one.
        return std::max<std::uint64_t>(own.idle, 1);
    // sibling_imbalance(), for groups with equal numbers of cores. The other tests of find_busiest_group()
    // are not modelled, because they report no imbalance only if this value is 0, too.
    return is_idle && busiest.running > own.running ? (busiest.running - own.running) / 2 : 0;
}

// find_busiest_queue() for the case in which tasks, not loads, are compared. Only fair tasks are counted.
CpuId PerCpuPolicy::cpu_with_most_tasks(const Machine& m, const Group& group, std::uint64_t cpus) const {
    CpuId busiest = kNoCpu;
    std::uint32_t most = 0;
    for (CpuId c = group.first; c < group.end; ++c) {
        if ((cpus & bit(c)) == 0 || nr_fair(m, c) <= most) continue;
        most = nr_fair(m, c);
        busiest = c;
    }
    return busiest;
}

}  // namespace sim
