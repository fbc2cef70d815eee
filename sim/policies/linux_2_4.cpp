// Linux 2.4: slices of six ticks, a search that restarts after a recalculation, and wake-ups that preempt
// tasks of lower goodness.
//
// Source: kernel/sched.c of Linux 2.4.0 and 2.4.22: goodness(), schedule(), add_to_runqueue(),
// reschedule_idle(), preemption_goodness(), sys_sched_yield(); update_process_times() in kernel/timer.c,
// do_fork() in kernel/fork.c, release_task() in kernel/exit.c. The two versions differ in six points, the
// members of VersionRules. Verified against recorded decisions of both versions in tests/decisions/.
//
// Good at: interactive tasks if few other tasks are runnable; switches within an address space. Bad at: many
// runnable tasks and many tasks in all, like Linux 2.0, but with two searches per recalculation. Two threads
// of one address space that yield to each other keep all other tasks of equal counter from running until
// ticks lower the counters of the two threads.
//
// Not modelled: signals, bottom halves and task queues. A parent gets the remaining ticks of its child at the
// child's exit, not at the parent's wait4(), and only if the parent still lives.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "sim/core/policy.h"
#include "sim/policies/linux_goodness.h"
#include "sim/policies/policies.h"
#include "sim/policies/reasons.h"

namespace sim {
namespace {

struct VersionRules {
    bool at_tail;                   // a woken task joins the queue at the tail; if false, at the head
    bool begins_with_prev;          // if runnable, prev is the initial best and wins every tie
    bool yield_moves_last;          // sched_yield() also moves the caller to the tail
    std::int32_t preempts_from;     // minimum advantage in goodness with which a woken task preempts
    bool tick_spares_fifo;          // a fifo task's used-up counter does not set need_resched
    bool clears_yield_if_rechosen;  // a task that yielded loses its flag even if it is chosen again
};

constexpr VersionRules k240{false, true, false, 2, false, false};
constexpr VersionRules k2422{true, false, true, 1, true, true};

class Linux24 final : public Policy {
  public:
    Linux24(const VersionRules& version, const PolicyOptions& options)
        : v_(version), lone_yield_schedules_(options.at("lone_yield") == "schedules") {}

    void start(Machine& m, TaskId p) const override { m.counter[p] = ticks_of(m.priority[p]); }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        v_.at_tail ? Queue(m).add_last(p) : Queue(m).add_first(p);
        return 0;
    }

    bool preempts(const Machine& m, TaskId woken, TaskId current) const override {
        return preemption_goodness(m, woken, current) >= v_.preempts_from;
    }

    std::string wake_reason(const Machine& m, TaskId woken, TaskId current, bool /*needs_resched*/,
                            const TaskNamer& name) const override {
        const std::int32_t advantage = preemption_goodness(m, woken, current);
        return fmt::format("{}'s goodness is {} {} {}'s, and preemption needs at least {} more", name(woken),
                           std::abs(advantage), advantage < 0 ? "below" : "above", name(current),
                           v_.preempts_from);
    }
    std::string tick_reason(const Machine& m, TaskId p, ReschedCheck::Point /*at*/, bool needs_resched,
                            const TaskNamer& name) const override {
        if (!needs_resched && m.counter[p] == 0)
            return fmt::format("{} is of class fifo, which has no slice", name(p));
        return counter_left_reason(m, p, needs_resched, name);
    }

    // reschedule_idle() with several CPUs: returns an idle CPU. If there is none, returns the CPU where the
    // goodness of the woken task exceeds that of the running task by the most, and by at least
    // preempts_from. Otherwise returns no CPU.
    std::uint64_t reschedule(const Machine& m, TaskId woken, CpuId) const override {
        CpuId best = idle_cpu_for(m, woken);
        if (best == kNoCpu) {
            std::int32_t most = v_.preempts_from - 1;
            for (CpuId c = 0; c < m.shape().cpus; ++c) {
                if (!m.may_run(woken, c) || m.is_idle_task(m.cpu(c).current)) continue;
                const std::int32_t advantage = preemption_goodness(m, woken, m.cpu(c).current);
                if (advantage <= most) continue;
                most = advantage;
                best = c;
            }
        }
        return best == kNoCpu ? 0 : std::uint64_t{1} << best;
    }

    bool lazy_tlb() const override { return true; }

    bool tick(Machine& m, TaskId p) const override {
        if (--m.counter[p] > 0) return false;  // a slice of 6 lasts 6 ticks
        m.counter[p] = 0;
        return !(v_.tick_spares_fifo && m.sched_class[p] == SchedClass::fifo);
    }

    bool yield(Machine& m, TaskId p) const override {
        if (!lone_yield_schedules_ && !has_ready_tasks(m)) return false;
        if (!is_real_time(m.sched_class[p])) set_yielded(m, p, true);
        if (v_.yield_moves_last) Queue(m).move_last(p);
        return true;
    }

