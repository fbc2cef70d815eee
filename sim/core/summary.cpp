#include "sim/core/summary.h"

#include <algorithm>

#include "sim/core/jobs.h"

namespace sim {
namespace {

// The part of an overhead that has not elapsed yet. `remaining_time`: length of this part. The members of
// Overhead elapse in the order of kOverheadParts.
Overhead remaining_overhead(const Overhead& overhead, Nanos remaining_time) {
    Overhead rest;
    for (auto part = kOverheadParts.rbegin(); part != kOverheadParts.rend(); ++part) {
        const Nanos taken = std::min(overhead.**part, remaining_time);
        remaining_time -= taken;
        rest.** part = taken;
    }
    return rest;
}

// Calls a function for the work in progress on each CPU: on_user_time(task, span) or on_idle_time(cpu, span)
// for time that the statistics do not contain yet; on_future_overhead(task, overhead) for kernel time in the
// statistics that has not elapsed yet.
template <class OnUserTime, class OnIdleTime, class OnFutureOverhead>
void for_each_work_in_progress(const Scenario& scenario, const Statistics& s, const Machine& m,
                               OnUserTime on_user_time, OnIdleTime on_idle_time,
                               OnFutureOverhead on_future_overhead) {
    const Nanos now = m.globals().now;
    const CostCalculator calculator(scenario.machine.costs);
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        const Cpu& cpu = m.cpu(c);
        if (now < cpu.kernel_until) {
            on_future_overhead(s.cpus[c].charged, remaining_overhead(calculator.overhead_of(s.cpus[c].latest),
                                                                     cpu.kernel_until - now));
        } else if (m.is_idle_task(cpu.current)) {
            on_idle_time(c, now - cpu.kernel_until);
        } else {
            on_user_time(cpu.current, now - cpu.kernel_until);
        }
    }
}

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

double ratio(Nanos part, Nanos whole) {
    return static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

Summary::RunQueue run_queue_of(const Statistics& s) {
    Summary::RunQueue queue;
    for (std::size_t i = 0; i < queue.load_average.size(); ++i)
        queue.load_average[i] = LoadAverage::hundredths(s.load.values()[i]);
    std::uint64_t samples = 0, over_10 = 0, from_20 = 0;
    double sum = 0;
    for (std::size_t length = 0; length < s.queue_length.size(); ++length) {
        const std::uint64_t n = s.queue_length[length];
        if (n == 0) continue;
        samples += n;
        sum += static_cast<double>(n) * static_cast<double>(length);
        queue.max = length;
        if (length > 10) over_10 += n;
        if (length >= 20) from_20 += n;
    }
    if (samples == 0) return queue;
    queue.mean = sum / static_cast<double>(samples);
    queue.share_over_10 = share(over_10, samples);
    queue.share_20_or_more = share(from_20, samples);
    queue.histogram.assign(s.queue_length.begin(),
                           s.queue_length.begin() + static_cast<std::ptrdiff_t>(queue.max) + 1);
    return queue;
}

// Results of finished and open jobs. Open jobs whose deadlines have passed count as missed.
Summary::Deadlines deadlines_of(const DeadlineCounts& finished, const UnfinishedJobs& unfinished) {
    return {.jobs = finished.met + finished.missed + unfinished.released,
            .met = finished.met,
            .missed = finished.missed + unfinished.late,
            .max_lateness = std::max(finished.max_lateness, unfinished.lateness)};
}

Summary::TaskSummary task_of(const Scenario& scenario, const Machine& m, TaskId p, const TaskStatistics& t,
                             const JobTimes& job) {
    Summary::TaskSummary task{.pid = m.task[p].pid,
                              .name = scenario.task_name(m, p),
                              .state = state_word(m, p),
                              .user = t.user,
                              .system = t.system,
                              .ready = t.ready,
                              .voluntary = t.voluntary,
                              .involuntary = t.involuntary,
                              .yields = t.yields};
    // The task has not started yet.
    if (!job.has_run() && m.task[p].state != TaskState::runnable) return task;
    const Nanos arrival = job.has_run() ? job.arrival : t.ready_since;
    task.arrival = arrival;
    task.waiting = t.ready;
    if (!job.has_run()) return task;
    task.first_run = job.first_run;
    task.response = job.first_run - arrival;
    if (job.finish == JobTimes::kNever) return task;
    task.finish = job.finish;
    task.turnaround = job.finish - arrival;
    if (t.user > Nanos{}) task.normalised_turnaround = ratio(job.finish - arrival, t.user);
    return task;
}

std::vector<Summary::TaskSummary> tasks_of(const Scenario& scenario, const Machine& m, const Statistics& s,
                                           const std::vector<TaskStatistics>& elapsed_statistics) {
    std::vector<Summary::TaskSummary> tasks;
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        tasks.push_back(summary_of_task(scenario, m, s, elapsed_statistics, p));
    return tasks;
}

}  // namespace

Summary::TaskSummary summary_of_task(const Scenario& scenario, const Machine& m, const Statistics& s,
                                     const std::vector<TaskStatistics>& elapsed_statistics, TaskId p) {
    Summary::TaskSummary task = task_of(scenario, m, p, elapsed_statistics[p], s.jobs[p]);
    if (scenario.groups[m.task[p].group].deadline > Nanos{})
        task.deadlines = deadlines_of(s.deadlines[p].counts, unfinished_jobs(m, scenario, p));
    return task;
}

Summary::Jobs summary_of_jobs(const Machine& m, const Statistics& s,
                              const std::vector<TaskStatistics>& elapsed_statistics) {
    JobSums sums = s.former_jobs;
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) sums.add(elapsed_statistics[p], s.jobs[p]);
    Summary::Jobs jobs{.finished = sums.finished};
    const auto mean = [](Nanos sum, std::uint64_t n) {
        return static_cast<double>(sum.count()) / static_cast<double>(n);
    };
    if (sums.started > 0) {
        jobs.mean_response = mean(sums.response, sums.started);
        jobs.max_response = sums.max_response;
    }
    if (sums.finished > 0) {
        jobs.mean_turnaround = mean(sums.turnaround, sums.finished);
        jobs.max_turnaround = sums.max_turnaround;
        jobs.mean_waiting = mean(sums.waiting, sums.finished);
        jobs.max_waiting = sums.max_waiting;
    }
    if (sums.with_user_time > 0)
        jobs.mean_normalised_turnaround = sums.normalised / static_cast<double>(sums.with_user_time);
    if (m.globals().now > Nanos{})
        jobs.throughput =
            static_cast<double>(sums.finished) * 1e9 / static_cast<double>(m.globals().now.count());
    if (sums.share_squared_sum > 0) {
        const auto sum = static_cast<double>(sums.share_sum);
        jobs.jain =
            sum * sum / (static_cast<double>(sums.share_count) * static_cast<double>(sums.share_squared_sum));
    }
    return jobs;
}

