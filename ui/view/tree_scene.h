// The animation of the red-black tree of a CFS queue (linux-2.6.24, linux-2.6.32): the links of the policy's
// own tree, before and after the decision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/view/decision_cursor.h"

namespace ui {

struct TreeScene {
    struct Place {
        std::size_t rank = 0;   // position in the tree's order; 0 is the leftmost task
        std::size_t depth = 0;  // 0: the root
        sim::TaskId parent = sim::kNoTask;
        bool red = false;
    };
    struct Node {
        sim::TaskId task = sim::kNoTask;
        // Place in the tree; nullopt: not in the tree, because the task runs, sleeps or has exited.
        std::optional<Place> before, after;
        bool runs_before = false, runs_after = false;
        // In ns, relative to min_vruntime before the decision. If the task is in only one of the two states,
        // both fields have the value of that state.
        std::int64_t vruntime_before = 0, vruntime_after = 0;
    };
    std::vector<Node> nodes;
    // The rank of the chosen task, which becomes free when this task leaves the tree; nullopt: no task leaves
    // the tree. During the search, this task is still in the tree. So tasks whose rank `after` is `gap` or
    // larger are then drawn one position further to the right.
    std::optional<std::size_t> gap;
    std::size_t columns = 0;  // number of positions from left to right
    std::size_t levels = 0;   // number of depths
};

// The tree of the decision at the cursor. nullopt: the policy has no tree, its animation shows an axis
// (linux-6.6), or the tree is too large.
std::optional<TreeScene> tree_scene(const Cursor& cursor);

}  // namespace ui
