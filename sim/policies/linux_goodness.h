// What linux-2.2 and linux-2.4 have in common: a goodness() that knows the static priority and the address
// space, a mark for whoever has yielded, and the search.
//
// The weights are in one place. What a task that has yielded is worth, and when its mark goes, a version says
// itself.
#pragma once

#include "sim/policy.h"

namespace sim {

class LinuxGoodness : public Policy {
  public:
    const char* criterion() const override { return "goodness"; }
    bool keeps_running_task_queued() const override { return true; }

  protected:
    static constexpr TaskId kInitTask = 0;           // the head of the one run queue
    static constexpr std::int32_t kRealTime = 1000;  // goodness of fifo and rr, to which rt_priority adds
    static constexpr std::int32_t kNobody = -1000;  // schedule()'s start value: idle unless someone is better
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

    struct Found {
        std::int32_t goodness;
        TaskId next;
        std::uint32_t considered;
    };

    // The search loop: looks at every task on the queue, from the head, and answers the best, or `best` if
    // nobody is better. A task that another CPU runs is passed over. Fills `log` when there is one.
    static Found search(const Machine& m, const Look& look, Found best, DecisionLog* log) {
        if (log != nullptr) return logged_search(m, look, best, *log);
        return m.shape().cpus > 1 ? search<true>(m, look, best, [](auto...) {})
                                  : search<false>(m, look, best, [](auto...) {});
    }

    // Refills the counter of every task there is, asleep or not: half of what is left, plus grant(priority).
    template <class Grant>
    static void recalculate(Machine& m, Decision& decision, DecisionLog* log, Grant grant) {
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
            if (!m.is_live(p)) continue;
            const std::int32_t before = m.counter[p], after = (before >> 1) + grant(m.priority[p]);
            if (log != nullptr && after != before) log->refills.push_back({p, before, after});
            m.counter[p] = after;
        }
        ++decision.recalcs;
        decision.recalculated += m.globals().nr_tasks;
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
};

}  // namespace sim
