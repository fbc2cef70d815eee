// Linux 2.6.20, the O(1) scheduler: 140 priorities, each with a list of tasks. A task that has used up its
// slice waits in a second array until the first array is empty, unless the task is rated interactive.
//
// Source: kernel/sched.c of Linux 2.6.20: schedule(), task_running_tick(), try_to_wake_up(), activate_task(),
// recalc_task_prio(), sched_fork(), wake_up_new_task(), sched_exit(), set_user_nice(), sys_sched_yield().
// Verified against recorded decisions in tests/decisions/. Several CPUs: docs/reference/run_queues.md.
//
// Good at: decisions that cost the same for any number of tasks; short latency for tasks that sleep much.
// Bad at: rating interactivity, which a program can feign; slices, which jump from 100 ms at nice 0 to
// 420 ms at nice -1; charging run time by ticks: a task can always sleep before the tick.
//
// Slices are in ticks of HZ (1000 or 250 in the kernel). Not modelled: signals. A child that exits returns
// its ticks to its parent at once, not when the parent calls wait4(). sleep_avg starts at 0. A queue step is
// a change of a list or the examination of a bitmap word.
#include "sim/policies/linux_2_6_20.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/policy.h"
#include "sim/policies/linux_2_6_20_arrays.h"
#include "sim/policies/linux_2_6_20_slices.h"
#include "sim/policies/linux_2_6_20_texts.h"
#include "sim/policies/policies.h"

namespace sim {
namespace o1 {

std::int32_t nice_of(const Machine& m, TaskId p) { return std::clamp(20 - m.priority[p], -20, 19); }

std::int32_t full_slice(const Machine& m, TaskId p) {
    const std::int32_t base = def_timeslice(m) * (nice_of(m, p) < 0 ? 4 : 1);
    return std::max(base * (kMaxPrio - static_prio(m, p)) / 20, min_timeslice(m));
}

std::int32_t bonus_of(const Machine& m, TaskId p) {
    const std::int64_t ticks = m.of_task<TaskFields>(p).sleep_avg / tick_ns(m);
    return static_cast<std::int32_t>(ticks * kMaxBonus / max_sleep_avg(m));
}

std::int32_t effective_prio(const Machine& m, TaskId p) {
    if (is_real_time(m.sched_class[p])) return kMaxRtPrio - 1 - m.rt_priority[p];
    return std::clamp(static_prio(m, p) - (bonus_of(m, p) - kMaxBonus / 2), kMaxRtPrio, kMaxPrio - 1);
}

bool is_interactive(const Machine& m, TaskId p) {
    return m.of_task<TaskFields>(p).prio <= static_prio(m, p) - min_interactive_bonus(m, p);
}

}  // namespace o1

namespace {

using namespace o1;

class Linux2620 final : public PerCpuPolicy {
  public:
    Linux2620() : PerCpuPolicy(kBalanceRules) {}

    StateSize state_size() const override { return {sizeof(TaskFields), sizeof(RunQueueFields)}; }

    void initialize_cpu_state(Machine& m) const override {
        for (CpuId c = 0; c < m.shape().cpus; ++c) {
            m.of_cpu<RunQueueFields>(c).best_expired_prio = kMaxPrio;
            m.of_task<TaskFields>(c).prio = kMaxPrio;  // the idle task
            init_balance_state(m, c);
        }
    }

    void start(Machine& m, TaskId p) const override {
        m.of_task<TaskFields>(p) = {.sleep_avg = 0,
                                    .timestamp = m.globals().now.count(),
                                    .prio = 0,
                                    .array = kNoArray,
                                    .sleep_type = SleepType::normal,
                                    .first_time_slice = false,
                                    .unused = 0};
        m.of_task<TaskFields>(p).prio = effective_prio(m, p);
        m.counter[p] = full_slice(m, p);
    }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        PriorityArrays(m, task_cpu(m, p)).enqueue_activated(p);
        return 1;
    }

    bool preempts(const Machine& m, TaskId woken, TaskId current) const override {
        return m.of_task<TaskFields>(woken).prio < m.of_task<TaskFields>(current).prio;
    }

    bool overrides_wake() const override { return true; }

