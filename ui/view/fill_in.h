// An exercise: the user fills in the Gantt chart of the next part of the run, cell by cell. A check finds the
// first wrong cell and the misconception that explains the error.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/model.h"

namespace ui {

// Creates an exercise that begins at the run's position. A short run has cells of 1 ms up to its end;
// otherwise about 30 cells of a round length cover the visible range. nullopt: the position is the end of the
// run. REQUIRES: the run has one CPU.
std::optional<FillInExercise> begin_fill_in_exercise(const Run& run, const TimeRange& visible_range);

// The time at which a cell begins.
sim::Nanos cell_begin(const FillInExercise& exercise, std::size_t cell);

// For each cell, the task that runs longest in it. kNoTask: the CPU is idle.
std::vector<sim::TaskId> solution_of(const Run& run, const FillInExercise& exercise);

// The first cell that is empty or wrong; nullopt: all cells are right. If several tasks run in a cell, the
// answer is right if it is the task that runs longest, or a task that runs for at least a third of the cell.
std::optional<std::size_t> first_wrong_cell(const Run& run, const FillInExercise& exercise);

// Explains a wrong cell: the task that runs in it, the misconception that explains the user's answer, and the
// reason why the task in the answer does not run.
std::string feedback_on(const Run& run, const FillInExercise& exercise, std::size_t cell);

}  // namespace ui
