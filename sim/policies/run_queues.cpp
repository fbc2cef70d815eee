#include "sim/policies/run_queues.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace sim {
namespace {

constexpr std::uint32_t kAllOfThem = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kAllCpus = ~std::uint64_t{0};
constexpr std::uint32_t kLongestInterval = 512;  // MAX_PINNED_INTERVAL, ms

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

    // The smallest domain that also contains this CPU. REQUIRES: there is one.
    const Domain& with(CpuId other) const {
        return *std::find_if(begin(), end(), [&](const Domain& d) { return d.has(other); });
    }
};

// Calls visit(first, end) for the groups of d, starting with the group of c.
template <class Visit>
void for_each_group(const Domain& d, CpuId c, Visit visit) {
    const std::uint32_t groups = (d.cpus() + d.group - 1) / d.group;
    for (std::uint32_t i = 0, g = (c - d.first) / d.group; i < groups; ++i, g = g + 1 < groups ? g + 1 : 0) {
        const CpuId first = d.first + g * d.group;
        visit(first, std::min(first + d.group, d.end));
    }
}

CpuId socket_of(const Machine& m, CpuId c) { return c / (m.shape().siblings * m.shape().cores); }

// Limit of the load ratio for a move at wake-up, in percent: half of the excess that balancing allows.
std::uint64_t half_of(std::uint32_t imbalance_pct) { return 100 + (imbalance_pct - 100) / 2; }

// Bit mask of the CPUs that p may use.
std::uint64_t allowed(const Machine& m, TaskId p) {
    const std::uint32_t cpus = m.shape().cpus;
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - cpus);
    return cpus == 1 ? 1 : m.cpus_allowed[p] & all;
}

// The part of the bit mask `cpus` in [first, end).
std::uint64_t among(std::uint64_t cpus, CpuId first, CpuId end) {
    return first < end ? cpus & ~std::uint64_t{0} << first & ~std::uint64_t{0} >> (64 - end) : 0;
}

CpuId allowed_cpu(const Machine& m, TaskId p, CpuId wanted) {
    if (m.may_run(p, wanted)) return wanted;
    return static_cast<CpuId>(std::countr_zero(allowed(m, p)));
}

}  // namespace

void PerCpuPolicy::begin_balance(Machine& m, CpuId c) const {
    Balance& b = balance_of(m, c);
    b = {};
    b.push_to = kNoCpu;
    b.push = b.moved = kNoTask;
    for (const Domain& d : Domains(m.shape(), c)) b.domain[d.level].interval = min_interval(d);
}

std::uint32_t PerCpuPolicy::min_interval(const Domain& d) const {
    return rules_of(d).min_interval * (rules_of(d).intervals_per_cpu ? d.cpus() : 1);
}

std::uint32_t PerCpuPolicy::max_interval(const Domain& d) const {
    return rules_of(d).max_interval * (rules_of(d).intervals_per_cpu ? d.cpus() : 1);
}

CpuId PerCpuPolicy::cpu_of_adopted(const Machine& m, TaskId p) {
    const Task& task = m.task[p];
    if (task.processor != Task::kNoProcessor) return task.processor;
    return allowed_cpu(m, p, task.last_processor != Task::kNoProcessor ? task.last_processor : 0);
}

// --- placement of a task ---

CpuId PerCpuPolicy::cpu_to_wake_on(Machine& m, TaskId p, const WakeUp& how) const {
    const bool has_own_rule = rules_.pulls_real_time && is_real_time(m.sched_class[p]);
    switch (how.by) {
        case WakeUp::By::start:
            if (!has_own_rule) return idlest_cpu(m, p, how.here);
            return lowest_cpu(m, p, allowed_cpu(m, p, how.here), how.here);
        case WakeUp::By::fork:
            if (rules_.fork_balances && !has_own_rule) return idlest_cpu(m, p, how.here);
            if (!has_own_rule || rules_.placement == BalanceRules::Placement::linux_2_6_32)
                return allowed_cpu(m, p, how.here);
            return lowest_cpu(m, p, allowed_cpu(m, p, how.here), how.here);
        case WakeUp::By::task:
        case WakeUp::By::interrupt:
            break;
    }
    if (rules_.placement == BalanceRules::Placement::linux_2_6_20) return wake_on_2_6_20(m, p, how.here);
    if (has_own_rule) return lowest_cpu(m, p, task_cpu(m, p), how.here);
    return rules_.placement == BalanceRules::Placement::linux_6_6 ? wake_on_6_6(m, p, how.here)
                                                                  : wake_on_2_6_32(m, p, how.here);
}

