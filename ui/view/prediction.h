// The user's predictions of a decision: the possible answers and their evaluation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/quiz/misconceptions.h"
#include "ui/view/decision_cursor.h"

namespace ui {

// The tasks that the user can choose while the outcome is hidden, in the order of the search, followed by
// the rest of the queue. If the search was repeated, only its first pass is used.
std::vector<sim::Candidate> choosable_candidates(const Cursor& cursor);

// The answers to a question other than Ask::next_task, in display order.
struct Answer {
    Prediction says;
    std::string text;
};
std::vector<Answer> possible_answers(const Cursor& cursor, Ask ask);

// The answer with the displayed number n, from 1; for Ask::next_task, 0 is the idle task. nullopt if there
// is no such answer.
std::optional<Prediction> numbered_answer(const Cursor& cursor, Ask ask, std::size_t n);

// The misconception that explains an answer; `none` if the answer is right.
sim::quiz::Misconception mistake_in(const Cursor& cursor, const Prediction& said);

// The score, such as "3 of 4 right."; empty if no question has been answered.
std::string score_so_far(const ViewState& view);

// True if the user's prediction was right; nullopt if there is no prediction.
std::optional<bool> is_prediction_right(const Cursor& cursor, const ViewState& view);

// The sentence above the decision: the evaluation of the user's prediction, if there is one, and then the
// cursor's step. At the last step, the reason why the chosen task won.
std::string decision_sentence(const Cursor& cursor, const ViewState& view);

}  // namespace ui
