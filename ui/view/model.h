// The data that panes display: the runs, and values computed for display.
//
// A pane never waits for a result. Long computations are done in chunks between frames (Run::work). Until
// they are finished, the pane shows partial data and indicates that the data is partial.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/residency.h"
#include "sim/explain/decision_reasons.h"
#include "sim/explain/decision_steps.h"
#include "sim/explain/switch_steps.h"
#include "sim/replay/range_samples.h"
#include "sim/replay/range_segments.h"
#include "sim/replay/range_statistics.h"
#include "sim/replay/session.h"
#include "sim/replay/timeline.h"
#include "sim/replay/why_not.h"
#include "ui/view/view_state.h"

namespace ui {

using Deadline = std::chrono::steady_clock::time_point;

// One call of schedule() with its steps.
struct DecisionDetail {
    sim::DecisionView view;
    std::vector<sim::DecisionStep> steps;
    sim::SwitchView switch_view;
    sim::DecisionReasons decision_reasons;
};

// The data that is needed to draw a range of time.
struct TimelineDetail {
    std::uint64_t revision = 0;  // changes whenever another timeline is made for this run
    // Timeline that contains the range; null if the range has too many events.
    const sim::Timeline* timeline = nullptr;
    std::span<const sim::Sample> samples{};                   // if timeline is null: samples around the range
    std::span<const sim::Overview::TaskTableSample> tasks{};  // likewise
    bool refining = false;                                    // finer samples are being computed
};

// The error of a policy script that ended the run.
struct ScriptFailure {
    std::string words;   // starts with the position: "my.lua:12: ..."
    std::string script;  // name of the policy script
    int line = 0;        // 0: none
};

class Run {
  public:
    explicit Run(std::unique_ptr<sim::Session> session);

    // The id of the run, unique among all runs ever opened. Caches use the id as key, so that values of one
    // run are not used for another.
    std::uint64_t id() const { return id_; }

    sim::Session& session() { return *session_; }
    const sim::Session& session() const { return *session_; }
    const sim::RunHistory& history() const { return session_->history(); }
    const sim::Scenario& scenario() const { return session_->scenario(); }
    // The policy in effect at the run's position.
    const sim::NamedPolicy& policy() const { return session_->policy(); }
    sim::Nanos now() const { return session_->now(); }
    // The end of the part of the run that is simulated so far.
    sim::Nanos end() const { return history().simulated_end().machine.globals().now; }
    // The share of the run that is simulated so far, 0 to 1; negative if the end of the run is unknown.
    double progress() const;

    // The name of task p at the run's position.
    std::string name(sim::TaskId p) const;

    // The script failure that ended the run; null if the run is incomplete or ended for another reason.
    const ScriptFailure* failure() const;

    // The contents of TLBs and caches; used only if the scenario models them.
    const sim::Residency& residency() const { return residency_; }
    // True if kernel threads borrow the loaded address space (lazy TLB). The scenario or, by default, the
    // policy at the run's position determines this.
    bool lazy_tlb() const { return scenario().machine.lazy_tlb.value_or(policy().policy->lazy_tlb()); }

    // The last schedule() before the run's position; null if there is none.
    const DecisionDetail* last_decision() const;
    // True if the run's position is right after the schedule() of last_decision(), with no later event.
    bool is_at_decision() const;
    // Sentences that explain the last event before the run's position if it is a wake-up or a tick without a
    // schedule(), otherwise the last schedule(). Empty before the first schedule().
    const std::string& position_explanation() const;
    // The points in a range of time where the policy decides whether to request a schedule() (wake-ups, ticks
    // and others), with the reasons.
    std::vector<sim::ReschedCheck> resched_checks_between(sim::Nanos begin, sim::Nanos end) const;
    // The machine at a step of last_decision() that is a line of a policy script. The run is always
    // re-executed up to the step, so that the result does not depend on the direction of stepping. The result
    // is valid until the next call. REQUIRES: is_script() is true for that step.
    const sim::Machine* machine_at_step(std::size_t step) const;

    // The error of the policy script, if it ended the run and the position is the end of the run; otherwise
    // null.
    const sim::PolicyFailure* failure_at_position() const;

    // The data that is needed to draw `range` in about `columns` columns; the default is the number in the
    // last call. The pointers are valid until the next call or work().
    TimelineDetail detail(const TimeRange& range, int columns) const;
    TimelineDetail detail(const TimeRange& range) const { return detail(range, columns_); }

    // Averages and percentiles of the part of the range that is simulated. The result is incomplete while
    // it is being computed; null if no part is simulated. Valid until another range is requested.
    const sim::RangeStatistics* range_statistics(const TimeRange& range) const;

    // segments_in() returns the segments of a range, segments_in_run() those of the whole run. In a segment,
    // a CPU runs one task. Only the simulated part of the run is included. The result is incomplete while it
    // is being computed. It is cut off after kMostPieces segments, because more cannot be distinguished on
    // the screen. Null if nothing is simulated. Valid until the next call of the same function.
    static constexpr std::size_t kMostPieces = 2'000;
    const sim::RangeSegments* segments_in(const TimeRange& range) const {
        return cached_segments(pieces_of_range_, range);
    }
    const sim::RangeSegments* segments_in_run() const {
        return cached_segments(pieces_of_all_, {sim::Nanos{}, sim::kHorizon});
    }