// try_to_wake_up(), wake_idle() of 2.6.20.
CpuId PerCpuPolicy::wake_on_2_6_20(const Machine& m, TaskId p, CpuId here) const {
    CpuId target = task_cpu(m, p);
    if (here != target && m.may_run(p, here)) {
        const CpuId prev = target;
        const DomainRules& rules = rules_of(Domains(m.shape(), here).with(prev));
        const std::uint64_t load = load_of(m, prev), own = load_of(m, here);
        const std::uint32_t running = nr_running(m, here);
        const std::uint64_t per_task = running > 0 ? own / running : rules_.idle_per_task;
        if ((own <= load && own + load <= per_task) ||
            100 * (own + load_weight(m, p)) <= half_of(rules.imbalance_pct) * load)
            target = here;
    }
    if (is_idle(m, target)) return target;
    const Domains domains(m.shape(), target);
    if (domains.count == 0 || domains.of[0].level != 0) return target;
    for (CpuId c = domains.of[0].first; c < domains.of[0].end; ++c)
        if (m.may_run(p, c) && is_idle(m, c)) return c;
    return target;
}

// select_task_rq_fair(), wake_affine() of 2.6.32.
CpuId PerCpuPolicy::wake_on_2_6_32(const Machine& m, TaskId p, CpuId here) const {
    const CpuId prev = task_cpu(m, p);
    if (!m.may_run(p, here)) return prev;
    for (const Domain& d : Domains(m.shape(), here)) {
        CpuId candidate = d.has(prev) ? here : kNoCpu;
        if (d.level > 0) {  // SD_PREFER_SIBLING
            if (candidate == here && first_without_fair(m, bit(prev)) == prev) candidate = prev;
            if (candidate == kNoCpu || candidate == here) {
                const CpuId c = first_without_fair(m, among(allowed(m, p), d.first, d.end));
                if (c != kNoCpu) candidate = c;
            }
        }
        if (candidate == kNoCpu) continue;
        const std::uint64_t load = load_of(m, prev), own = load_of(m, here);
        const std::uint32_t running = nr_running(m, here);
        const std::uint64_t per_task = running > 0 ? own / running : rules_.idle_per_task;
        const bool balanced =
            own == 0 || 100 * (own + load_weight(m, p)) <= half_of(rules_of(d).imbalance_pct) * load;
        return balanced || (own <= load && own + load <= per_task) ? candidate : prev;
    }
    return prev;
}