std::optional<Summary::Deadlines> summary_of_deadlines(const Scenario& scenario, const Machine& m,
                                                       const Statistics& s) {
    if (s.deadlines.empty()) return std::nullopt;
    UnfinishedJobs open;
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
        const UnfinishedJobs of = unfinished_jobs(m, scenario, p);
        open.released += of.released;
        open.late += of.late;
        open.lateness = std::max(open.lateness, of.lateness);
    }
    return deadlines_of(s.deadlines_in_all, open);
}

namespace {

std::vector<Summary::Wait> waits_of(const Scenario& scenario, const Statistics& s) {
    std::vector<Summary::Wait> waits;
    if (s.arrivals.switches > 0)
        waits.push_back({"arrival", "", s.arrivals.switches, s.arrivals.waited, std::nullopt});
    if (s.sleeps.switches > 0)
        waits.push_back({"sleep", "", s.sleeps.switches, s.sleeps.waited, std::nullopt});
    if (s.exit_switches > 0) waits.push_back({"exit", "", s.exit_switches, {}, std::nullopt});
    for (ChannelId c = 0; c < s.waits.size(); ++c) {
        if (s.waits[c].switches == 0) continue;
        const ChannelSpec& spec = scenario.channels[c];
        std::vector<Summary::WaitsEndedBy> ended_by;
        for (const WaitAttribution& b : s.wait_attributions) {
            if (b.channel != c) continue;
            ended_by.push_back({scenario.groups[b.waiter].name,
                                b.waker == WaitAttribution::kNoWaker ? "" : scenario.groups[b.waker].name,
                                b.waits, b.waited});
        }
        waits.push_back(
            {to_string(spec.kind), spec.name, s.waits[c].switches, s.waits[c].waited, std::move(ended_by)});
    }
    return waits;
}

std::vector<Summary::Intervention> interventions_of(const Scenario& scenario, const Statistics& s) {
    std::vector<Summary::Intervention> list;
    for (std::size_t i = 0; i < scenario.interventions.size(); ++i) {
        const ScenarioIntervention& one = scenario.interventions[i];
        Summary::Intervention& row = list.emplace_back();
        row.at = one.at;
        row.kind = to_string(one.kind);
        row.task = scenario.task_name(one.group, one.ordinal);
        if (i < s.interventions.size()) row.result = s.interventions[i];
    }
    return list;
}

std::vector<Summary::CpuSummary> cpus_of(const Scenario& scenario, const Machine& m, const Statistics& s) {
    std::vector<Summary::CpuSummary> cpus;
    for (CpuId c = 0; c < m.shape().cpus; ++c)
        cpus.push_back({s.cpus[c].switches, s.cpus[c].to_idle, s.cpus[c].migrations, s.cpus[c].idle});
    for_each_work_in_progress(
        scenario, s, m, [](TaskId, Nanos) {}, [&](CpuId c, Nanos span) { cpus[c].idle += span; },
        [](TaskId, const Overhead&) {});
    return cpus;
}

}  // namespace

