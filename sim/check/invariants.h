// What must be true of a machine between any two events, whatever the scenario.
#pragma once

#include <string>

#include "sim/core/machine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim {

// The first rule that is broken, in words; empty when all hold:
//   time is conserved: the parts add up to cpus * now, to the nanosecond, and the switches add up by kind, by
//   cause and by CPU (with statistics only);
//   a CPU runs a runnable task that may run there and knows where it is, has no work that nobody pays for,
//   and has a deadline if it was asked to reschedule, or a slice ends;
//   no task is lost or doubled: each is in exactly one place, and the counts agree;
//   the counter of a SCHED_OTHER task is neither negative nor above twice the largest priority;
//   what a policy keeps besides agrees with itself and with the run queue (Policy::broken_rule());
//   the event queue is a tournament of future events, one for each task that sleeps or is being served;
//   nobody waits for what is there: a wake-up, a permit, a free lock, bytes, a free device; except where a
//   task was woken to take it and has not run yet. Bytes and room add up to a pipe's capacity, requests and
//   room to a device's;
//   an address space has as many users as tasks, and is counted once for them and once for each CPU that
//   borrows it; the others are free, once;
//   a task that is remembered by a CPU knows which, and whoever runs was there last;
//   no CPU stays idle from one tick to the next beside a ready task that it may run (with statistics only).
// Takes time proportional to the number of tasks.
std::string broken_invariant(const Machine& m, const Scenario& scenario, const Policy& policy,
                             const Statistics* statistics);

// A ready task that an idle CPU may run without anybody being about to look for it; kNoTask when there is
// none. Kernels let this happen until the next tick: where affinities differ the idle CPU that was asked may
// find somebody else, and 2.2 asks the CPU where the waker runs, which may keep its task.
TaskId overlooked_task(const Machine& m, const Scenario& scenario, const Policy& policy);

}  // namespace sim
