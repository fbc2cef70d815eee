#include "sim/cli/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sim/cli/command.h"
#include "sim/scenario_json.h"
#include "sim/vmstat.h"

namespace sim::cli {
namespace {

// What a view sees at the end of each interval. The time is never 0.
struct Interval {
    const Scenario& scenario;
    const Machine& m;
    const Statistics& statistics;
    const Statistics& statistics_before;
    const std::vector<std::uint32_t>& pids_before;  // by row
    const Sample& before;
    const Sample& after;

    double per_second(std::uint64_t count) const {
        return static_cast<double>(count) * 1e9 / static_cast<double>((after.time - before.time).count());
    }
};

struct View {
    std::string name;
    std::string header;
    std::function<std::string(const Interval&)> lines;
};

// The simulation begins at midnight.
std::string clock_of(Nanos now) {
    const std::int64_t seconds = now / 1s;
    const std::int64_t hour = seconds / 3600 % 24;
    return fmt::format("{:02}:{:02}:{:02} {}", hour % 12 == 0 ? 12 : hour % 12, seconds / 60 % 60,
                       seconds % 60, hour < 12 ? "AM" : "PM");
}

// `vmstat -w`.
std::string vmstat_lines(const Interval& i) {
    return to_text(vmstat_line(i.before, i.after, i.m.shape().cpus));
}

// `pidstat -w`: the tasks that switched.
std::string pidstat_lines(const Interval& s) {
    std::string text;
    for (TaskId p = s.m.first_task(); p < s.m.globals().high_row; ++p) {
        const TaskStatistics& now = s.statistics.tasks[p];
        // A row that a new task took over has begun to count again.
        const bool same = s.pids_before[p] == s.m.task[p].pid;
        const TaskStatistics before = same ? s.statistics_before.tasks[p] : TaskStatistics{};
        const std::uint64_t voluntary = now.voluntary - before.voluntary;
        const std::uint64_t involuntary = now.involuntary - before.involuntary;
        if (voluntary + involuntary == 0) continue;
        text += fmt::format("{} {:9} {:9.2f} {:9.2f}  {}\n", clock_of(s.m.globals().now), s.m.task[p].pid,
                            s.per_second(voluntary), s.per_second(involuntary), s.scenario.task_name(s.m, p));
    }
    return text;
}

const std::vector<View>& views() {
    static const std::vector<View> list{
        {"pidstat",
         fmt::format("{:11} {:>9} {:>9} {:>9}  {}\n", clock_of({}), "PID", "cswch/s", "nvcswch/s", "Command"),
         pidstat_lines},
        {"vmstat", vmstat_header(), vmstat_lines}};
    return list;
}

}  // namespace

std::vector<std::string> view_names() {
    std::vector<std::string> names;
    for (const View& view : views()) names.push_back(view.name);
    return names;
}

std::string render_view(const std::string& name, const Scenario& scenario, const Policy& policy,
                        const Limits& limits, const std::string& interval_text) {
    std::string why;
    const std::optional<Nanos> interval = parse_time(interval_text, why);
    if (!interval) throw UsageError("--interval: " + why);
    if (*interval < 1ms) throw UsageError("--interval: at least 1ms is expected");
    constexpr std::int64_t kMostReports = 1'000'000;
    if (limits.until / *interval > kMostReports)
        throw UsageError(
            fmt::format("--interval: {} reports would be more than {}; a longer interval is expected",
                        limits.until / *interval, kMostReports));
    const View& view =
        *std::find_if(views().begin(), views().end(), [&](const View& v) { return v.name == name; });

    const Engine engine(scenario, policy);
    Machine m = engine.initial_state();
    Statistics now(scenario.shape);
    Statistics before = now;
    std::vector<std::uint32_t> pids(now.tasks.size());
    Sample sample_before;
    std::string text = view.header;
    for (Nanos from{}; from < limits.until; from = m.globals().now) {
        Limits slice = limits;
        slice.until = std::min(limits.until, from + *interval);
        engine.run(m, slice, {.statistics = &now});
        if (m.globals().now == from) break;
        const Sample sample = sample_of(scenario, now, m);
        text += view.lines({scenario, m, now, before, pids, sample_before, sample});
        before = now;
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) pids[p] = m.task[p].pid;
        sample_before = sample;
        if (m.globals().is_stopped || m.globals().switches >= limits.switches) break;
    }
    return text;
}

}  // namespace sim::cli
