#include "sim/figures/timeline_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sim::figures {
namespace {

enum : std::size_t { kUser, kSystem, kSchedule, kReady, kAsleep, kOther, kKinds };

bool is_asleep(const TaskSlice& s) {
    return s.activity == TaskActivity::sleeping || s.activity == TaskActivity::waiting;
}
bool is_running(const TaskSlice& s) { return s.activity == TaskActivity::running; }
bool is_awake(const TaskSlice& s) { return !is_asleep(s); }

Nanos sum_slice_times(const std::vector<TaskSlice>& slices, bool (*is_counted)(const TaskSlice&)) {
    Nanos sum{};
    for (const TaskSlice& s : slices)
        if (is_counted(s)) sum += s.end - s.begin;
    return sum;
}

// The tasks that have a lane, in the order of their ids, and a summary of the tasks without a lane.
struct ShownTasks {
    std::vector<std::size_t> shown;
    std::size_t asleep = 0;  // number of tasks asleep all the time
    std::size_t left_out = 0;
    Nanos running{}, left_out_running{};  // total run time of all tasks, and of omitted tasks
};

// Chooses the tasks that ran longest. Among tasks with equal run times, those that were awake longest come
// first, then those with the lowest ids.
ShownTasks choose_shown_tasks(const Timeline& t, std::size_t max_tasks) {
    struct Candidate {
        std::size_t task;
        Nanos running, awake;
    };
    std::vector<Candidate> awake;
    ShownTasks tracks;
    for (std::size_t p = t.cpus.size(); p < t.tasks.size(); ++p) {
        const std::vector<TaskSlice>& slices = t.tasks[p];
        if (slices.empty()) continue;
        if (std::none_of(slices.begin(), slices.end(), is_awake))
            ++tracks.asleep;
        else
            awake.push_back({p, sum_slice_times(slices, is_running), sum_slice_times(slices, is_awake)});
    }
    std::stable_sort(awake.begin(), awake.end(), [](const Candidate& a, const Candidate& b) {
        return a.running != b.running ? a.running > b.running : a.awake > b.awake;
    });
    for (const Candidate& c : awake) {
        tracks.running += c.running;
        if (tracks.shown.size() < max_tasks) {
            tracks.shown.push_back(c.task);
        } else {
            ++tracks.left_out;
            tracks.left_out_running += c.running;
        }
    }
    std::sort(tracks.shown.begin(), tracks.shown.end());
    return tracks;
}

std::string hidden_tasks_text(const ShownTasks& tracks) {
    std::string text;
    if (tracks.asleep != 0)
        text = fmt::format("Not shown: {} task{} asleep all the time", tracks.asleep,
                           tracks.asleep == 1 ? "" : "s");
    if (tracks.left_out == 0) return text;
    text += fmt::format("{}{} more", text.empty() ? "Not shown: " : ", and ", tracks.left_out);
    if (tracks.left_out_running == Nanos{}) return text + " that did not run";
    const double share = 100 * static_cast<double>(tracks.left_out_running.count()) /
                         static_cast<double>(tracks.running.count());
    return text + fmt::format(" with {:.2g} % of all run time", share);
}

// The unit of the time axis.
struct TimeUnit {
    const char* name;
    double ns;

    double at(Nanos time) const { return static_cast<double>(time.count()) / ns; }
};

TimeUnit unit_of(Nanos length) {
    return length >= 2s    ? TimeUnit{"s", 1e9}
           : length >= 2ms ? TimeUnit{"ms", 1e6}
           : length >= 2us ? TimeUnit{"us", 1e3}
                           : TimeUnit{"ns", 1};
}

// Builds the lanes of CPUs and tasks, and the kinds of their spans.
class TimelineFigureBuilder {
  public:
    TimelineFigureBuilder(const Scenario& scenario, const Timeline& t, const ShownTasks& tracks)
        : scenario_(scenario),
          t_(t),
          tracks_(tracks),
          unit_(unit_of(t.end - t.begin)),
          kind_of_task_(t.tasks.size(), kOther) {
        panel_.x.label = fmt::format("simulated time, {}", unit_.name);
        panel_.x.from = unit_.at(t.begin);
        panel_.x.to = unit_.at(t.end);
        add_kinds();
        for (std::size_t cpu = 0; cpu < t.cpus.size(); ++cpu) add_cpu(cpu);
        for (const std::size_t p : tracks.shown) add_task(p);
    }

