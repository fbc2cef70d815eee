// An exercise as textbooks set them: jobs, and who runs when under a policy, on a machine on which nothing
// else takes time.
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
    Nanos io_every{}, io_time{};  // after each io_every of its own CPU time, but not at its end; 0: none
    std::int64_t tickets = 100;
    std::int32_t priority = 20;
    Nanos period{}, deadline{};         // of a job that is released again and again; 0: once
    bool gives_up = false;              // what is not over at its deadline
    std::vector<std::uint32_t> cpus{};  // where it may run; empty: on all
};

struct Exercise {
    std::vector<ExerciseJob> jobs;
    std::uint32_t cpus = 1;
    Nanos end{};  // what is not over by then never will be
};

struct Piece {
    int who = -1;  // the job, or its level; -1: nobody
    Nanos length{};

    bool operator==(const Piece&) const = default;
};
using Stretches = std::vector<Piece>;  // neighbours are different

struct Solution {
    static constexpr Nanos kNever{-1};
    struct OfJob {
        Nanos response = kNever, turnaround = kNever, waiting = kNever;  // kNever: it has not ended
    };
    std::vector<Stretches> schedule;  // of each CPU, until all jobs are over or the end
    Stretches level;  // the value of the policy's first field for whoever runs on CPU 0, less 1
    std::vector<OfJob> jobs;
    std::vector<std::pair<std::size_t, Nanos>> misses;  // the job, and when it was released
    std::vector<Nanos> turns;                           // when schedule() chose a job
    std::vector<std::vector<std::int64_t>> fields;      // and the value of that field for each job then
    Nanos end{};
};

// Throws PolicyError when the policy is a script that fails, and ScenarioError for what is no exercise.
Solution solve(const Exercise& exercise, const Policy& policy);

}  // namespace sim
