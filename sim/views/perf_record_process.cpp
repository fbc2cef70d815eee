// `perf record -e cpu-clock -F HZ -p PID`: samples of chosen processes.
//
// perf opens an event for each pair of thread and CPU. The timer of the event runs only while the thread runs
// on the CPU: Linux 6.1, kernel/events/core.c, perf_swevent_start_hrtimer() and
// perf_swevent_cancel_hrtimer(). So a sample is taken whenever the thread has run on the CPU for another
// period. Forked children inherit the event. The timer also runs in interrupt handlers and during stolen
// time.
#include <fmt/format.h>

#include <algorithm>

#include "sim/lab/follow_run.h"
#include "sim/views/perf_record.h"
#include "sim/views/processes.h"

namespace sim::views {
namespace {

class ProcessSampler {
  public:
    // REQUIRES: the machine is at time 0.
    ProcessSampler(const ViewedRun& run, const Machine& m, Nanos period)
        : period_(period), first_task_(m.first_task()), cpus_(m.shape().cpus) {
        const std::size_t rows = m.shape().cpus + m.shape().tasks;
        is_chosen_.resize(rows);
        lines_of_.resize(rows);
        clocks_.resize(rows * m.shape().cpus);
        for (const TaskGroup& group : run.scenario.groups) lines_.push_back({.command = group.name});
        const Statistics none(run.scenario.shape);
        const std::vector<Process> processes = processes_of(run.scenario, none, m);
        for (const std::uint32_t pid : run.pids) {
            const auto found = std::find_if(processes.begin(), processes.end(),
                                            [&](const Process& p) { return p.tgid() == pid; });
            if (found == processes.end())
                throw ViewError(fmt::format("--pid: there is no process {} at the start of the run", pid));
            for (const Thread& thread : found->threads) select_thread(m, thread.pid);
        }
    }

    void on_record(const TraceRecord& r) {
        switch (r.kind) {
            case TraceKind::fork:
                is_chosen_[r.task] = is_chosen_[r.other];
                lines_of_[r.task] = r.group;
                for (CpuId c = 0; c < cpus_.size(); ++c) time_since_sample(r.task, c) = {};
                return;
            case TraceKind::exec:
                charge(r.cpu, r.task, r.time);
                lines_of_[r.task] = r.group;
                return;
            case TraceKind::schedule:
                charge(r.cpu, r.other, r.time + r.span);
                cpus_[r.cpu].task = r.task;
                return;
            default:
                return;
        }
    }

    std::vector<PerfReportLine> finish(Nanos now) {
        for (CpuId c = 0; c < cpus_.size(); ++c)
            if (cpus_[c].since < now) charge(c, cpus_[c].task, now);
        std::erase_if(lines_, [](const PerfReportLine& line) { return line.time == Nanos{}; });
        std::stable_sort(lines_.begin(), lines_.end(), [](const PerfReportLine& a, const PerfReportLine& b) {
            return a.samples > b.samples;
        });
        return std::move(lines_);
    }

  private:
    struct CurrentTask {
        TaskId task = 0;
        Nanos since{};  // the CPU's time before `since` has been charged
    };

    void select_thread(const Machine& m, std::uint32_t pid) {
        for (TaskId p = first_task_; p < m.globals().high_row; ++p) {
            if (m.task[p].pid != pid) continue;
            is_chosen_[p] = true;
            lines_of_[p] = m.task[p].group;
        }
    }

    Nanos& time_since_sample(TaskId p, CpuId cpu) { return clocks_[p * cpus_.size() + cpu]; }

    // Charges the time since the last charge, up to `until`, to p, which has run on `cpu`; counts p's
    // samples.
    void charge(CpuId cpu, TaskId p, Nanos until) {
        const Nanos span = until - cpus_[cpu].since;
        cpus_[cpu].since = until;
        if (p < first_task_ || !is_chosen_[p]) return;
        PerfReportLine& line = lines_[lines_of_[p]];
        Nanos& since_sample = time_since_sample(p, cpu);
        since_sample += span;
        line.samples += static_cast<std::uint64_t>(since_sample / period_);
        line.time += span;
        since_sample %= period_.count();
    }

    Nanos period_;
    TaskId first_task_;
    std::vector<bool> is_chosen_;          // by TaskId
    std::vector<std::uint32_t> lines_of_;  // by TaskId
    std::vector<Nanos> clocks_;            // time since the latest sample, by TaskId and CPU
    std::vector<CurrentTask> cpus_;
    std::vector<PerfReportLine> lines_;  // by task group
};

}  // namespace

std::vector<PerfReportLine> sample_processes(const ViewedRun& run, Nanos period) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    lab::RunProgressReporter reported(run.progress, m, run.limits);
    ProcessSampler sampler(run, m, period);
    lab::run_and_visit_records(engine, m, run.limits, reported,
                               [&](const TraceRecord& r) { sampler.on_record(r); });
    return sampler.finish(m.globals().now);
}

}  // namespace sim::views
