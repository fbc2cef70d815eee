// Linux 2.6.24, the first CFS: the task that has had the least CPU time in proportion to its weight runs.
//
// Source: kernel/sched.c and kernel/sched_fair.c of Linux 2.6.24: update_curr(), place_entity(),
// check_preempt_tick(), check_preempt_wakeup(), task_new_fair(), yield_task_fair(), set_user_nice(). Verified
// against recorded decisions in tests/decisions/. Three comparisons of virtual times are unsigned, which has
// an effect in the first millisecond after boot, when virtual times are negative. The inverse weight of
// SCHED_IDLE is a negative int, which is used as 2^64 - 2^31 on a 64-bit machine. So each charge raises the
// vruntime of a SCHED_IDLE task too much: by about 4 s if the charged run time is at most 4.2 ms, otherwise
// by 78 hours.
//
// Good at: shares by weight, exact to the nanosecond. Bad at: latency among many tasks, and sched_yield(),
// which does almost nothing or, with yield=compat (sched_compat_yield of 2.6.23), puts the caller after all
// other tasks.
//
// Not modelled: groups of tasks; the limits that __update_rq_clock() sets for the clock.
// docs/reference/run_queues.md describes the model of several CPUs. A task of the scenario that starts at
// time 0 gets the initial vruntime of all tasks; a task that starts later is placed like a forked child.
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
    {Phase::place_woken, 1, "woken task: at most 20 ms below min_vruntime, into the tree"},
    {Phase::begin, 0, "charge prev for what it ran, in units of its weight"},
    {Phase::leave, 1, "prev is no longer runnable? it is on no queue"},
    {Phase::put_back, 1, "prev can continue? into the tree, by its vruntime"},
    {Phase::consider, 0, "a real-time task is ready? the first of the best rt list"},
    {Phase::consider, 0, "otherwise the leftmost of this CPU's tree"},
    {Phase::keep, 1, "it has the least vruntime: it runs, no other task is examined"},
    {Phase::switch_context, 0, "it is not prev? save prev's context, load its own"},
    {Phase::switch_mm, 1, "no mm? it borrows prev's; another mm? load its page tables, flush the TLB"},
    {Phase::resume, 0, "it runs, or the idle task if there is none"},
};

// Virtual times wrap in this kernel, because the vruntime of SCHED_IDLE tasks rises very fast. So virtual
// times are compared by wrapping_difference() or, where the kernel's comparison is unsigned, as unsigned
// values.
std::uint64_t as_unsigned(std::int64_t t) { return static_cast<std::uint64_t>(t); }

struct VruntimeOrder {
    using Task = TaskFields2624;
    static bool before(const Task& a, const Task& b) {
        return wrapping_difference(a.vruntime, b.vruntime) < 0;
    }
    static constexpr bool kSummaries = false;
};

class Linux2624 final : public CfsPolicy<Linux2624> {
  public:
    using Task = TaskFields2624;
    using Queue = RunQueueFields;
    using Rules = VruntimeOrder;
    static constexpr std::int64_t kLoadFuzz = 1024;
    static constexpr bool kShrinksLoads = false, kNewTaskPreempts = true, kHasIdleRules = false;
    static constexpr bool kBetterGoes = true;
    static constexpr BalanceRules kBalanceRules =
        balance_rules_of_2_6(kNice0Load, false, BalanceRules::PlacementRule::linux_2_6_20,
                             BalanceRules::BusiestRule::linux_2_6_24);

    using CfsPolicy::CfsPolicy;

    LoadRule load_average_rule() const override { return LoadRule::linux_2_6_23; }
    TickPhases::Rule tick_phases() const override { return TickPhases::Rule::half; }

    static Weight weight(const Machine& m, TaskId p) { return weight_of(m, p, kIdleWeightOf2624); }

  private:
    friend class FairPolicy<Linux2624>;
    friend class CfsPolicy<Linux2624>;
    using Q = fair::Queue<Linux2624>;

    // sched_init_granularity(): the factor, derived from the number of CPUs, by which the latency and the
    // granularity are multiplied.
    static std::int64_t cpu_factor(const Machine& m) { return std::bit_width(m.shape().cpus); }
    static std::int64_t latency(const Machine& m) {
        return std::min(20'000'000 * cpu_factor(m), std::int64_t{200'000'000});
    }
    static std::int64_t wake_up_granularity(const Machine& m) { return 10'000'000 * cpu_factor(m); }

    static void init_task_state(const Q& q, TaskId p) { q.state_of(p).vruntime = q.q.min_vruntime; }

    // Models __sched_period() of the kernel.
    static std::uint64_t period(const Machine& m, std::uint64_t running) {
        const auto all = static_cast<std::uint64_t>(latency(m));
        return running > kFitInLatency ? all * running / kFitInLatency : all;
    }

    // Models update_curr() of the kernel.
    static bool charge_current(const Q& q) {
        if (q.q.current == kNoTask) return false;
        const std::int64_t ran = q.now() - q.q.exec_start;
        q.q.ran += ran;
        std::int64_t& vruntime = q.state_of(q.q.current).vruntime;
        vruntime = wrapping_sum(vruntime, virtual_time(ran, weight(q.m, q.q.current)));
        q.q.exec_start = q.now();
        raise_min_vruntime(q);
        return false;
    }

