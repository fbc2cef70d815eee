// The inside of one schedule(), line by line: a list of small steps, each with its line of pseudo-code, what
// it looked at and what it cost, over which a window or a lesson moves a cursor, forwards and backwards.
//
// The steps are worked out from the decision's log, so the loop itself is never stopped. Their costs add up
// to what the engine charged, to the nanosecond.
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
    std::uint16_t line = 0;        // into NamedPolicy::pseudo_code: the line that is carried out
    Phase phase{};                 // what kind of work this is
    Nanos cost{};                  // of this step alone
    Nanos until{};                 // of all steps up to this one, and this one
    std::uint32_t candidates = 0;  // how many of log.candidates have been looked at when the step is over
    std::uint32_t refills = 0;     // how many of log.refills have been made
    TaskId task = kNoTask;         // the task that this step is about, if it is about one
    TaskId best = kNoTask;         // the best so far when the step is over; kNoTask when nobody is yet

    // --- of a script: the step is that a line of it is next, and its cost is what came before ---

    static constexpr std::uint32_t kNoLine = 0xffff'ffff;
    std::uint32_t script = kNoLine;  // into DecisionView::script
    std::uint64_t skipped = 0;       // so many lines before it are not told one by one
    int paid = 0;                    // the line of the text that the cost is of; 0: of none, or of several
    Nanos refilling{};               // of the cost: refills, which belong to another part of the time
    bool is_script() const { return script != kNoLine; }
};

// Every step of the decision, in the order in which they are made; `enter` is the first and `resume` the
// last. A refill has one step for each counter that was visited, changed or not, in the order of the task
// table. What takes no time (keep, recalc_test, ...) has a step only where the pseudo-code has a line for it.
// Of a script whose lines were watched there are these in place of the search and the refill.
// REQUIRES: `view` was made under this policy and at these prices.
std::vector<DecisionStep> decision_steps(const DecisionView& view, const NamedPolicy& policy,
                                         const CostModel& costs);

// One sentence on what a step does, with its numbers: "C: counter 20, goodness 20: as good as B, which comes
// first." REQUIRES: `step` is one of the view's.
std::string describe(const DecisionStep& step, const DecisionView& view, const NamedPolicy& policy,
                     const TaskNamer& name);

// What the engine charged for the decision by what it went into: the parts of view.record.span.
Overhead decision_overhead(const DecisionView& view, const CostModel& costs);

// The part of the kernel's time that this phase belongs to.
Nanos Overhead::*part_of(Phase phase);

// Adds what the step cost to the parts that it belongs to.
void add_cost(const DecisionStep& step, Overhead& sum);

// The names of the tasks of a decision, the exited one included. `view` and `scenario` must outlive it.
TaskNamer names_in(const DecisionView& view, const Scenario& scenario);

}  // namespace sim
