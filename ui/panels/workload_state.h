// The state of the pane WORKLOAD between frames.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "sim/scenario/workload_edit.h"
#include "ui/panels/panel.h"

namespace ui {

struct WorkloadState {
    struct Cell {
        std::size_t row = 0, field = 0;  // sim::JobField
        auto operator<=>(const Cell&) const = default;
    };
    struct Refused {
        std::string typed, why;
    };

    std::string scenario;  // the scenario that the cells belong to
    std::size_t rows = 0;
    std::optional<Cell> next;         // the cell that gets the keyboard focus in the next frame
    std::optional<Cell> typed_in;     // the cell with the keyboard focus
    std::string typed, before;        // its text now, and before it got the focus
    std::map<Cell, Refused> refused;  // cells with an invalid value
    sim::TypedJob added;              // the row below the jobs, which becomes one when it has a burst
    bool is_typed_into = false;       // a cell has the keyboard focus in this frame
    bool leaves = false;              // takes the focus away from the cells, and forgets what is typed
};

}  // namespace ui
