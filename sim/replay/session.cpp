#include "sim/replay/session.h"

#include <cassert>

namespace sim {

Session::Session(std::shared_ptr<const Scenario> scenario, NamedPolicy policy,
                 std::vector<Intervention> interventions, const RecordingLimits& limits)
    : history_(std::make_unique<RunHistory>(std::move(scenario), std::move(policy), std::move(interventions),
                                            limits)),
      moment_(history_->beginning()),
      other_(moment_) {}

Session::Session(std::unique_ptr<RunHistory> history)
    : history_(std::move(history)), moment_(history_->beginning()), other_(moment_) {}

bool Session::is_at_position_of(const Moment& other) const {
    const Globals& a = moment_.machine.globals();
    const Globals& b = other.machine.globals();
    return a.events == b.events && a.now == b.now && a.interventions == b.interventions;
}

void Session::seek(Nanos t) {
    const Nanos simulated_end = history_->simulated_end().machine.globals().now;
    if (t >= simulated_end && (t > simulated_end || history_->is_complete())) {
        seek_end();
        return;
    }
    // For a short distance, simulating from the current position is faster than simulating from a keyframe.
    const Globals& g = moment_.machine.globals();
    if (g.now < t && t - g.now < Nanos{1'000'000})
        history_->advance(moment_, {.until = t});
    else
        history_->state_at(t, moment_);
    record_move(false);
}

void Session::seek_beginning() {
    moment_ = history_->beginning();
    record_move(false);
}

void Session::seek_end() {
    moment_ = history_->simulated_end();
    // At the end of the run, the position is not directly after an event, because the clock may be later than
    // the last event.
    record_move(!history_->is_complete());
}

bool Session::seek(StepEventKind kind, std::uint64_t n) {
    if (!simulate_until(kind, n) || !history_->find_step(kind, n, other_)) return false;
    std::swap(moment_, other_);
    record_move(moment_.machine.globals().events > 0);
    return true;
}

bool Session::seek(const SeekTarget& place) {
    if (place.kind) return seek(*place.kind, place.n);
    while (!history_->is_complete() && history_->simulated_end().machine.globals().now <= place.time)
        history_->extend(1 << 14);
    seek(place.time);
    return true;
}

bool Session::simulate_until(StepEventKind kind, std::uint64_t n) {
    const Moment& simulated_end = history_->simulated_end();
    while (count_steps(kind, simulated_end.machine, simulated_end.statistics) < n) {
        if (history_->is_complete()) return false;
        history_->extend(1 << 14);
    }
    return true;
}

bool Session::step_forward(StepEventKind kind) {
    if (seek(kind, count_steps(kind, moment_.machine, moment_.statistics) + 1)) return true;
    if (is_at_position_of(history_->simulated_end())) return false;
    seek_end();
    return true;
}

bool Session::step_back(StepEventKind kind) {
    if (is_at_position_of(history_->beginning())) return false;
    std::uint64_t n = count_steps(kind, moment_.machine, moment_.statistics);
    history_->find_step(kind, n, other_);
    if (is_at_position_of(other_) && n > 0) {
        // An event can contain several steps of this kind, so step n may end at the current position. The
        // search then uses the count before the latest event.
        history_->state_after(moment_.machine.globals().events - 1, other_);
        n = count_steps(kind, other_.machine, other_.statistics);
        history_->find_step(kind, n, other_);
    }
    std::swap(moment_, other_);
    record_move(moment_.machine.globals().events > 0);
    return true;
}

std::unique_ptr<Session> Session::what_if(Intervention intervention) const {
    assert(refusal(intervention, machine()).empty());
    const Globals& g = moment_.machine.globals();
    intervention.after_events = g.events;
    intervention.time = g.now;
    auto other = std::unique_ptr<Session>(new Session(history_->branch(intervention)));
    // Moves the new session to the position of this session, at which the new run applies the intervention.
    RunHistory& history = other->history();
    while (!history.is_complete() &&
           history.simulated_end().machine.globals().interventions <= g.interventions)
        history.extend(1 << 14);
    history.state_after(g.events, other->moment_);
    if (other->now() < g.now) history.advance(other->moment_, {.until = g.now});
    other->after_event_ = after_event_;
    return other;
}

}  // namespace sim
