// The Gantt chart as an exercise: empty cells that the user fills.
#pragma once

#include <string>

#include "ui/panels/panel.h"

namespace ui {

// Draws the exercise instead of the chart. REQUIRES: frame.view.fill_in belongs to run A.
void draw_fill_in_exercise(Frame& frame);

std::string fill_in_exercise_text(const Model& model, const FillInExercise& exercise);

}  // namespace ui
