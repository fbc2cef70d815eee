// One person's visit to a run: where they are in it, and the ways to get elsewhere.
//
// The position is a moment of the recording: after so many events, with the clock at some instant. It is
// always between two events; the inside of a decision is looked at through decision_at().
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/replay/recording.h"

namespace sim {

class Session {
  public:
    // At the beginning of the run, nothing of which is simulated yet.
    Session(std::shared_ptr<const Scenario> scenario, NamedPolicy policy,
            std::vector<Intervention> interventions = {}, const RecordingLimits& limits = {});

    Recording& recording() { return *recording_; }
    const Recording& recording() const { return *recording_; }
    const Scenario& scenario() const { return recording_->scenario(); }

    // Where we are.
    const Machine& machine() const { return moment_.machine; }
    const Statistics& statistics() const { return moment_.statistics; }
    Nanos now() const { return moment_.machine.globals().now; }
    const NamedPolicy& policy() const { return recording_->policy_at(moment_.machine); }
    // Whether that is the moment right after an event. Otherwise it is an instant before which everything has
    // happened, the beginning, or the end.
    bool is_behind_event() const { return behind_event_; }
    // Changes whenever the position does.
    std::uint64_t revision() const { return revision_; }

    // Everything before t has happened, nothing else; the end of what is simulated if t is behind it. The end
    // of a run that is over is its very end, with what happened at that instant.
    void seek(Nanos t);
    void seek_beginning();
    void seek_end();
    // The moment right after the n-th of its kind. False, and nothing moves, when there is none yet.
    bool seek(StepKind kind, std::uint64_t n);
    // The same for a place by name: to an instant, or to the moment right after the n-th of a kind. Simulates
    // on if it has to; an instant behind the end of the run is its end.
    bool seek(const Place& place);

    // On to the moment right after the next of its kind, or to the end of the run when there is no more.
    // Simulates on if it has to. False when this is the end.
    bool step_forward(StepKind kind);
    // Back to the moment right after the one before, or to the beginning. False when this is the beginning.
    bool step_back(StepKind kind);

    // A new session with the same past, in which this happens at this moment; it stands there. What the
    // intervention leaves open (place and time) is filled in. Interventions of this run that lie ahead are
    // dropped. REQUIRES: refusal() has nothing to say about it here.
    std::unique_ptr<Session> what_if(Intervention intervention) const;

  private:
    explicit Session(std::unique_ptr<Recording> recording);
    void moved(bool behind_event) {
        ++revision_;
        behind_event_ = behind_event;
    }
    bool same_place(const Moment& other) const;
    bool simulate_until(StepKind kind, std::uint64_t n);

    std::unique_ptr<Recording> recording_;
    Moment moment_;
    Moment other_;  // to look for places; kept for its memory
    std::uint64_t revision_ = 0;
    bool behind_event_ = false;
};

}  // namespace sim
