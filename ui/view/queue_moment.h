// The point in a run at which the run queue is shown: the run's position or, at DepthLevel::inside, a step of
// a schedule(). The state of the machine is available only before and after a decision. The files that show
// queues compute the state at a step from these two states and the decision's log. For a policy script, the
// run is instead re-executed up to the next line.
#pragma once

#include <optional>

#include "ui/view/decision_cursor.h"

namespace ui {

struct QueueMoment {
    std::optional<Cursor> cursor;  // the position in the last schedule() before the run's position
    // The phase of the decision at `cursor`; nullopt if the decision is over. While the outcome is hidden, it
    // is always Phase::recalc_test, so that the real phase does not reveal the outcome.
    std::optional<sim::Phase> phase;
    // The state of the machine at the shown point: the run's position, before or after the decision, or a
    // script line.
    const sim::Machine* machine = nullptr;
    bool is_reexecuted = false;  // `machine` was re-executed up to a script line
    bool hidden = false;         // the chosen task must not be visible

    // True if `cpu` makes the decision, and the decision has started but is not over.
    bool is_in_decision_of(sim::CpuId cpu) const {
        return phase && *phase > sim::Phase::enter && cursor->decision().record.cpu == cpu;
    }
    // True if the decision has reached this phase. REQUIRES: is_in_decision_of() for the CPU of the decision.
    bool has_reached(sim::Phase target_phase) const {
        return !hidden ? *phase >= target_phase : sim::Phase::leave >= target_phase;
    }
};

QueueMoment queue_moment(const Run& run, const ViewState& view);

// The policy in effect at `moment`.
const sim::NamedPolicy& policy_at(const Run& run, const QueueMoment& moment);

}  // namespace ui
