// The two priority arrays of a CPU under linux-2.6.20, for the pane RUN QUEUE: the non-empty lists of both
// arrays, and which array is active.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/queue_moment.h"

namespace ui {

// True if the policy at `moment` has priority arrays.
bool has_priority_arrays(const Run& run, const QueueMoment& moment);

struct PriorityList {
    std::int32_t prio = 0;
    std::vector<sim::TaskId> tasks;  // from head to tail
};

struct PriorityArray {
    std::vector<PriorityList> lists;  // non-empty lists (the set bits of the bitmap), the smallest prio first

    std::size_t count() const;
    // The first set bit of the bitmap: the list from which schedule() takes a task if this array is active.
    std::optional<std::int32_t> first_bit() const;
};

struct PriorityArrays {
    sim::CpuId cpu = 0;
    std::array<PriorityArray, 2> arrays;  // rq->arrays[]; an exchange changes only `active`
    std::size_t active = 0;
    // True if the last schedule() was on this CPU, found the active array empty, and exchanged the arrays.
    bool arrays_exchanged = false;
    sim::TaskId running = sim::kNoTask;  // kNoTask: idle

    std::size_t expired_index() const { return 1 - active; }
    // All tasks: first the tasks of the active array, then those of the expired array. Within an array, the
    // lists are in ascending order of prio, and each list is from head to tail.
    std::vector<sim::TaskId> tasks() const;
};

// REQUIRES: has_priority_arrays().
PriorityArrays priority_arrays(const QueueMoment& moment, sim::CpuId cpu);

// A sentence on the exchange: "the arrays were exchanged: arrays[1] is now the active array"; empty if the
// arrays were not exchanged.
std::string exchange_text(const PriorityArrays& arrays);

// The values that determine a task's prio and its time on the CPU.
struct PrioComponents {
    std::int32_t prio = 0;
    std::int32_t slice = 0;       // ticks left
    std::int32_t full_slice = 0;  // ticks
    std::int32_t bonus = 0;       // 0 to 10; 5 is neutral
    std::int64_t sleep_avg = 0;   // ns
    bool is_real_time = false;
    bool is_interactive = false;
};
// REQUIRES: has_priority_arrays(); p is live at `moment`, or was live just before the decision.
PrioComponents prio_components_of(const QueueMoment& moment, sim::TaskId p);

// The values as text: "slice 10 of 10, bonus 3"; for a real-time task only the slice.
std::string prio_components_text(const PrioComponents& components);

}  // namespace ui