    WakeResult wake(Machine& m, TaskId p, const WakeUp& wake_up) const override {
        TaskFields& t = m.of_task<TaskFields>(p);
        if (m.shape().cpus > 1) [[unlikely]]
            set_task_cpu(m, p, cpu_to_wake_on(m, p, wake_up));
        switch (wake_up.by) {
            case WakeUp::Waker::fork:
                return wake_up_new_task(m, p, m.cpu(wake_up.here).current, wake_up.here);
            case WakeUp::Waker::start:
                t.timestamp = m.globals().now.count();
                break;
            case WakeUp::Waker::task:
            case WakeUp::Waker::interrupt:
                if (wake_up.from != WakeUp::Sleep::interruptible) t.sleep_type = SleepType::noninteractive;
                if (has_real_time_prio(t)) break;
                t.prio = prio_after_sleep(m, p, m.globals().now.count() - t.timestamp);
                if (t.sleep_type == SleepType::normal)
                    t.sleep_type = wake_up.by == WakeUp::Waker::interrupt ? SleepType::interrupted
                                                                          : SleepType::interactive;
                t.timestamp = m.globals().now.count();
        }
        const std::uint32_t steps = enqueue(m, p);
        return {steps, reschedule_mask(m, p, preempts(m, p, m.cpu(task_cpu(m, p)).current))};
    }

    LoadRule load_average_rule() const override { return LoadRule::linux_2_0; }
    bool lazy_tlb() const override { return true; }
    bool tick(Machine& m, TaskId p) const override { return task_running_tick(m, p); }
    std::string wake_reason(const Machine& m, TaskId woken, TaskId current, bool needs_resched,
                            const TaskNamer& name) const override {
        return o1::wake_reason(m, woken, current, needs_resched, name);
    }
    std::string tick_reason(const Machine& m, TaskId p, ReschedCheck::Point /*at*/, bool needs_resched,
                            const TaskNamer& name) const override {
        return o1::tick_reason(m, p, needs_resched, name);
    }
    std::string not_chosen_reason(const Machine& m, TaskId p, TaskId, const TaskNamer&) const override {
        if (is_in_active_array(m, p)) return "";
        return "it is in the expired array, which waits until the active one is empty";
    }

    std::string queue_name(const Machine& m, TaskId p) const override {
        return is_in_active_array(m, p) ? "the active array" : "the expired array";
    }

    std::string queue_change(const Machine& before, const Machine& after, CpuId cpu) const override {
        if (before.of_cpu<RunQueueFields>(cpu).active == after.of_cpu<RunQueueFields>(cpu).active) return {};
        return "The active array is empty, so the two arrays are exchanged; no task moves.";
    }

    bool yield(Machine& m, TaskId p) const override {
        TaskFields& t = m.of_task<TaskFields>(p);
        PriorityArrays arrays(m, task_cpu(m, p));
        const std::uint32_t target = has_real_time_prio(t) ? arrays.active_index() : arrays.expired_index();
        arrays.dequeue(p);
        arrays.enqueue(p, target);
        charge_list_move(m, p);
        return true;
    }

    // Models sched_fork() of the kernel.
    void fork(Machine& m, TaskId parent, TaskId child) const override {
        TaskFields& own = m.of_task<TaskFields>(child);
        own = m.of_task<TaskFields>(parent);
        own.array = kNoArray;
        own.sleep_type = SleepType::normal;
        own.first_time_slice = true;
        own.timestamp = m.globals().now.count();
        set_task_cpu(m, child, task_cpu(m, parent));
        m.parent[child] = {parent, m.task[parent].pid};
        m.counter[child] = (m.counter[parent] + 1) >> 1;
        m.counter[parent] >>= 1;
        if (m.counter[parent] != 0) return;
        m.counter[parent] = 1;  // task_running_tick() uses this tick up
        if (task_running_tick(m, parent)) m.set_need_resched(task_cpu(m, parent), ReschedCause::fork);
    }

    // Models sched_exit(). As in the kernel, the sleep_avg of p is not yet reduced by p's latest run time.
    void exit(Machine& m, TaskId p) const override {
        const ParentTask parent = m.parent[p];
        if (parent.pid == 0 || !m.is_live(parent.row) || m.task[parent.row].pid != parent.pid) return;
        const TaskFields& t = m.of_task<TaskFields>(p);
        if (t.first_time_slice && task_cpu(m, p) == task_cpu(m, parent.row))
            m.counter[parent.row] = std::min(m.counter[parent.row] + m.counter[p], full_slice(m, p));
        std::int64_t& sleep_avg = m.of_task<TaskFields>(parent.row).sleep_avg;
        if (t.sleep_avg < sleep_avg)
            sleep_avg = sleep_avg / (kExitWeight + 1) * kExitWeight + t.sleep_avg / (kExitWeight + 1);
    }

