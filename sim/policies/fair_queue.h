// The fair run queue of one CPU: the tree of waiting tasks, the list of all ready tasks, and the running
// task.
#pragma once

#include <cstdint>

#include "sim/core/decision.h"
#include "sim/core/machine.h"
#include "sim/core/run_queue.h"
#include "sim/policies/fair_state.h"
#include "sim/policies/real_time_queue.h"
#include "sim/policies/task_tree.h"

namespace sim::fair {

// Log entry of a task that schedule() examined.
inline Candidate candidate(TaskId p, std::int64_t key, bool best,
                           CandidateRemark remark = CandidateRemark::none) {
    return {.task = p,
            .counter = 0,
            .bonus = 0,
            .goodness = best ? 1 : 0,
            .best = best,
            .remark = remark,
            .key = key};
}

// The fair run queue of one CPU. The policy `Kernel` provides
//   Kernel::Task, Kernel::Queue: the state of a task and of a CPU. Task has the members `vruntime` (in ns at
//     nice 0) and `node`; Queue is derived from RunQueueFields;
//   Kernel::Rules: the order of the tree (task_tree.h);
//   Kernel::weight(m, p);
//   Kernel::after_insert(queue, p), Kernel::before_remove(queue, p): called after p entered and before p
//   leaves the tree.
template <class Kernel>
class Queue {
  public:
    using Task = typename Kernel::Task;
    using QueueState = typename Kernel::Queue;

    Queue(Machine& machine, CpuId c)
        : m(machine), cpu(c), q(machine.of_cpu<QueueState>(c)), real_time(machine, c, q.real_time) {}

    Task& state_of(TaskId p) const { return m.of_task<Task>(p); }
    std::int64_t now() const { return m.globals().now.count(); }
    bool has_waiting_tasks() const { return q.root != kNoTask; }  // whether a task is in the tree
    // The waiting tasks with the least and the greatest key. REQUIRES: has_waiting_tasks().
    TaskId leftmost() const { return m.next_run[real_time.empty() ? cpu : real_time.last()]; }
    TaskId rightmost() const { return m.prev_run[cpu]; }

    // Inserts p into the tree and the list. Returns the number of comparisons made.
    std::uint32_t insert(TaskId p) const {
        const auto place = tree().insert(p);
        const TaskId before = place.before != kNoTask ? place.before
                              : real_time.empty()     ? cpu
                                                      : real_time.last();
        RunQueue(m, cpu).insert_before(m.next_run[before], p);
        Kernel::after_insert(*this, p);
        return place.comparisons;
    }
    void remove(TaskId p) const {
        Kernel::before_remove(*this, p);
        tree().remove(p, m.next_run[p]);
        RunQueue(m, cpu).remove(p);
    }

    // add_to_totals() adds p to the count and the load of the runnable tasks; remove_from_totals() removes p
    // from this count and this load.
    void add_to_totals(TaskId p) const {
        ++q.running;
        q.load += Kernel::weight(m, p).w;
    }
    void remove_from_totals(TaskId p) const {
        --q.running;
        q.load -= Kernel::weight(m, p).w;
    }

    // Removes p from the tree and makes it the running task.
    void make_current(TaskId p) const {
        remove(p);
        q.current = p;
        q.exec_start = now();
        q.ran = 0;
    }

    Machine& m;
    CpuId cpu;
    QueueState& q;
    RealTimeQueue real_time;

  private:
    TaskTree<typename Kernel::Rules> tree() const { return {m, q.root}; }
};

}  // namespace sim::fair
