#include "tests/reference/run_queues_model.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace reference_queues {
namespace {

using reference2620::Linux2620Model;
using reference_fair::FairModel;

constexpr int kLongestPinned = 512;  // MAX_PINNED_INTERVAL, ms
constexpr int kIdlePrio = 140;

FairModel::Kernel fair_kernel(RunQueuesModel::Kernel kernel) {
    if (kernel == RunQueuesModel::Kernel::linux_2_6_24) return FairModel::Kernel::linux_2_6_24;
    if (kernel == RunQueuesModel::Kernel::linux_2_6_32) return FairModel::Kernel::linux_2_6_32;
    return FairModel::Kernel::linux_6_6;
}

}  // namespace

RunQueuesModel::RunQueuesModel(Kernel kernel, const Shape& shape, bool group_sched)
    : kernel_(kernel), shape_(shape), cpus_(static_cast<std::size_t>(shape.cpus)) {
    assert(is_o1() || shape.hz == 1000);
    const auto table = std::make_shared<Linux2620Model::Tasks>();
    std::vector<int> cores, sockets;
    for (int cpu : all_cpus()) {
        cores.push_back(core_of(cpu));
        sockets.push_back(socket_of(cpu));
    }
    for (int cpu : all_cpus()) {
        if (is_o1())
            o1_.emplace_back(cpu, shape.cpus, shape.hz, table);
        else
            fair_.emplace_back(fair_kernel(kernel), group_sched, -(1LL << 20), shape.cpus);
        std::vector<int> socket;
        for (int other : all_cpus())
            if (socket_of(other) == socket_of(cpu)) socket.push_back(other);
        add_domain(cpu, core(cpu), all_cpus(), true);
        add_domain(cpu, socket, cores, false);
        add_domain(cpu, all_cpus(), sockets, false);
    }
}

// ---- CPUs, cores, sockets

std::vector<int> RunQueuesModel::all_cpus() const {
    std::vector<int> all;
    for (int cpu = 0; cpu < cpus(); ++cpu) all.push_back(cpu);
    return all;
}

std::vector<int> RunQueuesModel::core(int cpu) const {
    std::vector<int> siblings;
    for (int other : all_cpus())
        if (core_of(other) == core_of(cpu)) siblings.push_back(other);
    return siblings;
}

// Adds to `cpu` a domain that contains the CPUs of `span`, divided into groups by `group_of`. If there are
// fewer than two groups, adds nothing.
void RunQueuesModel::add_domain(int cpu, const std::vector<int>& span, const std::vector<int>& group_of,
                                bool smt) {
    std::map<int, Group> groups;
    for (int member : span) groups[at(group_of, member)].push_back(member);
    if (groups.size() < 2) return;
    Domain domain;
    for (const auto& [name, group] : groups) domain.groups.push_back(group);
    // The groups are in increasing order. Rotates them so that the CPU's own group is the first one.
    while (std::count(domain.groups.front().begin(), domain.groups.front().end(), cpu) == 0)
        std::rotate(domain.groups.begin(), domain.groups.begin() + 1, domain.groups.end());
    domain.smt = smt;
    const int n = static_cast<int>(span.size());
    if (is_6_6()) {
        domain.imbalance_pct = smt ? 110 : 117;
        domain.min_interval = n;
        domain.max_interval = 2 * n;
    } else {
        domain.imbalance_pct = smt ? 110 : 125;
        domain.min_interval = 1;
        domain.max_interval = smt ? 2 : 4;
    }
    domain.nice_tries = smt ? 0 : 1;
    domain.interval = domain.min_interval;
    at(cpus_, cpu).domains.push_back(domain);
}

int RunQueuesModel::size(const Domain& domain) {
    std::size_t all = 0;
    for (const Group& group : domain.groups) all += group.size();
    return static_cast<int>(all);
}

bool RunQueuesModel::has(const Domain& domain, int cpu) {
    for (const Group& group : domain.groups)
        if (std::count(group.begin(), group.end(), cpu) != 0) return true;
    return false;
}

// Returns the smallest domain of `cpu` that contains `other`.
const RunQueuesModel::Domain* RunQueuesModel::smallest_with(int cpu, int other) const {
    for (const Domain& domain : at(cpus_, cpu).domains)
        if (has(domain, other)) return &domain;
    return nullptr;
}

RunQueuesModel::Domain* RunQueuesModel::smallest_with(int cpu, int other) {
    for (Domain& domain : at(cpus_, cpu).domains)
        if (has(domain, other)) return &domain;
    return nullptr;
}

// ---- Load

long long RunQueuesModel::weight(int id) const {
    const int cpu = cpu_of(id);
    return is_o1() ? o1(cpu).load_weight(o1(cpu).task(id)) : fair(cpu).weight(id);
}

long long RunQueuesModel::load(int cpu) const {
    if (!is_o1()) return fair(cpu).load_of_all();
    long long all = 0;
    for (int id : o1(cpu).active()) all += weight(id);
    for (int id : o1(cpu).expired()) all += weight(id);
    return all;
}

int RunQueuesModel::nr(int cpu) const { return is_o1() ? o1(cpu).nr_running() : fair(cpu).nr_of_all(); }

