// A simple model of the Linux 2.0 scheduler on one CPU, written for readability: each function does what the
// cited kernel function does, in the same order. The caller reports events (a tick, a wake-up, a system call
// of the running task). Then it checks need_resched() to see whether the kernel would call schedule() on its
// return to user mode.
//
// Independent of the library code; lockstep tests compare the two.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace reference {

using TaskId = int;

// The idle task: the sentinel of the run queue. It is never a candidate and not in the task list.
inline constexpr TaskId kIdle = -1;
// Initial counter of the idle task, set by sys_idle(), so low that every wake-up preempts it.
inline constexpr int kIdleCounter = -100;

enum class SchedClass { other, fifo, rr };

// Variants of sched_yield(): `original` is 2.0.30 and later, `move_last_only` the early 2.0 source.
// `one_tick` is the proposed change, which forfeits one tick instead of the whole slice.
enum class YieldVariant { original, one_tick, move_last_only };

enum class State { running, sleeping, zombie };

struct Task {
    int counter = 20;   // remaining ticks of the slice
    int priority = 20;  // ticks added by a recalculation
    SchedClass policy = SchedClass::other;
    int rt_priority = 0;  // 1 to 99 for fifo and rr, else 0
    State state = State::sleeping;
};

// Scheduling parameters that a forked task does not inherit from its parent.
struct ExplicitParameters {
    std::optional<int> priority;
    std::optional<SchedClass> policy;
    int rt_priority = 0;  // used only with `policy`
};

// Result and work of one schedule().
struct Decision {
    TaskId chosen = kIdle;
    int considered = 0;      // calls of goodness()
    int recalculations = 0;  // 1 if all counters were recalculated
    int recalculated = 0;    // tasks visited by the recalculation
};

class Linux20Model {
  public:
    Linux20Model(YieldVariant variant, bool rt_wake_preempts)
        : variant_(variant), rt_wake_preempts_(rt_wake_preempts) {}

    // Adds a task to the task list. A runnable one is woken, which puts it at the tail of the run queue.
    // REQUIRES: no task with this id is in the task list.
    void add_task(TaskId id, Task task, bool runnable);

    // Makes a runnable task current without schedule().
    void run(TaskId id) {
        current_ = id;
        need_resched_ = false;
    }

    // update_process_times(), once per timer interrupt.
    void tick();
    // sys_sched_yield() of the running task. REQUIRES: the CPU is not idle.
    void yield();
    // Sets the state of the running task to interruptible; the following schedule() dequeues it. REQUIRES:
    // the CPU is not idle.
    void block();
    // do_exit(): the running task becomes a zombie. It stays in the task list until the end of the
    // following schedule(). REQUIRES: the CPU is not idle.
    void exit();
    // do_fork() of the running task: the child is a copy with half of the counter, and is woken. REQUIRES:
    // the CPU is not idle; no task with the id of the child is in the task list.
    void fork(TaskId child, const ExplicitParameters& parameters = {});
    // wake_up_process(). No effect on a task that is already on the run queue.
    void wake(TaskId id);
    // sys_setpriority() or sys_nice(): the new priority has an effect only at the next recalculation.
    void set_priority(TaskId id, int priority);

    Decision schedule();

    bool need_resched() const { return need_resched_; }
    // True if the running task is no longer runnable and must call schedule().
    bool current_stopped() const;
    TaskId current() const { return current_; }
    bool exists(TaskId id) const { return tasks_.count(id) != 0; }
    const Task& task(TaskId id) const { return tasks_.at(id); }
    const std::map<TaskId, Task>& tasks() const { return tasks_; }
    // The run queue from head to tail, including the running task.
    const std::list<TaskId>& queue() const { return run_queue_; }

  private:
    int goodness(const Task& p, bool is_prev) const;
    int counter_of_current() const;
    bool on_run_queue(TaskId id) const;
    void add_to_runqueue(TaskId id);
    void del_from_runqueue(TaskId id);
    void move_last_runqueue(TaskId id);

    YieldVariant variant_;
    bool rt_wake_preempts_;
    bool need_resched_ = false;  // one flag for the whole machine, as in 2.0
    TaskId current_ = kIdle;
    std::map<TaskId, Task> tasks_;  // for_each_task(): all but the idle task
    std::list<TaskId> run_queue_;
};

}  // namespace reference
