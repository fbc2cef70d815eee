#include "sim/figures/gantt_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sim::figures {
namespace {

// The unit of times in the chart; it depends on the length of the time range.
struct GanttUnit {
    explicit GanttUnit(Nanos length)
        : ns(length >= 2s    ? 1e9
             : length >= 2ms ? 1e6
             : length >= 2us ? 1e3
                             : 1),
          name(length >= 2s    ? "s"
               : length >= 2ms ? "ms"
               : length >= 2us ? "us"
                               : "ns") {}

    double at(Nanos time) const { return static_cast<double>(time.count()) / ns; }
    std::string text(std::optional<Nanos> time) const {
        return time ? fmt::format("{:.4g}", at(*time)) : "-";
    }
    std::string mean(std::optional<double> time) const { return fmt::format("{:.4g}", *time / ns); }

    double ns;
    const char* name;
};

bool is_shown(const RunSegment& piece, Nanos begin, Nanos end) {
    return piece.task != kNoTask && piece.begin < end && piece.end > begin;
}

std::string job_means_text(const Summary::Jobs& jobs, const GanttUnit& unit) {
    if (jobs.finished == 0) return "No job has finished";
    std::string text = fmt::format("Means, in {}: response {}, turnaround {}, waiting {}", unit.name,
                                   unit.mean(jobs.mean_response), unit.mean(jobs.mean_turnaround),
                                   unit.mean(jobs.mean_waiting));
    if (jobs.mean_normalised_turnaround)
        text += fmt::format("; normalised turnaround {:.2f}", *jobs.mean_normalised_turnaround);
    return text;
}

// Vertical lines at the arrivals of jobs.
std::vector<plot::Note> arrival_notes(const GanttInput& in, const GanttUnit& unit) {
    std::map<Nanos, std::string> arrivals;
    for (const Summary::TaskSummary& t : in.summary.tasks)
        if (t.arrival && *t.arrival >= in.begin && *t.arrival < in.end) {
            std::string& names = arrivals[*t.arrival];
            names += (names.empty() ? "" : ", ") + t.name;
        }
    std::vector<plot::Note> notes;
    for (const auto& [at, names] : arrivals) notes.push_back({.x = unit.at(at), .y = {}, .text = names});
    return notes;
}

// Assigns hues to tasks in the order in which they first ran. The legend lists the tasks only if all have
// different hues.
class GanttHues {
  public:
    std::size_t kind_of(TaskId p, const std::string& name) {
        static constexpr std::size_t kHues[] = {0, 1, 3, 4, 5, 7};
        const auto [place, is_new] = tasks_.try_emplace(p, tasks_.size() % std::size(kHues));
        if (is_new && tasks_.size() <= std::size(kHues))
            kinds_.push_back({name, kHues[place->second], plot::SpanKind::Fill::plain});
        if (tasks_.size() > std::size(kHues))
            for (plot::SpanKind& kind : kinds_) kind.name.clear();
        return place->second;
    }
    const std::vector<plot::SpanKind>& kinds() const { return kinds_; }

