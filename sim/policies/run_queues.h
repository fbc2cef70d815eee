// A run queue per CPU: placement of tasks that wake or start, and load balancing.
// docs/reference/run_queues.md has the rules, their sources and the simplifications. With one CPU, tasks are
// neither placed nor balanced.
//
// The differences between kernels are in BalanceRules; each policy implements its own queues.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "sim/core/policy.h"

namespace sim {

// Load balancing parameters for one kind of domain, from struct sched_domain of the kernel.
struct DomainRules {
    std::uint32_t min_interval, max_interval;  // ms between balancing attempts of an idle CPU
    bool intervals_per_cpu;                    // intervals are multiplied by the domain's number of CPUs
    std::uint32_t busy_factor;                 // the intervals of a busy CPU are this many times as long
    // Minimum load ratio at which tasks are moved, in percent; 125: 25% more load.
    std::uint32_t imbalance_pct;
    std::uint32_t cache_nice_tries;  // cache-hot tasks move only after more failed attempts than this
};

// Parameters common to all domains.
struct BalanceRules {
    enum class PlacementRule : std::uint8_t { linux_2_6_20, linux_2_6_32, linux_6_6 };
    enum class BusiestRule : std::uint8_t { linux_2_6_20, linux_2_6_24, linux_2_6_32, linux_6_6 };

    DomainRules smt, others;
    Nanos hot;                    // a task that lost its CPU less than this time ago is cache-hot
    std::uint32_t nominal;        // load per task that balancing assumes for CPUs without tasks
    std::uint32_t idle_per_task;  // load per task that a wake-up assumes for a CPU without tasks
    bool leaves_one;              // balancing does not take the last task, running or not, from a CPU
    bool real_time_is_hot;        // real-time tasks can be cache-hot, too
    bool pulls_real_time;         // real-time tasks are not balanced but pulled (pull_real_time_task())
    bool fork_balances;           // a child starts on the idlest CPU instead of on the CPU of its parent
    PlacementRule placement;      // rule that chooses the CPU of a task that wakes
    BusiestRule busiest;          // rule that finds the busiest CPU and the amount to move
};

// The values of Linux 2.6.20 to 2.6.32: SD_SIBLING_INIT in kSmtOf26, SD_MC_INIT and SD_CPU_INIT in
// kOthersOf26.
inline constexpr DomainRules kSmtOf26{.min_interval = 1,
                                      .max_interval = 2,
                                      .intervals_per_cpu = false,
                                      .busy_factor = 64,
                                      .imbalance_pct = 110,
                                      .cache_nice_tries = 0};
inline constexpr DomainRules kOthersOf26{.min_interval = 1,
                                         .max_interval = 4,
                                         .intervals_per_cpu = false,
                                         .busy_factor = 64,
                                         .imbalance_pct = 125,
                                         .cache_nice_tries = 1};

// Balancing state of a CPU.
struct BalanceState {
    struct DomainBalance {
        std::uint64_t looked_at;  // tick of the last balancing attempt
        std::uint32_t interval;   // time between balancing attempts, in ms
        std::uint32_t failed;     // number of consecutive attempts that moved no task
    };
    DomainBalance domain[3];  // by Domain::level
    CpuId push_to;            // the CPU to which this CPU must push a task, or kNoCpu
    TaskId push;              // the task to push; kNoTask: any task
    // Numbers of loads read, tasks moved and pushes, as in Policy::BalanceWork, since the last call of
    // Policy::take_balance_work().
    std::uint32_t looks, moves, pushes;
    TaskId moved;
    std::uint64_t reschedule;
};

// A set of consecutive CPUs, divided into groups of `group` CPUs.
struct Domain {
    std::uint32_t level;  // 0: the hardware threads of a core, 1: the cores of a socket, 2: all CPUs
    CpuId first, end, group;

    std::uint32_t cpu_count() const { return end - first; }
    bool contains(CpuId c) const { return first <= c && c < end; }
};

// The CPU on whose run queue p is, or was last (task_cpu()). REQUIRES: the policy has a queue per CPU.
inline CpuId task_cpu(const Machine& m, TaskId p) { return m.task[p].policy_byte; }

class PerCpuPolicy : public Policy {
  public:
    explicit PerCpuPolicy(const BalanceRules& rules) : rules_(rules) {}

