// The run queue of Linux 2.0, 2.2 and 2.4: a list, and the search for the highest goodness.
//
// The queue walks the list, as the kernel does. After a series of long walks it looks up the best task in the
// index of ready tasks (ready_index.h) instead, and keeps the index consistent with the list. Both ways find
// the same task, and the simulated cost is always that of the walk. With a DecisionLog, the queue always
// walks the list (docs/explanation/ready_index.md).
//
// A policy defines its kernel's goodness in two types.
//   Rules:
//     grant(priority): ticks that a recalculation adds to half of a counter
//     level(m, p): number of p's row in the index. The number is the sum of those terms of goodness() that do
//     not depend on the caller. kRealTime: p is a fifo or rr task; kNoLevel (no row): the sum is 0 or less
//     kCountsMm: true if goodness() depends on the address space
//   Goodness, an object of a few words for one call of schedule(), passed by value:
//     goodness_if_eligible(p): p's goodness; kNotEligible if this CPU cannot run p
//     max_bonus(): maximum of goodness minus level over the tasks shown in the index
//     candidate(p, weight, best): p's entry in the log
#pragma once

#include "sim/core/missed_recalculations.h"
#include "sim/core/run_queue.h"
#include "sim/policies/recalculation.h"

namespace sim {

// Result of a search for the highest goodness.
struct SearchResult {
    std::int32_t goodness;
    TaskId next;
    std::uint32_t considered;  // number of tasks on the queue
};

// Goodness of a task that the CPU cannot run. A search begins with this value, because the idle task is
// chosen if all tasks on the queue have this value.
inline constexpr std::int32_t kNotEligible = -1000;

// Forms of the queue: `list` is a list only, `index` is a list and an index. The form changes only between
// two calls of schedule(). schedule() is compiled separately for `list` and for `index`, so that it need not
// test the form repeatedly. `either`: the other functions test the form at run time.
enum class QueueForm : std::uint8_t { list, index, either };
// schedule() is also compiled for machines with one CPU, which need fewer tests.
enum class QueueCpus : std::uint8_t { one, any };

template <class Rules, QueueForm form = QueueForm::either, QueueCpus cpus = QueueCpus::any>
class GoodnessQueue {
  public:
    // REQUIRES: the template arguments match the machine and the queue's current form.
    explicit GoodnessQueue(Machine& m) : m_(m), list_(m, kInitTask) {
        assert(form == QueueForm::either || (form == QueueForm::index) == m.ready.is_live());
    }

    // --- the list ---

    // Adds p at the head of the queue; add_last() adds p at the tail. REQUIRES: p has become ready.
    void add_first(TaskId p) {
        list_.insert_before(list_.first(), p);
        if (!has_index()) return;
        apply_missed_recalculations(m_, p);
        m_.ready.add_first(p);
        make_selectable(m_, p);
    }
    void add_last(TaskId p) {
        list_.add_last(p);
        if (!has_index()) return;
        apply_missed_recalculations(m_, p);
        m_.ready.add_last(p);
        make_selectable(m_, p);
    }
    // Moves p to the tail of the queue. REQUIRES: p is running.
    void move_last(TaskId p) {
        list_.move_last(p);
        if (has_index()) m_.ready.move_last(p);
    }
    // Removes p from the queue. REQUIRES: p was running until now.
    void remove(TaskId p) {
        list_.remove(p);
        if (has_index()) m_.ready.remove(p);
    }

    // --- schedule() ---

    // Returns the task of highest goodness; among equals, the first on the list. Returns `initial_best` if no
    // task is better. REQUIRES: prev is no longer running; prev is on the queue if it may be chosen again.
    template <class Goodness>
    [[gnu::always_inline]] SearchResult find_best(Goodness goodness, SearchResult initial_best, TaskId prev,
                                                  DecisionLog* log) const {
        if (has_index()) return find_best_in_index(m_, goodness, initial_best, prev);
        if (log != nullptr) [[unlikely]]
            return search_list_logged(m_, goodness, initial_best, *log);
        return search_list(m_, goodness, initial_best, [](auto...) {});
    }

    // Recalculates the counter of every task, asleep or not.
    [[gnu::always_inline]] void recalculate(TaskId prev, Decision& decision, DecisionLog* log) const {
        count_recalculation(m_, decision);
        has_index() ? recalculate_queued(m_, prev) : recalculate_all<Rules>(m_, log);
    }

