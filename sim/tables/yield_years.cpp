// sched_yield() from 1995 to 2023: the time of a call, whether the call switches, which task runs next, and
// the CPU share of a task that computes while another task yields in a loop. No document publishes these
// values together. They follow from the kernels' rules and from the costs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "sim/figures/curves_figure.h"
#include "sim/lab/simulation.h"
#include "sim/scenario/scenario_json.h"
#include "sim/tables/tables.h"

namespace sim::tables {
namespace {

struct YieldYear {
    const char *year, *kernel, *policy;
    const char* own_machine;  // the available machine with the year nearest to `year`
};

constexpr const char* kPentium = "pentium-mmx-200";
constexpr YieldYear kYears[] = {
    {"1995", "Linux 1.2", "linux-1.2", kPentium},
    {"1996", "Linux 2.0, early", "linux-2.0:yield=move_last_only", kPentium},
    {"1996", "Windows NT 4", "nt4", "pentium-mmx-200-nt"},
    {"1997", "Linux 2.0.30", "linux-2.0", kPentium},
    {"1997", "the two-line patch", "linux-2.0:yield=one_tick", kPentium},
    {"1997", "a sorted queue", "sorted-queue", kPentium},
    {"1999", "Linux 2.2", "linux-2.2", kPentium},
    {"2003", "Linux 2.4.22", "linux-2.4.22", kPentium},
    {"2007", "Linux 2.6.20, O(1)", "linux-2.6.20", "server-2010"},
    {"2008", "Linux 2.6.24, CFS", "linux-2.6.24", "server-2010"},
    {"2008", "Linux 2.6.24, compat", "linux-2.6.24:yield=compat", "server-2010"},
    {"2009", "Linux 2.6.32, CFS", "linux-2.6.32", "server-2010"},
    {"2023", "Linux 6.6, EEVDF", "linux-6.6", "server-2020"},
    {"2023", "Linux 6.6, groups", "linux-6.6:group_sched=yes", "server-2020"},
};

constexpr std::array kTasks{2, 8, 64, 512, 4096};
constexpr int kLeastYields = 20'000;

struct YieldYearCost {
    double us = 0;        // per yield
    double switched = 0;  // share of the yields that lead to a switch
};

// Measures the yields of `tasks` tasks that only yield.
YieldYearCost measure_yields(const char* policy, const std::string& machine, int tasks) {
    lab::Simulation run("yield-processes",
                        {fmt::format("/tasks/0/count={}", tasks), fmt::format("/machine={}", machine)},
                        policy);
    // Runs whole rounds. In a round, each task under the two-line patch uses up its 20 ticks once. Each event
    // is a yield, apart from occasional ticks and one initial event per task.
    const auto round = std::uint64_t{20} * static_cast<std::uint64_t>(tasks);
    const std::uint64_t warm_up = run.machine().globals().nr_tasks + round;
    const Statistics& s = run.statistics();
    run.run({.events = warm_up});
    const std::uint64_t yields = s.yields, switched = s.yields_switched;
    const Nanos begin = run.now();
    run.run({.events = warm_up + (kLeastYields + round - 1) / round * round});
    const auto calls = static_cast<double>(s.yields - yields);
    return {.us = static_cast<double>((run.now() - begin).count()) / 1e3 / calls,
            .switched = static_cast<double>(s.yields_switched - switched) / calls};
}

// Describes in words which task runs after a yield, among eight tasks that yield in turn.
std::string next_task_text(const char* policy) {
    const std::vector<std::string> eight{"/tasks/0/count=8"};
    const Scenario scenario = load_scenario("yield-processes", eight);
    const NamedPolicy named = make_policy(policy);
    const Engine engine(scenario, *named.policy);
    Machine m = engine.initial_state();
    Trace trace;
    engine.run(m, {.events = 4'000}, {.trace = &trace});

    std::vector<std::size_t> ran_at(m.first_task() + m.shape().tasks, 0);
    std::size_t now = 0, itself = 0, longest = 0, yields = 0;
    bool yielded = false;
    std::vector<TaskId> turns;  // tasks that ran after a yield that switched
    for (const TraceRecord& r : trace.records) {
        ++now;
        if (r.kind == TraceKind::yield) {
            if (yielded) ++itself;  // the previous yield called no schedule(), so the caller ran on
            yielded = true;
            ran_at[r.task] = now;
            yields += now > trace.records.size() / 2;
            if (now <= trace.records.size() / 2) itself = longest = 0;
        } else if (r.kind == TraceKind::schedule && yielded) {
            yielded = false;
            const TaskId first = m.first_task();
            const auto begin = ran_at.begin() + first;
            const auto waited = static_cast<TaskId>(std::min_element(begin, begin + 8) - begin) + first;
            if (r.task != r.other) turns.push_back(r.task);
            if (r.task == r.other)
                ++itself;
            else if (r.task == waited)
                ++longest;
        }
    }
    const auto percent = [&](std::size_t n) {
        return 100 * static_cast<double>(n) / static_cast<double>(std::max(yields, std::size_t{1}));
    };
    if (percent(longest) > 99) return "the longest waiting task";
    if (percent(itself) > 99) return "the caller itself";
    if (percent(itself) >= 1)
        return fmt::format("the caller itself {:.0f} %, the longest waiting task {:.0f} %", percent(itself),
                           percent(longest));
    constexpr std::ptrdiff_t kLast = 200;
    const std::set<TaskId> lately(turns.end() - std::min(kLast, std::ssize(turns)), turns.end());
    return fmt::format(
        "another task, the longest waiting one in {0:.0f} %; the last {2} turns went to {1} of the eight",
        percent(longest), lately.size(), kLast);
}

// The CPU share, in percent over 10 s, of the task "holder". It computes while another task spins and yields,
// as if "holder" held a lock.
double holder_cpu_share(const char* policy, const std::string& machine) {
    lab::Simulation run("yield-years", {fmt::format("/machine={}", machine), "/until=10s"}, policy);
    run.run_to_end();
    Nanos user{};
    for (const Summary::TaskSummary& task : run.summary().tasks)
        if (task.name == "holder") user = task.user;
    return 100 * static_cast<double>(user.count()) / static_cast<double>(run.now().count());
}

plot::Plot plot_of_years(const TableResult& result, const std::string& command) {
    figures::Curves curves{
        .title = "sched_yield(), 1995 to 2023",
        .subtitle = "Time of a yield by number of tasks that yield; the same costs for all",
        .source = command + "; simulated, nothing published",
        .x_label = "tasks that yield",
        .y_label = "us per yield",
        .curves = {}};
    for (const Cell& cell : result.cells) {
        if (cell.series.empty()) continue;
        if (curves.curves.empty() || curves.curves.back().name != cell.series)
            curves.curves.push_back({.name = cell.series, .points = {}});
        curves.curves.back().points.push_back({.x = cell.x, .mean = cell.simulated});
    }
    return figures::curves_plot(curves);
}

// Returns the costs of one kernel on a machine as a line of the text, and appends the cells of this line to
// `cells`.
std::string year_costs_text(const YieldYear& y, const char* machine, bool in_figure,
                            std::vector<Cell>& cells) {
    const auto add = [&](std::string column, double value, const char* unit, const std::string& series,
                         double x) {
        cells.push_back({.row = fmt::format("{} {}", y.year, y.kernel),
                         .column = std::move(column),
                         .published = kNotPublished,
                         .simulated = value,
                         .unit = unit,
                         .scored = false,
                         .basis = Basis::count,
                         .series = series,
                         .x = x});
    };
    std::string us;
    YieldYearCost cost;
    double two = 0;
    for (const int tasks : kTasks) {
        cost = measure_yields(y.policy, machine, tasks);
        if (tasks == kTasks.front()) two = cost.switched;
        us += fmt::format("{:>9.3g}", cost.us);
        add(fmt::format("{} tasks on {}", tasks, machine), cost.us, "us", in_figure ? y.kernel : "", tasks);
    }
    const double share = holder_cpu_share(y.policy, machine);
    add(fmt::format("share of the holder on {}", machine), share, "%", "", kNotPublished);
    return fmt::format("  {:<5} {:<20}{}{:>9.0f} %{:>7.0f} %{:>9.1f} %\n", y.year, y.kernel, us, 100 * two,
                       100 * cost.switched, share);
}

// The two heading lines above the lines of costs.
std::string years_heading() {
    std::string tasks;
    for (const int n : kTasks) tasks += fmt::format("{:>9}", n);
    return fmt::format("  {:<5} {:<20}{:>45}   of yields switch\n  {:<5} {:<20}{}{:>9} 2{:>7}{}{:>11}\n", "",
                       "", "us per yield, by number of yielding tasks", "", "", tasks, "of", "", "4096",
                       "holder");
}

TableResult reproduce_yield_years(const TableOptions& options) {
    TableResult result;
    std::string same, own, next;
    for (const YieldYear& y : kYears) {
        same += year_costs_text(y, kPentium, true, result.cells);
        own += year_costs_text(y, y.own_machine, false, result.cells);
        next += fmt::format("  {:<5} {:<20}  {}\n", y.year, y.kernel, next_task_text(y.policy));
    }
    const std::string head = years_heading();
    result.text =
        "yield-years: sched_yield() under the schedulers of thirty years\n"
        "\n"
        "The same costs for all, those of the Pentium of 1997: only the algorithm differs.\n"
        "\n" +
        head + same +
        "\n"
        "Each kernel on the available machine nearest to its time: pentium-mmx-200 (with the costs of Linux "
        "or of NT),\n"
        "server-2010, server-2020. The costs of the last two are assumed; two of server-2020 are tuned to "
        "one measurement.\n"
        "\n" +
        head + own +
        "\n"
        "holder: CPU share of a task that computes next to one that spins and yields, as if on a lock.\n"
        "\n"
        "The task that runs after a yield, when eight tasks yield in turn:\n"
        "\n" +
        next +
        "\n"
        "None of this was published as a table; all of it is simulated. Linux 1.2 had no "
        "sched_yield():\n"
        "there the call fails, and only its cost is visible. Under 2.2 and 2.4, a task that lost "
        "fewer ticks goes first.\n";
    if (options.hints)
        result.text +=
            "\n"
            "Look at: the time of a call first depended on the length of the queue, later on its logarithm "
            "or not\n"
            "  on the length at all. The effect of a call changed several times: under CFS and EEVDF, a "
            "spinner that\n"
            "  yields still gets half of the CPU.\n"
            "Try next:\n"
            "  switchyard tour yield-years\n"
            "  switchyard figure yield-years --output yield-years.svg\n";
    return result;
}

}  // namespace

Table yield_years_table() {
    return {
        .name = "yield-years",
        .summary = "sched_yield() from 1995 to 2023: its cost, the next task, and the CPU share of a holder",
        .source = "not published: simulated, from the kernels' rules",
        .reproduce = reproduce_yield_years,
        .plot = plot_of_years};
}

}  // namespace sim::tables
