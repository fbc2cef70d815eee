// GNU time's `time -v`, for a command that started all tasks of the scenario and waited until the run's end.
#include <fmt/format.h>

#include "sim/core/cost_model.h"
#include "sim/lab/follow_run.h"
#include "sim/views/totals.h"
#include "sim/views/views.h"

namespace sim::views {
namespace {

// Truncates to 10 ms, as GNU time does.
std::string seconds(Nanos time) {
    return fmt::format("{}.{:02}", time / 1s, time % std::chrono::seconds(1) / 10ms);
}

std::string wall_clock_text(Nanos time) {
    const std::int64_t s = time / 1s;
    if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    return fmt::format("{}:{:02}.{:02}", s / 60, s % 60, time % std::chrono::seconds(1) / 10ms);
}

std::string percent_of_cpu(Nanos user, Nanos system, Nanos elapsed) {
    if (elapsed < 1us) return "?%";
    const Nanos unit = elapsed < 1ms ? Nanos(1us) : Nanos(1ms);
    return fmt::format("{}%", (user / unit + system / unit) * 100 / (elapsed / unit));
}

std::string print_time_v(const ViewedRun& run) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    Statistics statistics(run.scenario.shape);
    lab::run_with_progress(engine, m, run.limits, {.statistics = &statistics}, run.progress);

    const TaskTimes used = times_of_all_tasks(run.scenario, statistics, m);
    const Nanos elapsed = m.globals().now;

    return fmt::format(
        "\tCommand being timed: \"{}\"\n"
        "\tUser time (seconds): {}\n"
        "\tSystem time (seconds): {}\n"
        "\tPercent of CPU this job got: {}\n"
        "\tElapsed (wall clock) time (h:mm:ss or m:ss): {}\n"
        "\tAverage shared text size (kbytes): 0\n"
        "\tAverage unshared data size (kbytes): 0\n"
        "\tAverage stack size (kbytes): 0\n"
        "\tAverage total size (kbytes): 0\n"
        "\tMaximum resident set size (kbytes): 0\n"
        "\tAverage resident set size (kbytes): 0\n"
        "\tMajor (requiring I/O) page faults: 0\n"
        "\tMinor (reclaiming a frame) page faults: 0\n"
        "\tVoluntary context switches: {}\n"
        "\tInvoluntary context switches: {}\n"
        "\tSwaps: 0\n"
        "\tFile system inputs: 0\n"
        "\tFile system outputs: 0\n"
        "\tSocket messages sent: 0\n"
        "\tSocket messages received: 0\n"
        "\tSignals delivered: 0\n"
        "\tPage size (bytes): {}\n"
        "\tExit status: 0\n",
        run.scenario.name, seconds(used.user), seconds(used.system),
        percent_of_cpu(used.user, used.system, elapsed),
        // GNU time queries the page size, which is the same on every x86.
        wall_clock_text(elapsed), statistics.switches.voluntary, statistics.switches.involuntary, kPageSize);
}

}  // namespace

View time_v_view() { return {"time-v", {}, print_time_v}; }

}  // namespace sim::views
