// The point in a run at which the run queue is shown. This is after the events so far, or at
// DepthLevel::inside at a step of a schedule(). The machine is available before and after a decision. The
// files that show queues compute the state at a step from these two and the decision's log. For a policy
// script, the machine is re-executed up to the next line instead.
#pragma once

#include <optional>

#include "ui/view/decision_cursor.h"

namespace ui {

struct QueueMoment {
    std::optional<Cursor> cursor;  // into the last schedule()
    // The phase of that decision; none if it is over. recalc_test while the outcome is hidden, which reveals
    // nothing.
    std::optional<sim::Phase> phase;
    // The machine before or after the decision, at the position, or at a script line.
    const sim::Machine* machine = nullptr;
    bool made_again = false;  // `machine` was re-executed up to a script line
    bool hidden = false;      // the chosen task must not be visible

    // Whether this CPU's queue is in the middle of the decision, after its start.
    bool is_within(sim::CpuId cpu) const {
        return phase && *phase > sim::Phase::enter && cursor->decision().record.cpu == cpu;
    }
    // Whether the decision has reached this phase. REQUIRES: is_within() of its CPU.
    bool has_reached(sim::Phase part) const { return !hidden ? *phase >= part : sim::Phase::leave >= part; }
};

QueueMoment queue_moment(const Run& run, const ViewState& view);

// The policy in effect for `machine`.
const sim::NamedPolicy& policy_at(const Run& run, const QueueMoment& moment);

}  // namespace ui
