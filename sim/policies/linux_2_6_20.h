// State of tasks and CPUs under linux-2.6.20, used by this policy, trace replay and the window.
#pragma once

#include <cstdint>

#include "sim/core/machine.h"
#include "sim/policies/run_queues.h"

namespace sim::o1 {

// MAX_PRIO: prio of the idle task. Other tasks have prio 0 (best) to 139.
inline constexpr std::int32_t kMaxPrio = 140;
// MAX_RT_PRIO: fifo and rr tasks have a prio below this number; other tasks have this number or a higher one.
inline constexpr std::int32_t kMaxRtPrio = 100;
inline constexpr std::uint8_t kNoArray = 2;

// The reason for a sleep, for the interactivity estimator (task_struct::sleep_type).
enum class SleepType : std::uint8_t { normal, noninteractive, interactive, interrupted };

// The state of a task: fields of task_struct. Two other fields of task_struct are columns of the Machine:
// time_slice is `counter`, and static_prio is 140 - `priority`.
struct TaskFields {
    std::int64_t sleep_avg;  // ns
    std::int64_t timestamp;  // time (ns) when the task was last chosen, switched away or woken
    std::int32_t prio;       // dynamic priority
    std::uint8_t array;      // index of the array that contains the task, or kNoArray
    SleepType sleep_type;
    bool first_time_slice;  // true while the task uses the slice that it got from its parent
    std::uint8_t unused;
};

// The state of a CPU: fields of struct rq. The list headed by the CPU's idle task contains both arrays, first
// the active one, then the expired one. Within an array the lists of the best priorities come first, each
// from head to tail. Swapping the arrays moves no task, because the active array is empty then.
struct RunQueueFields {
    std::uint64_t bits[2][3];  // by array: one bit per priority, set if the list of this priority has tasks
    // 1 + the tick (jiffies) of the first time that a task used up its slice since the field was last reset;
    // 0: no task has done so. The field is reset to 0 when the arrays are swapped and when schedule() finds
    // no task to run.
    std::uint64_t expired_timestamp;
    std::int32_t best_expired_prio;  // best static_prio among the expired tasks; 140: none
    std::uint32_t active;            // index of the active array
    std::uint32_t count[2];          // number of tasks by array
    TaskId last[2][kMaxPrio];        // tail of each list; 0: empty list
    std::uint64_t load;              // sum of the tasks' weights; 0 (unused) with one CPU
    BalanceState balance;
};

// Nice value, -20 to 19.
std::int32_t nice_of(const Machine& m, TaskId p);

// full_slice() returns the length of a full time slice in ticks. effective_prio() returns the dynamic
// priority for the current sleep_avg.
std::int32_t full_slice(const Machine& m, TaskId p);
std::int32_t effective_prio(const Machine& m, TaskId p);

// CURRENT_BONUS: priority bonus for sleep_avg, 0 to 10.
std::int32_t bonus_of(const Machine& m, TaskId p);

// TASK_INTERACTIVE: true if a task stays in the active array when its slice is used up, unless
// EXPIRED_STARVING is true.
bool is_interactive(const Machine& m, TaskId p);

}  // namespace sim::o1
