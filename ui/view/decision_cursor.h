// A position inside one schedule(), with the results and costs up to it, for the panes that show decisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ui/view/model.h"
#include "ui/view/view_state.h"

namespace ui {

// True if the outcome of the decision is hidden, because the user is asked to predict it and has not answered
// yet.
bool is_outcome_hidden(const ViewState& view);

// A position in a decision: right after step `at`. If `stepping` is false, `at` is the last step.
struct Cursor {
    const Run& run;
    const DecisionDetail& in;
    std::size_t at;
    bool stepping;  // the window shows single steps of the decision, and the outcome is not hidden

    const sim::DecisionStep& step() const { return in.steps[at]; }
    const sim::DecisionView& decision() const { return in.view; }
    const sim::NamedPolicy& policy() const { return run.history().policy_at(in.view.before); }
    std::string name(sim::TaskId p) const { return sim::make_task_namer(in.view, run.scenario())(p); }
    bool is_switch() const { return in.view.record.task != in.view.record.other; }
    // True if the chosen task already has the CPU.
    bool is_next_running() const { return step().phase >= sim::Phase::switch_context; }
    bool is_at_last_step() const { return at + 1 == in.steps.size(); }
};

// The cursor of a run. nullopt if there is no run, or if the run has no schedule() before its position.
std::optional<Cursor> cursor_in(const Run* run, const ViewState& view);

// A row of code. For a policy script: a line of its text, or a step of the engine before or after the
// script. Otherwise: a line of the pseudo-code.
struct CodeRow {
    const char* text = nullptr;
    int indent = 0;
    int number = 0;  // line number in the policy script, from 1; 0: pseudo-code
    sim::Phase phase{};
};
std::vector<CodeRow> code_rows(const sim::NamedPolicy& policy);
bool is_script(const sim::NamedPolicy& policy);
// highlighted_row(): the row that is highlighted at `step`. charged_row(): the row to which the cost of
// `step` is charged.
std::size_t highlighted_row(const Cursor& cursor, const sim::DecisionStep& step);
std::size_t charged_row(const Cursor& cursor, const sim::DecisionStep& step);

// How often a row of code was executed up to the cursor, and the cost of these executions.
struct LineCost {
    std::uint32_t times = 0;
    sim::Nanos cost{};
    sim::Nanos decision_cost{};  // cost of the whole decision; determines the unit in which `cost` is shown
};
std::vector<LineCost> line_costs(const Cursor& cursor);

// The error message of the policy script. Empty unless the error ended the run and the run's position is at
// the end of the run.
std::string failure_text(const Run& run);
// The line of the policy script that has the error of failure_text(); 0: none.
int failed_line(const Run& run);

// The cost of the steps up to the cursor, by category. At the last step, this is the cost that the engine
// has charged.
sim::Overhead cost_so_far(const Cursor& cursor);

// A category of a decision's cost.
struct CostKind {
    const char* name;
    sim::Nanos sim::Overhead::*part;
    sim::CpuActivity activity;  // determines the colour and the pattern in which the category is drawn
};
// All categories, in display order.
std::span<const CostKind> cost_kinds();

// The steps of a decision that recalculate counters. They are consecutive.
struct RecalculationSteps {
    std::size_t first = 0, count = 0;  // `first`: index into the steps of the decision
    std::size_t done = 0;              // number of recalculation steps up to the cursor
};
RecalculationSteps recalculation_steps(const Cursor& cursor);

// A task's counter before and after its recalculation.
struct RecalculatedCounter {
    sim::TaskId task = sim::kNoTask;  // kNoTask: the step recalculates the counters of several tasks
    std::int32_t before = 0, after = 0;
};
RecalculatedCounter recalculated_counter(const Cursor& cursor, const RecalculationSteps& steps,
                                         std::size_t i);

// The terms that goodness() has added ("+1 prev", "+20 last CPU", "1000 + 50" for a real-time task), or the
// reason why the task was not examined. `brief`: the short form for a narrow column.
std::string bonus_text(const sim::Candidate& candidate, const sim::DecisionLog& log, bool brief = false);

// True if the policy's schedule() can recalculate counters.
bool can_recalculate_counters(const Cursor& cursor);

// The address space of p as text: "own mm 3", "shared mm 1". Kernel threads and idle tasks have no address
// space of their own: the text is "borrows ..." while p runs with the address space of another task, and
// "kernel's page tables" at other times.
std::string mm_text(const sim::Machine& m, const sim::Scenario& scenario, sim::TaskId p);

// The value by which the policy ranks p, as text: "counter 17", "prio 120". Empty for the idle task and for
// a task that has exited.
std::string scheduling_key_text(const Cursor& cursor, const sim::Machine& m, sim::TaskId p);

}  // namespace ui
