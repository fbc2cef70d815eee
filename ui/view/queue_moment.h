// The moment at which the run queue is shown: after the events so far, or, while one looks inside a
// schedule(), at that step of it. Of a decision there is the machine before and after it; what it has done by
// a step is worked out from these two and its log, in the files that show a queue. Of a script it is made
// again instead, up to the line that is next.
#pragma once

#include <optional>

#include "ui/view/decision_cursor.h"

namespace ui {

struct QueueMoment {
    std::optional<Cursor> cursor;  // into the schedule() made last
    // Of that decision, while it is not over. Of one whose outcome is hidden, recalc_test: found, and nothing
    // given away.
    std::optional<sim::Phase> phase;
    const sim::Machine* machine = nullptr;  // before the decision or after it, at the position or line
    bool made_again = false;                // at a line of a script: the machine is as it is right there
    bool hidden = false;                    // who is chosen must not be seen yet

    // Whether this CPU's queue is in the middle of the decision, past its beginning.
    bool is_within(sim::CpuId cpu) const {
        return phase && *phase > sim::Phase::enter && cursor->decision().record.cpu == cpu;
    }
    // Whether this part of the decision has been made. REQUIRES: is_within() of its CPU.
    bool has_reached(sim::Phase part) const { return !hidden ? *phase >= part : sim::Phase::leave >= part; }
};

QueueMoment queue_moment(const Run& run, const ViewState& view);

// The policy by which the machine of that moment is scheduled.
const sim::NamedPolicy& policy_at(const Run& run, const QueueMoment& moment);

}  // namespace ui