    void fork(Machine& m, TaskId parent, TaskId child) const override {
        m.counter[child] = (m.counter[parent] + 1) >> 1;
        m.counter[parent] >>= 1;
        set_yielded(m, child, has_yielded(m, parent));  // the child inherits the yield flag
        m.parent[child] = {parent, m.task[parent].pid};
        if (m.counter[parent] == 0 && m.task[parent].processor != Task::kNoProcessor)
            m.set_need_resched(m.task[parent].processor, ReschedCause::fork);
    }

    void reap(Machine& m, TaskId p) const override {
        const ParentTask parent = m.parent[p];
        if (parent.pid == 0 || !m.is_live(parent.row) || m.task[parent.row].pid != parent.pid) return;
        const Queue queue(m);
        const std::int32_t both = queue.counter(parent.row) + queue.counter(p);
        queue.set_counter(parent.row, std::min(both, kMaxCounter));
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        const bool smp = m.shape().cpus > 1;
        if (m.ready.is_live())
            return smp ? schedule<true, QueueForm::index>(m, cpu, prev, log)
                       : schedule<false, QueueForm::index>(m, cpu, prev, log);
        return smp ? schedule<true, QueueForm::list>(m, cpu, prev, log)
                   : schedule<false, QueueForm::list>(m, cpu, prev, log);
    }

    // Even a sleep of 0 lasts until the next tick: internal_add_timer() runs an expired timer at that tick.
    std::uint64_t ticks_of_sleep(std::uint64_t requested_ticks) const override { return requested_ticks + 1; }

    bool keeps_running_task_queued() const override { return true; }
    LoadRule load_average_rule() const override { return LoadRule::linux_2_0; }
    TickPhases::Rule tick_phases() const override { return TickPhases::Rule::spread; }
    bool has_linux_counters() const override { return true; }

  private:
    // Goodness of a task that has yielded. It is below that of other tasks, and causes no recalculation.
    static constexpr std::int32_t kYielded = -1;
    static constexpr std::int32_t kMaxCounter = 20;  // MAX_COUNTER: 20 * HZ / 100

    // NICE_TO_TICKS() at 100 ticks per second: 6 at nice 0, 11 at nice -20, 1 at nice 19.
    static std::int32_t ticks_of(std::int32_t priority) { return (priority >> 2) + 1; }

    struct Rules : GoodnessLevelRules {
        static std::int32_t grant(std::int32_t priority) { return ticks_of(priority); }
    };
    using Queue = GoodnessQueue<Rules>;

