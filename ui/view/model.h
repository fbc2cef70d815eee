// The data that panes display: the runs, and values computed for display.
//
// A pane never waits. Long work is done in chunks between frames (Run::work); until it is finished, the pane
// shows partial data and indicates that.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/residency.h"
#include "sim/explain/decision_steps.h"
#include "sim/explain/switch_steps.h"
#include "sim/replay/range_segments.h"
#include "sim/replay/range_statistics.h"
#include "sim/replay/session.h"
#include "sim/replay/timeline.h"
#include "sim/replay/zoom.h"
#include "ui/view/view_state.h"

namespace ui {

using Deadline = std::chrono::steady_clock::time_point;

// One schedule() with its steps.
struct DecisionDetail {
    sim::DecisionView view;
    std::vector<sim::DecisionStep> steps;
    sim::SwitchView switch_view;
};

// The data to draw a range of time.
struct Detail {
    std::uint64_t revision = 0;  // changes with each timeline made for this run
    const sim::Timeline* timeline =
        nullptr;                             // covers the range; null if the range has too many events. Then:
    std::span<const sim::Sample> samples{};  // from at or before the range to at or after it
    std::span<const sim::Overview::TaskSamples> tasks{};  // likewise
    bool refining = false;                                // finer samples are being computed
};

// The error of a policy script that ended the run.
struct ScriptFailure {
    std::string words;   // starts with the position: "my.lua:12: ..."
    std::string script;  // the name of the policy
    int line = 0;        // 0: none
};

class Run {
  public:
    explicit Run(std::unique_ptr<sim::Session> session);

    // Unique among all runs ever opened, so that cached values of one run are not used for another.
    std::uint64_t id() const { return id_; }

    sim::Session& session() { return *session_; }
    const sim::Session& session() const { return *session_; }
    const sim::RunHistory& recording() const { return session_->recording(); }
    const sim::Scenario& scenario() const { return session_->scenario(); }
    // The policy at the position.
    const sim::NamedPolicy& policy() const { return session_->policy(); }
    sim::Nanos now() const { return session_->now(); }
    // The end of the simulated part.
    sim::Nanos end() const { return recording().tip().machine.globals().now; }
    // The simulated part of the run, 0 to 1; negative if the end of the run is unknown.
    double progress() const;

    // The name of a task at the position.
    std::string name(sim::TaskId p) const;

    // The failure that ended the run; null if it is incomplete or ended for another reason.
    const ScriptFailure* failure() const;

    // The contents of TLBs and caches; used only if the machine models them.
    const sim::Residency& residency() const { return residency_; }
    // Whether kernel threads borrow the loaded address space, at the position.
    bool lazy_tlb() const { return scenario().machine.lazy_tlb.value_or(policy().policy->lazy_tlb()); }

    // The last schedule() before the position; null if there is none.
    const DecisionDetail* inside() const;
    // The machine at a step of inside() that is a script line. It is re-executed, so that it does not depend
    // on the direction of stepping. Valid until the next call. REQUIRES: is_script() of that step.
    const sim::Machine* machine_inside(std::size_t step) const;

    // The error of the policy script, if the position is the end of a run that ended with it; otherwise null.
    const sim::PolicyFailure* failure_here() const;

    // The data to draw `range` in about `columns` columns, by default as many as in the last call. Pointers
    // are valid until the next call or work().
    Detail detail(const TimeRange& range, int columns) const;
    Detail detail(const TimeRange& range) const { return detail(range, columns_); }

    // Averages and percentiles of the simulated part of a range. Incomplete while they are being computed;
    // null if none of it is simulated. Valid until another range is requested.
    const sim::RangeStatistics* range(const TimeRange& range) const;

    // The tasks on the CPUs, in a range or in the whole run, up to the simulated end. Incomplete while being
    // computed; cut off after kMostPieces, more than can be distinguished. Null if nothing is simulated.
    // Valid until the next call of the same function.
    static constexpr std::size_t kMostPieces = 2'000;
    const sim::RangeSegments* pieces_in(const TimeRange& range) const {
        return pieces(pieces_of_range_, range);
    }
    const sim::RangeSegments* pieces_in_all() const {
        return pieces(pieces_of_all_, {sim::Nanos{}, sim::kHorizon});
    }

