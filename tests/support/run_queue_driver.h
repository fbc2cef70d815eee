// Drives a policy with per-CPU run queues by hand, without a clock; counterpart of sim/check/policy_driver.h.
//
// The driver makes the calls that the engine makes at the same events, without time, costs and programs.
// After each event the CPUs that need rescheduling call schedule(), lowest number first, until none is left.
#pragma once

#include <bit>
#include <cassert>
#include <functional>
#include <vector>

#include "sim/core/policy.h"

namespace sim {

class RunQueueDriver {
  public:
    struct Spec {
        int id = 0;  // id chosen by the caller; unlike a row it is never reused
        std::int32_t priority = 20;
        SchedClass sched_class = SchedClass::other;
        std::int32_t rt_priority = 0;
        bool kernel_thread = false;
        std::uint64_t allowed = ~std::uint64_t{0};
        // Changes the policy's state of the task before its first wake-up; may be empty.
        std::function<void(Machine&, TaskId)> set_policy_state = {};
    };
    // Totals of the load-balancing work that the policy reported.
    struct Totals {
        std::uint64_t looks = 0, moves = 0, pushes = 0;
    };

    // REQUIRES: the policy outlives the driver. `shape.tasks` includes forked tasks.
    RunQueueDriver(const Policy& policy, const MachineShape& shape)
        : policy_(policy),
          m_(with_policy_state_size(policy, shape)),
          ids_(shape.cpus + shape.tasks, -1),
          sleeps_(shape.cpus + shape.tasks, WakeUp::Sleep::interruptible) {
        m_.globals().next_mm = kFirstMm;
        policy_.initialize_cpu_state(m_);
    }

    const Machine& machine() const { return m_; }
    TaskId current(CpuId c) const { return m_.cpu(c).current; }
    bool is_idle(CpuId c) const { return m_.is_idle_task(current(c)); }
    bool is_full() const { return m_.globals().nr_tasks == m_.shape().tasks; }
    int id_of(TaskId p) const { return m_.is_idle_task(p) ? -1 : ids_[p]; }
    // REQUIRES: a task with this id exists.
    TaskId row_of(int id) const {
        for (TaskId p = m_.first_task(); p < m_.globals().high_row; ++p)
            if (m_.is_live(p) && ids_[p] == id) return p;
        assert(false);
        return kNoTask;
    }
    const Totals& totals() const { return totals_; }

    // Advances the time without an event.
    void pass(Nanos time) { m_.globals().now += time; }

    // Starts a task. settle() or the next event calls schedule(). REQUIRES: !is_full().
    void begin(const Spec& spec) {
        const TaskId p = make(spec.id);
        m_.priority[p] = spec.priority;
        m_.sched_class[p] = spec.sched_class;
        m_.rt_priority[p] = spec.rt_priority;
        m_.task[p].mm = spec.kernel_thread ? kKernelMm : m_.globals().next_mm++;
        if (m_.shape().cpus > 1) m_.cpus_allowed[p] = spec.allowed;
        policy_.start(m_, p);
        if (spec.set_policy_state) spec.set_policy_state(m_, p);
        make_runnable(p, WakeUp::Waker::start, 0);
    }
    void settle() {
        for (CpuId c = 0; c < m_.shape().cpus;) {
            if (!m_.cpu(c).need_resched) {
                ++c;
                continue;
            }
            schedule(c);
            c = 0;
        }
    }

    void tick() {
        ++m_.globals().ticks;
        for (CpuId c = 0; c < m_.shape().cpus; ++c) {
            if (!is_idle(c) && policy_.tick(m_, current(c))) m_.cpu(c).need_resched = true;
            ask(policy_.rebalance(m_, c));
        }
        settle();
    }

    // REQUIRES for yield(), block() and exit(): a task is running on that CPU.
    void yield(CpuId c) {
        if (policy_.yield(m_, current(c))) m_.cpu(c).need_resched = true;
        settle();
    }
    void block(CpuId c, WakeUp::Sleep sleep) {
        sleeps_[current(c)] = sleep;
        m_.task[current(c)].state = TaskState::interruptible;
        --m_.globals().nr_running;
        schedule(c);
        settle();
    }
    void exit(CpuId c) {
        const TaskId p = current(c);
        policy_.exit(m_, p);
        m_.task[p].state = TaskState::exited;
        --m_.globals().nr_running;
        schedule(c);
        policy_.reap(m_, p);
        m_.free_task(p);
        settle();
    }
    // Forks a child. A thread shares its parent's address space. REQUIRES: !is_full().
    void fork(CpuId c, int child, bool thread) {
        const TaskId parent = current(c);
        const TaskId p = make(child);
        m_.priority[p] = m_.priority[parent];
        m_.sched_class[p] = m_.sched_class[parent];
        m_.rt_priority[p] = m_.rt_priority[parent];
        m_.task[p].mm = thread ? m_.task[parent].mm : m_.globals().next_mm++;
        if (m_.shape().cpus > 1) m_.cpus_allowed[p] = m_.cpus_allowed[parent];
        policy_.fork(m_, parent, p);
        make_runnable(p, WakeUp::Waker::fork, c);
        settle();
    }
    void exec(CpuId c) {
        if (policy_.exec(m_, current(c))) m_.cpu(c).need_resched = true;
        settle();
    }

    // Wakes p from CPU `here`, by the task that runs there or by an interrupt. No effect unless p sleeps.
    void wake(TaskId p, WakeUp::Waker by, CpuId here) {
        if (m_.task[p].state == TaskState::interruptible) make_runnable(p, by, here);
        settle();
    }
    // `priority`: 20 - nice.
    void set_priority(TaskId p, std::int32_t priority) {
        ask(policy_.renice(m_, p, priority));
        settle();
    }

  private:
    static constexpr MmId kFirstMm = 1'000'000;

    TaskId make(int id) {
        assert(!is_full());
        const TaskId p = m_.allocate_task();
        ids_[p] = id;
        return p;
    }

    void ask(std::uint64_t cpus) {
        for (; cpus != 0; cpus &= cpus - 1)
            m_.cpu(static_cast<CpuId>(std::countr_zero(cpus))).need_resched = true;
    }

    void make_runnable(TaskId p, WakeUp::Waker by, CpuId here) {
        m_.task[p].state = TaskState::runnable;
        ++m_.globals().nr_running;
        ask(policy_.wake(m_, p, {.by = by, .from = sleeps_[p], .here = here}).reschedule);
    }

    void schedule(CpuId c) {
        Cpu& cpu = m_.cpu(c);
        const TaskId prev = cpu.current;
        cpu.need_resched = false;
        const Decision decision = policy_.pick_next(m_, c, prev, nullptr);
        cpu.current = decision.next;
        ++m_.globals().decisions;
        if (decision.next != prev) ++m_.globals().switches;
        const Policy::BalanceWork did = policy_.take_balance_work(m_, c);
        totals_.looks += did.looks;
        totals_.moves += did.moves;
        totals_.pushes += did.pushes;
        ask(did.reschedule);
    }

    const Policy& policy_;
    Machine m_;
    std::vector<int> ids_;               // by TaskId
    std::vector<WakeUp::Sleep> sleeps_;  // by TaskId: kind of the task's current sleep
    Totals totals_;
};

}  // namespace sim