    void adopt(Machine& m, TaskId p) const override {
        Policy::adopt(m, p);
        const std::int32_t left = m.counter[p];
        set_task_cpu(m, p, cpu_of_adopted_task(m, p));
        start(m, p);
        if (left > 0 && left < m.counter[p]) m.counter[p] = left;
    }

    // Models set_user_nice() of the kernel.
    std::uint64_t renice(Machine& m, TaskId p, std::int32_t priority) const override {
        TaskFields& t = m.of_task<TaskFields>(p);
        const std::int32_t nice_before = nice_of(m, p), before = t.prio;
        PriorityArrays arrays(m, task_cpu(m, p));
        const std::uint8_t array = t.array;
        const bool has_prio =
            !is_real_time(m.sched_class[p]) && std::clamp(20 - priority, -20, 19) != nice_before;
        if (has_prio && array != kNoArray) arrays.dequeue(p);
        m.priority[p] = priority;
        if (!has_prio) return 0;
        t.prio = effective_prio(m, p);
        if (array == kNoArray) return 0;
        arrays.enqueue(p, array);
        charge_list_move(m, p);
        const bool runs = m.cpu(task_cpu(m, p)).current == p;
        return reschedule_mask(m, p, t.prio < before || (t.prio > before && runs));
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        const std::int64_t now = m.globals().now.count();
        PriorityArrays arrays(m, cpu);
        TaskFields& before = m.of_task<TaskFields>(prev);
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
            if (!was_idle) record_cpu_loss(m, prev);
            push_task_if_asked(m, cpu);
            if (arrays.nr_running() == 0) idle_balance(m, cpu);
        }

        if (arrays.nr_running() == 0) {
            m.of_cpu<RunQueueFields>(cpu).expired_timestamp = 0;
        } else {
            const TaskId next = arrays.first();
            const std::uint32_t words = arrays.words_to_first_bit();
            decision.next = next;
            decision.considered = 1;
            decision.queue_steps += words;
            if (log != nullptr) log->bitmap_words = words;
            TaskFields& t = m.of_task<TaskFields>(next);
            if (log != nullptr)
                log->candidates.push_back({.task = next,
                                           .counter = m.counter[next],
                                           .bonus = 0,
                                           .goodness = 1,
                                           .best = true,
                                           .key = t.prio});
            if (credit_wait(m, arrays, next, now - t.timestamp)) {
                decision.queue_steps += 2;
                if (log != nullptr) log->requeue_steps = 2;
            }
            t.sleep_type = SleepType::normal;
        }
        if (!was_idle) {
            before.sleep_avg = std::max(before.sleep_avg - run, std::int64_t{0});
            before.timestamp = now;
        }
        if (decision.next != prev && !m.is_idle_task(decision.next))
            m.of_task<TaskFields>(decision.next).timestamp = now;
        m.set_running_task(decision.next, cpu);
        return decision;
    }

    bool keeps_running_task_queued() const override { return true; }

    std::int64_t candidate_key(const Machine& m, TaskId p) const override {
        return m.of_task<TaskFields>(p).prio;
    }
    SchedulingKey scheduling_key(const Machine& m, TaskId p) const override {
        const std::int32_t prio = m.of_task<TaskFields>(p).prio;
        return {"prio", fmt::format("{}", prio), prio};
    }
    std::string scheduling_values(const Machine& m, TaskId p) const override {
        const TaskFields& t = m.of_task<TaskFields>(p);
        return fmt::format("prio {}, slice {}, sleep_avg {} ms{}", t.prio, m.counter[p],
                           t.sleep_avg / 1'000'000,
                           t.array == kNoArray        ? ""
                           : is_in_active_array(m, p) ? ", active"
                                                      : ", expired");
    }

    std::string find_violation(const Machine& m) const override {
        for (CpuId c = 0; c < m.shape().cpus; ++c)
            if (std::string broken = find_array_violation(m, c); !broken.empty()) return broken;
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
                                                .placement = BalanceRules::PlacementRule::linux_2_6_20,
                                                .busiest = BalanceRules::BusiestRule::linux_2_6_20};

    static std::uint64_t reschedule_mask(const Machine& m, TaskId p, bool needs_resched) {
        return needs_resched ? std::uint64_t{1} << task_cpu(m, p) : 0;
    }

    // --- several CPUs ---

