// A simple model of the fair schedulers of Linux 2.6.24 and 2.6.32 (CFS) and 6.6 (EEVDF) on one CPU, written
// for readability: all sums are recomputed, and each function does what the cited kernel function does, in
// the same order. Versions differ where the code checks `kernel_`. 64-bit arithmetic, all tasks in the root
// group.
//
// Real-time tasks precede all others, in a list sorted by rt_priority. While one runs, no fair task is
// current. The load and the number of real-time tasks matter only to load balancing.
//
// The CPU is the only one of its machine, or one of several. With several, run_queues_model.h calls
// schedule() and migrates tasks.
//
// Independent of the library code; lockstep tests compare the two.
#pragma once

#include <map>
#include <vector>

namespace reference_fair {

__extension__ typedef __int128 Wide;

// The red-black tree that 6.6 searches, as in the textbook. Sides are an index: 0 left, 1 right. The shape of
// the tree decides which of several tasks with the same deadline runs.
class RedBlackTree {
  public:
    static constexpr int kNil = -1;

    void insert(int id, long long key);  // an equal key is inserted to the right
    void erase(int id);

    int root() const { return root_; }
    int child(int id, int side) const { return nodes_.at(id).child[side]; }
    std::vector<int> in_order() const;

  private:
    struct Node {
        long long key = 0;
        int child[2] = {kNil, kNil};
        int parent = kNil;
        bool red = false;
    };

    int side_of(int id) const { return nodes_.at(nodes_.at(id).parent).child[1] == id ? 1 : 0; }
    void rotate(int id, int side);
    void transplant(int old, int fresh);
    void visit(int id, std::vector<int>& out) const;

    int root_ = kNil;
    std::map<int, Node> nodes_ = {{kNil, Node{}}};  // by task id; includes the black sentinel
};

class FairModel {
  public:
    static constexpr int kIdle = -1;

    enum class Kernel { linux_2_6_24, linux_2_6_32, linux_6_6 };

    struct Spec {
        enum class Class { other, batch, idle, fifo, rr };

        int id = 0;
        int nice = 0;
        Class cls = Class::other;
        int rt_priority = 0;  // fifo and rr: 1 to 99, 99 is best
        int turn = 100;       // rr: remaining ticks
        bool sleeping = false;
        long long v = 0;    // 2.6.x: initial vruntime, relative to `base`
        long long lag = 0;  // 6.6: lag at the start of the task's sleep
    };
    using Class = Spec::Class;

    // `base`: min_vruntime before the first task. `compat_yield`: only for 2.6.x. `group_sched`: only for
    // 6.6.
    FairModel(Kernel kernel, bool compat_yield, bool group_sched, long long base)
        : kernel_(kernel), compat_yield_(compat_yield), group_sched_(group_sched), base_(base), minv_(base) {}
    // Creates the model of one of several CPUs. Its events set need_resched() but do not call schedule().
    FairModel(Kernel kernel, bool group_sched, long long base, int cpus)
        : FairModel(kernel, false, group_sched, base) {
        cpus_ = cpus;
        several_ = true;
    }

    void add(const Spec& spec);  // adds a task without a parent
    void pass_time(long long dt_ns) { now_ += dt_ns; }

    // Each event happens at the current time and returns whether schedule() ran. yield, block, exit and fork
    // are calls of the running task; wake is called by the running or the idle task, irq by an interrupt.
    bool start();
    bool tick();
    bool yield();
    bool block();
    bool exit();
    bool wake(int id) { return try_to_wake_up(id, false); }
    bool irq(int id) { return try_to_wake_up(id, true); }
    bool fork(int child);
    bool set_nice(int id, int nice);

    // For several CPUs: schedule() consists of put_prev() and choose(), and tasks may migrate in between.
    // An exited task is reaped after choose().
    bool need_resched() const { return need_resched_; }
    void set_need_resched() { need_resched_ = true; }
    void put_prev(bool wholly);
    void choose();
    void reap(int id) { tasks_.erase(id); }
    // The two steps of fork(), and the two steps of wake(). Between them a task may migrate to another CPU.
    void make_child(int child);
    void wake_up_new_task(int child);
    void activate(int id);
    void has_woken();
    void contest(int id);
    // Moves a task that is on no queue to another CPU (set_task_cpu()), or a waiting task (pull_task()).
    void move_sleeper(int id, FairModel& to);
    void move_waiting(int id, FairModel& to);
    // load_of_all() and nr_of_all() include all runnable tasks, also the running one (struct rq). load()
    // and nr_running() include only fair tasks (struct cfs_rq).
    long long load_of_all() const;
    int nr_of_all() const;
    long long load() const;
    long long nr_running() const;
    long long weight(int id) const { return weight(task(id)); }
    bool is_real_time(int id) const { return is_real_time(task(id)); }
    int rt_priority(int id) const { return task(id).rt_priority; }
    Class cls(int id) const { return task(id).cls; }