int RunQueuesModel::nr_fair(int cpu) const { return static_cast<int>(fair(cpu).nr_running()); }

// Priority of a fair task: from its nice value, also in class idle.
int RunQueuesModel::prio(int id) const {
    if (is_o1()) return o1(cpu_of(id)).prio(id);
    const FairModel& queue = fair(cpu_of(id));
    return queue.is_real_time(id) ? 99 - queue.rt_priority(id) : 120 + queue.nice(id);
}

// Priority of the running task of this CPU.
int RunQueuesModel::prio_here(int cpu) const {
    return current(cpu) == kIdle ? kIdlePrio : prio(current(cpu));
}

bool RunQueuesModel::asleep(int id) const {
    return is_o1() ? o1(cpu_of(id)).asleep(id) : fair(cpu_of(id)).asleep(id);
}

// ---- CPU selection at wake-up

int RunQueuesModel::cpu_to_wake_on(int id, int here) const {
    if (balancing_spares_real_time() && is_real_time(id))
        return real_time_cpu(id, fair(cpu_of(id)).rt_priority(id), here);
    if (is_6_6()) return wake_6_6(id, here);
    if (is_2_6_32()) return wake_2_6_32(id, here);
    return wake_2_6(id, here);
}

// try_to_wake_up() of 2.6.20 and 2.6.24.
int RunQueuesModel::wake_2_6(int id, int here) const {
    const int prev = cpu_of(id);
    int cpu = prev;
    if (here != prev && may_run(id, here)) {
        const int imbalance = 100 + (smallest_with(here, prev)->imbalance_pct - 100) / 2;
        const long long tl = load(here), prevs = load(prev);
        const long long per_task = nr(here) == 0 ? nominal() : tl / nr(here);
        if ((tl <= prevs && tl + prevs <= per_task) || 100 * (tl + weight(id)) <= imbalance * prevs)
            cpu = here;
    }
    // wake_idle(). If there is no SMT domain, the core has no other CPU.
    if (is_idle(cpu)) return cpu;
    for (int sibling : core(cpu))
        if (may_run(id, sibling) && is_idle(sibling)) return sibling;
    return cpu;
}

// select_task_rq_fair(), select_idle_sibling() and wake_affine() of 2.6.32.
int RunQueuesModel::wake_2_6_32(int id, int here) const {
    const int prev = cpu_of(id);
    if (!may_run(id, here)) return prev;
    const auto has_fair_tasks = [this](int cpu) { return fair(cpu).nr_running() != 0; };
    for (const Domain& domain : at(cpus_, here).domains) {
        int candidate = has(domain, prev) ? here : kNone;
        if (!domain.smt) {  // SD_PREFER_SIBLING
            if (candidate == here && !has_fair_tasks(prev)) candidate = prev;
            if (candidate == kNone || candidate == here) {
                for (int cpu : all_cpus()) {
                    if (!has(domain, cpu) || !may_run(id, cpu) || has_fair_tasks(cpu)) continue;
                    candidate = cpu;
                    break;
                }
            }
        }
        if (candidate == kNone) continue;
        const int imbalance = 100 + (domain.imbalance_pct - 100) / 2;
        const long long tl = load(here), prevs = load(prev);
        if (tl == 0 || 100 * (tl + weight(id)) <= imbalance * prevs) return candidate;
        if (tl <= prevs && tl + prevs <= tl / nr(here)) return candidate;
        return prev;
    }
    return prev;
}

// select_task_rq_fair(), wake_affine_idle() and wake_affine_weight() of 6.6.
int RunQueuesModel::wake_6_6(int id, int here) const {
    const int prev = cpu_of(id);
    if (here == prev || !may_run(id, here)) return idle_sibling_6_6(id, prev);
    if (is_idle(here) && socket_of(here) == socket_of(prev))
        return idle_sibling_6_6(id, is_idle(prev) ? prev : here);
    if (is_idle(prev)) return idle_sibling_6_6(id, prev);
    const int imbalance = 100 + (smallest_with(here, prev)->imbalance_pct - 100) / 2;
    const bool affine = 100 * (load(here) + weight(id)) < imbalance * load(prev);
    return idle_sibling_6_6(id, affine ? here : prev);
}

// select_idle_sibling(), select_idle_core(), select_idle_smt() and select_idle_cpu() of 6.6.
int RunQueuesModel::idle_sibling_6_6(int id, int target) const {
    const int prev = cpu_of(id);
    if (is_idle(target)) return target;
    if (socket_of(prev) == socket_of(target) && is_idle(prev)) return prev;
    // The CPUs of target's socket, starting with the CPU after target and wrapping around.
    std::vector<int> around;
    for (int cpu : all_cpus())
        if (cpu > target && socket_of(cpu) == socket_of(target)) around.push_back(cpu);
    for (int cpu : all_cpus())
        if (cpu <= target && socket_of(cpu) == socket_of(target)) around.push_back(cpu);
    if (shape_.siblings > 1) {
        for (int cpu : around) {
            const std::vector<int> its_core = core(cpu);
            const auto idle = [this](int c) { return is_idle(c); };
            if (may_run(id, cpu) && std::all_of(its_core.begin(), its_core.end(), idle)) return cpu;
        }
        if (socket_of(prev) == socket_of(target))
            for (int sibling : core(prev))
                if (sibling != prev && may_run(id, sibling) && is_idle(sibling)) return sibling;
    }
    for (int cpu : around)
        if (may_run(id, cpu) && is_idle(cpu)) return cpu;
    return target;
}

