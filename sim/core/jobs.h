// Jobs with deadlines, for real-time scheduling and textbook policies.
//
// A program with a `timer` is released once per period; the work until it reaches the timer is a job. The
// life of any other task is one job. A job meets its deadline if it ends by then.
#pragma once

#include "sim/core/action.h"

namespace sim {

// REQUIRES: p is alive. Without deadlines the time of a fork is not stored, and a forked task is reported to
// arrive now.
JobFacts job_facts(const Machine& m, const Scenario& scenario, TaskId p);

// Passes the facts of p to the policy if it needs them.
void notify_job_facts(const Policy& policy, Machine& m, const Scenario& scenario, TaskId p);

// The running task p has ended its job. The next is released one period after this one, possibly in the past.
// Late::skips_releases skips releases that have passed.
void release_next_job(const ActionContext& c, TaskId p);

// p exits, which ends its job. A periodic job that has not used the CPU yet does not count. REQUIRES:
// c.statistics.
void count_last_job(const ActionContext& c, TaskId p);

// p computes from `from` on: ends its burst at the deadline if its group gives up late jobs.
void give_up_at_deadline(Machine& m, const Scenario& scenario, TaskId p, Nanos from);

// Number of released and unfinished jobs of p, and of those already late.
struct OpenJobs {
    std::uint64_t released = 0, late = 0;
    Nanos lateness{};  // of the first of them, so far
};
OpenJobs open_jobs(const Machine& m, const Scenario& scenario, TaskId p);

}  // namespace sim
