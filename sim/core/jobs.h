// Jobs with deadlines: what real-time scheduling is about, and what the policies of textbooks are told.
//
// A task whose program has a `timer` is released once in a period, and what it does until it comes to the
// timer is a job. The life of any other task is one job. A job with a deadline meets it if it ends by then.
#pragma once

#include "sim/core/action.h"

namespace sim {

// REQUIRES: p is alive. Of a task that was forked where nobody has deadlines, nobody has kept when that was:
// it is said to arrive now.
JobFacts job_facts(const Machine& m, const Scenario& scenario, TaskId p);

// Tells the policy, if it wants to know.
void tell_facts(const Policy& policy, Machine& m, const Scenario& scenario, TaskId p);

// p, which is running, has ended its job: its next one is released a period after this one was, which may be
// long ago. A task that drops what is late leaves out releases that have passed.
void release_next_job(const ActionContext& c, TaskId p);

// For the statistics: p, which exits, has ended its job, unless it was released and never computed.
// REQUIRES: c.statistics.
void count_last_job(const ActionContext& c, TaskId p);

// p is about to compute from `from` on: if it is one that gives a job up at its deadline, not beyond that.
void give_up_at_deadline(Machine& m, const Scenario& scenario, TaskId p, Nanos from);

// Jobs of p that have been released and are not over: how many, and of them those that are late already.
struct OpenJobs {
    std::uint64_t released = 0, late = 0;
    Nanos lateness{};  // so far, of the first of them
};
OpenJobs open_jobs(const Machine& m, const Scenario& scenario, TaskId p);

}  // namespace sim
