// Common parts of the fair schedulers (CFS of 2.6.24 and 2.6.32, EEVDF of 6.6): the choice between the
// classes, schedule(), and load balancing.
//
// The list headed by a CPU's idle task contains the ready real-time tasks, the best first, then the ready
// fair tasks in tree order. As in the kernel, the running task is neither on this list nor in the tree of
// fair tasks. The count of the run queue includes the running task.
//
// Source: kernel/sched.c and kernel/sched_fair.c of Linux 2.6.24. Not modelled: groups of tasks; for several
// CPUs see docs/reference/run_queues.md.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/policies/fair_check.h"
#include "sim/policies/fair_queue.h"
#include "sim/policies/fair_state.h"
#include "sim/policies/fair_weights.h"
#include "sim/policies/real_time_queue.h"
#include "sim/policies/reasons.h"
#include "sim/policies/run_queues.h"

namespace sim::fair {

// The reason for the choice of a real-time task, as text.
inline constexpr const char* kFirstOfRealTime =
    "it is the first task of the real-time list with the highest rt_priority.";

// A time as text in ms, rounded down: "12.345 ms".
inline std::string milliseconds(std::int64_t ns) {
    return fmt::format("{}.{:03} ms", ns / 1'000'000, ns / 1'000 % 1'000);
}

// The choice of the class, and schedule(), for the three fair schedulers. `Kernel`, which is derived from
// this class, also provides the following. `queue` is the run queue of p or of the running task.
//   kAccountsForRealTime: true if the wake-up of a real-time task first charges the running task;
//   kCopiesSlice: true if a child of class rr gets the rest of its parent's slice;
//   init_task_state(queue, p): sets the state of a new task;
//   add_to_queue(queue, p): adds p without a wake-up. Returns the number of comparisons;
//   wake_fair(queue, p, wake_up, needs_resched): adds p, which has woken. Returns the number of comparisons,
//   and sets `needs_resched` if need_resched must be set;
//   wake_new(queue, p, wake_up, needs_resched): does the same for a new task;
//   charge_current(queue): charges the running task. Returns whether need_resched must be set;
//   tick_fair(queue), yield_fair(queue): handle a tick and sched_yield() of the running fair task;
//   update_wakeup_average(queue, wake_up): called when the running task has woken a task of any class;
//   dequeue_current(queue, p): called when the running task p is no longer runnable;
//   pick(queue, decision, log): returns the next task. REQUIRES: has_waiting_tasks();
//   pick_before_put_back(queue, decision, log): like pick(), but the running task is not in the queue yet and
//   can be returned, too. Returns kNoTask if the kernel puts the running task into the queue first;
//   renice_fair(queue, p, priority): changes the priority of p. Returns whether need_resched must be set;
//   check_preempt(queue, p): returns whether p, just added to the queue, preempts the running fair task;
//   fair_wake_reason(queue, p, needs_resched, name), fair_tick_reason(queue, needs_resched, name),
//   fair_not_chosen_reason(queue, p, winner, name): Policy::wake_reason(), tick_reason() and
//   not_chosen_reason() for fair tasks.
// For several CPUs, `Kernel` also provides the following.
//   kBalanceRules: the balancing parameters; kRealTimeLoad: load of a real-time task;
//   kMostLookedAt: maximum number of tasks that move_tasks() examines;
//   kLoadFuzz: tolerance, in units of load, when a task is too heavy to be moved;
//   kShrinksLoads: true if move_tasks() halves a task's load for each earlier attempt without a move (6.6);
//   kBetterGoes: true if move_tasks() also moves a too heavy task if its priority is better than that of the
//   target CPU's running task and of each task moved so far;
//   on_wake_migration(from, to, p): called before the wake-up of p on the CPU of `to`, if p was on `from`;
//   on_fork_migration(from, to, p): called before the wake-up of a new task p on the CPU of `to`, if p would
//   otherwise start on `from`;
//   detach_for_migration(from, to, p): removes the waiting task p from `from`; add_to_queue() then adds p to
//   `to`. Returns whether the CPU of `from` must call schedule().
template <class Kernel>
class FairPolicy : public PerCpuPolicy {
  public:
    FairPolicy() : PerCpuPolicy(Kernel::kBalanceRules) {}

