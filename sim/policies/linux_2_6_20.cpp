// Linux 2.6.20, the O(1) scheduler: 140 priorities, each with a list of tasks. A task that has used up its
// slice waits in a second array until the first one is empty, unless it is rated interactive.
//
// Source: kernel/sched.c of Linux 2.6.20: schedule(), task_running_tick(), try_to_wake_up(), activate_task(),
// recalc_task_prio(), sched_fork(), wake_up_new_task(), sched_exit(), set_user_nice(), sys_sched_yield().
// Verified against recorded decisions in tests/decisions/.
//
// Good at: a decision with the same cost for any number of tasks; short latency for tasks that sleep much.
// Bad at: rating interactivity, which a program can feign; slices that jump from 100 to 420 ms between nice 0
// and -1; sampling by ticks, so that a task that always sleeps before the tick is not charged.
//
// Slices are in ticks of the machine's HZ; the kernel used 1000 (or 250). Not modelled: signals; for several
// CPUs see docs/reference/run_queues.md. A child that exits returns its ticks at once, not at its parent's
// wait4(). A task of the scenario starts with sleep_avg 0. Queue steps are tasks added to or removed from a
// list, and 64-bit words of the bitmap examined.
#include "sim/policies/linux_2_6_20.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/core/policy.h"
#include "sim/core/run_queue.h"
#include "sim/policies/policies.h"

