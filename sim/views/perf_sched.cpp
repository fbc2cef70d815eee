// `perf sched latency`: how long tasks ran, how often they were switched to, and how long they had waited.
//
// Statistics does not contain the maximum delays, so the view reads the trace in slices and discards each
// slice afterwards. As in perf, tasks of the same name share a line. All tasks of a task group have the same
// name, so there is at most one line per group.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "sim/lab/follow_run.h"
#include "sim/views/cpu_time_accounting.h"
#include "sim/views/views.h"

namespace sim::views {
namespace {

// A line of the table: the tasks of one task group.
struct LatencyLine {
    std::string name;
    std::uint32_t tasks = 0;  // number of tasks that have run
    std::uint32_t pid = 0;    // pid of the first task that ran
    Nanos runtime{};          // total CPU time; computed by finish()
    std::uint64_t switches = 0;
    Nanos delay{};
    Nanos longest{}, longest_begin{}, longest_end{};

    Nanos average_delay() const {
        return switches == 0 ? Nanos{} : delay / static_cast<std::int64_t>(switches);
    }
};

class LatencyTable {
  public:
    // REQUIRES: the machine is at time 0.
    LatencyTable(const Scenario& scenario, const Machine& m)
        : time_(scenario, m), rows_(m.shape().cpus + m.shape().tasks), first_task_(m.first_task()) {
        for (const TaskGroup& group : scenario.groups) lines_.push_back({.name = group.name});
        for (TaskId p = first_task_; p < m.globals().high_row; ++p) rows_[p] = {.pid = m.task[p].pid};
    }

    void on_record(const TraceRecord& r) {
        time_.on_record(r);
        switch (r.kind) {
            case TraceKind::fork:
                rows_[r.task] = {.pid = r.ordinal};
                break;
            case TraceKind::exec:
                rows_[r.task].has_run = false;  // the task counts again under its new name
                count_first_run(r.task);
                break;
            case TraceKind::wake_up:
                rows_[r.task].ready_since = r.time;
                break;
            case TraceKind::schedule:
                if (r.task == r.other) break;
                if (!r.voluntary) rows_[r.other].ready_since = r.time;
                if (r.task >= first_task_) on_switch_to(r.task, r.time);
                break;
            default:
                break;
        }
    }

    // Charges all times up to the current time of `m`. Returns the lines with at least one task in perf's
    // order: descending by average delay, then by maximum delay, switches and runtime.
    std::vector<LatencyLine> finish(const Machine& m) {
        time_.finish(m);
        for (std::uint32_t line = 0; line < lines_.size(); ++line)
            lines_[line].runtime = time_.time_of_report_line(line);
        std::vector<LatencyLine> lines;
        for (const LatencyLine& line : lines_)
            if (line.tasks > 0) lines.push_back(line);
        const auto key = [](const LatencyLine& l) {
            return std::tuple(l.average_delay(), l.longest, l.switches, l.runtime);
        };
        std::stable_sort(lines.begin(), lines.end(),
                         [&](const LatencyLine& a, const LatencyLine& b) { return key(a) > key(b); });
        return lines;
    }

  private:
    struct TrackedTask {
        std::uint32_t pid = 0;
        Nanos ready_since{};
        bool has_run = false;
    };

    // Counts task p in its line when it first runs. Returns the line.
    LatencyLine& count_first_run(TaskId p) {
        TrackedTask& row = rows_[p];
        LatencyLine& line = lines_[time_.report_line_of(p)];
        if (!row.has_run && line.tasks++ == 0) line.pid = row.pid;
        row.has_run = true;
        return line;
    }

    void on_switch_to(TaskId p, Nanos now) {
        LatencyLine& line = count_first_run(p);
        ++line.switches;
        const Nanos since = rows_[p].ready_since, delay = now - since;
        line.delay += delay;
        if (delay > line.longest) {
            line.longest = delay;
            line.longest_begin = since;
            line.longest_end = now;
        }
    }

    CpuTimeAccounting time_;
    std::vector<LatencyLine> lines_;  // by group
    std::vector<TrackedTask> rows_;   // by TaskId
    TaskId first_task_;
};

double milliseconds(Nanos time) { return static_cast<double>(time.count()) / 1e6; }

// The time in seconds, truncated to microseconds as in perf.
std::string seconds_as_in_perf(Nanos time) {
    return fmt::format("{}.{:06}", time / 1s, time % std::chrono::seconds(1) / 1us);
}

std::string to_text(const LatencyLine& l) {
    const std::string task =
        l.tasks > 1 ? fmt::format("{}:({})", l.name, l.tasks) : fmt::format("{}:{}", l.name, l.pid);
    return fmt::format(
        "{:<24}|{:11.3f} ms |{:9} | avg:{:8.3f} ms | max:{:8.3f} ms | max start: {:>12} s | max end: {:>12} "
        "s\n",
        "  " + task + " ", milliseconds(l.runtime), l.switches, milliseconds(l.average_delay()),
        milliseconds(l.longest), seconds_as_in_perf(l.longest_begin), seconds_as_in_perf(l.longest_end));
}

std::string to_text(const std::vector<LatencyLine>& lines) {
    const std::string rule = fmt::format(" {:-<139}\n", "");
    std::string text = fmt::format(
        "\n{}  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max delay ms    | Max "
        "delay start           | Max delay end          |\n{}",
        rule, rule);
    LatencyLine total;
    for (const LatencyLine& line : lines) {
        text += to_text(line);
        total.runtime += line.runtime;
        total.switches += line.switches;
    }
    text += fmt::format(" {:-<113}\n  TOTAL:                |{:11.3f} ms |{:9} |\n {:-<51}\n\n", "",
                        milliseconds(total.runtime), total.switches, "");
    return text;
}

std::string print_perf_sched(const ViewedRun& run) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    lab::RunProgressReporter reported(run.progress, m, run.limits);
    LatencyTable latency(run.scenario, m);
    lab::run_and_visit_records(engine, m, run.limits, reported,
                               [&](const TraceRecord& r) { latency.on_record(r); });
    return to_text(latency.finish(m));
}

}  // namespace

View perf_sched_view() { return {"perf-sched", {}, print_perf_sched}; }

}  // namespace sim::views
