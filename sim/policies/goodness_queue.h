// The run queue of Linux 2.0, 2.2 and 2.4: the list, and the search for the highest goodness on it.
//
// The queue decides by itself how it finds the best. It walks the list, as the kernel does, or, when walks
// have been long for a while, looks the best up in the index of the ready tasks (ready_index.h), which it
// then keeps in step with the list. Both find the same task and are charged the same, and with a DecisionLog
// it always walks: docs/faster_than_the_scan.md.
//
// What a kernel's goodness is, its policy says in two types.
//   Rules:    grant(priority)  what a refill adds to half of what is left of a counter
//             level(m, p)      goodness() without what depends on who asks: p's row of the index. kRealTime
//                              for fifo and rr; kNoLevel where it is 0 or less, for which no row is needed
//             kCountsMm        whether goodness() knows the address space
//   Goodness, of one call of schedule(), a few words that are passed by value:
//             weigh(p)         p's goodness; kNobody if this CPU cannot have it
//             most_bonus()     the most that anybody in the rows of the index has beyond its level
//             candidate(p, weight, best)  how the search logs p
#pragma once

#include "sim/core/missed_refills.h"
#include "sim/core/run_queue.h"
#include "sim/policies/refill.h"

namespace sim {

// What a search has found.
struct Found {
    std::int32_t goodness;
    TaskId next;
    std::uint32_t considered;  // tasks on the queue
};

inline constexpr std::int32_t kNobody = -1000;  // schedule()'s start value: idle unless someone is better

// The forms that the queue has from one call of schedule() to the next: a list that is walked, or a list and
// an index. schedule() is compiled for each, and asks once which one it is.
enum class QueueForm : std::uint8_t { list, index, either };
// Likewise for what is not asked on a machine with one CPU.
enum class QueueCpus : std::uint8_t { one, any };

template <class Rules, QueueForm form = QueueForm::either, QueueCpus cpus = QueueCpus::any>
class GoodnessQueue {
  public:
    // REQUIRES: this is its form now, and so many CPUs the machine has.
    explicit GoodnessQueue(Machine& m) : m_(m), list_(m, kInitTask) {
        assert(form == QueueForm::either || (form == QueueForm::index) == m.ready.is_live());
    }

    // --- the list ---

    // p, which has become ready, joins the queue.
    void add_first(TaskId p) {
        list_.insert_before(list_.first(), p);
        if (!has_index()) return;
        give_missed_refills(m_, p);
        m_.ready.add_first(p);
        show(m_, p);
    }
    void add_last(TaskId p) {
        list_.add_last(p);
        if (!has_index()) return;
        give_missed_refills(m_, p);
        m_.ready.add_last(p);
        show(m_, p);
    }
    // REQUIRES: p runs.
    void move_last(TaskId p) {
        list_.move_last(p);
        if (has_index()) m_.ready.move_last(p);
    }
    // REQUIRES: p ran until now.
    void remove(TaskId p) {
        list_.remove(p);
        if (has_index()) m_.ready.remove(p);
    }

    // --- schedule() ---

    // The best on the queue, or whom the search begins with if nobody is better; of equals, the first. prev
    // runs no more, and is on the queue if it can be chosen again.
    template <class Goodness>
    [[gnu::always_inline]] Found best(Goodness goodness, Found begin, TaskId prev, DecisionLog* log) const {
        if (has_index()) return look_up(m_, goodness, begin, prev);
        if (log != nullptr) [[unlikely]]
            return logged_search(m_, goodness, begin, *log);
        return search(m_, goodness, begin, [](auto...) {});
    }

    // Refills the counter of every task there is, asleep or not. prev is chosen or ready.
    [[gnu::always_inline]] void refill(TaskId prev, Decision& decision, DecisionLog* log) const {
        count_recalculation(m_, decision);
        has_index() ? refill_queued(m_, prev) : refill_all<Rules>(m_, log);
    }

