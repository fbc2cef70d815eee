// Linux 2.0: one unsorted run queue, searched from end to end for the highest goodness at every schedule().
//
// Source: kernel/sched.c of Linux 2.0.40, whose search, recalculation, list handling and tick are those
// of 2.0.30 (docs/model.md says how this is known): goodness(), schedule(), add_to_runqueue(),
// move_last_runqueue(), wake_up_process(), sys_sched_yield(), update_process_times(), do_fork(). Checked
// against recorded decisions of that kernel in tests/decisions/.
//
// Good at: a few runnable tasks, whoever slept goes first. Bad at: many runnable tasks (the search looks at
// each) and many tasks in all (the recalculation visits each, asleep or not).
//
// Added: affinity, which 2.0 does not have; a task that may not use this CPU counts as running elsewhere.
//
// Left out: with several CPUs, the one need_resched that all of them share; here each has its own. Signals,
// the bottom halves and the task queue that schedule() runs first; nothing here charges for them.
#include "sim/policies/linux_2_0.h"
#include "sim/policies/policies.h"

#include <array>

#include "sim/policies/goodness_lookup.h"
#include "sim/policies/indexed_queue.h"

namespace sim {
namespace {

// 2.0 i386 asm/smp.h. Added to the goodness of a task on the CPU that it last ran on; SMP kernels only.
constexpr std::int32_t kProcChangePenalty = 20;

// schedule() in our own words; what sched_yield() has done before is put in by the constructor.
constexpr std::array<PseudoLine, 14> kPseudoCode{{
    {Phase::enter, 0, "a system call, or an interrupt and need_resched, leads here"},
    {Phase::yield, 1, ""},
    {Phase::begin, 0, "schedule(): prev = the running task, best = nobody"},
    {Phase::renew, 1, "prev is rr and its slice is used up? a new one, and to the tail"},
    {Phase::leave, 1, "prev is no longer runnable? off the queue"},
    {Phase::consider, 0, "for each task on the queue, from the head: weigh it"},
    {Phase::consider, 2, "goodness = counter, +1 for prev; 0 stays 0; rt: 1000 + rt_priority"},
    {Phase::keep, 1, "more than the best so far? keep it; of equals, the first stays"},
    {Phase::recalc_test, 0, "is the best goodness 0, every slice used up?"},
    {Phase::refill, 1, "for every task, asleep or not: counter = counter / 2 + priority"},
    {Phase::refill, 1, "and no second search: the best stays the best"},
    {Phase::switch_context, 0, "is the best not prev? save prev's context, load that of the best"},
    {Phase::switch_mm, 1, "another address space? load its page tables, flush the TLB"},
    {Phase::resume, 0, "the best goes on, or the idle task if there is nobody"},
}};

class Linux20 final : public Linux20Rules {
  public:
    explicit Linux20(const PolicyOptions& options) : Linux20Rules(options) {
        switch (yield_rule()) {
            case Yield::original:
                pseudo_code_[1].text = "sched_yield(): the caller moves to the tail, its counter = 0";
                break;
            case Yield::one_tick:
                pseudo_code_[1].text = "sched_yield(): the caller moves to the tail, its counter - 1";
                break;
            case Yield::move_last_only:
                pseudo_code_[1].text = "sched_yield(): the caller moves to the tail, and that is all";
                break;
        }
    }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        if (m.ready.is_live()) catch_up_with(m, p);
        IndexedQueue(m).add_last(p);  // at the tail; the "put on front" in schedule()'s comment is stale
        if (m.ready.is_live()) show(m, p);
        return 0;
    }

    bool yield(Machine& m, TaskId p) const override {
        IndexedQueue(m).move_last(p);
        return yield_counter(m, p);
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        IndexedQueue queue(m);
        if (rr_slice_used_up(m, prev)) {
            m.counter[prev] = m.priority[prev];
            queue.move_last(prev);
            if (log != nullptr) log->prev_renewed = true;
        }
        if (m.task[prev].state != TaskState::runnable) queue.remove(prev);
        m.task[prev].processor = Task::kNoProcessor;  // so that the search may choose prev again
        if (m.ready.is_live())
            return m.shape().cpus > 1 ? choose_by_index<true>(m, cpu, prev)
                                      : choose_by_index<false>(m, cpu, prev);
        if (log != nullptr || m.shape().cpus > 1) [[unlikely]]
            return choose_apart(m, cpu, prev, log);
        return conclude(m, cpu, search<false>(m, prev, cpu, [](auto...) {}), nullptr);
    }

