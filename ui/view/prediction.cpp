#include "ui/view/prediction.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/view/format.h"

namespace ui {
namespace {

std::string count_of_tasks(std::uint32_t tasks) {
    return group_digits(tasks) + (tasks == 1 ? " task" : " tasks");
}

}  // namespace

std::vector<sim::Candidate> choosable_candidates(const Cursor& cursor) {
    const sim::DecisionLog& log = cursor.decision().log;
    std::vector<sim::Candidate> list = log.candidates;
    if (log.searched_before > 0) list.resize(log.searched_before);
    if (cursor.policy().policy->keeps_running_task_queued() && !cursor.policy().why) return list;
    // In an ordered queue the search examines only the head, so the other tasks of the queue are added.
    const sim::Machine& m = cursor.decision().after;
    std::vector<bool> listed(m.globals().high_row);
    for (const sim::Candidate& c : list) listed[c.task] = true;
    for (sim::TaskId p = m.next_run[0]; p != 0 && p != sim::kNoTask; p = m.next_run[p]) {
        if (listed[p]) continue;
        std::int32_t counter = m.counter[p];
        for (const sim::CounterChange& refill : log.counter_changes)
            if (refill.task == p) counter = refill.before;
        list.push_back({.task = p, .counter = counter, .bonus = 0, .goodness = 0, .best = false});
    }
    return list;
}

std::vector<Answer> possible_answers(const Cursor& cursor, PredictionQuestion ask) {
    if (ask == PredictionQuestion::recalculation) return {{{ask, 1}, "yes"}, {{ask, 0}, "no"}};
    std::vector<Answer> list;
    const sim::DecisionView& view = cursor.decision();
    for (const sim::quiz::ConsideredCountAnswer& count :
         sim::quiz::considered_count_answers(view.log, view.after, cursor.policy()))
        list.push_back({{ask, count.tasks}, count_of_tasks(count.tasks)});
    std::sort(list.begin(), list.end(),
              [](const Answer& a, const Answer& b) { return a.says.value < b.says.value; });
    return list;
}

std::optional<Prediction> numbered_answer(const Cursor& cursor, PredictionQuestion ask, std::size_t n) {
    if (ask == PredictionQuestion::next_task) {
        if (n == 0) return Prediction{ask, cursor.decision().record.cpu};
        const std::vector<sim::Candidate> list = choosable_candidates(cursor);
        if (n > list.size()) return std::nullopt;
        return Prediction{ask, list[n - 1].task};
    }
    const std::vector<Answer> list = possible_answers(cursor, ask);
    if (n == 0 || n > list.size()) return std::nullopt;
    return list[n - 1].says;
}

sim::quiz::Misconception mistake_in_prediction(const Cursor& cursor, const Prediction& prediction) {
    const sim::DecisionView& view = cursor.decision();
    switch (prediction.ask) {
        case PredictionQuestion::next_task:
            return sim::quiz::misconception_of(view, cursor.policy(), prediction.value);
        case PredictionQuestion::recalculation:
            return sim::quiz::misconception_of_recalculation(view.log, view.after, prediction.value != 0);
        case PredictionQuestion::considered:
            for (const sim::quiz::ConsideredCountAnswer& count :
                 sim::quiz::considered_count_answers(view.log, view.after, cursor.policy()))
                if (count.tasks == prediction.value) return count.misconception;
    }
    return sim::quiz::Misconception::miscounted;
}

std::optional<bool> is_prediction_right(const Cursor& cursor, const ViewState& view) {
    if (!view.predicting || !view.prediction) return std::nullopt;
    return mistake_in_prediction(cursor, *view.prediction) == sim::quiz::Misconception::none;
}

std::string score_so_far(const ViewState& view) {
    if (view.predicted == 0) return {};
    return fmt::format("Right predictions: {} of {}.", view.predicted_right, view.predicted);
}

namespace {

const char* question_of(PredictionQuestion ask) {
    switch (ask) {
        case PredictionQuestion::next_task:
            return "Which task runs next? Click a task, or press its number; 0 is the idle task.";
        case PredictionQuestion::recalculation:
            return "Does this schedule() recalculate all counters? Click an answer, or press its number.";
        case PredictionQuestion::considered:
            return "How many tasks does this schedule() look at? Click an answer, or press its number.";
    }
    return "";
}

// The user's answer, as part of a sentence.
std::string answer_text(const Cursor& cursor, const Prediction& said) {
    switch (said.ask) {
        case PredictionQuestion::next_task:
            return cursor.name(said.value);
        case PredictionQuestion::recalculation:
            return said.value != 0 ? "yes" : "no";
        case PredictionQuestion::considered:
            return count_of_tasks(said.value);
    }
    return {};
}

// The correct answer as a sentence; empty if the reason that follows in the text states the answer.
std::string correct_answer_text(const Cursor& cursor, PredictionQuestion ask) {
    const sim::Decision& d = cursor.decision().log.decision;
    if (ask == PredictionQuestion::considered)
        return fmt::format("{} {} looked at. ", count_of_tasks(d.considered),
                           d.considered == 1 ? "is" : "are");
    if (ask == PredictionQuestion::recalculation)
        return d.recalculations > 0 ? "Counters are recalculated. " : "No counter is recalculated. ";
    return {};
}

}  // namespace

std::string decision_sentence(const Cursor& cursor, const ViewState& view) {
    const std::string score = score_so_far(view);
    if (is_outcome_hidden(view)) return question_of(view.ask) + (score.empty() ? "" : " " + score);
    const sim::TaskNamer name = sim::make_task_namer(cursor.decision(), cursor.run.scenario());
    std::string text;
    const std::optional<bool> right = is_prediction_right(cursor, view);
    if (right)
        text =
            (*right ? "✓ Right. "
                    : fmt::format("✗ Your answer was: {}. {} ", answer_text(cursor, *view.prediction),
                                  sim::quiz::sentence_of(mistake_in_prediction(cursor, *view.prediction)))) +
            correct_answer_text(cursor, view.prediction->ask);
    const bool is_later = !right && !cursor.stepping && !cursor.run.is_at_decision();
    text += is_later ? cursor.run.position_explanation()
            : cursor.stepping && !cursor.is_at_last_step()
                ? sim::describe(cursor.step(), cursor.decision(), cursor.policy(), name)
            : right ? cursor.in.decision_reasons.chosen
                    : with_micro_sign(cursor.in.decision_reasons.text());
    return view.predicting && !score.empty() ? text + " " + score : text;
}

}  // namespace ui
