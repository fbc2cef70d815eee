// The timeline as text: what the CPUs and the tasks do in the visible range, in order.
#include <fmt/format.h>

#include <algorithm>

#include "ui/panels/panel.h"
#include "ui/view/decision_cursor.h"
#include "ui/view/format.h"
#include "ui/view/recorded.h"
#include "ui/view/run_trace_comparison.h"
#include "ui/view/text_table.h"
#include "ui/view/timeline_tracks.h"
#include "ui/view/two_runs.h"

namespace ui {
namespace {

constexpr std::size_t kMostSlices = 200;
constexpr std::size_t kMostMarks = 60;
constexpr std::size_t kMostTasks = 40;
constexpr std::size_t kTextColumns = 24;  // approximate number of columns of samples

std::string more_lines_text(std::size_t n) { return n == 0 ? "" : "... " + group_digits(n) + " more\n"; }

double share(Nanos part, Nanos whole) {
    return static_cast<double>(part.count()) / static_cast<double>(std::max<std::int64_t>(1, whole.count()));
}

std::string exact_timeline_text(const Run& run, const TimelineDetail& detail, const TimeRange& range) {
    const sim::Timeline& t = *detail.timeline;
    std::string all;
    for (CpuId c = 0; c < t.cpus.size(); ++c) {
        const std::span<const sim::CpuSlice> slices(t.cpus[c]);
        std::size_t i = first_ending_after(slices, range.begin);
        TextTable table("rrllrl");
        table.add({"from", "for", "what", "task", "decision"});
        std::size_t lines = 0;
        for (; i < slices.size() && slices[i].begin < range.end && lines < kMostSlices; ++i, ++lines) {
            const sim::CpuSlice& s = slices[i];
            const bool decided =
                s.record != sim::kNoRecord && t.trace.records[s.record].kind == sim::TraceKind::schedule;
            // Lists only the visible part of a slice, because the rest may be unknown.
            const Nanos begin = std::max(s.begin, range.begin), end = std::min(s.end, range.end);
            table.add({instant_text(begin), span(end - begin), words_for(s.activity),
                       s.activity == CpuActivity::idle ? "" : t.name(run.scenario(), s.task, s.begin),
                       decided && t.trace.records[s.record].time >= range.begin
                           ? group_digits(t.decision_numbers[s.record])
                           : "",
                       slice_mm_text(run, t, s)});
        }
        const auto behind = static_cast<std::size_t>(
            std::partition_point(slices.begin(), slices.end(),
                                 [&](const auto& s) { return s.begin < range.end; }) -
            slices.begin());
        all += fmt::format("\ncpu{}\n", c) + table.text() + more_lines_text(behind > i ? behind - i : 0);
    }

    TextTable marks("rl");
    std::size_t seen = 0;
    for (const sim::TimelineMarker& m : t.marks) {
        if (!range.contains(m.time)) continue;
        if (++seen > kMostMarks) continue;
        const std::vector<std::string> about = mark_tooltip(run, t, m.record);
        const std::string outcome = resched_outcome_text(run, t, m.record);
        marks.add({instant_text(m.time), about.front() + (outcome.empty() ? "" : ". " + outcome)});
    }
    if (seen > 0)
        all += "\nMarks\n" + marks.text() + more_lines_text(seen > kMostMarks ? seen - kMostMarks : 0);

    std::uint32_t least = 0;
    std::uint32_t most = 0;
    bool any = false;
    for (std::size_t i = 0; i < t.runnable_counts.size(); ++i) {
        const Nanos until = i + 1 < t.runnable_counts.size() ? t.runnable_counts[i + 1].time : t.end;
        if (until <= range.begin || t.runnable_counts[i].time >= range.end) continue;
        least = any ? std::min(least, t.runnable_counts[i].runnable) : t.runnable_counts[i].runnable;
        most = std::max(most, t.runnable_counts[i].runnable);
        any = true;
    }
    if (any)
        all += "\nRunnable: " +
               (least == most ? group_digits(most) : group_digits(least) + " to " + group_digits(most)) +
               ", including running tasks\n";
    return all;
}

// The tasks that the trace recorded on each CPU, and how far the run agrees with the trace.
std::string recorded_trace_text(const Model& model, const ViewState& view, const TimeRange& range) {
    const RecordedTrace& recorded = *model.recorded;
    std::string all;
    if (!is_outcome_hidden(view)) {
        all += "\n" + recorded_threads_text(recorded, model.a->now()) + "\n";
        if (model.trace_comparison->is_complete())
            all += "A vs. trace: " + model.trace_comparison->summary() + "\n";
    }
    for (std::size_t c = 0; c < recorded.cpus(); ++c) {
        const std::span<const RecordedSlice> slices = recorded.slices(c);
        TextTable table("rrl");
        table.add({"from", "for", "task"});
        std::size_t i = first_ending_after(slices, range.begin), lines = 0;
        for (; i < slices.size() && slices[i].begin < range.end && lines < kMostSlices; ++i, ++lines) {
            const Nanos begin = std::max(slices[i].begin, range.begin);
            table.add({instant_text(begin), span(std::min(slices[i].end, range.end) - begin),
                       slices[i].task < 0 ? "" : recorded.name(slices[i].task)});
        }
        const auto behind = std::partition_point(slices.begin(), slices.end(),
                                                 [&](const auto& s) { return s.begin < range.end; });
        const auto past = static_cast<std::size_t>(behind - slices.begin());
        all += fmt::format("\nrecorded {}\n", c) + table.text() + more_lines_text(past > i ? past - i : 0);
    }
    return all;
}

std::string sampled_timeline_text(const Run& run, const TimelineDetail& detail, const TimeRange& range) {
    const std::vector<Nanos> edges =
        cell_edges(range, std::max(Nanos{1}, range.length() / static_cast<std::int64_t>(kTextColumns)));
    TextTable table("rrrrrrrrrrrrr");
    table.add({"from", "user", "system call", "search", "recalc", "switch", "address space", "cache refill",
               "idle", "switches", "yields", "recalcs", "runnable"});
    for (const TimelineColumn& c : columns_of(detail.samples, edges)) {
        if (c.begin >= run.end()) break;
        std::vector<std::string> row{instant_text(c.begin)};
        for (const double time : c.time)
            row.push_back(
                percent(time / (static_cast<double>((c.end - c.begin).count()) * run.scenario().cpus)));
        for (const double n : {c.switches, c.marks[static_cast<std::size_t>(Lane::yield)],
                               c.marks[static_cast<std::size_t>(Lane::recalculation)], c.queue})
            row.push_back(n < 99.95 ? fmt::format("{:.1f}", n)
                                    : group_digits(static_cast<std::uint64_t>(n + 0.5)));
        table.add(row);
    }
    return "\nShares of the time, computed from samples" +
           std::string(detail.refining ? " that are being refined" : "") + "\n" + table.text();
}

std::string tasks_text_of(const Run& run, const TimelineDetail& detail, const TimelineIndex* index,
                          const TimeRange& range, std::optional<TaskId> selected) {
    const std::vector<TimelineRow> rows = timeline_rows(run, detail, index, range, selected);
    if (rows.empty()) return {};
    TextTable table("lrrr");
    table.add({"task", "running", "in the kernel", "ready"});
    const std::vector<Nanos> edges{range.begin, range.end};
    const TaskSampleColumns columns(detail.tasks, edges);
    std::size_t lines = 0;
    for (const TimelineRow& row : rows) {
        if (++lines > kMostTasks) break;
        if (row.is_group()) {
            table.add({row.name + ": " + row.state()});
            continue;
        }
        std::array<Nanos, 3> time{};
        if (detail.timeline != nullptr) {
            const std::span<const sim::TaskSlice> slices(detail.timeline->tasks[row.task]);
            for (std::size_t i = first_ending_after(slices, range.begin);
                 i < slices.size() && slices[i].begin < range.end; ++i)
                if (slices[i].activity <= TaskActivity::ready)
                    time[static_cast<std::size_t>(slices[i].activity)] +=
                        std::min(slices[i].end, range.end) - std::max(slices[i].begin, range.begin);
        } else {
            const sim::TaskSample s = columns.total(row.task);
            time = {s.user, s.system, s.ready};
        }
        std::vector<std::string> cells{name_at(run, detail, row.task, range.begin)};
        for (const Nanos t : time) cells.push_back(percent(share(t, range.length())));
        table.add(cells);
    }
    return "\nTasks\n" + table.text() +
           more_lines_text(rows.size() > kMostTasks ? rows.size() - kMostTasks : 0);
}

std::string selection_text(const Run& run, const TimeRange& selection) {
    const RangeReport report = range_report(run, selection);
    std::string all = "\nSelected: " + instant_text(selection.begin) + " to " + instant_text(selection.end) +
                      ", " + span(selection.length()) + "\n" + report.counts + "\n";
    for (const RangeReport::Share& s : report.shares)
        all += std::string(words_for(s.activity)) + " " + percent(s.share) + " (" + span(s.time) + ")\n";
    for (const RangeReport::TaskShare& u : report.task_shares)
        all += "user time of " + u.name + " " + percent(u.share) + "\n";
    if (report.progress < 1 || report.shares.empty()) return all;
    TextTable table("lrrrrr");
    table.add({"", "count", "average", "median", "95 %", "99 %"});
    for (const RangeReport::DurationStatistics& s : report.spans)
        table.add({s.what, group_digits(s.count), span(s.average), span(s.p50), span(s.p95), span(s.p99)});
    return all + table.text();
}

}  // namespace

std::string timeline_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return "No scenario is open.\n";
    TimeRange range = shown_range(model, view);
    if (is_outcome_hidden(view)) range.end = std::clamp(model.a->now(), range.begin, range.end);
    std::string all =
        model.scenario_name + ", " + instant_text(range.begin) + " to " + instant_text(range.end) + ", " +
        span(range.length()) + "; position " + instant_text(model.a->now()) +
        (has_runs_at_different_times(model) ? ", of B " + instant_text(model.b->now()) : "") + "\n";
    if (view.cursor_a && view.cursor_b) {
        const Nanos apart = *view.cursor_a > *view.cursor_b ? *view.cursor_a - *view.cursor_b
                                                            : *view.cursor_b - *view.cursor_a;
        all += "A at " + instant_text(*view.cursor_a) + ", B at " + instant_text(*view.cursor_b) + ", " +
               span(apart) + " apart\n";
    }
    std::array<TimelineDetail, 2> details;
    for (std::size_t r = 0; r < 2; ++r) {
        const Run* run = r == 0 ? model.a : model.b;
        if (run == nullptr) continue;
        details[r] = run->detail(range);
        const TimelineDetail& detail = details[r];
        if (model.b != nullptr)
            all += fmt::format("\n{}: {}\n", run_label(r == 0), run->history().policy().spec());
        std::optional<TimelineIndex> index;
        if (detail.timeline != nullptr) index.emplace(*detail.timeline);
        all += detail.timeline != nullptr ? exact_timeline_text(*run, detail, range)
                                          : sampled_timeline_text(*run, detail, range);
        all += tasks_text_of(*run, detail, index ? &*index : nullptr, range, view.task);
        if (run->end() <= range.end)
            all +=
                "\n" +
                (run->history().is_complete() ? "The run is over at " + instant_text(run->end()) + ": " +
                                                    words_for(run->history().stop_reason())
                                              : "Simulated until " + instant_text(run->end()) + " so far") +
                "\n";
        if (view.selection) all += selection_text(*run, *view.selection);
        if (r == 0 && model.recorded != nullptr) all += recorded_trace_text(model, view, range);
    }
    if (model.b == nullptr) return all;
    all += "\nDifference\n";
    if (details[0].timeline != nullptr && details[1].timeline != nullptr) {
        const RunDifferences differences(*details[0].timeline, *details[1].timeline);
        const Nanos time = differences.differing_time(range);
        all += percent(share(time, range.length() * model.a->scenario().cpus)) +
               " of the time, the CPU activity differs between the runs";
        if (const auto first = differences.first_difference_from(range.begin); first && *first < range.end)
            all += ", first at " + instant_text(*first);
        all += "\n";
    }
    if (model.difference) all += "different choice: decision " + group_digits(*model.difference) + "\n";
    return all + (has_runs_at_different_times(model) ? "at each run's position" : "at the cursor") +
           ", A | B: " + compared_totals_text(*model.a, *model.b) + "\n";
}

}  // namespace ui
