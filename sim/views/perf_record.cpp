// `perf record -a -e cpu-clock -F` and `perf report --sort comm`: the tasks that a timer finds on the CPUs,
// next to their actual times, which perf cannot print.
//
// Each CPU has a timer of a fixed period. The timers of all CPUs fire at the same time, and a sample costs no
// time. A sample precedes other events of the same time. In an interrupt handler, it finds the interrupted
// task.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/lab/follow_run.h"
#include "sim/views/cpu_time_accounting.h"
#include "sim/views/perf_record.h"
#include "sim/views/views.h"

namespace sim::views {
namespace {

class Sampler {
  public:
    // REQUIRES: the machine is at time 0.
    Sampler(const Scenario& scenario, const Machine& m) : time_(scenario, m) {
        for (const TaskGroup& group : scenario.groups) commands_.push_back({.command = group.name});
        commands_.push_back({.command = "swapper"});
    }

    void on_record(const TraceRecord& r) { time_.on_record(r); }

    void sample(const Machine& m) {
        for (CpuId c = 0; c < m.shape().cpus; ++c) {
            const std::uint32_t line = time_.current_report_line(m, c);
            ++(line == CpuTimeAccounting::kIdle ? commands_.back() : commands_[line]).samples;
        }
    }

    // The lines that have samples or time, in descending order of samples.
    std::vector<PerfReportLine> finish(const Machine& m) {
        time_.finish(m);
        Nanos idle = m.globals().now * static_cast<std::int64_t>(m.shape().cpus);
        for (std::uint32_t line = 0; line + 1 < commands_.size(); ++line) {
            commands_[line].time = time_.time_of_report_line(line);
            idle -= time_.time_of_report_line(line);
        }
        commands_.back().time = idle - time_.interrupt_time() - time_.stolen_time();
        commands_.push_back({.command = "(interrupts)", .time = time_.interrupt_time()});
        commands_.push_back({.command = "(stolen)", .time = time_.stolen_time()});
        std::erase_if(commands_, [](const PerfReportLine& c) { return c.samples == 0 && c.time == Nanos{}; });
        std::stable_sort(commands_.begin(), commands_.end(),
                         [](const PerfReportLine& a, const PerfReportLine& b) {
                             return std::tuple(a.samples, a.time) > std::tuple(b.samples, b.time);
                         });
        return std::move(commands_);
    }

  private:
    CpuTimeAccounting time_;
    std::vector<PerfReportLine> commands_;  // by task group; the idle tasks are last
};

// Shortens a count as perf does: 989 to "989 ", 1234 to "1K".
std::string approximate_count(std::uint64_t count) {
    std::string unit = " ";
    for (const char* prefix : {"K", "M", "G"}) {
        if (count <= 1000) break;
        count /= 1000;
        unit = prefix;
    }
    return std::to_string(count) + unit;
}

std::string to_text(const std::vector<PerfReportLine>& commands, Nanos period) {
    std::uint64_t samples = 0;
    Nanos time{};
    std::size_t width = std::string_view("Command").size();
    for (const PerfReportLine& c : commands) {
        samples += c.samples;
        time += c.time;
        width = std::max(width, c.command.size());
    }
    const auto share = [](double part, double all) { return all == 0 ? 0 : 100 * part / all; };
    std::string text = fmt::format(
        "# Samples: {} of event 'cpu-clock'\n"
        "# Event count (approx.): {}\n"
        "#\n"
        "# Overhead       Truth  Command\n"
        "# ........  ..........  {:.<{}}\n"
        "#\n",
        approximate_count(samples), samples * static_cast<std::uint64_t>(period.count()), "", width);
    for (const PerfReportLine& c : commands)
        text += fmt::format(
            "{:9.2f}%  {:9.2f}%  {}\n", share(static_cast<double>(c.samples), static_cast<double>(samples)),
            share(static_cast<double>(c.time.count()), static_cast<double>(time.count())), c.command);
    return text;
}

std::string print_perf_record(const ViewedRun& run) {
    const Nanos period{1'000'000'000 / run.frequency};  // whole nanoseconds, as in the kernel
    if (!run.pids.empty()) return to_text(sample_processes(run, period), period);
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    lab::RunProgressReporter reported(run.progress, m, run.limits);
    Sampler sampler(run.scenario, m);
    for (Nanos next = period;; next += period) {
        Limits slice = run.limits;
        slice.until = std::min(next, run.limits.until);
        const StopReason reason = lab::run_and_visit_records(
            engine, m, slice, reported, [&](const TraceRecord& r) { sampler.on_record(r); });
        if (reason != StopReason::until) break;
        if (slice.until == next) sampler.sample(m);
        if (slice.until == run.limits.until) break;
    }
    return to_text(sampler.finish(m), period);
}

}  // namespace

View perf_record_view() {
    return {"perf-record", {ViewOption::frequency, ViewOption::pid}, print_perf_record};
}

}  // namespace sim::views