    BalanceState& balance_of(Machine& m, CpuId c) const override {
        return m.of_cpu<RunQueueFields>(c).balance;
    }
    std::uint64_t load_of(const Machine& m, CpuId c) const override {
        return m.of_cpu<RunQueueFields>(c).load;
    }
    std::uint32_t nr_running(const Machine& m, CpuId c) const override {
        const RunQueueFields& q = m.of_cpu<RunQueueFields>(c);
        return q.count[0] + q.count[1];
    }
    std::uint32_t load_weight(const Machine& m, TaskId p) const override { return weight_of(m, p); }

    // Models pull_task() of the kernel.
    void migrate(Machine& m, TaskId p, Move& move) const override {
        PriorityArrays source(m, move.from), target(m, move.to);
        const bool expired = m.of_task<TaskFields>(p).array != source.active_index();
        source.dequeue(p);
        target.enqueue(p, expired ? target.expired_index() : target.active_index());
        if (preempts(m, p, m.cpu(move.to).current)) move.asks |= bit(move.to);
    }

    // Models move_tasks() of the kernel. Expired tasks are examined first, because they will not run soon and
    // are cache-cold.
    void move_tasks(Machine& m, Move& move) const override {
        const auto best_prio = [&](CpuId c) {
            const TaskId current = m.cpu(c).current;
            return std::min(m.of_task<TaskFields>(current).prio,
                            m.of_cpu<RunQueueFields>(c).best_expired_prio);
        };
        std::int32_t best_here = best_prio(move.to);
        const std::int32_t best_there = best_prio(move.from);
        bool seen = best_there == m.of_task<TaskFields>(m.cpu(move.from).current).prio;
        for (const TaskId p : balancing_order(m, move.from)) {
            if (move.moved == move.most || move.amount <= 0) return;
            const std::int32_t prio = m.of_task<TaskFields>(p).prio;
            bool passes_over = weight_of(m, p) > move.amount;
            if (passes_over && prio < best_here) passes_over = !seen && prio == best_there;
            if (passes_over || !try_to_move(m, move, p))
                seen = seen || prio == best_there;
            else
                best_here = std::min(best_here, prio);
        }
    }

    // --- one CPU ---

    // NS_MAX_SLEEP_AVG: the maximum of sleep_avg, in ns.
    static std::int64_t max_sleep(const Machine& m) { return tick_ns(m) * max_sleep_avg(m); }

    // Counts a removal of p from a list and an insertion into a list, possibly the same list. The next
    // schedule() on p's CPU is charged for these 2 queue steps.
    static void charge_list_move(Machine& m, TaskId p) { m.cpu(task_cpu(m, p)).pending_steps += 2; }

