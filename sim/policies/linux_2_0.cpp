// Linux 2.0: one unsorted run queue, searched completely for the highest goodness at every schedule().
//
// Source: kernel/sched.c of Linux 2.0.40: goodness(), schedule(), add_to_runqueue(), move_last_runqueue(),
// wake_up_process(), sys_sched_yield(), update_process_times(), do_fork(). Search, recalculation, list
// handling and tick are the same in 2.0.30 (evidence in docs/reference/model.md). Verified against decisions
// recorded from the kernel, in tests/decisions/.
//
// Good at: few runnable tasks; tasks that slept run first. Bad at: many runnable tasks, which the search
// visits, and many tasks in all, which the recalculation visits, asleep or not.
//
// Added: affinity. A task that may not use a CPU is treated like a task that is running on another CPU.
//
// Not modelled: the single need_resched flag of all CPUs (in the simulator, each CPU has its own flag);
// signals, bottom halves and the task queue that schedule() runs first, which have no cost in the simulator.
#include "sim/policies/linux_2_0.h"

#include "sim/policies/goodness_queue.h"
#include "sim/policies/policies.h"
#include "sim/policies/reasons.h"

namespace sim {
namespace {

// Bonus for a task on the CPU where it last ran. Source: asm/smp.h of 2.0 (i386), SMP kernels only.
constexpr std::int32_t kProcChangePenalty = 20;

// goodness() within one call of schedule() on the CPU `cpu`.
template <bool smp>
struct Goodness {
    const Machine& m;
    TaskId prev;
    CpuId cpu;

    std::int32_t goodness_if_eligible(TaskId p) const {
        // A task that runs on another CPU is not eligible. Unlike in the kernel, a task whose affinity
        // forbids this CPU is not eligible either.
        if (smp && (m.task[p].processor != Task::kNoProcessor || !m.may_run(p, cpu))) return kNotEligible;
        if (is_real_time(m.sched_class[p])) [[unlikely]]
            return Linux20Rules::kRealTime + m.rt_priority[p];
        std::int32_t weight = m.counter[p];
        if (weight == 0) return 0;  // with counter 0, a task gets no bonuses
        if (smp && m.task[p].last_processor == cpu) weight += kProcChangePenalty;
        return weight + (p == prev ? 1 : 0);
    }

    // The bonus of 1 for prev is not included, because the index does not show prev.
    std::int32_t max_bonus() const {
        return smp && m.ready.count_with_last_cpu(cpu) > 0 ? kProcChangePenalty : 0;
    }

    Candidate candidate(TaskId p, std::int32_t weight, bool best) const {
        const std::int32_t counter = m.counter[p];
        const bool plain = !is_real_time(m.sched_class[p]) && weight != kNotEligible;
        return {p, counter, plain ? weight - counter : 0, weight, best};
    }
};

class Linux20 final : public Linux20Rules {
  public:
    using Linux20Rules::Linux20Rules;

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        Queue(m).add_last(p);  // the kernel's comment on schedule() says "put on front", which is outdated
        return 0;
    }

    bool yield(Machine& m, TaskId p) const override {
        Queue(m).move_last(p);
        return apply_yield_to_counter(m, p);
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        if (m.shape().cpus > 1 || m.ready.is_live()) return schedule_with_index_or_smp(m, cpu, prev, log);
        return schedule<false, QueueForm::list>(m, cpu, prev, log);
    }

    bool keeps_running_task_queued() const override { return true; }

  private:
    struct Rules : CounterRules {
        static constexpr bool kCountsMm = false;
        static std::int32_t level(const Machine& m, TaskId p) {
            if (is_real_time(m.sched_class[p])) [[unlikely]]
                return ReadyIndex::kRealTime;
            return m.counter[p] > 0 ? m.counter[p] : ReadyIndex::kNoLevel;
        }
    };
    using Queue = GoodnessQueue<Rules>;

    // This function is not inlined, so that the inlined code, which handles a short queue on one CPU, stays
    // small.
    [[gnu::noinline]] static Decision schedule_with_index_or_smp(Machine& m, CpuId cpu, TaskId prev,
                                                                 DecisionLog* log) {
        if (!m.ready.is_live()) return schedule<true, QueueForm::list>(m, cpu, prev, log);
        return m.shape().cpus > 1 ? schedule<true, QueueForm::index>(m, cpu, prev, log)
                                  : schedule<false, QueueForm::index>(m, cpu, prev, log);
    }

