// What linux-2.2 and linux-2.4 have in common: a goodness() that knows the static priority and the address
// space, a mark for whoever has yielded, and the search.
//
// The weights are in one place. What a task that has yielded is worth, and when its mark goes, a version says
// itself.
#pragma once

#include "sim/core/policy.h"
#include "sim/policies/goodness_lookup.h"
#include "sim/policies/indexed_queue.h"
#include "sim/policies/refill.h"

namespace sim {

class LinuxGoodness : public Policy {
  public:
    const char* criterion() const override { return "goodness"; }
    bool keeps_running_task_queued() const override { return true; }
    void settle(Machine& m) const override { catch_up_all(m, grant_); }

  protected:
    // What a refill adds to half of what is left of a counter, by priority.
    using Grant = std::int32_t (*)(std::int32_t priority);

    // `adds_first`: whoever wakes joins the queue at its head.
    LinuxGoodness(Grant grant, bool adds_first) : grant_(grant), adds_first_(adds_first) {}

    static constexpr TaskId kInitTask = 0;           // the head of the one run queue
    static constexpr std::int32_t kRealTime = 1000;  // goodness of fifo and rr, to which rt_priority adds
    static constexpr std::int32_t kProcChangePenalty = 15;  // i386; for the last CPU; SMP kernels only

    // SCHED_YIELD, a bit of task->policy in the kernel: set by sched_yield(), cleared by a schedule() after.
    static bool has_yielded(const Machine& m, TaskId p) { return m.task[p].mark != 0; }
    static void set_yielded(Machine& m, TaskId p, bool yielded) { m.task[p].mark = yielded ? 1 : 0; }

    // From where goodness() looks.
    struct Look {
        CpuId cpu;
        MmId mm;                 // the address space that is worth a point
        bool kernel_threads;     // whether a task that has none of its own is worth it, too
        std::int32_t a_yielder;  // the goodness of a task that has yielded
    };

    template <bool smp>
    static std::int32_t goodness(const Machine& m, TaskId p, const Look& look) {
        if (has_yielded(m, p)) [[unlikely]]
            return look.a_yielder;
        if (m.sched_class[p] != SchedClass::other) [[unlikely]]
            return kRealTime + m.rt_priority[p];
        std::int32_t weight = m.counter[p];
        if (weight == 0) return 0;  // no bonus and no priority saves it
        if (smp && m.task[p].last_processor == look.cpu) weight += kProcChangePenalty;
        return weight + for_mm(m, p, look) + m.priority[p];
    }
    static std::int32_t goodness(const Machine& m, TaskId p, const Look& look) {
        return m.shape().cpus > 1 ? goodness<true>(m, p, look) : goodness<false>(m, p, look);
    }

    // The best on the queue, or `best` if nobody is better. prev runs no more, and is on the queue if it can
    // be chosen again. Fills `log` when there is one.
    static Found find(const Machine& m, const Look& look, Found best, TaskId prev, DecisionLog* log) {
        if (m.ready.is_live())
            return m.shape().cpus > 1 ? look_up<true>(m, look, best, prev)
                                      : look_up<false>(m, look, best, prev);
        if (log != nullptr) return logged_search(m, look, best, *log);
        return m.shape().cpus > 1 ? search<true>(m, look, best, [](auto...) {})
                                  : search<false>(m, look, best, [](auto...) {});
    }

    void join(Machine& m, TaskId p) const {
        if (m.ready.is_live()) catch_up(m, p, grant_);
        if (adds_first_)
            IndexedQueue(m).add_first(p);
        else
            IndexedQueue(m).add_last(p);
        if (m.ready.is_live()) show(m, p);
    }

    // A forked task has a counter.
    static void has_begun(Machine& m, TaskId child) {
        if (m.ready.is_live()) m.ready.has_all_refills(child);
    }

    // The end of schedule(): the task that it has chosen runs instead of prev, which is ready or gone.
    void run_on(Machine& m, TaskId prev, const Decision& decision, CpuId cpu) const {
        const TaskId next = decision.next;
        if (!m.ready.is_live()) {
            m.run_on(next, cpu);
            if (m.ready.is_due(decision)) [[unlikely]]
                build_index(m);
            return;
        }
        if (next != prev) {
            if (m.ready.is_queued(prev)) show(m, prev);
            if (m.ready.shows(next)) hide(m, next);
        }
        m.run_on(next, cpu);
        if (m.ready.is_idle(decision)) [[unlikely]]
            drop_index(m, grant_);
    }

    // The counter of any task, which may be asleep.
    std::int32_t counter_of(Machine& m, TaskId p) const {
        if (m.ready.is_live() && !m.ready.is_queued(p)) catch_up(m, p, grant_);
        return m.counter[p];
    }
    // Sets it to what change(its value) answers. REQUIRES: schedule() is over.
    template <class Change>
    void change_counter(Machine& m, TaskId p, Change change) const {
        const std::int32_t before = counter_of(m, p);
        const bool queued = m.ready.is_live() && m.ready.is_queued(p);
        if (queued && m.ready.shows(p)) hide(m, p);
        m.counter[p] = change(before);
        if (queued) show(m, p);
    }

