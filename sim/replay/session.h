// A user's current position in a run, and navigation.
//
// The position is a moment of the run history: after N events, at a certain time. It is always between two
// events; decision_at() shows the inside of a decision.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/replay/run_history.h"

namespace sim {

class Session {
  public:
    // Starts at the beginning of the run; nothing is simulated yet.
    Session(std::shared_ptr<const Scenario> scenario, NamedPolicy policy,
            std::vector<Intervention> interventions = {}, const RecordingLimits& limits = {});

    RunHistory& recording() { return *recording_; }
    const RunHistory& recording() const { return *recording_; }
    const Scenario& scenario() const { return recording_->scenario(); }

    const Machine& machine() const { return moment_.machine; }
    const Statistics& statistics() const { return moment_.statistics; }
    Nanos now() const { return moment_.machine.globals().now; }
    const NamedPolicy& policy() const { return recording_->policy_at(moment_.machine); }
    // True if the position is right after an event. False if it is a time, or the start or end of the run.
    bool is_behind_event() const { return behind_event_; }
    // A number that changes with every change of the position.
    std::uint64_t revision() const { return revision_; }

    // Moves to time t: all events before t have happened, none at t or later. If t is after tip(), moves to
    // tip(). The end of a complete run includes the events at that time.
    void seek(Nanos t);
    void seek_beginning();
    void seek_end();
    // Moves to the position right after the n-th event of this kind; simulates further if necessary.
    // Returns false and does not move if there is none.
    bool seek(StepKind kind, std::uint64_t n);
    // Moves to a time, or to the position right after the n-th event of a kind; simulates further if
    // necessary. A time after the end of the run means its end.
    bool seek(const Place& place);

    // Moves to the position right after the next event of this kind, or to the end of the run; simulates
    // further if necessary. Returns false if the position already is the end.
    bool step_forward(StepKind kind);
    // Moves to the position right after the previous event of this kind, or to the start. Returns false if
    // the position already is the start.
    bool step_back(StepKind kind);

    // A new session at the current position. It applies `intervention` there and drops the later
    // interventions of this run. The function sets the position of `intervention`. REQUIRES: refusal() is
    // empty for it here.
    std::unique_ptr<Session> what_if(Intervention intervention) const;

  private:
    explicit Session(std::unique_ptr<RunHistory> recording);
    void moved(bool behind_event) {
        ++revision_;
        behind_event_ = behind_event;
    }
    bool same_place(const Moment& other) const;
    bool simulate_until(StepKind kind, std::uint64_t n);

    std::unique_ptr<RunHistory> recording_;
    Moment moment_;
    Moment other_;  // scratch for searches; kept for its memory
    std::uint64_t revision_ = 0;
    bool behind_event_ = false;
};

}  // namespace sim
