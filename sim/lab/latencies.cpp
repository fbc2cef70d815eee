#include "sim/lab/latencies.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace sim::lab {

using nlohmann::ordered_json;

Latencies::Latencies(const Scenario& scenario, const Machine& m)
    : first_task_(m.first_task()),
      tasks_(m.shape().cpus + m.shape().tasks),
      by_group_(scenario.groups.size()) {
    for (TaskId p = first_task_; p < m.globals().high_row; ++p) {
        tasks_[p].group = m.task[p].group;
        if (m.task[p].state == TaskState::runnable) mark_ready(p, {}, true);
    }
}

void Latencies::mark_ready(TaskId p, Nanos now, bool woken) {
    TaskStats& task = tasks_[p];
    if (task.is_ready) return;
    task.is_ready = true;
    task.was_woken = woken;
    task.since = now;
}

void Latencies::add_record(const TraceRecord& r) {
    switch (r.kind) {
        case TraceKind::wake_up:
            return mark_ready(r.task, r.time, true);
        case TraceKind::fork:
            tasks_[r.task] = {.group = r.group};
            return;
        case TraceKind::exec:
            tasks_[r.task].group = r.group;
            return;
        case TraceKind::schedule:
            break;
        default:
            return;
    }
    if (r.task == r.other) return;
    if (r.other >= first_task_ && !r.voluntary) mark_ready(r.other, r.time, false);
    if (r.task < first_task_) return;
    TaskStats& task = tasks_[r.task];
    if (!task.is_ready) return;
    task.is_ready = false;
    for (LatencyHistograms* spans : {&all_, &by_group_[task.group]}) {
        spans->waits.add(r.time - task.since);
        if (task.was_woken) spans->wakeups.add(r.time - task.since);
    }
}

std::vector<UnfinishedWaits> Latencies::unfinished_waits(Nanos now) const {
    std::vector<UnfinishedWaits> groups(by_group_.size());
    for (const TaskStats& task : tasks_) {
        if (!task.is_ready || task.since >= now) continue;
        UnfinishedWaits& group = groups[task.group];
        ++group.count;
        group.sum += now - task.since;
        group.most = std::max(group.most, now - task.since);
    }
    return groups;
}

UnfinishedWaits total(const std::vector<UnfinishedWaits>& groups) {
    UnfinishedWaits all;
    for (const UnfinishedWaits& group : groups) {
        all.count += group.count;
        all.sum += group.sum;
        all.most = std::max(all.most, group.most);
    }
    return all;
}

namespace {

ordered_json json_of(const SpanHistogram& spans) {
    ordered_json json{{"count", spans.count()}};
    if (spans.count() == 0) return json;
    json["sum_ns"] = spans.sum().count();
    json["mean_ns"] = static_cast<double>(spans.sum().count()) / static_cast<double>(spans.count());
    for (const int percent : {50, 90, 99})
        json["p" + std::to_string(percent) + "_ns"] = spans.percentile(percent).count();
    json["max_ns"] = spans.max_span().count();
    return json;
}

ordered_json json_of(const LatencyHistograms& spans, const UnfinishedWaits& waiting) {
    ordered_json at_end{{"count", waiting.count}};
    if (waiting.count > 0) {
        at_end["sum_ns"] = waiting.sum.count();
        at_end["max_ns"] = waiting.most.count();
    }
    return {{"wait", json_of(spans.waits)},
            {"wakeup", json_of(spans.wakeups)},
            {"waiting_at_end", std::move(at_end)}};
}

}  // namespace

ordered_json to_json(const Latencies& latencies, const Scenario& scenario, Nanos now) {
    ordered_json entries = ordered_json::object();
    const std::vector<UnfinishedWaits> waiting = latencies.unfinished_waits(now);
    for (std::size_t i = 0; i < scenario.groups.size(); ++i)
        entries[scenario.groups[i].name] = json_of(latencies.by_group()[i], waiting[i]);
    return {{"all", json_of(latencies.all(), total(waiting))}, {"entries", std::move(entries)}};
}

}  // namespace sim::lab