    // The end of schedule(): the task that it has chosen runs on this CPU instead of prev, which is ready or
    // gone.
    [[gnu::always_inline]] void run_on(CpuId cpu, TaskId prev, const Decision& decision) const {
        if (has_index()) {
            switch_in_rows(prev, decision.next);
            m_.run_on(decision.next, cpu);
            if (m_.ready.is_idle(ReadyIndex::price_of_walk(decision))) [[unlikely]]
                drop_index(m_);
        } else {
            m_.run_on(decision.next, cpu);
            if (m_.ready.is_due(ReadyIndex::price_of_walk(decision))) [[unlikely]]
                build_index(m_);
        }
    }

    // --- the counter of any task, which may be asleep, between two calls of schedule() ---

    std::int32_t counter(TaskId p) const {
        if (has_index() && !m_.ready.is_queued(p)) give_missed_refills(m_, p);
        return m_.counter[p];
    }
    // REQUIRES: counter(p) has been asked for.
    void set_counter(TaskId p, std::int32_t counter) const {
        const bool queued = has_index() && m_.ready.is_queued(p);
        if (queued && m_.ready.shows(p)) hide(m_, p);
        m_.counter[p] = counter;
        if (queued && m_.task[p].processor == Task::kNoProcessor) show(m_, p);
    }

  private:
    static constexpr TaskId kInitTask = 0;  // the head of the list
    static constexpr std::int32_t kHidden = ReadyIndex::kNoLevel;

    bool has_index() const {
        return form == QueueForm::index || (form == QueueForm::either && m_.ready.is_live());
    }

    static bool has_cpus(const Machine& m) { return cpus == QueueCpus::any && m.shape().cpus > 1; }

    // The search loop: tells note(task, goodness, is it the best so far?) of each task.
    template <class Goodness, class Note>
    [[gnu::always_inline]] static Found search(const Machine& m, Goodness goodness, Found best, Note note) {
        for (TaskId p = m.next_run[kInitTask]; p != kInitTask; p = m.next_run[p]) {
            const std::int32_t weight = goodness.weigh(p);
            const bool better = weight > best.goodness;  // strictly: of equals, the first on the queue wins
            note(p, weight, better);
            best.goodness = better ? weight : best.goodness;
            best.next = better ? p : best.next;
            ++best.considered;
        }
        return best;
    }

    template <class Goodness>
    [[gnu::noinline]] static Found logged_search(const Machine& m, Goodness goodness, Found begin,
                                                 DecisionLog& log) {
        // Whom the search began with is the best so far when it comes to him, unless somebody was better.
        TaskId best = begin.next;
        return search(m, goodness, begin, [&](TaskId p, std::int32_t weight, bool better) {
            if (better) best = p;
            log.candidates.push_back(goodness.candidate(p, weight, p == best));
        });
    }

    // --- the same from the index. It holds everybody on the list, and shows who is ready and has a goodness
    // above 0 in the row of its level. Whoever runs is hidden, and so can be ticked, and can yield, without a
    // change of rows. ---