    // time_parts(), tasks() and check_invariants() return values at the run's position.
    const sim::TimeParts& time_parts() const;               // time by activity, since the start of the run
    const std::vector<sim::TaskStatistics>& tasks() const;  // by TaskId
    const std::string& check_invariants() const;            // empty if no invariant is violated

    // Progress of the replay check: the number of re-executions (of `all`) that have been compared with
    // this run, and the first difference.
    struct ReplayProgress {
        std::size_t checked = 0, all = 0;
        std::optional<sim::ReplayDifference> difference;
    };
    const ReplayProgress& replays() const { return replays_; }

    // The number of events of this run whose re-execution takes as long as that of `events` events of an
    // ordinary run.
    std::uint64_t events_of_equal_replay_time(std::uint64_t events) const;

    // Works on pending requests until the deadline. Returns true if work remains.
    bool work(Deadline deadline);

    // If true, work() also checks replays.
    bool check_replays = false;

  private:
    struct CachedSegments {
        TimeRange wanted;
        std::unique_ptr<sim::RangeSegments> pieces;
    };

    void update_cached_values() const;  // updates the values that depend on the position
    std::uint64_t estimated_events(const TimeRange& range) const;
    // All slices of a range, cached. Null if the range has too many slices, is not simulated yet, or is
    // empty.
    const sim::Timeline* timeline_of(const TimeRange& range) const;
    void refine(TimelineDetail& detail, const TimeRange& range, int columns) const;
    const sim::RangeSegments* cached_segments(CachedSegments& kept, const TimeRange& range) const;

    inline static std::uint64_t made_ = 0;
    std::uint64_t id_ = ++made_;
    std::unique_ptr<sim::Session> session_;
    sim::Residency residency_;
    // The number of decisions that are simulated at a time. It is adapted so that their simulation takes
    // about a millisecond.
    std::uint64_t chunk_ = 16;

    // Cached values, which are computed on request and can be computed again. parts_, tasks_ and broken_ are
    // valid for the Session::revision() `cached_revision_`.
    mutable std::optional<std::uint64_t> cached_revision_;
    mutable sim::TimeParts parts_;
    mutable std::vector<sim::TaskStatistics> tasks_;
    mutable std::string broken_;
    mutable std::optional<DecisionDetail> inside_;
    mutable std::uint64_t inside_number_ = 0;
    mutable std::string why_;
    mutable std::uint64_t why_revision_ = 0;
    mutable std::optional<sim::Machine> machine_inside_;
    mutable std::size_t machine_inside_step_ = 0;
    mutable std::optional<ScriptFailure> failure_;
    mutable std::optional<sim::Timeline> timeline_;
    mutable std::uint64_t timeline_revision_ = 0;  // number of timelines made so far
    // True: the timeline is complete for its range. False: it is valid up to timeline_tip_.
    mutable bool timeline_whole_ = false;
    mutable sim::Nanos timeline_tip_{};
    mutable TimeRange unfit_;  // a range with more events than were estimated
    mutable std::unique_ptr<sim::RangeSamples> zoom_;
    mutable std::uint32_t zoom_columns_ = 0;  // number of columns for which the samples zoom_ were made
    mutable int columns_ = 360;               // columns of the timeline, as last requested
    mutable std::unique_ptr<sim::RangeStatistics> range_;
    mutable CachedSegments pieces_of_range_, pieces_of_all_;
    ReplayProgress replays_;
};

// The selected CPU. If this run has no such CPU, returns the run's CPU with the highest number.
sim::CpuId selected_cpu(const Run& run, const ViewState& view);

class Baseline;
class RunTraceComparison;
class Laboratory;
class RecordedTrace;
struct EditedScenario;
struct EditedScript;

// The open runs and all data that belongs to them.
struct Model {
    Run* a = nullptr;  // null: no scenario is open
    Run* b = nullptr;  // the run that A is compared with; null: none

    // The result of the last search for a difference: the first decision, counted from 1, in which the two
    // runs choose different tasks. See Comparison::find_difference().
    std::optional<std::uint64_t> difference;

    const RecordedTrace* recorded = nullptr;  // the trace that the scenario was made from; null: none
    const RunTraceComparison* trace_comparison = nullptr;  // run A and the trace; null: no trace

    const Baseline* baseline = nullptr;  // the scenario without the user's changes; null: none is open
    const Laboratory* laboratory = nullptr;
    bool can_leave_lab_run = false;          // a laboratory run is open in place of another run
    const EditedScript* script = nullptr;    // script in the editor; never null
    const EditedScenario* edited = nullptr;  // the scenario's text in the editor; never null
    std::vector<std::string> own_scripts;    // names of scripts opened or created in this session

    std::string scenario_name;      // name under which the scenario was opened; printable
    std::uint64_t opened = 0;       // number of the opened scenario; saving does not change it
    std::vector<std::string> sets;  // changes in the what-if strip, as POINTER=VALUE
    std::string error;              // the complete text of the error that is shown; empty: no error
    std::string exporting;          // progress of the export of a file; empty: none
    std::string message;            // one line about the last action
};

// The current state of the window, for comparison with its state at a stop of the tour. REQUIRES: model.a
// is not null.
ViewState::TourStopState tour_stop_state_of(const Model& model);

}  // namespace ui