    bool has_queue_per_cpu() const final { return true; }
    std::uint64_t rebalance(Machine& m, CpuId c) const final;
    bool exec(Machine& m, TaskId p) const final;
    BalanceWork take_balance_work(Machine& m, CpuId c) const final;

  protected:
    static constexpr std::uint64_t bit(CpuId c) { return std::uint64_t{1} << c; }
    // The first CPU of the bit mask `cpus` for which condition(cpu) holds; kNoCpu: none.
    template <class Condition>
    static CpuId first_cpu_where(std::uint64_t cpus, Condition condition) {
        for (; cpus != 0; cpus &= cpus - 1)
            if (const auto c = static_cast<CpuId>(std::countr_zero(cpus)); condition(c)) return c;
        return kNoCpu;
    }

    // A move of tasks from one run queue to another.
    struct Move {
        CpuId from = kNoCpu, to = kNoCpu;
        std::int64_t amount = 0;    // load still to move, or number of tasks still to move
        bool counts_tasks = false;  // `amount` is a number of tasks
        std::uint32_t most = 0;     // maximum number of tasks to move, even if `amount` is not reached
        std::uint32_t failed = 0;   // number of previous attempts that moved no task
        bool even_hot = false;      // cache-hot tasks are moved, too
        std::uint64_t asks = 0;     // bit mask of the CPUs that must reschedule
        std::uint32_t moved = 0;
        TaskId last = kNoTask;  // the last task moved
        bool pinned = true;     // affinity has forbidden moving every task examined so far
    };

    bool is_linux_6_6() const { return rules_.busiest == BalanceRules::BusiestRule::linux_6_6; }
    void init_balance_state(Machine& m, CpuId c) const;

    static void set_task_cpu(Machine& m, TaskId p, CpuId c) {
        m.task[p].policy_byte = static_cast<std::uint8_t>(c);
    }
    // The CPU whose run queue p joins when this policy takes p over from another policy.
    static CpuId cpu_of_adopted_task(const Machine& m, TaskId p);

    // The CPU whose run queue p joins when it wakes or starts. REQUIRES: the machine has several CPUs.
    CpuId cpu_to_wake_on(Machine& m, TaskId p, const WakeUp& wake_up) const;

    // Records the time at which p lost its CPU, so that p counts as cache-hot for a while. Called by
    // schedule().
    static void record_cpu_loss(Machine& m, TaskId p) {
        m.sequence[p] = static_cast<std::uint64_t>(m.globals().now.count());
    }
    // Clears the time at which p lost its CPU, so that p does not count as cache-hot until it has run again.
    static void forget_cpu_loss(Machine& m, TaskId p) { m.sequence[p] = 0; }
    // If c must push a task to another CPU (BalanceState::push_to), does so like the migration thread. Called
    // by schedule(), after prev has been put back.
    void push_task_if_asked(Machine& m, CpuId c) const;
    // Pulls tasks to this CPU. Called by schedule() if the CPU has no task to run.
    void idle_balance(Machine& m, CpuId c) const;

    // Moves p if affinity and the balancing rules permit. Returns whether p was moved.
    bool try_to_move(Machine& m, Move& move, TaskId p) const;

  private:
    struct Imbalance {
        CpuId busiest = kNoCpu;  // kNoCpu: balanced
        std::uint64_t amount = 0;
        bool counts_tasks = false;
    };
    struct Group {
        CpuId first = 0, end = 0;
        std::uint64_t load = 0, running = 0;
        std::uint64_t fair = 0;  // number of fair tasks among the `running` tasks
        std::uint64_t idle = 0;  // number of idle CPUs

        std::uint64_t cpu_count() const { return end - first; }
        std::uint64_t load_per_cpu() const { return load / cpu_count(); }

        // REQUIRES: running > 0.
        std::uint64_t load_per_task() const { return load / running; }
    };
    struct GroupComparison {
        Group own, busiest;
        std::uint64_t mean = 0;  // mean load of a group
    };

