#include "ui/view/queue_moment.h"

namespace ui {
namespace {

using sim::Phase;

std::optional<Phase> phase_of(const std::optional<Cursor>& c, bool hidden) {
    if (!c) return std::nullopt;
    if (hidden) return Phase::recalc_test;
    if (!c->stepping || c->is_at_last_step()) return std::nullopt;
    return c->step().phase;
}

// The step with the next script line, from the cursor on. nullopt: no step is shown, schedule() has not
// started, or no script line follows. While the outcome is hidden, returns the step with the first script
// line, because this line does not reveal the outcome.
std::optional<std::size_t> next_script_line_step(const std::optional<Cursor>& c, bool hidden) {
    if (!c || (!hidden && (!c->stepping || c->step().phase <= Phase::enter))) return std::nullopt;
    for (std::size_t at = hidden ? 0 : c->at; at < c->in.steps.size(); ++at)
        if (c->in.steps[at].is_script()) return at;
    return std::nullopt;
}

}  // namespace

QueueMoment queue_moment(const Run& run, const ViewState& view) {
    QueueMoment moment{.cursor = cursor_in(&run, view), .phase = {}};
    const std::optional<Cursor>& c = moment.cursor;
    moment.hidden = c && is_outcome_hidden(view);
    moment.phase = phase_of(c, moment.hidden);
    const std::optional<std::size_t> line = next_script_line_step(c, moment.hidden);
    moment.is_reexecuted = line.has_value();
    if (line)
        moment.machine = run.machine_at_step(*line);
    else if (moment.phase)
        moment.machine = *moment.phase <= Phase::enter ? &c->decision().before : &c->decision().after;
    else
        moment.machine = c && c->stepping ? &c->decision().after : &run.session().machine();
    return moment;
}

const sim::NamedPolicy& policy_at(const Run& run, const QueueMoment& moment) {
    return run.history().policy_at(*moment.machine);
}

}  // namespace ui
