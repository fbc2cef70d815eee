// The two arrays of a CPU under linux-2.6.20, as RUN QUEUE shows them: which lists have tasks, who stands in
// them, which array is the active one, and whether the two have just changed places.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/queue_moment.h"

namespace ui {

// Whether the policy of that moment has them.
bool has_priority_arrays(const Run& run, const QueueMoment& moment);

struct PriorityList {
    std::int32_t prio = 0;
    std::vector<sim::TaskId> tasks;  // from head to tail
};

struct PriorityArray {
    std::vector<PriorityList> lists;  // those that have tasks, the best prio first: the bits of the bitmap

    std::size_t count() const;
    // The first bit that is set: the list that schedule() takes if the array is the active one.
    std::optional<std::int32_t> first_bit() const;
};

struct PriorityArrays {
    sim::CpuId cpu = 0;
    std::array<PriorityArray, 2> arrays;  // rq->arrays[]: they stay, and what changes is which is active
    std::size_t active = 0;
    // The latest schedule(), if it was this CPU's, has found the active one empty and made the other one it.
    bool changed_places = false;
    sim::TaskId running = sim::kNoTask;  // kNoTask: nobody but the idle task

    std::size_t expired() const { return 1 - active; }
    // All of them: the active array's, then the expired one's, best prio first, head to tail.
    std::vector<sim::TaskId> tasks() const;
};

// REQUIRES: has_priority_arrays().
PriorityArrays priority_arrays(const QueueMoment& moment, sim::CpuId cpu);

// "the arrays have changed places: arrays[1] is the active one now"; empty when they have not.
std::string change_of_places(const PriorityArrays& arrays);

// What its prio is made of.
struct Credit {
    std::int32_t prio = 0;
    std::int32_t slice = 0;       // ticks left
    std::int32_t full_slice = 0;  // ticks
    std::int32_t bonus = 0;       // 0 to 10, of which 5 change nothing
    std::int64_t sleep_avg = 0;   // ns
    bool is_real_time = false;
    bool is_interactive = false;
};
// REQUIRES: as above. p is live at that moment, or was right before it.
Credit credit_of(const QueueMoment& moment, sim::TaskId p);

// "slice 10 of 10, bonus 3"; of a real-time task only the slice.
std::string credit_text(const Credit& credit);

}  // namespace ui
