#include "sim/core/jobs.h"

#include <algorithm>

namespace sim {
namespace {

const TaskGroup& group_of(const Machine& m, const Scenario& scenario, TaskId p) {
    return scenario.groups[m.task[p].group];
}

Nanos lateness(const Machine& m, TaskId p, Nanos deadline) {
    return std::max(m.globals().now - m.job[p].release - deadline, Nanos{});
}

// Number of elements of the series `first`, `first` + period, `first` + 2 * period ... that are before `now`.
// If period is 0, the series has the single element `first`.
std::uint64_t occurrences_before(Nanos now, Nanos first, Nanos period) {
    if (first >= now) return 0;
    return period == Nanos{} ? 1 : static_cast<std::uint64_t>((now - first - 1ns) / period) + 1;
}

}  // namespace

JobParameters job_parameters(const Machine& m, const Scenario& scenario, TaskId p) {
    const TaskGroup& group = group_of(m, scenario, p);
    const bool from_start = m.task[p].ordinal <= group.count;  // a forked task's ordinal exceeds `count`
    const Nanos begin = from_start ? group.start : m.globals().now;
    const Job job = m.shape().has_jobs ? m.job[p] : Job{begin, begin, false};
    const bool has_deadline = group.deadline > Nanos{};
    return {.arrival = job.arrival,
            .length = group.length,
            .release = job.release,
            .deadline = has_deadline ? std::min(job.release + group.deadline, kHorizon) : kHorizon,
            .period = group.period,
            .tickets = group.tickets};
}

void notify_job_parameters(const Policy& policy, Machine& m, const Scenario& scenario, TaskId p) {
    if (policy.needs_job_parameters()) policy.set_job_parameters(m, p, job_parameters(m, scenario, p));
}

void release_next_job(const ActionContext& context, TaskId p) {
    const TaskGroup& group = group_of(context.m, context.scenario, p);
    const Nanos now = context.m.globals().now;
    Nanos& release = context.m.job[p].release;
    const Nanos next = std::min(release + group.period, kHorizon);
    const std::uint64_t left_out =
        group.late == TaskGroup::LateJobs::skips_releases ? occurrences_before(now, next, group.period) : 0;
    if (context.statistics != nullptr)
        context.statistics->count_job(p, lateness(context.m, p, group.deadline),
                                      context.m.job[p].stops_at_deadline, left_out);
    release = std::min(next + static_cast<std::int64_t>(left_out) * group.period, kHorizon);
    context.m.job[p].stops_at_deadline = false;
    notify_job_parameters(context.policy, context.m, context.scenario, p);
}

void count_job_at_exit(const ActionContext& context, TaskId p) {
    const TaskGroup& group = group_of(context.m, context.scenario, p);
    if (group.deadline == Nanos{}) return;
    const bool computed = context.statistics->tasks[p].user > context.statistics->deadlines[p].user_before;
    if (computed || group.period == Nanos{})
        context.statistics->count_job(p, lateness(context.m, p, group.deadline),
                                      context.m.job[p].stops_at_deadline);
}

void cut_burst_at_deadline(Machine& m, const Scenario& scenario, TaskId p, Nanos burst_begin) {
    const TaskGroup& group = group_of(m, scenario, p);
    if (group.late != TaskGroup::LateJobs::gives_up) return;
    const Nanos left = std::max(m.job[p].release + group.deadline - burst_begin, Nanos{});
    if (m.task[p].remaining <= left) return;
    m.task[p].remaining = left;
    m.job[p].stops_at_deadline = true;
}

UnfinishedJobs unfinished_jobs(const Machine& m, const Scenario& scenario, TaskId p) {
    const TaskGroup& group = group_of(m, scenario, p);
    if (!m.is_live(p) || group.deadline == Nanos{}) return {};
    const Nanos now = m.globals().now,
                period = group.late == TaskGroup::LateJobs::skips_releases ? Nanos{} : group.period;
    return {.released = occurrences_before(now, m.job[p].release, period),
            .late = occurrences_before(now, m.job[p].release + group.deadline, period),
            .lateness = lateness(m, p, group.deadline)};
}

}  // namespace sim