// select_task_rq_rt() and find_lowest_rq() of 2.6.32 and 6.6.
int RunQueuesModel::real_time_cpu(int id, int rt_priority, int here) const {
    const int prev = cpu_of(id);
    if (importance(prev) <= 0) return prev;  // no real-time task is running there
    if (is_6_6() && importance(prev) < rt_priority && !may_run_on_one_only(current(prev))) return prev;
    // Among CPUs with the same importance, the first in this order is chosen.
    std::vector<int> order = {prev, here};
    for (int cpu : all_cpus()) order.push_back(cpu);
    int lowest = kNone;
    for (int cpu : order) {
        if (!may_run(id, cpu) || importance(cpu) >= rt_priority) continue;
        if (lowest == kNone || importance(cpu) < importance(lowest)) lowest = cpu;
    }
    return lowest == kNone ? prev : lowest;
}

// Returns the rt_priority (from 1) of the running task; 0 for a fair task, -1 if the CPU is idle.
int RunQueuesModel::importance(int cpu) const {
    if (is_idle(cpu)) return -1;
    if (current(cpu) == kIdle || !is_real_time(current(cpu))) return 0;
    return fair(cpu).rt_priority(current(cpu));
}

bool RunQueuesModel::may_run_on_one_only(int id) const {
    int allowed = 0;
    for (int cpu : all_cpus()) allowed += may_run(id, cpu) ? 1 : 0;
    return allowed == 1;
}

// ---- CPU selection at fork, exec and start

// sched_balance_self(). Searches the domains from the largest to the smallest. If another CPU is chosen,
// the search continues with that CPU's domains that have fewer CPUs.
int RunQueuesModel::idlest_cpu(int cpu, int id) const {
    for (int first = 0; !may_run(id, cpu); ++first) cpu = first;
    int fewer_than = cpus() + 1;
    for (;;) {
        const Domain* domain = nullptr;
        for (const Domain& of_cpu : at(cpus_, cpu).domains)
            if (size(of_cpu) < fewer_than) domain = &of_cpu;
        if (domain == nullptr) return cpu;
        fewer_than = size(*domain);
        if (const int idlest = idlest_in(*domain, id); idlest != kNone) cpu = idlest;
    }
}

// find_idlest_group() and find_idlest_cpu(). The first group contains the CPU to which the domain belongs.
// Returns a CPU of another group, or kNone if no other group is allowed and sufficiently idle.
int RunQueuesModel::idlest_in(const Domain& domain, int id) const {
    const auto load_of = [this](const Group& group) {
        long long all = 0;
        for (int cpu : group) all += load(cpu);
        return all;
    };
    const auto allowed = [this, id](int cpu) { return may_run(id, cpu); };
    const Group* idlest = nullptr;
    for (const Group& group : domain.groups) {
        if (&group == &domain.groups.front()) continue;
        if (std::none_of(group.begin(), group.end(), allowed)) continue;
        if (idlest == nullptr || load_of(group) < load_of(*idlest)) idlest = &group;
    }
    if (idlest == nullptr) return kNone;
    const int imbalance = 100 + (domain.imbalance_pct - 100) / 2;
    if (100 * load_of(domain.groups.front()) < imbalance * load_of(*idlest)) return kNone;
    int best = kNone;
    for (int cpu : *idlest)
        if (allowed(cpu) && (best == kNone || load(cpu) < load(best))) best = cpu;
    return best;
}

// ---- Balancing at a tick

// rebalance_domains()
void RunQueuesModel::rebalance(int cpu) {
    bool busy = nr(cpu) != 0;
    for (Domain& domain : at(cpus_, cpu).domains) {
        const int ms = domain.interval * (!busy ? 1 : is_6_6() ? 16 : 64);
        const int ticks = std::max((ms * shape_.hz + 999) / 1000, 1);
        if (ticks_ - domain.looked_at < ticks) continue;
        domain.looked_at = ticks_;
        if (!looks_for_its_group(cpu, domain)) {
            // load_balance() treats this case as balanced.
            domain.failures = 0;
            back_off(domain, false);
            return;
        }
        if (load_balance(cpu, domain) != 0) busy = true;
    }
}

bool RunQueuesModel::is_core_idle(int cpu) const {
    for (int sibling : core(cpu))
        if (!is_idle(sibling)) return false;
    return true;
}

// should_we_balance(). True if `cpu` is the first idle CPU of its group, or the first CPU of the group if
// none is idle. Above the cores, 6.6 prefers a CPU whose core is idle.
bool RunQueuesModel::looks_for_its_group(int cpu, const Domain& domain) const {
    const Group& own = domain.groups.front();
    if (is_6_6() && !domain.smt)
        for (int member : own)
            if (is_core_idle(member)) return member == cpu;
    for (int member : own)
        if (is_idle(member)) return member == cpu;
    return own.front() == cpu;
}

