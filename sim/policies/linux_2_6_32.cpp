// Linux 2.6.32, the CFS that distributions used for years. Its differences from 2.6.24: shorter slices; a
// task that wakes is placed at most half a latency before min_vruntime; wake-up preemption depends on the
// usual run time of tasks; the preempted task (the `last` buddy) is preferred at the next choice.
// Source: kernel/sched.c, kernel/sched_fair.c and kernel/sched_features.h of Linux 2.6.32.70: update_curr(),
// place_entity(), check_preempt_tick(), check_preempt_wakeup(), wakeup_gran(), adaptive_gran(),
// pick_next_entity(), task_fork_fair(), yield_task_fair(), try_to_wake_up(). Verified against recorded
// decisions in tests/decisions/. The scheduler features have the kernel's default values: FAIR_SLEEPERS,
// GENTLE_FAIR_SLEEPERS, START_DEBIT, WAKEUP_PREEMPT, ADAPTIVE_GRAN, ASYM_GRAN and LAST_BUDDY are set.
//
// Good at: shares by weight, and latency of tasks that sleep much. Bad at: predictability, because of its
// many heuristics.
//
// Groups of tasks are not modelled; docs/reference/run_queues.md describes the model of several CPUs. A task
// of the scenario that starts at time 0 gets the initial vruntime of all tasks; a task that starts later is
// placed like a forked child.
#include <fmt/format.h>

#include <bit>
#include <vector>

#include "sim/policies/cfs.h"
#include "sim/policies/policies.h"

