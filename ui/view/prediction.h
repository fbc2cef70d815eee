// Predicting a decision: what can be said, and what was right or wrong about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/quiz/misconceptions.h"
#include "ui/view/decision_cursor.h"

namespace ui {

// While the outcome is hidden: whom one can choose, in the order of the search and then of the queue; of a
// search that began anew, those of the first.
std::vector<sim::Candidate> choosable(const Cursor& cursor);

// The answers to a question other than who runs next, in the order in which they are shown.
struct Answer {
    Prediction says;
    std::string text;
};
std::vector<Answer> answers(const Cursor& cursor, Ask ask);

// Answer number n, from 1 on, as it is shown; of who runs next, 0 is the idle task. None when there is none.
std::optional<Prediction> numbered_answer(const Cursor& cursor, Ask ask, std::size_t n);

// The mistake behind what was said; none if it was right.
sim::quiz::Misconception mistake_in(const Cursor& cursor, const Prediction& said);

// "3 of 4 right." while one predicts; empty when nothing was asked yet.
std::string score_so_far(const ViewState& view);

// Whether one has predicted, and was right. None when one has not.
std::optional<bool> predicted_right(const Cursor& cursor, const ViewState& view);

// What is said about the place where the cursor is: the step, or why the winner won; and in front of it, what
// became of a prediction.
std::string sentence(const Cursor& cursor, const ViewState& view);

}  // namespace ui