// select_task_rq_fair(), wake_affine(), select_idle_sibling() of 6.6.
CpuId PerCpuPolicy::wake_on_6_6(const Machine& m, TaskId p, CpuId here) const {
    const CpuId prev = task_cpu(m, p);
    const auto share_cache = [&](CpuId a, CpuId b) { return socket_of(m, a) == socket_of(m, b); };
    CpuId target = prev;
    if (here != prev && m.may_run(p, here)) {
        const DomainRules& rules = rules_of(Domains(m.shape(), here).with(prev));
        if (is_idle(m, here) && share_cache(here, prev))
            target = is_idle(m, prev) ? prev : here;
        else if (!is_idle(m, prev) && 100 * (load_of(m, here) + load_weight(m, p)) <
                                          half_of(rules.imbalance_pct) * load_of(m, prev))
            target = here;
    }
    if (is_idle(m, target)) return target;
    if (share_cache(prev, target) && is_idle(m, prev)) return prev;

    const MachineShape& shape = m.shape();
    const auto core_of = [&](CpuId c) { return c / shape.siblings; };
    const CpuId first = socket_of(m, target) * shape.siblings * shape.cores;
    const CpuId end = std::min(first + shape.siblings * shape.cores, shape.cpus);
    // The first CPU of target's socket that p may use and for which is_so holds, starting after target.
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

// select_task_rq_rt(), find_lowest_rq().
CpuId PerCpuPolicy::lowest_cpu(const Machine& m, TaskId p, CpuId prev, CpuId here) const {
    const auto importance = [&](CpuId c) {
        const TaskId current = m.cpu(c).current;
        if (m.is_idle_task(current)) return -1;
        return is_real_time(m.sched_class[current]) ? m.rt_priority[current] : 0;
    };
    if (importance(prev) <= 0) return prev;
    // 6.6: p stays if it preempts a task that may run on another CPU.
    const bool may_go = std::popcount(allowed(m, m.cpu(prev).current)) > 1;
    if (rules_.placement == BalanceRules::Placement::linux_6_6 && may_go &&
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

// sched_balance_self(), find_idlest_group(), find_idlest_cpu().
CpuId PerCpuPolicy::idlest_cpu(const Machine& m, TaskId p, CpuId at_hand) const {
    CpuId here = allowed_cpu(m, p, at_hand);
    std::uint32_t fewer_than = std::numeric_limits<std::uint32_t>::max();
    for (;;) {
        const Domains domains(m.shape(), here);
        const Domain* d = domains.end();
        while (d != domains.begin() && (d - 1)->cpus() >= fewer_than) --d;
        if (d == domains.begin()) return here;
        --d;
        fewer_than = d->cpus();

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
        if (least == kNone || 100 * own < half_of(rules_of(*d).imbalance_pct) * least) continue;
        CpuId idlest = kNoCpu;
        for (CpuId c = first; c < end; ++c)
            if (m.may_run(p, c) && (idlest == kNoCpu || load_of(m, c) < load_of(m, idlest))) idlest = c;
        here = idlest;
    }
}

// --- load balancing ---

// busiest is kNoCpu if the domain is balanced.
PerCpuPolicy::Imbalance PerCpuPolicy::find_busiest(Machine& m, CpuId here, const Domain& d,
                                                   std::uint64_t cpus) const {
    balance_of(m, here).looks += d.cpus();
    const Groups groups = groups_of(m, here, d, cpus);
    const auto& [own, busiest, mean] = groups;
    if (busiest.running == 0 || own.load >= busiest.load || own.load >= mean ||
        100 * busiest.load <= rules_of(d).imbalance_pct * own.load || busiest.load <= busiest.per_task())
        return {kNoCpu, 0};
    const std::optional<std::uint64_t> amount = amount_to_move(groups);
    if (!amount) return {kNoCpu, 0};
    return {busiest_cpu(m, busiest, *amount, cpus), *amount};
}

// The loop of find_busiest_group(). Without a busiest group, busiest.running is 0.
PerCpuPolicy::Groups PerCpuPolicy::groups_of(const Machine& m, CpuId here, const Domain& d,
                                             std::uint64_t cpus) const {
    Groups groups;
    std::uint64_t total = 0, count = 0;
    for_each_group(d, here, [&](CpuId first, CpuId end) {
        Group g{.first = first, .end = end};
        for (CpuId c = first; c < end; ++c) {
            if ((cpus & bit(c)) == 0) continue;
            g.load += load_of(m, c);
            g.running += nr_running(m, c);
        }
        total += g.load;
        ++count;
        if (here >= first && here < end)
            groups.own = g;
        else if (g.load > groups.busiest.load && g.running > 1)  // a single task is not worth moving
            groups.busiest = g;
    });
    groups.mean = total / count;
    return groups;
}

// The part of find_busiest_group() after the loop. Empty: balanced. REQUIRES: there is a busiest group.
std::optional<std::uint64_t> PerCpuPolicy::amount_to_move(const Groups& groups) const {
    const auto& [own, busiest, mean] = groups;
    const std::uint64_t per_task = busiest.per_task();
    std::uint64_t amount = 0;
    if (busiest.load >= mean)
        amount = std::min({busiest.load - mean, busiest.load - per_task, mean - own.load});
    if (amount >= per_task) return amount;

    const std::uint64_t own_per_task = own.running > 0 ? own.per_task() : rules_.nominal;
    const std::uint64_t tasks = own.running > 0 && per_task > own_per_task ? 1 : 2;
    if (busiest.load - own.load >= per_task * tasks) return per_task;
    // Would moving one task use more of the CPUs' power?
    const std::uint64_t now = per_task + std::min(own_per_task, own.load);
    const std::uint64_t then =
        std::min(per_task, busiest.load - per_task) + std::min(own_per_task, own.load + per_task);
    if (then <= now) return std::nullopt;
    return per_task;
}

// find_busiest_queue().
CpuId PerCpuPolicy::busiest_cpu(const Machine& m, const Group& group, std::uint64_t amount,
                                std::uint64_t cpus) const {
    CpuId busiest = kNoCpu;
    std::uint64_t most = 0;
    for (CpuId c = group.first; c < group.end; ++c) {
        const std::uint64_t load = load_of(m, c);
        if ((cpus & bit(c)) == 0 || (nr_running(m, c) == 1 && load > amount) || load <= most) continue;
        most = load;
        busiest = c;
    }
    return busiest;
}

// Moves tasks to `here`. REQUIRES: from.busiest is not kNoCpu.
PerCpuPolicy::Move PerCpuPolicy::pull(Machine& m, CpuId here, const Domain& d, const Imbalance& from,
                                      std::uint64_t asked) const {
    Balance& b = balance_of(m, here);
    Move move{.from = from.busiest,
              .to = here,
              .amount = static_cast<std::int64_t>(from.amount),
              .most = rules_.leaves_one ? nr_running(m, from.busiest) - 1 : kAllOfThem,
              .even_hot = b.domain[d.level].failed > rules_of(d).cache_nice_tries,
              .asks = asked};
    move_tasks(m, move);
    b.moves += move.moved;
    return move;
}

// One CPU per group balances for all: the first idle one, or the first if none is idle.
bool PerCpuPolicy::is_first_of_group(const Machine& m, CpuId c, const Domain& d) const {
    const CpuId first = d.first + (c - d.first) / d.group * d.group;
    for (CpuId other = first; other < std::min(first + d.group, d.end); ++other)
        if (is_idle(m, other)) return other == c;
    return c == first;
}

bool PerCpuPolicy::try_to_move(Machine& m, Move& move, TaskId p) const {
    if (!m.may_run(p, move.to)) return false;
    move.pinned = false;
    if (m.task[p].processor != Task::kNoProcessor) return false;
    const bool can_be_hot = rules_.real_time_is_hot || !is_real_time(m.sched_class[p]);
    const std::int64_t since = m.globals().now.count() - static_cast<std::int64_t>(m.sequence[p]);
    if (!move.even_hot && can_be_hot && m.sequence[p] != 0 && since < rules_.hot.count()) return false;

    migrate(m, p, move);
    set_task_cpu(m, p, move.to);
    move.amount -= load_weight(m, p);
    ++move.moved;
    move.last = p;
    return true;
}

void PerCpuPolicy::wait_longer(Balance::InDomain& own, const Domain& d, bool pinned) const {
    if (own.interval < max_interval(d) || (pinned && own.interval < kLongestInterval)) own.interval *= 2;
}

// load_balance(). Returns whether it moved tasks.
bool PerCpuPolicy::load_balance(Machine& m, CpuId here, const Domain& d, std::uint64_t& asked) const {
    Balance::InDomain& own = balance_of(m, here).domain[d.level];
    const std::uint32_t nice_tries = rules_of(d).cache_nice_tries;
    Move move{};
    move.pinned = false;  // no task has been examined
    CpuId busiest = kNoCpu;
    for (std::uint64_t cpus = kAllCpus;; cpus &= ~bit(busiest)) {
        const Imbalance imbalance = find_busiest(m, here, d, cpus);
        busiest = imbalance.busiest;
        if (busiest == kNoCpu || nr_running(m, busiest) < 2) break;
        move = pull(m, here, d, imbalance, asked);
        if (!move.pinned) break;
    }
    if (busiest == kNoCpu) {
        own.failed = 0;
        wait_longer(own, d, move.pinned);
        return false;
    }

    asked |= move.asks;
    bool pushes = false;
    if (move.moved > 0) {
        own.failed = 0;
    } else if (++own.failed > nice_tries + 2) {
        const TaskId current = m.cpu(busiest).current;
        if (m.is_idle_task(current) || !m.may_run(current, here)) {
            wait_longer(own, d, true);
            return false;
        }
        Balance& there = balance_of(m, busiest);
        if (there.push_to == kNoCpu) {
            there.push_to = here;
            there.push = kNoTask;
            asked |= bit(busiest);
            pushes = true;
        }
        own.failed = nice_tries + 1;
    }
    if (pushes)
        wait_longer(own, d, false);
    else
        own.interval = min_interval(d);
    return move.moved > 0;
}

// rebalance_domains().
std::uint64_t PerCpuPolicy::rebalance(Machine& m, CpuId c) const {
    const std::uint64_t ticks = m.globals().ticks;
    std::uint64_t asked = 0;
    bool busy = nr_running(m, c) > 0;
    const bool was_idle = !busy;
    const std::uint32_t looks_before = balance_of(m, c).looks;
    for (const Domain& d : Domains(m.shape(), c)) {
        Balance::InDomain& own = balance_of(m, c).domain[d.level];
        const std::uint64_t ms = std::uint64_t{own.interval} * (busy ? rules_of(d).busy_factor : 1);
        const std::uint64_t interval = std::max((ms * m.shape().hz + 999) / 1000, std::uint64_t{1});
        if (ticks - own.looked_at < interval) continue;
        own.looked_at = ticks;
        if (!is_first_of_group(m, c,
                               d)) {  // counts as balanced; skip larger domains
            own.failed = 0;
            wait_longer(own, d, false);
            break;
        }
        if (load_balance(m, c, d, asked)) busy = true;
    }
    if (was_idle) balance_of(m, c).looks = looks_before;  // the time of an idle CPU costs nothing
    return asked;
}

// idle_balance(), load_balance_newidle().
void PerCpuPolicy::idle_balance(Machine& m, CpuId here) const {
    if (rules_.pulls_real_time && pull_real_time(m, here)) return;
    for (const Domain& d : Domains(m.shape(), here)) {
        Balance::InDomain& own = balance_of(m, here).domain[d.level];
        for (std::uint64_t cpus = kAllCpus;;) {
            const Imbalance imbalance = find_busiest(m, here, d, cpus);
            if (imbalance.busiest == kNoCpu) {
                own.failed = 0;
                break;
            }
            if (nr_running(m, imbalance.busiest) < 2) break;
            const Move move = pull(m, here, d, imbalance, 0);
            if (move.moved > 0) {
                own.failed = 0;
                Balance& b = balance_of(m, here);
                b.reschedule |= move.asks & ~bit(here);  // may have to choose another task
                b.moved = move.last;
                return;
            }
            cpus &= ~bit(imbalance.busiest);
        }
    }
}

// pull_rt_task(): pulls the best real-time task that waits elsewhere. Returns whether there was one.
bool PerCpuPolicy::pull_real_time(Machine& m, CpuId here) const {
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

// sched_exec().
bool PerCpuPolicy::exec(Machine& m, TaskId p) const {
    if (rules_.pulls_real_time && is_real_time(m.sched_class[p])) return false;
    const CpuId here = task_cpu(m, p);
    const CpuId idlest = idlest_cpu(m, p, here);
    if (idlest == here) return false;
    Balance& b = balance_of(m, here);
    b.push_to = idlest;
    b.push = p;
    return true;
}

// active_load_balance(), migration_thread().
void PerCpuPolicy::push_if_asked(Machine& m, CpuId c) const {
    Balance& b = balance_of(m, c);
    if (b.push_to == kNoCpu) return;
    Move move{.from = c,
              .to = b.push_to,
              .amount = std::numeric_limits<std::int64_t>::max(),
              .most = 1,
              .even_hot = true};
    const TaskId only = b.push;
    b.push_to = kNoCpu;
    b.push = kNoTask;
    if (only == kNoTask)
        move_tasks(m, move);
    else if (m.task[only].state == TaskState::runnable && task_cpu(m, only) == c)
        try_to_move(m, move, only);
    else
        return;
    ++b.pushes;
    b.moves += move.moved;
    b.reschedule |= move.asks;
    b.moved = move.last;
}

Policy::BalanceWork PerCpuPolicy::take_balance_work(Machine& m, CpuId c) const {
    Balance& b = balance_of(m, c);
    const BalanceWork result{b.looks, b.moves, b.pushes, b.reschedule, b.moved};
    b.looks = b.moves = b.pushes = 0;
    b.reschedule = 0;
    b.moved = kNoTask;
    return result;
}

}  // namespace sim
