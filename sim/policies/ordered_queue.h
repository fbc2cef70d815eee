// The queue of ready tasks in order of goodness, the highest first; tasks of equal goodness are in order of
// arrival.
//
// A task is inserted by a walk from one end of the list, and each queue step is counted. After a series of
// long walks, the queue computes the length of a walk from the index of ready tasks (ready_index.h) instead.
// The queue keeps the index consistent with the list: a ready task is in the row of its counter, and
// positions within a row increase with `sequence`. The running task, which is not on the list, stays in the
// index because it may return to the list. The walk and the computation find the same position and have the
// same cost (docs/explanation/ready_index.md).
#pragma once

#include "sim/core/missed_recalculations.h"
#include "sim/core/run_queue.h"
#include "sim/policies/linux_2_0.h"

namespace sim {

class OrderedQueue {
  public:
    static constexpr TaskId kInitTask = 0;  // the head of the list

    // If `from_tail`, walks start at the tail, otherwise at the head. REQUIRES: the caller creates a new
    // object for each policy call and does not use it after finish_schedule(). It stores whether the
    // index is in use, and finish_schedule() can change this.
    OrderedQueue(Machine& m, bool from_tail)
        : m_(m), list_(m, kInitTask), from_tail_(from_tail), by_index_(m.ready.is_live()) {}

    // The first task; kInitTask if the queue is empty.
    TaskId first() const { return list_.first(); }

    // The value of goodness() without the bonus for prev. The queue is ordered by this value, the highest
    // first.
    static std::int32_t sort_key(const Machine& m, TaskId p) {
        return !is_real_time(m.sched_class[p]) ? m.counter[p] : Linux20Rules::kRealTime + m.rt_priority[p];
    }

    static bool comes_before(const Machine& m, TaskId a, TaskId b) {
        const std::int32_t key_a = sort_key(m, a), key_b = sort_key(m, b);
        return key_a != key_b ? key_a > key_b : m.sequence[a] < m.sequence[b];
    }

    // Adds p, which has become ready, as the last arrival. Returns the queue steps.
    std::uint32_t insert_as_last_arrival(TaskId p) {
        m_.sequence[p] = ++m_.globals().next_sequence;
        if (by_index_) {
            apply_missed_recalculations(m_, p);
            m_.ready.add_last(p);
        }
        return insert(p);
    }
    // Inserts p, which has stopped running and is ready. Its `sequence` is unchanged. Returns the queue
    // steps.
    std::uint32_t insert(TaskId p) {
        if (by_index_) return insert_by_index(p);
        const auto [place, steps] = walk_to_place(p, kInitTask);
        list_.insert_before(place, p);
        return steps;
    }
    // Makes p the last arrival, so that p will be inserted after equal tasks. REQUIRES: p is running.
    void mark_as_last_arrival(TaskId p) {
        m_.sequence[p] = ++m_.globals().next_sequence;
        if (by_index_) m_.ready.move_last(p);
    }
    // Removes p from the index. p has stopped running and is asleep or has exited.
    void remove_from_index(TaskId p) {
        if (by_index_) m_.ready.remove(p);
    }
    // Removes p, which is ready and about to run, from the list.
    void remove_chosen(TaskId p) {
        list_.remove(p);
        if (by_index_) m_.ready.make_unselectable(p);
    }

    // Recalculates the counter of every task and reorders the queue. Returns the queue steps.
    std::uint32_t recalculate(Decision& decision, DecisionLog* log);

    // Ends schedule(): from now on, this CPU runs the chosen task.
    void finish_schedule(CpuId cpu, const Decision& decision) {
        m_.set_running_task(decision.next, cpu);
        const std::uint32_t of_the_woken = m_.cpu(cpu).pending_steps;
        const std::uint32_t cost = ReadyIndex::cost_of_walk(decision) + of_the_woken;
        if (by_index_) {
            if (m_.ready.should_drop_index(cost)) [[unlikely]]
                drop_index();
        } else if (m_.shape().cpus == 1 && m_.ready.should_build_index(cost)) [[unlikely]] {
            // With several CPUs the index is not built, because affinities can leave the queue out of order
            // after a recalculation.
            build_index();
        }
    }

  private:
    struct WalkResult {
        TaskId place;  // task before which p belongs; kInitTask: p belongs at the end
        std::uint32_t steps;
    };

    // Finds the position of p, which is not on the list. `start_before` is for walks from the tail only: the
    // walk starts at the task in front of this task (kInitTask: at the tail). REQUIRES: p belongs in front of
    // this task.
    WalkResult walk_to_place(TaskId p, TaskId start_before) const {
        const Machine& m = m_;
        std::uint32_t steps = 0;
        TaskId place = start_before;
        if (from_tail_) {
            while (m.prev_run[place] != kInitTask && (++steps, comes_before(m, p, m.prev_run[place])))
                place = m.prev_run[place];
        } else {
            place = m.next_run[kInitTask];
            while (place != kInitTask && (++steps, !comes_before(m, p, place))) place = m.next_run[place];
        }
        return {place, steps};
    }

    std::uint32_t reorder();
    std::uint32_t insert_by_index(TaskId p);
    void build_index();
    void drop_index();

    Machine& m_;
    RunQueue list_;
    bool from_tail_;
    bool by_index_;  // true: the length of a walk is computed from the index
};

}  // namespace sim
