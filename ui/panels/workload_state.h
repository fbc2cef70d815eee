// The state of the pane WORKLOAD between frames.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/scenario/workload_edit.h"
#include "ui/panels/panel.h"

namespace ui {

struct WorkloadPaneState {
    struct Cell {
        std::size_t row = 0, field = 0;  // index of the row; index of the column, a sim::JobField
        auto operator<=>(const Cell&) const = default;
    };
    struct RefusedInput {
        std::string typed, why;
    };

    std::uint64_t opened = 0;  // Model::opened of the scenario that the cells belong to
    int frame = 0;             // the frame in which the pane was drawn last
    std::size_t rows = 0;
    std::optional<Cell> next;      // the cell that gets the keyboard focus in the next frame
    std::optional<Cell> typed_in;  // the cell with the keyboard focus
    std::string typed, before;     // text of the cell `typed_in`: now, and before the cell got the focus
    std::map<Cell, RefusedInput> refused;  // cells with an invalid value
    sim::EnteredJob new_job;       // texts of the row below the jobs; a text for the burst adds them as a job
    bool is_typed_into = false;    // a cell has the keyboard focus in this frame
    bool must_lose_focus = false;  // the focused cell must lose the focus without applying its text
};

// Edits a cell, or adds a job if the cell is in the row below the jobs. A refused value stays in the cell.
void commit_cell(Control& control, WorkloadPaneState& state, WorkloadPaneState::Cell here,
                 const std::string& typed);
// Applies the text that is being typed in a cell, and takes the keyboard focus away from the cell.
void commit_typing(Control& control, WorkloadPaneState& state);

}  // namespace ui