    // Properties of a CPU's queue, provided by the policy.
    virtual BalanceState& balance_of(Machine& m, CpuId c) const = 0;
    virtual std::uint64_t load_of(const Machine& m, CpuId c) const = 0;
    virtual std::uint32_t nr_running(const Machine& m, CpuId c) const = 0;
    // Number of runnable fair tasks; number of all runnable tasks if the kernel has no fair class.
    virtual std::uint32_t nr_fair(const Machine& m, CpuId c) const { return nr_running(m, c); }
    // The first CPU of the bit mask `cpus` that has no runnable fair task (nr_fair()); kNoCpu: none.
    CpuId first_cpu_without_fair_task(const Machine& m, std::uint64_t cpus) const {
        return first_cpu_where(cpus, [&](CpuId c) { return nr_fair(m, c) == 0; });
    }
    virtual std::uint32_t load_weight(const Machine& m, TaskId p) const = 0;

    // Calls try_to_move() for tasks of move.from, in the kernel's order, until enough have moved.
    virtual void move_tasks(Machine& m, Move& move) const = 0;
    // Moves the waiting task p from the queue of move.from to that of move.to. Adds the CPUs that must
    // reschedule to move.asks. For CPUs already in move.asks, the preemption test may be omitted.
    virtual void migrate(Machine& m, TaskId p, Move& move) const = 0;

    bool is_idle(const Machine& m, CpuId c) const {
        return m.is_idle_task(m.cpu(c).current) && nr_running(m, c) == 0;
    }
    const DomainRules& rules_of(const Domain& d) const { return d.level == 0 ? rules_.smt : rules_.others; }
    std::uint32_t min_interval(const Domain& d) const;
    std::uint32_t max_interval(const Domain& d) const;

    CpuId cpu_to_wake_on_2_6_20(const Machine& m, TaskId p, CpuId here) const;
    CpuId cpu_to_wake_on_2_6_32(const Machine& m, TaskId p, CpuId here) const;
    CpuId cpu_to_wake_on_6_6(const Machine& m, TaskId p, CpuId here) const;
    CpuId lowest_priority_cpu(const Machine& m, TaskId p, CpuId prev, CpuId here) const;
    CpuId idlest_cpu(const Machine& m, TaskId p, CpuId here) const;

    // `cpus`: bit mask of the CPUs to examine.
    Imbalance find_imbalance(Machine& m, CpuId here, const Domain& d, std::uint64_t cpus) const;
    Imbalance find_imbalance_6_6(const Machine& m, CpuId here, const Domain& d, std::uint64_t cpus) const;
    static bool is_busier_6_6(const Group& a, const Group& b, CpuId siblings);
    static std::uint64_t tasks_to_move_6_6(const Domain& d, const Group& own, const Group& busiest,
                                           bool is_idle);
    CpuId cpu_with_most_tasks(const Machine& m, const Group& group, std::uint64_t cpus) const;
    Group group_sums(const Machine& m, CpuId first, CpuId end, std::uint64_t cpus) const;
    GroupComparison compare_groups(const Machine& m, CpuId here, const Domain& d, std::uint64_t cpus) const;
    std::optional<std::uint64_t> load_to_move(const GroupComparison& groups) const;
    CpuId busiest_cpu(const Machine& m, const Group& group, std::uint64_t amount, std::uint64_t cpus) const;
    Move pull_tasks(Machine& m, CpuId here, const Domain& d, const Imbalance& from,
                    std::uint64_t resched_cpus) const;

    bool is_core_idle(const Machine& m, CpuId c) const;
    bool is_first_of_group(const Machine& m, CpuId c, const Domain& d) const;
    void lengthen_interval(BalanceState::DomainBalance& own, const Domain& d, bool pinned) const;
    bool load_balance(Machine& m, CpuId here, const Domain& d, std::uint64_t& resched_cpus) const;
    bool pull_real_time_task(Machine& m, CpuId here) const;

    BalanceRules rules_;
};

}  // namespace sim
