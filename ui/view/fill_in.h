// An exercise: the user draws the Gantt chart of the next part of the run, cell by cell. A check finds the
// first wrong cell and the mistake behind it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/model.h"

namespace ui {

// Begins an exercise at the position: cells of 1 ms up to the end of a short run, otherwise about 30 cells of
// a round length over the visible range. nullopt: the run is over. REQUIRES: one CPU.
std::optional<FillIn> begin_fill_in(const Run& run, const TimeRange& shown);

sim::Nanos begin_of(const FillIn& exercise, std::size_t cell);

// The tasks that run for most of each cell. kNoTask: none is ready, the CPU idles.
std::vector<sim::TaskId> solution_of(const Run& run, const FillIn& exercise);

// The first cell that is empty or wrong; nullopt: all are right. A cell in which the CPU changes hands is
// right with each task that has at least a third of it.
std::optional<std::size_t> first_wrong(const Run& run, const FillIn& exercise);

// What is wrong with this cell: what runs there, the mistake behind the answer, and the engine's reason.
std::string feedback_on(const Run& run, const FillIn& exercise, std::size_t cell);

}  // namespace ui
