#include "sim/cli/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/cli/command.h"
#include "sim/scenario_json.h"
#include "sim/summary.h"

namespace sim::cli {
namespace {

// What a view sees at the end of each interval. The time is never 0.
struct Sample {
    const Scenario& scenario;
    const Machine& m;
    const Statistics& now;
    const Statistics& before;
    const std::vector<std::uint32_t>& pids_before;  // by row
    TimeParts time;                                 // of the interval
    std::uint64_t ticks;                            // of the interval
    Nanos span;

    double per_second(std::uint64_t count) const {
        return static_cast<double>(count) * 1e9 / static_cast<double>(span.count());
    }
};

struct View {
    std::string name;
    std::string header;
    std::function<std::string(const Sample&)> lines;
};

// The simulation begins at midnight.
std::string clock_of(Nanos now) {
    const std::int64_t seconds = now / 1s;
    const std::int64_t hour = seconds / 3600 % 24;
    return fmt::format("{:02}:{:02}:{:02} {}", hour % 12 == 0 ? 12 : hour % 12, seconds / 60 % 60,
                       seconds % 60, hour < 12 ? "AM" : "PM");
}

// `vmstat -w`. There is no memory, no disk and no hypervisor to report on: those columns are 0.
std::string vmstat_line(const Sample& s) {
    const std::int64_t all = s.time.total().count();
    const auto share = [&](Nanos part) { return all == 0 ? 0 : (100 * part.count() + all / 2) / all; };
    const auto whole = [&](std::uint64_t count) { return std::llround(s.per_second(count)); };
    // Interrupts: the timer on each CPU, and what woke sleeping tasks.
    const std::uint64_t interrupts = s.ticks * s.m.shape().cpus + s.now.timer_events - s.before.timer_events;
    return fmt::format(
        "{:2} {:2} {:10} {:10} {:10} {:10} {:4} {:4} {:5} {:5} {:4} {:4} {:3} {:2} {:3} {:2} {:2}\n",
        s.m.globals().nr_running, 0, 0, 0, 0, 0, 0, 0, 0, 0, whole(interrupts),
        whole(s.now.switches.total() - s.before.switches.total()), share(s.time.user),
        share(s.time.overhead.total()), share(s.time.idle), 0, 0);
}

// `pidstat -w`: the tasks that switched.
std::string pidstat_lines(const Sample& s) {
    std::string text;
    for (TaskId p = s.m.first_task(); p < s.m.globals().high_row; ++p) {
        const TaskStatistics& now = s.now.tasks[p];
        // A row that a new task took over has begun to count again.
        const bool same = s.pids_before[p] == s.m.task[p].pid;
        const TaskStatistics before = same ? s.before.tasks[p] : TaskStatistics{};
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
        {"vmstat",
         "procs -------------------memory------------------ ---swap-- -----io---- --system-- "
         "-----cpu-------\n"
         " r  b       swpd       free       buff      cache   si   so    bi    bo   in   cs  us sy  id wa "
         "st\n",
         vmstat_line}};
    return list;
}

TimeParts operator-(TimeParts a, const TimeParts& b) {
    a.user -= b.user;
    a.idle -= b.idle;
    a.overhead.system -= b.overhead.system;
    a.overhead.select -= b.overhead.select;
    a.overhead.recalc -= b.overhead.recalc;
    a.overhead.context_switch -= b.overhead.context_switch;
    a.overhead.address_space -= b.overhead.address_space;
    return a;
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
    TimeParts time_before;
    std::uint64_t ticks_before = 0;
    std::string text = view.header;
    for (Nanos from{}; from < limits.until; from = m.globals().now) {
        Limits slice = limits;
        slice.until = std::min(limits.until, from + *interval);
        engine.run(m, slice, {.statistics = &now});
        const Nanos span = m.globals().now - from;
        if (span == Nanos{}) break;
        const TimeParts time = settled_time(scenario, now, m);
        text += view.lines(
            {scenario, m, now, before, pids, time - time_before, m.globals().ticks - ticks_before, span});
        before = now;
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) pids[p] = m.task[p].pid;
        time_before = time;
        ticks_before = m.globals().ticks;
        if (m.globals().is_stopped || m.globals().switches >= limits.switches) break;
    }
    return text;
}

}  // namespace sim::cli