    StateSize state_size() const final {
        return {sizeof(typename Kernel::Task), sizeof(typename Kernel::Queue)};
    }

    void initialize_cpu_state(Machine& m) const final {
        for (CpuId c = 0; c < m.shape().cpus; ++c) {
            auto& q = m.of_cpu<typename Kernel::Queue>(c);
            q.min_vruntime = kMinVruntimeAtBoot;
            q.current = q.root = q.real_time.put_back_after = kNoTask;
            kernel().init_queue_state(q);
            init_balance_state(m, c);
        }
    }

    void start(Machine& m, TaskId p) const final {
        m.counter[p] = rr_slice(m);
        kernel().init_task_state(Queue<Kernel>(m, task_cpu(m, p)), p);
    }

    std::uint32_t enqueue(Machine& m, TaskId p) const final {
        const Queue<Kernel> queue(m, task_cpu(m, p));
        if (!is_real_time(m.sched_class[p])) return kernel().add_to_queue(queue, p);
        change_real_time_count(queue, 1);
        queue.real_time.enqueue(p);
        return 0;
    }

    bool overrides_wake() const final { return true; }

    WakeResult wake(Machine& m, TaskId p, const WakeUp& wake_up) const final {
        if (m.shape().cpus > 1) [[unlikely]]
            choose_cpu(m, p, wake_up);
        const CpuId cpu = task_cpu(m, p);
        const Queue<Kernel> queue(m, cpu);
        const TaskId current = m.cpu(cpu).current;
        const bool is_idle = m.is_idle_task(current);
        WakeResult woken;
        bool needs_resched = false;
        if (is_real_time(m.sched_class[p])) {
            change_real_time_count(queue, 1);
            queue.real_time.enqueue(p);
            kernel().update_wakeup_average(Queue<Kernel>(m, wake_up.here), wake_up);
            if (queue.q.current == kNoTask) {
                needs_resched = is_idle || m.rt_priority[p] > m.rt_priority[current];
            } else {
                if (Kernel::kAccountsForRealTime) kernel().charge_current(queue);
                needs_resched = true;
            }
        } else {
            const bool is_new = wake_up.by == WakeUp::Waker::fork || wake_up.by == WakeUp::Waker::start;
            if (wake_up.by == WakeUp::Waker::start && m.globals().now == Nanos{})
                woken.queue_steps = kernel().add_to_queue(queue, p);
            else if (is_new)
                woken.queue_steps = kernel().wake_new(queue, p, wake_up, needs_resched);
            else
                woken.queue_steps = kernel().wake_fair(queue, p, wake_up, needs_resched);
            needs_resched = needs_resched || is_idle;
        }
        woken.reschedule = needs_resched ? std::uint64_t{1} << cpu : 0;
        return woken;
    }

    // Never called, because wake() is overridden.
    bool preempts(const Machine& m, TaskId, TaskId current) const final { return m.is_idle_task(current); }

    bool lazy_tlb() const final { return true; }

    bool tick(Machine& m, TaskId p) const final {
        Queue<Kernel> queue(m, task_cpu(m, p));
        return is_real_time(m.sched_class[p]) ? queue.real_time.tick(p) : kernel().tick_fair(queue);
    }

