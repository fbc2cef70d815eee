// A simple model of the O(1) scheduler of Linux 2.6.20 on one CPU, written for readability: priority arrays
// have no counters and bitmaps, and derived values are recomputed. Each function does what the cited kernel
// function does, in the same order.
//
// The CPU is the only one of its machine, at HZ = 1000, or one of several that share the task table. With
// several, run_queues_model.h calls schedule() and migrates tasks.
//
// Independent of the library code; lockstep tests compare the two.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace reference2620 {

struct Spec {
    enum class Class { other, fifo, rr, batch };
    // sleeping: interruptible; disk: uninterruptible; pipe: interruptible and marked non-interactive.
    enum class State { running, sleeping, disk, pipe };

    int id = 0;  // not negative
    int nice = 0;
    Class cls = Class::other;
    int rt_priority = 0;         // fifo and rr: 1 to 99, 99 is best
    long long sleep_avg = 0;     // ns
    int time_slice = -1;         // ticks; -1: the full slice of the nice value
    bool kernel_thread = false;  // has no mm
    State state = State::running;
};

struct Outcome {
    bool rescheduled = false;  // schedule() ran
    bool swapped = false;      // schedule() swapped the arrays
};

class Linux2620Model {
  public:
    static constexpr int kIdle = -1;
    static constexpr int kNone = -1;  // value of a parent: it is outside the model

    enum class SleepType { normal, noninteractive, interactive, interrupted };

    struct Task {
        Spec::Class cls = Spec::Class::other;
        Spec::State state = Spec::State::running;
        bool kernel_thread = false;
        int prio = 140;
        int static_prio = 140;
        int rt_priority = 0;
        int time_slice = 0;
        bool first_time_slice = false;
        long long sleep_avg = 0;
        long long timestamp = 0;
        SleepType sleep_type = SleepType::normal;
        int parent = kNone;
        int cpu = 0;  // CPU on whose queue it is or last was
    };
    using Tasks = std::map<int, Task>;

    Linux2620Model() : active_(140), expired_(140) {}
    // Creates the model of one of several CPUs. Its events set need_resched() but do not call schedule().
    Linux2620Model(int cpu, int cpus, int hz, std::shared_ptr<Tasks> tasks)
        : tasks_(std::move(tasks)),
          cpu_(cpu),
          cpus_(cpus),
          hz_(hz),
          several_(true),
          active_(140),
          expired_(140) {}

    // Setup: add the tasks in creation order at time 0, then call start().
    void add(const Spec& spec);
    void set_time(long long ns);  // sched_clock(); must not go backwards

    // Each event checks need_resched once, at its end.
    Outcome start();
    Outcome tick();  // one tick, at the current time
    Outcome yield();
    Outcome block() { return sleep(Spec::State::sleeping); }
    Outcome disk() { return sleep(Spec::State::disk); }
    Outcome pipe() { return sleep(Spec::State::pipe); }
    Outcome exit();                                             // reaped immediately
    Outcome wake(int id) { return try_to_wake_up(id, false); }  // no effect on a task that is awake
    Outcome irq(int id) { return try_to_wake_up(id, true); }
    Outcome fork(int child) { return copy_process(child, false); }
    Outcome clone(int child) { return copy_process(child, true); }
    Outcome set_nice(int id, int value);

    // For several CPUs: schedule() consists of put_prev() and choose(), and tasks may migrate in between.
    // An exited task is reaped after choose().
    bool need_resched() const { return need_resched_; }
    void set_need_resched() { need_resched_ = true; }
    void put_prev();
    bool choose();
    void reap(int id) { tasks_->erase(id); }
    void pull_task(int id, Linux2620Model& from);

    int current() const { return current_; }
    std::vector<int> active() const { return listing(active_); }
    std::vector<int> expired() const { return listing(expired_); }
    int nr_running() const { return static_cast<int>(active().size() + expired().size()); }
    long long now() const { return now_; }
    long long jiffies() const { return jiffies_; }
    std::optional<long long> expired_timestamp() const { return expired_timestamp_; }
    int best_expired_prio() const { return best_expired_prio_; }

    bool alive(int id) const { return tasks_->count(id) != 0; }
    bool asleep(int id) const { return task(id).state != Spec::State::running; }
    int prio(int id) const { return task(id).prio; }
    int nice(int id) const { return task(id).static_prio - 120; }
    int time_slice(int id) const { return task(id).time_slice; }
    bool first_time_slice(int id) const { return task(id).first_time_slice; }
    long long sleep_avg(int id) const { return task(id).sleep_avg; }
    SleepType sleep_type(int id) const { return task(id).sleep_type; }
    int parent(int id) const { return task(id).parent; }
    int bonus(int id) const { return current_bonus(task(id)); }
    bool interactive(int id) const { return task_interactive(task(id)); }
    const Task& task(int id) const { return tasks_->at(id); }
    const Tasks& tasks() const { return *tasks_; }

    // Values derived from the state of one task.
    int task_timeslice(const Task& p) const;
    int load_weight(const Task& p) const;
    int current_bonus(const Task& p) const;
    static int delta(const Task& p);
    static bool task_interactive(const Task& p);
    unsigned timeslice_granularity(const Task& p) const;
    long long interactive_sleep(const Task& p) const;  // ns
    int effective_prio(const Task& p) const;

  private:
    using Array = std::vector<std::vector<int>>;  // by priority, each list from head to tail

    // Times in ticks, and the length of a tick in ns.
    int def_timeslice() const { return 100 * hz_ / 1000; }
    int max_sleep_avg() const { return 10 * def_timeslice(); }
    long long tick_ns() const { return 1'000'000'000 / hz_; }

    Task& mutable_task(int id) { return tasks_->at(id); }
    static std::vector<int>& list_of(Array& array, int prio) {
        return array.at(static_cast<std::size_t>(prio));
    }
    static std::vector<int> listing(const Array& array);
    static bool holds(const Array& array, int id);
    Array* array_of(int id);
    void enqueue(int id, Array& array);
    void dequeue(int id);
    void requeue(int id);
    void change_prio(int id, int prio);

    void task_running_tick(int id);
    bool expired_starving(const Task& p) const;
    int recalc_task_prio(Task& p, long long ns);
    void check_preempt(int id);
    bool schedule();
    Outcome honour_need_resched();
    Outcome reschedule();
    Outcome sleep(Spec::State state);
    Outcome try_to_wake_up(int id, bool in_interrupt);
    Outcome copy_process(int child_id, bool shared_mm);

    std::shared_ptr<Tasks> tasks_ = std::make_shared<Tasks>();
    int cpu_ = 0;
    int cpus_ = 1;
    int hz_ = 1000;
    bool several_ = false;
    Array active_;
    Array expired_;
    int current_ = kIdle;
    long long run_time_ = 0;  // run time of the task that put_prev() has put back
    bool need_resched_ = false;
    long long now_ = 0;
    long long jiffies_ = 0;
    std::optional<long long> expired_timestamp_;
    int best_expired_prio_ = 140;
};

}  // namespace reference2620