    // At the position:
    const sim::TimeParts& parts() const;                    // time by activity, from the start
    const std::vector<sim::TaskStatistics>& tasks() const;  // by TaskId
    const std::string& check_invariants() const;            // empty if all hold

    // Progress of the replay check: re-executions compared with this run, out of `all`, and the first
    // difference.
    struct Replays {
        std::size_t checked = 0, all = 0;
        std::optional<sim::ReplayDifference> difference;
    };
    const Replays& replays() const { return replays_; }

    // Scales a number of events of an ordinary run to events of this run that take as long to re-execute.
    std::uint64_t affordable(std::uint64_t events) const;

    // Works on pending requests until the deadline. Returns whether there is more to do.
    bool work(Deadline deadline);

    // Whether work() also checks replays.
    bool check_replays = false;

  private:
    struct CachedSegments {
        TimeRange wanted;
        std::unique_ptr<sim::RangeSegments> pieces;
    };

    void settle() const;  // updates the values that depend on the position
    std::uint64_t estimated_events(const TimeRange& range) const;
    // All slices of a range, cached. Null if they are too many, not simulated yet, or if the range is empty.
    const sim::Timeline* timeline_of(const TimeRange& range) const;
    void refine(Detail& detail, const TimeRange& range, int columns) const;
    const sim::RangeSegments* pieces(CachedSegments& kept, const TimeRange& range) const;

    inline static std::uint64_t made_ = 0;
    std::uint64_t id_ = ++made_;
    std::unique_ptr<sim::Session> session_;
    sim::Residency residency_;
    // Decisions simulated at a time; adapted so that a chunk takes about a millisecond.
    std::uint64_t chunk_ = 16;

    // Caches, filled on request; all can be recomputed.
    mutable std::optional<std::uint64_t> settled_revision_;
    mutable sim::TimeParts parts_;
    mutable std::vector<sim::TaskStatistics> tasks_;
    mutable std::string broken_;
    mutable std::optional<DecisionDetail> inside_;
    mutable std::uint64_t inside_number_ = 0;
    mutable std::optional<sim::Machine> machine_inside_;
    mutable std::size_t machine_inside_step_ = 0;
    mutable std::optional<ScriptFailure> failure_;
    mutable std::optional<sim::Timeline> timeline_;
    mutable std::uint64_t timeline_revision_ = 0;  // number of timelines made
    // If true, the timeline is complete for its range; otherwise it is valid up to timeline_tip_.
    mutable bool timeline_whole_ = false;
    mutable sim::Nanos timeline_tip_{};
    mutable TimeRange unfit_;  // a range that turned out to have too many events
    mutable std::unique_ptr<sim::Zoom> zoom_;
    mutable std::uint32_t zoom_columns_ = 0;  // columns requested for zoom_
    mutable int columns_ = 360;               // columns of the timeline, as last requested
    mutable std::unique_ptr<sim::RangeStatistics> range_;
    mutable CachedSegments pieces_of_range_, pieces_of_all_;
    Replays replays_;
};

// The selected CPU, limited to the CPUs of this run.
sim::CpuId selected_cpu(const Run& run, const ViewState& view);

class Baseline;
class TraceOverlay;
class Laboratory;
class Recorded;
struct EditedScript;

// The open runs and everything that belongs to them.
struct Model {
    Run* a = nullptr;  // null: no scenario is open
    Run* b = nullptr;  // the run that A is compared with; null: none

    // The first decision, counted from 1, after the position of the request in which the two runs choose
    // different tasks; see Comparison::find_difference().
    std::optional<std::uint64_t> difference;

    const Recorded* recorded = nullptr;    // the trace that the scenario was made from; null: none
    const TraceOverlay* beside = nullptr;  // A compared with the trace; null: no trace

    const Baseline* before = nullptr;  // before the user's changes; null: no scenario is open
    const Laboratory* laboratory = nullptr;
    bool can_leave_lab_run = false;        // a laboratory run has replaced another run
    const EditedScript* script = nullptr;  // script in the editor; never null
    std::vector<std::string> own_scripts;  // names of scripts opened or created in this session

    std::string scenario_name;      // name as opened; printable
    std::vector<std::string> sets;  // POINTER=VALUE changes by the what-if strip
    std::string error;              // full error of the last attempt to open something; empty after success
    std::string exporting;          // progress of the export of a file; empty: none
    std::string message;            // one line about the last action
};

}  // namespace ui
