// A place inside one schedule(), for the panes that are about it: where in it one looks, and what it has come
// to and cost by then.
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
    const sim::NamedPolicy& policy() const { return run.recording().policy_at(in.view.before); }
    std::string name(sim::TaskId p) const { return sim::names_in(in.view, run.scenario())(p); }
    bool switched() const { return in.view.record.task != in.view.record.other; }
    // Whether the chosen task has the CPU.
    bool handed_over() const { return step().phase >= sim::Phase::switch_context; }
    bool over() const { return at + 1 == in.steps.size(); }
};

// None when there is no run, or no schedule() before its position.
std::optional<Cursor> cursor_in(const Run* run, const ViewState& view);

// A row of code: a line of the pseudo-code; of a script each line of its text, with what schedule() does
// before and behind it.
struct CodeRow {
    const char* text = nullptr;
    int indent = 0;  // levels
    int number = 0;  // of the line in the text of a script; 0: it is pseudo-code
    sim::Phase phase{};
};
std::vector<CodeRow> code_rows(const sim::NamedPolicy& policy);
bool is_script(const sim::NamedPolicy& policy);
// The row that is lit at this step, and the one that the step's cost is of.
std::size_t row_of(const Cursor& cursor, const sim::DecisionStep& step);
std::size_t paying_row(const Cursor& cursor, const sim::DecisionStep& step);

// What a row of code has come to.
struct LineCost {
    std::uint32_t times = 0;
    sim::Nanos cost{};
};
std::vector<LineCost> line_costs(const Cursor& cursor);

// What the policy, a script, has done wrong, if that is how the run ends at the position; empty otherwise.
std::string failure_text(const Run& run);
// The line of its text in which that was; 0 for none.
int failed_line(const Run& run);

// What the steps so far cost, by what it went into: at the end what the engine charged.
sim::Overhead cost_so_far(const Cursor& cursor);

// The parts of that, in their order.
struct CostKind {
    const char* name;
    sim::Nanos sim::Overhead::*part;
    sim::Activity activity;  // whose colour and pattern it has
};
std::span<const CostKind> cost_kinds();

// The steps that visit counters for a refill.
struct RefillWalk {
    std::size_t first = 0, count = 0;  // into the steps
    std::size_t done = 0;              // of them, at the cursor
};
RefillWalk refill_walk(const Cursor& cursor);

// One visit of it: what the counter was and is.
struct Visit {
    sim::TaskId task = sim::kNoTask;  // kNoTask: several that are not told apart
    std::int32_t before = 0, after = 0;
};
Visit visit(const Cursor& cursor, const RefillWalk& walk, std::size_t i);

// What goodness() added: "+1 prev", "+20 last CPU", "1000 + 50" for a real-time task, or nothing.
// `brief`: as short as it can be said, for a narrow column.
std::string bonus_text(const sim::Candidate& candidate, const sim::DecisionLog& log, bool brief = false);

// Whether this policy has counters to refill.
bool can_refill(const Cursor& cursor);

// "own address space 3", "the kernel's page tables"
std::string mm_text(const sim::Machine& m, const sim::Scenario& scenario, sim::TaskId p);

// By what the policy knows p: "counter 17", "prio 120"; empty when p is no more.
std::string known_by(const Cursor& cursor, const sim::Machine& m, sim::TaskId p);

}  // namespace ui