TimeParts elapsed_time_parts(const Scenario& scenario, const Statistics& s, const Machine& m) {
    TimeParts time{.user = s.user,
                   .idle = s.idle,
                   .overhead = CostCalculator(scenario.machine.costs).overhead_of(s.totals())};
    for_each_work_in_progress(
        scenario, s, m, [&](TaskId, Nanos span) { time.user += span; },
        [&](CpuId, Nanos span) { time.idle += span; },
        [&](TaskId, const Overhead& o) {
            for (const auto part : kOverheadParts) time.overhead.*part -= o.*part;
        });
    return time;
}

Nanos elapsed_io_wait(const Scenario& scenario, const Statistics& s, const Machine& m) {
    Nanos all{};
    for (const Statistics::CpuStats& cpu : s.cpus) all += cpu.io_wait;
    const Nanos now = m.globals().now;
    for_each_work_in_progress(
        scenario, s, m, [](TaskId, Nanos) {},
        [&](CpuId c, Nanos span) { all += s.cpus[c].io_wait_in(now - span, now); },
        [](TaskId, const Overhead&) {});
    return all;
}

std::vector<TaskStatistics> elapsed_task_statistics(const Scenario& scenario, const Statistics& s,
                                                    const Machine& m) {
    std::vector<TaskStatistics> tasks = s.tasks;
    for_each_work_in_progress(
        scenario, s, m, [&](TaskId p, Nanos span) { tasks[p].user += span; }, [](CpuId, Nanos) {},
        [&](TaskId p, const Overhead& o) { tasks[p].system -= o.charged_to_tasks(); });
    const Globals& g = m.globals();
    for (TaskStatistics& task : tasks) task.ready = std::max(task.ready, Nanos{});
    for (TaskId p = m.first_task(); p < g.high_row; ++p) {
        const bool ready =
            m.task[p].state == TaskState::runnable && m.task[p].processor == Task::kNoProcessor;
        if (ready) tasks[p].ready += g.now - tasks[p].ready_since;
    }
    return tasks;
}

const char* state_word(const Machine& m, TaskId p) {
    const Task& task = m.task[p];
    if (task.state == TaskState::unused) return "exited";
    if (task.state != TaskState::runnable) return to_string(task.state);
    return task.processor == Task::kNoProcessor ? "ready" : "running";
}

Summary summarize(const Scenario& scenario, const std::string& policy, const Machine& m, const Statistics& s,
                  StopReason reason) {
    const std::vector<TaskStatistics> elapsed_statistics = elapsed_task_statistics(scenario, s, m);
    return {
        .scenario = scenario.name,
        .policy = policy,
        .seed = scenario.seed,
        .cpus = scenario.cpus,
        .simulated = m.globals().now,
        .stop_reason = reason,
        .switches = s.switches,
        .yields = {.calls = s.yields, .switched = s.yields_switched},
        .schedule = {.calls = s.schedule_calls,
                     .considered = s.considered,
                     .recalculations = s.recalculations,
                     .recalculated = s.recalculated,
                     .queue_steps = s.queue_steps},
        .time = elapsed_time_parts(scenario, s, m),
        .tlb = {.flushes = s.tlb_flushes + (scenario.machine.costs.tlb.tagged ? 0 : s.mm_loads),
                .loads = s.mm_loads,
                .lazy_avoided = s.lazy_avoided,
                .same_mm_avoided = s.switches.total() - s.mm_loads - s.lazy_avoided,
                .flush_ipis = s.flush_ipis,
                .left_mms = s.left_mms,
                .entries_refilled = s.tlb_entries},
        .cache = {.lines_refilled = s.cache_lines, .lines_streamed = s.streamed_lines},
        .smp = {.reschedule_ipis = s.reschedule_ipis, .migrations = s.migrations},
        .interrupts = {.timer = s.interrupts_of(Interrupt::timer),
                       .device = s.interrupts_of(Interrupt::device),
                       .ipi = s.reschedule_ipis + s.flush_ipis},
        .per_cpu = cpus_of(scenario, m, s),
        .forks = s.forks,
        .exits = s.exits,
        .ticks = m.globals().ticks,
        .deadlines = summary_of_deadlines(scenario, m, s),
        .interventions = interventions_of(scenario, s),
        .waits = waits_of(scenario, s),
        .runqueue = run_queue_of(s),
        .tasks = tasks_of(scenario, m, s, elapsed_statistics),
        .jobs = summary_of_jobs(m, s, elapsed_statistics),
        .hash = m.hash(),
    };
}

}  // namespace sim