    // Refills the counter of every task there is, asleep or not: half of what is left, plus what the priority
    // grants. prev is about to be chosen or shown.
    void recalculate(Machine& m, TaskId prev, Decision& decision, DecisionLog* log) const {
        ++decision.recalcs;
        decision.recalculated += m.globals().nr_tasks;
        if (m.ready.is_live()) {
            refill_queued(m, grant_, [&](TaskId p) { return p == prev ? kHidden : counted_level(m, p); });
            return;
        }
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
            if (!m.is_live(p)) continue;
            const std::int32_t before = m.counter[p], after = (before >> 1) + grant_(m.priority[p]);
            if (log != nullptr && after != before) log->refills.push_back({p, before, after});
            m.counter[p] = after;
        }
    }

  private:
    static std::int32_t for_mm(const Machine& m, TaskId p, const Look& look) {
        const MmId mm = m.task[p].mm;
        return mm == look.mm || (look.kernel_threads && mm == kKernelMm) ? 1 : 0;
    }

    template <bool smp, class Note>
    static Found search(const Machine& m, const Look& look, Found best, Note note) {
        for (TaskId p = m.next_run[kInitTask]; p != kInitTask; p = m.next_run[p]) {
            ++best.considered;
            if (smp && m.task[p].processor != Task::kNoProcessor) {  // 2.2: can_schedule() is about has_cpu
                note(p, kNobody, false, Remark::elsewhere);
                continue;
            }
            if (smp && !m.may_run(p, look.cpu)) {  // 2.4: can_schedule() is about cpus_allowed, too
                note(p, kNobody, false, Remark::not_allowed);
                continue;
            }
            const std::int32_t weight = goodness<smp>(m, p, look);
            const bool better = weight > best.goodness;  // strictly: of equals, the first on the queue wins
            note(p, weight, better, has_yielded(m, p) ? Remark::yielded : Remark::none);
            best.goodness = better ? weight : best.goodness;
            best.next = better ? p : best.next;
        }
        return best;
    }

    static Found logged_search(const Machine& m, const Look& look, const Found& from, DecisionLog& log) {
        // Whom the search began with is the best so far when it comes to him, unless somebody was better.
        TaskId best = from.next;
        const auto note = [&](TaskId p, std::int32_t weight, bool better, Remark remark) {
            if (better) best = p;
            const std::int32_t counter = m.counter[p];
            Candidate candidate{p, counter, 0, weight, p == best, remark};
            if (m.sched_class[p] == SchedClass::other && counter != 0 && remark == Remark::none) {
                candidate.bonus = weight - counter;
                candidate.for_priority = m.priority[p];
                candidate.for_mm = for_mm(m, p, look);
            }
            log.candidates.push_back(candidate);
        };
        return m.shape().cpus > 1 ? search<true>(m, look, from, note) : search<false>(m, look, from, note);
    }

    // --- the same from the index (ready_index.h) ---

    static constexpr std::int32_t kHidden = ReadyIndex::kNoLevel;

    // What goodness() is without its bonuses. Nobody needs a row for 0, nor for whoever has yielded.
    static std::int32_t level(const Machine& m, TaskId p) {
        if (has_yielded(m, p)) return kHidden;
        if (m.sched_class[p] != SchedClass::other) [[unlikely]]
            return ReadyIndex::kRealTime;
        return m.counter[p] > 0 ? m.counter[p] + m.priority[p] : kHidden;
    }

    static void count_bonuses(Machine& m, TaskId p, std::int32_t change) {
        m.ready.count_last_on(m.task[p].last_processor, change);
        m.ready.count_with_mm(m.task[p].mm, change);
    }
    static std::int32_t counted_level(Machine& m, TaskId p) {
        if (m.task[p].processor != Task::kNoProcessor) return kHidden;
        const std::int32_t l = level(m, p);
        if (l != kHidden) count_bonuses(m, p, 1);
        return l;
    }
    static void show(Machine& m, TaskId p) {
        if (const std::int32_t l = counted_level(m, p); l != kHidden) m.ready.show(p, l);
    }
    static void hide(Machine& m, TaskId p) {
        count_bonuses(m, p, -1);
        m.ready.hide(p);
    }

    template <bool smp>
    static Found look_up(const Machine& m, const Look& look, const Found& best, TaskId prev) {
        std::uint32_t mates = m.ready.with_mm(look.mm);
        if (look.kernel_threads && look.mm != kKernelMm) mates += m.ready.with_mm(kKernelMm);
        std::int32_t bonus = mates > 0 ? 1 : 0;
        if (smp && m.ready.last_on(look.cpu) > 0) bonus += kProcChangePenalty;
        return sim::look_up<smp>(m, best, prev, bonus, [&](TaskId p) {
            if (smp && (m.task[p].processor != Task::kNoProcessor || !m.may_run(p, look.cpu))) return kNobody;
            return goodness<smp>(m, p, look);
        });
    }

    [[gnu::noinline]] void build_index(Machine& m) const {
        index_queue(m, m.shape().mms, adds_first_, [&](TaskId p) { show(m, p); });
    }

    Grant grant_;
    bool adds_first_;
};

}  // namespace sim