    static void raise_min_vruntime(const Q& q) {
        if (q.q.current == kNoTask) return;
        std::int64_t least = q.state_of(q.q.current).vruntime;
        if (q.has_waiting_tasks() && wrapping_difference(q.state_of(q.leftmost()).vruntime, least) < 0)
            least = q.state_of(q.leftmost()).vruntime;
        if (wrapping_difference(least, q.q.min_vruntime) > 0) q.q.min_vruntime = least;
    }

    static std::uint32_t wake_fair(const Q& q, TaskId p, const WakeUp&, bool& needs_resched) {
        charge_current(q);
        std::int64_t& vruntime = q.state_of(p).vruntime;
        const std::int64_t least = wrapping_sum(q.q.min_vruntime, -latency(q.m));
        if (wrapping_difference(vruntime, least) < 0) vruntime = least;
        const std::uint32_t steps = add_to_queue(q, p);
        needs_resched = check_preempt(q, p);
        return steps;
    }

    // Models check_preempt_wakeup() of the kernel.
    static bool check_preempt(const Q& q, TaskId p) {
        const TaskId current = q.q.current;
        if (current == kNoTask || q.m.sched_class[p] == SchedClass::batch) return false;
        return as_unsigned(q.state_of(p).vruntime) + as_unsigned(margin_of_preemption(q, p)) <
               as_unsigned(q.state_of(current).vruntime);
    }
    static std::int64_t margin_of_preemption(const Q& q, TaskId) {
        return virtual_time(wake_up_granularity(q.m), weight(q.m, q.q.current));
    }

    // Called only if the affinity of the child p forbids the CPU of the parent. p is then placed like a task
    // that starts.
    static void on_fork_migration(const Q&, const Q& to, TaskId p) { init_task_state(to, p); }
    static bool detach_for_migration(const Q& from, const Q& to, TaskId p) {
        charge_current(from);
        from.remove(p);
        from.remove_from_totals(p);
        on_wake_migration(from, to, p);
        return false;
    }

    // task_new_fair(): the child gets a vruntime one slice after min_vruntime. If the parent would then run
    // before the child, the two swap their vruntimes.
    static std::uint32_t wake_new(const Q& q, TaskId p, const WakeUp& wake_up, bool& needs_resched) {
        charge_current(q);
        const std::uint64_t slice = period(q.m, q.q.running + 1) * kNice0Load / (q.q.load + weight(q.m, p).w);
        std::int64_t& vruntime = q.state_of(p).vruntime;
        vruntime = wrapping_sum(q.q.min_vruntime, static_cast<std::int64_t>(slice));
        if (q.q.current != kNoTask) {
            std::int64_t& parents = q.state_of(q.q.current).vruntime;
            const bool is_child = wake_up.by == WakeUp::Waker::fork && wake_up.here == q.cpu;
            if (is_child && as_unsigned(parents) < as_unsigned(vruntime)) std::swap(parents, vruntime);
            raise_min_vruntime(q);
        }
        needs_resched = true;
        return add_to_queue(q, p);
    }

    static bool tick_fair(const Q& q) {
        charge_current(q);
        if (q.q.running < 2) return false;
        return as_unsigned(q.q.ran) > as_unsigned(current_slice(q));
    }
    static std::int64_t current_slice(const Q& q) {
        return static_cast<std::int64_t>(period(q.m, q.q.running) * weight(q.m, q.q.current).w / q.q.load);
    }

    // The order of virtual times in yield_task_fair(), which compares them as unsigned values.
    static bool comes_before(std::int64_t a, std::int64_t b) { return as_unsigned(a) < as_unsigned(b); }

    static void dequeue_current(const Q& q, TaskId p) {
        charge_current(q);
        q.remove_from_totals(p);
        q.q.current = kNoTask;
    }

    static TaskId pick(const Q& q, Decision& decision, DecisionLog* log) {
        const TaskId next = q.leftmost();
        ++decision.considered;
        if (log != nullptr) log->candidates.push_back(candidate(next, q.state_of(next).vruntime, true));
        return next;
    }
};

}  // namespace

PolicyInfo linux_2_6_24_policy() {
    return {
        .name = "linux-2.6.24",
        .summary = "Linux 2.6.24, CFS: the task with the least CPU time for its weight runs",
        .source = "Linux 2.6.24 kernel/sched.c, kernel/sched_fair.c",
        .options = {yield_option()},
        .criterion = "vruntime",
        .why = [](const DecisionLog&, const Candidate& winner) -> std::string {
            if (winner.remark == CandidateRemark::real_time) return kFirstOfRealTime;
            return fmt::format("its vruntime, {}, is the least.",
                               criterion_value_text("vruntime", winner.key));
        },
        .pseudo_code = [](const PolicyOptions&) { return kPseudoCode; },
        .recorded_kernel = "linux-2.6.24",
        .system = "linux",
        .make = [](const PolicyOptions& options) { return std::make_unique<Linux2624>(options); },
    };
}

}  // namespace sim