    std::string wake_reason(const Machine& m, TaskId woken, TaskId current, bool needs_resched,
                            const TaskNamer& name) const final {
        const bool is_better_class = is_real_time(m.sched_class[woken]);
        if (is_real_time(m.sched_class[current])) {
            if (!is_better_class)
                return fmt::format("{} is a real-time task, which precedes all others", name(current));
            return fmt::format("{}'s rt_priority {} is {}higher than {}'s {}", name(woken),
                               m.rt_priority[woken],
                               m.rt_priority[woken] > m.rt_priority[current] ? "" : "not ", name(current),
                               m.rt_priority[current]);
        }
        if (is_better_class) return real_time_reason(m, woken, name);
        // The functions only read the machine, but Queue needs a reference to a machine that is not const.
        const Queue<Kernel> queue(const_cast<Machine&>(m), task_cpu(m, woken));
        return kernel().fair_wake_reason(queue, woken, needs_resched, name);
    }

    std::string tick_reason(const Machine& m, TaskId p, ReschedCheck::Point /*at*/, bool needs_resched,
                            const TaskNamer& name) const final {
        if (m.sched_class[p] == SchedClass::fifo)
            return fmt::format("{} is of class fifo, which has no slice", name(p));
        if (m.sched_class[p] == SchedClass::rr) {
            if (needs_resched)
                return fmt::format("{}'s slice is used up, and another task of its rt_priority is ready",
                                   name(p));
            return m.counter[p] == rr_slice(m)
                       ? fmt::format("{}'s slice is used up, but no other task of its rt_priority is ready",
                                     name(p))
                       : ticks_left_reason(m.counter[p]);
        }
        const Queue<Kernel> queue(const_cast<Machine&>(m), task_cpu(m, p));
        if (!needs_resched && queue.q.running < 2) return "no other task is ready on this CPU";
        return kernel().fair_tick_reason(queue, needs_resched, name);
    }

    std::string not_chosen_reason(const Machine& m, TaskId p, TaskId winner,
                                  const TaskNamer& name) const final {
        if (is_real_time(m.sched_class[winner]))
            return is_real_time(m.sched_class[p])
                       ? fmt::format("{} precedes it in the real-time lists", name(winner))
                       : fmt::format("{} is a real-time task", name(winner));
        const Queue<Kernel> queue(const_cast<Machine&>(m), task_cpu(m, p));
        return kernel().fair_not_chosen_reason(queue, p, winner, name);
    }

    std::string queue_name(const Machine& m, TaskId p) const final {
        return is_real_time(m.sched_class[p]) ? "the real-time lists" : "the tree (by vruntime)";
    }

    bool yield(Machine& m, TaskId p) const final {
        Queue<Kernel> queue(m, task_cpu(m, p));
        if (is_real_time(m.sched_class[p]))
            queue.real_time.yield(p);
        else
            kernel().yield_fair(queue);
        return true;
    }

    void fork(Machine& m, TaskId parent, TaskId child) const final {
        set_task_cpu(m, child, task_cpu(m, parent));
        start(m, child);
        if (Kernel::kCopiesSlice && is_real_time(m.sched_class[parent])) m.counter[child] = m.counter[parent];
    }

    void adopt(Machine& m, TaskId p) const final {
        set_task_cpu(m, p, cpu_of_adopted_task(m, p));
        start(m, p);
    }

    void adopt_running_task(Machine& m, CpuId cpu, TaskId p) const final {
        Queue<Kernel> queue(m, cpu);
        if (is_real_time(m.sched_class[p]))
            queue.real_time.dequeue(p);
        else
            kernel().make_current(queue, p);
    }

