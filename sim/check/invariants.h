// Invariants of a machine between any two events of any scenario.
#pragma once

#include <string>

#include "sim/core/machine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim {

// Returns a description of the first broken rule; an empty string if all rules hold. Takes time proportional
// to the number of tasks. The rules:
// - Statistics, if present: the parts of the time add up to exactly cpus * now. The numbers of switches by
//   kind, by cause and by CPU add up.
// - CPUs: the running task is runnable, may use the CPU and refers to the CPU. The cost of all work has been
//   charged. A CPU has a next event (Cpu::deadline) if the CPU has to reschedule or its task has a
//   slice.
// - Tasks: each task is in exactly one of these: run queue, timer, queue of a channel, or CPU (if the policy
//   removes the running task from the run queue). nr_tasks is the number of live tasks, and nr_running is the
//   number of runnable tasks.
// - Counters, for policies with Linux counters: the counter of a task that is not real-time is from 0 to
//   twice the largest priority.
// - Policy state: consistent with itself and the run queue (Policy::find_violation()).
// - Timers: the event queue is a tournament tree of future events. There is one event per task that sleeps
//   until a time or that a device serves.
// - Channels: no task waits if a token (wake-up, permit, free lock, bytes, free device) is available.
//   Exception: a task has been woken to take the token, and has not run yet. Bytes and free space in a pipe
//   add up to its capacity. Requests in service and free servers of a device add up to its capacity.
// - Address spaces: the user count of each address space is the number of tasks that have it. Its reference
//   count is one for all users together, plus one for each CPU that borrows it. Each unused address space is
//   on the free list once.
// - Residency: a task in a CPU's list of recent tasks refers to that CPU; the running task is the first in
//   the list.
// - Idle CPUs, if there are statistics and the policy has no queue per CPU: no CPU stays idle between two
//   ticks while a task that it may run is ready.
std::string check_invariants(const Machine& m, const Scenario& scenario, const Policy& policy,
                             const Statistics* statistics);

// Returns a ready task that an idle CPU may run and that no CPU is about to pick; kNoTask: none. In real
// kernels, such a task can exist until the next tick. Two examples: If affinities differ, the idle CPU that
// was expected to pick this task may pick another task. Linux 2.2 sends the request to reschedule to the CPU
// of the waker, which may keep its current task.
TaskId find_unserved_ready_task(const Machine& m, const Scenario& scenario, const Policy& policy);

}  // namespace sim
