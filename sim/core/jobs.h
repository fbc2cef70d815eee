// Jobs with deadlines, for real-time scheduling and textbook policies.
//
// A program with a `timer` is released once per period; the work until it reaches the timer is a job. The
// life of any other task is one job. A job meets its deadline if it ends by then.
#pragma once

#include "sim/core/action.h"

namespace sim {

// Facts about p's current job or, while p waits for a release, about its next job. If no task has a
// deadline, fork times are not stored, and the current time is returned as the arrival of a forked task.
// REQUIRES: p is alive.
JobFacts job_facts(const Machine& m, const Scenario& scenario, TaskId p);

// Passes the job facts of p to the policy if the policy needs them.
void notify_job_facts(const Policy& policy, Machine& m, const Scenario& scenario, TaskId p);

// Releases the next job of the running task p, which has ended a job. The release is one period after the
// previous release, possibly in the past. With Late::skips_releases, releases that have passed are skipped.
void release_next_job(const ActionContext& c, TaskId p);

// p exits, which ends its job. A periodic job that has not used the CPU yet does not count. REQUIRES:
// c.statistics.
void count_last_job(const ActionContext& c, TaskId p);

// p computes from time `from` on. If p's group gives up late jobs, limits the burst to the deadline.
void give_up_at_deadline(Machine& m, const Scenario& scenario, TaskId p, Nanos from);

// The number of p's jobs that have been released but not finished, and how many of these jobs are late.
struct OpenJobs {
    std::uint64_t released = 0, late = 0;
    Nanos lateness{};  // time since the deadline of the oldest unfinished job; 0: not late
};
OpenJobs open_jobs(const Machine& m, const Scenario& scenario, TaskId p);

}  // namespace sim