    // Ends schedule(): from now on, this CPU runs decision.next instead of prev.
    [[gnu::always_inline]] void finish_schedule(CpuId cpu, TaskId prev, const Decision& decision) const {
        if (has_index()) {
            update_index_for_switch(prev, decision.next);
            m_.set_running_task(decision.next, cpu);
            if (m_.ready.should_drop_index(ReadyIndex::cost_of_walk(decision))) [[unlikely]]
                drop_index(m_);
        } else {
            m_.set_running_task(decision.next, cpu);
            if (m_.ready.should_build_index(ReadyIndex::cost_of_walk(decision))) [[unlikely]]
                build_index(m_);
        }
    }

    // --- the counter of any task, asleep or not, between two calls of schedule() ---

    std::int32_t counter(TaskId p) const {
        if (has_index() && !m_.ready.is_queued(p)) apply_missed_recalculations(m_, p);
        return m_.counter[p];
    }
    // Sets the counter of p and updates p's row in the index. REQUIRES: counter(p) has been called, because
    // it applies the recalculations that p has missed.
    void set_counter(TaskId p, std::int32_t counter) const {
        const bool queued = has_index() && m_.ready.is_queued(p);
        if (queued && m_.ready.is_selectable(p)) make_unselectable(m_, p);
        m_.counter[p] = counter;
        if (queued && m_.task[p].processor == Task::kNoProcessor) make_selectable(m_, p);
    }

  private:
    static constexpr TaskId kInitTask = 0;  // the head of the list
    static constexpr std::int32_t kHidden = ReadyIndex::kNoLevel;

    bool has_index() const {
        return form == QueueForm::index || (form == QueueForm::either && m_.ready.is_live());
    }

    static bool has_several_cpus(const Machine& m) { return cpus == QueueCpus::any && m.shape().cpus > 1; }

    // The search loop. Calls note(task, goodness, better) for each task; `better`: this task is better than
    // the best so far.
    template <class Goodness, class Note>
    [[gnu::always_inline]] static SearchResult search_list(const Machine& m, Goodness goodness,
                                                           SearchResult best, Note note) {
        for (TaskId p = m.next_run[kInitTask]; p != kInitTask; p = m.next_run[p]) {
            const std::int32_t weight = goodness.goodness_if_eligible(p);
            // Strictly greater, so the first of several tasks with equal goodness is chosen.
            const bool better = weight > best.goodness;
            note(p, weight, better);
            best.goodness = better ? weight : best.goodness;
            best.next = better ? p : best.next;
            ++best.considered;
        }
        return best;
    }

    template <class Goodness>
    [[gnu::noinline]] static SearchResult search_list_logged(const Machine& m, Goodness goodness,
                                                             SearchResult initial_best, DecisionLog& log) {
        // The best task so far; at first the initial best task, which can also be on the list. The log entry
        // of a task has `best` set if the task is the best so far.
        TaskId best = initial_best.next;
        return search_list(m, goodness, initial_best, [&](TaskId p, std::int32_t weight, bool better) {
            if (better) best = p;
            log.candidates.push_back(goodness.candidate(p, weight, p == best));
        });
    }

    // --- search with the index ---
    //
    // The index contains all tasks of the list. It shows a task in the row of its level if it is ready and
    // its goodness is above 0. Running tasks are hidden, so that a tick or a yield does not change rows.

