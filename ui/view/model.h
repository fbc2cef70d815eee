// What the panes look at: the runs, with what has been worked out for looking at them.
//
// A pane never waits. What takes longer than a moment is made piece by piece between frames (Run::work), and
// until it is there the pane shows what there is and says so.
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
#include "sim/replay/range_pieces.h"
#include "sim/replay/range_statistics.h"
#include "sim/replay/session.h"
#include "sim/replay/timeline.h"
#include "sim/replay/zoom.h"
#include "ui/view/view_state.h"

namespace ui {

using Deadline = std::chrono::steady_clock::time_point;

// One schedule() with its inside.
struct Inside {
    sim::DecisionView view;
    std::vector<sim::DecisionStep> steps;
    sim::SwitchView switch_view;
};

// What there is to draw of a range of time.
struct Detail {
    std::uint64_t revision = 0;               // of the timeline: another for each one made of this run
    const sim::Timeline* timeline = nullptr;  // covers the range; null when too much happens in it. Then:
    std::span<const sim::Sample> samples{};   // from at or before the range to at or behind it
    std::span<const sim::Overview::TaskSamples> tasks{};  // likewise
    bool refining = false;                                // finer samples are on their way
};

// What a policy that is a script has done wrong, which has ended the run.
struct ScriptFailure {
    std::string words;   // the place first: "my.lua:12: ..."
    std::string script;  // the name of the policy
    int line = 0;        // 0: none
};

class Run {
  public:
    explicit Run(std::unique_ptr<sim::Session> session);

    // Another for each run that was ever open, so that what was worked out for one is not taken for
    // another's.
    std::uint64_t id() const { return id_; }

    sim::Session& session() { return *session_; }
    const sim::Session& session() const { return *session_; }
    const sim::Recording& recording() const { return session_->recording(); }
    const sim::Scenario& scenario() const { return session_->scenario(); }
    // The policy at the position.
    const sim::NamedPolicy& policy() const { return session_->policy(); }
    sim::Nanos now() const { return session_->now(); }
    // As far as it is simulated.
    sim::Nanos end() const { return recording().tip().machine.globals().now; }
    // How much of it is simulated, 0 to 1; negative when nobody knows where it ends.
    double progress() const;

    // The name of a task at the position.
    std::string name(sim::TaskId p) const;

    // Null unless it is simulated to its end, and that is why it ended.
    const ScriptFailure* failure() const;

    // What the TLBs and caches hold; asked only where the machine has any.
    const sim::Residency& residency() const { return residency_; }
    // Whether kernel threads borrow the address space that they find, at the position.
    bool lazy_tlb() const { return scenario().machine.lazy_tlb.value_or(policy().policy->lazy_tlb()); }

    // The schedule() made last before the position; null before the first.
    const Inside* inside() const;
    // The machine at a step of it that is a line of a script: made again, so that it is the same one
    // whichever way one comes. The pointer is good until the next call. REQUIRES: is_script() of that step of
    // inside().
    const sim::Machine* machine_inside(std::size_t step) const;

    // What the policy, a script, has done wrong, where the position is at that end of the run; otherwise
    // null.
    const sim::PolicyFailure* failure_here() const;

    // What is left to draw `range` in about `columns` columns; without a number, in as many as were asked for
    // last. The pointers are good until the next call or work().
    Detail detail(const TimeRange& range, int columns) const;
    Detail detail(const TimeRange& range) const { return detail(range, columns_); }

    // Averages and percentiles of what is simulated of a range; incomplete while they are being worked out,
    // null when nothing of it is simulated. The pointer is good until another range is asked for.
    const sim::RangeStatistics* range(const TimeRange& range) const;

    // Who had the CPUs in a range, or in the whole run, as far as it is simulated; incomplete while it is
    // being worked out, and cut off where there are more pieces than anybody could tell apart. Null when
    // nothing of it is simulated. The pointer is good until the next call for a range or for the whole run.
    static constexpr std::size_t kMostPieces = 2'000;
    const sim::RangePieces* pieces_in(const TimeRange& range) const {
        return pieces(pieces_of_range_, range);
    }
    const sim::RangePieces* pieces_in_all() const {
        return pieces(pieces_of_all_, {sim::Nanos{}, sim::kHorizon});
    }

