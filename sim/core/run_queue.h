// The run queue: a circular doubly linked list of the runnable tasks, threaded through the task table.
//
// As in Linux 2.0, the idle task is the list's head and never a candidate, the running task stays on the
// queue while it runs (a policy that takes it off says so), and being on the queue means that next_run is
// set. There is one queue, headed by task 0, or one for each CPU, headed by that CPU's idle task. A policy of
// many lists (nt4) keeps them one behind another in it, the highest first, so that whoever only wants to know
// who is ready (invariants, a change of policy, a window) need not know them. Source of
// the list operations: 2.0.40 kernel/sched.c, add_to_runqueue() and its neighbours.
#pragma once

#include <cassert>

#include "sim/core/machine.h"

namespace sim {

class RunQueue {
  public:
    explicit RunQueue(Machine& machine, TaskId head = 0) : m_(machine), head_(head) {}

    bool contains(TaskId p) const { return m_.next_run[p] != kNoTask; }
    bool empty() const { return m_.next_run[head_] == head_; }

    // The first task, or the head itself when the queue is empty.
    TaskId first() const { return m_.next_run[head_]; }

    // Puts p before `place`, which is on the queue or is the head (then p becomes the last).
    // REQUIRES: p is not on a queue.
    void insert_before(TaskId place, TaskId p) {
        assert(!contains(p) && contains(place));
        const TaskId before = m_.prev_run[place];
        m_.next_run[before] = p;
        m_.prev_run[p] = before;
        m_.next_run[p] = place;
        m_.prev_run[place] = p;
    }

    void add_last(TaskId p) { insert_before(head_, p); }

    // REQUIRES: p is on this queue and is not its head.
    void remove(TaskId p) {
        assert(contains(p) && p != head_);
        m_.next_run[m_.prev_run[p]] = m_.next_run[p];
        m_.prev_run[m_.next_run[p]] = m_.prev_run[p];
        m_.next_run[p] = m_.prev_run[p] = kNoTask;
    }

    // Moves p behind every other runnable task (2.0: move_last_runqueue).
    void move_last(TaskId p) {
        remove(p);
        add_last(p);
    }

  private:
    Machine& m_;
    TaskId head_;
};

}  // namespace sim
