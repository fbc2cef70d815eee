#include "ui/view/fair_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Machine;
using sim::Phase;
using sim::TaskId;
using sim::fair::FairKernel;
using sim::fair::TaskVirtualTimes;
using sim::fair::VirtualTimes;

// A task is left out of the axis if it would make the axis at least this many times as long.
constexpr std::int64_t kFarOut = 4;

// True if schedule() puts the running task back before it examines other tasks. Otherwise, schedule() puts
// the running task back only if it chooses another task.
bool puts_prev_back_first(const QueueMoment& moment) {
    const std::vector<sim::PseudoLine>& lines = moment.cursor->policy().pseudo_code;
    return std::any_of(lines.begin(), lines.end(),
                       [](const sim::PseudoLine& l) { return l.phase == Phase::put_back; });
}

bool is_fair(const Machine& m, TaskId p) {
    return !m.is_idle_task(p) && !sim::is_real_time(m.sched_class[p]);
}

// Inserts the task before the tasks with equal vruntime. This position is right for a task that was leftmost
// (first) in the tree. For other tasks, the position among tasks with equal vruntime is unknown.
void put_in_tree(VirtualTimes& times, const TaskVirtualTimes& task) {
    const auto place = std::find_if(times.tree.begin(), times.tree.end(),
                                    [&](const TaskVirtualTimes& t) { return t.vruntime >= task.vruntime; });
    times.tree.insert(place, task);
}

// The queue in the middle of schedule(), reconstructed from the result of the decision. The chosen task is
// still in the tree, and prev is about to enter or leave it. All virtual times are already final, because
// schedule() charges the runtime of prev first.
struct MidDecisionQueue {
    VirtualTimes times;
    TaskId running;
};
MidDecisionQueue mid_decision_queue(const QueueMoment& moment, sim::CpuId cpu, FairKernel kernel) {
    const sim::DecisionView& decision = moment.cursor->decision();
    const Machine& m = *moment.machine;
    const TaskId prev = decision.record.other, next = decision.record.task;
    MidDecisionQueue now{sim::fair::virtual_times(m, cpu, kernel), next};
    if (moment.has_reached(Phase::switch_context)) return now;
    VirtualTimes& times = now.times;

    // In the middle of schedule(), no task is running, and the chosen task is still in the tree.
    if (times.current.task != sim::kNoTask) put_in_tree(times, times.current);
    times.current = {};
    if (!m.is_idle_task(next) && sim::is_real_time(m.sched_class[next]))
        times.real_time.insert(times.real_time.begin(), next);
    now.running = sim::kNoTask;

    const bool leaves = decision.record.voluntary;
    // Until this phase of schedule(), prev is the running task.
    const Phase end_of_prev = leaves                                              ? Phase::leave
                              : puts_prev_back_first(moment) || !is_fair(m, prev) ? Phase::put_back
                                                                                  : Phase::insert;
    if (m.is_idle_task(prev) || moment.has_reached(end_of_prev)) return now;
    now.running = prev;
    std::erase(times.real_time, prev);
    std::erase_if(times.tree, [prev](const TaskVirtualTimes& t) { return t.task == prev; });
    const Machine& of_prev = m.is_live(prev) ? m : decision.before;
    if (is_fair(of_prev, prev))
        times.current = sim::fair::task_virtual_times(of_prev, prev, times.min_vruntime, kernel);
    return now;
}

}  // namespace

FairKernel fair_kernel(const Run& run, const QueueMoment& moment) {
    return sim::fair::fair_kernel_of(policy_at(run, moment));
}

std::vector<TaskId> FairQueue::waiting() const {
    std::vector<TaskId> tasks = real_time;
    for (const FairRow& row : rows)
        if (!row.running) tasks.push_back(row.task);
    return tasks;
}

