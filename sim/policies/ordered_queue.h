// The ready tasks in order: the highest goodness first and, among equals, whoever came first.
//
// Who joins is put in its place by a walk from one end of the list, and each step of that is counted. The
// queue decides by itself whether it makes the walk or, when walks have been long for a while, works its
// length out from the index of the ready tasks (ready_index.h), which it then keeps in step with the list:
// who is ready stands in the row of its counter, and the places of a row grow with `sequence`. The index also
// has the running task, which is not on the list, for the day that it comes back. Both lead to the same place
// and are charged the same: docs/faster_than_the_scan.md.
#pragma once

#include "sim/core/missed_refills.h"
#include "sim/core/run_queue.h"
#include "sim/policies/linux_2_0.h"

namespace sim {

class OrderedQueue {
  public:
    static constexpr TaskId kInitTask = 0;  // the head of the list

    // `from_tail`: the end at which the walk to a place begins.
    // One of these lives as long as a call of the policy: only run_on(), at its end, builds or drops the
    // index.
    OrderedQueue(Machine& m, bool from_tail)
        : m_(m), list_(m, kInitTask), from_tail_(from_tail), by_index_(m.ready.is_live()) {}

    // The first task, or kInitTask.
    TaskId first() const { return list_.first(); }

    // goodness() without the bonus for prev: what the queue is ordered by, highest first.
    static std::int32_t key(const Machine& m, TaskId p) {
        return !is_real_time(m.sched_class[p]) ? m.counter[p] : Linux20Rules::kRealTime + m.rt_priority[p];
    }

    static bool before(const Machine& m, TaskId a, TaskId b) {
        const std::int32_t key_a = key(m, a), key_b = key(m, b);
        return key_a != key_b ? key_a > key_b : m.sequence[a] < m.sequence[b];
    }

    // p has become ready: puts it in its place, as the last to come. Returns the steps to it.
    std::uint32_t add(TaskId p) {
        m_.sequence[p] = ++m_.globals().next_sequence;
        if (by_index_) {
            give_missed_refills(m_, p);
            m_.ready.add_last(p);
        }
        return insert(p);
    }
    // Puts p, which ran until now and is ready, back in its place. Returns the steps to it.
    std::uint32_t insert(TaskId p) {
        if (by_index_) return insert_by_index(p);
        const auto [place, steps] = walk(p, kInitTask);
        list_.insert_before(place, p);
        return steps;
    }
    // p counts as the last to come from now on. REQUIRES: it runs.
    void come_last(TaskId p) {
        m_.sequence[p] = ++m_.globals().next_sequence;
        if (by_index_) m_.ready.move_last(p);
    }
    // p, which ran until now, is asleep or gone.
    void forget(TaskId p) {
        if (by_index_) m_.ready.remove(p);
    }
    // p, which is ready, is about to run.
    void take(TaskId p) {
        list_.remove(p);
        if (by_index_) m_.ready.hide(p);
    }

    // Refills the counter of every task there is, and puts the queue in order again. Returns the steps of
    // that.
    std::uint32_t refill(Decision& decision, DecisionLog* log);

    // The end of schedule(): the task that it has chosen runs on this CPU.
    void run_on(CpuId cpu, const Decision& decision) {
        m_.run_on(decision.next, cpu);
        const std::uint32_t of_the_woken = m_.cpu(cpu).pending_steps;
        const std::uint32_t price = ReadyIndex::price_of_walk(decision) + of_the_woken;
        if (by_index_) {
            if (m_.ready.is_idle(price)) [[unlikely]]
                drop_index();
        } else if (m_.shape().cpus == 1 && m_.ready.is_due(price)) [[unlikely]] {
            // With several CPUs, affinities can keep a refill from leaving the queue in order.
            build_index();
        }
    }

  private:
    struct Walk {
        TaskId place;  // the task before which p belongs, or the head of the queue
        std::uint32_t steps;
    };

    // The walk from one end. From the tail it may begin before a task `behind` that comes after p.
    Walk walk(TaskId p, TaskId behind) const {
        const Machine& m = m_;
        std::uint32_t steps = 0;
        TaskId place = behind;
        if (from_tail_) {
            while (m.prev_run[place] != kInitTask && (++steps, before(m, p, m.prev_run[place])))
                place = m.prev_run[place];
        } else {
            place = m.next_run[kInitTask];
            while (place != kInitTask && (++steps, !before(m, p, place))) place = m.next_run[place];
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
    bool by_index_;  // works the length of a walk out
};

}  // namespace sim
