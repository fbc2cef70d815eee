// The data of the timeline: task rows, columns of samples, differences between two runs, and tooltips. The
// data does not depend on pixels or ImGui.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/lod.h"
#include "ui/view/model.h"

namespace ui {

// Names used throughout the timeline's files.
using sim::CpuActivity;
using sim::CpuId;
using sim::Nanos;
using sim::TaskActivity;
using sim::TaskId;

inline constexpr std::size_t kActivities = 10;
inline constexpr std::size_t kTaskActivities = 5;
inline std::size_t activity_index(CpuActivity a) { return static_cast<std::size_t>(a); }
inline std::size_t activity_index(TaskActivity a) { return static_cast<std::size_t>(a); }

inline double to_double(Nanos t) { return static_cast<double>(t.count()); }

// The rows of markers, from top to bottom.
enum class Lane : std::uint8_t { recalculation, yield, wake_up, tick, fork, exec, exit, ipi };
inline constexpr std::size_t kLanes = 8;
static_assert(kLanes == MarkerTimes::kKinds);
static_assert(kActivities <= SliceKindSums::kKinds && kTaskActivities <= SliceKindSums::kKinds);

const char* to_string(Lane lane);  // "recalcs"
// The lane in which a record is drawn as a marker.
Lane lane_of(const sim::TraceRecord& r);

// The word for an activity of a CPU, as in the legend.
const char* words_for(CpuActivity activity);
// The reason why a run ended, as a text that continues "the run is over: ...".
const char* words_for(sim::StopReason reason);

// The kind and the owner of a slice, for SlicePrefixSums.
std::size_t kind_of(const sim::CpuSlice& s);
TaskId owner_of(const sim::CpuSlice& s);
std::size_t kind_of(const sim::TaskSlice& s);
TaskId owner_of(const sim::TaskSlice& s);

// Sums over the slices of a timeline. Computed once per timeline; the cache uses Run::id() and
// TimelineDetail::revision as key.
class TimelineIndex {
  public:
    explicit TimelineIndex(const sim::Timeline& timeline);

    // The sums of the slices from `first` to `last`, both included, of a CPU or a task.
    SliceKindSums cpu_sums(const sim::Timeline& t, CpuId c, std::size_t first, std::size_t last,
                           TimesByTask* owners) const;
    SliceKindSums task_sums(const sim::Timeline& t, TaskId p, std::size_t first, std::size_t last) const;
    // The markers by Lane. `record` of a marker is the index of its record in the trace.
    const MarkerTimes& marks() const { return marks_; }

    // True if the task was asleep during the whole timeline, or ready during the whole timeline. If there are
    // many tasks, this is true for most of them.
    bool keeps_one_state(TaskId p) const { return still_[p]; }

  private:
    std::vector<SlicePrefixSums> cpus_;
    // By TaskId: index into tasks_; kNone: the task has only a few slices.
    std::vector<std::uint32_t> task_sums_;
    std::vector<SlicePrefixSums> tasks_;
    std::vector<bool> still_;
    MarkerTimes marks_;

    static constexpr std::uint32_t kNone = 0xffff'ffff;
};

// A row below the CPUs: a task, or all tasks of a group that did not run in the visible range.
struct TimelineRow {
    TaskId task = 0;  // the task, or the first task of the group
    std::uint32_t count = 1;
    std::uint32_t ready = 0;  // number of ready tasks of the group; its other tasks slept
    std::string name;

    bool is_group() const { return count > 1; }
    std::string state() const;  // state of a group: "asleep", "3 ready, the others asleep"
};

// The rows of the tasks that were alive in the range, sorted by TaskId. If more than eight tasks of a group
// did not run, they share one row, at the position of the first of them. The task `always_shown` has its own
// row in any case. `index` may be null if there is no timeline.
std::vector<TimelineRow> timeline_rows(const Run& run, const TimelineDetail& detail,
                                       const TimelineIndex* index, const TimeRange& range,
                                       std::optional<TaskId> always_shown);

// The name of a task at the time `at`; may be wrong if the timeline does not contain that time.
std::string name_at(const Run& run, const TimelineDetail& detail, TaskId p, Nanos at);

// The activity of the CPUs between two edges, for a column of the timeline. The values are interpolated
// between samples, so counts may be fractions.
struct TimelineColumn {
    Nanos begin{}, end{};
    std::array<double, kActivities> time{};  // time of all CPUs in ns, by CpuActivity
    // Number of markers by Lane; wake-ups: only those by devices and timers.
    std::array<double, kLanes> marks{};
    double switches = 0, decisions = 0;
    // Average number of runnable tasks at decisions. If the column has no decision: their number at `end`.
    double queue = 0;
    std::uint32_t longest = 0;  // the largest number of runnable tasks