  private:
    std::map<TaskId, std::size_t> tasks_;
    std::vector<plot::SpanKind> kinds_;
};

plot::Span box_of(const GanttInput& in, const GanttUnit& unit, GanttHues& hues, const RunSegment& piece) {
    const std::string name = piece.name(in.scenario);
    return {unit.at(std::max(piece.begin, in.begin)), unit.at(std::min(piece.end, in.end)),
            hues.kind_of(piece.task, name), name};
}

std::vector<plot::Lane> lanes_by_cpu(const GanttInput& in, const GanttUnit& unit, GanttHues& hues) {
    std::vector<plot::Lane> lanes;
    for (std::size_t cpu = 0; cpu < in.pieces.by_cpu().size(); ++cpu) {
        plot::Lane lane{.name = fmt::format("CPU {}", cpu), .spans = {}};
        for (const RunSegment& piece : in.pieces.by_cpu()[cpu])
            if (is_shown(piece, in.begin, in.end)) lane.spans.push_back(box_of(in, unit, hues, piece));
        lanes.push_back(std::move(lane));
    }
    return lanes;
}

// One lane per task, in the order of the task table. A lane has a line from arrival to finish, and boxes on
// the line for the times when the task ran. If several tasks used the same row of the table one after
// another, only the last of these tasks has a line.
std::vector<plot::Lane> lanes_by_task(const GanttInput& in, const GanttUnit& unit, GanttHues& hues,
                                      std::size_t line_kind) {
    std::map<std::pair<TaskId, std::string>, plot::Lane> rows;
    for (const std::vector<RunSegment>& of_cpu : in.pieces.by_cpu())
        for (const RunSegment& piece : of_cpu)
            if (is_shown(piece, in.begin, in.end)) {
                const plot::Span box = box_of(in, unit, hues, piece);
                rows[{piece.task, box.label}].spans.push_back(box);
            }
    std::vector<plot::Lane> lanes;
    for (auto& [key, lane] : rows) {
        lane.name = key.second;
        for (const Summary::TaskSummary& t : in.summary.tasks) {
            if (t.name != lane.name || !t.arrival) continue;
            lane.cells = {unit.text(t.arrival), unit.text(t.user),       unit.text(t.first_run),
                          unit.text(t.finish),  unit.text(t.turnaround), unit.text(t.waiting)};
            const Nanos from = std::max(*t.arrival, in.begin),
                        to = std::min(t.finish.value_or(in.end), in.end);
            lane.spans.insert(lane.spans.begin(), {unit.at(from), unit.at(to), line_kind, "", 0.4});
        }
        lane.cells.resize(6, "-");
        lanes.push_back(std::move(lane));
    }
    return lanes;
}

}  // namespace

std::size_t count_boxes(const RunSegments& pieces, Nanos begin, Nanos end) {
    std::size_t boxes = 0;
    for (const std::vector<RunSegment>& of_cpu : pieces.by_cpu())
        for (const RunSegment& piece : of_cpu) boxes += is_shown(piece, begin, end);
    return boxes;
}

plot::Plot gantt_plot(const GanttInput& in) {
    const GanttUnit unit(in.end - in.begin);
    plot::Panel panel;
    panel.x.label = fmt::format("simulated time, {}", unit.name);
    panel.x.from = unit.at(in.begin);
    panel.x.to = unit.at(in.end);
    GanttHues hues;
    panel.lanes = lanes_by_cpu(in, unit, hues);
    panel.kinds = hues.kinds();
    for (const plot::Lane& lane : panel.lanes)
        for (const plot::Span& span : lane.spans) {
            panel.x.ticks.push_back(span.begin);
            panel.x.ticks.push_back(span.end);
        }
    std::sort(panel.x.ticks.begin(), panel.x.ticks.end());
    panel.x.ticks.erase(std::unique(panel.x.ticks.begin(), panel.x.ticks.end()), panel.x.ticks.end());
    if (in.by_task) {
        // No legend, because the names are next to the lanes.
        for (plot::SpanKind& kind : panel.kinds) kind.name.clear();
        panel.lanes = lanes_by_task(in, unit, hues, panel.kinds.size());
        panel.kinds.push_back({"from arrival to finish", plot::kNeutral, plot::SpanKind::Fill::line});
        panel.lane_headings = {"", "arrival", "service", "first run", "finish", "turnaround", "waiting"};
    } else {
        panel.notes = arrival_notes(in, unit);
    }
    return {.title = in.title,
            .subtitle = job_means_text(in.summary.jobs, unit) + (in.by_task ? ""
                                                                            : ". Dashed lines: "
                                                                              "arrivals of jobs"),
            .source = in.source,
            .panels = {std::move(panel)}};
}

}  // namespace sim::figures
