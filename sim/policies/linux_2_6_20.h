// What linux-2.6.20 keeps of tasks and CPUs, for its own file, for replays of recordings and for a window.
#pragma once

#include <cstdint>

#include "sim/core/machine.h"
#include "sim/policies/run_queues.h"

namespace sim::o1 {

inline constexpr std::int32_t kMaxPrio = 140;    // of the idle task; tasks have 0, the best, to 139
inline constexpr std::int32_t kMaxRtPrio = 100;  // below it: fifo and rr
inline constexpr std::uint8_t kNoArray = 2;

// Why a task slept, as the estimator of interactivity sees it (task_struct::sleep_type).
enum class SleepType : std::uint8_t { normal, noninteractive, interactive, interrupted };

// Of task_struct: what is not in the columns of the Machine (counter is time_slice, and static_prio is
// 140 - priority).
struct TaskOf {
    std::int64_t sleep_avg;  // ns
    std::int64_t timestamp;  // ns: when it was chosen last, was switched away from, or woke up
    std::int32_t prio;       // the dynamic priority
    std::uint8_t array;      // which of the two it is in, or kNoArray
    SleepType sleep_type;
    bool first_time_slice;  // it still has what its parent gave it
    std::uint8_t unused;
};

// Of struct rq. All tasks of the arrays stand in the machine's list that the CPU's idle task heads: those of
// the active array first, the best priority first, head to tail; then in the same order those of the expired
// one. So the swap of the arrays moves nobody: it happens when the first of them is empty.
struct QueueOf {
    std::uint64_t bits[2][3];         // of each array: which priorities have tasks
    std::uint64_t expired_timestamp;  // one more than the tick (jiffies) at which the first task used up its
                                      // slice since the swap; 0: none has
    std::int32_t best_expired_prio;   // the best static_prio among those that have expired; 140: none has
    std::uint32_t active;             // which of the two arrays
    std::uint32_t count[2];           // of tasks in each
    TaskId last[2][kMaxPrio];         // the tail of each list; 0 of an empty one
    std::uint64_t load;               // the weights of them all; with one CPU nobody asks, and it is 0
    Balance balance;
};

// A task's nice value, from -20 to 19.
std::int32_t nice_of(const Machine& m, TaskId p);

// A full time slice in ticks, and the dynamic priority that sleep_avg makes as it stands.
std::int32_t full_slice(const Machine& m, TaskId p);
std::int32_t effective_prio(const Machine& m, TaskId p);

// CURRENT_BONUS: 0 to 10, what sleep_avg is worth.
std::int32_t bonus_of(const Machine& m, TaskId p);

// TASK_INTERACTIVE: whether a task whose slice is over stays in the active array.
bool is_interactive(const Machine& m, TaskId p);

}  // namespace sim::o1
