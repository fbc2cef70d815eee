// A textbook exercise: jobs, and their schedule under a policy on a machine without overheads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/policy.h"
#include "sim/core/scenario.h"

namespace sim {

struct ExerciseJob {
    std::string name{};
    Nanos arrival{}, length{};
    // The job waits `io_time` for I/O after each `io_every` of CPU time, but not when it ends. io_every 0: no
    // I/O.
    Nanos io_every{}, io_time{};
    std::int64_t tickets = 100;
    std::int32_t priority = 20;
    Nanos period{}, deadline{};         // period 0: the job is released once
    bool gives_up = false;              // true: the job is abandoned at its deadline
    std::vector<std::uint32_t> cpus{};  // allowed CPUs; empty: all
};

struct Exercise {
    std::vector<ExerciseJob> jobs;
    std::uint32_t cpus = 1;
    // End of the run. Jobs that have not finished by then count as never finished.
    Nanos end{};
};

// A time interval with the same value throughout.
struct ValueInterval {
    int value = -1;  // index or level of the running job; -1: the CPU is idle
    Nanos length{};

    bool operator==(const ValueInterval&) const = default;
};
using ValueIntervals = std::vector<ValueInterval>;  // adjacent intervals have different `value`

struct ExerciseSolution {
    static constexpr Nanos kNever{-1};
    struct JobTimes {
        // kNever if the job has not run (response) or has not finished (turnaround, waiting).
        Nanos response = kNever, turnaround = kNever, waiting = kNever;
    };
    // The schedule of each CPU, until all jobs have finished or the run ends.
    std::vector<ValueIntervals> schedule;
    // Priority level over time of the task that runs on CPU 0; 0: the first level, -1: idle. A level is
    // Policy::scheduling_key().order - 1, because the policies of such exercises count levels from 1.
    ValueIntervals level;
    std::vector<JobTimes> jobs;
    std::vector<std::pair<std::size_t, Nanos>> misses;  // missed deadlines: job index, release time
    std::vector<Nanos> turns;                           // times when schedule() chose a job on CPU 0
    // For each time in `turns`: Policy::scheduling_key().order of every job.
    std::vector<std::vector<std::int64_t>> sort_values;
    Nanos end{};
};

// Throws PolicyError if a policy script fails, and ScenarioError if the exercise is not valid.
ExerciseSolution solve(const Exercise& exercise, const Policy& policy);

}  // namespace sim
