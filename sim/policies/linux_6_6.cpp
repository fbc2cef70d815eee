// Linux 6.6, EEVDF. A task is eligible if it has had no more than its share. Among the eligible tasks, the
// task with the earliest virtual deadline, the end of its slice, runs.
//
// Source: kernel/sched/fair.c, core.c and features.h of Linux 6.6.0: avg_vruntime(), entity_eligible(),
// update_curr(), update_deadline(), place_entity(), __pick_eevdf(), pick_next_task_fair(), yield_task_fair(),
// check_preempt_wakeup(), reweight_entity(). Verified against recorded decisions in tests/decisions/. The
// scheduler features have the kernel's default values: PLACE_LAG, PLACE_DEADLINE_INITIAL, RUN_TO_PARITY and
// WAKEUP_PREEMPTION are set. If deadlines are equal, the shape of the tree determines the choice, as in the
// kernel. The algorithm: Stoica and Abdel-Wahab, "Earliest Eligible Virtual Deadline First", 1995.
//
// Good at: shares by weight with a bounded error; latency that depends on the slice. Bad at: sched_yield(),
// which moves the deadline of the caller one slice later; the caller continues if it is still the best task.
// In Linux 6.18, sched_yield() has an effect again (yield=forfeit): the vruntime of an eligible caller is
// first set to its deadline. The model of yield=forfeit follows what is known of yield_task_fair() of 6.18.
// No decisions of 6.18 are recorded, but the shares of a real kernel agree with the model
// (docs/reference/published_tables.md).
//
// group_sched=yes models a kernel with CONFIG_FAIR_GROUP_SCHED, as in distributions, and a single group that
// contains all tasks. schedule() then makes its choice while the running task is not yet back in the tree,
// and RUN_TO_PARITY lets this task run to its deadline. With group_sched=no, the running task is put back
// before the choice, so that RUN_TO_PARITY affects only wake-ups.
//
// Not modelled: several groups of tasks. Linux 6.6 has no latency-nice.
// docs/reference/run_queues.md describes the model of several CPUs.
#include <fmt/format.h>

#include <bit>
#include <limits>

#include "sim/policies/fair.h"
#include "sim/policies/linux_6_6_texts.h"
#include "sim/policies/policies.h"

namespace sim {
namespace {

using namespace fair;

// Returns a + b * c. Wraps like the kernel's arithmetic (-fno-strict-overflow) if weights and lags are very
// large.
std::int64_t multiply_add(std::int64_t a, std::int64_t b, std::int64_t c) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) +
                                     static_cast<std::uint64_t>(b) * static_cast<std::uint64_t>(c));
}

struct VruntimeOrder {
    using Task = TaskFields66;
    static bool before(const Task& a, const Task& b) { return a.vruntime < b.vruntime; }
    // The summary of a subtree is the earliest deadline of its tasks.
    static constexpr bool kSummaries = true;
    static constexpr std::int64_t kNoSummary = std::numeric_limits<std::int64_t>::max();
    static std::int64_t summary(const Task& t) { return std::min({t.deadline, t.left_least, t.right_least}); }
    static std::int64_t& subtree_summary(Task& t, bool left) { return left ? t.left_least : t.right_least; }
};

