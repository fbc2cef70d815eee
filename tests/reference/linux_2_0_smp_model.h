// A simple model of the Linux 2.0 scheduler on several CPUs, written for readability: each function does what
// the cited kernel function does, in the same order. The test decides when a CPU calls schedule(), because
// the kernel's idle CPUs call it all the time.
//
// Independent of the library code; lockstep tests compare the two.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <vector>

namespace reference20smp {

using TaskId = int;  // the idle task of CPU c has id c
inline constexpr int kNoProc = -1;

enum class SchedClass { other, fifo, rr };
enum class State { running, sleeping, zombie };

struct Task {
    int counter = 20;
    int priority = 20;
    SchedClass policy = SchedClass::other;
    int rt_priority = 0;
    State state = State::sleeping;
    int processor = kNoProc;                    // CPU on which it is running
    int last_processor = kNoProc;               // CPU on which it last ran
    std::uint64_t allowed = ~std::uint64_t{0};  // not in 2.0: mask of CPUs that may run it
};

struct Decision {
    TaskId chosen = 0;
    int considered = 0;  // calls of goodness()
    int recalculations = 0;
    int recalculated = 0;
};

class Linux20SmpModel {
  public:
    // `one_tick`: sched_yield() takes one tick instead of all.
    Linux20SmpModel(int cpus, bool one_tick);

    void add_task(TaskId id, Task task);  // initially asleep
    void tick(int cpu);
    void yield(int cpu);
    void block(int cpu);
    void exit(int cpu);
    void fork(int cpu, TaskId child);  // initially asleep
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
