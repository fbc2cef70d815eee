// A user's current position in a run, and functions to change it. The position is a state of the run history,
// after N events and at a certain time. It is always between two events; decision_at() returns the details of
// a decision.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/replay/run_history.h"

namespace sim {

class Session {
  public:
    // Sets the position to the beginning of the run. Simulates nothing.
    Session(std::shared_ptr<const Scenario> scenario, NamedPolicy policy,
            std::vector<Intervention> interventions = {}, const RecordingLimits& limits = {});

    RunHistory& history() { return *history_; }
    const RunHistory& history() const { return *history_; }
    const Scenario& scenario() const { return history_->scenario(); }

    const Moment& moment() const { return moment_; }
    const Machine& machine() const { return moment_.machine; }
    const Statistics& statistics() const { return moment_.statistics; }
    Nanos now() const { return moment_.machine.globals().now; }
    const NamedPolicy& policy() const { return history_->policy_at(moment_.machine); }
    // True if the position is right after an event. False if it was selected by time, or is the start or
    // end of the run.
    bool is_right_after_event() const { return after_event_; }
    // A number that changes whenever the position changes.
    std::uint64_t revision() const { return revision_; }

    // Moves to the position at time t: all events before t are included, events at t or later are not. If t
    // is after simulated_end(), moves to simulated_end(). The position at the end of a complete run includes
    // the events at that time.
    void seek(Nanos t);
    void seek_beginning();
    void seek_end();  // moves to simulated_end(), the end of the part simulated so far
    // Moves to the position right after the n-th event of this kind; simulates further if necessary. If
    // there is no such event, returns false and does not move.
    bool seek(StepEventKind kind, std::uint64_t n);
    // Moves to a time, or to the position right after the n-th event of a kind; simulates further if
    // necessary. For a time after the end of the run, moves to the end.
    bool seek(const SeekTarget& place);

    // Moves to the position right after the next event of this kind, or to the end of the run; simulates
    // further if necessary. Returns false if the position already is the end.
    bool step_forward(StepEventKind kind);
    // Moves to the position right after the previous event of this kind, or to the start. Returns false if
    // the position already is the start.
    bool step_back(StepEventKind kind);

    // Returns a new session at the current position. Its run equals this run up to this position and applies
    // `intervention` at this position; later interventions of this run are dropped. The position stored in
    // `intervention` is set by this function. REQUIRES: refusal() returns an empty text for `intervention` at
    // this position.
    std::unique_ptr<Session> what_if(Intervention intervention) const;

  private:
    explicit Session(std::unique_ptr<RunHistory> history);
    void record_move(bool after_event) {
        ++revision_;
        after_event_ = after_event;
    }
    bool is_at_position_of(const Moment& other) const;
    bool simulate_until(StepEventKind kind, std::uint64_t n);

    std::unique_ptr<RunHistory> history_;
    Moment moment_;
    Moment other_;  // state used in searches; it is a member so that its memory is reused
    std::uint64_t revision_ = 0;
    bool after_event_ = false;
};

}  // namespace sim
