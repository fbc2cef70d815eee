// A position inside one schedule(), with the results and costs up to it, for the panes about decisions.
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

// Whether the outcome must stay hidden: the user is asked to predict it and has not answered.
bool outcome_hidden(const ViewState& view);

// A position in a decision: right after step `at`. Unless `stepping`, this is the last step.
struct Cursor {
    const Run& run;
    const DecisionDetail& in;
    std::size_t at;
    bool stepping;  // the depth is DepthLevel::inside, and the outcome is not hidden

    const sim::DecisionStep& step() const { return in.steps[at]; }
    const sim::DecisionView& decision() const { return in.view; }
    const sim::NamedPolicy& policy() const { return run.recording().policy_at(in.view.before); }
    std::string name(sim::TaskId p) const { return sim::names_in(in.view, run.scenario())(p); }
    bool switched() const { return in.view.record.task != in.view.record.other; }
    // Whether the chosen task already has the CPU.
    bool handed_over() const { return step().phase >= sim::Phase::switch_context; }
    bool over() const { return at + 1 == in.steps.size(); }
};

// The cursor of a run; none if there is no run, or no schedule() before the run's position.
std::optional<Cursor> cursor_in(const Run* run, const ViewState& view);

// A row of code: a line of the pseudo-code. For a policy script: a line of its text, or one of the engine's
// steps around it.
struct CodeRow {
    const char* text = nullptr;
    int indent = 0;
    int number = 0;  // line number in the policy script, from 1; 0: pseudo-code
    sim::Phase phase{};
};
std::vector<CodeRow> code_rows(const sim::NamedPolicy& policy);
bool is_script(const sim::NamedPolicy& policy);
// The highlighted row at this step, and the row that the step's cost is charged to.
std::size_t row_of(const Cursor& cursor, const sim::DecisionStep& step);
std::size_t paying_row(const Cursor& cursor, const sim::DecisionStep& step);

// Executions and cost of a row of code, up to the cursor.
struct LineCost {
    std::uint32_t times = 0;
    sim::Nanos cost{};
};
std::vector<LineCost> line_costs(const Cursor& cursor);

// The error of the policy script, if it ended the run at this position; empty otherwise.
std::string failure_text(const Run& run);
// The line of the policy script with that error; 0: none.
int failed_line(const Run& run);

// The cost of the steps up to the cursor, by category; at the last step, what the engine charged.
sim::Overhead cost_so_far(const Cursor& cursor);

// The categories of a decision's cost, in display order.
struct CostKind {
    const char* name;
    sim::Nanos sim::Overhead::*part;
    sim::Activity activity;  // selects colour and pattern
};
std::span<const CostKind> cost_kinds();

// The steps that visit counters for a recalculation.
struct RefillWalk {
    std::size_t first = 0, count = 0;  // `first`: index into the steps
    std::size_t done = 0;              // steps of the walk up to the cursor
};
RefillWalk refill_walk(const Cursor& cursor);

// One visited counter, before and after the recalculation.
struct Visit {
    sim::TaskId task = sim::kNoTask;  // kNoTask: several tasks in one step
    std::int32_t before = 0, after = 0;
};
Visit visit(const Cursor& cursor, const RefillWalk& walk, std::size_t i);

// The terms that goodness() added ("+1 prev", "+20 last CPU", "1000 + 50" for a real-time task), or why the
// task was not weighed. `brief`: for a narrow column.
std::string bonus_text(const sim::Candidate& candidate, const sim::DecisionLog& log, bool brief = false);

// Whether the policy recalculates counters.
bool can_refill(const Cursor& cursor);

// The address space of p: "own mm 3", "shared mm 1", "kernel's page tables", or the one that it borrows.
std::string mm_text(const sim::Machine& m, const sim::Scenario& scenario, sim::TaskId p);

// The value by which the policy ranks p: "counter 17", "prio 120". Empty for the idle task, and if p has
// exited.
std::string scheduling_key(const Cursor& cursor, const sim::Machine& m, sim::TaskId p);

}  // namespace ui
