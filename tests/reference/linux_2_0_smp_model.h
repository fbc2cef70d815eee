// The scheduler of Linux 2.0 on several CPUs, written to be read and not to be fast: the run queue is a
// std::list, the task list a std::map, and every function does what the kernel function of its comment does,
// in the same order. When a CPU calls schedule() is not its affair: a kernel's idle CPUs do so all the time,
// and the test tells it.
//
// The model shares no code with the library. Tests run both in lock step, so that a mistake would have to be
// made twice, and independently, to go unnoticed.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <vector>

namespace reference20smp {

using TaskId = int;  // the idle task of CPU c is c
inline constexpr int kNoProc = -1;

enum class SchedClass { other, fifo, rr };
enum class State { running, sleeping, zombie };

struct Task {
    int counter = 20;
    int priority = 20;
    SchedClass policy = SchedClass::other;
    int rt_priority = 0;
    State state = State::sleeping;
    int processor = kNoProc;                    // where it runs
    int last_processor = kNoProc;               // where it ran last
    std::uint64_t allowed = ~std::uint64_t{0};  // not in 2.0: CPUs that may run it
};

struct Decision {
    TaskId chosen = 0;
    int considered = 0;  // calls of goodness()
    int recalcs = 0;
    int recalculated = 0;
};

class Linux20SmpModel {
  public:
    // `one_tick`: sched_yield() takes one tick and not all of them.
    Linux20SmpModel(int cpus, bool one_tick);

    void add_task(TaskId id, Task task);  // asleep
    void tick(int cpu);
    void yield(int cpu);
    void block(int cpu);
    void exit(int cpu);
    void fork(int cpu, TaskId child);  // asleep, too
    void wake(TaskId id);
    Decision schedule(int cpu);

    TaskId current(int cpu) const { return current_[static_cast<std::size_t>(cpu)]; }
    Task& task(TaskId id) { return tasks_.at(id); }
    const std::map<TaskId, Task>& tasks() const { return tasks_; }
    const std::list<TaskId>& queue() const { return queue_; }

  private:
    bool is_idle(TaskId id) const { return id < static_cast<int>(current_.size()); }
    int goodness(TaskId id, TaskId prev, int this_cpu) const;

    bool one_tick_;
    std::vector<TaskId> current_;
    std::map<TaskId, Task> tasks_;  // for_each_task(): all but the idle tasks
    std::list<TaskId> queue_;
};

}  // namespace reference20smp