    // recalc_task_prio(): credits `sleep` (ns) to sleep_avg. Returns the resulting priority.
    static std::int32_t prio_after_sleep(Machine& m, TaskId p, std::int64_t sleep) {
        TaskFields& t = m.of_task<TaskFields>(p);
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

    // If the task `next` has not run since it was woken, its waiting time `wait` (ns) on the run queue is
    // credited like sleep. Returns whether the task moved to another list.
    [[gnu::always_inline]] static bool credit_wait(Machine& m, PriorityArrays& arrays, TaskId next,
                                                   std::int64_t wait) {
        TaskFields& t = m.of_task<TaskFields>(next);
        const bool has_woken =
            t.sleep_type == SleepType::interactive || t.sleep_type == SleepType::interrupted;
        if (!has_woken || has_real_time_prio(t)) return false;
        if (t.sleep_type == SleepType::interactive) wait = wait * kOnRunqueueWeight / 128;
        const std::int32_t prio = prio_after_sleep(m, next, wait);
        if (prio == t.prio) return false;
        const std::uint32_t array = t.array;
        arrays.dequeue(next);
        t.prio = prio;
        arrays.enqueue(next, array);
        return true;
    }

    // Charges the running task p for a tick. Returns whether the caller must set need_resched.
    static bool task_running_tick(Machine& m, TaskId p) {
        TaskFields& t = m.of_task<TaskFields>(p);
        RunQueueFields& q = m.of_cpu<RunQueueFields>(task_cpu(m, p));
        PriorityArrays arrays(m, task_cpu(m, p));
        if (t.array != q.active) return true;  // p's slice has already expired
        if (has_real_time_prio(t)) {
            if (m.sched_class[p] != SchedClass::rr || --m.counter[p] > 0) return false;
            m.counter[p] = full_slice(m, p);
            t.first_time_slice = false;
            arrays.requeue(p);
            charge_list_move(m, p);
            return true;
        }
        if (--m.counter[p] > 0) {
            // Unsigned 32-bit arithmetic as in the kernel. It wraps if a renice has made the rest of the
            // slice longer than a full slice.
            const auto left = static_cast<std::uint32_t>(m.counter[p]);
            const std::uint32_t used = static_cast<std::uint32_t>(full_slice(m, p)) - left;
            const std::uint32_t turn = timeslice_granularity(m, p);
            if (!is_interactive(m, p) || used % turn != 0 || left < turn) return false;
            arrays.requeue(p);
            charge_list_move(m, p);
            return true;
        }
        arrays.dequeue(p);
        t.prio = effective_prio(m, p);
        m.counter[p] = full_slice(m, p);
        t.first_time_slice = false;
        if (q.expired_timestamp == 0) q.expired_timestamp = m.globals().ticks + 1;
        if (!is_interactive(m, p) || expired_starving(m, p, q, arrays.nr_running() + 1)) {
            arrays.enqueue(p, arrays.expired_index());
            q.best_expired_prio = std::min(q.best_expired_prio, static_prio(m, p));
        } else {
            arrays.enqueue(p, arrays.active_index());
        }
        charge_list_move(m, p);
        return true;
    }

    // EXPIRED_STARVING: true if an expired task has a better static_prio than p, or the task that expired
    // first has waited too long.
    static bool expired_starving(const Machine& m, TaskId p, const RunQueueFields& q,
                                 std::uint32_t nr_running) {
        if (static_prio(m, p) > q.best_expired_prio) return true;
        return q.expired_timestamp != 0 && m.globals().ticks + 1 - q.expired_timestamp >
                                               static_cast<std::uint64_t>(max_sleep_avg(m)) * nr_running;
    }

    static WakeResult wake_up_new_task(Machine& m, TaskId p, TaskId parent, CpuId here) {
        TaskFields &t = m.of_task<TaskFields>(p), &forker = m.of_task<TaskFields>(parent);
        const std::int64_t step = tick_ns(m) * (max_sleep_avg(m) / kMaxBonus);  // ns per bonus level
        t.sleep_avg = m.sched_class[p] == SchedClass::batch ? 0 : bonus_of(m, p) * kChildPenalty / 100 * step;
        t.prio = effective_prio(m, p);
        const CpuId cpu = task_cpu(m, p);
        PriorityArrays arrays(m, cpu);
        const std::uint64_t asks = std::uint64_t{1} << cpu;
        WakeResult woken{.queue_steps = 1};
        const bool is_process = m.task[p].mm != m.task[parent].mm;
        // If the scenario gives the child a class or priority that differs from its parent's, the child
        // behaves as if it had called nice() or sched_setscheduler() before this wake-up. In this case, the
        // child does not take over its parent's prio.
        const bool is_copy = m.sched_class[p] == m.sched_class[parent] &&
                             m.priority[p] == m.priority[parent] && m.rt_priority[p] == m.rt_priority[parent];
        if (cpu != here) {
            arrays.enqueue_activated(p);
            if (t.prio < m.of_task<TaskFields>(m.cpu(cpu).current).prio) woken.reschedule = asks;
        } else if (is_process && is_copy && forker.array != kNoArray) {
            t.prio = forker.prio;
            arrays.enqueue_before(p, parent);
            woken.reschedule = asks;
        } else {
            arrays.enqueue_activated(p);
            if (is_process) woken.reschedule = asks;
        }
        forker.sleep_avg = bonus_of(m, parent) * step;
        return woken;
    }
};

}  // namespace

PolicyInfo linux_2_6_20_policy() {
    return {
        .name = "linux-2.6.20",
        .summary = "Linux 2.6.20, O(1): the first active task with the best prio runs; expired tasks wait",
        .source = "Linux 2.6.20 kernel/sched.c",
        .options = {},
        .criterion = "prio",
        .why =
            [](const DecisionLog&, const Candidate& winner) {
                return fmt::format("it is the first active task with the best prio, {}.", winner.key);
            },
        .pseudo_code = [](const PolicyOptions&) { return kPseudoCode; },
        .recorded_kernel = "linux-2.6.20",
        .system = "linux",
        .make = [](const PolicyOptions&) { return std::make_unique<Linux2620>(); },
    };
}

}  // namespace sim