namespace sim {
namespace o1 {
namespace {

constexpr std::int32_t kMaxBonus = 10;
constexpr std::int32_t kInteractiveDelta = 2;

// DEF_TIMESLICE, MIN_TIMESLICE and MAX_SLEEP_AVG, in ticks.
std::int32_t def_timeslice(const Machine& m) {
    return std::max(static_cast<std::int32_t>(std::uint64_t{100} * m.shape().hz / 1000), 1);
}
std::int32_t min_timeslice(const Machine& m) {
    return std::max(static_cast<std::int32_t>(std::uint64_t{5} * m.shape().hz / 1000), 1);
}
std::int32_t max_sleep_avg(const Machine& m) { return def_timeslice(m) * kMaxBonus; }

std::int64_t tick_ns(const Machine& m) { return 1'000'000'000 / m.shape().hz; }

std::int32_t static_prio(const Machine& m, TaskId p) { return 120 + nice_of(m, p); }

// DELTA: the priority improvement that makes a task of this nice value interactive. The kernel's SCALE()
// rounds down, because nice + 20 is never negative.
std::int32_t delta(const Machine& m, TaskId p) {
    return (nice_of(m, p) + 20) * kMaxBonus / 40 - kMaxBonus / 2 + kInteractiveDelta;
}

// INTERACTIVE_SLEEP: limit to which a single long sleep can raise sleep_avg, in ns.
std::int64_t sleep_ceiling(const Machine& m, TaskId p) {
    return tick_ns(m) * (max_sleep_avg(m) * (kMaxBonus / 2 + delta(m, p) + 1) / kMaxBonus - 1);
}

// TIMESLICE_GRANULARITY: ticks between the turns of interactive tasks of equal priority.
std::uint32_t granularity(const Machine& m, TaskId p) {
    const std::uint32_t base =
        std::max(static_cast<std::uint32_t>(std::uint64_t{10} * m.shape().hz / 1000), 1U);
    return (base << (std::max(kMaxBonus - bonus_of(m, p), 1) - 1)) * m.shape().cpus;
}

bool has_real_time_prio(const TaskOf& t) { return t.prio < kMaxRtPrio; }

// LOAD_WEIGHT(); SCHED_LOAD_SCALE (128) is the weight of nice 0.
std::uint32_t weight_of_slice(const Machine& m, std::int32_t slice) {
    return static_cast<std::uint32_t>(slice * 128 / def_timeslice(m));
}

// set_load_weight().
std::uint32_t weight_of(const Machine& m, TaskId p) {
    if (!is_real_time(m.sched_class[p])) return weight_of_slice(m, full_slice(m, p));
    return weight_of_slice(m, 8 * def_timeslice(m)) + weight_of_slice(m, m.rt_priority[p]);
}

// The priority arrays of one CPU.
class Arrays {
  public:
    Arrays(Machine& m, CpuId c) : m_(m), cpu_(c), q_(m.of_cpu<QueueOf>(c)) {}

    std::uint32_t active() const { return q_.active; }
    std::uint32_t expired() const { return q_.active ^ 1; }
    std::uint32_t nr_running() const { return q_.count[0] + q_.count[1]; }

    // Adds p at the tail of the list of its priority. REQUIRES: p is in no array.
    void enqueue(TaskId p, std::uint32_t array) {
        const std::int32_t prio = of(p).prio;
        const TaskId after = has(array, prio) ? q_.last[array][prio] : last_better(array, prio);
        RunQueue(m_, cpu_).insert_before(m_.next_run[after], p);
        q_.last[array][prio] = p;
        joins(p, array);
    }

    // Inserts p into the list of `other`, right before it. REQUIRES: their priorities are equal.
    void enqueue_before(TaskId p, TaskId other) {
        assert(of(p).prio == of(other).prio);
        RunQueue(m_, cpu_).insert_before(other, p);
        joins(p, of(other).array);
    }

    // REQUIRES: p is in an array.
    void dequeue(TaskId p) {
        TaskOf& t = of(p);
        assert(t.array != kNoArray);
        TaskId& last = q_.last[t.array][t.prio];
        if (last == p) {
            const TaskId before = m_.prev_run[p];
            const bool alone = before == cpu_ || of(before).array != t.array || of(before).prio != t.prio;
            last = alone ? 0 : before;
            if (alone) word(t.array, t.prio) &= ~bit(t.prio);
        }
        RunQueue(m_, cpu_).remove(p);
        if (m_.shape().cpus > 1) [[unlikely]]
            q_.load -= weight_of(m_, p);
        --q_.count[t.array];
        t.array = kNoArray;
    }

    void requeue(TaskId p) {
        const std::uint32_t array = of(p).array;
        dequeue(p);
        enqueue(p, array);
    }

    // Words of the active array's bitmap that sched_find_first_bit() examines. REQUIRES: it has a task.
    std::uint32_t words_to_first_bit() const {
        const std::uint64_t* words = q_.bits[q_.active];
        return words[0] != 0 ? 1 : words[1] != 0 ? 2 : 3;
    }

    // The first task of the best active list. Swaps the arrays if the active one is empty. REQUIRES:
    // nr_running() > 0.
    TaskId first() {
        if (q_.count[q_.active] == 0) {
            q_.active ^= 1;
            q_.expired_timestamp = 0;
            q_.best_expired_prio = kMaxPrio;
        }
        return RunQueue(m_, cpu_).first();
    }

  private:
    TaskOf& of(TaskId p) const { return m_.of_task<TaskOf>(p); }
    static std::uint64_t bit(std::int32_t prio) { return std::uint64_t{1} << (prio % 64); }
    std::uint64_t& word(std::uint32_t array, std::int32_t prio) const { return q_.bits[array][prio / 64]; }
    bool has(std::uint32_t array, std::int32_t prio) const { return (word(array, prio) & bit(prio)) != 0; }

    void joins(TaskId p, std::uint32_t array) {
        TaskOf& t = of(p);
        word(array, t.prio) |= bit(t.prio);
        ++q_.count[array];
        t.array = static_cast<std::uint8_t>(array);
        if (m_.shape().cpus > 1) [[unlikely]]
            q_.load += weight_of(m_, p);
    }

    // The tail of the last non-empty list before this one; the list head if there is none.
    TaskId last_better(std::uint32_t array, std::int32_t prio) const {
        const auto in = [&](std::uint32_t a, std::int32_t below) {
            for (std::int32_t w = (below - 1) / 64; below > 0 && w >= 0; --w) {
                std::uint64_t bits = q_.bits[a][w];
                if (w == (below - 1) / 64) bits &= ~std::uint64_t{0} >> (63 - (below - 1) % 64);
                if (bits != 0) return q_.last[a][64 * w + 63 - std::countl_zero(bits)];
            }
            return kNoTask;
        };
        if (const TaskId p = in(array, prio); p != kNoTask) return p;
        if (array == q_.active) return cpu_;
        const TaskId p = in(q_.active, kMaxPrio);
        return p != kNoTask ? p : cpu_;
    }

    Machine& m_;
    CpuId cpu_;
    QueueOf& q_;
};

}  // namespace

std::int32_t nice_of(const Machine& m, TaskId p) { return std::clamp(20 - m.priority[p], -20, 19); }

std::int32_t full_slice(const Machine& m, TaskId p) {
    const std::int32_t base = def_timeslice(m) * (nice_of(m, p) < 0 ? 4 : 1);
    return std::max(base * (kMaxPrio - static_prio(m, p)) / 20, min_timeslice(m));
}

std::int32_t bonus_of(const Machine& m, TaskId p) {
    const std::int64_t ticks = m.of_task<TaskOf>(p).sleep_avg / tick_ns(m);
    return static_cast<std::int32_t>(ticks * kMaxBonus / max_sleep_avg(m));
}

std::int32_t effective_prio(const Machine& m, TaskId p) {
    if (is_real_time(m.sched_class[p])) return kMaxRtPrio - 1 - m.rt_priority[p];
    return std::clamp(static_prio(m, p) - (bonus_of(m, p) - kMaxBonus / 2), kMaxRtPrio, kMaxPrio - 1);
}

bool is_interactive(const Machine& m, TaskId p) {
    return m.of_task<TaskOf>(p).prio <= static_prio(m, p) - delta(m, p);
}

}  // namespace o1

namespace {

using namespace o1;

const std::vector<PseudoLine> kPseudoCode{
    {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
    {Phase::yield, 1, "sched_yield(): to the tail of its list in the expired array"},
    {Phase::place_woken, 1, "woken, expired or yielding task: off one list, onto another"},
    {Phase::begin, 0, "compute prev's run time, less with a bonus: deducted after the pick"},
    {Phase::leave, 1, "prev is no longer runnable? out of its array"},
    {Phase::find_bit, 0, "the active array is empty? the expired one becomes it"},
    {Phase::find_bit, 0, "the first bit of its bitmap names the best list that has a task"},
    {Phase::consider, 0, "look at the head of that list"},
    {Phase::keep, 1, "it runs: no other task is examined"},
    {Phase::keep, 1, "just woken? its wait counts as sleep, too; compute its prio"},
    {Phase::switch_context, 0, "it is not prev? save prev's context, load its own"},
    {Phase::switch_mm, 1, "another address space? load its page tables, flush the TLB"},
    {Phase::resume, 0, "it runs, or the idle task if there is none"},
};

class Linux2620 final : public PerCpuPolicy {
  public:
    Linux2620() : PerCpuPolicy(kBalanceRules) {}

    StateSize state_size() const override { return {sizeof(TaskOf), sizeof(QueueOf)}; }

    void begin(Machine& m) const override {
        for (CpuId c = 0; c < m.shape().cpus; ++c) {
            m.of_cpu<QueueOf>(c).best_expired_prio = kMaxPrio;
            m.of_task<TaskOf>(c).prio = kMaxPrio;  // the idle task
            begin_balance(m, c);
        }
    }

    void start(Machine& m, TaskId p) const override {
        m.of_task<TaskOf>(p) = {.sleep_avg = 0,
                                .timestamp = m.globals().now.count(),
                                .prio = 0,
                                .array = kNoArray,
                                .sleep_type = SleepType::normal,
                                .first_time_slice = false,
                                .unused = 0};
        m.of_task<TaskOf>(p).prio = effective_prio(m, p);
        m.counter[p] = full_slice(m, p);
    }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        Arrays arrays(m, task_cpu(m, p));
        arrays.enqueue(p, m.sched_class[p] == SchedClass::batch ? arrays.expired() : arrays.active());
        return 1;
    }

    bool preempts(const Machine& m, TaskId woken, TaskId current) const override {
        return m.of_task<TaskOf>(woken).prio < m.of_task<TaskOf>(current).prio;
    }

    bool overrides_wake() const override { return true; }

    WakeResult wake(Machine& m, TaskId p, const WakeUp& how) const override {
        TaskOf& t = m.of_task<TaskOf>(p);
        if (m.shape().cpus > 1) [[unlikely]]
            set_task_cpu(m, p, cpu_to_wake_on(m, p, how));
        switch (how.by) {
            case WakeUp::By::fork:
                return wake_up_new_task(m, p, m.cpu(how.here).current, how.here);
            case WakeUp::By::start:
                t.timestamp = m.globals().now.count();
                break;
            case WakeUp::By::task:
            case WakeUp::By::interrupt:
                if (how.from != WakeUp::Sleep::interruptible) t.sleep_type = SleepType::noninteractive;
                if (has_real_time_prio(t)) break;
                t.prio = prio_after_sleep(m, p, m.globals().now.count() - t.timestamp);
                if (t.sleep_type == SleepType::normal)
                    t.sleep_type =
                        how.by == WakeUp::By::interrupt ? SleepType::interrupted : SleepType::interactive;
                t.timestamp = m.globals().now.count();
        }
        const std::uint32_t steps = enqueue(m, p);
        return {steps, asks_if(m, p, preempts(m, p, m.cpu(task_cpu(m, p)).current))};
    }

    bool lazy_tlb() const override { return true; }

    bool tick(Machine& m, TaskId p) const override { return task_running_tick(m, p); }

    bool yield(Machine& m, TaskId p) const override {
        TaskOf& t = m.of_task<TaskOf>(p);
        Arrays arrays(m, task_cpu(m, p));
        const std::uint32_t target = has_real_time_prio(t) ? arrays.active() : arrays.expired();
        arrays.dequeue(p);
        arrays.enqueue(p, target);
        count_move(m, p);
        return true;
    }

    // sched_fork().
    void fork(Machine& m, TaskId parent, TaskId child) const override {
        TaskOf& own = m.of_task<TaskOf>(child);
        own = m.of_task<TaskOf>(parent);
        own.array = kNoArray;
        own.sleep_type = SleepType::normal;
        own.first_time_slice = true;
        own.timestamp = m.globals().now.count();
        set_task_cpu(m, child, task_cpu(m, parent));
        m.parent[child] = {parent, m.task[parent].pid};
        m.counter[child] = (m.counter[parent] + 1) >> 1;
        m.counter[parent] >>= 1;
        if (m.counter[parent] != 0) return;
        m.counter[parent] = 1;  // the tick below uses it up
        if (task_running_tick(m, parent)) m.set_need_resched(task_cpu(m, parent));
    }

    // sched_exit(). p's current run is not yet subtracted from its sleep_avg.
    void exit(Machine& m, TaskId p) const override {
        const Parent parent = m.parent[p];
        if (parent.pid == 0 || !m.is_live(parent.row) || m.task[parent.row].pid != parent.pid) return;
        const TaskOf& t = m.of_task<TaskOf>(p);
        if (t.first_time_slice && task_cpu(m, p) == task_cpu(m, parent.row))
            m.counter[parent.row] = std::min(m.counter[parent.row] + m.counter[p], full_slice(m, p));
        std::int64_t& sleep_avg = m.of_task<TaskOf>(parent.row).sleep_avg;
        if (t.sleep_avg < sleep_avg)
            sleep_avg = sleep_avg / (kExitWeight + 1) * kExitWeight + t.sleep_avg / (kExitWeight + 1);
    }

    void adopt(Machine& m, TaskId p) const override {
        Policy::adopt(m, p);
        const std::int32_t left = m.counter[p];
        set_task_cpu(m, p, cpu_of_adopted(m, p));
        start(m, p);
        if (left > 0 && left < m.counter[p]) m.counter[p] = left;
    }

    // set_user_nice().
    std::uint64_t renice(Machine& m, TaskId p, std::int32_t priority) const override {
        TaskOf& t = m.of_task<TaskOf>(p);
        const std::int32_t nice_before = nice_of(m, p), before = t.prio;
        Arrays arrays(m, task_cpu(m, p));
        const std::uint8_t array = t.array;
        const bool has_prio =
            !is_real_time(m.sched_class[p]) && std::clamp(20 - priority, -20, 19) != nice_before;
        if (has_prio && array != kNoArray) arrays.dequeue(p);
        m.priority[p] = priority;
        if (!has_prio) return 0;
        t.prio = effective_prio(m, p);
        if (array == kNoArray) return 0;
        arrays.enqueue(p, array);
        count_move(m, p);
        const bool runs = m.cpu(task_cpu(m, p)).current == p;
        return asks_if(m, p, t.prio < before || (t.prio > before && runs));
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        const std::int64_t now = m.globals().now.count();
        Arrays arrays(m, cpu);
        TaskOf& before = m.of_task<TaskOf>(prev);
        const bool was_idle = m.is_idle_task(prev);
        const std::int64_t run =
            std::min(now - before.timestamp, max_sleep(m)) / std::max(was_idle ? 1 : bonus_of(m, prev), 1);
        Decision decision{.next = cpu};
        if (log != nullptr) log->has_lists = true;
        if (m.task[prev].state != TaskState::runnable) {
            arrays.dequeue(prev);
            ++decision.queue_steps;
            if (log != nullptr) log->leave_steps = 1;
        }
        m.task[prev].processor = Task::kNoProcessor;
        if (m.shape().cpus > 1) [[unlikely]] {
            if (!was_idle) keeps_warm(m, prev);
            push_if_asked(m, cpu);
            if (arrays.nr_running() == 0) idle_balance(m, cpu);
        }

        if (arrays.nr_running() == 0) {
            m.of_cpu<QueueOf>(cpu).expired_timestamp = 0;
        } else {
            const TaskId next = arrays.first();
            const std::uint32_t words = arrays.words_to_first_bit();
            decision.next = next;
            decision.considered = 1;
            decision.queue_steps += words;
            if (log != nullptr) log->bitmap_words = words;
            TaskOf& t = m.of_task<TaskOf>(next);
            if (log != nullptr)
                log->candidates.push_back({.task = next,
                                           .counter = m.counter[next],
                                           .bonus = 0,
                                           .goodness = 1,
                                           .best = true,
                                           .key = t.prio});
            const bool has_woken =
                t.sleep_type == SleepType::interactive || t.sleep_type == SleepType::interrupted;
            if (has_woken && !has_real_time_prio(t)) {
                std::int64_t wait = now - t.timestamp;
                if (t.sleep_type == SleepType::interactive) wait = wait * kOnRunqueueWeight / 128;
                const std::int32_t prio = prio_after_sleep(m, next, wait);
                if (prio != t.prio) {
                    const std::uint32_t array = t.array;
                    arrays.dequeue(next);
                    t.prio = prio;
                    arrays.enqueue(next, array);
                    decision.queue_steps += 2;
                    if (log != nullptr) log->requeue_steps = 2;
                }
            }
            t.sleep_type = SleepType::normal;
        }
        if (!was_idle) {
            before.sleep_avg = std::max(before.sleep_avg - run, std::int64_t{0});
            before.timestamp = now;
        }
        if (decision.next != prev && !m.is_idle_task(decision.next))
            m.of_task<TaskOf>(decision.next).timestamp = now;
        m.run_on(decision.next, cpu);
        return decision;
    }

    bool keeps_running_task_queued() const override { return true; }

    std::int64_t key_of(const Machine& m, TaskId p) const override { return m.of_task<TaskOf>(p).prio; }
    SchedulingKey scheduling_key(const Machine& m, TaskId p) const override {
        const std::int32_t prio = m.of_task<TaskOf>(p).prio;
        return {"prio", fmt::format("{}", prio), prio};
    }
    std::string numbers(const Machine& m, TaskId p) const override {
        const TaskOf& t = m.of_task<TaskOf>(p);
        return fmt::format("prio {}, slice {}, sleep_avg {} ms{}", t.prio, m.counter[p],
                           t.sleep_avg / 1'000'000,
                           t.array == kNoArray                                   ? ""
                           : t.array == m.of_cpu<QueueOf>(task_cpu(m, p)).active ? ", active"
                                                                                 : ", expired");
    }

    std::string find_violation(const Machine& m) const override {
        for (CpuId c = 0; c < m.shape().cpus; ++c)
            if (std::string broken = broken_rule_of(m, c); !broken.empty()) return broken;
        return {};
    }

  private:
    static constexpr std::int64_t kExitWeight = 3;
    static constexpr std::int64_t kOnRunqueueWeight = 30 * 128 / 100;
    static constexpr std::int32_t kChildPenalty = 95;

    static constexpr BalanceRules kBalanceRules{.smt = kSmtOf26,
                                                .others = kOthersOf26,
                                                .hot = Nanos{2'500'000},
                                                .nominal = 128,
                                                .idle_per_task = 128,
                                                .leaves_one = true,
                                                .real_time_is_hot = true,
                                                .pulls_real_time = false,
                                                .fork_balances = false,
                                                .placement = BalanceRules::Placement::linux_2_6_20};

    static std::uint64_t asks_if(const Machine& m, TaskId p, bool asks) {
        return asks ? std::uint64_t{1} << task_cpu(m, p) : 0;
    }

    // --- several CPUs ---

    Balance& balance_of(Machine& m, CpuId c) const override { return m.of_cpu<QueueOf>(c).balance; }
    std::uint64_t load_of(const Machine& m, CpuId c) const override { return m.of_cpu<QueueOf>(c).load; }
    std::uint32_t nr_running(const Machine& m, CpuId c) const override {
        const QueueOf& q = m.of_cpu<QueueOf>(c);
        return q.count[0] + q.count[1];
    }
    std::uint32_t load_weight(const Machine& m, TaskId p) const override { return weight_of(m, p); }

    // pull_task().
    void migrate(Machine& m, TaskId p, Move& move) const override {
        Arrays source(m, move.from), target(m, move.to);
        const bool expired = m.of_task<TaskOf>(p).array != source.active();
        source.dequeue(p);
        target.enqueue(p, expired ? target.expired() : target.active());
        if (preempts(m, p, m.cpu(move.to).current)) move.asks |= bit(move.to);
    }

    // move_tasks(): expired tasks first, because they will not run soon and their caches are cold.
    void move_tasks(Machine& m, Move& move) const override {
        const auto best_prio = [&](CpuId c) {
            const TaskId current = m.cpu(c).current;
            return std::min(m.of_task<TaskOf>(current).prio, m.of_cpu<QueueOf>(c).best_expired_prio);
        };
        std::int32_t best_here = best_prio(move.to);
        const std::int32_t best_there = best_prio(move.from);
        bool seen = best_there == m.of_task<TaskOf>(m.cpu(move.from).current).prio;
        for (const TaskId p : in_order_of_moving(m, move.from)) {
            if (move.moved == move.most || move.amount <= 0) return;
            const std::int32_t prio = m.of_task<TaskOf>(p).prio;
            bool passes_over = weight_of(m, p) > move.amount;
            if (passes_over && prio < best_here) passes_over = !seen && prio == best_there;
            if (passes_over || !try_to_move(m, move, p))
                seen = seen || prio == best_there;
            else
                best_here = std::min(best_here, prio);
        }
    }

    // The expired array, then the active one; in each the best list first, and each list from its tail.
    static std::vector<TaskId> in_order_of_moving(const Machine& m, CpuId c) {
        const std::uint32_t active = m.of_cpu<QueueOf>(c).active;
        std::vector<TaskId> order[2];  // expired, active
        for (TaskId first = m.next_run[c]; first != c;) {
            const TaskOf& t = m.of_task<TaskOf>(first);
            TaskId after = first;
            const auto in_list = [&](TaskId p) {
                return p != c && m.of_task<TaskOf>(p).array == t.array && m.of_task<TaskOf>(p).prio == t.prio;
            };
            while (in_list(after)) after = m.next_run[after];
            std::vector<TaskId>& of_array = order[t.array == active ? 1 : 0];
            for (TaskId p = m.prev_run[after]; in_list(p); p = m.prev_run[p]) of_array.push_back(p);
            first = after;
        }
        order[0].insert(order[0].end(), order[1].begin(), order[1].end());
        return order[0];
    }

    // --- one CPU ---

    // NS_MAX_SLEEP_AVG.
    static std::int64_t max_sleep(const Machine& m) { return tick_ns(m) * max_sleep_avg(m); }

    // Counts a move of p between lists; its cost is charged to the next schedule() on that CPU.
    static void count_move(Machine& m, TaskId p) { m.cpu(task_cpu(m, p)).pending_steps += 2; }

    // recalc_task_prio(): credits `sleep` (ns) to sleep_avg. Returns the resulting priority.
    static std::int32_t prio_after_sleep(Machine& m, TaskId p, std::int64_t sleep) {
        TaskOf& t = m.of_task<TaskOf>(p);
        if (sleep > 0 && m.sched_class[p] != SchedClass::batch) {
            const std::int64_t ceiling = sleep_ceiling(m, p);
            const bool is_user = m.task[p].mm != kKernelMm;
            if (is_user && sleep > ceiling && t.sleep_avg < ceiling) {
                t.sleep_avg = ceiling;
                t.sleep_type = SleepType::noninteractive;
            } else if (is_user && t.sleep_type == SleepType::noninteractive) {
                if (t.sleep_avg < ceiling) t.sleep_avg = std::min(ceiling, t.sleep_avg + sleep);
            } else {
                t.sleep_avg += sleep;
            }
            t.sleep_avg = std::min(t.sleep_avg, max_sleep(m));
        }
        return effective_prio(m, p);
    }

    // Returns whether need_resched is set.
    static bool task_running_tick(Machine& m, TaskId p) {
        TaskOf& t = m.of_task<TaskOf>(p);
        QueueOf& q = m.of_cpu<QueueOf>(task_cpu(m, p));
        Arrays arrays(m, task_cpu(m, p));
        if (t.array != q.active) return true;  // it has expired since
        if (has_real_time_prio(t)) {
            if (m.sched_class[p] != SchedClass::rr || --m.counter[p] > 0) return false;
            m.counter[p] = full_slice(m, p);
            t.first_time_slice = false;
            arrays.requeue(p);
            count_move(m, p);
            return true;
        }
        if (--m.counter[p] > 0) {
            // Unsigned 32-bit arithmetic as in the kernel: after renice, the rest of a slice may exceed a
            // full slice.
            const auto left = static_cast<std::uint32_t>(m.counter[p]);
            const std::uint32_t used = static_cast<std::uint32_t>(full_slice(m, p)) - left;
            const std::uint32_t turn = granularity(m, p);
            if (!is_interactive(m, p) || used % turn != 0 || left < turn) return false;
            arrays.requeue(p);
            count_move(m, p);
            return true;
        }
        arrays.dequeue(p);
        t.prio = effective_prio(m, p);
        m.counter[p] = full_slice(m, p);
        t.first_time_slice = false;
        if (q.expired_timestamp == 0) q.expired_timestamp = m.globals().ticks + 1;
        if (!is_interactive(m, p) || is_starving(m, p, q, arrays.nr_running() + 1)) {
            arrays.enqueue(p, arrays.expired());
            q.best_expired_prio = std::min(q.best_expired_prio, static_prio(m, p));
        } else {
            arrays.enqueue(p, arrays.active());
        }
        count_move(m, p);
        return true;
    }

    // EXPIRED_STARVING: an expired task has a better static_prio, or the first one has waited too long.
    static bool is_starving(const Machine& m, TaskId p, const QueueOf& q, std::uint32_t nr_running) {
        if (static_prio(m, p) > q.best_expired_prio) return true;
        return q.expired_timestamp != 0 && m.globals().ticks + 1 - q.expired_timestamp >
                                               static_cast<std::uint64_t>(max_sleep_avg(m)) * nr_running;
    }

    static WakeResult wake_up_new_task(Machine& m, TaskId p, TaskId parent, CpuId here) {
        TaskOf &t = m.of_task<TaskOf>(p), &forker = m.of_task<TaskOf>(parent);
        const std::int64_t step = tick_ns(m) * (max_sleep_avg(m) / kMaxBonus);  // per bonus level
        t.sleep_avg = m.sched_class[p] == SchedClass::batch ? 0 : bonus_of(m, p) * kChildPenalty / 100 * step;
        t.prio = effective_prio(m, p);
        const CpuId cpu = task_cpu(m, p);
        Arrays arrays(m, cpu);
        const std::uint64_t asks = std::uint64_t{1} << cpu;
        WakeResult woken{.queue_steps = 1};
        const bool is_process = m.task[p].mm != m.task[parent].mm;
        // A child whose class or priority in the scenario differs from its parent's has called, in effect,
        // nice() or sched_setscheduler() first. Then it already has a priority of its own.
        const bool is_copy = m.sched_class[p] == m.sched_class[parent] &&
                             m.priority[p] == m.priority[parent] && m.rt_priority[p] == m.rt_priority[parent];
        if (cpu != here) {
            arrays.enqueue(p, m.sched_class[p] == SchedClass::batch ? arrays.expired() : arrays.active());
            if (t.prio < m.of_task<TaskOf>(m.cpu(cpu).current).prio) woken.reschedule = asks;
        } else if (is_process && is_copy && forker.array != kNoArray) {
            t.prio = forker.prio;
            arrays.enqueue_before(p, parent);
            woken.reschedule = asks;
        } else {
            arrays.enqueue(p, m.sched_class[p] == SchedClass::batch ? arrays.expired() : arrays.active());
            if (is_process) woken.reschedule = asks;
        }
        forker.sleep_avg = bonus_of(m, parent) * step;
        return woken;
    }

    static std::string broken_rule_of(const Machine& m, CpuId c) {
        const QueueOf& q = m.of_cpu<QueueOf>(c);
        QueueOf counted{};
        std::uint32_t array = q.active;
        std::int32_t prio = 0;
        for (TaskId p = m.next_run[c]; p != c; p = m.next_run[p]) {
            const TaskOf& t = m.of_task<TaskOf>(p);
            if (t.array == kNoArray || task_cpu(m, p) != c) return "a queued task is in no array";
            if (t.array != array) prio = 0;
            if ((t.array != array && t.array == q.active) || t.prio < prio || t.prio >= kMaxPrio)
                return "the lists of the arrays are out of order";
            array = t.array;
            prio = t.prio;
            ++counted.count[array];
            if (m.shape().cpus > 1) counted.load += weight_of(m, p);
            counted.bits[array][prio / 64] |= std::uint64_t{1} << (prio % 64);
            counted.last[array][prio] = p;
        }
        if (counted.load != q.load) return "the load of a queue is not that of its tasks";
        for (std::uint32_t a = 0; a < 2; ++a) {
            if (counted.count[a] != q.count[a]) return "the task count of an array is wrong";
            for (std::int32_t i = 0; i < kMaxPrio; ++i) {
                if (counted.last[a][i] != q.last[a][i]) return "a list ends at the wrong task";
                if (((counted.bits[a][i / 64] ^ q.bits[a][i / 64]) >> (i % 64) & 1) != 0)
                    return "the bitmap does not match the lists";
            }
        }
        return {};
    }
};

}  // namespace

PolicyInfo linux_2_6_20_policy() {
    return {
        .name = "linux-2.6.20",
        .summary = "Linux 2.6.20, O(1): the first of the best list; expired tasks wait for the others",
        .source = "Linux 2.6.20 kernel/sched.c",
        .options = {},
        .criterion = "prio",
        .why =
            [](const DecisionLog&, const Candidate& winner) {
                return fmt::format("it is the first of the best list, at prio {}.", winner.key);
            },
        .pseudo_code = [](const PolicyOptions&) { return kPseudoCode; },
        .recorded_kernel = "linux-2.6.20",
        .system = "linux",
        .make = [](const PolicyOptions&) { return std::make_unique<Linux2620>(); },
    };
}

}  // namespace sim