    plot::Panel panel() && { return std::move(panel_); }

  private:
    // The tasks with a lane get six hues in turn for the times when they run; the name of each task is next
    // to its lane.
    void add_kinds() {
        panel_.kinds = {{"running (each task has a colour)", 0, plot::SpanKind::Fill::plain},
                        {"system call", 6, plot::SpanKind::Fill::full},
                        {"schedule() and switch", plot::kNeutral, plot::SpanKind::Fill::hatched},
                        {"ready", plot::kNeutral, plot::SpanKind::Fill::pale},
                        {"sleeps or waits", plot::kNeutral, plot::SpanKind::Fill::line},
                        {"runs a task without a row", 2, plot::SpanKind::Fill::plain}};
        static constexpr std::size_t kHues[] = {0, 1, 3, 4, 5, 7};
        std::size_t tasks = 0;
        for (const std::size_t p : tracks_.shown) {
            const std::size_t turn =
                sum_slice_times(t_.tasks[p], is_running) > Nanos{} ? tasks++ % std::size(kHues) : 0;
            if (turn != 0 && panel_.kinds.size() < kKinds + turn)
                panel_.kinds.push_back({"", kHues[turn], plot::SpanKind::Fill::plain});
            kind_of_task_[p] = turn == 0 ? kUser : kKinds + turn - 1;
        }
    }

    void add_cpu(std::size_t cpu) {
        plot::Lane lane{.name = fmt::format("CPU {}", cpu), .spans = {}};
        for (const CpuSlice& s : t_.cpus[cpu]) {
            if (s.activity == CpuActivity::idle) continue;
            const bool schedules =
                s.activity >= CpuActivity::select && s.activity <= CpuActivity::cache_refill;
            const std::size_t kind = s.activity == CpuActivity::user ? kind_of_task_[s.task]
                                     : schedules                     ? kSchedule
                                                                     : kSystem;
            add(lane, s.begin, s.end, kind,
                s.activity == CpuActivity::user ? t_.name(scenario_, s.task, s.begin) : "", 1);
        }
        panel_.lanes.push_back(std::move(lane));
    }

    void add_task(std::size_t p) {
        const std::vector<TaskSlice>& slices = t_.tasks[p];
        plot::Lane lane{.name = t_.name(scenario_, static_cast<TaskId>(p), slices.front().begin),
                        .spans = {}};
        for (const TaskSlice& s : slices) {
            const std::size_t kind = is_asleep(s)                          ? kAsleep
                                     : s.activity == TaskActivity::running ? kind_of_task_[p]
                                     : s.activity == TaskActivity::kernel  ? kSchedule
                                                                           : kReady;
            add(lane, s.begin, s.end, kind, "", kind == kReady || kind == kAsleep ? 0.4 : 0.85);
        }
        panel_.lanes.push_back(std::move(lane));
    }

    // Merges adjacent slices of the same kind and task into one span.
    void add(plot::Lane& lane, Nanos begin, Nanos end, std::size_t kind, const std::string& label,
             double height) const {
        if (begin >= end) return;
        if (!lane.spans.empty()) {
            plot::Span& last = lane.spans.back();
            if (last.kind == kind && last.end == unit_.at(begin) && last.label == label) {
                last.end = unit_.at(end);
                return;
            }
        }
        lane.spans.push_back({unit_.at(begin), unit_.at(end), kind, label, height});
    }

    const Scenario& scenario_;
    const Timeline& t_;
    const ShownTasks& tracks_;
    const TimeUnit unit_;
    std::vector<std::size_t> kind_of_task_;  // by task
    plot::Panel panel_;
};

}  // namespace

std::size_t count_spans(const Timeline& timeline) {
    std::size_t n = 0;
    for (const auto& slices : timeline.cpus) n += slices.size();
    for (const auto& slices : timeline.tasks) n += slices.size();
    return n;
}

plot::Plot timeline_plot(const Scenario& scenario, const Timeline& t, const std::string& title,
                         const std::string& source, std::size_t max_tasks) {
    const ShownTasks tracks = choose_shown_tasks(t, max_tasks);
    return {.title = title,
            .subtitle = hidden_tasks_text(tracks),
            .source = source,
            .panels = {TimelineFigureBuilder(scenario, t, tracks).panel()}};
}

}  // namespace sim::figures
