// One schedule() as a list of small steps. A step consists of a line of pseudo-code, the task that this line
// examines, and the cost; a window or lesson moves through the steps in both directions.
//
// The steps are derived from the decision's log, so the scheduler loop is never interrupted. The costs of all
// steps add up exactly, to the nanosecond, to the cost charged by the engine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/explain/decision_view.h"
#include "sim/explain/explain.h"

namespace sim {

struct DecisionStep {
    std::uint16_t line = 0;             // executed line, index into NamedPolicy::pseudo_code
    Phase phase{};                      // kind of work
    Nanos cost{};                       // cost of this step
    Nanos until{};                      // sum of the costs up to and including this step
    std::uint32_t candidates = 0;       // number of log.candidates examined up to and including this step
    std::uint32_t counter_changes = 0;  // number of log.counter_changes up to and including this step
    TaskId task = kNoTask;              // the task that this step is about; kNoTask: none
    TaskId best = kNoTask;              // the best task after the step; kNoTask: none yet

    // --- policy scripts: one step before each recorded line; `cost` is the cost since the previous one ---

    static constexpr std::uint32_t kNoLine = 0xffff'ffff;
    std::uint32_t script = kNoLine;  // index into DecisionView::script
    std::uint64_t skipped = 0;       // number of script lines between the previous recorded line and this one
    int cost_line = 0;               // source line that caused the cost; 0: none, or several
    Nanos recalculation_cost{};      // part of the cost that counts as recalculation
    bool is_script() const { return script != kNoLine; }
};

// All steps of the decision in order, from `enter` to `resume`. For a recalculation there is one step for
// each counter that the recalculation visited, even if the counter did not change, in the order of the task
// table. Steps without cost (keep, recalc_test, ...) exist only if the pseudo-code has a line for them. If
// the lines of a policy script were recorded (record_script_lines()), the steps for these lines replace the
// steps of the search and of the recalculation. REQUIRES: `view` was recorded with this policy and these
// costs.
std::vector<DecisionStep> decision_steps(const DecisionView& view, const NamedPolicy& policy,
                                         const CostModel& costs);

// One sentence about a step: "C: counter 20, goodness 20: as much as B, which comes first." REQUIRES: `step`
// belongs to the view.
std::string describe(const DecisionStep& step, const DecisionView& view, const NamedPolicy& policy,
                     const TaskNamer& name);

// The cost charged for the decision (view.record.span), split by cause.
Overhead decision_overhead(const DecisionView& view, const CostModel& costs);

// The part of the kernel time to which the cost of this phase is added.
Nanos Overhead::*overhead_part_of(Phase phase);

// Adds the cost of the step to the parts of the kernel time in `sum`.
void add_cost(const DecisionStep& step, Overhead& sum);

// The names of the tasks of a decision, including a task that exited. REQUIRES: `view` and `scenario` outlive
// the result.
TaskNamer make_task_namer(const DecisionView& view, const Scenario& scenario);

}  // namespace sim
