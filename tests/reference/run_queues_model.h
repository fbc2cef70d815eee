// A simple model of Linux 2.6.20, 2.6.24, 2.6.32 and 6.6 on several CPUs with a run queue each: CPU selection
// at wake-up, fork and exec, and load balancing. Written from docs/reference/run_queues.md for readability:
// all sums are recomputed, and each function follows a paragraph of that page. The models of one CPU do the
// rest.
//
// Independent of the library code; lockstep tests compare the two.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "tests/reference/fair_model.h"
#include "tests/reference/linux_2_6_20_model.h"

namespace reference_queues {

class RunQueuesModel {
  public:
    static constexpr int kIdle = -1;

    enum class Kernel { linux_2_6_20, linux_2_6_24, linux_2_6_32, linux_6_6 };
    enum class Class { other, fifo, rr, batch, idle };  // idle: not in 2.6.20
    enum class Sleep { interruptible, uninterruptible, pipe };

    struct Shape {
        int cpus = 1;
        int siblings = 1;  // CPUs per core
        int cores = 64;    // cores per socket
        int hz = 1000;     // ticks per second; must be 1000 for the fair kernels
    };
    struct Spec {
        int id = 0;  // not negative
        int nice = 0;
        Class cls = Class::other;
        int rt_priority = 0;
        int turn = 100;  // ticks; class rr, except in 2.6.20
        bool kernel_thread = false;
        long long sleep_avg = 0;             // ns; 2.6.20
        unsigned long long allowed = ~0ULL;  // mask of CPUs
    };
    // Numbers of migrations, by reason.
    struct Counts {
        long long at_tick = 0, when_idle = 0, pushed = 0, woken = 0, exec = 0, forked = 0;
        // Parts of the numbers above: migrations of real-time tasks. `real_time_moved`: at_tick, when_idle,
        // pushed and exec; `real_time_placed`: woken and forked.
        long long real_time_moved = 0, real_time_placed = 0;
        // Parts of at_tick and when_idle in 6.6: migrations of counted tasks, migrations by load, and
        // migrations by load that only the number of failures permits.
        long long counted = 0, by_load = 0, after_shift = 0;
        // 2.6.32, 6.6: examinations in which affinity permits only the running task.
        long long only_running = 0;
        // 6.6: pushes that changed a number of failures to 0.
        long long resets = 0;
        // Counts of successful searches for the busiest CPU, by the load to move. 2.6.24, 2.6.32: it was
        // raised to the load per task because of the tolerance f; it stayed smaller; it is 0.
        long long tolerated = 0, kept = 0, kept_zero = 0;
        // 6.6: searches whose busiest group has a load per CPU below the mean.
        long long below_mean = 0;
        // 6.6: searches that found a busiest group of several CPUs, by the type of that group.
        long long wide_spare = 0, wide_full = 0, wide_overloaded = 0;
    };

    // `group_sched`: only for 6.6.
    RunQueuesModel(Kernel kernel, const Shape& shape, bool group_sched = false);

    void pass_time(long long ns);

    // Starts a task now. CPUs reschedule at the end of the next event or of settle().
    void begin(const Spec& spec);
    void settle();

    // Events. tick() is an event of all CPUs. An event with a parameter `cpu` is caused by the running task
    // of that CPU; the other events concern any task.
    void tick();
    void yield(int cpu);
    void block(int cpu, Sleep from = Sleep::interruptible);
    void exit(int cpu);
    void fork(int cpu, int child, bool thread);
    void exec(int cpu);
    // Wakes a task. The waker is the task that runs on CPU `here`, or an interrupt on that CPU. No effect
    // if the task is awake.
    void wake(int id, int here, bool in_interrupt);
    void set_nice(int id, int nice);

    int cpus() const { return shape_.cpus; }
    int current(int cpu) const { return at(cpus_, cpu).current; }
    int cpu_of(int id) const { return known_.at(id).cpu; }  // CPU on whose queue it is or last was
    bool asleep(int id) const;
    const Counts& counts() const { return counts_; }

    const reference2620::Linux2620Model& o1(int cpu) const { return at(o1_, cpu); }
    const reference_fair::FairModel& fair(int cpu) const { return at(fair_, cpu); }

  private:
    static constexpr int kNone = -1;  // no CPU

    using Group = std::vector<int>;  // CPUs in increasing order
    // A scheduling domain of one CPU.
    struct Domain {
        std::vector<Group> groups;  // the CPU's own group first
        bool smt = false;
        int imbalance_pct = 0;
        int nice_tries = 0;
        int min_interval = 0, max_interval = 0;  // ms
        int interval = 0;                        // ms
        long long looked_at = 0;                 // tick of the last balancing
        int failures = 0;
    };
    struct Cpu {
        std::vector<Domain> domains;  // smallest first
        int current = kIdle;          // running task; during schedule(): prev
        int push_to = kNone;          // CPU to which this CPU was asked to push a task
        int exec_to = kNone;          // target CPU of the running task after exec
    };
    struct Known {
        int cpu = 0;
        unsigned long long allowed = 0;
        bool has_run = false;
        long long ran = 0;  // time at which it last left a CPU
    };
    struct Busiest {
        const Group* group = nullptr;  // nullptr: balanced
        long long amount = 0;          // load, or number of tasks
        bool counts_tasks = false;     // `amount` is a number of tasks; only in 6.6
        enum class By {
            plain,
            tolerance,
            kept,
            below_mean
        } by = By::plain;  // the reason for `amount`, for Counts
    };
    // 6.6: types of groups, in increasing order.
    enum class Type { spare, full, overloaded };
    // A group of a domain. Excluded CPUs contribute only to `cpus`.
    struct Sums {
        const Group* group = nullptr;
        long long load = 0;
        long long tasks = 0;
        long long fair_tasks = 0;
        long long idle = 0;  // CPUs
        long long cpus() const { return static_cast<long long>(group->size()); }
        long long load_per_cpu() const { return load / cpus(); }
        Type type() const {
            return tasks < cpus() ? Type::spare : tasks == cpus() ? Type::full : Type::overloaded;
        }
    };
    struct Moved {
        int tasks = 0;
        bool all_pinned = false;  // no task was allowed to move
    };
    using Excluded = std::vector<bool>;  // by CPU; true: the search ignores the CPU