    // At the position.
    const sim::TimeParts& parts() const;                    // where the time went until then
    const std::vector<sim::TaskStatistics>& tasks() const;  // by TaskId
    const std::string& broken_invariant() const;            // empty when all hold

    // Re-executions compared with the run so far, of so many that there can be; the first difference, if any.
    struct Replays {
        std::size_t checked = 0, all = 0;
        std::optional<sim::ReplayDifference> difference;
    };
    const Replays& replays() const { return replays_; }

    // So many events of an ordinary run, or fewer of this one that take as long to be made again.
    std::uint64_t affordable(std::uint64_t events) const;

    // Works on what has been asked for, until the deadline. Returns whether there is more to do.
    bool work(Deadline deadline);

    // Checks replays, too, in work().
    bool check_replays = false;

  private:
    struct KeptPieces {
        TimeRange wanted;
        std::unique_ptr<sim::RangePieces> pieces;
    };

    void settle() const;  // what depends on the position
    const sim::RangePieces* pieces(KeptPieces& kept, const TimeRange& range) const;

    inline static std::uint64_t made_ = 0;
    std::uint64_t id_ = ++made_;
    std::unique_ptr<sim::Session> session_;
    sim::Residency residency_;
    std::uint64_t chunk_ = 16;  // decisions to simulate at a time, so that a piece takes a millisecond or so

    // Made when asked for; they hold nothing that could not be made again.
    mutable std::optional<std::uint64_t> settled_revision_;
    mutable sim::TimeParts parts_;
    mutable std::vector<sim::TaskStatistics> tasks_;
    mutable std::string broken_;
    mutable std::optional<Inside> inside_;
    mutable std::uint64_t inside_number_ = 0;
    mutable std::optional<sim::Machine> machine_inside_;
    mutable std::size_t machine_inside_step_ = 0;
    mutable std::optional<ScriptFailure> failure_;
    mutable std::optional<sim::Timeline> timeline_;
    mutable std::uint64_t timeline_revision_ = 0;  // timelines made so far
    mutable bool timeline_whole_ = false;  // nothing can be added to it any more; otherwise it is good up to
    mutable sim::Nanos timeline_tip_{};    // here
    mutable TimeRange unfit_;              // a range that turned out to have too much in it
    mutable std::unique_ptr<sim::Zoom> zoom_;
    mutable std::uint32_t zoom_columns_ = 0;  // that it was asked for
    mutable int columns_ = 360;               // of the timeline
    mutable std::unique_ptr<sim::RangeStatistics> range_;
    mutable KeptPieces pieces_of_range_, pieces_of_all_;
    Replays replays_;
};

// The selected CPU, of those that this run has.
sim::CpuId selected_cpu(const Run& run, const ViewState& view);

class Baseline;
class BesideRecorded;
class Laboratory;
class Recorded;
struct EditedScript;

// All that is open.
struct Model {
    Run* a = nullptr;  // null when no scenario is open
    Run* b = nullptr;  // the run that it is compared with, if any

    // The first decision, counted from 1, in which the two choose another task, from the place asked for on;
    // see Comparison::find_difference().
    std::optional<std::uint64_t> difference;

    const Recorded* recorded = nullptr;      // that the scenario was made of; null when of none
    const BesideRecorded* beside = nullptr;  // A beside it; there when it is

    const Baseline* before = nullptr;  // what the scenario was before it was changed; there when one is open
    const Laboratory* laboratory = nullptr;
    bool can_leave_lab_run = false;        // a run of it is open in place of another one
    const EditedScript* script = nullptr;  // in the editor; always there
    std::vector<std::string> own_scripts;  // names of those that were opened or made here

    std::string scenario_name;      // as it was opened; printable
    std::vector<std::string> sets;  // POINTER=VALUE, made to it by the what-if strip
    std::string error;              // of the last attempt to open something, in full; empty when it went well
    std::string exporting;          // what becomes of a file that is being written; empty when none is
    std::string message;            // one line about what happened last
};

}  // namespace ui