    bool keeps_running_task_queued() const override { return true; }
    std::span<const PseudoLine> pseudo_code() const override { return pseudo_code_; }
    bool matches_kernel(std::string_view recorded) const override { return recorded == "linux-2.0"; }

  private:
    static constexpr TaskId kInitTask = 0;             // the head of the one run queue
    static constexpr std::int32_t kRunning = kNobody;  // goodness of a task that this CPU cannot have

    // With several CPUs, or with a log. Not inline: the registers that it needs would have to be saved in
    // every pick_next().
    [[gnu::noinline]] static Decision choose_apart(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) {
        const Found found = m.shape().cpus > 1 ? search_apart<true>(m, prev, cpu, log)
                                               : search_apart<false>(m, prev, cpu, log);
        return conclude(m, cpu, found, log);
    }
    template <bool smp>
    static Found search_apart(const Machine& m, TaskId prev, CpuId cpu, DecisionLog* log) {
        return log != nullptr ? logged_search<smp>(m, prev, cpu, *log)
                              : search<smp>(m, prev, cpu, [](auto...) {});
    }

    // The rest of schedule(), once the queue has been searched.
    [[gnu::always_inline]] static Decision conclude(Machine& m, CpuId cpu, const Found& found,
                                                    DecisionLog* log) {
        Decision decision{.next = found.next, .considered = found.considered};

        // Every runnable task has used up its slice. The winner is already chosen, and 2.0 does not search
        // again: the first task of the queue runs, whatever the refill gives the others.
        if (found.goodness == 0) [[unlikely]]
            recalculate(m, decision, log);

        m.run_on(decision.next, cpu);
        if (m.ready.is_due(decision)) [[unlikely]]
            build_index(m);
        return decision;
    }

    // The search loop: looks at every task on the queue and tells note(task, goodness, best so far?) of each.
    template <bool smp, class Note>
    static Found search(const Machine& m, TaskId prev, CpuId cpu, Note note) {
        Found best{.goodness = kNobody, .next = cpu, .considered = 0};
        for (TaskId p = m.next_run[kInitTask]; p != kInitTask; p = m.next_run[p]) {
            const std::int32_t weight = goodness<smp>(m, p, prev, cpu);
            const bool better = weight > best.goodness;  // strictly: of equals, the first on the queue wins
            note(p, weight, better);
            best.goodness = better ? weight : best.goodness;
            best.next = better ? p : best.next;
            ++best.considered;
        }
        return best;
    }

    template <bool smp>
    static Found logged_search(const Machine& m, TaskId prev, CpuId cpu, DecisionLog& log) {
        const auto note = [&](TaskId p, std::int32_t weight, bool better) {
            const std::int32_t counter = m.counter[p];
            const bool plain = m.sched_class[p] == SchedClass::other && weight != kRunning;
            log.candidates.push_back({p, counter, plain ? weight - counter : 0, weight, better});
        };
        return search<smp>(m, prev, cpu, note);
    }

    template <bool smp>
    static std::int32_t goodness(const Machine& m, TaskId p, TaskId prev, CpuId cpu) {
        if (smp && (m.task[p].processor != Task::kNoProcessor || !m.may_run(p, cpu))) return kRunning;
        if (m.sched_class[p] != SchedClass::other) [[unlikely]]
            return kRealTime + m.rt_priority[p];
        std::int32_t weight = m.counter[p];
        if (weight == 0) return 0;  // and no bonus saves it
        if (smp && m.task[p].last_processor == cpu) weight += kProcChangePenalty;
        return weight + (p == prev ? 1 : 0);
    }

    // --- the same from the index (ready_index.h) ---

    static constexpr std::int32_t kHidden = ReadyIndex::kNoLevel;

    // What goodness() is without its bonuses; nobody needs a row for 0.
    static std::int32_t level(const Machine& m, TaskId p) {
        if (m.sched_class[p] != SchedClass::other) [[unlikely]]
            return ReadyIndex::kRealTime;
        return m.counter[p] > 0 ? m.counter[p] : kHidden;
    }

    // The level of p, which is on the queue, if it is ready; and who last ran where is counted, for the
    // bonus.
    template <bool smp>
    static std::int32_t counted_level(Machine& m, TaskId p) {
        if (smp && m.task[p].processor != Task::kNoProcessor) return kHidden;
        const std::int32_t l = level(m, p);
        if (smp && l != kHidden) m.ready.count_last_on(m.task[p].last_processor, 1);
        return l;
    }
    template <bool smp>
    static void show(Machine& m, TaskId p) {
        if (const std::int32_t l = counted_level<smp>(m, p); l != kHidden) m.ready.show(p, l);
    }
    static void show(Machine& m, TaskId p) { m.shape().cpus > 1 ? show<true>(m, p) : show<false>(m, p); }
    template <bool smp>
    static void hide(Machine& m, TaskId p) {
        if (smp) m.ready.count_last_on(m.task[p].last_processor, -1);
        m.ready.hide(p);
    }

