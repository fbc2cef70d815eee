#include "ui/control/predictor.h"

#include <fmt/format.h>

#include "ui/view/format.h"

namespace ui {

std::optional<Cursor> Predictor::cursor() const { return cursor_in(state_.model.a, state_.view); }

void Predictor::toggle() {
    ViewState& view = state_.view;
    const std::string score = score_so_far(view);
    view.predicting = !view.predicting;
    view.predicted = view.predicted_right = 0;
    ask_next();
    state_.say(view.predicting ? fmt::format("Which task runs next? Choose in the decision pane, or press 1 "
                                             "to 9; {} shows everything again.",
                                             state_.around.key_of("predict"))
                               : "Outcomes are shown again." + (score.empty() ? "" : " " + score));
}

// Asks the next question. The kinds of questions take turns. The question about recalculations is omitted
// if the policy has no recalculations.
void Predictor::ask_next() {
    ViewState& view = state_.view;
    view.prediction.reset();
    view.ask = static_cast<Ask>(view.predicted % 3);
    if (view.ask != Ask::recalculation) return;
    const std::optional<Cursor> where = cursor();
    if (where && !can_refill(*where)) view.ask = Ask::considered;
}

bool Predictor::is_asking() const { return is_outcome_hidden(state_.view) && cursor(); }

void Predictor::predict(const Prediction& choice) {
    if (!is_asking()) return;
    ViewState& view = state_.view;
    view.prediction = choice;
    ++view.predicted;
    if (*predicted_right(*cursor(), view)) ++view.predicted_right;
}

void Predictor::predict(std::size_t number) {
    if (!is_asking()) return;
    if (const std::optional<Prediction> choice = numbered_answer(*cursor(), state_.view.ask, number))
        predict(*choice);
    else
        state_.say(fmt::format("There is no answer {}.", number));
}

}  // namespace ui
