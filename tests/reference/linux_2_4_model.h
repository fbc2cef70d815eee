// A simple model of the schedulers of Linux 2.2.1, 2.2.16, 2.4.0 and 2.4.22 on one or several CPUs, written
// for readability: each function does what the cited kernel function does, in the same order. Versions differ
// where the code checks `version_`.
//
// Independent of the library code; lockstep tests compare the two.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <vector>

namespace reference24 {

using TaskId = int;  // the idle task of CPU c has id c
using Mm = int;
inline constexpr Mm kNoMm = 0;  // kernel threads; in 2.2 this is init_mm

enum class Version { v2_2_1, v2_2_16, v2_4_0, v2_4_22 };
enum class SchedClass { other, fifo, rr };
enum class State { running, sleeping, zombie };

struct Task {
    int counter = 0;
    int nice = 0;  // priority of 2.2 is 20 - nice
    SchedClass policy = SchedClass::other;
    int rt_priority = 0;
    Mm mm = kNoMm;
    Mm active_mm = kNoMm;
    bool sched_yield = false;  // the SCHED_YIELD bit
    bool has_cpu = false;
    int processor = -1;  // CPU on which it last ran; -1: none yet
    State state = State::sleeping;
    TaskId parent = -1;  // -1: init, which is outside the model
    std::uint64_t cpus_allowed = ~std::uint64_t{0};
};

struct Decision {
    TaskId chosen = 0;
    int considered = 0;  // tasks on the queue that the search visited
    int recalculations = 0;
    int recalculated = 0;
};

class Linux24Model {
  public:
    Linux24Model(Version version, int cpus, bool lone_yield_schedules);

    void add_task(TaskId id, Task task);  // initially asleep
    // Makes a runnable task current on an idle CPU without schedule().
    void run(TaskId id, int cpu) {
        Task& p = task(id);
        p.has_cpu = true;
        p.processor = cpu;
        p.active_mm = p.mm;
        cpus_[static_cast<std::size_t>(cpu)] = {id, false};
    }

    // Slice of a new task, in ticks.
    int first_counter(int nice) const;

    void tick(int cpu);
    void yield(int cpu);
    void block(int cpu);
    void exit(int cpu);
    void fork(int cpu, TaskId child, Mm mm);
    // `cpu`: the CPU whose current task is compared with the woken task. On several CPUs the caller chooses
    // `cpu`.
    void wake(TaskId id, int cpu);
    void set_nice(TaskId id, int nice) { task(id).nice = nice; }
    void set_class(TaskId id, SchedClass policy, int rt_priority) {
        task(id).policy = policy;
        task(id).rt_priority = rt_priority;
    }
    void set_affinity(TaskId id, std::uint64_t cpus) { task(id).cpus_allowed = cpus; }
    // exec_mmap() of the running task: `mm` replaces both its own and its borrowed address space.
    void exec(int cpu, Mm mm) { task(current(cpu)).mm = task(current(cpu)).active_mm = mm; }
    Decision schedule(int cpu);

    bool need_resched(int cpu) const { return cpus_[static_cast<std::size_t>(cpu)].need_resched; }
    bool must_schedule(int cpu) const;
    TaskId current(int cpu) const { return cpus_[static_cast<std::size_t>(cpu)].current; }
    const std::list<TaskId>& queue() const { return queue_; }
    const std::map<TaskId, Task>& tasks() const { return tasks_; }
    bool is_idle(TaskId id) const { return id < static_cast<int>(cpus_.size()); }

  private:
    struct Cpu {
        TaskId current;
        bool need_resched;
    };

    Task& task(TaskId id) { return is_idle(id) ? idle_[static_cast<std::size_t>(id)] : tasks_.at(id); }
    const Task& task(TaskId id) const {
        return is_idle(id) ? idle_[static_cast<std::size_t>(id)] : tasks_.at(id);
    }
    bool smp() const { return cpus_.size() > 1; }
    bool may_use(TaskId id, int cpu) const { return (task(id).cpus_allowed >> cpu & 1) != 0; }
    bool is_2_2() const { return version_ == Version::v2_2_1 || version_ == Version::v2_2_16; }
    int goodness_2_2(Task& p, const Task& prev, int cpu);
    int goodness_2_4(const Task& p, int cpu, Mm this_mm) const;
    Decision schedule_2_2(int cpu, TaskId prev);
    Decision schedule_2_4(int cpu, TaskId prev);
    int recalculate();
    void add_to_runqueue(TaskId id);
    void move_last_runqueue(TaskId id);

    Version version_;
    bool lone_yield_schedules_;
    std::vector<Cpu> cpus_;
    std::vector<Task> idle_;
    std::map<TaskId, Task> tasks_;
    std::list<TaskId> queue_;
};

}  // namespace reference24
