// Calls a policy event by event, without the engine; for recorded decisions and the command `step`.
//
// Makes the same policy calls as the engine at the same events, but without time, costs and programs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/decision.h"
#include "sim/core/machine.h"
#include "sim/core/policy.h"

namespace sim {

// kOwnMm: the task gets a new address space, with an id of at least kFirstOwnMm. Ids that a file specifies
// are smaller than kFirstOwnMm.
inline constexpr MmId kOwnMm = 0xffff'ffff;
inline constexpr MmId kFirstOwnMm = 1'000'000;

struct DriverTask {
    std::string name;
    std::int32_t priority = 20;
    std::int32_t counter = -1;  // initial counter; negative: the policy's value for new tasks
    SchedClass sched_class = SchedClass::other;
    std::int32_t rt_priority = 0;
    MmId mm = kOwnMm;                                    // kKernelMm: the task is a kernel thread
    bool sleeping = false;                               // false: the task is woken when it is added
    WakeUp::Sleep sleep = WakeUp::Sleep::interruptible;  // the kind of sleep if `sleeping`
    // Changes the state that the policy stores for the task, before the task is woken; may be empty.
    std::function<void(Machine&, TaskId)> set_policy_state = {};
};

class PolicyDriver {
  public:
    // `most_tasks` includes forked tasks. REQUIRES: the policy outlives the driver.
    PolicyDriver(const Policy& policy, std::uint32_t most_tasks, std::uint32_t hz = 100);

    const Machine& machine() const { return m_; }
    // The machine, for setting up its initial state. REQUIRES: no event has happened.
    Machine& mutable_machine() { return m_; }
    TaskId current() const { return m_.cpu(0).current; }
    // The name of a task; "idle" for the idle task.
    const std::string& name(TaskId p) const { return names_[p]; }
    const std::vector<std::string>& names() const { return names_; }
    // The task with this name; kNoTask if there is none.
    TaskId find(const std::string& name) const;
    bool is_full() const { return m_.globals().nr_tasks == m_.shape().tasks; }

    // Adds a task. REQUIRES: !is_full(), and the name is not in use.
    void add(const DriverTask& task);

    // Puts p on the CPU as if schedule() had chosen it. REQUIRES: p is runnable.
    void put_on_cpu(TaskId p);

    // Advances the clock without an event, for policies that read the clock.
    void advance_clock(Nanos time) { m_.globals().now += time; }

    // If the slice of the running task is over, calls Policy::slice_end(), and calls schedule() if the policy
    // requests it. Returns true if schedule() was called.
    bool end_slice_if_over();

    // The following functions are the events. Each returns true if schedule() was called; then log()
    // describes the decision. Throws PolicyError if a policy script fails.
    bool schedule();
    bool tick();
    bool yield();  // REQUIRES for yield(), block(), fork() and exit(): a task is running
    bool block(WakeUp::Sleep sleep = WakeUp::Sleep::interruptible);
    // The child shares its parent's address space or gets its own. REQUIRES: as for add().
    bool fork(const std::string& child, bool shares_mm = true);
    bool exit();
    // Wakes p if p sleeps. `by`: whether the running task or an interrupt causes the wake-up.
    bool wake(TaskId p, WakeUp::Waker by = WakeUp::Waker::task);
    // Sets the priority of p to `priority` (20 - nice).
    bool set_priority(TaskId p, std::int32_t priority);

    const DecisionLog& log() const { return log_; }

    // The run queue from head to tail, as "name:counter ...". A running task that the policy does not keep
    // queued comes first.
    std::string queue_text() const;
    // All tasks that queue_text() omits, ordered by TaskId, in the same form.
    std::string off_queue_text() const;

  private:
    void begin_slice();
    void reschedule_if_slice_is_over();
    bool schedule_if_needed();
    void make_runnable(TaskId p, WakeUp::Waker by);
    void notify_job_parameters(TaskId p);
    void throw_if_policy_failed() const;

    const Policy& policy_;
    Machine m_;
    std::vector<std::string> names_;
    std::vector<WakeUp::Sleep> sleeps_;  // by TaskId: kind of the task's latest sleep
    DecisionLog log_;
};

}  // namespace sim
