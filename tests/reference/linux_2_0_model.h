// The Linux 2.0 scheduler on one CPU, written to be read and not to be fast: the run queue is a std::list,
// the task list a std::map, and every function does what the kernel function of its comment does, in the same
// order. Events drive it: the caller says what happens (a tick, a wake-up, a system call of the running task)
// and then asks need_resched() whether the kernel would enter schedule() on its way back to user mode.
//
// The model shares no code with the library. Tests run both in lock step, so that a mistake would have to be
// made twice, and independently, to go unnoticed.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace reference {

using TaskId = int;

// The idle task: the sentinel of the run queue and never a candidate. It is in no task list.
inline constexpr TaskId kIdle = -1;
// sys_idle() sets the counter of the idle task to this once, so that any wake-up beats it.
inline constexpr int kIdleCounter = -100;

enum class SchedClass { other, fifo, rr };

// What sched_yield() does: `original` is 2.0.30 and later, `move_last_only` the early 2.0 text, and
// `one_tick` the proposed change, which gives up one tick and not the whole slice.
enum class YieldVariant { original, one_tick, move_last_only };

enum class State { running, sleeping, zombie };

struct Task {
    int counter = 20;   // what is left of the slice, in ticks
    int priority = 20;  // the size of a refill, in ticks
    SchedClass policy = SchedClass::other;
    int rt_priority = 0;  // 1 to 99 for fifo and rr, else 0
    State state = State::sleeping;
};

// What a forked task does not inherit from its parent.
struct Stated {
    std::optional<int> priority;
    std::optional<SchedClass> policy;
    int rt_priority = 0;  // meaningful with a policy
};

// What one schedule() did.
struct Decision {
    TaskId chosen = kIdle;
    int considered = 0;    // calls of goodness()
    int recalcs = 0;       // 1 if every counter was refilled
    int recalculated = 0;  // tasks visited by the refill
};

class Linux20Model {
  public:
    Linux20Model(YieldVariant variant, bool rt_wake_preempts)
        : variant_(variant), rt_wake_preempts_(rt_wake_preempts) {}

    // Puts a task into the task list. A runnable one is woken as a new task is, at the tail of the run queue.
    // REQUIRES: no task with this id is in the task list.
    void add_task(TaskId id, Task task, bool runnable);

    // Puts a runnable task on the CPU by hand.
    void run(TaskId id) {
        current_ = id;
        need_resched_ = false;
    }

    // update_process_times(), once per timer interrupt.
    void tick();
    // sys_sched_yield() of the running task. REQUIRES: the CPU is not idle.
    void yield();
    // The running task sets its state to interruptible; the schedule() that it calls next takes it off the
    // run queue. REQUIRES: the CPU is not idle.
    void block();
    // do_exit(): the running task becomes a zombie, which is still in the task list during the schedule()
    // that follows and is gone after it. REQUIRES: the CPU is not idle.
    void exit();
    // do_fork() of the running task: the child is a copy of it, with half of its counter, and is woken.
    // REQUIRES: the CPU is not idle; no task with the id of the child is in the task list.
    void fork(TaskId child, const Stated& stated = {});
    // wake_up_process(). A task that already runs is left alone.
    void wake(TaskId id);
    // The effect of sys_setpriority() or sys_nice(): only the size of the next refill changes.
    void set_priority(TaskId id, int priority);

    Decision schedule();

    bool need_resched() const { return need_resched_; }
    // True if the running task has given up the CPU, so that it must call schedule() now.
    bool current_stopped() const;
    TaskId current() const { return current_; }
    bool exists(TaskId id) const { return tasks_.count(id) != 0; }
    const Task& task(TaskId id) const { return tasks_.at(id); }
    const std::map<TaskId, Task>& tasks() const { return tasks_; }
    // The run queue from head to tail, the running task in its place.
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
