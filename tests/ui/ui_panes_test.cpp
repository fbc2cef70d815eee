// Tests of panes with tables and sliders: their values equal those of the run's summary.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/core/summary.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "ui/panels/panel.h"
#include "ui/view/baseline.h"
#include "ui/view/cost_report.h"
#include "ui/view/knobs.h"
#include "ui/view/task_rows.h"
#include "ui/view/vmstat_lines.h"

namespace ui {
namespace ui_panes_test {

using namespace std::chrono_literals;
using sim::Nanos;

std::unique_ptr<Run> run_of(sim::Scenario scenario, const std::string& policy = {}) {
    const std::string spec = policy.empty() ? scenario.policy : policy;
    auto run = std::make_unique<Run>(std::make_unique<sim::Session>(
        std::make_shared<const sim::Scenario>(std::move(scenario)), sim::make_policy(spec)));
    run->session().history().extend_to_end();
    run->session().seek_end();
    return run;
}

std::unique_ptr<Run> run_of(const std::string& name, const std::vector<std::string>& sets,
                            const std::string& policy = {}) {
    return run_of(sim::load_scenario(name, sets), policy);
}

Model model_of(Run& a, Run* b = nullptr) {
    Model model;
    model.a = &a;
    model.b = b;
    model.scenario_name = fmt::format("{} {}", a.scenario().name, a.id());
    return model;
}

sim::Summary summary_of(const Run& run) {
    const sim::Moment& simulated_end = run.history().simulated_end();
    return sim::summarize(run.scenario(), run.policy().spec(), simulated_end.machine,
                          simulated_end.statistics, run.history().stop_reason());
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// The first line that starts with `beginning`, with single spaces; empty if there is none.
std::string line_of(const std::string& text, const std::string& beginning) {
    for (const std::string& line : lines_of(text)) {
        if (!line.starts_with(beginning)) continue;
        std::string words;
        for (const char c : line)
            if (c != ' ' || (!words.empty() && words.back() != ' ')) words += c;
        return words;
    }
    return {};
}

// --- TASKS ---

TEST(TaskTable, CellsMatchSummary) {
    const auto run = run_of("web-server", {"/until=\"4s\""});
    const std::vector<sim::Summary::TaskSummary> tasks = summary_of(*run).tasks;
    const sim::TaskId first = run->session().machine().first_task();
    ASSERT_EQ(tasks.size(), 420u);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const auto cell = [&](TaskColumn c) {
            return task_cell(*run, first + static_cast<sim::TaskId>(i), c);
        };
        const sim::Summary::TaskSummary& t = tasks[i];
        EXPECT_EQ(cell(TaskColumn::name), t.name);
        EXPECT_EQ(cell(TaskColumn::state), t.state);
        EXPECT_EQ(cell(TaskColumn::pid), std::to_string(t.pid));
        EXPECT_EQ(cell(TaskColumn::user), span(t.user));
        EXPECT_EQ(cell(TaskColumn::system), span(t.system));
        EXPECT_EQ(cell(TaskColumn::voluntary), group_digits(t.voluntary));
        EXPECT_EQ(cell(TaskColumn::involuntary), group_digits(t.involuntary));
        EXPECT_EQ(cell(TaskColumn::yields), group_digits(t.yields));
    }
}

TEST(TaskTable, SortingByAnyColumnKeepsAllTasks) {
    const auto run = run_of("web-server", {"/until=\"3s\""});
    for (std::size_t c = 0; c < kTaskColumns; ++c) {
        const auto column = static_cast<TaskColumn>(c);
        const auto up = ordered_tasks(*run, {column, false, ""});
        const auto down = ordered_tasks(*run, {column, true, ""});
        ASSERT_EQ(up.size(), 420u);
        EXPECT_EQ(std::set<sim::TaskId>(up.begin(), up.end()),
                  std::set<sim::TaskId>(down.begin(), down.end()));
        EXPECT_EQ(task_cell(*run, up.front(), column), task_cell(*run, down.back(), column)) << c;
        EXPECT_EQ(task_cell(*run, up.back(), column), task_cell(*run, down.front(), column)) << c;
    }
    const auto by_user = ordered_tasks(*run, {TaskColumn::user, true, ""});
    for (std::size_t i = 1; i < by_user.size(); ++i)
        EXPECT_GE(run->tasks()[by_user[i - 1]].user, run->tasks()[by_user[i]].user);
}

TEST(TaskTable, NamesSortByNumber) {
    const auto run = run_of("yield-processes", {"/until=\"1ms\"", "/tasks/0/count=12"});
    const auto order = ordered_tasks(*run, {TaskColumn::name, false, "spinner"});
    ASSERT_EQ(order.size(), 12u);
    EXPECT_EQ(run->name(order[1]), "spinner.2");
    EXPECT_EQ(run->name(order[11]), "spinner.12");
}

TEST(TaskTable, FiltersByPartialNameAndPid) {
    const auto run = run_of("yield-processes", {"/until=\"1ms\""});
    const auto count = [&](const char* filter) {
        return ordered_tasks(*run, {TaskColumn::pid, false, filter}).size();
    };
    EXPECT_EQ(count(""), 72u);
    EXPECT_EQ(count("SPIN"), 2u);
    EXPECT_EQ(count("daemon.70"), 1u);
    EXPECT_EQ(count("72"), 1u);  // the PID of daemon.70
    EXPECT_EQ(count("nobody"), 0u);
}

TEST(TaskTable, EmptyTableReportsZeroTasks) {
    auto run = run_of(sim::parse_scenario(
        "none.json",
        R"({"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "until": "1s", "tasks": []})"));
    EXPECT_EQ(tasks_text(model_of(*run), {}).substr(0, 7), "0 tasks");
    Model model = model_of(*run);
    Baseline baseline;
    baseline.record(model);
    model.baseline = &baseline;
    for (const char* id : {"tasks", "costs", "system", "invariants", "what_if"})
        EXPECT_FALSE(find_panel(id)->text(model, {}).empty()) << id;
}

// --- COSTS ---

TEST(CostsPane, MatchesSummary) {
    const auto run = run_of("yield-processes", {});
    const sim::TimeParts time = summary_of(*run).time;
    const sim::Overhead& o = time.overhead;
    const CostReport report = *costs_of(*run, CostScope::whole, {});
    const Nanos parts[kCostParts] = {time.user,        o.system,        o.select,       o.recalculation,
                                     o.context_switch, o.address_space, o.cache_refill, o.stolen,
                                     o.interrupts,     time.idle};
    for (std::size_t i = 0; i < kCostParts; ++i) EXPECT_EQ(cost_parts()[i].of(report.parts), parts[i]) << i;
    EXPECT_EQ(report.parts.total(), 2s);

    const std::string text = costs_text(model_of(*run), {});
    EXPECT_NE(text.find("19.0 µs per yield"), std::string::npos) << text;
    EXPECT_EQ(line_of(text, "all"), "all 2.00 s 100 % 19.0 µs 19.0 µs");
    EXPECT_NE(line_of(text, "switch, other mm").find("5.20 µs fitted"), std::string::npos);
}

TEST(CostsPane, SelectionCountsOnlySelectedTime) {
    const auto run = run_of("yield-processes", {"/until=\"20ms\""});
    ViewState view;
    EXPECT_FALSE(costs_of(*run, CostScope::selection, view));
    view.selection = TimeRange{5ms, 9ms};
    EXPECT_FALSE(costs_of(*run, CostScope::selection, view));
    while (run->work(Deadline::max())) {
    }
    const std::optional<CostReport> report = costs_of(*run, CostScope::selection, view);
    ASSERT_TRUE(report);
    EXPECT_EQ(report->parts.total(), 4ms);
    EXPECT_NEAR(static_cast<double>(report->time_per_yield().count()), 19'050, 300);
}

TEST(CostsPane, ComparisonShowsDifference) {
    const auto a = run_of("yield-processes", {});
    const auto b = run_of("yield-processes", {}, "linux-2.0:yield=one_tick");
    const std::string text = costs_text(model_of(*a, b.get()), {});
    EXPECT_EQ(line_of(text, "all"), "all 100 % 100 % 19.0 µs 5.09 µs \u221213.9 µs") << text;
}

TEST(CostsPane, FractionsOfNanosecondsAreShown) {
    EXPECT_EQ(mean_time_text(Nanos{7}, 0), "-");
    EXPECT_EQ(mean_time_text(Nanos{0}, 5), "0 ns");
    EXPECT_EQ(mean_time_text(Nanos{1}, 1000), "<0.1 ns");
    EXPECT_EQ(mean_time_text(Nanos{15}, 10), "1.5 ns");
    EXPECT_EQ(mean_time_text(Nanos{273'000}, 10), "27.3 µs");
}

// --- SYSTEM ---

TEST(SystemPane, ShortRunsUseFinerInterval) {
    EXPECT_EQ(vmstat_interval(17h), Nanos{1s});
    EXPECT_EQ(vmstat_interval(20s), Nanos{1s});
    EXPECT_EQ(vmstat_interval(19s), Nanos{100ms});
    EXPECT_EQ(vmstat_interval(2s), Nanos{100ms});
    EXPECT_EQ(vmstat_interval(10ms), Nanos{100us});
    EXPECT_EQ(vmstat_interval(Nanos{0}), Nanos{1us});
}

TEST(SystemPane, LinesMatchSampleDifferences) {
    const auto run = run_of("interactive-vs-hog", {"/until=\"4.5s\""});
    VmstatLines lines;
    lines.reset_if_changed(*run, 1s);
    // With little time per frame the lines are computed in parts, with the same result.
    int frames = 1;
    while (lines.compute_lines(*run, 0, 10, 1)) ASSERT_LT(++frames, 1000);
    EXPECT_GT(frames, 1);
    sim::Moment moment = run->history().beginning();
    sim::Sample before = sim::sample_of(run->scenario(), moment.statistics, moment.machine);
    for (std::int64_t i = 0; i < 5; ++i) {
        run->history().state_at(std::min<Nanos>(1s * (i + 1), 4500ms), moment);
        const sim::Sample after = sim::sample_of(run->scenario(), moment.statistics, moment.machine);
        EXPECT_EQ(lines.line(i), sim::vmstat_line(before, after)) << i;
        before = after;
    }
    EXPECT_FALSE(lines.line(5));
}

TEST(SystemPane, HighlightsLineOfPosition) {
    const auto run = run_of("yield-processes", {});
    run->session().seek(1234ms);
    const std::vector<std::string> lines = lines_of(system_text(model_of(*run), {}));
    int first = -1, here = -1;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].starts_with(" r  b")) first = static_cast<int>(i) + 1;
        if (lines[i].ends_with("<- here")) here = static_cast<int>(i);
    }
    EXPECT_EQ(here - first, 10);  // the first line is for 200 ms, this one for 1.2 s
    EXPECT_EQ(line_of(system_text(model_of(*run), {}), "one line"),
              "one line every 100 ms, the first line from 200 ms");
}

// --- INVARIANTS ---

TEST(InvariantsPane, ShowsHoldingInvariantsWithValues) {
    const auto run = run_of("yield-processes", {});
    run->check_replays = true;
    while (run->work(Deadline::max())) {
    }
    run->session().seek(12ms);
    const std::string text = invariants_text(model_of(*run), {});
    EXPECT_EQ(line_of(text, "holds  Time"),
              fmt::format("holds Time is conserved user + kernel + idle = {0}{1}ns = 1 CPU \u00d7 {0}{1}ns",
                          group_digits(12'000'000), kThinSpace));
    EXPECT_NE(text.find("72 alive = 1 running + 1 ready + 70 sleeping + 0 waiting"), std::string::npos)
        << text;
    const std::size_t all = run->history().keyframe_count() - 1;
    EXPECT_GT(all, 1u);
    EXPECT_NE(text.find(fmt::format("{0} of {0} segments were re-executed and gave the same state", all)),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("BROKEN"), std::string::npos);
    EXPECT_NE(text.find(fmt::format("{:016x}", run->session().machine().hash())), std::string::npos);
}

// --- WHAT IF ---

TEST(WhatIfPane, SlidersReachBothEndsInEveryScenario) {
    for (const std::string& name : sim::builtin_file_names("")) {
        const sim::Scenario scenario = sim::load_scenario(name);
        const std::vector<Knob> knobs = knobs_of(scenario);
        EXPECT_GE(knobs.size(), 5u) << name;
        for (const Knob& knob : knobs) {
            const std::int64_t value = value_of(knob, scenario);
            EXPECT_LE(knob.least, value) << name << knob.pointer;
            EXPECT_GE(knob.most, value) << name << knob.pointer;
            EXPECT_LT(knob.least, knob.most) << name << knob.pointer;
            for (const std::int64_t wanted : {knob.least, value, knob.most}) {
                const std::vector<std::string> sets{knob.pointer + "=" + scenario_value_text(knob, wanted)};
                EXPECT_EQ(value_of(knob, sim::load_scenario(name, sets)), wanted) << name << " " << sets[0];
            }
        }
    }
}

TEST(WhatIfPane, SlidersDependOnScenario) {
    const auto labels = [](const char* name) {
        std::vector<std::string> all;
        for (const Knob& knob : knobs_of(sim::load_scenario(name))) all.push_back(knob.label);
        return all;
    };
    using Labels = std::vector<std::string>;
    EXPECT_EQ(labels("yield-processes"), (Labels{"spinner \u00d7", "daemon \u00d7", "spinner priority", "HZ",
                                                 "search", "recalc", "switch"}));
    EXPECT_EQ(labels("interactive-vs-hog"),
              (Labels{"editor \u00d7", "hog \u00d7", "editor priority", "hog priority", "HZ", "search",
                      "recalc", "switch", "seed"}));
    // After all forks the task table is full, so the number of tasks cannot increase.
    EXPECT_EQ(labels("web-server"), (Labels{"log-analyser priority", "httpd priority", "HZ", "search",
                                            "recalc", "switch", "seed"}));
}

TEST(WhatIfPane, SliderChoosesNiceOrRtPriority) {
    const sim::Scenario scenario = sim::parse_scenario("mixed.json", R"({
        "format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "until": "1s", "tasks": [
        {"name": "a", "nice": 5, "program": [{"loop": "forever", "steps": [{"run": "1ms"}]}]},
        {"name": "b", "class": "rr", "rt_priority": 7, "program": [{"run": "1ms"}]}]})");
    const std::vector<Knob> knobs = knobs_of(scenario);
    EXPECT_EQ(knobs[2].pointer, "/tasks/0/nice");
    EXPECT_EQ(value_of(knobs[2], scenario), 5);
    EXPECT_EQ(knobs[3].pointer, "/tasks/1/rt_priority");
    EXPECT_EQ(value_of(knobs[3], scenario), 7);
}

TEST(WhatIfPane, ComputingTasksUseCostPerSwitch) {
    const auto run = run_of("lesson-10-fair-shares", {});
    const Outcome outcome = outcome_of(*run);
    EXPECT_FALSE(outcome.per_yield);
    EXPECT_GT(outcome.cost, 0);
    EXPECT_LT(outcome.cost, 1e5);  // ns per switch
}

TEST(WhatIfPane, ResultMatchesSummaryAndShowsPrevious) {
    const auto before = run_of("yield-processes", {});
    Model model = model_of(*before);
    Baseline baseline;
    baseline.record(model);
    model.baseline = &baseline;
    const std::string was = what_if_text(model, {});
    EXPECT_NE(was.find("19.0 µs per yield\n"), std::string::npos) << was;
    EXPECT_EQ(was.find("was"), std::string::npos) << was;

    model.sets = {"/tasks/0/count=8"};
    const auto after = run_of("yield-processes", model.sets);
    model.a = after.get();
    const sim::Summary s = summary_of(*after);
    const double each = static_cast<double>(s.simulated.count()) / static_cast<double>(s.yields.calls);
    EXPECT_DOUBLE_EQ(outcome_of(*after).cost, each);
    const std::string is = what_if_text(model, {});
    EXPECT_NE(is.find(span(Nanos{std::llround(each)}) + " per yield\nwas 19.0 µs (\u2212"), std::string::npos)
        << is;
    EXPECT_NE(line_of(is, "spinner \u00d7").find("8 was 2"), std::string::npos) << is;
}

TEST(WhatIfPane, OptionsBecomePartOfThePolicy) {
    const sim::NamedPolicy policy = sim::make_policy("linux-2.0");
    EXPECT_EQ(with_option(policy, "yield", "one_tick"), "linux-2.0:yield=one_tick");
    EXPECT_EQ(with_option(sim::make_policy("linux-2.0:yield=one_tick"), "yield", "original"), "linux-2.0");
}

TEST(Panes, LabelBothRunsConsistently) {
    const auto a = run_of("two-hogs", {"/until=\"1s\""}), b = run_of("two-hogs", {}, "round-robin");
    const Model model = model_of(*a, b.get());
    const ViewState view;
    std::size_t named = 0;
    for (const char* id : {"timeline", "decision", "tasks", "costs", "invariants", "caches", "waits"}) {
        const std::string text = "\n" + find_panel(id)->text(model, view);
        named += text.find("\nRun A") != std::string::npos ? 1 : 0;
        for (const char* short_name : {"\nA: ", "\nB: ", "\nA linux-2.0", "\nB round-robin"})
            EXPECT_EQ(text.find(short_name), std::string::npos) << id << text;
    }
    EXPECT_EQ(named, 7u);
}

TEST(Panes, ReportMissingScenario) {
    for (const char* id : {"tasks", "costs", "system", "invariants", "what_if"})
        EXPECT_EQ(find_panel(id)->text({}, {}), "No scenario is open.\n");
}

}  // namespace ui_panes_test
}  // namespace ui

#endif