// Returns the number of tasks moved to `cpu`.
int RunQueuesModel::load_balance(int cpu, Domain& domain) {
    Excluded excluded(static_cast<std::size_t>(cpus()));
    Moved moved;
    int busy_cpu = kNone;
    Busiest busiest;
    do {
        busiest = find_busiest_group(cpu, domain, excluded);
        busy_cpu = busiest.group == nullptr ? kNone : find_busiest_cpu(busiest, excluded);
        if (busy_cpu == kNone) {
            domain.failures = 0;
            back_off(domain, moved.all_pinned);
            return 0;
        }
        count_search(busiest);
        moved = {};
        if (nr(busy_cpu) > 1) moved = move_tasks(busy_cpu, cpu, busiest, domain, counts_.at_tick);
        if (moved.all_pinned) excluded[static_cast<std::size_t>(busy_cpu)] = true;
    } while (moved.all_pinned);

    if (moved.tasks != 0) {
        domain.failures = 0;
        domain.interval = domain.min_interval;
        return moved.tasks;
    }
    bool told = false;
    domain.failures += 1;
    // need_active_balance()
    if (domain.failures > domain.nice_tries + 2 && (!is_6_6() || busiest.counts_tasks)) {
        // The idle task cannot be pushed to `cpu`; neither can a task that must not run on `cpu`.
        const int running = current(busy_cpu);
        if (running == kIdle || !may_run(running, cpu)) {
            back_off(domain, true);
            return 0;
        }
        if (at(cpus_, busy_cpu).push_to == kNone) {
            at(cpus_, busy_cpu).push_to = cpu;
            set_need_resched(busy_cpu);
            told = true;
        }
        if (!is_6_6()) domain.failures = domain.nice_tries + 1;
    }
    if (told && !is_6_6())
        back_off(domain, false);
    else
        domain.interval = domain.min_interval;
    return 0;
}

// Doubles the balancing interval.
void RunQueuesModel::back_off(Domain& domain, bool all_pinned) const {
    if ((all_pinned && domain.interval < kLongestPinned) || domain.interval < domain.max_interval)
        domain.interval *= 2;
}

// Returns the groups of a domain, the CPU's own group first.
std::vector<RunQueuesModel::Sums> RunQueuesModel::sums_of_groups(const Domain& domain,
                                                                 const Excluded& excluded) const {
    std::vector<Sums> all;
    for (const Group& group : domain.groups) {
        Sums sums;
        sums.group = &group;
        for (int cpu : group) {
            if (excluded[static_cast<std::size_t>(cpu)]) continue;
            sums.load += load(cpu);
            sums.tasks += nr(cpu);
            if (!is_o1()) sums.fair_tasks += nr_fair(cpu);
            if (is_idle(cpu)) sums.idle += 1;
        }
        all.push_back(sums);
    }
    return all;
}

RunQueuesModel::Busiest RunQueuesModel::find_busiest_group(int cpu, const Domain& domain,
                                                           const Excluded& excluded) const {
    return is_6_6() ? find_busiest_6_6(cpu, domain, excluded) : find_busiest_2_6(domain, excluded);
}

// find_busiest_group() and fix_small_imbalance() of 2.6.20, 2.6.24 and 2.6.32.
RunQueuesModel::Busiest RunQueuesModel::find_busiest_2_6(const Domain& domain,
                                                         const Excluded& excluded) const {
    // 1. The busiest group.
    const std::vector<Sums> groups = sums_of_groups(domain, excluded);
    const Sums& own = groups.front();
    Sums busiest;
    long long all_load = 0;
    for (const Sums& sums : groups) {
        all_load += sums.load;
        if (&sums != &own && sums.load > busiest.load && sums.tasks > 1) busiest = sums;
    }
    const long long L = busiest.load, O = own.load;
    if (busiest.group == nullptr || L <= O) return {};
    const long long mean = all_load / static_cast<long long>(groups.size());
    if (O >= mean || 100 * L <= domain.imbalance_pct * O) return {};
    const long long p = L / busiest.tasks;  // load per task
    if (L <= p) return {};

    // 2. The load to move.
    long long amount = 0;
    if (L >= mean) amount = std::min(std::min(L - mean, L - p), mean - O);
    if (amount >= p) return {.group = busiest.group, .amount = amount};
    int times = 2;
    long long o = is_2_6_32() ? 0 : nominal();
    if (own.tasks != 0) {
        o = O / own.tasks;
        if (p > o) times = 1;
    }
    const long long tolerance = is_o1() ? 0 : is_2_6_24() ? nominal() : p;
    const bool better = std::min(p, L - p) + std::min(o, O + p) > std::min(p, L) + std::min(o, O);
    if (L - O >= p * times || better) return {.group = busiest.group, .amount = p};
    if (L - O + tolerance >= p * times)
        return {.group = busiest.group, .amount = p, .by = Busiest::By::tolerance};
    if (is_o1()) return {};
    return {.group = busiest.group, .amount = amount, .by = Busiest::By::kept};
}

