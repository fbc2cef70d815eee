// The run queue: a circular doubly linked list through the task table.
//
// As in Linux 2.0, the idle task is the head and never a candidate, and a task is queued if its next_run is
// set. The running task stays queued unless the policy states otherwise
// (Policy::keeps_running_task_queued()). There is one queue headed by task 0, or one per CPU headed by the
// CPU's idle task. A policy with several lists (nt4) stores them one after another, highest first, so that
// code that needs only the ready tasks is independent of the lists. Source: 2.0.40 kernel/sched.c,
// add_to_runqueue() and the functions next to it.
#pragma once

#include <cassert>

#include "sim/core/machine.h"

namespace sim {

class RunQueue {
  public:
    explicit RunQueue(Machine& machine, TaskId head = 0) : m_(machine), head_(head) {}

    bool contains(TaskId p) const { return m_.next_run[p] != kNoTask; }
    bool empty() const { return m_.next_run[head_] == head_; }

    // The first task on the queue, or the head if the queue is empty.
    TaskId first() const { return m_.next_run[head_]; }

    // Inserts p before `successor`, which is a task on this queue or its head (then p becomes the last task).
    // REQUIRES: p is on no queue.
    void insert_before(TaskId successor, TaskId p) {
        assert(!contains(p) && contains(successor));
        const TaskId before = m_.prev_run[successor];
        m_.next_run[before] = p;
        m_.prev_run[p] = before;
        m_.next_run[p] = successor;
        m_.prev_run[successor] = p;
    }

    void add_last(TaskId p) { insert_before(head_, p); }

    // Removes p. REQUIRES: p is on this queue and is not its head.
    void remove(TaskId p) {
        assert(contains(p) && p != head_);
        m_.next_run[m_.prev_run[p]] = m_.next_run[p];
        m_.prev_run[m_.next_run[p]] = m_.prev_run[p];
        m_.next_run[p] = m_.prev_run[p] = kNoTask;
    }

    // move_last_runqueue() of Linux 2.0.
    void move_last(TaskId p) {
        remove(p);
        add_last(p);
    }

  private:
    Machine& m_;
    TaskId head_;
};

}  // namespace sim
