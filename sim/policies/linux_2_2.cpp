// Linux 2.2: the search of 2.0, with a goodness() that includes priority and address space.
//
// Source: kernel/sched.c of Linux 2.2.1: goodness(), schedule(), add_to_runqueue(), reschedule_idle(),
// sys_sched_yield(), update_process_times(), do_fork(). The option prev_goodness=yes models a change of a
// later 2.2 version and is taken from a patch against 2.2.16 of May 2001. Verified against recorded decisions
// of 2.2.1 in tests/decisions/.
//
// Good at: threads of one address space, which run one after another. Bad at: many runnable tasks and many
// tasks in all, like Linux 2.0.
//
// Not modelled: signals, bottom halves and task queues; with several CPUs, reschedule_idle()'s search for an
// idle CPU and its rule for tasks that are related by the kernel lock. It is unknown whether a later 2.2
// version repeats the search after a recalculation, so prev_goodness=yes does not repeat it.
#include "sim/core/policy.h"
#include "sim/policies/linux_goodness.h"
#include "sim/policies/policies.h"
#include "sim/policies/reasons.h"

namespace sim {
namespace {

class Linux22 final : public Policy {
  public:
    explicit Linux22(const PolicyOptions& options) : prev_goodness_(options.at("prev_goodness") == "yes") {}

    void start(Machine& m, TaskId p) const override { m.counter[p] = m.priority[p]; }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        Queue(m).add_first(p);  // adds p at the head, unlike 2.0
        return 0;
    }

    bool preempts(const Machine& m, TaskId woken, TaskId current) const override {
        return is_real_time(m.sched_class[woken]) || m.counter[woken] > m.counter[current] + 3;
    }

    bool tick(Machine& m, TaskId p) const override {
        if (--m.counter[p] >= 0) return false;  // as in 2.0: a slice of 20 lasts 21 ticks, "210 ms"
        m.counter[p] = 0;
        return true;
    }

    std::string wake_reason(const Machine& m, TaskId woken, TaskId current, bool /*needs_resched*/,
                            const TaskNamer& name) const override {
        return is_real_time(m.sched_class[woken]) ? real_time_reason(m, woken, name)
                                                  : counter_margin_reason(m, woken, current, 3, name);
    }
    std::string tick_reason(const Machine& m, TaskId p, ReschedCheck::Point /*at*/, bool needs_resched,
                            const TaskNamer& name) const override {
        return counter_left_reason(m, p, needs_resched, name);
    }

    // reschedule_idle(): returns `here`, the calling CPU, if the woken task preempts the running task of
    // `here`; otherwise an idle CPU. The kernel returns `here` even if an earlier wake-up has already set
    // need_resched there. The second woken task then runs on an idle CPU, because idle CPUs call schedule()
    // after every interrupt. So if need_resched is already set on `here`, the policy requests a schedule() on
    // an idle CPU.
    std::uint64_t reschedule(const Machine& m, TaskId woken, CpuId here) const override {
        if (!m.cpu(here).need_resched && m.may_run(woken, here) && preempts(m, woken, m.cpu(here).current))
            return std::uint64_t{1} << here;
        return Policy::reschedule(m, woken, here);
    }

    bool yield(Machine& m, TaskId p) const override {
        if (!is_real_time(m.sched_class[p])) set_yielded(m, p, true);
        Queue(m).move_last(p);
        return true;
    }

