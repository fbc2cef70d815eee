// Jobs with deadlines, for real-time scheduling and textbook policies.
//
// A program with a `timer` step is released once per period; its work up to the `timer` step is a job. The
// whole life of any other task is one job. A job meets its deadline if it ends at or before the deadline.
#pragma once

#include "sim/core/action.h"

namespace sim {

// Facts about p's current job or, while p waits for a release, about its next job. If no task has a
// deadline, fork times are not stored, and the current time is returned as the arrival of a forked task.
// REQUIRES: p is alive.
JobParameters job_parameters(const Machine& m, const Scenario& scenario, TaskId p);

// Passes the job facts of p to the policy if the policy needs them.
void notify_job_parameters(const Policy& policy, Machine& m, const Scenario& scenario, TaskId p);

// Releases the next job of the running task p, which has ended a job. The release is one period after the
// previous release, possibly in the past. With LateJobs::skips_releases, releases that have passed are
// skipped.
void release_next_job(const ActionContext& context, TaskId p);

// Counts the last job of p, which exits. A periodic job that has not used the CPU yet does not count.
// REQUIRES: context.statistics is not null.
void count_job_at_exit(const ActionContext& context, TaskId p);

// Called when p begins a burst at time `burst_begin`. If p's group gives up late jobs, the burst is shortened
// so that it ends at the deadline at the latest.
void cut_burst_at_deadline(Machine& m, const Scenario& scenario, TaskId p, Nanos burst_begin);

// The number of p's jobs that have been released but not finished, and how many of these jobs are late.
struct UnfinishedJobs {
    std::uint64_t released = 0, late = 0;
    Nanos lateness{};  // time since the deadline of the oldest unfinished job; 0: not late
};
UnfinishedJobs unfinished_jobs(const Machine& m, const Scenario& scenario, TaskId p);

}  // namespace sim
