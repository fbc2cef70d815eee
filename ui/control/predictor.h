// Prediction mode: hides the outcome of a decision until the user has predicted it.
#pragma once

#include <cstddef>

#include "ui/control/app_state.h"
#include "ui/view/prediction.h"

namespace ui {

class PredictionQuiz {
  public:
    explicit PredictionQuiz(AppState& state) : state_(state) {}

    void toggle();
    // Asks the user a question about the current decision.
    void ask_next_question();
    // True if there is an unanswered question about a decision.
    bool is_asking() const;
    // Records the user's prediction; does nothing if no question is open (is_asking()).
    void answer_question(const Prediction& choice);
    // Predicts the answer with this displayed number. Shows a message if no answer has this number.
    void choose_answer_number(std::size_t number);

    // --- the Gantt chart as an exercise ---

    void toggle_fill_in_exercise();
    // Enters task number `task_number` into the next empty cell of the Gantt chart, and selects this task for
    // further clicks. The first task of the run has number 1; 0 is idle.
    void fill_next_cell(std::size_t task_number);
    // Checks all cells of the Gantt chart, and flags the first wrong cell with feedback.
    void check_fill_in_exercise();
    void show_solution();

  private:
    std::optional<Cursor> decision_cursor() const;

    AppState& state_;
};

}  // namespace ui
