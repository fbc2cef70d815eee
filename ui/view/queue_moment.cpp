#include "ui/view/queue_moment.h"

namespace ui {
namespace {

using sim::Phase;

std::optional<Phase> phase_of(const std::optional<Cursor>& c, bool hidden) {
    if (!c) return std::nullopt;
    if (hidden) return Phase::recalc_test;
    if (!c->stepping || c->over()) return std::nullopt;
    return c->step().phase;
}

}  // namespace

QueueMoment queue_moment(const Run& run, const ViewState& view) {
    QueueMoment moment{.cursor = cursor_in(&run, view), .phase = {}};
    const std::optional<Cursor>& c = moment.cursor;
    moment.hidden = c && outcome_hidden(view);
    if (c && c->stepping && !moment.hidden && c->step().is_script()) {
        moment.machine = run.machine_inside(c->at);
        return moment;
    }
    moment.phase = phase_of(c, moment.hidden);
    if (moment.phase)
        moment.machine = *moment.phase <= Phase::enter ? &c->decision().before : &c->decision().after;
    else
        moment.machine = c && c->stepping ? &c->decision().after : &run.session().machine();
    return moment;
}

const sim::NamedPolicy& policy_at(const Run& run, const QueueMoment& moment) {
    return run.recording().policy_at(*moment.machine);
}

}  // namespace ui