// update_sd_pick_busiest() of 6.6. The groups are cores with several CPUs if `cores`.
bool RunQueuesModel::is_busier_6_6(const Sums& candidate, const Sums& busiest, bool cores) {
    if (candidate.type() != busiest.type()) return candidate.type() > busiest.type();
    if (candidate.type() == Type::overloaded) return candidate.load_per_cpu() > busiest.load_per_cpu();
    if (candidate.type() == Type::full) return !cores;
    if (candidate.idle != busiest.idle) return candidate.idle < busiest.idle;
    return candidate.tasks > busiest.tasks;
}

// find_busiest_group() and calculate_imbalance() of 6.6.
RunQueuesModel::Busiest RunQueuesModel::find_busiest_6_6(int cpu, const Domain& domain,
                                                         const Excluded& excluded) const {
    const std::vector<Sums> groups = sums_of_groups(domain, excluded);
    const Sums& own = groups.front();
    Sums busiest;
    long long all_load = 0;
    for (const Sums& sums : groups) {
        all_load += sums.load;
        if (&sums == &own || sums.fair_tasks == 0) continue;
        const bool cores = busiest.group != nullptr && busiest.cpus() > 1 &&
                           core_of(busiest.group->front()) == core_of(busiest.group->back());
        if (busiest.group == nullptr || is_busier_6_6(sums, busiest, cores)) busiest = sums;
    }
    if (busiest.group == nullptr || own.type() > busiest.type()) return {};
    const bool overloaded = busiest.type() == Type::overloaded;
    const bool busy = nr(cpu) != 0;

    if (own.type() == Type::spare) {
        const long long more = busy ? 0 : std::max(busiest.tasks - own.tasks, 0LL);
        // These tests of the kernel decide nothing, since more / 2 is 0 if they are made.
        if (!overloaded && !(busiest.cpus() > 1 && more > 1)) {
            if (busy || busiest.fair_tasks == 1) return {};
            if (busiest.cpus() > 1 && own.idle <= busiest.idle + 1) return {};
        }
        long long tasks = more / 2;
        const bool largest = socket_of(own.group->front()) != socket_of(busiest.group->front());
        if (largest && overloaded) tasks = std::max(own.idle, 1LL);
        if (tasks == 0) return {};
        return {.group = busiest.group, .amount = tasks, .counts_tasks = true};
    }

    if (!overloaded) return {};
    const long long mean = all_load / size(domain);
    const long long l = own.load_per_cpu(), b = busiest.load_per_cpu();
    if (l >= b || l >= mean) return {};
    if (own.type() == Type::overloaded && 100 * b <= domain.imbalance_pct * l) return {};
    // The numbers are unsigned, so a negative b - mean is a very great number.
    long long amount = (mean - l) * own.cpus();
    if (b >= mean) amount = std::min(amount, (b - mean) * busiest.cpus());
    if (amount == 0) return {};
    return {.group = busiest.group,
            .amount = amount,
            .by = b < mean ? Busiest::By::below_mean : Busiest::By::plain};
}

// 3. find_busiest_queue(): kNone if no CPU qualifies. In 6.6 only fair tasks count.
int RunQueuesModel::find_busiest_cpu(const Busiest& busiest, const Excluded& excluded) const {
    int busy_cpu = kNone;
    long long most = 0;
    for (int cpu : *busiest.group) {
        if (excluded[static_cast<std::size_t>(cpu)]) continue;
        const int tasks = is_6_6() ? nr_fair(cpu) : nr(cpu);
        if (!busiest.counts_tasks && tasks == 1 && load(cpu) > busiest.amount) continue;
        const long long value = busiest.counts_tasks ? tasks : load(cpu);
        if (value <= most) continue;
        most = value;
        busy_cpu = cpu;
    }
    return busy_cpu;
}

void RunQueuesModel::count_search(const Busiest& busiest) {
    if (busiest.by == Busiest::By::tolerance) counts_.tolerated += 1;
    if (busiest.by == Busiest::By::kept) counts_.kept += 1;
    if (busiest.by == Busiest::By::kept && busiest.amount == 0) counts_.kept_zero += 1;
    if (busiest.by == Busiest::By::below_mean) counts_.below_mean += 1;
    if (!is_6_6() || busiest.group->size() == 1) return;
    Sums sums;
    sums.group = busiest.group;
    for (int cpu : *busiest.group) sums.tasks += nr(cpu);
    if (sums.type() == Type::spare) counts_.wide_spare += 1;
    if (sums.type() == Type::full) counts_.wide_full += 1;
    if (sums.type() == Type::overloaded) counts_.wide_overloaded += 1;
}

// ---- 4. Moving tasks

