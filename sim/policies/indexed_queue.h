// The run queue of linux-2.0, 2.2 and 2.4 and, while there is one, its index: the one order, kept twice.
//
// The index holds everybody on the queue, and shows those who are ready and whose goodness is above 0, at the
// level that goodness has without its bonuses. Whoever runs is hidden, and so can be ticked, and can yield,
// without a change of rows; schedule() shows it again if somebody else is chosen.
#pragma once

#include "sim/core/machine.h"
#include "sim/core/run_queue.h"

namespace sim {

class IndexedQueue {
  public:
    explicit IndexedQueue(Machine& m) : m_(m), queue_(m) {}

    TaskId first() const { return queue_.first(); }

    void add_first(TaskId p) {
        queue_.insert_before(queue_.first(), p);
        if (m_.ready.is_live()) m_.ready.add_first(p);
    }
    void add_last(TaskId p) {
        queue_.add_last(p);
        if (m_.ready.is_live()) m_.ready.add_last(p);
    }
    // REQUIRES: p runs.
    void move_last(TaskId p) {
        queue_.move_last(p);
        if (m_.ready.is_live()) m_.ready.move_last(p);
    }
    // REQUIRES: p runs, or is about to be no more.
    void remove(TaskId p) {
        queue_.remove(p);
        if (m_.ready.is_live()) m_.ready.remove(p);
    }

  private:
    Machine& m_;
    RunQueue queue_;
};

// Builds the index of the one run queue; show(p) shows a task that is ready. For `mms` and `at_both_ends` see
// ReadyIndex::Use.
template <class Show>
void index_queue(Machine& m, std::uint32_t mms, bool at_both_ends, Show show) {
    constexpr TaskId kHead = 0;
    const MachineShape& shape = m.shape();
    m.ready.build(
        {.tasks = shape.cpus + shape.tasks, .cpus = shape.cpus, .mms = mms, .at_both_ends = at_both_ends});
    for (TaskId p = m.next_run[kHead]; p != kHead; p = m.next_run[p]) {
        m.ready.add_last(p);
        if (m.task[p].processor == Task::kNoProcessor) show(p);
    }
}

}  // namespace sim
