// The timeline before it is drawn, and as text.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/scenario_json.h"
#include "ui/panels/panel.h"
#include "ui/panels/timeline_tracks.h"

namespace ui {
namespace {

using namespace std::chrono_literals;
using sim::Nanos;

std::unique_ptr<Run> run_of(const char* scenario, const char* policy = "linux-2.0",
                            std::vector<std::string> sets = {}) {
    auto loaded = std::make_shared<const sim::Scenario>(sim::load_scenario(scenario, sets));
    auto run = std::make_unique<Run>(std::make_unique<sim::Session>(loaded, sim::make_policy(policy),
                                                                    std::vector<sim::Intervention>{},
                                                                    sim::RecordingLimits{.until = 5s}));
    run->session().recording().extend_to_end();
    return run;
}

TEST(UiTimeline, TextTellsTheSlicesTheMarksAndTheTasks) {
    const auto run = run_of("yield-processes");
    Model model;
    model.a = run.get();
    model.scenario_name = "yield-processes";
    ViewState view;
    view.shown = {11'900us, 12ms};
    const std::string text = timeline_text(model, view);
    for (const char* words : {"cpu0", "spinner.1", "refill", "address space", "calls sched_yield()",
                              "All counters are refilled", "Runnable: 2", "daemon × 70: asleep"})
        EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    EXPECT_EQ(text.find("Selected"), std::string::npos);
}

TEST(UiTimeline, TextOfASelectionHasItsFigures) {
    const auto run = run_of("yield-processes");
    Model model;
    model.a = run.get();
    ViewState view;
    view.shown = {0ms, 100ms};
    view.selection = TimeRange{10ms, 20ms};
    timeline_text(model, view);  // asks for them
    while (run->work(std::chrono::steady_clock::now() + 1s)) {
    }
    const std::string text = timeline_text(model, view);
    for (const char* words : {"Selected", "switches", "schedule() costs", "median"})
        EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
}

TEST(UiTimeline, TextOfTwoRunsSaysHowMuchDiffers) {
    const auto a = run_of("yield-processes");
    const auto b = run_of("yield-processes", "linux-2.0:yield=one_tick");
    Model model;
    model.a = a.get();
    model.b = b.get();
    ViewState view;
    view.shown = {11ms, 12ms};
    const std::string text = timeline_text(model, view);
    EXPECT_NE(text.find("A: linux-2.0"), std::string::npos) << text;
    EXPECT_NE(text.find("yield=one_tick"), std::string::npos) << text;
    EXPECT_NE(text.find("of the time the CPUs do different things"), std::string::npos) << text;
}

TEST(UiTimeline, ARunDoesNotDifferFromItself) {
    const auto run = run_of("yield-processes");
    const auto t = sim::make_timeline(run->recording(), 0ms, 5ms);
    const Differences none(*t, *t);
    EXPECT_EQ(none.time({0ms, 5ms}), Nanos{});
    EXPECT_FALSE(none.first_from(0ms));
    const auto other = run_of("yield-processes", "round-robin");
    const auto u = sim::make_timeline(other->recording(), 0ms, 5ms);
    const Differences some(*t, *u);
    ASSERT_TRUE(some.first_from(0ms));
    // Pieces add up.
    EXPECT_EQ(some.time({0ms, 5ms}), some.time({0ms, 1234us}) + some.time({1234us, 5ms}));
    EXPECT_EQ(some.time({0ms, *some.first_from(0ms)}), Nanos{});
}

TEST(UiTimeline, SharesOfATimelineAddUpToTheTime) {
    const auto run = run_of("web-server");
    const auto t = sim::make_timeline(run->recording(), 1s, 3s);
    ASSERT_TRUE(t);
    const TimelineIndex index(*t);
    EXPECT_TRUE(index.is_of(*t));
    OwnerTimes owners;
    const Shares all = index.cpu(*t, 0, 0, t->cpus[0].size() - 1, &owners);
    EXPECT_EQ(all.total(), Nanos{2s});
    Nanos user{};
    for (const auto& o : owners.top(1000)) user += o.time;
    EXPECT_EQ(user, all.time[0]);
    // The same time by tasks.
    Nanos running{};
    for (sim::TaskId p = 0; p < t->tasks.size(); ++p)
        if (!t->tasks[p].empty()) running += index.task(*t, p, 0, t->tasks[p].size() - 1).time[0];
    EXPECT_EQ(running, user);
    std::size_t marks = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) marks += index.marks().of(lane).size();
    EXPECT_EQ(marks, t->marks.size());
}

TEST(UiTimeline, ColumnsAddUpToTheSamples) {
    const auto run = run_of("web-server");
    const auto samples = run->recording().overview().samples();
    const TimeRange range{0ms, samples.back().time};
    const std::vector<Column> columns = columns_of(samples, cell_edges(range, 7'777'777ns));
    double user = 0;
    double switches = 0;
    for (const Column& c : columns) {
        user += c.time[0];
        switches += c.switches;
        double all = 0;
        for (const double time : c.time) all += time;
        EXPECT_NEAR(all, static_cast<double>((c.end - c.begin).count()), 2.0);
    }
    EXPECT_NEAR(user, static_cast<double>(samples.back().parts.user.count()), 1000);
    EXPECT_NEAR(switches, static_cast<double>(samples.back().switches), 0.01);
}

TEST(UiTimeline, BeforeTheRunBeginsThereIsNothingToShow) {
    const auto scenario = std::make_shared<const sim::Scenario>(sim::load_scenario("two-hogs"));
    ui::Run run(std::make_unique<sim::Session>(scenario, sim::make_policy("linux-2.0")));
    Model model;
    EXPECT_EQ(timeline_text(model, {}), "No scenario is open.\n");
    model.a = &run;
    EXPECT_FALSE(timeline_text(model, {}).empty());
    EXPECT_GT(shown_range(model, {}).length(), Nanos{});
    EXPECT_TRUE(columns_of({}, {}).empty());
}

TEST(UiTimeline, ManyThatSleepAreOneRow) {
    const auto run = run_of("yield-processes");
    const TimeRange range{11ms, 12ms};
    const Detail detail = run->detail(range, 600);
    ASSERT_NE(detail.timeline, nullptr);
    const TimelineIndex index(*detail.timeline);
    const auto rows = timeline_rows(*run, detail, &index, range, std::nullopt);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[2].count, 70u);
    EXPECT_EQ(rows[2].name, "daemon × 70");
    // One that is selected keeps its row.
    const auto with = timeline_rows(*run, detail, &index, range, rows[2].task + 5);
    ASSERT_EQ(with.size(), 4u);
    EXPECT_EQ(with[2].count, 69u);
}

}  // namespace
}  // namespace ui

#endif
