// A run queue for each CPU: where a task that wakes or begins is put, and when a CPU takes tasks over from
// another. docs/run_queues.md has the rules, their sources, and what in them is simplified.
//
// The rules are written once, for all kernels that have them; a kernel differs by the numbers and words of
// BalanceRules, and a policy says what its own queues have. With one CPU nothing of this is ever asked.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "sim/core/policy.h"

namespace sim {

// What a kernel's balancing is made of, in one kind of domain: struct sched_domain.
struct DomainRules {
    std::uint32_t min_interval, max_interval;  // ms between two looks of an idle CPU
    bool intervals_per_cpu;                    // these are for each CPU of the domain
    std::uint32_t busy_factor;                 // how much longer a busy CPU waits
    std::uint32_t imbalance_pct;               // a load that is to move is greater by this: 125 is a quarter
    std::uint32_t cache_nice_tries;            // attempts that spare those that have just run
};

// And in all of them.
struct BalanceRules {
    enum class Placement : std::uint8_t { linux_2_6_20, linux_2_6_32, linux_6_6 };

    DomainRules smt, others;
    Nanos hot;                    // a task that ran so lately is left where its cache is
    std::uint32_t nominal;        // the load of one task, where there is none to ask
    std::uint32_t idle_per_task;  // the same, of an idle CPU when a task wakes
    bool leaves_one;              // a CPU is not left without a task, which need not be the running one
    bool real_time_is_hot;        // such tasks, too, are left where their cache is
    bool pulls_real_time;         // balancing leaves real-time tasks to a rule of their own
    bool fork_balances;           // a child begins on the idlest CPU, and not on its parent's
    Placement placement;          // of tasks that wake
};

// SD_SIBLING_INIT, and SD_MC_INIT and SD_CPU_INIT, of 2.6.20 to 2.6.32.
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

// What is kept of it for each CPU.
struct Balance {
    struct InDomain {
        std::uint64_t looked_at;  // the tick
        std::uint32_t interval;   // ms
        std::uint32_t failed;     // attempts, one after the other, that moved nothing
    };
    InDomain domain[3];  // SMT, MC, CPU
    CpuId push_to;       // who has asked this CPU to push a task there, or kNoCpu
    TaskId push;         // this one and no other; or kNoTask
    // What has not been told yet (Policy::balanced()).
    std::uint32_t looks, moves, pushes;
    TaskId moved;
    std::uint64_t reschedule;
};

// The CPUs around one, in groups of so many that follow one another.
struct Domain {
    std::uint32_t level;  // 0 SMT, 1 MC, 2 CPU
    CpuId first, end, group;

    std::uint32_t cpus() const { return end - first; }
    bool has(CpuId c) const { return first <= c && c < end; }
};

class PerCpuPolicy : public Policy {
  public:
    explicit PerCpuPolicy(const BalanceRules& rules) : rules_(rules) {}

    bool has_queue_per_cpu() const final { return true; }
    std::uint64_t rebalance(Machine& m, CpuId c) const final;
    bool exec(Machine& m, TaskId p) const final;
    Balancing balanced(Machine& m, CpuId c) const final;

  protected:
    static constexpr std::uint64_t bit(CpuId c) { return std::uint64_t{1} << c; }
    // Of these CPUs, a bit for each, the first that is so, or kNoCpu.
    template <class IsSo>
    static CpuId first_of(std::uint64_t cpus, IsSo is_so) {
        for (; cpus != 0; cpus &= cpus - 1)
            if (const auto c = static_cast<CpuId>(std::countr_zero(cpus)); is_so(c)) return c;
        return kNoCpu;
    }

    // A move of tasks from one run queue to another.
    struct Move {
        CpuId from = kNoCpu, to = kNoCpu;
        std::int64_t amount = 0;  // of load, that is left
        std::uint32_t most = 0;   // tasks
        bool even_hot = false;
        std::uint64_t asks = 0;  // the CPUs that are to reschedule for it, a bit for each
        std::uint32_t moved = 0;
        TaskId last = kNoTask;  // of those
        bool pinned = true;     // the affinities of all that were looked at forbid it
    };

    // For begin().
    void begin_balance(Machine& m, CpuId c) const;