class Linux66 final : public FairPolicy<Linux66>, public EevdfReasons<Linux66> {
  public:
    using Task = TaskFields66;
    using Queue = RunQueueFields66;
    using Rules = VruntimeOrder;
    static constexpr bool kAccountsForRealTime = false, kCopiesSlice = false;
    static constexpr std::uint32_t kRealTimeLoad = 0;
    static constexpr std::int64_t kLoadFuzz = 0;
    static constexpr std::size_t kMostLookedAt = 32;
    static constexpr bool kShrinksLoads = true;
    static constexpr bool kBetterGoes = false;
    // The parameters of the domains are those of sd_init() of the kernel.
    static constexpr BalanceRules kBalanceRules = {.smt = {.min_interval = 1,
                                                           .max_interval = 2,
                                                           .intervals_per_cpu = true,
                                                           .busy_factor = 16,
                                                           .imbalance_pct = 110,
                                                           .cache_nice_tries = 0},
                                                   .others = {.min_interval = 1,
                                                              .max_interval = 2,
                                                              .intervals_per_cpu = true,
                                                              .busy_factor = 16,
                                                              .imbalance_pct = 117,
                                                              .cache_nice_tries = 1},
                                                   .hot = Nanos{500'000},
                                                   .nominal = kNice0Load,
                                                   .idle_per_task = kNice0Load,
                                                   .leaves_one = false,
                                                   .real_time_is_hot = false,
                                                   .pulls_real_time = true,
                                                   .fork_balances = true,
                                                   .placement = BalanceRules::PlacementRule::linux_6_6,
                                                   .busiest = BalanceRules::BusiestRule::linux_6_6};

    explicit Linux66(const PolicyOptions& options)
        : group_sched_(options.at("group_sched") == "yes"), forfeits_(options.at("yield") == "forfeit") {}

    static Weight weight(const Machine& m, TaskId p) {
        const TaskFields66& t = m.of_task<TaskFields66>(p);
        return {t.weight, t.inverse};
    }

    // after_insert() and before_remove() update the sums over the tasks in the tree, like avg_vruntime_add()
    // and avg_vruntime_sub() of the kernel.
    using Q = fair::Queue<Linux66>;
    static void after_insert(const Q& q, TaskId p) {
        q.q.sum = multiply_add(q.q.sum, weight_value(q, p), key(q, p));
        q.q.tree_load += weight_value(q, p);
    }
    static void before_remove(const Q& q, TaskId p) {
        q.q.sum = multiply_add(q.q.sum, -weight_value(q, p), key(q, p));
        q.q.tree_load -= weight_value(q, p);
    }

    static std::string fair_scheduling_values(const Machine& m, TaskId p) {
        const TaskFields66& t = m.of_task<TaskFields66>(p);
        if (m.task[p].state != TaskState::runnable) return fmt::format("lag {} ns", t.vlag);
        return fmt::format("vruntime {} ns, deadline {} ns", t.vruntime, t.deadline);
    }

    // V, the weighted average of the vruntimes of the runnable tasks, rounded down (avg_vruntime()).
    static std::int64_t virtual_now(const Q& q) {
        VruntimeAverage a = average(q);
        if (a.load == 0) return q.q.min_vruntime;
        if (a.sum < 0) a.sum -= a.load - 1;
        return q.q.min_vruntime + a.sum / a.load;
    }

  private:
    friend class FairPolicy<Linux66>;
    friend struct EevdfReasons<Linux66>;

    // The kernel's sysctl_sched_base_slice, in ns.
    static std::int64_t base_slice(const Machine& m) { return 750'000 * sysctl_factor(m); }

    static void init_task_state(const Q& q, TaskId p) {
        q.state_of(p) = {.vruntime = q.q.min_vruntime,
                         .deadline = 0,
                         .vlag = 0,
                         .weight = 0,
                         .inverse = 0,
                         .left_least = 0,
                         .right_least = 0,
                         .node = {}};
        set_weight(q, p);
    }

    // Models set_load_weight() of the kernel.
    static void set_weight(const Q& q, TaskId p) {
        const Weight own = weight_of(q.m, p, kIdleWeight);
        q.state_of(p).weight = own.w;
        q.state_of(p).inverse = static_cast<std::uint32_t>(own.inverse);
    }

    // --- virtual time ---

    // __calc_delta(): t * inverse / 2^22, with the inverse of `weight`. The result equals the kernel's,
    // because the kernel's shifts drop only zero bits. It is computed in two halves, because t * inverse
    // needs more than 64 bits.
    static std::int64_t virtual_time(std::int64_t t, const Weight& weight) {
        if (weight.w == kNice0Load) return t;
        const auto all = static_cast<std::uint64_t>(t);
        const std::uint64_t low = (all & 0xffff'ffff) * weight.inverse >> 22;
        return static_cast<std::int64_t>(low + ((all >> 32) * weight.inverse << 10));
    }

    static std::int64_t weight_value(const Q& q, TaskId p) { return weight(q.m, p).w; }
    static std::int64_t fair_key(const Machine& m, TaskId p) { return m.of_task<TaskFields66>(p).deadline; }
    static std::int64_t key(const Q& q, TaskId p) { return q.state_of(p).vruntime - q.q.min_vruntime; }

    struct VruntimeAverage {
        std::int64_t sum, load;
    };
    // Two sums over all runnable tasks: the sum of weight * (vruntime - min_vruntime), and the sum of
    // weights.
    static VruntimeAverage average(const Q& q) {
        VruntimeAverage a{q.q.sum, q.q.tree_load};
        if (const TaskId p = q.q.current; p != kNoTask) {
            a.sum = multiply_add(a.sum, weight_value(q, p), key(q, p));
            a.load += weight_value(q, p);
        }
        return a;
    }
    // Whether V, the average vruntime, is at least p's vruntime (entity_eligible()). Computed without a
    // division.
    static bool is_eligible(const Q& q, const VruntimeAverage& vruntime_average, TaskId p) {
        return vruntime_average.sum >= multiply_add(0, key(q, p), vruntime_average.load);
    }

    static void raise_min_vruntime(const Q& q) {
        const bool waiting = q.has_waiting_tasks();
        if (q.q.current == kNoTask && !waiting) return;
        std::int64_t least = waiting ? q.state_of(q.leftmost()).vruntime : q.state_of(q.q.current).vruntime;
        if (q.q.current != kNoTask) least = std::min(least, q.state_of(q.q.current).vruntime);
        const std::int64_t rises = least - q.q.min_vruntime;
        if (rises <= 0) return;
        q.q.sum = multiply_add(q.q.sum, -q.q.tree_load, rises);
        q.q.min_vruntime = least;
    }

    // Models update_curr() and update_deadline() of the kernel.
    static bool charge_current(const Q& q) {
        if (q.q.current == kNoTask) return false;
        const std::int64_t ran = q.now() - q.q.exec_start;
        if (ran <= 0) return false;
        const Weight own = weight(q.m, q.q.current);
        TaskFields66& t = q.state_of(q.q.current);
        q.q.exec_start = q.now();
        t.vruntime += virtual_time(ran, own);
        bool needs_resched = false;
        if (t.vruntime >= t.deadline) {
            t.deadline = t.vruntime + virtual_time(base_slice(q.m), own);
            needs_resched = q.q.running > 1;
        }
        raise_min_vruntime(q);
        return needs_resched;
    }

    // update_entity_lag(): stores p's lag. REQUIRES: p is in the tree or is the running task.
    static void save_lag(const Q& q, TaskId p) {
        const std::int64_t tick = 1'000'000'000 / q.m.shape().hz;
        const std::int64_t limit = virtual_time(std::max(2 * base_slice(q.m), tick), weight(q.m, p));
        q.state_of(p).vlag = std::clamp(virtual_now(q) - q.state_of(p).vruntime, -limit, limit);
    }

    // place_entity(): gives p the lag that p had when it left its queue. Adding p moves the average, so the
    // lag is scaled up beforehand.
    static void place(const Q& q, TaskId p) {
        TaskFields66& t = q.state_of(p);
        const Weight own = weight(q.m, p);
        std::int64_t lag = 0;
        if (q.q.running > 0) {
            const std::int64_t load = average(q).load;
            lag = multiply_add(0, t.vlag, load + own.w) / load;
        }
        t.vruntime = virtual_now(q) - lag;
        t.deadline = t.vruntime + virtual_time(base_slice(q.m), own);
    }

    static std::uint32_t add_to_queue(const Q& q, TaskId p) {
        place(q, p);
        q.add_to_totals(p);
        return q.insert(p);
    }

    // Models set_next_entity() of the kernel.
    static void make_current(const Q& q, TaskId p) {
        q.make_current(p);
        q.state_of(p).vlag = q.state_of(p).deadline;
    }

    // --- the choice of the next task ---

    // __pick_eevdf(): the eligible task with the earliest deadline; examines the running task first. Calls
    // on_candidate(task, whether it is the best so far, remark) for each task examined.
    template <class OnCandidate>
    static TaskId pick_eevdf(const Q& q, OnCandidate on_candidate) {
        const VruntimeAverage a = average(q);
        TaskId best = q.q.current;
        if (best != kNoTask && !is_eligible(q, a, best)) best = kNoTask;
        const bool parity = best != kNoTask && q.state_of(best).vlag == q.state_of(best).deadline;
        if (q.q.current != kNoTask)
            on_candidate(q.q.current, best != kNoTask,
                         parity            ? CandidateRemark::parity
                         : best != kNoTask ? CandidateRemark::none
                                           : CandidateRemark::not_eligible);
        if (parity) return best;  // RUN_TO_PARITY

        constexpr std::int64_t kNever = VruntimeOrder::kNoSummary;
        std::int64_t earliest = best != kNoTask ? q.state_of(best).deadline : kNever;
        // Root of the subtree with the earliest deadline among the left subtrees passed so far. All tasks of
        // this subtree are eligible.
        TaskId side = kNoTask;
        std::int64_t sides_least = kNever;
        for (TaskId p = q.q.root; p != kNoTask;) {
            const TaskFields66& t = q.state_of(p);
            if (!is_eligible(q, a, p)) {
                on_candidate(p, false, CandidateRemark::not_eligible);
                p = t.node.left;
                continue;
            }
            const bool better = best == kNoTask || t.deadline < earliest;
            on_candidate(p, better, CandidateRemark::none);
            if (better) {
                best = p;
                earliest = t.deadline;
            }
            if (t.left_least < sides_least) {
                side = t.node.left;
                sides_least = t.left_least;
            }
            if (std::min(t.left_least, t.deadline) <= t.right_least)
                break;  // the right subtree has no earlier deadline
            p = t.node.right;
        }
        if (side == kNoTask || sides_least > earliest) return best;
        for (TaskId p = side;;) {
            const TaskFields66& t = q.state_of(p);
            const bool found = t.deadline == sides_least;
            on_candidate(p, found, CandidateRemark::none);
            if (found) return p;
            p = t.left_least == sides_least ? t.node.left : t.node.right;
        }
    }

    static TaskId pick(const Q& q, Decision& decision, DecisionLog* log) {
        std::uint32_t considered = 0;
        const auto count = [&](TaskId, bool, CandidateRemark) { ++considered; };
        const auto write_down = [&](TaskId p, bool better, CandidateRemark remark) {
            log->candidates.push_back(candidate(p, q.state_of(p).deadline, better, remark));
            ++considered;
        };
        const TaskId next = log == nullptr ? pick_eevdf(q, count) : pick_eevdf(q, write_down);
        decision.considered += considered;
        if (next != kNoTask) [[likely]]
            return next;
        // Because of rounding, no task is eligible. The leftmost task runs.
        const TaskId first = q.has_waiting_tasks() ? q.leftmost() : q.q.current;
        ++decision.considered;
        if (log != nullptr) log->candidates.push_back(candidate(first, q.state_of(first).deadline, true));
        return first;
    }

    // pick_next_task_fair() with groups: the running task is put back only if another task is chosen.
    TaskId pick_before_put_back(const Q& q, Decision& decision, DecisionLog* log) const {
        if (!group_sched_) return kNoTask;
        charge_current(q);
        return pick(q, decision, log);
    }

    // Models check_preempt_wakeup() of the kernel.
    static bool check_preempt(const Q& q, TaskId p) {
        const TaskId current = q.q.current;
        if (current == kNoTask || q.m.cpu(q.cpu).need_resched) return false;
        const SchedClass own = q.m.sched_class[p];
        if (q.m.sched_class[current] == SchedClass::idle && own != SchedClass::idle) return true;
        if (own == SchedClass::batch || own == SchedClass::idle) return false;
        return pick_eevdf(q, [](TaskId, bool, CandidateRemark) {}) == p;
    }

    // --- events ---

    static std::uint32_t wake_fair(const Q& q, TaskId p, const WakeUp&, bool& needs_resched) {
        needs_resched = charge_current(q);
        const std::uint32_t steps = add_to_queue(q, p);
        needs_resched = needs_resched || check_preempt(q, p);
        return steps;
    }

    // Models wake_up_new_task(), which calls enqueue_task(). enqueue_task() places the child again, so that
    // the child gets a full slice.
    static std::uint32_t wake_new(const Q& q, TaskId p, const WakeUp& wake_up, bool& needs_resched) {
        return wake_fair(q, p, wake_up, needs_resched);
    }

    // Does nothing: p keeps its lag, from which place() computes the vruntime on the new queue.
    static void on_wake_migration(const Q&, const Q&, TaskId) {}
    // The kernel places the child twice: task_fork_fair() charges the parent and places the child relative to
    // its parent's queue; wake_up_new_task() places the child again, on its own queue. Only the charge of the
    // parent has a lasting effect.
    static void on_fork_migration(const Q& from, const Q&, TaskId) {
        if (charge_current(from))
            from.m.set_need_resched(from.cpu, ReschedCause::fork);  // the parent runs on from.cpu
    }
    static bool detach_for_migration(const Q& from, const Q&, TaskId p) {
        const bool needs_resched = charge_current(from);
        save_lag(from, p);
        from.remove(p);
        from.remove_from_totals(p);
        raise_min_vruntime(from);
        return needs_resched;
    }

    static bool tick_fair(const Q& q) { return charge_current(q); }

    void yield_fair(const Q& q) const {
        if (q.q.running == 1) return;
        charge_current(q);
        const TaskId current = q.q.current;
        if (forfeits_) {
            if (!is_eligible(q, average(q), current)) return;
            q.state_of(current).vruntime = q.state_of(current).deadline;
        }
        q.state_of(current).deadline += virtual_time(base_slice(q.m), weight(q.m, current));
        if (forfeits_) raise_min_vruntime(q);
    }

    static void dequeue_current(const Q& q, TaskId p) {
        charge_current(q);
        save_lag(q, p);
        q.remove_from_totals(p);
        q.q.current = kNoTask;
        raise_min_vruntime(q);
    }

    static bool renice_fair(const Q& q, TaskId p, std::int32_t priority) {
        const bool worse = priority < q.m.priority[p], runs = q.q.current == p;
        const bool is_runnable = q.m.task[p].state == TaskState::runnable;
        bool needs_resched = false;
        if (is_runnable) {
            needs_resched = charge_current(q);
            save_lag(q, p);
            if (runs)
                q.q.current = kNoTask;
            else
                q.remove(p);
            q.remove_from_totals(p);
        }
        const std::int64_t before = weight_value(q, p);
        q.m.priority[p] = priority;
        set_weight(q, p);
        if (q.m.sched_class[p] != SchedClass::idle)
            q.state_of(p).vlag = q.state_of(p).vlag * before / weight_value(q, p);
        if (!is_runnable) return false;
        add_to_queue(q, p);
        if (runs) make_current(q, p);
        if (q.q.running == 1) return needs_resched;
        return needs_resched || (runs ? worse : check_preempt(q, p));
    }

    static std::string find_sum_violation(const Machine& m, CpuId c) {
        const Queue& q = m.of_cpu<Queue>(c);
        std::int64_t sum = 0, load = 0;
        for (TaskId p = m.next_run[c]; p != c; p = m.next_run[p]) {
            if (is_real_time(m.sched_class[p])) continue;
            const TaskFields66& t = m.of_task<TaskFields66>(p);
            sum = multiply_add(sum, weight(m, p).w, t.vruntime - q.min_vruntime);
            load += weight(m, p).w;
            const auto least_below = [&](TaskId child) {
                return child != kNoTask ? VruntimeOrder::summary(m.of_task<TaskFields66>(child))
                                        : VruntimeOrder::kNoSummary;
            };
            if (t.left_least != least_below(t.node.left) || t.right_least != least_below(t.node.right))
                return "the stored earliest deadline of a subtree is wrong";
        }
        return sum == q.sum && load == q.tree_load
                   ? std::string{}
                   : "the sums for the average vruntime do not match the tree";
    }

    bool group_sched_, forfeits_;
};

}  // namespace

std::int64_t fair::avg_vruntime(const Machine& m, CpuId c) {
    return Linux66::virtual_now({const_cast<Machine&>(m), c});  // does not modify m
}

PolicyInfo linux_6_6_policy() {
    return {
        .name = "linux-6.6",
        .summary = "Linux 6.6, EEVDF: of the eligible tasks, the one with the earliest deadline runs",
        .source = "Linux 6.6 kernel/sched/fair.c, core.c, features.h; Stoica and Abdel-Wahab, 1995",
        .options =
            {{"group_sched",
              {"no", "yes"},
              "CONFIG_FAIR_GROUP_SCHED: whether the running task is considered before it is put into the "
              "tree"},
             {"yield",
              {"deadline", "forfeit"},
              "what sched_yield() does: move the deadline one slice later (6.6), or also set the vruntime to "
              "the old deadline (6.18)"}},
        .criterion = "deadline",
        .why = [](const DecisionLog&, const Candidate& winner) -> std::string {
            if (winner.remark == CandidateRemark::real_time) return kFirstOfRealTime;
            if (winner.remark == CandidateRemark::parity)
                return "it keeps running until the deadline that it had when it was chosen.";
            return fmt::format("its virtual deadline, {}, is the earliest of the eligible tasks.",
                               criterion_value_text("deadline", winner.key));
        },
        .pseudo_code = eevdf_pseudo_code,
        .recorded_kernel = "linux-6.6",
        .system = "linux",
        .make = [](const PolicyOptions& options) { return std::make_unique<Linux66>(options); },
    };
}

}  // namespace sim