    int current() const { return real_time_current_ != kIdle ? real_time_current_ : current_; }
    std::vector<int> tree() const;                    // waiting fair tasks, in tree order
    std::vector<int> real_time_waiting() const;       // best first; ties: in list order
    int turn(int id) const { return task(id).turn; }  // rr: remaining ticks
    long long min_vruntime() const { return minv_; }
    long long avg_vruntime() const;  // 6.6
    long long vruntime(int id) const { return task(id).v; }
    long long deadline(int id) const { return task(id).deadline; }
    long long lag(int id) const { return task(id).lag; }
    // 6.6: the task is running and still has the deadline with which it was picked.
    bool has_picked_deadline(int id) const {
        return id == current_ && task(id).picked_deadline == task(id).deadline;
    }
    bool alive(int id) const { return tasks_.count(id) != 0; }
    bool asleep(int id) const { return !task(id).on_rq; }
    int nice(int id) const { return task(id).nice; }
    // 2.6.32: last_wakeup, start_runtime, sum_exec_runtime and avg_wakeup.
    std::vector<long long> habits(int id) const {
        const Task& t = task(id);
        return {t.last_wakeup, t.start_runtime, t.total, t.avg_wakeup};
    }

  private:
    struct Task {
        int nice = 0;
        Class cls = Class::other;
        int rt_priority = 0;
        int turn = 0;
        bool on_rq = false;  // running or waiting
        long long v = 0;
        long long exec_start = 0;  // time up to which it has been charged
        long long ran = 0;         // time on the CPU since it was picked
        // Only 2.6.32:
        long long total = 0;          // sum_exec_runtime
        long long last_wakeup = 0;    // `total` when it last woke another task
        long long start_runtime = 0;  // `total` when it was last woken
        long long avg_wakeup = 0;
        // Only 6.6:
        long long deadline = 0;
        long long lag = 0;
        long long picked_deadline = 0;  // deadline with which it was picked
    };

    Task& task(int id) { return tasks_.at(id); }
    const Task& task(int id) const { return tasks_.at(id); }
    bool is_2_6_24() const { return kernel_ == Kernel::linux_2_6_24; }
    bool is_2_6_32() const { return kernel_ == Kernel::linux_2_6_32; }
    bool is_6_6() const { return kernel_ == Kernel::linux_6_6; }

    static bool is_real_time(const Task& t) { return t.cls == Class::fifo || t.cls == Class::rr; }

    long long weight(const Task& t) const;
    unsigned long long inverse(const Task& t) const;
    long long factor() const;
    long long latency() const;
    long long wakeup_granularity() const;
    long long slice_6_6() const;
    long long scale(long long time, const Task& t) const;
    long long period(long long nr) const;
    long long slice_2_6_32(long long nr, const Task& t, long long total_load) const;

    void enqueue(int id);
    void dequeue(int id);
    void enqueue_real_time(int id);
    void dequeue_real_time(int id);
    void tick_real_time();
    void raise_min_vruntime();
    void account();
    void place_woken(int id);
    void place_6_6(int id);
    void save_lag(int id);
    void learn_wakeup(Task& t, long long x) { t.avg_wakeup += (x - t.avg_wakeup) >> 3; }
    long long debit(const Task& fresh) const;
    void drop_buddy(int id);
    int lead(int a, int b) const;
    bool eligible(int id) const;
    Wide weighted_sum() const;
    long long earliest_deadline(int node) const;
    int pick() const;
    int pick_eevdf() const;
    void take(int id);
    void schedule();
    bool after_event();
    bool reschedule();
    void attach(int id);
    bool try_to_wake_up(int id, bool in_interrupt);
    void leave_cpu();
    void set_nice_2_6(int id, int nice);
    void set_nice_6_6(int id, int nice);

    Kernel kernel_;
    bool compat_yield_;
    bool group_sched_;
    long long base_;
    long long minv_;
    int cpus_ = 1;
    bool several_ = false;
    long long now_ = 0;
    bool need_resched_ = false;
    int current_ = kIdle;  // the running fair task
    int real_time_current_ = kIdle;
    int buddy_ = kIdle;  // 2.6.32: the `last` buddy
    std::map<int, Task> tasks_;
    std::vector<int> waiting_;    // 2.6.x: the tree, as a sorted list
    RedBlackTree timeline_;       // 6.6: the tree
    std::vector<int> real_time_;  // runnable real-time tasks, including the running one
};

}  // namespace reference_fair
