// Load balancing between the run queues of several CPUs. find_busiest.cpp decides from which CPU tasks are
// moved, and how many; task_placement.cpp chooses the CPU of tasks that start or wake.
#include "sim/policies/run_queues.h"

#include <algorithm>
#include <limits>

#include "sim/policies/domains.h"

namespace sim {
namespace {

constexpr std::uint32_t kAllOfThem = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kAllCpus = ~std::uint64_t{0};
constexpr std::uint32_t kLongestInterval = 512;  // MAX_PINNED_INTERVAL, ms

}  // namespace

void PerCpuPolicy::init_balance_state(Machine& m, CpuId c) const {
    BalanceState& b = balance_of(m, c);
    b = {};
    b.push_to = kNoCpu;
    b.push = b.moved = kNoTask;
    for (const Domain& d : Domains(m.shape(), c)) b.domain[d.level].interval = min_interval(d);
}

std::uint32_t PerCpuPolicy::min_interval(const Domain& d) const {
    return rules_of(d).min_interval * (rules_of(d).intervals_per_cpu ? d.cpu_count() : 1);
}

std::uint32_t PerCpuPolicy::max_interval(const Domain& d) const {
    return rules_of(d).max_interval * (rules_of(d).intervals_per_cpu ? d.cpu_count() : 1);
}

// Moves tasks from the busiest CPU to `here`. REQUIRES: from.busiest is not kNoCpu.
PerCpuPolicy::Move PerCpuPolicy::pull_tasks(Machine& m, CpuId here, const Domain& d, const Imbalance& from,
                                            std::uint64_t resched_cpus) const {
    BalanceState& b = balance_of(m, here);
    Move move{.from = from.busiest,
              .to = here,
              .amount = static_cast<std::int64_t>(from.amount),
              .counts_tasks = from.counts_tasks,
              .most = rules_.leaves_one ? nr_running(m, from.busiest) - 1 : kAllOfThem,
              .failed = b.domain[d.level].failed,
              // Hardware threads of a core (level 0) share their caches, so 6.6 also moves cache-hot tasks.
              .even_hot =
                  b.domain[d.level].failed > rules_of(d).cache_nice_tries || (is_linux_6_6() && d.level == 0),
              .asks = resched_cpus,
              // If the amount is 0, move_tasks() examines no task, so affinity forbids nothing.
              .pinned = from.amount > 0};
    move_tasks(m, move);
    b.moves += move.moved;
    return move;
}

bool PerCpuPolicy::is_core_idle(const Machine& m, CpuId c) const {
    const CpuId siblings = m.shape().siblings, first = c / siblings * siblings;
    for (CpuId other = first; other < std::min(first + siblings, m.shape().cpus); ++other)
        if (!is_idle(m, other)) return false;
    return true;
}

// Whether c balances for its whole group. One CPU per group does so: the first idle CPU, or the first CPU if
// none is idle. In domains larger than a core, 6.6 prefers the first CPU of an idle core
// (should_we_balance()).
bool PerCpuPolicy::is_first_of_group(const Machine& m, CpuId c, const Domain& d) const {
    const CpuId first = d.first + (c - d.first) / d.group * d.group;
    const CpuId end = std::min(first + d.group, d.end);
    if (is_linux_6_6() && d.level != 0)
        for (CpuId other = first; other < end; ++other)
            if (is_core_idle(m, other)) return other == c;
    for (CpuId other = first; other < end; ++other)
        if (is_idle(m, other)) return other == c;
    return c == first;
}

bool PerCpuPolicy::try_to_move(Machine& m, Move& move, TaskId p) const {
    if (!m.may_run(p, move.to)) return false;
    move.pinned = false;
    if (m.task[p].processor != Task::kNoProcessor) return false;
    const bool can_be_hot = (rules_.real_time_is_hot || !is_real_time(m.sched_class[p])) &&
                            !(is_linux_6_6() && m.sched_class[p] == SchedClass::idle);
    const std::int64_t since = m.globals().now.count() - static_cast<std::int64_t>(m.sequence[p]);
    if (!move.even_hot && can_be_hot && m.sequence[p] != 0 && since < rules_.hot.count()) return false;

    migrate(m, p, move);
    set_task_cpu(m, p, move.to);
    if (is_linux_6_6()) forget_cpu_loss(m, p);
    move.amount -= move.counts_tasks ? 1 : load_weight(m, p);
    ++move.moved;
    move.last = p;
    return true;
}

void PerCpuPolicy::lengthen_interval(BalanceState::DomainBalance& own, const Domain& d, bool pinned) const {
    if (own.interval < max_interval(d) || (pinned && own.interval < kLongestInterval)) own.interval *= 2;
}

// Models load_balance() of the kernel. Returns whether tasks were moved.
bool PerCpuPolicy::load_balance(Machine& m, CpuId here, const Domain& d, std::uint64_t& resched_cpus) const {
    BalanceState::DomainBalance& own = balance_of(m, here).domain[d.level];
    const std::uint32_t nice_tries = rules_of(d).cache_nice_tries;
    Move move{};
    move.pinned = false;  // no task has been examined yet
    bool counts_tasks = false;
    CpuId busiest = kNoCpu;
    for (std::uint64_t cpus = kAllCpus;; cpus &= ~bit(busiest)) {
        const Imbalance imbalance = find_imbalance(m, here, d, cpus);
        busiest = imbalance.busiest;
        counts_tasks = imbalance.counts_tasks;
        if (busiest == kNoCpu || nr_running(m, busiest) < 2) break;
        move = pull_tasks(m, here, d, imbalance, resched_cpus);
        if (!move.pinned) break;
    }
    if (busiest == kNoCpu) {
        own.failed = 0;
        lengthen_interval(own, d, move.pinned);
        return false;
    }

    resched_cpus |= move.asks;
    bool pushes = false;
    if (move.moved > 0) {
        own.failed = 0;
    } else if (++own.failed > nice_tries + 2 && (counts_tasks || !is_linux_6_6())) {
        const TaskId current = m.cpu(busiest).current;
        if (m.is_idle_task(current) || !m.may_run(current, here)) {
            lengthen_interval(own, d, true);
            return false;
        }
        BalanceState& there = balance_of(m, busiest);
        if (there.push_to == kNoCpu) {
            there.push_to = here;
            there.push = kNoTask;
            resched_cpus |= bit(busiest);
            pushes = true;
        }
        if (!is_linux_6_6()) own.failed = nice_tries + 1;
    }
    if (pushes && !is_linux_6_6())
        lengthen_interval(own, d, false);
    else
        own.interval = min_interval(d);
    return move.moved > 0;
}

// Models rebalance_domains() of the kernel.
std::uint64_t PerCpuPolicy::rebalance(Machine& m, CpuId c) const {
    const std::uint64_t ticks = m.globals().ticks;
    std::uint64_t resched_cpus = 0;
    bool busy = nr_running(m, c) > 0;
    const bool was_idle = !busy;
    const std::uint32_t looks_before = balance_of(m, c).looks;
    for (const Domain& d : Domains(m.shape(), c)) {
        BalanceState::DomainBalance& own = balance_of(m, c).domain[d.level];
        const std::uint64_t ms = std::uint64_t{own.interval} * (busy ? rules_of(d).busy_factor : 1);
        const std::uint64_t interval = std::max((ms * m.shape().hz + 999) / 1000, std::uint64_t{1});
        if (ticks - own.looked_at < interval) continue;
        own.looked_at = ticks;
        if (!is_first_of_group(m, c, d)) {  // the domain counts as balanced, and larger domains are skipped
            own.failed = 0;
            lengthen_interval(own, d, false);
            break;
        }
        if (load_balance(m, c, d, resched_cpus)) busy = true;
    }
    if (was_idle) balance_of(m, c).looks = looks_before;  // an idle CPU is not charged for reading loads
    return resched_cpus;
}

// Models idle_balance() and load_balance_newidle() of the kernel.
void PerCpuPolicy::idle_balance(Machine& m, CpuId here) const {
    if (rules_.pulls_real_time && pull_real_time_task(m, here)) return;
    for (const Domain& d : Domains(m.shape(), here)) {
        BalanceState::DomainBalance& own = balance_of(m, here).domain[d.level];
        for (std::uint64_t cpus = kAllCpus;;) {
            const Imbalance imbalance = find_imbalance(m, here, d, cpus);
            if (imbalance.busiest == kNoCpu) {
                own.failed = 0;
                break;
            }
            if (nr_running(m, imbalance.busiest) < 2) {
                if (is_linux_6_6()) own.interval = min_interval(d);
                break;
            }
            const Move move = pull_tasks(m, here, d, imbalance, 0);
            if (is_linux_6_6() && !move.pinned) own.interval = min_interval(d);
            if (move.moved > 0) {
                own.failed = 0;
                BalanceState& b = balance_of(m, here);
                b.reschedule |= move.asks & ~bit(here);  // these CPUs may have to choose another task
                b.moved = move.last;
                return;
            }
            cpus &= ~bit(imbalance.busiest);
        }
    }
}

// pull_rt_task(): pulls the waiting real-time task with the highest rt_priority from another CPU. Returns
// whether there was a task to pull.
bool PerCpuPolicy::pull_real_time_task(Machine& m, CpuId here) const {
    TaskId best = kNoTask;
    for (CpuId c = 0; c < m.shape().cpus; ++c)
        for (TaskId p = m.next_run[c]; p != c && is_real_time(m.sched_class[p]); p = m.next_run[p])
            if (m.may_run(p, here) && m.task[p].processor == Task::kNoProcessor &&
                (best == kNoTask || m.rt_priority[p] > m.rt_priority[best]))
                best = p;
    if (best == kNoTask) return false;
    Move move{.from = task_cpu(m, best), .to = here, .amount = 0, .most = 1, .even_hot = true};
    try_to_move(m, move, best);
    balance_of(m, here).moves += move.moved;
    return true;
}

// Models sched_exec() of the kernel.
bool PerCpuPolicy::exec(Machine& m, TaskId p) const {
    if (rules_.pulls_real_time && is_real_time(m.sched_class[p])) return false;
    const CpuId here = task_cpu(m, p);
    const CpuId idlest = idlest_cpu(m, p, here);
    if (idlest == here) return false;
    BalanceState& b = balance_of(m, here);
    b.push_to = idlest;
    b.push = p;
    return true;
}

// Models active_load_balance() and migration_thread() of the kernel.
void PerCpuPolicy::push_task_if_asked(Machine& m, CpuId c) const {
    BalanceState& b = balance_of(m, c);
    if (b.push_to == kNoCpu) return;
    Move move{.from = c,
              .to = b.push_to,
              .amount = std::numeric_limits<std::int64_t>::max(),
              .most = 1,
              .even_hot = true};
    const TaskId only = b.push;
    const CpuId to = b.push_to;
    b.push_to = kNoCpu;
    b.push = kNoTask;
    if (only == kNoTask)
        move_tasks(m, move);
    else if (m.task[only].state == TaskState::runnable && task_cpu(m, only) == c)
        try_to_move(m, move, only);
    else
        return;
    if (only == kNoTask && move.moved > 0 && is_linux_6_6())
        balance_of(m, to).domain[Domains(m.shape(), to).smallest_containing(c).level].failed = 0;
    ++b.pushes;
    b.moves += move.moved;
    b.reschedule |= move.asks;
    b.moved = move.last;
}

Policy::BalanceWork PerCpuPolicy::take_balance_work(Machine& m, CpuId c) const {
    BalanceState& b = balance_of(m, c);
    const BalanceWork result{b.looks, b.moves, b.pushes, b.reschedule, b.moved};
    b.looks = b.moves = b.pushes = 0;
    b.reschedule = 0;
    b.moved = kNoTask;
    return result;
}

}  // namespace sim
