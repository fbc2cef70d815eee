#include "sim/figures/timeline_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sim::figures {
namespace {

enum : std::size_t { kUser, kSystem, kSchedule, kReady, kAsleep, kKinds };

}  // namespace

std::size_t spans_of(const Timeline& timeline) {
    std::size_t n = 0;
    for (const auto& slices : timeline.cpus) n += slices.size();
    for (const auto& slices : timeline.tasks) n += slices.size();
    return n;
}

plot::Plot timeline_plot(const Scenario& scenario, const Timeline& t, const std::string& title,
                         const std::string& source, std::size_t most_tasks) {
    const Nanos length = t.end - t.begin;
    const double unit = length >= 2s ? 1e9 : length >= 2ms ? 1e6 : length >= 2us ? 1e3 : 1;
    const char* unit_name = length >= 2s ? "s" : length >= 2ms ? "ms" : length >= 2us ? "us" : "ns";
    const auto at = [&](Nanos time) { return static_cast<double>(time.count()) / unit; };
    plot::Panel panel;
    panel.x.label = fmt::format("simulated time, {}", unit_name);
    panel.x.from = at(t.begin);
    panel.x.to = at(t.end);
    panel.kinds = {{"runs, each task in its hue", 0, plot::Kind::Fill::plain},
                   {"system call", 6, plot::Kind::Fill::full},
                   {"schedule() and switch", plot::kNeutral, plot::Kind::Fill::hatched},
                   {"ready", plot::kNeutral, plot::Kind::Fill::pale},
                   {"sleeps or waits", plot::kNeutral, plot::Kind::Fill::line}};
    // Each task runs in a hue of its own; its name stands beside its lane.
    static constexpr std::size_t kHues[] = {0, 1, 3, 4, 5, 7};
    std::vector<std::size_t> kind_of_task(t.tasks.size(), kUser);
    std::size_t tasks = 0;
    for (std::size_t p = t.cpus.size(); p < t.tasks.size(); ++p) {
        const bool runs = std::any_of(t.tasks[p].begin(), t.tasks[p].end(),
                                      [](const TaskSlice& s) { return s.activity == TaskActivity::running; });
        const std::size_t turn = runs ? tasks++ % std::size(kHues) : 0;
        if (turn == 0) continue;
        if (panel.kinds.size() < kKinds + turn)
            panel.kinds.push_back({"", kHues[turn], plot::Kind::Fill::plain});
        kind_of_task[p] = kKinds + turn - 1;
    }
    // Neighbouring slices of one kind and one task are one span.
    const auto add = [&](plot::Lane& lane, Nanos begin, Nanos end, std::size_t kind, const std::string& label,
                         double height) {
        if (begin >= end) return;
        if (!lane.spans.empty()) {
            plot::Span& last = lane.spans.back();
            if (last.kind == kind && last.end == at(begin) && last.label == label) {
                last.end = at(end);
                return;
            }
        }
        lane.spans.push_back({at(begin), at(end), kind, label, height});
    };
    for (std::size_t cpu = 0; cpu < t.cpus.size(); ++cpu) {
        plot::Lane lane{.name = fmt::format("CPU {}", cpu), .spans = {}};
        for (const CpuSlice& s : t.cpus[cpu]) {
            if (s.activity == Activity::idle) continue;
            const bool schedules = s.activity >= Activity::select && s.activity <= Activity::cache_refill;
            const std::size_t kind = s.activity == Activity::user ? kind_of_task[s.task]
                                     : schedules                  ? kSchedule
                                                                  : kSystem;
            add(lane, s.begin, s.end, kind,
                s.activity == Activity::user ? t.name(scenario, s.task, s.begin) : "", 1);
        }
        panel.lanes.push_back(std::move(lane));
    }
    std::size_t left_out = 0, idle = 0;
    for (std::size_t p = t.cpus.size(); p < t.tasks.size(); ++p) {
        const std::vector<TaskSlice>& slices = t.tasks[p];
        if (slices.empty()) continue;
        const bool acts = std::any_of(slices.begin(), slices.end(), [](const TaskSlice& s) {
            return s.activity != TaskActivity::sleeping && s.activity != TaskActivity::waiting;
        });
        if (!acts) {
            ++idle;
            continue;
        }
        if (panel.lanes.size() - t.cpus.size() == most_tasks) {
            ++left_out;
            continue;
        }
        plot::Lane lane{.name = t.name(scenario, static_cast<TaskId>(p), slices.front().begin), .spans = {}};
        for (const TaskSlice& s : slices) {
            const bool asleep = s.activity == TaskActivity::sleeping || s.activity == TaskActivity::waiting;
            const std::size_t kind = asleep                                ? kAsleep
                                     : s.activity == TaskActivity::running ? kind_of_task[p]
                                     : s.activity == TaskActivity::kernel  ? kSchedule
                                                                           : kReady;
            add(lane, s.begin, s.end, kind, "", kind == kReady ? 0.4 : asleep ? 0.4 : 0.85);
        }
        panel.lanes.push_back(std::move(lane));
    }
    std::string subtitle;
    if (idle != 0)
        subtitle = fmt::format("Not shown: {} task{} asleep all the time", idle, idle == 1 ? "" : "s");
    if (left_out != 0)
        subtitle += fmt::format("{}{} more", subtitle.empty() ? "Not shown: " : ", and ", left_out);
    return {.title = title, .subtitle = subtitle, .source = source, .panels = {std::move(panel)}};
}

}  // namespace sim::figures
