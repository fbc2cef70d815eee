// A run with random access: by time, by decision, or as a whole. It stores only an overview and some copies
// of the machine, which are called keyframes. The same deterministic engine recomputes every other state on
// request, from the last keyframe before the requested position. When the keyframes exceed their memory
// limit, every second keyframe is dropped and the spacing doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/seek_target.h"
#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"
#include "sim/explain/decision_view.h"
#include "sim/replay/intervention.h"
#include "sim/replay/overview.h"

namespace sim {

// The state of a run at a position, with its statistics.
struct Moment {
    Machine machine;
    Statistics statistics;
};

// Number of steps of this kind so far. A step is an event, a decision, a context switch, a tick, a yield or a
// recalculation.
std::uint64_t count_steps(StepEventKind kind, const Machine& m, const Statistics& statistics);

// The result of a re-execution that reached a different state than the original run. Such a difference is a
// bug in the simulator.
struct ReplayDifference {
    std::uint64_t after_events = 0;            // number of events before the comparison
    std::uint64_t recorded = 0, replayed = 0;  // hashes of the two states
};

struct RecordingLimits {
    std::size_t keyframe_bytes = std::size_t{64} << 20;
    // Number of events between keyframes while memory suffices. Re-execution of 2048 events takes about 100
    // us. Decisions are not used as the unit, because a long computation causes timer interrupts but may
    // cause no decision for hours.
    std::uint64_t keyframe_spacing = 2048;
    Nanos until = kHorizon;  // end of the run if the scenario specifies no end
};

class RunHistory {
  public:
    // The constructor does not simulate; extend() simulates. REQUIRES: policy.policy can schedule the
    // scenario; the policies of the interventions exist; interventions are ordered by position.
    RunHistory(std::shared_ptr<const Scenario> scenario, NamedPolicy policy,
               std::vector<Intervention> interventions = {}, const RecordingLimits& limits = {});

    // A run that equals this run up to the position of `intervention` and continues with the intervention.
    // The common part is not simulated again. REQUIRES: the same conditions as for Session::what_if().
    std::unique_ptr<RunHistory> branch(const Intervention& intervention) const;

    // Simulates further. Returns after about `decisions` decisions, after eight times as many events, or at
    // the end of the run, whichever is first. With a slow policy script, the function returns after about 20
    // ms.
    void extend(std::uint64_t decisions);
    void extend_to_end() {
        while (!is_complete()) extend(1 << 20);
    }
    bool is_complete() const { return complete_; }
    // REQUIRES: is_complete().
    StopReason stop_reason() const { return reason_; }
    // The state at the end of the part of the run that has been simulated so far.
    const Moment& simulated_end() const { return tip_; }
    // The latest time at which the run ends; kHorizon: unknown.
    Nanos latest_end() const { return until_; }

    const Scenario& scenario() const { return *scenario_; }
    const NamedPolicy& policy() const { return policies_.front(); }
    const NamedPolicy& policy_at(const Machine& m) const { return policies_[policy_index(m)]; }
    const std::vector<Intervention>& interventions() const { return interventions_; }
    const Overview& overview() const { return overview_; }

    const RecordingLimits& limits() const { return limits_; }

    // The state at time 0, before the first event.
    const Moment& beginning() const { return keyframes_.front()->moment; }

    // --- re-execution; for a position after simulated_end(), simulated_end() is used ---

    // An intervention is applied when the run reaches its position. Every state at that position includes the
    // intervention.

    // Sets `out` to the state at time t: all events before t are included, events at t or later are not.
    void state_at(Nanos t, Moment& out) const;
    // Sets `out` to the state right after event number `events`; 0: the start of the run.
    void state_after(std::uint64_t events, Moment& out) const;
    // Sets `out` to the first state after at least n events of this kind. Returns false if this state has
    // not been simulated yet; `out` is then unspecified.
    bool find_step(StepEventKind kind, std::uint64_t n, Moment& out) const;
    // Re-executes decision number n (from 1) with its log. Returns nullopt if the decision has not been
    // simulated yet.
    std::optional<DecisionView> decision_at(std::uint64_t n) const;
    // The wake-ups, ticks and ends of slices in the events with numbers above `from` and up to `to`, with
    // their reasons. Returns an empty list if the run does not reach event `to`.
    std::vector<ReschedCheck> checks_of_events(std::uint64_t from, std::uint64_t to) const;
    // Like checks_of_events(), but for all events in [begin, end), in order of time.
    std::vector<ReschedCheck> checks_between(Nanos begin, Nanos end) const;
    // Adds the executed lines of the policy script to a decision of this run (decision_view.h).
    void record_script_lines(DecisionView& view) const;
    Machine machine_at_line(const DecisionView& view, std::uint64_t line) const;

    // Simulates onwards from `moment`, which must be a state of this run, and applies the run's
    // interventions. Stops at `limits`. Updates `moment.statistics`. Returns the reason for stopping.
    StopReason advance(Moment& moment, const Limits& limits, Trace* trace = nullptr) const;

    // --- keyframes ---

    std::size_t keyframe_count() const { return keyframes_.size(); }
    std::size_t keyframe_bytes() const { return keyframes_.size() * keyframe_size_; }
    std::uint64_t keyframe_spacing() const { return spacing_; }  // maximum number of events between keyframes
    // Number of instructions that policy scripts have executed for the run so far
    // (Policy::instructions_executed()).
    std::uint64_t instructions_executed() const { return effort_; }

    // Re-executes the run from keyframe `keyframe_index` to the next keyframe with all sinks enabled.
    // Compares the hash of the reached state with the hash of the next keyframe. Returns nullopt if the two
    // hashes are equal. REQUIRES: keyframe_index + 1 < keyframe_count().
    std::optional<ReplayDifference> check_replay(std::size_t keyframe_index) const;

  private:
    struct Keyframe {
        std::uint64_t hash;
        Moment moment;
    };

    std::size_t policy_index(const Machine& m) const;
    const Intervention* next_intervention(const Machine& m) const;
    const Keyframe& last_keyframe(auto precedes) const;
    void add_keyframe();
    // Sum of the instructions that all policies_ have executed, including re-execution.
    std::uint64_t instructions_of_policies() const;

    std::shared_ptr<const Scenario> scenario_;
    std::vector<Intervention> interventions_;
    std::vector<NamedPolicy> policies_;  // the initial policy, then one policy for each change of policy
    std::vector<std::size_t> segments_;  // index into policies_, by number of applied interventions
    std::vector<std::unique_ptr<const Engine>> engines_;  // parallel to policies_
    Nanos until_;
    Moment tip_;
    bool complete_ = false;
    StopReason reason_ = StopReason::until;
    Overview overview_;
    std::vector<std::shared_ptr<const Keyframe>> keyframes_;  // shared with branches
    RecordingLimits limits_;
    std::size_t keyframe_size_ = 0;
    std::uint64_t spacing_;
    // Number of events between two checks of the instructions that policy scripts have executed.
    std::uint64_t stride_ = 1;
    std::uint64_t keyframe_effort_ = 2'000'000, effort_since_keyframe_ = 0, effort_ = 0;
};

}  // namespace sim
