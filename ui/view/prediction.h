// The user's predictions of a decision, as answers to a question: the possible answers and their evaluation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/quiz/misconceptions.h"
#include "ui/view/decision_cursor.h"

namespace ui {

// The tasks that the user can choose while the outcome is hidden: the tasks that the search examines, in its
// order, followed by the rest of the queue. If the search is repeated, only its first pass is used.
std::vector<sim::Candidate> choosable_candidates(const Cursor& cursor);

// An answer to a question other than PredictionQuestion::next_task.
struct Answer {
    Prediction says;
    std::string text;
};
// All possible answers, in display order.
std::vector<Answer> possible_answers(const Cursor& cursor, PredictionQuestion ask);

// The answer whose displayed number is `n`. Numbers begin at 1; for PredictionQuestion::next_task, 0 is the
// idle task. nullopt if no answer has this number.
std::optional<Prediction> numbered_answer(const Cursor& cursor, PredictionQuestion ask, std::size_t n);

// The misconception that explains an answer; `none` if the answer is right.
sim::quiz::Misconception mistake_in_prediction(const Cursor& cursor, const Prediction& prediction);

// The score, such as "Right predictions: 3 of 4."; empty if no question has been answered.
std::string score_so_far(const ViewState& view);

// True if the user's prediction was right; nullopt if there is no prediction.
std::optional<bool> is_prediction_right(const Cursor& cursor, const ViewState& view);

// The text above the code of the decision: the evaluation of the user's prediction, if there is one, and a
// sentence about the cursor's step or, at the last step, the reason why the chosen task was chosen.
std::string decision_sentence(const Cursor& cursor, const ViewState& view);

}  // namespace ui
