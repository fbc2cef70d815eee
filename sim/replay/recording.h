// A run that can be looked at anywhere: at any instant, at any decision, as a whole.
//
// Nothing of the run is stored but an overview in fixed memory and copies of the machine now and then, the
// keyframes. Everything else is made again when somebody looks: from the last keyframe before the place
// asked for, by the same deterministic engine. Copies take no more memory than they may: when they do, every
// second one goes and the distance doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/place.h"
#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"
#include "sim/explain/decision_view.h"
#include "sim/replay/intervention.h"
#include "sim/replay/overview.h"

namespace sim {

// The state of a run at some place, with what it had added up by then.
struct Moment {
    Machine machine;
    Statistics statistics;
};

// How many of that kind there have been.
std::uint64_t count(StepKind kind, const Machine& m, const Statistics& statistics);

// Re-execution came to another state than the run itself: a bug in the simulator.
struct ReplayDifference {
    std::uint64_t after_events = 0;            // where the states were compared
    std::uint64_t recorded = 0, replayed = 0;  // their hashes
};

struct RecordingLimits {
    std::size_t keyframe_bytes = std::size_t{64} << 20;
    // Events between keyframes, while they take no more memory: 2048 are some 100 us of re-execution.
    // Not decisions: a computation without a pause is one timer interrupt after the other, and no decision
    // for hours.
    std::uint64_t keyframe_spacing = 2048;
    Nanos until = kHorizon;  // unless the scenario says
};

class Recording {
  public:
    // Nothing is simulated yet: call extend(). REQUIRES: policy.policy can schedule the scenario; the
    // policies that interventions name exist; interventions are in the order of their places.
    Recording(std::shared_ptr<const Scenario> scenario, NamedPolicy policy,
              std::vector<Intervention> interventions = {}, const RecordingLimits& limits = {});

    // The same run up to an intervention at a place of it, which is made there, and then on with it. What
    // lies before the place is taken over rather than simulated again. REQUIRES: as for Session::what_if().
    std::unique_ptr<Recording> branch(const Intervention& intervention) const;

    // Simulates on for about so many decisions, or for eight times as many events if few of them decide
    // anything, or until the run is over; under a script that takes long, for some 20 ms.
    void extend(std::uint64_t decisions);
    void extend_to_end() {
        while (!is_complete()) extend(1 << 20);
    }
    bool is_complete() const { return complete_; }
    // Why the run was over. REQUIRES: is_complete().
    StopReason stop_reason() const { return reason_; }
    // The end, as far as it has been simulated.
    const Moment& tip() const { return tip_; }
    // Where the run will end at the latest; kHorizon when nobody knows.
    Nanos until() const { return until_; }

    const Scenario& scenario() const { return *scenario_; }
    const NamedPolicy& policy() const { return policies_.front(); }
    // The policy that holds at this place of the run.
    const NamedPolicy& policy_at(const Machine& m) const { return policies_[segment_of(m)]; }
    const std::vector<Intervention>& interventions() const { return interventions_; }
    const Overview& overview() const { return overview_; }

    // What it was made with.
    const RecordingLimits& limits() const { return limits_; }

    // The beginning: time 0, before the first event.
    const Moment& beginning() const { return keyframes_.front()->moment; }

    // --- re-execution; what lies behind tip() is taken for tip() ---

    // An intervention is made as soon as the run stands at its place: no moment with the same number of
    // events and the same time is without it.

    // Everything before t has happened, nothing else.
    void state_at(Nanos t, Moment& out) const;
    // The moment right after the n-th event; 0 is the beginning.
    void state_after(std::uint64_t events, Moment& out) const;
    // The first moment with n or more of that kind behind it. False, and `out` is anything, when there is
    // none yet.
    bool find(StepKind kind, std::uint64_t n, Moment& out) const;
    // Decision n, from 1, made again with its log. None when there is none yet.
    std::optional<DecisionView> decision_at(std::uint64_t n) const;
    // Of a decision of this run under a script: decision_view.h.
    void watch_lines(DecisionView& view) const;
    Machine machine_at_line(const DecisionView& view, std::uint64_t line) const;

    // Lets a moment of this run go on, as the run itself did: interventions are made at their places.
    // `moment.statistics` sees it all. Returns why it paused.
    StopReason advance(Moment& moment, const Limits& limits, Trace* trace = nullptr) const;

    // --- keyframes ---

    std::size_t keyframes() const { return keyframes_.size(); }
    std::size_t keyframe_bytes() const { return keyframes_.size() * keyframe_size_; }
    std::uint64_t keyframe_spacing() const { return spacing_; }  // in events; at most
    // What scripts have carried out to bring the run as far as it is, in instructions (Policy::effort()).
    std::uint64_t effort() const { return effort_; }

    // Re-executes from keyframe `index` to the next one with every sink on and compares the hashes.
    // REQUIRES: index + 1 < keyframes().
    std::optional<ReplayDifference> check_replay(std::size_t index) const;

  private:
    struct Keyframe {
        std::uint64_t hash;
        Moment moment;
    };

    std::size_t segment_of(const Machine& m) const;
    const Intervention* next_intervention(const Machine& m) const;
    const Keyframe& last_keyframe(auto precedes) const;
    void add_keyframe();
    std::uint64_t effort_of_policies() const;  // wherever they are at work

    std::shared_ptr<const Scenario> original_;
    std::unique_ptr<const Scenario>
        scenario_;  // the original and a step that exits, for those that are killed
    StepId exit_step_;
    std::vector<Intervention> interventions_;
    std::vector<NamedPolicy> policies_;                   // the first, then one for each change of policy
    std::vector<std::size_t> segments_;                   // by interventions made: which policy holds
    std::vector<std::unique_ptr<const Engine>> engines_;  // one for each of policies_
    Nanos until_;
    Moment tip_;
    bool complete_ = false;
    StopReason reason_ = StopReason::until;
    Overview overview_;
    std::vector<std::shared_ptr<const Keyframe>> keyframes_;  // shared with branches
    RecordingLimits limits_;
    std::size_t keyframe_size_ = 0;
    std::uint64_t spacing_;
    std::uint64_t stride_ = 1;  // events between two looks at what scripts have carried out
    std::uint64_t keyframe_effort_ = 2'000'000, effort_since_keyframe_ = 0, effort_ = 0;
};

}  // namespace sim