// task_hot(). A task that has never run is not hot. A real-time task is not hot either, except in 2.6.20. In
// 6.6, neither is a task of class idle, nor any task for a sibling, nor one that has not run since it moved.
bool RunQueuesModel::is_hot(int id, const Domain& domain) const {
    if (!is_o1() && is_real_time(id)) return false;
    if (is_6_6() && (domain.smt || fair(cpu_of(id)).cls(id) == FairModel::Class::idle)) return false;
    const Known& p = known_.at(id);
    return p.has_run && now_ - p.ran < (is_o1() ? 2'500'000 : 500'000);
}

// can_migrate_task()
bool RunQueuesModel::can_migrate(int id, int from, int to, const Domain& domain, Moved& moved) const {
    if (!may_run(id, to)) return false;
    moved.all_pinned = false;
    if (id == current(from)) return false;
    return domain.failures > domain.nice_tries || !is_hot(id, domain);
}

// Returns the tasks of a CPU in the order in which balancing visits them. In 2.6.20 this includes the
// running task. 2.6.24 has one list per class, real-time first (load_balance_start_rt()); later kernels
// omit the real-time list.
std::vector<int> RunQueuesModel::candidates(int cpu) const {
    std::vector<int> all;
    // The lists are in order of priority, best first, but each list is visited from its tail.
    const auto add_from_tails = [&](std::vector<int> array) {
        std::reverse(array.begin(), array.end());
        std::stable_sort(array.begin(), array.end(), [this](int a, int b) { return prio(a) < prio(b); });
        all.insert(all.end(), array.begin(), array.end());
    };
    if (is_o1()) {
        add_from_tails(o1(cpu).expired());
        add_from_tails(o1(cpu).active());
        return all;
    }
    if (is_2_6_24()) add_from_tails(fair(cpu).real_time_waiting());
    for (int id : fair(cpu).tree()) all.push_back(id);
    return all;
}

RunQueuesModel::Moved RunQueuesModel::move_tasks(int from, int to, const Busiest& busiest,
                                                 const Domain& domain, long long& count) {
    if (busiest.amount == 0) return {};
    if (is_o1()) return move_tasks_o1(from, to, busiest.amount, domain, count);
    return move_tasks_fair(from, to, busiest, domain, count);
}

// move_tasks() of 2.6.20.
RunQueuesModel::Moved RunQueuesModel::move_tasks_o1(int from, int to, long long amount, const Domain& domain,
                                                    long long& count) {
    const auto best_prio = [this](int cpu) { return std::min(prio_here(cpu), o1(cpu).best_expired_prio()); };
    const int most = nr(from) - 1;
    const int best_there = best_prio(from);
    int best_here = best_prio(to);
    bool best_seen = best_there == prio_here(from);
    Moved moved{.tasks = 0, .all_pinned = true};
    for (int id : candidates(from)) {
        bool passed_over = weight(id) > amount;
        if (passed_over && prio(id) < best_here) passed_over = !best_seen && prio(id) == best_there;
        if (passed_over || !can_migrate(id, from, to, domain, moved)) {
            if (prio(id) == best_there) best_seen = true;
            continue;
        }
        amount -= weight(id);
        moved.tasks += 1;
        best_here = std::min(best_here, prio(id));
        migrate(id, to, count);
        if (moved.tasks == most || amount <= 0) break;
    }
    return moved;
}

// balance_tasks() of 2.6.24 and 2.6.32, detach_tasks() of 6.6. Only in 2.6.24 may a task of any weight
// move: its priority must be better than those of the target's running task and of the tasks moved before.
// 6.6 checks the affinity of a task before its weight.
RunQueuesModel::Moved RunQueuesModel::move_tasks_fair(int from, int to, const Busiest& busiest,
                                                      const Domain& domain, long long& count) {
    long long amount = busiest.amount;
    int best_here = prio_here(to);
    int looked_at = 0;
    Moved moved{.tasks = 0, .all_pinned = true};
    // The lists of 2.6.32 and 6.6 contain the running task. It does not move, but it is examined.
    const int running = current(from);
    if (balancing_spares_real_time() && running != kIdle && !is_real_time(running))
        if (is_6_6() || weight(running) / 2 <= amount) can_migrate(running, from, to, domain, moved);
    const bool runs_allowed = !moved.all_pinned;
    bool waits_allowed = false;
    for (int id : candidates(from)) {
        if (++looked_at > (is_6_6() ? 32 : 33)) break;
        bool passed_over = weight(id) / 2 > amount;
        if (is_2_6_24()) passed_over = weight(id) / 2 > amount + 1024 && prio(id) >= best_here;
        if (is_6_6())
            passed_over = !busiest.counts_tasks && weight(id) >> std::min(domain.failures, 62) > amount;
        if (passed_over && !is_6_6()) continue;
        if (may_run(id, to)) waits_allowed = true;
        if (!can_migrate(id, from, to, domain, moved) || passed_over) continue;
        if (is_6_6()) (busiest.counts_tasks ? counts_.counted : counts_.by_load) += 1;
        if (is_6_6() && !busiest.counts_tasks && weight(id) > amount) counts_.after_shift += 1;
        amount -= busiest.counts_tasks ? 1 : weight(id);
        moved.tasks += 1;
        best_here = std::min(best_here, prio(id));
        migrate(id, to, count);
        if (amount <= 0) break;
    }
    if (runs_allowed && !waits_allowed) counts_.only_running += 1;
    return moved;
}

// Moves a waiting task to another CPU. Like a woken task, it may preempt the running task of that CPU.
void RunQueuesModel::migrate(int id, int to, long long& count) {
    const int from = cpu_of(id);
    if (is_real_time(id)) counts_.real_time_moved += 1;
    if (is_o1())
        at(o1_, to).pull_task(id, at(o1_, from));
    else
        at(fair_, from).move_waiting(id, at(fair_, to));
    known_.at(id).cpu = to;
    if (is_6_6()) known_.at(id).has_run = false;
    count += 1;
}

// Moves a task that is on no queue to another CPU.
void RunQueuesModel::place(int id, int to, long long& count) {
    const int from = cpu_of(id);
    if (is_real_time(id)) counts_.real_time_placed += 1;
    if (!is_o1()) at(fair_, from).move_sleeper(id, at(fair_, to));
    known_.at(id).cpu = to;
    if (is_6_6()) known_.at(id).has_run = false;
    count += 1;
}

// ---- Balancing when a CPU becomes idle

bool RunQueuesModel::idle_balance(int cpu) {
    if (balancing_spares_real_time() && pull_real_time(cpu)) return true;
    for (Domain& domain : at(cpus_, cpu).domains)
        if (load_balance_newidle(cpu, domain) != 0) return true;
    return false;
}

// pull_rt_task(): looks at the waiting real-time tasks of all CPUs, and pulls the best one that may run on
// this CPU. Ties: the lowest CPU, then the task that has been on its list the longest.
bool RunQueuesModel::pull_real_time(int cpu) {
    int best = kIdle;
    for (int other : all_cpus())
        for (int id : fair(other).real_time_waiting())
            if (may_run(id, cpu) && (best == kIdle || prio(id) < prio(best))) best = id;
    if (best == kIdle) return false;
    migrate(best, cpu, counts_.when_idle);
    return true;
}

int RunQueuesModel::load_balance_newidle(int cpu, Domain& domain) {
    Excluded excluded(static_cast<std::size_t>(cpus()));
    for (;;) {
        const Busiest busiest = find_busiest_group(cpu, domain, excluded);
        const int busy_cpu = busiest.group == nullptr ? kNone : find_busiest_cpu(busiest, excluded);
        if (busy_cpu == kNone) {
            domain.failures = 0;
            return 0;
        }
        count_search(busiest);
        Moved moved;
        if (nr(busy_cpu) > 1) moved = move_tasks(busy_cpu, cpu, busiest, domain, counts_.when_idle);
        if (is_6_6() && !moved.all_pinned) domain.interval = domain.min_interval;
        if (nr(busy_cpu) <= 1 && moved.tasks == 0) return 0;
        if (moved.tasks != 0) {
            domain.failures = 0;
            return moved.tasks;
        }
        excluded[static_cast<std::size_t>(busy_cpu)] = true;
    }
}

// ---- Migration

// active_load_balance(), and the work of the migration thread for exec. When the migration thread runs,
// prev has been put back, so no task is running.
void RunQueuesModel::push(int cpu) {
    Cpu& c = at(cpus_, cpu);
    if (c.exec_to != kNone) {
        migrate(c.current, c.exec_to, counts_.exec);
    } else {
        for (int id : candidates(cpu)) {
            if (!may_run(id, c.push_to)) continue;
            migrate(id, c.push_to, counts_.pushed);
            if (is_6_6()) {
                int& failures = smallest_with(c.push_to, cpu)->failures;
                if (failures != 0) counts_.resets += 1;
                failures = 0;
            }
            break;
        }
    }
    c.exec_to = c.push_to = kNone;
}

bool RunQueuesModel::needs_resched(int cpu) const {
    return is_o1() ? o1(cpu).need_resched() : fair(cpu).need_resched();
}

void RunQueuesModel::set_need_resched(int cpu) {
    if (is_o1())
        at(o1_, cpu).set_need_resched();
    else
        at(fair_, cpu).set_need_resched();
}

void RunQueuesModel::schedule(int cpu) {
    Cpu& c = at(cpus_, cpu);
    const bool pushes = c.exec_to != kNone || c.push_to != kNone;
    if (c.current != kIdle) {
        known_.at(c.current).has_run = true;
        known_.at(c.current).ran = now_;
    }
    if (is_o1())
        at(o1_, cpu).put_prev();
    else
        at(fair_, cpu).put_prev(pushes);
    if (pushes) push(cpu);
    if (nr(cpu) == 0) idle_balance(cpu);
    if (is_o1())
        at(o1_, cpu).choose();
    else
        at(fair_, cpu).choose();
    c.current = is_o1() ? o1(cpu).current() : fair(cpu).current();
}

// ---- Events

void RunQueuesModel::pass_time(long long ns) {
    now_ += ns;
    for (Linux2620Model& cpu : o1_) cpu.set_time(now_);
    for (FairModel& cpu : fair_) cpu.pass_time(ns);
}

// Each CPU with need_resched calls schedule(), the lowest number first, until no CPU has need_resched.
void RunQueuesModel::settle() {
    for (int cpu = 0; cpu < cpus();) {
        if (!needs_resched(cpu)) {
            ++cpu;
            continue;
        }
        schedule(cpu);
        cpu = 0;
    }
}

void RunQueuesModel::begin(const Spec& spec) {
    assert(known_.count(spec.id) == 0);
    Known& p = known_[spec.id];
    p.allowed = spec.allowed;
    const bool real_time = spec.cls == Class::fifo || spec.cls == Class::rr;
    if (balancing_spares_real_time() && real_time) {
        // The task is placed like a child that 6.6 forks on CPU 0. If the task may not run there, the
        // lowest CPU on which it may run takes the place of CPU 0.
        while (!may_run(spec.id, p.cpu)) p.cpu += 1;
        p.cpu = real_time_cpu(spec.id, spec.rt_priority, 0);
    } else {
        p.cpu = idlest_cpu(0, spec.id);
    }
    if (is_o1()) {
        reference2620::Spec o1_spec{.id = spec.id,
                                    .nice = spec.nice,
                                    .rt_priority = spec.rt_priority,
                                    .sleep_avg = spec.sleep_avg,
                                    .kernel_thread = spec.kernel_thread};
        if (spec.cls == Class::fifo) o1_spec.cls = reference2620::Spec::Class::fifo;
        if (spec.cls == Class::rr) o1_spec.cls = reference2620::Spec::Class::rr;
        if (spec.cls == Class::batch) o1_spec.cls = reference2620::Spec::Class::batch;
        at(o1_, p.cpu).add(o1_spec);
    } else {
        FairModel::Spec fair_spec{.id = spec.id, .nice = spec.nice};
        if (spec.cls == Class::batch) fair_spec.cls = FairModel::Class::batch;
        if (spec.cls == Class::idle) fair_spec.cls = FairModel::Class::idle;
        if (spec.cls == Class::fifo) fair_spec.cls = FairModel::Class::fifo;
        if (spec.cls == Class::rr) fair_spec.cls = FairModel::Class::rr;
        fair_spec.rt_priority = spec.rt_priority;
        fair_spec.turn = spec.turn;
        at(fair_, p.cpu).add(fair_spec);
    }
}

void RunQueuesModel::tick() {
    ticks_ += 1;
    for (int cpu : all_cpus()) {
        if (is_o1())
            at(o1_, cpu).tick();
        else
            at(fair_, cpu).tick();
        rebalance(cpu);
    }
    settle();
}

void RunQueuesModel::yield(int cpu) {
    if (is_o1())
        at(o1_, cpu).yield();
    else
        at(fair_, cpu).yield();
    settle();
}

void RunQueuesModel::block(int cpu, Sleep from) {
    if (!is_o1())
        at(fair_, cpu).block();
    else if (from == Sleep::interruptible)
        at(o1_, cpu).block();
    else if (from == Sleep::uninterruptible)
        at(o1_, cpu).disk();
    else
        at(o1_, cpu).pipe();
    settle();
}

void RunQueuesModel::exit(int cpu) {
    const int id = current(cpu);
    if (is_o1())
        at(o1_, cpu).exit();
    else
        at(fair_, cpu).exit();
    settle();
    if (is_o1())
        at(o1_, cpu).reap(id);
    else
        at(fair_, cpu).reap(id);
    known_.erase(id);
}

// A child stays on the CPU of its parent in 2.6.20 and 2.6.24 and goes to the idlest CPU in later kernels. A
// real-time child stays also in 2.6.32, and is placed like a woken task in 6.6.
void RunQueuesModel::fork(int cpu, int child, bool thread) {
    Known known;
    known.cpu = cpu;
    known.allowed = known_.at(current(cpu)).allowed;
    known_[child] = known;
    if (is_o1()) {
        if (thread)
            at(o1_, cpu).clone(child);
        else
            at(o1_, cpu).fork(child);
    } else {
        at(fair_, cpu).make_child(child);
        int to = cpu;
        if (is_real_time(child))
            to = is_6_6() ? real_time_cpu(child, fair(cpu).rt_priority(child), cpu) : cpu;
        else if (!is_2_6_24())
            to = idlest_cpu(cpu, child);
        if (to != cpu) place(child, to, counts_.forked);
        at(fair_, to).wake_up_new_task(child);
    }
    settle();
}

// sched_exec(). From 2.6.32 on real-time tasks do not move.
void RunQueuesModel::exec(int cpu) {
    if (balancing_spares_real_time() && is_real_time(current(cpu))) return;
    const int to = idlest_cpu(cpu, current(cpu));
    if (to != cpu) {
        at(cpus_, cpu).exec_to = to;
        set_need_resched(cpu);
    }
    settle();
}

void RunQueuesModel::wake(int id, int here, bool in_interrupt) {
    if (!asleep(id)) return;
    const int cpu = cpu_to_wake_on(id, here);
    if (cpu != cpu_of(id)) place(id, cpu, counts_.woken);
    if (is_o1()) {
        if (in_interrupt)
            at(o1_, cpu).irq(id);
        else
            at(o1_, cpu).wake(id);
    } else {
        at(fair_, cpu).activate(id);
        if (!in_interrupt) at(fair_, here).has_woken();
        at(fair_, cpu).contest(id);
    }
    settle();
}

void RunQueuesModel::set_nice(int id, int nice) {
    if (is_o1())
        at(o1_, cpu_of(id)).set_nice(id, nice);
    else
        at(fair_, cpu_of(id)).set_nice(id, nice);
    settle();
}

}  // namespace reference_queues