    template <bool smp, QueueForm form>
    [[gnu::noinline]] Decision schedule(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const {
        GoodnessQueue<Rules, form> queue(m);
        if (m.sched_class[prev] == SchedClass::rr && m.counter[prev] == 0) {
            m.counter[prev] = ticks_of(m.priority[prev]);
            queue.move_last(prev);
            if (log != nullptr) log->prev_renewed = true;
        }
        const bool runnable = m.task[prev].state == TaskState::runnable && !m.is_idle_task(prev);
        if (!runnable && !m.is_idle_task(prev)) queue.remove(prev);
        // Both versions may choose prev again: 2.4.22 finds prev on the queue, and 2.4.0 starts the search
        // with prev as the best. With several CPUs, the search of 2.4.0 skips prev on the queue. The model
        // does not, which changes nothing: prev is not better than itself.
        m.task[prev].processor = Task::kNoProcessor;

        const MmId mm = active_mm(m, cpu, prev);
        const LinuxGoodness<smp> goodness{
            m, {.cpu = cpu, .mm = mm, .kernel_threads = true, .yielded_goodness = kYielded}};
        Decision decision{.next = cpu};
        for (;;) {
            SearchResult best{.goodness = kNotEligible, .next = cpu, .considered = 0};
            if (v_.begins_with_prev && runnable) {
                best.goodness = goodness.goodness_of(prev);
                best.next = prev;
                if (log != nullptr) log->begin_search_with_prev(best.goodness);
            }
            best = queue.find_best(goodness, best, prev, log);
            decision.next = best.next;
            decision.considered += best.considered;
            if (best.goodness != 0) [[likely]]
                break;
            // A recalculation gives every task at least one tick, so the search is repeated only once.
            queue.recalculate(prev, decision, log);
            if (log != nullptr) log->searched_before = log->candidates.size();
        }
        if (decision.next != prev || v_.clears_yield_if_rechosen) set_yielded(m, prev, false);
        queue.finish_schedule(cpu, prev, decision);
        // A kernel thread, such as the idle task, borrows the loaded address space.
        const MmId its = m.task[decision.next].mm;
        m.cpu(cpu).active_mm = its != kKernelMm ? its : mm;
        return decision;
    }

    // Advantage of `woken` over `current` in goodness, computed for the CPU of `current`.
    static std::int32_t preemption_goodness(const Machine& m, TaskId woken, TaskId current) {
        return m.shape().cpus == 1 ? preemption_goodness<false>(m, woken, current)
                                   : preemption_goodness<true>(m, woken, current);
    }
    template <bool smp>
    static std::int32_t preemption_goodness(const Machine& m, TaskId woken, TaskId current) {
        const CpuId cpu = m.task[current].processor != Task::kNoProcessor ? m.task[current].processor : 0;
        const LinuxGoodness<smp> from{m,
                                      {.cpu = cpu,
                                       .mm = active_mm(m, cpu, current),
                                       .kernel_threads = true,
                                       .yielded_goodness = kYielded}};
        return from.goodness_of(woken) - from.goodness_of(current);
    }

    // prev->active_mm: the address space of prev or, if prev is a kernel thread, the address space that prev
    // has borrowed.
    static MmId active_mm(const Machine& m, CpuId cpu, TaskId prev) {
        return m.task[prev].mm != kKernelMm ? m.task[prev].mm : m.cpu(cpu).active_mm;
    }

    // nr_pending of sys_sched_yield(): runnable tasks that are not running.
    static bool has_ready_tasks(const Machine& m) {
        std::uint32_t pending = m.globals().nr_running;
        for (CpuId c = 0; c < m.shape().cpus; ++c) pending -= m.is_idle_task(m.cpu(c).current) ? 0 : 1;
        return pending > 0;
    }

    const VersionRules& v_;
    bool lone_yield_schedules_;
};

std::vector<PseudoLine> pseudo_code(const VersionRules& v, const PolicyOptions& options) {
    const bool lone_schedules = options.at("lone_yield") == "schedules";
    return {
        {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
        {Phase::yield, 1,
         v.yield_moves_last
             ? (lone_schedules ? "sched_yield(): to the tail, and unless fifo or rr marked"
                               : "sched_yield(): others ready? to the tail, and unless fifo or rr marked")
             : (lone_schedules ? "sched_yield(): the caller is marked, unless fifo or rr"
                               : "sched_yield(): others ready? the caller is marked, unless fifo or rr")},
        {Phase::begin, 0,
         v.begins_with_prev ? "schedule(): prev runnable? it is the initial best"
                            : "schedule(): prev = the running task, best = none"},
        {Phase::renew, 1, "prev is rr and its slice is used up? a new one, and to the tail"},
        {Phase::leave, 1, "prev is no longer runnable? off the queue"},
        {Phase::consider, 0, "for each task on the queue: weigh it; marked? -1"},
        {Phase::consider, 1, "fifo or rr: 1000 + rt_priority; any other with counter 0: 0"},
        {Phase::consider, 1, "else counter + 20 - nice, +15 last on this CPU (SMP), +1 in this mm or no mm"},
        {Phase::keep, 1,
         v.begins_with_prev ? "more than the best so far? keep it; of equals, prev or the first"
                            : "more than the best so far? keep it; of equals, the first stays"},
        {Phase::recalc_test, 0, "is the best goodness 0, every slice used up?"},
        {Phase::recalculate, 1, "every task: counter = counter/2 + (20 - nice)/4 + 1; then search again"},
        {Phase::switch_context, 0, "is the best not prev? save prev's context, load that of the best"},
        {Phase::switch_mm, 1, "no mm? it borrows prev's; another mm? load its page tables, flush the TLB"},
        {Phase::resume, 0, "the best runs, or the idle task if there is none"},
    };
}

std::vector<OptionInfo> options() {
    return {{"lone_yield",
             {"returns", "schedules"},
             "what sched_yield() does when no other task is ready: return at once (2.4), or call schedule() "
             "anyway (as in the recordings)"}};
}

}  // namespace

PolicyInfo linux_2_4_0_policy() {
    return {
        .name = "linux-2.4.0",
        .summary = "Linux 2.4.0: searches again after a recalculation; prev is the initial best",
        .source = "Linux 2.4.0 kernel/sched.c",
        .options = options(),
        .criterion = "goodness",
        .pseudo_code = [](const PolicyOptions& options) { return pseudo_code(k240, options); },
        .recorded_kernel = "linux-2.4.0",
        .recorded_with = "lone_yield=schedules",
        .system = "linux",
        .make = [](const PolicyOptions& o) { return std::make_unique<Linux24>(k240, o); },
    };
}

PolicyInfo linux_2_4_22_policy() {
    return {
        .name = "linux-2.4.22",
        .summary = "Linux 2.4.22: searches again after a recalculation; queue order decides between equals",
        .source = "Linux 2.4.22 kernel/sched.c",
        .options = options(),
        .criterion = "goodness",
        .pseudo_code = [](const PolicyOptions& options) { return pseudo_code(k2422, options); },
        .recorded_kernel = "linux-2.4.22",
        .recorded_with = "lone_yield=schedules",
        .system = "linux",
        .make = [](const PolicyOptions& o) { return std::make_unique<Linux24>(k2422, o); },
    };
}

}  // namespace sim