    std::uint64_t renice(Machine& m, TaskId p, std::int32_t priority) const final {
        const bool same = nice_of(priority) == nice_of(m.priority[p]);
        if (same || is_real_time(m.sched_class[p])) {
            m.priority[p] = priority;
            return 0;
        }
        const CpuId cpu = task_cpu(m, p);
        return kernel().renice_fair(Queue<Kernel>(m, cpu), p, priority) ? std::uint64_t{1} << cpu : 0;
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const final {
        Queue<Kernel> queue(m, cpu);
        Decision decision{.next = cpu};
        const bool goes_on = m.task[prev].state == TaskState::runnable;
        TaskId next = kNoTask;
        m.task[prev].processor = Task::kNoProcessor;
        if (m.shape().cpus > 1 && !m.is_idle_task(prev)) [[unlikely]]
            record_cpu_loss(m, prev);
        if (queue.q.current != kNoTask) {
            if (goes_on) {
                if (queue.real_time.empty() && queue.q.balance.push_to == kNoCpu)
                    next = kernel().pick_before_put_back(queue, decision, log);
                if (next == prev) {
                    decision.next = prev;
                    m.set_running_task(prev, cpu);
                    return decision;
                }
                put_back(queue, decision, log);
            } else {
                kernel().dequeue_current(queue, prev);
            }
        } else if (goes_on && !m.is_idle_task(prev)) {
            queue.real_time.put_back(prev);
        } else if (!m.is_idle_task(prev)) {
            change_real_time_count(queue, -1);
        }
        queue.real_time.forget_turn_end();
        if (m.shape().cpus > 1) [[unlikely]] {
            push_task_if_asked(m, cpu);
            if (queue.real_time.empty() && !queue.has_waiting_tasks()) idle_balance(m, cpu);
        }
        if (!queue.real_time.empty()) {
            decision.next = queue.real_time.first();
            queue.real_time.dequeue(decision.next);
            ++decision.considered;
            if (log != nullptr)
                log->candidates.push_back(
                    candidate(decision.next, m.rt_priority[decision.next], true, CandidateRemark::real_time));
        } else if (queue.has_waiting_tasks()) {
            decision.next = next != kNoTask ? next : kernel().pick(queue, decision, log);
            __builtin_prefetch(&m.task[decision.next], 1);
            kernel().make_current(queue, decision.next);
        }
        m.set_running_task(decision.next, cpu);
        return decision;
    }

    bool keeps_running_task_queued() const final { return false; }

    std::int64_t candidate_key(const Machine& m, TaskId p) const final {
        return is_real_time(m.sched_class[p]) ? m.rt_priority[p] : Kernel::fair_key(m, p);
    }
    // The main value is the vruntime relative to min_vruntime, because an absolute vruntime has no meaning.
    SchedulingKey scheduling_key(const Machine& m, TaskId p) const final {
        if (is_real_time(m.sched_class[p]))
            return {"rt_priority", fmt::format("{}", m.rt_priority[p]), -m.rt_priority[p]};
        const std::int64_t ahead =
            wrapping_difference(m.of_task<typename Kernel::Task>(p).vruntime,
                                m.of_cpu<typename Kernel::Queue>(task_cpu(m, p)).min_vruntime);
        return {"vruntime", fmt::format("{}{}", ahead < 0 ? "-" : "+", milliseconds(std::abs(ahead))), ahead};
    }
    std::string scheduling_values(const Machine& m, TaskId p) const final {
        if (is_real_time(m.sched_class[p])) return fmt::format("rt_priority {}", m.rt_priority[p]);
        return Kernel::fair_scheduling_values(m, p);
    }

    std::string find_violation(const Machine& m) const final {
        for (CpuId c = 0; c < m.shape().cpus; ++c)
            if (std::string broken = find_queue_violation(m, c); !broken.empty()) return broken;
        return {};
    }

    // Default implementations of functions that only a few kernels define themselves.
    template <class QueueState>
    static void init_queue_state(QueueState&) {}
    static void after_insert(const Queue<Kernel>&, TaskId) {}
    static void before_remove(const Queue<Kernel>&, TaskId) {}
    static void make_current(const Queue<Kernel>& queue, TaskId p) { queue.make_current(p); }
    static TaskId pick_before_put_back(const Queue<Kernel>&, Decision&, DecisionLog*) { return kNoTask; }
    static void update_wakeup_average(const Queue<Kernel>&, const WakeUp&) {}
    // The value that orders the fair tasks: Candidate::key.
    static std::int64_t fair_key(const Machine& m, TaskId p) {
        return m.of_task<typename Kernel::Task>(p).vruntime;
    }
    static std::string find_sum_violation(const Machine&, CpuId) { return {}; }
    static std::string fair_scheduling_values(const Machine& m, TaskId p) {
        return fmt::format("vruntime {} ns", m.of_task<typename Kernel::Task>(p).vruntime);
    }

  protected:
    const Kernel& kernel() const { return static_cast<const Kernel&>(*this); }

  private:
    // --- several CPUs ---

    static void change_real_time_count(const Queue<Kernel>& queue, std::int32_t change) {
        if (queue.m.shape().cpus > 1) [[unlikely]]
            queue.q.real_time_running += static_cast<std::uint32_t>(change);
    }

    // Chooses the run queue that p joins when it wakes or starts. Models select_task_rq() and set_task_cpu().
    void choose_cpu(Machine& m, TaskId p, const WakeUp& wake_up) const {
        const CpuId from = task_cpu(m, p), to = cpu_to_wake_on(m, p, wake_up);
        set_task_cpu(m, p, to);
        if (is_real_time(m.sched_class[p]) || from == to) return;
        if (is_linux_6_6()) forget_cpu_loss(m, p);
        const Queue<Kernel> source(m, from), target(m, to);
        if (wake_up.by == WakeUp::Waker::fork)
            kernel().on_fork_migration(source, target, p);
        else if (wake_up.by == WakeUp::Waker::start)
            kernel().init_task_state(target, p);
        else
            kernel().on_wake_migration(source, target, p);
    }

    static const auto& cpu_state(const Machine& m, CpuId c) { return m.of_cpu<typename Kernel::Queue>(c); }
    BalanceState& balance_of(Machine& m, CpuId c) const final {
        return m.of_cpu<typename Kernel::Queue>(c).balance;
    }
    std::uint64_t load_of(const Machine& m, CpuId c) const final {
        return cpu_state(m, c).load +
               std::uint64_t{cpu_state(m, c).real_time_running} * Kernel::kRealTimeLoad;
    }
    std::uint32_t nr_running(const Machine& m, CpuId c) const final {
        return cpu_state(m, c).running + cpu_state(m, c).real_time_running;
    }
    std::uint32_t nr_fair(const Machine& m, CpuId c) const final { return cpu_state(m, c).running; }
    std::uint32_t load_weight(const Machine& m, TaskId p) const final {
        return is_real_time(m.sched_class[p]) ? Kernel::kRealTimeLoad : Kernel::weight(m, p).w;
    }

    // Models pull_task() and check_preempt_curr() of the kernel.
    void migrate(Machine& m, TaskId p, Move& move) const final {
        const Queue<Kernel> source(m, move.from), target(m, move.to);
        const TaskId current = m.cpu(move.to).current;
        const bool is_idle = m.is_idle_task(current);
        if (is_real_time(m.sched_class[p])) {
            source.real_time.dequeue(p);
            change_real_time_count(source, -1);
            target.real_time.enqueue(p);
            change_real_time_count(target, 1);
            const bool is_better = m.rt_priority[p] > m.rt_priority[current];
            if (is_idle || target.q.current != kNoTask || is_better) move.asks |= bit(move.to);
            return;
        }
        if (kernel().detach_for_migration(source, target, p)) move.asks |= bit(move.from);
        if (kernel().charge_current(target)) move.asks |= bit(move.to);
        kernel().add_to_queue(target, p);
        if ((move.asks & bit(move.to)) == 0 && (is_idle || kernel().check_preempt(target, p)))
            move.asks |= bit(move.to);
    }

    static bool is_excluded_from_balancing(const Machine& m, TaskId p) {
        return Kernel::kBalanceRules.pulls_real_time && is_real_time(m.sched_class[p]);
    }

    // The waiting tasks in the order in which balancing examines them. load_balance_start_rt() walks each
    // real-time list from its tail.
    static std::vector<TaskId> balancing_candidates(const Machine& m, CpuId from) {
        std::vector<TaskId> waiting;
        // Index in `waiting` of the first task of the current list. All real-time tasks of one priority form
        // a list; each fair task is a list of its own.
        std::size_t list = 0;
        const auto end_list = [&] {
            std::reverse(waiting.begin() + static_cast<std::ptrdiff_t>(list), waiting.end());
            list = waiting.size();
        };
        for (TaskId p = m.next_run[from]; p != from; p = m.next_run[p]) {
            if (is_excluded_from_balancing(m, p)) continue;
            const bool goes_on = list < waiting.size() && is_real_time(m.sched_class[p]) &&
                                 m.rt_priority[p] == m.rt_priority[waiting.back()];
            if (!goes_on) end_list();
            if (!goes_on && waiting.size() >= Kernel::kMostLookedAt) break;
            waiting.push_back(p);
        }
        end_list();
        if (waiting.size() > Kernel::kMostLookedAt) waiting.resize(Kernel::kMostLookedAt);
        return waiting;
    }

    // Whether a task of this weight exceeds the load still to be moved. In Linux 6.6 (detach_tasks()), the
    // weight is halved for each previous attempt that moved nothing.
    static bool is_too_heavy(std::uint32_t weight, const Move& move) {
        if (Kernel::kShrinksLoads)
            return !move.counts_tasks && (weight >> std::min(move.failed, 31U)) > move.amount;
        const std::int64_t half = weight / 2;
        return half > Kernel::kLoadFuzz && half - Kernel::kLoadFuzz > move.amount;
    }

    // balance_tasks(): moves waiting tasks in order. Skips a task that is too heavy for the load that is
    // still to be moved.
    void move_tasks(Machine& m, Move& move) const final {
        const auto prio = [&](TaskId p) {
            if (m.is_idle_task(p)) return 140;
            return is_real_time(m.sched_class[p]) ? 99 - m.rt_priority[p] : 120 + nice_of(m.priority[p]);
        };
        std::int32_t best_here = prio(m.cpu(move.to).current);
        // In 2.6.32 and 6.6, the kernel also examines the running task, which cannot be moved. If its
        // affinity permits the target CPU, `pinned` (affinity forbids every examined move) becomes false. In
        // 2.6.32, the running task must also be light enough to be moved, otherwise `pinned` stays true.
        if (const TaskId running = cpu_state(m, move.from).current;
            Kernel::kBalanceRules.pulls_real_time && running != kNoTask && m.may_run(running, move.to) &&
            (Kernel::kShrinksLoads || !is_too_heavy(load_weight(m, running), move)))
            move.pinned = false;
        for (const TaskId p : balancing_candidates(m, move.from)) {
            if (move.moved == move.most || move.amount <= 0) return;
            const bool is_better = Kernel::kBetterGoes && prio(p) < best_here;
            if (Kernel::kShrinksLoads && m.may_run(p, move.to)) move.pinned = false;  // examined first
            if (!is_better && is_too_heavy(load_weight(m, p), move)) continue;
            if (try_to_move(m, move, p)) best_here = std::min(best_here, prio(p));
        }
    }

    // --- one CPU ---

    // put_prev_entity(): inserts the running task, which is still runnable, into the tree.
    void put_back(const Queue<Kernel>& queue, Decision& decision, DecisionLog* log) const {
        const TaskId prev = queue.q.current;
        kernel().charge_current(queue);
        queue.q.current = kNoTask;
        const std::uint32_t steps = queue.insert(prev);
        decision.queue_steps += steps;
        if (log != nullptr) log->insertions.push_back({prev, steps});
    }

    static std::string find_queue_violation(const Machine& m, CpuId c) {
        const std::string broken = broken_tree_rule<Kernel>(m, c);
        return broken.empty() ? Kernel::find_sum_violation(m, c) : broken;
    }
};

}  // namespace sim::fair