namespace sim {
namespace {

using namespace fair;

const std::vector<PseudoLine> kPseudoCode{
    {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
    {Phase::yield, 1, "sched_yield(): charge; rt: to the tail of its list; compat: behind the last"},
    {Phase::place_woken, 1, "woken task: at most 2.5 ms below min_vruntime, into the tree"},
    {Phase::begin, 0, "charge prev for what it ran, in units of its weight"},
    {Phase::leave, 1, "prev is no longer runnable? it is on no queue"},
    {Phase::put_back, 1, "prev can continue? into the tree, by its vruntime"},
    {Phase::consider, 0, "a real-time task is ready? the first of the best rt list"},
    {Phase::consider, 0, "otherwise the leftmost of this CPU's tree,"},
    {Phase::consider, 0, "and the `last` buddy: the task that a wake-up preempted"},
    {Phase::keep, 1, "the buddy, unless its vruntime is over 1 ms more (in leftmost's weight)"},
    {Phase::switch_context, 0, "it is not prev? save prev's context, load its own"},
    {Phase::switch_mm, 1, "no mm? it borrows prev's; another mm? load its page tables, flush the TLB"},
    {Phase::resume, 0, "it runs, or the idle task if there is none"},
};

struct VruntimeOrder {
    using Task = TaskFields2632;
    static bool before(const Task& a, const Task& b) { return a.vruntime < b.vruntime; }
    static constexpr bool kSummaries = false;
};

class Linux2632 final : public CfsPolicy<Linux2632> {
  public:
    using Task = TaskFields2632;
    using Queue = RunQueueFields2632;
    using Rules = VruntimeOrder;
    static constexpr std::int64_t kLoadFuzz = 0;
    static constexpr bool kShrinksLoads = false, kNewTaskPreempts = false, kHasIdleRules = true;
    static constexpr bool kBetterGoes = false;
    static constexpr BalanceRules kBalanceRules = balance_rules_of_2_6(
        0, true, BalanceRules::PlacementRule::linux_2_6_32, BalanceRules::BusiestRule::linux_2_6_32);

    using CfsPolicy::CfsPolicy;

    LoadRule load_average_rule() const override { return LoadRule::linux_2_6_31; }
    TickPhases::Rule tick_phases() const override { return TickPhases::Rule::half; }

    static Weight weight(const Machine& m, TaskId p) { return weight_of(m, p, kIdleWeight); }

  private:
    friend class FairPolicy<Linux2632>;
    friend class CfsPolicy<Linux2632>;
    using Q = fair::Queue<Linux2632>;

    // The latency and the granularities in ns, as update_sysctl() of the kernel sets them.
    static std::int64_t latency(const Machine& m) { return 5'000'000 * sysctl_factor(m); }
    static std::int64_t min_granularity(const Machine& m) { return 1'000'000 * sysctl_factor(m); }
    static std::int64_t wake_up_granularity(const Machine& m) { return 1'000'000 * sysctl_factor(m); }

    static void init_queue_state(Queue& q) { q.last = kNoTask; }
    static void init_task_state(const Q& q, TaskId p) {
        q.state_of(p) = {.vruntime = q.q.min_vruntime,
                         .total = 0,
                         .last_wakeup = 0,
                         .start_runtime = 0,
                         .avg_wakeup = wake_up_granularity(q.m),
                         .node = {}};
    }

    // sched_slice(): the time in ns that a task of this weight gets in a period. The period is that of
    // `running` tasks with the total weight `load`.
    static std::int64_t slice(const Machine& m, std::uint32_t running, std::uint64_t load,
                              const Weight& weight) {
        const std::int64_t period = running > kFitInLatency ? min_granularity(m) * running : latency(m);
        const std::uint64_t inverse = 1 + ((std::uint64_t{1} << 32) - load / 2) / (load + 1);
        return static_cast<std::int64_t>(
            calc_delta_mine(static_cast<std::uint64_t>(period), weight.w, inverse));
    }

    static bool charge_current(const Q& q) {
        if (q.q.current == kNoTask) return false;
        const std::int64_t ran = q.now() - q.q.exec_start;
        if (ran == 0) return false;
        TaskFields2632& t = q.state_of(q.q.current);
        q.q.ran += ran;
        t.total += ran;
        t.vruntime += virtual_time(ran, weight(q.m, q.q.current));
        q.q.exec_start = q.now();
        raise_min_vruntime(q);
        return false;
    }

    static void raise_min_vruntime(const Q& q) {
        std::int64_t least = q.q.min_vruntime;
        if (q.q.current != kNoTask) least = q.state_of(q.q.current).vruntime;
        if (q.has_waiting_tasks()) {
            const std::int64_t first = q.state_of(q.leftmost()).vruntime;
            least = q.q.current == kNoTask ? first : std::min(least, first);
        }
        q.q.min_vruntime = std::max(q.q.min_vruntime, least);
    }

    // Moves avg_wakeup towards the sample by 1/8 of the difference.
    static void update_avg(TaskFields2632& t, std::int64_t sample) {
        t.avg_wakeup += (sample - t.avg_wakeup) >> 3;
    }

    // try_to_wake_up(): averages the waker's run time between wake-ups. A sample is the run time since the
    // waker last woke a task. If the waker has woken no task since its last sleep, the sample is the run time
    // since the waker itself was woken.
    static void update_wakeup_average(const Q& q, const WakeUp& wake_up) {
        if (q.q.current == kNoTask || wake_up.by != WakeUp::Waker::task) return;
        TaskFields2632& waker = q.state_of(q.q.current);
        update_avg(waker, waker.total - (waker.last_wakeup != 0 ? waker.last_wakeup : waker.start_runtime));
        waker.last_wakeup = waker.total;
    }

    static void forget_buddy(const Q& q, TaskId p) {
        if (q.q.last == p) q.q.last = kNoTask;
    }

    // wakeup_gran(), adaptive_gran(): the distance by which another task's vruntime must exceed p's vruntime
    // for p to run before that task.
    static std::int64_t margin_of_preemption(const Q& q, TaskId p) {
        std::int64_t granularity = wake_up_granularity(q.m);
        if (q.q.current != kNoTask)
            granularity = std::clamp(2 * q.state_of(p).avg_wakeup * q.q.running - q.q.ran, std::int64_t{0},
                                     granularity);
        return virtual_time(granularity, weight(q.m, p));
    }
    // wakeup_preempt_entity(): true if a's vruntime exceeds b's vruntime by so much that b should run.
    static bool is_far_ahead(const Q& q, TaskId a, TaskId b) {
        return q.state_of(a).vruntime - q.state_of(b).vruntime > margin_of_preemption(q, b);
    }

    // Models check_preempt_wakeup() of the kernel.
    static bool check_preempt(const Q& q, TaskId p) {
        const TaskId current = q.q.current;
        if (current == kNoTask || q.m.cpu(q.cpu).need_resched) return false;
        if (q.m.sched_class[p] == SchedClass::batch || q.m.sched_class[p] == SchedClass::idle) return false;
        if (q.m.sched_class[current] == SchedClass::idle) return true;
        if (!is_far_ahead(q, current, p)) return false;
        if (q.q.running >= kFitInLatency) q.q.last = current;
        return true;
    }

    static std::uint32_t wake_fair(const Q& q, TaskId p, const WakeUp& wake_up, bool& needs_resched) {
        TaskFields2632& t = q.state_of(p);
        t.start_runtime = t.total;
        charge_current(q);
        t.vruntime = std::max(t.vruntime, q.q.min_vruntime - latency(q.m) / 2);
        const std::uint32_t steps = add_to_queue(q, p);
        update_wakeup_average(q.m.shape().cpus == 1 ? q : Q(q.m, wake_up.here), wake_up);
        needs_resched = check_preempt(q, p);
        return steps;
    }

    // task_fork_fair(): a child's vruntime is one slice above min_vruntime, but not below the vruntime of its
    // parent.
    static void place_new(const Q& q, TaskId p) {
        charge_current(q);
        const Weight own = weight(q.m, p);
        std::int64_t& vruntime = q.state_of(p).vruntime;
        const std::int64_t debit = virtual_time(slice(q.m, q.q.running + 1, q.q.load + own.w, own), own);
        vruntime = q.q.min_vruntime + debit;
        if (q.q.current != kNoTask) vruntime = std::max(vruntime, q.state_of(q.q.current).vruntime);
    }

    // Models wake_up_new_task() of the kernel.
    static std::uint32_t wake_new(const Q& q, TaskId p, const WakeUp& wake_up, bool& needs_resched) {
        if (wake_up.by == WakeUp::Waker::fork && wake_up.here != q.cpu)
            charge_current(q);
        else
            place_new(q, p);
        const std::uint32_t steps = add_to_queue(q, p);
        needs_resched = check_preempt(q, p);
        return steps;
    }

    static void on_fork_migration(const Q& from, const Q& to, TaskId p) {
        place_new(from, p);
        on_wake_migration(from, to, p);
    }
    static bool detach_for_migration(const Q& from, const Q& to, TaskId p) {
        charge_current(from);
        forget_buddy(from, p);
        from.remove(p);
        from.remove_from_totals(p);
        raise_min_vruntime(from);
        on_wake_migration(from, to, p);
        return false;
    }

    static bool tick_fair(const Q& q) {
        charge_current(q);
        if (q.q.running < 2) return false;
        const TaskId current = q.q.current;
        const std::int64_t ideal = current_slice(q);
        if (q.q.ran > ideal) {
            forget_buddy(q, current);
            return true;
        }
        return q.q.ran >= min_granularity(q.m) &&
               q.state_of(current).vruntime - q.state_of(q.leftmost()).vruntime > ideal;
    }

    static std::int64_t current_slice(const Q& q) {
        return slice(q.m, q.q.running, q.q.load, weight(q.m, q.q.current));
    }

    static bool comes_before(std::int64_t vruntime_a, std::int64_t vruntime_b) {
        return vruntime_a < vruntime_b;
    }

    static void dequeue_current(const Q& q, TaskId p) {
        TaskFields2632& t = q.state_of(p);
        if (t.last_wakeup != 0)
            t.last_wakeup = 0;
        else
            update_avg(t, wake_up_granularity(q.m));
        charge_current(q);
        forget_buddy(q, p);
        q.remove_from_totals(p);
        raise_min_vruntime(q);
        q.q.current = kNoTask;
    }

    static TaskId pick(const Q& q, Decision& decision, DecisionLog* log) {
        TaskId next = q.leftmost();
        const auto look_at = [&](TaskId p, bool better, CandidateRemark remark) {
            ++decision.considered;
            if (log != nullptr)
                log->candidates.push_back(candidate(p, q.state_of(p).vruntime, better, remark));
            if (better) next = p;
        };
        look_at(next, true, CandidateRemark::none);
        const TaskId buddy = q.q.last;
        if (buddy != kNoTask && buddy != next)
            look_at(buddy, !is_far_ahead(q, buddy, next), CandidateRemark::buddy);
        forget_buddy(q, next);
        return next;
    }
};

}  // namespace

PolicyInfo linux_2_6_32_policy() {
    return {
        .name = "linux-2.6.32",
        .summary = "Linux 2.6.32, CFS: least vruntime; wake-up granularity is adaptive",
        .source = "Linux 2.6.32.70 kernel/sched.c, kernel/sched_fair.c, kernel/sched_features.h",
        .options = {yield_option()},
        .criterion = "vruntime",
        .why = [](const DecisionLog&, const Candidate& winner) -> std::string {
            if (winner.remark == CandidateRemark::real_time) return kFirstOfRealTime;
            if (winner.remark == CandidateRemark::buddy)
                return "a wake-up preempted it, and its vruntime is close to the least.";
            return fmt::format("its vruntime, {}, is the least.",
                               criterion_value_text("vruntime", winner.key));
        },
        .pseudo_code = [](const PolicyOptions&) { return kPseudoCode; },
        .recorded_kernel = "linux-2.6.32",
        .system = "linux",
        .make = [](const PolicyOptions& options) { return std::make_unique<Linux2632>(options); },
    };
}

}  // namespace sim
