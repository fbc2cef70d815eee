// Drives a policy by hand, without a clock: one event after the other, as recorded decisions and `step` need
// it.
//
// The calls are those that the engine makes at the same events; what is missing is time, costs and programs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/decision.h"
#include "sim/core/machine.h"
#include "sim/core/policy.h"

namespace sim {

// An address space that nobody else has; one that is named is below kFirstOwnMm.
inline constexpr MmId kOwnMm = 0xffff'ffff;
inline constexpr MmId kFirstOwnMm = 1'000'000;

struct DriverTask {
    std::string name;
    std::int32_t priority = 20;
    std::int32_t counter = -1;  // below 0: what the policy gives a new task
    SchedClass sched_class = SchedClass::other;
    std::int32_t rt_priority = 0;
    MmId mm = kOwnMm;                                    // kKernelMm: a kernel thread
    bool sleeping = false;                               // otherwise it is woken when it is added
    WakeUp::Sleep sleep = WakeUp::Sleep::interruptible;  // what its sleep is
    // Changes what the policy keeps of it, before it is woken; may be empty.
    std::function<void(Machine&, TaskId)> keeps = {};
};

class Driver {
  public:
    // REQUIRES: the policy outlives the driver. There is room for so many tasks, forked ones included.
    Driver(const Policy& policy, std::uint32_t most_tasks, std::uint32_t hz = 100);

    const Machine& machine() const { return m_; }
    // For what a recording begins with. REQUIRES: no event has happened.
    Machine& initial_machine() { return m_; }
    TaskId current() const { return m_.cpu(0).current; }
    // "idle" for the idle task.
    const std::string& name(TaskId p) const { return names_[p]; }
    const std::vector<std::string>& names() const { return names_; }
    // kNoTask when there is no such task.
    TaskId find(const std::string& name) const;
    bool is_full() const { return m_.globals().nr_tasks == m_.shape().tasks; }

    // REQUIRES: !is_full(), the name is new.
    void add(const DriverTask& task);

    // p has the CPU from now on, as if schedule() had chosen it. REQUIRES: p is runnable.
    void run(TaskId p);

    // Time passes without an event, for the policies that look at the clock.
    void pass(Nanos time) { m_.globals().now += time; }

    // If the slice of the running task is over by now, it ends. Returns whether schedule() was called.
    bool end_slice();

    // The events. Each returns whether schedule() was called; log() then holds what it did. Throws
    // PolicyError when a policy that is a script has done what no scheduler may.
    bool schedule();
    bool tick();
    bool yield();  // REQUIRES for this and the next three: a task is running
    bool block(WakeUp::Sleep sleep = WakeUp::Sleep::interruptible);
    // The child shares its parent's address space or gets its own. REQUIRES: as for add().
    bool fork(const std::string& child, bool shares_mm = true);
    bool exit();
    // Ended by the running task, or by an interrupt. Does nothing unless p sleeps.
    bool wake(TaskId p, WakeUp::By by = WakeUp::By::task);
    // 20 - nice.
    bool set_priority(TaskId p, std::int32_t priority);

    const DecisionLog& log() const { return log_; }

    // The run queue from head to tail as "name:counter ...", with the running task where the policy keeps it,
    // and all other tasks, in order of creation, in the same form.
    std::string queue() const;
    std::string off_queue() const;

  private:
    void begin_slice();
    void ask_about_slice();
    bool schedule_if_needed();
    void make_runnable(TaskId p, WakeUp::By by);
    void tell_facts(TaskId p);
    void check() const;

    const Policy& policy_;
    Machine m_;
    std::vector<std::string> names_;
    std::vector<WakeUp::Sleep> sleeps_;  // by TaskId: what it sleeps in
    DecisionLog log_;
};

}  // namespace sim
