// `perf stat` for a command that started all tasks of the scenario and waited for them; with -a, for all
// CPUs. perf reads a task's counters before the last schedule() of the exiting task, so only the counters
// of CPUs include that switch.
#include <fmt/format.h>

#include "sim/base/human_text.h"
#include "sim/views/system_calls.h"
#include "sim/views/totals.h"
#include "sim/views/views.h"

namespace sim::views {
namespace {

// A line as perf prints it, but without trailing spaces.
std::string counter_line(const std::string& value, const char* unit, const char* name, double metric,
                         const std::string& metric_unit) {
    return fmt::format("{:>18} {:<4} {:<32} # {:8.3f} {}\n", value, unit, name, metric, metric_unit);
}

std::string clock_line(const char* name, Nanos counted, Nanos elapsed) {
    const std::int64_t hundredths = (counted + 5us) / 10us;
    const std::string value =
        fmt::format("{}.{:02}", group_digits(static_cast<std::uint64_t>(hundredths / 100)), hundredths % 100);
    const double utilized =
        elapsed == Nanos{} ? 0 : static_cast<double>(counted.count()) / static_cast<double>(elapsed.count());
    return counter_line(value, "msec", name, utilized, "CPUs utilized");
}

// A line with a count and its rate per second. `counted`: the time in which the events were counted
// (cpu-clock or task-clock).
std::string count_line(const char* name, std::uint64_t count, Nanos counted) {
    double rate =
        counted == Nanos{} ? 0 : 1e9 * static_cast<double>(count) / static_cast<double>(counted.count());
    std::string unit = "/sec";
    for (const char* prefix : {"K", "M", "G"}) {
        if (rate <= 1000) break;
        rate /= 1000;
        unit = std::string(prefix) + "/sec";
    }
    return counter_line(group_digits(count), "", name, rate, unit);
}

std::string seconds_line(Nanos time, const char* label) {
    return fmt::format(" {:7}.{:09} seconds {}\n", time / 1s, (time % std::chrono::seconds(1)).count(),
                       label);
}
// The kernel reports the times of a process in microseconds.
std::string used_time_line(Nanos time, const char* label) {
    return seconds_line(std::chrono::floor<std::chrono::microseconds>(time), label);
}

std::string print_perf_stat(const ViewedRun& run, bool system_wide) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    Statistics s(run.scenario.shape);
    std::uint64_t calls = 0;
    replay_system_calls(
        run, engine, m, [](const TraceRecord&) {}, [&](const SystemCall& c) { calls += !c.is_retry; }, &s);

    const TaskTimes used = times_of_all_tasks(run.scenario, s, m);
    const Nanos elapsed = m.globals().now;
    const Nanos counted =
        system_wide ? elapsed * static_cast<std::int64_t>(m.shape().cpus) : used.user + used.system;
    const std::uint64_t switches =
        system_wide ? s.switches.total() : s.switches.voluntary - s.exit_switches + s.switches.involuntary;
    std::string text = fmt::format("\n Performance counter stats for '{}':\n\n",
                                   system_wide ? "system wide" : run.scenario.name);
    text += clock_line(system_wide ? "cpu-clock" : "task-clock", counted, elapsed);
    text += count_line("context-switches", switches, counted);
    text += count_line("cpu-migrations", s.migrations, counted);
    text += count_line("raw_syscalls:sys_enter", calls, counted);
    text += "\n" + seconds_line(elapsed, "time elapsed");
    if (!system_wide)
        text += "\n" + used_time_line(used.user, "user") + used_time_line(used.system, "sys") + "\n";
    return text + "\n";
}

}  // namespace

View perf_stat_view() {
    return {"perf-stat", {}, [](const ViewedRun& run) { return print_perf_stat(run, false); }};
}
View perf_stat_a_view() {
    return {"perf-stat-a", {}, [](const ViewedRun& run) { return print_perf_stat(run, true); }};
}

}  // namespace sim::views