    static CpuId task_cpu(const Machine& m, TaskId p) { return m.task[p].mark; }
    static void set_task_cpu(Machine& m, TaskId p, CpuId c) { m.task[p].mark = static_cast<std::uint8_t>(c); }
    // The CPU of a task that another policy has looked after until now, whose run queue it joins.
    static CpuId cpu_of_adopted(const Machine& m, TaskId p);

    // Where p, which wakes, is put. REQUIRES: several CPUs.
    CpuId cpu_to_wake_on(Machine& m, TaskId p, const WakeUp& how) const;

    // schedule() on this CPU: p has lost it, and its cache is warm for a while.
    static void keeps_warm(Machine& m, TaskId p) {
        m.sequence[p] = static_cast<std::uint64_t>(m.globals().now.count());
    }
    // schedule() on this CPU, once prev has been put back: does what the migration thread was asked for.
    void push_if_asked(Machine& m, CpuId c) const;
    // schedule() on this CPU, which has nobody to run.
    void idle_balance(Machine& m, CpuId c) const;

    // Moves p if it may be moved. Returns whether it was.
    bool try_to_move(Machine& m, Move& move, TaskId p) const;

  private:
    struct Imbalance {
        CpuId busiest;  // or kNoCpu
        std::uint64_t amount;
    };
    struct Group {
        CpuId first = 0, end = 0;
        std::uint64_t load = 0, running = 0;

        // REQUIRES: somebody runs there.
        std::uint64_t per_task() const { return load / running; }
    };
    struct Groups {
        Group own, busiest;
        std::uint64_t mean = 0;  // load of a group
    };

    // What the policy says of a CPU's queue.
    virtual Balance& balance_of(Machine& m, CpuId c) const = 0;
    virtual std::uint64_t load_of(const Machine& m, CpuId c) const = 0;
    virtual std::uint32_t nr_running(const Machine& m, CpuId c) const = 0;
    // Of these CPUs, a bit for each, the first that has no task of the class that this policy balances; or
    // kNoCpu.
    virtual CpuId first_without_fair(const Machine& m, std::uint64_t cpus) const {
        return first_of(cpus, [&](CpuId c) { return nr_running(m, c) == 0; });
    }
    virtual std::uint32_t load_weight(const Machine& m, TaskId p) const = 0;

    // Calls try_to_move() for the tasks of move.from, in its order, until there is enough.
    virtual void move_tasks(Machine& m, Move& move) const = 0;
    // p, which waits, goes from one queue to the other. Adds to move.asks the CPU whose task has to give way;
    // if it has been asked to before, that is not looked at again.
    virtual void migrate(Machine& m, TaskId p, Move& move) const = 0;

    bool is_idle(const Machine& m, CpuId c) const {
        return m.is_idle_task(m.cpu(c).current) && nr_running(m, c) == 0;
    }
    const DomainRules& rules_of(const Domain& d) const { return d.level == 0 ? rules_.smt : rules_.others; }
    std::uint32_t min_interval(const Domain& d) const;
    std::uint32_t max_interval(const Domain& d) const;

    CpuId wake_on_2_6_20(const Machine& m, TaskId p, CpuId here) const;
    CpuId wake_on_2_6_32(const Machine& m, TaskId p, CpuId here) const;
    CpuId wake_on_6_6(const Machine& m, TaskId p, CpuId here) const;
    CpuId lowest_cpu(const Machine& m, TaskId p, CpuId prev, CpuId here) const;
    CpuId idlest_cpu(const Machine& m, TaskId p, CpuId here) const;

    // `cpus`: those that are looked at, a bit for each.
    Imbalance find_busiest(Machine& m, CpuId here, const Domain& d, std::uint64_t cpus) const;
    Groups groups_of(const Machine& m, CpuId here, const Domain& d, std::uint64_t cpus) const;
    std::optional<std::uint64_t> amount_to_move(const Groups& groups) const;
    CpuId busiest_cpu(const Machine& m, const Group& group, std::uint64_t amount, std::uint64_t cpus) const;
    Move pull(Machine& m, CpuId here, const Domain& d, const Imbalance& from, std::uint64_t asked) const;

    bool is_first_of_group(const Machine& m, CpuId c, const Domain& d) const;
    void wait_longer(Balance::InDomain& own, const Domain& d, bool pinned) const;
    bool load_balance(Machine& m, CpuId here, const Domain& d, std::uint64_t& asked) const;
    bool pull_real_time(Machine& m, CpuId here) const;

    BalanceRules rules_;
};

}  // namespace sim
