#include "sim/replay/overview.h"

#include <algorithm>

#include "sim/core/summary.h"

namespace sim {
namespace {

constexpr std::size_t kMostSamples = 1 << 14;  // 16 samples for each pixel column of a wide window
// Lower limit for scenarios with many tasks, where taking a sample is slow.
constexpr std::size_t kFewestSamples = 1 << 10;
constexpr std::size_t kMostTaskCells = 1 << 19;  // 12 MiB
constexpr Nanos kFirstWidth = 1024ns;            // initial interval if the end of the run is unknown

// Removes every second element. The first element is kept.
template <class T>
void drop_every_second(std::vector<T>& elements) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < elements.size(); i += 2, ++kept)
        if (kept != i) elements[kept] = std::move(elements[i]);
    elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(kept), elements.end());
}

}  // namespace

Sample sample_of(const Scenario& scenario, const Statistics& s, const Machine& m) {
    const Globals& g = m.globals();
    Sample sample{.time = g.now,
                  .parts = elapsed_time_parts(scenario, s, m),
                  .io_wait = elapsed_io_wait(scenario, s, m),
                  .events = g.events,
                  .decisions = g.decisions,
                  .switches = g.switches,
                  .voluntary = s.switches.voluntary,
                  .involuntary = s.switches.involuntary,
                  .yields = s.yields,
                  .yields_switched = s.yields_switched,
                  .ticks = g.ticks,
                  .timer_wake_ups = s.timer_wake_ups,
                  .syscalls = s.syscalls,
                  .device_interrupts = s.interrupts_of(Interrupt::device),
                  .timer_interrupts = s.interrupts_of(Interrupt::timer),
                  .ipis = s.reschedule_ipis + s.flush_ipis,
                  .considered = s.considered,
                  .recalculations = s.recalculations,
                  .recalculated = s.recalculated,
                  .forks = s.forks,
                  .execs = s.work[static_cast<std::size_t>(KernelWork::exec)],
                  .exits = s.exits,
                  .nr_running = g.nr_running,
                  .nr_iowait = s.nr_iowait(),
                  .nr_tasks = g.nr_tasks};
    for (std::size_t length = 0; length < s.queue_length.size(); ++length) {
        if (s.queue_length[length] == 0) continue;
        sample.queue_sum += s.queue_length[length] * length;
        sample.longest = static_cast<std::uint32_t>(length);
    }
    return sample;
}

Overview::Overview(const Scenario& scenario, Nanos end, const Machine& beginning)
    : lengths_(std::size_t{scenario.shape.tasks} + 1) {
    const std::size_t affordable = (std::size_t{1} << 26) / (scenario.shape.tasks + 1);
    most_ = std::clamp(affordable / 2 * 2, kFewestSamples, kMostSamples);
    // There are at most most_ - 1 intervals, including the last one, which can be shorter. So there are at
    // most most_ samples, and none are dropped.
    width_ = end == kHorizon ? kFirstWidth : end / static_cast<std::int64_t>(most_ - 1) + Nanos{1};
    task_width_ = width_;
    samples_.reserve(most_ + 1);
    const Globals& g = beginning.globals();
    samples_.push_back({.nr_running = g.nr_running, .nr_tasks = g.nr_tasks});
    task_samples_.push_back({.time = {}, .tasks = std::vector<TaskSample>(g.high_row)});
}

void Overview::add(const Scenario& scenario, const Statistics& s, const Machine& m) {
    Sample sample = sample_of(scenario, s, m);
    sample.longest = 0;
    for (std::size_t length = 0; length < lengths_.size(); ++length)
        if (s.queue_length[length] != lengths_[length]) sample.longest = static_cast<std::uint32_t>(length);
    lengths_ = s.queue_length;
    samples_.push_back(sample);
    if (samples_.size() > most_) drop_every_second_sample();

    if (sample.time < task_samples_.back().time + task_width_) return;
    TaskTableSample row = task_table_sample_of(scenario, s, m);
    task_cells_ += row.tasks.size();
    task_samples_.push_back(std::move(row));
    while (task_cells_ > kMostTaskCells && task_samples_.size() > 3) {
        drop_every_second(task_samples_);
        task_width_ *= 2;
        task_cells_ = 0;
        for (const TaskTableSample& kept : task_samples_) task_cells_ += kept.tasks.size();
    }
}

Overview::TaskTableSample task_table_sample_of(const Scenario& scenario, const Statistics& s,
                                               const Machine& m) {
    Overview::TaskTableSample row{.time = m.globals().now, .tasks = {}};
    const std::vector<TaskStatistics> tasks = elapsed_task_statistics(scenario, s, m);
    row.tasks.resize(m.globals().high_row);
    for (TaskId p = 0; p < row.tasks.size(); ++p)
        row.tasks[p] = {tasks[p].user, tasks[p].system, tasks[p].ready};
    return row;
}

void Overview::drop_every_second_sample() {
    for (std::size_t i = 2; i < samples_.size(); i += 2)
        samples_[i].longest = std::max(samples_[i].longest, samples_[i - 1].longest);
    drop_every_second(samples_);
    width_ *= 2;
}

Nanos Overview::last_regular_sample_time_before(Nanos t) const {
    Nanos last{};
    for (const Sample& sample : samples_)
        if (sample.time < t && sample.time % width_ == Nanos{}) last = sample.time;
    return last;
}

Overview Overview::copy_until(Nanos sample_time, const Statistics& statistics) const {
    Overview begun = *this;
    const auto later = [&](const auto& s) { return s.time > sample_time; };
    std::erase_if(begun.samples_, later);
    std::erase_if(begun.task_samples_, later);
    begun.task_cells_ = 0;
    for (const TaskTableSample& kept : begun.task_samples_) begun.task_cells_ += kept.tasks.size();
    begun.lengths_ = statistics.queue_length;
    return begun;
}

std::size_t Overview::bytes() const {
    return samples_.capacity() * sizeof(Sample) + task_cells_ * sizeof(TaskSample) +
           lengths_.size() * sizeof(std::uint64_t);
}

}  // namespace sim