    template <bool smp, QueueForm form>
    [[gnu::always_inline]] static Decision schedule(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) {
        GoodnessQueue<Rules, form, smp ? QueueCpus::any : QueueCpus::one> queue(m);
        if (rr_slice_used_up(m, prev)) {
            m.counter[prev] = m.priority[prev];
            queue.move_last(prev);
            if (log != nullptr) log->prev_renewed = true;
        }
        if (m.task[prev].state != TaskState::runnable) queue.remove(prev);
        m.task[prev].processor = Task::kNoProcessor;  // lets the search choose prev again

        const SearchResult found = queue.find_best(
            Goodness<smp>{m, prev, cpu}, {.goodness = kNotEligible, .next = cpu, .considered = 0}, prev, log);
        Decision decision{.next = found.next, .considered = found.considered};

        // Every runnable task has used up its slice. 2.0 does not search again after the recalculation: the
        // first task of the queue runs.
        if (found.goodness == 0) [[unlikely]]
            queue.recalculate(prev, decision, log);

        queue.finish_schedule(cpu, prev, decision);
        return decision;
    }
};

std::vector<PseudoLine> pseudo_code(const PolicyOptions& options) {
    const std::string& rule = options.at("yield");
    return {
        {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
        {Phase::yield, 1,
         rule == "original"   ? "sched_yield(): the caller moves to the tail, its counter = 0"
         : rule == "one_tick" ? "sched_yield(): the caller moves to the tail, its counter - 1"
                              : "sched_yield(): the caller moves to the tail, and that is all"},
        {Phase::begin, 0, "schedule(): prev = the running task, best = none"},
        {Phase::renew, 1, "prev is rr and its slice is used up? a new one, and to the tail"},
        {Phase::leave, 1, "prev is no longer runnable? off the queue"},
        {Phase::consider, 0, "for each task on the queue, from the head: weigh it"},
        {Phase::consider, 1, "fifo or rr: 1000 + rt_priority; any other: its counter, and 0 stays 0"},
        {Phase::consider, 1, "several CPUs: +20 if it ran last on this CPU; and +1 if it is prev"},
        {Phase::keep, 1, "more than the best so far? keep it; of equals, the first stays"},
        {Phase::recalc_test, 0, "is the best goodness 0, every slice used up?"},
        {Phase::recalculate, 1, "each task, asleep too: counter = counter/2 + priority; no new search"},
        {Phase::switch_context, 0, "is the best not prev? save prev's context, load that of the best"},
        {Phase::switch_mm, 1, "another address space? load its page tables, flush the TLB"},
        {Phase::resume, 0, "the best runs, or the idle task if there is none"},
    };
}

}  // namespace

PolicyInfo linux_2_0_policy() {
    return {
        .name = "linux-2.0",
        .summary = "Linux 2.0: search the whole run queue for the highest goodness",
        .source =
            "Linux 2.0.40 kernel/sched.c; yield=move_last_only from an early 2.0; one_tick from the 1997 "
            "patch",
        .options = Linux20Rules::options(),
        .criterion = "goodness",
        .pseudo_code = pseudo_code,
        .recorded_kernel = "linux-2.0",
        .system = "linux",
        .make = [](const PolicyOptions& options) { return std::make_unique<Linux20>(options); },
    };
}

std::vector<OptionInfo> Linux20Rules::options() {
    return {
        {"yield",
         {"original", "one_tick", "move_last_only"},
         "what sched_yield() costs its caller: the whole slice (2.0.30), one tick (the two-line patch of "
         "1997), or "
         "nothing, without asking for a reschedule (early 2.0)"},
        {"rt_wake_preempts",
         {"yes", "no"},
         "whether a woken fifo or rr task always preempts (2.0.40), or by its counter only (early 2.0)"},
    };
}

Linux20Rules::Linux20Rules(const PolicyOptions& options)
    : yield_(options.at("yield") == "original"   ? Yield::original
             : options.at("yield") == "one_tick" ? Yield::one_tick
                                                 : Yield::move_last_only),
      rt_wake_preempts_(options.at("rt_wake_preempts") == "yes") {}

void Linux20Rules::start(Machine& m, TaskId p) const { m.counter[p] = m.priority[p]; }

bool Linux20Rules::preempts(const Machine& m, TaskId woken, TaskId current) const {
    if (rt_wake_preempts_ && is_real_time(m.sched_class[woken])) return true;
    return m.counter[woken] > m.counter[current] + 3;
}

// wake_up_process() considers only `here`, the CPU on which it is called. Idle CPUs call schedule()
// continuously in the kernel, so an idle CPU also finds the woken task. The policy therefore requests a
// schedule() on `here` if the woken task preempts there, and on an idle CPU that the affinity permits. It
// makes no request on `here` if need_resched is already set there.
std::uint64_t Linux20Rules::reschedule(const Machine& m, TaskId woken, CpuId here) const {
    const TaskId current = m.cpu(here).current;
    const bool asks_here = !m.cpu(here).need_resched && m.may_run(woken, here) && preempts(m, woken, current);
    std::uint64_t cpus = asks_here ? std::uint64_t{1} << here : 0;
    const CpuId idle = idle_cpu_for(m, woken);
    if (idle != kNoCpu && !(asks_here && m.is_idle_task(current))) cpus |= std::uint64_t{1} << idle;
    return cpus != 0 ? cpus : Policy::reschedule(m, woken, here);
}

bool Linux20Rules::tick(Machine& m, TaskId p) const {
    // Only a counter below 0 sets need_resched: a slice of 20 lasts 21 ticks.
    if (--m.counter[p] >= 0) return false;
    m.counter[p] = 0;
    return true;
}

std::string Linux20Rules::wake_reason(const Machine& m, TaskId woken, TaskId current, bool /*needs_resched*/,
                                      const TaskNamer& name) const {
    if (rt_wake_preempts_ && is_real_time(m.sched_class[woken])) return real_time_reason(m, woken, name);
    return counter_margin_reason(m, woken, current, 3, name);
}

std::string Linux20Rules::tick_reason(const Machine& m, TaskId p, ReschedCheck::Point /*at*/,
                                      bool needs_resched, const TaskNamer& name) const {
    if (!needs_resched && m.counter[p] == 0)
        return fmt::format("{}'s counter is 0, and its slice ends at the next tick", name(p));
    return counter_left_reason(m, p, needs_resched, name);
}

void Linux20Rules::fork(Machine& m, TaskId parent, TaskId child) const {
    m.counter[parent] >>= 1;  // if the counter is odd, one tick is lost
    m.counter[child] = m.counter[parent];
}

bool Linux20Rules::apply_yield_to_counter(Machine& m, TaskId p) const {
    switch (yield_) {
        case Yield::original:
            m.counter[p] = 0;
            return true;
        case Yield::one_tick:
            if (m.counter[p] != 0) --m.counter[p];
            return true;
        case Yield::move_last_only:
            return false;
    }
    return false;
}

}  // namespace sim
