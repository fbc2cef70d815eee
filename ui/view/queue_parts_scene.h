// The animation of a queue that has several parts: the lists of the two priority arrays of linux-2.6.20, or
// the queues of a policy script. Each waiting task has a place in a row; places change during the decision.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/decision_cursor.h"

namespace ui {

struct QueuePartsScene {
    struct Row {
        std::string name;       // "prio 120", or the name of a script's queue
        std::size_t array = 0;  // linux-2.6.20: index of the array that has this list
    };
    struct Place {
        std::size_t row = 0, index = 0;  // `index`: 0 is the head of the row
        bool operator==(const Place&) const = default;
    };
    // The places of a task before the decision, during the search (the chosen task is still queued, prev has
    // been put back), and after the decision. nullopt: the task is in no row then.
    struct TaskChip {
        sim::TaskId task = sim::kNoTask;
        std::optional<Place> before, search, after;
    };

    std::vector<Row> rows;
    std::vector<TaskChip> chips;
    bool has_arrays = false;                          // linux-2.6.20
    std::size_t active_before = 0, active_after = 0;  // index of the active array

    bool exchanges_arrays() const { return active_before != active_after; }
    const TaskChip* find(sim::TaskId p) const;
    // The number of tasks in this row during the search.
    std::size_t row_length_during_search(std::size_t row) const;
    // "the list of prio 120 in the active array", or the name of a script's queue. "Active" and "expired" are
    // those before the arrays are exchanged.
    std::string row_text(std::size_t row) const;
};

// The scene of the decision at the cursor. nullopt: the policy has one queue, which has no parts.
std::optional<QueuePartsScene> queue_parts_scene(const Cursor& cursor);

}  // namespace ui
