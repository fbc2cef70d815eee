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
    Nanos io_every{}, io_time{};  // an I/O wait after each io_every of CPU time, except at its end; 0: none
    std::int64_t tickets = 100;
    std::int32_t priority = 20;
    Nanos period{}, deadline{};         // period 0: the job is released once
    bool gives_up = false;              // the job is abandoned at its deadline
    std::vector<std::uint32_t> cpus{};  // allowed CPUs; empty: all
};

struct Exercise {
    std::vector<ExerciseJob> jobs;
    std::uint32_t cpus = 1;
    // End of the run. Jobs that have not finished by then count as never finished.
    Nanos end{};
};

struct Piece {
    int who = -1;  // index of the job, or its level; -1: idle
    Nanos length{};

    bool operator==(const Piece&) const = default;
};
using Stretches = std::vector<Piece>;  // adjacent pieces have different `who`

struct Solution {
    static constexpr Nanos kNever{-1};
    struct JobTimes {
        Nanos response = kNever, turnaround = kNever, waiting = kNever;  // kNever: not run or finished
    };
    std::vector<Stretches> schedule;  // by CPU; ends when all jobs have finished, or at the end of the run
    // The task on CPU 0: `who` is its Policy::scheduling_key().order minus 1.
    Stretches level;
    std::vector<JobTimes> jobs;
    std::vector<std::pair<std::size_t, Nanos>> misses;  // missed deadlines: job index, release time
    std::vector<Nanos> turns;                           // times when schedule() chose a job on CPU 0
    std::vector<std::vector<std::int64_t>> fields;      // at these times: scheduling_key().order by job
    Nanos end{};
};

// Throws PolicyError if a policy script fails, and ScenarioError if the exercise is not valid.
Solution solve(const Exercise& exercise, const Policy& policy);

}  // namespace sim
