#include "ui/control/predictor.h"

#include <fmt/format.h>

#include "ui/view/fill_in.h"
#include "ui/view/format.h"

namespace ui {

std::optional<Cursor> PredictionQuiz::decision_cursor() const {
    return cursor_in(state_.model.a, state_.view);
}

void PredictionQuiz::toggle() {
    ViewState& view = state_.view;
    const std::string score = score_so_far(view);
    view.predicting = !view.predicting;
    view.predicted = view.predicted_right = 0;
    ask_next_question();
    state_.say(view.predicting ? fmt::format("Which task runs next? Choose in the decision pane, or press 1 "
                                             "to 9; {} ends the prediction.",
                                             state_.services.key_of_command("predict"))
                               : "Outcomes are shown again." + (score.empty() ? "" : " " + score));
}

// Asks the next question. The kinds of questions take turns. The question about recalculations is omitted
// if the policy has no recalculations.
void PredictionQuiz::ask_next_question() {
    ViewState& view = state_.view;
    view.prediction.reset();
    view.ask = static_cast<PredictionQuestion>(view.predicted % 3);
    if (view.ask != PredictionQuestion::recalculation) return;
    const std::optional<Cursor> where = decision_cursor();
    if (where && !can_recalculate_counters(*where)) view.ask = PredictionQuestion::considered;
}

bool PredictionQuiz::is_asking() const { return is_outcome_hidden(state_.view) && decision_cursor(); }

void PredictionQuiz::answer_question(const Prediction& choice) {
    if (!is_asking()) return;
    ViewState& view = state_.view;
    view.prediction = choice;
    ++view.predicted;
    if (*is_prediction_right(*decision_cursor(), view)) ++view.predicted_right;
}

void PredictionQuiz::choose_answer_number(std::size_t number) {
    if (!is_asking()) return;
    if (const std::optional<Prediction> choice = numbered_answer(*decision_cursor(), state_.view.ask, number))
        answer_question(*choice);
    else
        state_.say(fmt::format("There is no answer with the number {}.", number));
}

void PredictionQuiz::toggle_fill_in_exercise() {
    ViewState& view = state_.view;
    if (view.fill_in) {
        view.fill_in.reset();
        return state_.say("The exercise has ended: the Gantt chart is shown again.");
    }
    if (!state_.is_open()) return;
    if (state_.scenario().cpus > 1) return state_.say("This exercise needs a run with one CPU.");
    const Run& run = state_.a();
    view.fill_in = begin_fill_in_exercise(run, view.shown);
    if (!view.fill_in)
        return state_.say("This is the end of the run: first go back to a time before the end.");
    view.playing = false;
    if (!view.start) view.alone = "gantt";
    view.fill_in->brush = run.history().simulated_end().machine.first_task();
    state_.say("Draw which task runs when: choose a task and drag over cells, or press 1 to 9 (0: idle).");
}

void PredictionQuiz::fill_next_cell(std::size_t task_number) {
    std::optional<FillInExercise>& exercise = state_.view.fill_in;
    if (!exercise) return;
    const sim::Machine& m = state_.a().history().simulated_end().machine;
    const auto p = static_cast<sim::TaskId>(m.first_task() + task_number - 1);
    if (task_number > 0 && p >= m.globals().high_row)
        return state_.say(fmt::format("There is no task with the number {}.", task_number));
    state_.model.message.clear();
    exercise->brush = task_number == 0 ? sim::kNoTask : p;
    exercise->wrong.reset();
    for (std::optional<sim::TaskId>& cell : exercise->cells) {
        if (cell) continue;
        cell = exercise->brush;
        return;
    }
}

void PredictionQuiz::check_fill_in_exercise() {
    std::optional<FillInExercise>& exercise = state_.view.fill_in;
    if (!exercise) return;
    state_.model.message.clear();
    exercise->wrong = first_wrong_cell(state_.a(), *exercise);
    exercise->feedback = exercise->wrong ? feedback_on(state_.a(), *exercise, *exercise->wrong)
                                         : fmt::format("All {} cells are right.", exercise->cells.size());
}

void PredictionQuiz::show_solution() {
    if (state_.view.fill_in) state_.view.fill_in->shows_solution = true;
}

}  // namespace ui