    double per_second(Lane lane) const {
        return 1e9 * marks[static_cast<std::size_t>(lane)] / static_cast<double>((end - begin).count());
    }
};
// A rate as text: "0.2/s", "396/s", "3.3k/s".
std::string rate_text(double per_second);
// One column for each pair of adjacent edges. Samples are interpolated linearly; columns after the last
// sample are empty. REQUIRES: edges are in order.
std::vector<TimelineColumn> columns_of(std::span<const sim::Sample> samples, std::span<const Nanos> edges);

// The edges of cells in the range. Cells have the width `cell` and are on a grid of absolute time. The
// first and the last edge are those of the range, so the first and the last cell may be narrower. REQUIRES:
// the range is not empty.
std::vector<Nanos> cell_edges(const TimeRange& range, Nanos cell);

// The columns of each task, computed from samples.
class TaskSampleColumns {
  public:
    TaskSampleColumns(std::span<const sim::Overview::TaskTableSample> samples, std::span<const Nanos> edges);

    std::size_t tasks() const { return samples_.empty() ? 0 : samples_.back().tasks.size(); }
    // The values of task p between edges i and i + 1.
    sim::TaskSample at(TaskId p, std::size_t i) const;
    // The values of task p in the whole time range, from the left edge of the first column to the right edge
    // of the last.
    sim::TaskSample total(TaskId p) const;

  private:
    struct SamplePosition {
        std::size_t before = 0;  // index of the sample at or before the edge
        double share = 0;        // position of the edge from this sample (0) to the next (1)
    };
    sim::TaskSample difference_between(TaskId p, const SamplePosition& a, const SamplePosition& b) const;

    std::span<const sim::Overview::TaskTableSample> samples_;
    std::vector<SamplePosition> edges_;
};

// The times at which the CPUs of two runs executed different tasks or had different activities.
class RunDifferences {
  public:
    RunDifferences(const sim::Timeline& a, const sim::Timeline& b);

    // The CPU time in the range during which the runs differ.
    Nanos differing_time(const TimeRange& range) const;
    // The first time at or after t at which the runs differ.
    std::optional<Nanos> first_difference_from(Nanos t) const;

  private:
    struct Span {
        Nanos begin, end;
        Nanos before;  // total length of all spans before this one
    };
    Nanos length_before(const std::vector<Span>& spans, Nanos t) const;

    std::vector<std::vector<Span>> cpus_;
};

// Statistics of a range.
struct RangeReport {
    double progress = 1;  // share that is computed, 0 to 1
    std::string counts;   // such as "105 switches (3 voluntary, 102 forced), 105 yields, 2 recalcs"
    struct Share {
        CpuActivity activity;
        double share;
        Nanos time;
    };
    std::vector<Share> shares;  // shares of CPU time; only those above 0
    struct TaskShare {
        TaskId task;
        std::string name;
        double share;  // share of the CPUs' time
    };
    std::vector<TaskShare> task_shares;  // the task with the most time first
    struct DurationStatistics {
        const char* what;
        std::uint64_t count;
        Nanos average, p50, p95, p99;
    };
    std::array<DurationStatistics, 3> spans{};
};
RangeReport range_report(const Run& run, const TimeRange& range);

// The lines of a tooltip about a CPU at the run's position, and about a slice of a CPU. The first line is the
// title.
std::vector<std::string> cpu_tooltip(const Run& run, CpuId c);
std::vector<std::string> slice_tooltip(const Run& run, const sim::Timeline& t, CpuId c, std::size_t slice);
// The address space of a slice in words: "borrows A's address space"; empty if the slice has the task's own
// address space.
std::string slice_mm_text(const Run& run, const sim::Timeline& t, const sim::CpuSlice& s);
// The lines of a tooltip about a slice of a task.
std::vector<std::string> task_slice_tooltip(const Run& run, const sim::Timeline& t, TaskId p,
                                            std::size_t slice);
// For the marker of a wake-up or tick: whether the event led to a schedule(), and why. Empty for other
// markers.
std::string resched_outcome_text(const Run& run, const sim::Timeline& t, std::uint32_t record);
// The lines of a tooltip about a marker.
std::vector<std::string> mark_tooltip(const Run& run, const sim::Timeline& t, std::uint32_t record);
// The lines of a tooltip about combined slices of a CPU or a task.
std::vector<std::string> shares_tooltip(const Run& run, const TimelineDetail& detail, const TimeRange& range,
                                        const SliceKindSums& shares, const TimesByTask& owners);
std::vector<std::string> task_shares_tooltip(const TimeRange& range, const std::string& name,
                                             const SliceKindSums& shares);
// The lines of a tooltip about a column, and about the markers of a lane in a column.
std::vector<std::string> column_tooltip(const TimelineColumn& column, std::uint32_t cpus);
std::vector<std::string> marks_tooltip(const TimelineColumn& column, Lane lane);

// The totals of the two runs up to their positions: "switches 37 | 52 (+15), ...".
std::string compared_totals_text(const Run& a, const Run& b);

// The visible range, never empty.
TimeRange shown_range(const Model& model, const ViewState& view);

}  // namespace ui
