// Where in a decision one looks, and what one has said about it while its outcome is hidden.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/quiz/misconceptions.h"
#include "ui/view/model.h"
#include "ui/view/view_state.h"

namespace ui {

// Whether the outcome of the decision must not be seen yet: one is asked to predict it and has not.
bool outcome_hidden(const ViewState& view);

// A place in a decision: right after its step `at`. Unless one is inside, that is its end.
struct Cursor {
    const Run& run;
    const Inside& in;
    std::size_t at;
    bool stepping;  // DepthLevel::inside

    const sim::DecisionStep& step() const { return in.steps[at]; }
    const sim::DecisionView& decision() const { return in.view; }
    const sim::Policy& policy() const { return *run.recording().policy_at(in.view.before).policy; }
    std::string name(sim::TaskId p) const { return sim::names_in(in.view, run.scenario())(p); }
    bool switched() const { return in.view.record.task != in.view.record.other; }
    // Whether the chosen task has the CPU.
    bool handed_over() const { return step().phase >= sim::Phase::switch_context; }
    bool over() const { return at + 1 == in.steps.size(); }
};

// None when there is no run, or no schedule() before its position.
std::optional<Cursor> cursor_in(const Run* run, const ViewState& view);

// Whether this policy has counters to refill.
bool can_refill(const Cursor& cursor);

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

// "1 task", "5 tasks"
std::string count_of_tasks(std::uint32_t tasks);

}  // namespace ui