    // A goodness above 0 is the level, which does not depend on the caller, plus a bonus. So rows are
    // searched from the highest down, until no bonus can make a lower row better. Without bonuses, the first
    // task of the highest row is the best. If no goodness is above 0, the list is walked up to the first task
    // with goodness 0.
    template <class Goodness>
    [[gnu::always_inline]] static SearchResult find_best_in_index(const Machine& m, Goodness goodness,
                                                                  SearchResult best, TaskId prev) {
        const ReadyIndex& ready = m.ready;
        best.considered += ready.queued_count();

        std::int32_t top = kNotEligible;
        TaskId next = kNoTask;
        const auto consider = [&](TaskId p, std::int32_t weight) {
            if (weight < top || weight == kNotEligible) return;
            if (weight == top && ready.place(p) > ready.place(next)) return;
            top = weight;
            next = p;
        };
        const std::int32_t max_bonus = goodness.max_bonus();
        std::int32_t level = ready.highest_level();
        if (!has_several_cpus(m) && max_bonus == 0 && level != ReadyIndex::kRealTime) [[likely]] {
            // kNotEligible is not checked, because with one CPU every task on the queue is eligible.
            if (level != ReadyIndex::kNoLevel) consider(ready.first(level), level);
        } else {
            const auto next_in_row = [&](TaskId p) { return ready.first(level, ready.place(p) + 1); };
            if (level == ReadyIndex::kRealTime) {
                for (TaskId p = ready.first(level); p != kNoTask; p = next_in_row(p))
                    consider(p, goodness.goodness_if_eligible(p));
                level = ready.highest_level(level);
            }
            for (; level != ReadyIndex::kNoLevel && level + max_bonus >= top;
                 level = ready.highest_level(level)) {
                for (TaskId p = ready.first(level); p != kNoTask; p = next_in_row(p)) {
                    const std::int32_t weight = goodness.goodness_if_eligible(p);
                    consider(p, weight);
                    if (weight == level + max_bonus) break;  // no later task in this row can be better
                }
            }
        }
        if (ready.is_queued(prev)) consider(prev, goodness.goodness_if_eligible(prev));
        if (top > 0) [[likely]] {
            if (top > best.goodness) {
                best.goodness = top;
                best.next = next;
            }
            return best;
        }
        for (TaskId p = m.next_run[kInitTask]; p != kInitTask && best.goodness < 0; p = m.next_run[p]) {
            const std::int32_t weight = goodness.goodness_if_eligible(p);
            if (weight <= best.goodness) continue;
            best.goodness = weight;
            best.next = p;
        }
        return best;
    }

    // Recalculates the tasks on the queue now and assigns them to new rows. Other tasks are recalculated when
    // they wake. prev stays hidden in the index, because its goodness is computed separately.
    //
    // With one CPU, this walk of the queue is short on average. The reason: since the last recalculation,
    // each task on the queue has used up its slice, given away its slice, or joined the queue. With several
    // CPUs, affinities can keep tasks from running, so that a task can stay on the queue for many
    // recalculations.
    [[gnu::noinline]] static void recalculate_queued(Machine& m, TaskId prev) {
        m.ready.count_recalculation_of_queued();
        m.ready.rebuild_levels([&](TaskId p) {
            m.counter[p] = (m.counter[p] >> 1) + Rules::grant(m.priority[p]);
            return p == prev ? kHidden : count_and_get_level(m, p);
        });
    }

    void update_index_for_switch(TaskId prev, TaskId next) const {
        if (next == prev) return;
        if (m_.ready.is_queued(prev)) make_selectable(m_, prev);
        if (m_.ready.is_selectable(next)) make_unselectable(m_, next);
    }

    [[gnu::noinline]] static void build_index(Machine& m) {
        const MachineShape& shape = m.shape();
        m.ready.build({.tasks = shape.cpus + shape.tasks,
                       .cpus = shape.cpus,
                       .mms = Rules::kCountsMm ? shape.mms : 0,
                       .grant = Rules::grant});
        for (TaskId p = m.next_run[kInitTask]; p != kInitTask; p = m.next_run[p]) {
            m.ready.add_last(p);
            if (m.task[p].processor == Task::kNoProcessor) make_selectable(m, p);
        }
    }

    [[gnu::noinline]] static void drop_index(Machine& m) {
        apply_all_missed_recalculations(m);
        m.ready.drop();
    }

    // Updates the index's counts of shown tasks by CPU and address space, for bonuses. `change`: 1 if p is
    // shown, -1 if it is hidden.
    static void change_bonus_counts(Machine& m, TaskId p, std::int32_t change) {
        if (has_several_cpus(m)) m.ready.change_count_with_last_cpu(m.task[p].last_processor, change);
        if (Rules::kCountsMm) m.ready.change_count_with_mm(m.task[p].mm, change);
    }
    // Returns the row in which p becomes selectable, and adds p to the counts for bonuses. Returns kHidden,
    // without counting p, if p must not become selectable. REQUIRES: p is on the queue and, with one CPU, not
    // running.
    static std::int32_t count_and_get_level(Machine& m, TaskId p) {
        if (has_several_cpus(m) && m.task[p].processor != Task::kNoProcessor) return kHidden;
        const std::int32_t level = Rules::level(m, p);
        if (level != kHidden) change_bonus_counts(m, p, 1);
        return level;
    }
    static void make_selectable(Machine& m, TaskId p) {
        if (const std::int32_t level = count_and_get_level(m, p); level != kHidden)
            m.ready.make_selectable(p, level);
    }
    static void make_unselectable(Machine& m, TaskId p) {
        change_bonus_counts(m, p, -1);
        m.ready.make_unselectable(p);
    }

    Machine& m_;
    RunQueue list_;
};

}  // namespace sim
