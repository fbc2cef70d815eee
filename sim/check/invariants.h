// Invariants of a machine between any two events of any scenario.
#pragma once

#include <string>

#include "sim/core/machine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim {

// Returns a description of the first broken rule; empty if all hold. Takes time proportional to the number of
// tasks. The rules:
// - Statistics, if present: the parts of time add up to exactly cpus * now. Switch counts by kind, by cause
//   and by CPU add up.
// - CPUs: the running task is runnable, may use the CPU and refers to it. The cost of all work has been
//   charged. A CPU that has to reschedule, or whose task has a slice, has a deadline.
// - Tasks: each is in exactly one place: run queue, timer or queue of a channel, or on a CPU if the policy
//   takes the running task off the run queue. nr_tasks and nr_running are right.
// - Counters, for policies with Linux counters: the counter of a task that is not real-time is from 0 to
//   twice the largest priority.
// - Policy state: consistent with itself and the run queue (Policy::find_violation()).
// - Timers: the event queue is a tournament tree of future events, one per task that sleeps until a time or
//   that a device serves.
// - Channels: no task waits for something available (wake-up, permit, free lock, bytes, free device) unless a
//   task woken to take it has not run yet. Bytes and free space add up to a pipe's capacity, requests and
//   free space to a device's.
// - Address spaces: each counts the tasks that have it as users. It has one reference for all users
//   together and one for each CPU that borrows it. Each unused address space is on the free list once.
// - Residency: a task in a CPU's list of recent tasks refers to that CPU; the running task is the first in
//   the list.
// - Idle CPUs, if there are statistics and the policy has no queue per CPU: no CPU stays idle between two
//   ticks while a task that it may run is ready.
std::string check_invariants(const Machine& m, const Scenario& scenario, const Policy& policy,
                             const Statistics* statistics);

// Returns a ready task that an idle CPU may run and that no CPU is about to pick; kNoTask: none. Kernels
// allow such a task until the next tick. If affinities differ, an idle CPU that was to pick it may pick
// another task. Linux 2.2 sends the request to reschedule to the CPU of the waker, which may keep its
// current task.
TaskId find_unserved_ready_task(const Machine& m, const Scenario& scenario, const Policy& policy);

}  // namespace sim