    // A goodness above 0 is a level, which is the same whoever asks, and a bonus. So rows are looked at from
    // the highest down, and no further than a bonus could reach; without bonuses the first task of the first
    // row is the one. Where nobody has anything left, the first on the queue with goodness 0 is the one: the
    // walk to it passes only tasks that cannot be chosen.
    template <class Goodness>
    [[gnu::always_inline]] static Found look_up(const Machine& m, Goodness goodness, Found best,
                                                TaskId prev) {
        const ReadyIndex& ready = m.ready;
        best.considered += ready.queued();

        std::int32_t top = kNobody;
        TaskId next = kNoTask;
        const auto consider = [&](TaskId p, std::int32_t weight) {
            if (weight < top || weight == kNobody) return;
            if (weight == top && ready.place(p) > ready.place(next)) return;
            top = weight;
            next = p;
        };
        const std::int32_t most_bonus = goodness.most_bonus();
        std::int32_t level = ready.highest();
        if (!has_cpus(m) && most_bonus == 0 && level != ReadyIndex::kRealTime) [[likely]] {
            // On one CPU everybody on the queue can be chosen.
            if (level != ReadyIndex::kNoLevel) consider(ready.first(level), level);
        } else {
            const auto next_in_row = [&](TaskId p) { return ready.first(level, ready.place(p) + 1); };
            if (level == ReadyIndex::kRealTime) {
                for (TaskId p = ready.first(level); p != kNoTask; p = next_in_row(p))
                    consider(p, goodness.weigh(p));
                level = ready.highest(level);
            }
            for (; level != ReadyIndex::kNoLevel && level + most_bonus >= top; level = ready.highest(level)) {
                for (TaskId p = ready.first(level); p != kNoTask; p = next_in_row(p)) {
                    const std::int32_t weight = goodness.weigh(p);
                    consider(p, weight);
                    if (weight == level + most_bonus) break;  // nobody behind it in this row can be better
                }
            }
        }
        if (ready.is_queued(prev)) consider(prev, goodness.weigh(prev));
        if (top > 0) [[likely]] {
            if (top > best.goodness) {
                best.goodness = top;
                best.next = next;
            }
            return best;
        }
        for (TaskId p = m.next_run[kInitTask]; p != kInitTask && best.goodness < 0; p = m.next_run[p]) {
            const std::int32_t weight = goodness.weigh(p);
            if (weight <= best.goodness) continue;
            best.goodness = weight;
            best.next = p;
        }
        return best;
    }

    // A refill: at once of the tasks on the queue, whose rows are made anew, and of the others when they
    // wake. prev, which is weighed by itself, stays hidden.
    //
    // The walk over the queue is paid for: with one CPU, each of its tasks has used up a slice since the last
    // refill, or given it away, or joined. (Not so where affinities let a refill come while others still have
    // theirs.)
    [[gnu::noinline]] static void refill_queued(Machine& m, TaskId prev) {
        m.ready.count_refill();
        m.ready.show_all([&](TaskId p) {
            m.counter[p] = (m.counter[p] >> 1) + Rules::grant(m.priority[p]);
            return p == prev ? kHidden : counted_level(m, p);
        });
    }

    void switch_in_rows(TaskId prev, TaskId next) const {
        if (next == prev) return;
        if (m_.ready.is_queued(prev)) show(m_, prev);
        if (m_.ready.shows(next)) hide(m_, next);
    }

    [[gnu::noinline]] static void build_index(Machine& m) {
        const MachineShape& shape = m.shape();
        m.ready.build({.tasks = shape.cpus + shape.tasks,
                       .cpus = shape.cpus,
                       .mms = Rules::kCountsMm ? shape.mms : 0,
                       .grant = Rules::grant});
        for (TaskId p = m.next_run[kInitTask]; p != kInitTask; p = m.next_run[p]) {
            m.ready.add_last(p);
            if (m.task[p].processor == Task::kNoProcessor) show(m, p);
        }
    }

    [[gnu::noinline]] static void drop_index(Machine& m) {
        give_all_missed_refills(m);
        m.ready.drop();
    }

    // Counts that p is shown (1), or is so no more (-1), for the bonuses.
    static void count_bonuses(Machine& m, TaskId p, std::int32_t change) {
        if (has_cpus(m)) m.ready.count_last_on(m.task[p].last_processor, change);
        if (Rules::kCountsMm) m.ready.count_with_mm(m.task[p].mm, change);
    }
    // The level of p, which is on the queue and, with one CPU, does not run.
    static std::int32_t counted_level(Machine& m, TaskId p) {
        if (has_cpus(m) && m.task[p].processor != Task::kNoProcessor) return kHidden;
        const std::int32_t level = Rules::level(m, p);
        if (level != kHidden) count_bonuses(m, p, 1);
        return level;
    }
    static void show(Machine& m, TaskId p) {
        if (const std::int32_t level = counted_level(m, p); level != kHidden) m.ready.show(p, level);
    }
    static void hide(Machine& m, TaskId p) {
        count_bonuses(m, p, -1);
        m.ready.hide(p);
    }

    Machine& m_;
    RunQueue list_;
};

}  // namespace sim