    void fork(Machine& m, TaskId parent, TaskId child) const override {
        m.counter[parent] >>= 1;  // if the counter is odd, one tick is lost
        m.counter[child] = m.counter[parent];
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
    struct Rules : GoodnessLevelRules {
        static std::int32_t grant(std::int32_t priority) { return priority; }
    };
    using Queue = GoodnessQueue<Rules>;

    template <bool smp, QueueForm form>
    [[gnu::noinline]] Decision schedule(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const {
        GoodnessQueue<Rules, form> queue(m);
        if (m.sched_class[prev] == SchedClass::rr && m.counter[prev] == 0) {
            m.counter[prev] = m.priority[prev];
            queue.move_last(prev);
            if (log != nullptr) log->prev_renewed = true;
        }
        const bool runnable = m.task[prev].state == TaskState::runnable;
        if (!runnable) queue.remove(prev);
        m.task[prev].processor = Task::kNoProcessor;  // has_cpu = 0 lets the search choose prev again

        // If prev has exited, exit() has released prev's address space, so prev uses the address space of the
        // kernel.
        const MmId mm = m.task[prev].state == TaskState::exited ? kKernelMm : m.task[prev].mm;
        const LinuxGoodness<smp> goodness{
            m, {.cpu = cpu, .mm = mm, .kernel_threads = false, .yielded_goodness = 0}};
        SearchResult best{.goodness = kNotEligible, .next = cpu, .considered = 0};
        if (prev_goodness_) {
            if (runnable && !m.is_idle_task(prev)) {
                best.next = prev;
                best.goodness = goodness.goodness_of(prev);
                if (log != nullptr) log->begin_search_with_prev(best.goodness);
            }
            set_yielded(m, prev, false);  // the search computes prev's goodness without its yield flag
        }
        best = queue.find_best(goodness, best, prev, log);
        set_yielded(m, prev, false);  // after the search; no other task has a yield flag at this time
        Decision decision{.next = best.next, .considered = best.considered};

        // As in 2.0, the search is not repeated after a recalculation.
        if (best.goodness == 0) [[unlikely]]
            queue.recalculate(prev, decision, log);

        queue.finish_schedule(cpu, prev, decision);
        return decision;
    }

    bool prev_goodness_;
};

std::vector<PseudoLine> pseudo_code(const PolicyOptions& options) {
    const bool with_prev = options.at("prev_goodness") == "yes";
    return {
        {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
        {Phase::yield, 1, "sched_yield(): to the tail, and unless fifo or rr marked SCHED_YIELD"},
        {Phase::begin, 0,
         with_prev ? "schedule(): prev runnable? it is the best, at 0 if it is marked"
                   : "schedule(): prev = the running task, best = none"},
        {Phase::renew, 1, "prev is rr and its slice is used up? a new one, and to the tail"},
        {Phase::leave, 1, "prev is no longer runnable? off the queue"},
        {Phase::consider, 0,
         with_prev ? "for each task on the queue: weigh it, prev again, without its mark"
                   : "for each task on the queue: weigh it; marked? unmark it, 0"},
        {Phase::consider, 1, "fifo or rr: 1000 + rt_priority; any other with counter 0: 0"},
        {Phase::consider, 1, "else counter + priority, +15 if last on this CPU (SMP), +1 in prev's mm"},
        {Phase::keep, 1, "more than the best so far? keep it; of equals, the first stays"},
        {Phase::recalc_test, 0, "is the best goodness 0, every slice used up or given away?"},
        {Phase::recalculate, 1, "each task, asleep too: counter = counter/2 + priority; no new search"},
        {Phase::switch_context, 0, "is the best not prev? save prev's context, load that of the best"},
        {Phase::switch_mm, 1, "another address space? load its page tables, flush the TLB"},
        {Phase::resume, 0, "the best runs, or the idle task if there is none"},
    };
}

}  // namespace

PolicyInfo linux_2_2_policy() {
    return {
        .name = "linux-2.2",
        .summary = "Linux 2.2: goodness counts priority and address space; a yielding task ranks last once",
        .source = "Linux 2.2.1 kernel/sched.c; prev_goodness=yes from a patch against 2.2.16, May 2001",
        .options = {{"prev_goodness",
                     {"no", "yes"},
                     "whether the search starts with prev (2.2.16), which ignores that prev has yielded, or "
                     "without a candidate (2.2.1)"}},
        .criterion = "goodness",
        .pseudo_code = pseudo_code,
        .recorded_kernel = "linux-2.2",
        .system = "linux",
        .make = [](const PolicyOptions& options) { return std::make_unique<Linux22>(options); },
    };
}

}  // namespace sim
