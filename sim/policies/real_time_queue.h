// The real-time class of the fair schedulers: a list of tasks for each priority, and time slices of class rr.
//
// Source: kernel/sched_rt.c of Linux 2.6.24. Not modelled: throttling (sched_rt_runtime_us, since 2.6.25).
#pragma once

#include <bit>
#include <cstdint>

#include "sim/core/machine.h"
#include "sim/policies/fair_state.h"

namespace sim::fair {

// Slice of class rr in ticks (100 ms).
std::int32_t rr_slice(const Machine& m);

// The lists of ready real-time tasks of one CPU.
class RealTimeQueue {
  public:
    RealTimeQueue(Machine& m, CpuId c, RealTimeLists& lists) : m_(m), cpu_(c), lists_(lists) {}

    bool empty() const { return (lists_.bits[0] | lists_.bits[1]) == 0; }
    // first() returns the first task of the highest priority, last() the last task of the lowest priority.
    // REQUIRES: !empty().
    TaskId first() const { return m_.next_run[cpu_]; }
    TaskId last() const {
        return lists_.last[lists_.bits[1] != 0 ? 127 - std::countl_zero(lists_.bits[1])
                                               : 63 - std::countl_zero(lists_.bits[0])];
    }

    // Inserts p at the tail of the list of its priority.
    void enqueue(TaskId p) const;
    // Puts the running task p back at the head of its list. If p's turn is over, puts p after the tasks
    // that were in the list when the turn ended. (In the kernel, requeue_task_rt() moves the task while it
    // runs.)
    void put_back(TaskId p) const;
    void dequeue(TaskId p) const;
    // Clears the record that the running task's turn is over. Called after this task has been put back or is
    // no longer runnable.
    void forget_turn_end() const { lists_.put_back_after = kNoTask; }

    // tick() and yield() model task_tick_rt() and yield_task_rt() for the running task p. tick() returns
    // whether the caller must set need_resched.
    bool tick(TaskId p) const;
    void yield(TaskId p) const;

  private:
    std::uint32_t list_index(TaskId p) const { return static_cast<std::uint32_t>(99 - m_.rt_priority[p]); }
    void insert(TaskId p, TaskId after) const;
    TaskId last_of_better_lists(std::uint32_t own_list) const;
    bool has_tasks(std::uint32_t list) const { return (lists_.bits[list / 64] >> (list % 64) & 1) != 0; }

    Machine& m_;
    CpuId cpu_;
    RealTimeLists& lists_;
};

}  // namespace sim::fair