    template <class T>
    static T& at(std::vector<T>& all, int cpu) {
        return all.at(static_cast<std::size_t>(cpu));
    }
    template <class T>
    static const T& at(const std::vector<T>& all, int cpu) {
        return all.at(static_cast<std::size_t>(cpu));
    }

    bool is_o1() const { return kernel_ == Kernel::linux_2_6_20; }
    bool is_2_6_24() const { return kernel_ == Kernel::linux_2_6_24; }
    bool is_2_6_32() const { return kernel_ == Kernel::linux_2_6_32; }
    bool is_6_6() const { return kernel_ == Kernel::linux_6_6; }
    bool balancing_spares_real_time() const { return is_2_6_32() || is_6_6(); }

    // CPUs, cores, sockets
    int core_of(int cpu) const { return cpu / shape_.siblings; }
    int socket_of(int cpu) const { return core_of(cpu) / shape_.cores; }
    std::vector<int> all_cpus() const;
    void add_domain(int cpu, const std::vector<int>& span, const std::vector<int>& group_of, bool smt);
    static int size(const Domain& domain);
    static bool has(const Domain& domain, int cpu);
    const Domain* smallest_with(int cpu, int other) const;
    Domain* smallest_with(int cpu, int other);
    std::vector<int> core(int cpu) const;

    // Load
    long long load(int cpu) const;
    int nr(int cpu) const;
    int nr_fair(int cpu) const;  // not in 2.6.20
    bool is_idle(int cpu) const { return current(cpu) == kIdle && nr(cpu) == 0; }
    long long weight(int id) const;
    int prio(int id) const;
    int prio_here(int cpu) const;
    bool is_real_time(int id) const { return prio(id) < 100; }
    long long nominal() const { return is_o1() ? 128 : 1024; }
    bool may_run(int id, int cpu) const { return (known_.at(id).allowed >> cpu & 1) != 0; }

    // CPU selection
    int cpu_to_wake_on(int id, int here) const;
    int wake_2_6(int id, int here) const;
    int wake_2_6_32(int id, int here) const;
    int wake_6_6(int id, int here) const;
    int idle_sibling_6_6(int id, int target) const;
    int real_time_cpu(int id, int rt_priority, int here) const;
    int importance(int cpu) const;
    bool may_run_on_one_only(int id) const;
    int idlest_cpu(int cpu, int id) const;
    int idlest_in(const Domain& domain, int id) const;

    // Balancing
    void rebalance(int cpu);
    bool looks_for_its_group(int cpu, const Domain& domain) const;
    bool is_core_idle(int cpu) const;
    int load_balance(int cpu, Domain& domain);
    void back_off(Domain& domain, bool all_pinned) const;
    bool idle_balance(int cpu);
    bool pull_real_time(int cpu);
    int load_balance_newidle(int cpu, Domain& domain);
    std::vector<Sums> sums_of_groups(const Domain& domain, const Excluded& excluded) const;
    Busiest find_busiest_group(int cpu, const Domain& domain, const Excluded& excluded) const;
    Busiest find_busiest_2_6(const Domain& domain, const Excluded& excluded) const;
    Busiest find_busiest_6_6(int cpu, const Domain& domain, const Excluded& excluded) const;
    static bool is_busier_6_6(const Sums& candidate, const Sums& busiest, bool cores);
    int find_busiest_cpu(const Busiest& busiest, const Excluded& excluded) const;
    void count_search(const Busiest& busiest);
    bool is_hot(int id, const Domain& domain) const;
    bool can_migrate(int id, int from, int to, const Domain& domain, Moved& moved) const;
    Moved move_tasks(int from, int to, const Busiest& busiest, const Domain& domain, long long& count);
    Moved move_tasks_o1(int from, int to, long long amount, const Domain& domain, long long& count);
    Moved move_tasks_fair(int from, int to, const Busiest& busiest, const Domain& domain, long long& count);
    std::vector<int> candidates(int cpu) const;
    void migrate(int id, int to, long long& count);
    void place(int id, int to, long long& count);
    void push(int cpu);

    bool needs_resched(int cpu) const;
    void set_need_resched(int cpu);
    void schedule(int cpu);

    Kernel kernel_;
    Shape shape_;
    long long now_ = 0;
    long long ticks_ = 0;
    std::vector<Cpu> cpus_;
    std::vector<reference2620::Linux2620Model> o1_;  // one per CPU; either o1_ or fair_ is used
    std::vector<reference_fair::FairModel> fair_;
    std::map<int, Known> known_;  // by task id
    Counts counts_;
};

}  // namespace reference_queues
