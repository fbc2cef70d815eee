// Predictions of a decision by the user: possible answers and their evaluation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/quiz/misconceptions.h"
#include "ui/view/decision_cursor.h"

namespace ui {

// The tasks to choose from while the outcome is hidden, in the order of the search and then of the queue.
// If the search was repeated, only its first pass counts.
std::vector<sim::Candidate> choosable(const Cursor& cursor);

// The answers to a question other than Ask::who, in display order.
struct Answer {
    Prediction says;
    std::string text;
};
std::vector<Answer> answers(const Cursor& cursor, Ask ask);

// Answer n as displayed, counted from 1; for Ask::who, 0 is the idle task. None if there is no such answer.
std::optional<Prediction> numbered_answer(const Cursor& cursor, Ask ask, std::size_t n);

// The misconception that explains an answer; `none` if it is right.
sim::quiz::Misconception mistake_in(const Cursor& cursor, const Prediction& said);

// "3 of 4 right."; empty if no question has been answered.
std::string score_so_far(const ViewState& view);

// Whether the user's prediction was right; none without a prediction.
std::optional<bool> predicted_right(const Cursor& cursor, const ViewState& view);

// The evaluation of the prediction, if any, then a sentence on the cursor's step, or at the end on why the
// winner won.
std::string sentence(const Cursor& cursor, const ViewState& view);

}  // namespace ui
