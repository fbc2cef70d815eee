// A whole run in fixed memory: what had happened by certain instants, a regular distance apart.
//
// Each sample holds sums since the beginning, so what happened between any two of them is a subtraction, and
// two neighbouring intervals are merged by leaving out the sample between them. That is what happens when
// there are too many: every second one goes, and the distance doubles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/statistics.h"

namespace sim {

// All that has happened before an instant, since the beginning.
struct Sample {
    Nanos time{};
    TimeParts parts{};  // adds up to cpus * time
    std::uint64_t events = 0, decisions = 0, switches = 0, voluntary = 0, involuntary = 0;
    std::uint64_t yields = 0, yields_switched = 0, ticks = 0, timer_wake_ups = 0, syscalls = 0;
    std::uint64_t device_interrupts = 0;  // by devices, and whatever else comes from outside
    std::uint64_t timer_interrupts = 0;   // on all CPUs: ticks, where they are taken, and exact timers
    std::uint64_t ipis = 0;  // interrupts that CPUs sent each other: to reschedule, to flush a TLB
    std::uint64_t considered = 0, recalcs = 0, recalculated = 0, forks = 0, execs = 0, exits = 0;
    std::uint64_t queue_sum = 0;  // of the tasks that each decision had to choose from, prev included
    std::uint32_t longest = 0;    // the most of them since the sample before this one
    std::uint32_t nr_running = 0, nr_tasks = 0;  // at the instant itself
};

// `longest` counts from the beginning here.
Sample sample_of(const Scenario& scenario, const Statistics& statistics, const Machine& m);

// What one task had done by then.
struct TaskSample {
    Nanos user{}, system{}, ready{};
};

class Overview {
  public:
    // `end` is when the run will be over, or kHorizon when nobody knows. REQUIRES: `beginning` stands at time
    // 0.
    Overview(const Scenario& scenario, Nanos end, const Machine& beginning);

    // When the next sample is due.
    Nanos next_time() const { return samples_.back().time + width_; }

    // Takes a sample. REQUIRES: the machine stands at next_time(), or before it at the end of its run.
    void add(const Scenario& scenario, const Statistics& statistics, const Machine& m);

    // The last sample before t that stands at a regular distance: from there another future can be added.
    Nanos last_regular_before(Nanos t) const;
    // This overview up to one of its samples, where the run had added up `statistics`.
    Overview until(Nanos sample, const Statistics& statistics) const;

    // The first is that of time 0; the last may be closer to the one before it than the others, and even
    // stand at the same instant: with what happened at that instant, which the other has not.
    std::span<const Sample> samples() const { return samples_; }

    // The same for the tasks, at instants of their own, which are further apart if there are many; by TaskId,
    // as many as there were by then. A row of the task table that is used again begins at 0.
    struct TaskSamples {
        Nanos time;
        std::vector<TaskSample> tasks;
    };
    std::span<const TaskSamples> task_samples() const { return task_samples_; }

    std::size_t bytes() const;

  private:
    void thin();

    Nanos width_;
    std::size_t most_;  // samples, even
    std::vector<Sample> samples_;
    std::vector<std::uint64_t> lengths_;  // Statistics::queue_length at the last sample
    std::vector<TaskSamples> task_samples_;
    std::size_t task_cells_ = 0;  // in all of task_samples_
    Nanos task_width_;
};

Overview::TaskSamples task_samples_of(const Scenario& scenario, const Statistics& statistics,
                                      const Machine& m);

}  // namespace sim