FairQueue fair_queue(const QueueMoment& moment, sim::CpuId cpu, FairKernel kernel) {
    const Machine& m = *moment.machine;
    const MidDecisionQueue now =
        moment.is_in_decision_of(cpu)
            ? mid_decision_queue(moment, cpu, kernel)
            : MidDecisionQueue{sim::fair::virtual_times(m, cpu, kernel), m.cpu(cpu).current};
    const VirtualTimes& times = now.times;
    FairQueue queue{.cpu = cpu,
                    .has_deadlines = kernel == FairKernel::linux_6_6,
                    .min_vruntime = times.min_vruntime,
                    .average = 0,
                    .rows = {},
                    .real_time = times.real_time,
                    .running = now.running};
    if (queue.running != sim::kNoTask && m.is_idle_task(queue.running)) queue.running = sim::kNoTask;
    std::vector<TaskVirtualTimes> tasks = times.tree;
    if (times.current.task != sim::kNoTask) {
        const auto place = std::find_if(tasks.begin(), tasks.end(), [&](const TaskVirtualTimes& t) {
            return t.vruntime >= times.current.vruntime;
        });
        tasks.insert(place, times.current);
    }
    queue.average = sim::fair::average_vruntime(tasks);
    for (const TaskVirtualTimes& t : tasks)
        queue.rows.push_back({.task = t.task,
                              .vruntime = t.vruntime,
                              .deadline = t.deadline,
                              .lag = queue.average - t.vruntime,
                              .weight = t.weight,
                              .running = t.task == times.current.task,
                              .leftmost = !times.tree.empty() && t.task == times.tree.front().task,
                              .buddy = t.task == times.buddy});
    return queue;
}

std::string signed_ms_text(std::int64_t ns) {
    // Negates the unsigned value, because the smallest 64-bit integer has no positive counterpart.
    const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    return fmt::format("{}{}.{:03} ms", ns < 0 ? "-" : "+", group_digits(size / 1'000'000),
                       size / 1'000 % 1'000);
}

const char* eligible_word(const FairRow& row) { return row.eligible() ? "eligible" : "not eligible"; }

std::string lag_text(std::int64_t lag) {
    if (lag == 0) return "has received its exact share";
    const std::string size = signed_ms_text(lag).substr(1);
    return lag > 0 ? fmt::format("is owed {}", size)
                   : fmt::format(
                         "has received {} more than its "
                         "share",
                         size);
}

std::int64_t smallest_round_step(std::int64_t length, int most_steps) {
    std::int64_t power = 1;
    while (true) {
        for (const std::int64_t factor : {1, 2, 5})
            if (length / (factor * power) <= most_steps || power > 100'000'000'000'000'000)
                return factor * power;
        power *= 10;
    }
}

VirtualTimeRange virtual_time_range(const FairQueue& queue, int most_steps) {
    struct Extent {
        std::int64_t low, high;
    };
    std::vector<Extent> extents;
    for (const FairRow& row : queue.rows) {
        const std::int64_t other = queue.has_deadlines ? row.deadline : row.vruntime;
        extents.push_back({std::min(row.vruntime, other), std::max(row.vruntime, other)});
    }
    const auto of_all = [&] {
        Extent all{0, 0};
        if (queue.has_deadlines)
            all = {std::min<std::int64_t>(0, queue.average), std::max<std::int64_t>(0, queue.average)};
        for (const Extent& e : extents) all = {std::min(all.low, e.low), std::max(all.high, e.high)};
        return all;
    };
    // The rows are sorted by vruntime, so an outlier is the first or the last row.
    Extent whole = of_all();
    for (std::size_t may_go = extents.size() / 4; may_go > 0; --may_go) {
        const bool last = whole.high > -whole.low;
        const Extent gone = last ? extents.back() : extents.front();
        extents.erase(last ? extents.end() - 1 : extents.begin());
        const Extent rest = of_all();
        if ((whole.high - whole.low) / kFarOut < rest.high - rest.low) {
            extents.insert(last ? extents.end() : extents.begin(), gone);
            break;
        }
        whole = rest;
    }
    std::int64_t low = whole.low, high = whole.high;
    // The largest distances that can be drawn; farther values are drawn at the edge.
    constexpr std::int64_t kFar = 1'000'000'000'000'000'000;
    low = std::max(low, -kFar);
    high = std::min(high, kFar);
    VirtualTimeRange range;
    range.step = smallest_round_step(std::max<std::int64_t>(high - low, 1'000), std::max(most_steps, 1));
    const auto floor_of = [&](std::int64_t t) {
        return (t >= 0 ? t / range.step : -((-t + range.step - 1) / range.step)) * range.step;
    };
    range.begin = floor_of(low);
    range.end = -floor_of(-high);
    if (range.begin == range.end) range.end += range.step;
    return range;
}

}  // namespace ui