    template <bool smp>
    static Found look_up(const Machine& m, TaskId prev, CpuId cpu) {
        const std::int32_t bonus = smp && m.ready.last_on(cpu) > 0 ? kProcChangePenalty : 0;
        return sim::look_up<smp>(m, {.goodness = kNobody, .next = cpu, .considered = 0}, prev, bonus,
                                 [&](TaskId p) { return goodness<smp>(m, p, prev, cpu); });
    }

    template <bool smp>
    [[gnu::noinline]] static Decision choose_by_index(Machine& m, CpuId cpu, TaskId prev) {
        const Found found = look_up<smp>(m, prev, cpu);
        Decision decision{.next = found.next, .considered = found.considered};
        if (found.goodness == 0) [[unlikely]]
            recalculate_queued(m, decision,
                               [&](TaskId p) { return p == prev ? kHidden : counted_level<smp>(m, p); });
        if (decision.next != prev) {
            if (m.ready.is_queued(prev)) show<smp>(m, prev);
            if (m.ready.shows(decision.next)) hide<smp>(m, decision.next);
        }
        m.run_on(decision.next, cpu);
        if (m.ready.is_idle(decision)) [[unlikely]]
            drop_index(m, grant);
        return decision;
    }

    [[gnu::noinline]] static void build_index(Machine& m) {
        index_queue(m, 0, false, [&](TaskId p) { show(m, p); });
    }

    std::array<PseudoLine, 14> pseudo_code_ = kPseudoCode;
};

}  // namespace

PolicyInfo linux_2_0_policy() {
    return {
        .name = "linux-2.0",
        .summary = "Linux 2.0: search the whole run queue for the highest goodness",
        .source =
            "Linux 2.0.40 kernel/sched.c; yield=move_last_only from an early 2.0; one_tick from the 1997 "
            "patch",
        .options = Linux20Rules::options(),
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
    if (rt_wake_preempts_ && m.sched_class[woken] != SchedClass::other) return true;
    return m.counter[woken] > m.counter[current] + 3;
}

// wake_up_process() looks at the CPU that it runs on and at no other; but idle CPUs call schedule() over and
// over, so one of them takes the task as well if it can; and if this CPU has been asked already, it is
// somebody else whom it will find.
std::uint64_t Linux20Rules::reschedule(const Machine& m, TaskId woken, CpuId here) const {
    const TaskId current = m.cpu(here).current;
    const bool asks_here = !m.cpu(here).need_resched && m.may_run(woken, here) && preempts(m, woken, current);
    std::uint64_t cpus = asks_here ? std::uint64_t{1} << here : 0;
    const CpuId idle = idle_cpu_for(m, woken);
    if (idle != kNoCpu && !(asks_here && m.is_idle_task(current))) cpus |= std::uint64_t{1} << idle;
    return cpus != 0 ? cpus : Policy::reschedule(m, woken, here);
}

bool Linux20Rules::tick(Machine& m, TaskId p) const {
    if (--m.counter[p] >= 0) return false;  // reaching 0 is not enough: a slice of 20 lasts 21 ticks
    m.counter[p] = 0;
    return true;
}

void Linux20Rules::fork(Machine& m, TaskId parent, TaskId child) const {
    m.counter[parent] >>= 1;  // an odd tick is lost
    m.counter[child] = m.counter[parent];
    if (m.ready.is_live()) m.ready.has_all_refills(child);
}

bool Linux20Rules::yield_counter(Machine& m, TaskId p) const {
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

void Linux20Rules::recalculate(Machine& m, Decision& decision, DecisionLog* log) {
    const TaskId first = m.first_task();
    const TaskId end = m.globals().high_row;
    if (log != nullptr) {
        for (TaskId p = first; p < end; ++p) {
            if (!m.is_live(p)) continue;
            const std::int32_t after = (m.counter[p] >> 1) + m.priority[p];
            if (after != m.counter[p]) log->refills.push_back({p, m.counter[p], after});
        }
    }
    // Free rows are refilled with the rest: their priority is 0, and the loop stays one of vectors.
    std::int32_t* const counter = m.counter.data();
    const std::int32_t* const priority = m.priority.data();
    for (TaskId p = first; p < end; ++p) counter[p] = (counter[p] >> 1) + priority[p];
    count_recalculation(m, decision);
}

}  // namespace sim
