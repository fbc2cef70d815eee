#include "sim/lab/latencies.h"

#include <nlohmann/json.hpp>

namespace sim::lab {

using nlohmann::ordered_json;

Latencies::Latencies(const Scenario& scenario, const Machine& m)
    : first_task_(m.first_task()),
      tasks_(m.shape().cpus + m.shape().tasks),
      by_group_(scenario.groups.size()) {
    for (TaskId p = first_task_; p < m.globals().high_row; ++p) {
        tasks_[p].group = m.task[p].group;
        if (m.task[p].state == TaskState::runnable) becomes_ready(p, {}, true);
    }
}

void Latencies::becomes_ready(TaskId p, Nanos now, bool woken) {
    TaskStats& task = tasks_[p];
    if (task.is_ready) return;
    task.is_ready = true;
    task.was_woken = woken;
    task.since = now;
}

void Latencies::follow(const TraceRecord& r) {
    switch (r.kind) {
        case TraceKind::wake_up:
            return becomes_ready(r.task, r.time, true);
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
    if (r.other >= first_task_ && !r.voluntary) becomes_ready(r.other, r.time, false);
    if (r.task < first_task_) return;
    TaskStats& task = tasks_[r.task];
    if (!task.is_ready) return;
    task.is_ready = false;
    for (LatencySpans* spans : {&all_, &by_group_[task.group]}) {
        spans->waits.add(r.time - task.since);
        if (task.was_woken) spans->wakeups.add(r.time - task.since);
    }
}

namespace {

ordered_json json_of(const SpanHistogram& spans) {
    ordered_json json{{"count", spans.count()}};
    if (spans.count() == 0) return json;
    json["sum_ns"] = spans.sum().count();
    json["mean_ns"] = static_cast<double>(spans.sum().count()) / static_cast<double>(spans.count());
    for (const int percent : {50, 90, 99})
        json["p" + std::to_string(percent) + "_ns"] = spans.percentile(percent).count();
    json["max_ns"] = spans.most().count();
    return json;
}

ordered_json json_of(const LatencySpans& spans) {
    return {{"wait", json_of(spans.waits)}, {"wakeup", json_of(spans.wakeups)}};
}

}  // namespace

ordered_json to_json(const Latencies& latencies, const Scenario& scenario) {
    ordered_json entries = ordered_json::object();
    for (std::size_t i = 0; i < scenario.groups.size(); ++i)
        entries[scenario.groups[i].name] = json_of(latencies.by_group()[i]);
    return {{"all", json_of(latencies.all())}, {"entries", std::move(entries)}};
}

}  // namespace sim::lab
