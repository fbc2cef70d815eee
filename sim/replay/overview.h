// Samples of a whole run at regular intervals, in bounded memory.
//
// A sample holds sums since the start of the run, so the difference of two samples covers the interval
// between them. When there are too many samples, every second sample is dropped and the interval doubles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim {

// Sums over the part of the run before `time`.
struct Sample {
    Nanos time{};
    TimeParts parts{};  // the parts add up to cpus * time
    Nanos io_wait{};    // part of parts.idle in which a task that last ran on the idle CPU waits for a device
    std::uint64_t events = 0, decisions = 0, switches = 0, voluntary = 0, involuntary = 0;
    std::uint64_t yields = 0, yields_switched = 0, ticks = 0, timer_wake_ups = 0, syscalls = 0;
    std::uint64_t device_interrupts = 0;  // from devices and other external sources
    std::uint64_t timer_interrupts = 0;   // on all CPUs: ticks that are delivered, and exact timers
    std::uint64_t ipis = 0;               // interrupts between CPUs: reschedule and TLB flush
    std::uint64_t considered = 0, recalculations = 0, recalculated = 0, forks = 0, execs = 0, exits = 0;
    std::uint64_t queue_sum = 0;  // runnable tasks incl. prev, summed over decisions
    std::uint32_t longest = 0;    // most runnable tasks at a decision since the last sample
    std::uint32_t nr_running = 0, nr_iowait = 0, nr_tasks = 0;  // at `time`
};

// A sample of the current state. Its `longest` is the maximum since the start of the run.
Sample sample_of(const Scenario& scenario, const Statistics& statistics, const Machine& m);

// Times of one task since it started.
struct TaskSample {
    Nanos user{}, system{}, ready{};
};

class Overview {
  public:
    // `end`: the latest time at which the run ends; kHorizon: unknown. REQUIRES: `beginning` is at time 0.
    Overview(const Scenario& scenario, Nanos end, const Machine& beginning);

    Nanos next_sample_time() const { return samples_.back().time + width_; }

    // Adds a sample. REQUIRES: the machine is at next_sample_time(), or at the end of its run if the end is
    // earlier.
    void add(const Scenario& scenario, const Statistics& statistics, const Machine& m);

    // Time of the last sample that is before t and at a regular interval. A branch of the run can continue
    // from this sample.
    Nanos last_regular_sample_time_before(Nanos t) const;
    // A copy of this overview up to the sample at time `sample_time`. `statistics` are the statistics of the
    // run at that time.
    Overview copy_until(Nanos sample_time, const Statistics& statistics) const;

    // The samples in order of time, starting at time 0. The last interval may be shorter than the other
    // intervals, or empty. If it is empty, the last two samples have the same time, and only the last sample
    // includes the events at this time.
    std::span<const Sample> samples() const { return samples_; }

    // Samples of the tasks, for the rows of the task table in use at `time`; the index is the TaskId. If
    // there are many tasks, the interval is longer than that of samples(). The sums restart at 0 if a row
    // is reused.
    struct TaskTableSample {
        Nanos time;
        std::vector<TaskSample> tasks;
    };
    std::span<const TaskTableSample> task_samples() const { return task_samples_; }

    std::size_t bytes() const;

  private:
    void drop_every_second_sample();

    Nanos width_;
    // Maximum number of samples, an even number.
    std::size_t most_;
    std::vector<Sample> samples_;
    std::vector<std::uint64_t> lengths_;  // Statistics::queue_length at the last sample
    std::vector<TaskTableSample> task_samples_;
    std::size_t task_cells_ = 0;  // number of TaskSample values in task_samples_
    Nanos task_width_;
};

Overview::TaskTableSample task_table_sample_of(const Scenario& scenario, const Statistics& statistics,
                                               const Machine& m);

}  // namespace sim
