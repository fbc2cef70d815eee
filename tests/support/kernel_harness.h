// Drives a policy without the engine and without simulated time: the test calls each scheduler entry point.
#pragma once

#include <string>
#include <vector>

#include "sim/core/policy.h"

namespace sim {

struct KernelHarness {
    struct Spec {
        std::int32_t counter = -1;  // negative: the policy sets it
        std::int32_t priority = 20;
        MmId mm = 1;
        SchedClass sched_class = SchedClass::other;
        std::int32_t rt_priority = 0;
    };

    explicit KernelHarness(const std::string& spec, std::uint32_t cpus = 1)
        : m({.cpus = cpus, .tasks = 32}), policy(make_policy(spec).policy) {}

    TaskId make() { return make(Spec{}); }

    // Creates a task and wakes it.
    TaskId make(const Spec& spec) {
        const TaskId p = m.allocate_task();
        m.priority[p] = spec.priority;
        m.sched_class[p] = spec.sched_class;
        m.rt_priority[p] = spec.rt_priority;
        m.task[p].mm = spec.mm;
        policy->start(m, p);
        if (spec.counter >= 0) m.counter[p] = spec.counter;
        wake(p);
        return p;
    }

    // Returns whether the woken task preempts the current task of `cpu`.
    bool wake(TaskId p, CpuId cpu = 0) {
        m.task[p].state = TaskState::runnable;
        ++m.globals().nr_running;
        steps = policy->enqueue(m, p);
        return policy->preempts(m, p, current(cpu));
    }

    // The current task forks a child with the same priority and address space; the child is woken.
    TaskId fork() {
        const TaskId child = m.allocate_task();
        m.priority[child] = m.priority[current()];
        m.task[child].mm = m.task[current()].mm;
        policy->fork(m, current(), child);
        wake(child);
        return child;
    }

    // Makes p the current task of `cpu` without a call of schedule().
    void run(TaskId p, CpuId cpu = 0) {
        m.task[current(cpu)].processor = Task::kNoProcessor;
        m.cpu(cpu).current = p;
        m.set_running_task(p, cpu);
    }

    // Makes p no longer runnable. The next step must be a call of schedule().
    void leave(TaskId p, TaskState state) {
        m.task[p].state = state;
        --m.globals().nr_running;
    }

    Decision schedule(CpuId cpu = 0, DecisionLog* log = nullptr) {
        const TaskId prev = current(cpu);
        if (log != nullptr) {
            log->clear();
            log->prev = prev;
        }
        const Decision decision = policy->pick_next(m, cpu, prev, log);
        m.cpu(cpu).current = decision.next;
        if (m.task[prev].state == TaskState::exited) {
            policy->reap(m, prev);
            m.free_task(prev);
        }
        return decision;
    }

    Decision block() { return stop(TaskState::waiting); }
    Decision exit() { return stop(TaskState::exited); }

    // Calls schedule() if yield() requests it. Returns the current task.
    TaskId yield() { return policy->yield(m, current()) ? schedule().next : current(); }
    // Delivers up to `most` ticks. If a tick requests it, calls schedule() and returns the number of that
    // tick; if no tick does, returns 0.
    int tick(int most = 1) {
        for (int i = 1; i <= most; ++i) {
            if (!policy->tick(m, current())) continue;
            schedule();
            return i;
        }
        return 0;
    }

    TaskId current(CpuId cpu = 0) const { return m.cpu(cpu).current; }
    std::vector<TaskId> queue() const {
        std::vector<TaskId> tasks;
        for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p]) tasks.push_back(p);
        return tasks;
    }

    Machine m;
    std::shared_ptr<const Policy> policy;
    std::uint32_t steps = 0;  // queue steps of the latest wake-up

  private:
    Decision stop(TaskState state) {
        leave(current(), state);
        return schedule();
    }
};

// A KernelHarness in which the test specifies the counter of each task. yield() and tick() return whether
// the policy requests schedule(), but do not call it.
struct StepwiseKernel : KernelHarness {
    using KernelHarness::KernelHarness;

    TaskId make(std::int32_t counter = 20, std::int32_t priority = 20,
                SchedClass sched_class = SchedClass::other, std::int32_t rt_priority = 0) {
        return KernelHarness::make({.counter = counter,
                                    .priority = priority,
                                    .sched_class = sched_class,
                                    .rt_priority = rt_priority});
    }

    void sleep(TaskId p) { leave(p, TaskState::waiting); }
    bool yield() { return policy->yield(m, current()); }
    bool tick() { return policy->tick(m, current()); }
};

}  // namespace sim
