// Tests of the controllers without a window, each with an AppState of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/scenario_json.h"
#include "ui/control/control.h"
#include "ui/panels/panel.h"
#include "ui/view/speeds.h"
#include "ui/view/tabs.h"
#include "ui/view/two_runs.h"

namespace ui {
namespace ui_control_test {

using sim::Nanos;
using sim::StepEventKind;
using namespace std::chrono_literals;

// A scenario that has been simulated completely, with all controllers. Waits for background work without a
// time limit.
struct ControllerFixture {
    explicit ControllerFixture(const std::string& scenario, bool simulated = true) {
        state.wait_without_limit = true;
        state.open(scenario, "");
        if (simulated) state.a().work(Deadline::max());
    }
    Nanos now() const { return state.a().now(); }
    std::uint64_t events() const { return state.a().session().machine().globals().events; }
    const std::string& said() const { return state.model.message; }
    ViewState& view() { return state.view; }

    std::string copied;
    AppState state{{.key_of_command = [](std::string_view id) { return "<" + std::string(id) + ">"; },
                    .set_clipboard = [this](const std::string& text) { copied = text; }}};
    ViewHistory history{state};
    Selection selection{state};
    PredictionQuiz prediction_quiz{state};
    Comparison comparison{state};
    Navigator navigator{state, history, prediction_quiz, comparison};
    Player player{state, history, navigator};
    Bookmarks bookmarks{state, history, navigator};
    TourPlayer tour{state, history, comparison, navigator, bookmarks};
    LabSession laboratory{state, history, comparison, navigator};
};

// --- application state ---

TEST(AppState, NewScenarioResetsRunState) {
    ControllerFixture room("two-hogs");
    room.comparison.compare_with("round-robin");
    room.selection.select(TimeRange{1ms, 2ms});
    room.selection.toggle_measuring_cursor('a');
    room.bookmarks.toggle();
    room.view().task = 1;
    room.view().level = DepthLevel::inside;
    room.view().playing = true;
    room.view().tab = Tab::costs;
    room.view().show_marks = false;
    room.state.open("yield-processes", "sorted-queue");
    EXPECT_EQ(room.state.model.scenario_name, "yield-processes");
    EXPECT_EQ(room.state.a().policy().name, "sorted-queue");
    EXPECT_EQ(room.state.model.b, nullptr);
    EXPECT_FALSE(room.view().selection || room.view().cursor_a || room.view().task || room.view().playing);
    EXPECT_TRUE(room.view().bookmarks.empty());
    EXPECT_EQ(room.view().level, DepthLevel::time);
    // Display options do not depend on the open scenario.
    EXPECT_EQ(room.view().tab, Tab::costs);
    EXPECT_FALSE(room.view().show_marks);
}

TEST(AppState, FailedOpenKeepsScenario) {
    ControllerFixture room("two-hogs");
    const std::uint64_t run = room.state.a().id();
    EXPECT_THROW(room.state.open("no-such-scenario", ""), std::exception);
    EXPECT_THROW(room.state.open("yield-processes", "no-such-policy"), std::exception);
    EXPECT_THROW(room.state.rebuild_runs({"/tasks/0/count=-1"}, "linux-2.0"), std::exception);
    EXPECT_THROW(room.state.rebuild_runs({"/tasks/0/count=3"}, "no-such-policy"), std::exception);
    EXPECT_EQ(room.state.a().id(), run);
    EXPECT_EQ(room.state.scenario().groups[0].count, 2u);
    EXPECT_TRUE(room.state.model.sets.empty());
}

TEST(AppState, ValuesApplyToBothRunsWithoutIntervention) {
    ControllerFixture room("two-hogs");
    room.comparison.compare_with("round-robin");
    EXPECT_FALSE(room.state.rebuild_runs({"/tasks/0/count=3"}, "sorted-queue"));
    EXPECT_EQ(room.state.a().policy().name, "sorted-queue");
    ASSERT_NE(room.state.b(), nullptr);
    EXPECT_EQ(room.state.b()->policy().name, "round-robin");
    EXPECT_EQ(room.state.b()->scenario().groups[0].count, 3u);

    room.navigator.seek(1s);
    room.comparison.compare_with_intervention(
        {.kind = sim::Intervention::Kind::policy, .policy = "round-robin"});
    ASSERT_NE(room.state.b(), nullptr);
    EXPECT_TRUE(room.state.rebuild_runs({"/tasks/0/count=4"}, "sorted-queue"));
    EXPECT_EQ(room.state.b(), nullptr);
}

// --- view history ---

TEST(ViewHistory, BackAndForwardRestoreRanges) {
    ControllerFixture room("two-hogs");
    room.history.show({0ms, 100ms});
    room.history.show({0ms, 1s});
    room.history.show({0ms, 10ms});
    room.history.back();
    EXPECT_EQ(room.view().shown, (TimeRange{0ms, 1s}));
    room.history.back();
    EXPECT_EQ(room.view().shown, (TimeRange{0ms, 100ms}));
    room.history.back();
    EXPECT_EQ(room.view().shown, (TimeRange{0ms, 100ms})) << "there was nothing before";
    room.history.forward();
    room.history.forward();
    EXPECT_EQ(room.view().shown, (TimeRange{0ms, 10ms}));
}

TEST(ViewHistory, ConsecutivePansFormSingleEntry) {
    ControllerFixture room("two-hogs");
    room.history.show({0ms, 10s});
    room.history.show({1000ms, 1100ms});
    for (int i = 0; i < 10; ++i) room.history.pan(0.05);
    EXPECT_GT(room.view().shown.begin, Nanos{1000ms});
    room.history.back();
    room.history.back();
    EXPECT_EQ(room.view().shown, (TimeRange{0ms, 10s}));
}

TEST(ViewHistory, ClampsToRunAndZoomsAtAnchor) {
    ControllerFixture room("two-hogs");
    room.history.show({-5s, -4s});
    EXPECT_EQ(room.view().shown, (TimeRange{0s, 1s}));
    room.history.show({1s, 2s});
    room.history.zoom(10, 1200ms);
    EXPECT_EQ(room.view().shown, (TimeRange{1180ms, 1280ms}));
    room.history.show_whole_run();
    EXPECT_EQ(room.view().shown, (TimeRange{0s, 21s}));
}

TEST(ViewHistory, PagesFollowPositionInBothDirections) {
    ControllerFixture room("two-hogs");
    room.history.show({0s, 1s});
    std::vector<TimeRange> pages;
    for (int i = 0; i < 30; ++i) {
        room.navigator.step(StepEventKind::context_switch, 1);
        pages.push_back(room.view().shown);
        EXPECT_TRUE(room.view().shown.contains(room.now()));
    }
    EXPECT_GT(std::set<Nanos>({pages.front().begin, pages[15].begin, pages.back().begin}).size(), 2u);
    for (int i = 28; i >= 0; --i) {
        room.navigator.step(StepEventKind::context_switch, -1);
        EXPECT_EQ(room.view().shown, pages[static_cast<std::size_t>(i)]);
    }
}

TEST(ViewHistory, FitWithoutSelectionIsReported) {
    ControllerFixture room("two-hogs");
    room.history.fit_selection();
    EXPECT_EQ(room.said(), "Nothing is selected: drag over the timeline first.");
    room.selection.select(TimeRange{2s, 3s});
    room.history.fit_selection();
    EXPECT_EQ(room.view().shown, (TimeRange{2s, 3s}));
}

// --- navigation ---

TEST(Navigator, StepBackRevertsStepForward) {
    ControllerFixture room("yield-processes");
    for (const StepEventKind kind : sim::kStepKinds) {
        SCOPED_TRACE(to_string(kind));
        room.navigator.go_to("decision 50");
        room.navigator.step(kind, 1);
        const std::uint64_t there = room.events();
        room.navigator.step(kind, 1);
        EXPECT_GT(room.events(), there);
        room.navigator.step(kind, -1);
        EXPECT_EQ(room.events(), there);
    }
}

TEST(Navigator, InvalidPositionIsReportedAndIgnored) {
    ControllerFixture room("two-hogs");
    room.navigator.seek(1s);
    EXPECT_FALSE(room.navigator.go_to("somewhere"));
    EXPECT_FALSE(room.said().empty());
    EXPECT_FALSE(room.navigator.go_to("switch 1000000"));
    EXPECT_EQ(room.said(), "There is no switch 1 000 000 in this run.");
    EXPECT_EQ(room.now(), Nanos{1s});
    EXPECT_TRUE(room.navigator.go_to("2.5s"));
    EXPECT_EQ(room.now(), Nanos{2500ms});
}

TEST(Navigator, SeekCompletesOncePositionIsSimulated) {
    ControllerFixture room("two-hogs", false);
    room.state.wait_without_limit = false;
    room.navigator.simulate_and_go_to({15s}, 0ms);
    EXPECT_TRUE(room.navigator.is_seeking());
    EXPECT_EQ(room.navigator.target_time(), Nanos{15s});
    EXPECT_LT(room.now(), Nanos{15s});
    room.navigator.complete_pending_move();
    EXPECT_LT(room.now(), Nanos{15s}) << "nothing was simulated";
    room.state.a().work(Deadline::max());
    room.navigator.complete_pending_move();
    EXPECT_EQ(room.now(), Nanos{15s});
    EXPECT_FALSE(room.navigator.is_seeking());
}

TEST(Navigator, LineStepsContinueIntoNextSchedule) {
    ControllerFixture room("two-hogs");
    room.navigator.go_to("decision 3");
    room.navigator.enter_depth_level();
    room.navigator.enter_depth_level();
    ASSERT_EQ(room.view().level, DepthLevel::inside);
    const std::size_t lines = room.state.a().last_decision()->steps.size();
    for (std::size_t i = 1; i < lines; ++i) room.navigator.step_at_depth_level(1);
    EXPECT_EQ(room.view().inside_step, lines - 1);
    EXPECT_EQ(room.state.a().session().machine().globals().decisions, 3u);
    room.navigator.step_at_depth_level(1);
    EXPECT_EQ(room.view().inside_step, 0u);
    EXPECT_EQ(room.state.a().session().machine().globals().decisions, 4u);
    room.navigator.step_at_depth_level(-1);
    EXPECT_EQ(room.view().inside_step, lines - 1);
    room.navigator.leave_depth_level();
    room.navigator.leave_depth_level();
    EXPECT_EQ(room.view().level, DepthLevel::time);
}

TEST(Player, FollowsSpeedAndStopsAtEnd) {
    ControllerFixture room("two-hogs");
    for (room.view().speed = 0; kSpeeds[room.view().speed].factor != 1;
         room.player.change_speed_by_steps(1)) {
    }
    room.navigator.seek_beginning();
    room.player.set_playing(true);
    for (int i = 0; i < 10; ++i) room.player.advance_playback(0.25);
    EXPECT_EQ(room.now(), Nanos{2500ms});
    room.player.advance_playback(3600);
    EXPECT_EQ(room.now(), room.state.a().end());
    EXPECT_FALSE(room.view().playing);
    EXPECT_EQ(room.said(), "This is the end of the run.");
}

// --- selection ---

TEST(Selection, NextTaskAndCpuStayInRange) {
    ControllerFixture room("two-hogs");
    const sim::TaskId first = room.state.a().session().machine().first_task();
    room.selection.select_adjacent_task(1);
    EXPECT_EQ(room.view().task, first);
    for (int i = 0; i < 5; ++i) room.selection.select_adjacent_task(1);
    EXPECT_EQ(room.view().task, first + 1);
    room.selection.toggle_task(first + 1);
    EXPECT_FALSE(room.view().task);
    room.selection.select_adjacent_cpu(1);
    EXPECT_EQ(room.view().cpu, 0u);
    EXPECT_EQ(room.said(), "This machine has one CPU, cpu0.");

    ControllerFixture smp("park-unpark", false);
    const sim::CpuId cpus = smp.state.a().scenario().cpus;
    ASSERT_GT(cpus, 1u);
    smp.view().cpu = 0;
    for (sim::CpuId cpu = 1; cpu < cpus; ++cpu) {
        smp.selection.select_adjacent_cpu(1);
        EXPECT_EQ(smp.view().cpu, cpu);
    }
    EXPECT_EQ(smp.said(), "cpu" + std::to_string(cpus - 1) + " is selected");
    smp.selection.select_adjacent_cpu(1);
    EXPECT_EQ(smp.view().cpu, 0u);
    smp.selection.select_adjacent_cpu(-1);
    EXPECT_EQ(smp.view().cpu, cpus - 1);
}

TEST(Selection, RepeatedCursorCommandRemovesCursor) {
    ControllerFixture room("two-hogs");
    room.navigator.seek(1s);
    room.selection.toggle_measuring_cursor('a');
    room.navigator.seek(2s);
    room.selection.toggle_measuring_cursor('b');
    EXPECT_EQ(room.view().cursor_a, Nanos{1s});
    EXPECT_EQ(room.view().cursor_b, Nanos{2s});
    room.selection.toggle_measuring_cursor('b');
    EXPECT_FALSE(room.view().cursor_b);
    EXPECT_TRUE(room.view().cursor_a);
}

// --- comparison ---

TEST(Comparison, SecondRunFollowsFirst) {
    ControllerFixture room("two-hogs");
    room.comparison.compare_with("round-robin");
    room.navigator.seek(3s);
    EXPECT_EQ(room.state.b()->now(), Nanos{3s} + Nanos{1});
    room.navigator.step(StepEventKind::context_switch, -1);
    EXPECT_EQ(room.state.b()->now(), room.now() + Nanos{1});
    room.comparison.compare_with("no-such-policy");
    EXPECT_FALSE(room.state.model.error.empty());
    EXPECT_EQ(room.state.b()->policy().name, "round-robin") << "what was there stays";
}

TEST(Comparison, LateSecondRunCatchesUp) {
    ControllerFixture room("two-hogs");
    room.navigator.seek_end();
    room.state.wait_without_limit = false;
    room.state.compare("round-robin");
    room.comparison.sync_run_b();
    EXPECT_LT(room.state.b()->now(), room.now());
    room.state.b()->work(Deadline::max());
    room.comparison.continue_sync();
    EXPECT_GE(room.state.b()->now(), room.now());
}

TEST(Comparison, ToggleUsesOtherYieldOption) {
    ControllerFixture room("yield-processes");
    room.comparison.toggle();
    ASSERT_NE(room.state.b(), nullptr);
    EXPECT_EQ(room.state.b()->policy().spec(), "linux-2.0:yield=one_tick");
    room.comparison.toggle();
    EXPECT_EQ(room.state.b(), nullptr);
    room.state.replace_run_a("linux-2.0:yield=one_tick");
    room.comparison.toggle();
    EXPECT_EQ(room.state.b()->policy().spec(), "linux-2.0");
}

TEST(Comparison, FindsFirstDecisionWithDifferentTask) {
    ControllerFixture room("yield-processes");
    EXPECT_FALSE(room.comparison.find_difference());
    EXPECT_EQ(room.said(), "There is no second run: <compare> compares with another policy.");
    room.comparison.compare_with("linux-2.0:yield=one_tick");
    room.navigator.seek_beginning();
    const std::optional<std::uint64_t> decision = room.comparison.find_difference();
    ASSERT_TRUE(decision);
    room.navigator.go_to_next_difference();
    EXPECT_EQ(room.state.model.difference, decision);
    EXPECT_EQ(room.state.a().session().machine().globals().decisions, *decision);
    EXPECT_EQ(room.state.b()->session().machine().globals().decisions, *decision);
    const ui::Run &a = room.state.a(), &b = *room.state.b();
    EXPECT_NE(a.history().decision_at(*decision)->record.task,
              b.history().decision_at(*decision)->record.task);
    for (std::uint64_t n = 1; n < *decision; ++n)
        EXPECT_EQ(a.history().decision_at(n)->record.task, b.history().decision_at(n)->record.task) << n;
}

TEST(Comparison, SecondRunPanesShowOwnDecisionTime) {
    ControllerFixture room("yield-processes");
    room.comparison.compare_with("linux-2.0:yield=one_tick");
    room.navigator.seek_beginning();
    for (int n = 0; n < 2; ++n) room.navigator.go_to_next_difference();
    // At decision 4, the time of the original policy (run A) is later than that of run B, because run A has
    // recalculated all counters before.
    EXPECT_EQ(room.now(), Nanos{44'500});
    EXPECT_EQ(room.state.b()->now(), Nanos{15'180});
    EXPECT_EQ(room.state.b()->last_decision()->view.record.time, Nanos{15'180});
    ASSERT_TRUE(has_runs_at_different_times(room.state.model));
    for (const char* id : {"timeline", "decision", "run_queue", "costs", "context_switch", "system"}) {
        const std::string text = find_panel(id)->text(room.state.model, room.view());
        EXPECT_NE(text.find("15.18 µs"), std::string::npos) << id << "\n" << text;
    }
    const std::string queue = find_panel("run_queue")->text(room.state.model, room.view());
    EXPECT_NE(queue.find("Run A at 44.5 µs: cpu0 runs spinner.2"), std::string::npos) << queue;
    EXPECT_NE(queue.find("Run B at 15.18 µs: cpu0 runs spinner.1"), std::string::npos) << queue;
    // Background work between frames does not change the position of run B. A step changes the positions of
    // A and B together.
    room.navigator.complete_pending_move();
    EXPECT_EQ(room.state.b()->now(), Nanos{15'180});
    room.navigator.step(StepEventKind::event, 1);
    EXPECT_FALSE(has_runs_at_different_times(room.state.model));
}

TEST(Comparison, BothRunsHaveAHeadline) {
    Control control;
    control.set_wait_without_limit(true);
    ASSERT_TRUE(control.open("yield-processes"));
    control.comparison().compare_with("linux-2.0:yield=one_tick");
    control.work(Deadline::max());
    const ComparedCosts lines = compared_costs(control.model());
    EXPECT_EQ(lines.a, "19.0 µs per yield");
    EXPECT_EQ(lines.b, "5.09 µs per yield");
    EXPECT_EQ(lines.factor, "3.73 times as much in run A");
    const std::string strip = find_panel("what_if")->text(control.model(), control.view());
    EXPECT_NE(strip.find("19.0 µs | 5.09 µs per yield\nA | B: 3.73 times as much in run A\n"),
              std::string::npos)
        << strip;
    control.comparison().compare_with("linux-2.0");
    control.work(Deadline::max());
    EXPECT_EQ(compared_costs(control.model()).factor, "the same in both runs");
}

TEST(Comparison, WhatIfRunSharesPastDecisions) {
    ControllerFixture room("two-hogs");
    room.navigator.seek(1s);
    const sim::TaskId first = room.state.a().session().machine().first_task();
    room.comparison.compare_with_intervention({.kind = sim::Intervention::Kind::kill, .task = first});
    ASSERT_NE(room.state.b(), nullptr);
    EXPECT_EQ(room.state.b()->history().interventions().size(), 1u);
    for (std::uint64_t n = 1; n <= room.state.a().session().machine().globals().decisions; ++n)
        EXPECT_EQ(room.state.a().history().decision_at(n)->record.task,
                  room.state.b()->history().decision_at(n)->record.task);
    room.comparison.end();
    room.comparison.compare_with_intervention({.kind = sim::Intervention::Kind::wake, .task = first});
    EXPECT_EQ(room.state.b(), nullptr) << "it does not sleep";
    EXPECT_FALSE(room.said().empty());
}

// --- predictions ---

TEST(Predictor, AsksInTurnAndKeepsScore) {
    ControllerFixture room("yield-processes");
    room.navigator.go_to("decision 20");
    room.prediction_quiz.choose_answer_number(std::size_t{1});
    EXPECT_EQ(room.view().predicted, 0u) << "nobody was asked";
    room.prediction_quiz.toggle();
    EXPECT_TRUE(room.prediction_quiz.is_asking());
    EXPECT_EQ(room.view().ask, PredictionQuestion::next_task);
    room.prediction_quiz.answer_question(
        {PredictionQuestion::next_task, room.state.a().last_decision()->view.record.task});
    EXPECT_FALSE(room.prediction_quiz.is_asking());
    EXPECT_EQ(room.view().predicted_right, 1u);

    room.navigator.step(StepEventKind::decision, 1);
    EXPECT_TRUE(room.prediction_quiz.is_asking());
    EXPECT_EQ(room.view().ask, PredictionQuestion::recalculation);
    room.prediction_quiz.choose_answer_number(std::size_t{9});
    EXPECT_EQ(room.said(), "There is no answer with the number 9.");
    room.prediction_quiz.answer_question(
        {PredictionQuestion::recalculation,
         room.state.a().last_decision()->view.log.decision.recalculations > 0 ? 0u : 1u});
    EXPECT_EQ(score_so_far(room.view()), "Right predictions: 1 of 2.");
    room.prediction_quiz.toggle();
    EXPECT_EQ(room.said(), "Outcomes are shown again. Right predictions: 1 of 2.");
}

// --- bookmarks and tours ---

TEST(Bookmarks, AreVisitedInTimeOrder) {
    ControllerFixture room("yield-processes");
    room.bookmarks.go_to_next(1);
    EXPECT_EQ(room.said(), "There are no bookmarks: <mark.bookmark> adds one at the position.");
    std::vector<std::uint64_t> events;
    for (const char* place : {"decision 40", "decision 20", "decision 30"}) {
        room.navigator.go_to(place);
        room.bookmarks.toggle();
    }
    room.navigator.seek_beginning();
    for (const std::uint64_t decision : {20u, 30u, 40u}) {
        room.bookmarks.go_to_next(1);
        EXPECT_EQ(room.state.a().session().machine().globals().decisions, decision);
        EXPECT_TRUE(room.bookmarks.has_bookmark_at_position());
    }
    room.bookmarks.go_to_next(1);
    EXPECT_EQ(room.said(), "There is no bookmark after this position.");
    room.bookmarks.toggle();
    EXPECT_EQ(room.view().bookmarks.size(), 2u);
}

TEST(Bookmarks, CopyAsTourParsesInScenario) {
    ControllerFixture room("two-hogs");
    room.navigator.go_to("switch 3");
    room.bookmarks.toggle();
    room.bookmarks.copy_as_tour();
    const std::string file =
        R"({"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "until": "21s",
        "tasks": [{"name": "hog", "count": 2, "program": [{"loop": "forever", "steps": [{"run": "1h"}]}]}],
        )" +
        room.copied + "}";
    const sim::Scenario scenario = sim::parse_scenario("copied.json", file);
    ASSERT_EQ(scenario.tour.size(), 1u);
    EXPECT_EQ(scenario.tour[0].title, "switch 3");
}

TEST(TourPlayer, StopViewIsIndependentOfRoute) {
    ControllerFixture room("yield-processes"), straight("yield-processes");
    ASSERT_EQ(room.state.scenario().tour.size(), 5u);
    for (int i = 0; i < 5; ++i) room.tour.go_to_adjacent_stop(1);
    straight.tour.go_to_stop(4);
    for (ControllerFixture* r : {&room, &straight}) {
        EXPECT_EQ(r->view().stop, 4u);
        EXPECT_EQ(r->view().tab, Tab::costs);
        EXPECT_EQ(r->view().level, DepthLevel::inside);
        EXPECT_EQ(r->state.a().policy().spec(), "linux-2.0:yield=one_tick");
        EXPECT_EQ(r->state.b(), nullptr);
    }
    EXPECT_EQ(room.events(), straight.events());
    EXPECT_EQ(room.view().shown, straight.view().shown);
    EXPECT_EQ(room.view().bookmarks.size(), 3u) << "stops at one instant share one";
    room.tour.go_to_adjacent_stop(1);
    EXPECT_EQ(room.said(), "This is the last stop of the tour.");
    room.tour.go_to_stop(3);
    ASSERT_NE(room.state.b(), nullptr);
    EXPECT_EQ(room.state.b()->policy().spec(), "linux-2.0");
}

TEST(TourPlayer, MissingTourIsReported) {
    ControllerFixture room("two-hogs");
    room.tour.go_to_adjacent_stop(1);
    EXPECT_EQ(room.said(), "This scenario has no tour.");
}

TEST(Tabs, MatchPanesOfTourStops) {
    const std::set<std::string> known(std::begin(sim::kTourPanes), std::end(sim::kTourPanes));
    std::set<std::string> names;
    for (const TabInfo& tab : kTabs) {
        names.insert(tab.name);
        EXPECT_EQ(&info_of(tab.tab), &tab) << "one row for each";
        EXPECT_NE(find_panel(tab.pane), nullptr) << tab.pane;
    }
    EXPECT_EQ(names, known);
}

// --- the laboratory ---

// A complete sweep of two values and two policies.
void sweep(ControllerFixture& room) {
    room.view().laboratory = {.pointer = "/tasks/0/count",
                              .values = "2,6",
                              .policies = {"linux-2.0", "sorted-queue"},
                              .measure = {},
                              .until = "1s"};
    room.laboratory.request_sweep();
    while (room.laboratory.work(Deadline::max())) {
    }
    ASSERT_TRUE(room.laboratory.laboratory().is_complete()) << room.laboratory.laboratory().error();
}

TEST(LabSession, OpensRunOfPointAndReturns) {
    ControllerFixture room("two-hogs");
    room.navigator.go_to("switch 5");
    const std::uint64_t events = room.events();
    sweep(room);
    for (std::uint64_t run = 0; run < 4; ++run) {
        room.laboratory.open_run(run);
        EXPECT_EQ(room.state.scenario().groups[0].count, run < 2 ? 2u : 6u);
        EXPECT_EQ(room.state.a().policy().spec(), room.laboratory.laboratory().policy_of(run));
        EXPECT_TRUE(room.state.model.can_leave_lab_run);
    }
    room.laboratory.leave_run();
    EXPECT_FALSE(room.state.model.can_leave_lab_run);
    EXPECT_EQ(room.state.scenario().groups[0].count, 2u);
    EXPECT_TRUE(room.state.model.sets.empty());
    EXPECT_EQ(room.events(), events);
}

TEST(LabSession, KeepsUserValuesWhileRunIsOpen) {
    ControllerFixture room("two-hogs");
    room.state.rebuild_runs({"/seed=7"}, "linux-2.0");
    sweep(room);
    const std::uint64_t figure = room.laboratory.laboratory().plot_revision();
    room.laboratory.open_run(3);
    room.laboratory.request_sweep();
    EXPECT_EQ(room.laboratory.laboratory().plot_revision(), figure) << "nothing else is asked for";
    EXPECT_TRUE(room.laboratory.laboratory().is_complete());
    room.laboratory.leave_run();
    EXPECT_EQ(room.state.model.sets, std::vector<std::string>{"/seed=7"});
}

TEST(LabSession, CopiesSweepCommand) {
    ControllerFixture room("two-hogs");
    room.laboratory.copy_command();
    EXPECT_TRUE(room.copied.empty()) << "there is no table yet";
    sweep(room);
    room.laboratory.copy_command();
    EXPECT_EQ(room.copied,
              "switchyard sweep two-hogs --until 1s --vary /tasks/0/count=2,6 --policy linux-2.0 --policy "
              "sorted-queue\n");
}

// --- all controllers ---

TEST(Control, OpensFirstTourStopUnlessPolicyGiven) {
    Control control;
    control.set_wait_without_limit(true);
    ASSERT_TRUE(control.open("yield-processes"));
    EXPECT_EQ(control.view().stop, 0u);
    ASSERT_TRUE(control.open("yield-processes", "sorted-queue"));
    EXPECT_FALSE(control.view().stop);
    EXPECT_FALSE(control.open("no-such-scenario"));
    EXPECT_FALSE(control.model().error.empty());
    EXPECT_EQ(control.model().a->policy().name, "sorted-queue");
}

TEST(Control, NewScenarioClearsViewHistory) {
    Control control;
    control.set_wait_without_limit(true);
    control.open("two-hogs");
    control.history().show({1s, 2s});
    control.open("yield-processes");
    const TimeRange shown = control.view().shown;
    control.history().back();
    control.history().back();
    EXPECT_EQ(control.view().shown, shown);
}

TEST(Control, ValidChangeKeepsTimeInvalidIsRefused) {
    Control control;
    control.set_wait_without_limit(true);
    control.open("two-hogs");
    control.navigator().seek(1s);
    control.set_value("/tasks/0/count", "5");
    EXPECT_EQ(control.model().a->now(), Nanos{1s});
    EXPECT_EQ(control.model().a->scenario().groups[0].count, 5u);
    control.set_value("/tasks/0/count", "-5");
    EXPECT_FALSE(control.model().error.empty());
    EXPECT_EQ(control.model().sets, std::vector<std::string>{"/tasks/0/count=5"});
    EXPECT_EQ(control.model().a->scenario().groups[0].count, 5u);
    control.reset_values();
    EXPECT_EQ(control.model().a->scenario().groups[0].count, 2u);
    EXPECT_EQ(control.model().a->now(), Nanos{1s});
}

TEST(Control, UndoAndRedoStepThroughChanges) {
    Control control;
    control.set_wait_without_limit(true);
    control.open("two-hogs");
    const auto count = [&] { return control.model().a->scenario().groups[0].count; };
    for (const char* dragged : {"3", "4", "5"}) control.set_value("/tasks/0/count", dragged);
    control.end_change_series();
    control.set_value("/tasks/0/count", "7");
    control.set_value("/seed", "9");
    control.undo();
    EXPECT_EQ(control.model().sets, std::vector<std::string>{"/tasks/0/count=7"});
    EXPECT_EQ(control.model().message, "Changed: /tasks/0/count=7");
    control.undo();
    EXPECT_EQ(count(), 5u) << "a drag is one change";
    control.undo();
    EXPECT_EQ(count(), 2u);
    EXPECT_EQ(control.model().message, "The scenario has no changes.");
    control.undo();
    EXPECT_EQ(control.model().message, "There is nothing to undo.");
    control.redo();
    control.redo();
    EXPECT_EQ(count(), 7u);
    control.set_value("/tasks/0/count", "4");
    control.redo();
    EXPECT_EQ(control.model().message, "There is nothing to redo.") << "another way was taken";
    control.reset_values();
    EXPECT_EQ(count(), 2u);
    control.undo();
    EXPECT_EQ(count(), 4u);
    control.set_value("/tasks/0/count", "-5");  // rejected
    control.undo();
    EXPECT_EQ(count(), 7u) << "what was refused is no change";
}

TEST(Control, ReloadKeepsTimeAndChangedValues) {
    const std::string path = testing::TempDir() + "switchyard-reload.json";
    const auto write = [&](const char* tasks, const char* policy) {
        std::ofstream(path)
            << R"({"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "policy": ")" << policy
            << R"(", "until": "2s", "tasks": )" << tasks << "}";
    };
    write(R"([{"name": "a", "program": [{"loop": "forever", "steps": [{"run": "1h"}]}]}])", "linux-2.0");
    Control control;
    control.set_wait_without_limit(true);
    ASSERT_TRUE(control.open(path)) << control.model().error;
    EXPECT_FALSE(control.check_file_for_changes());
    control.navigator().seek(1s);
    control.set_value("/machine/hz", "200");
    write(R"([{"name": "a", "count": 3, "program": [{"loop": "forever", "steps": [{"run": "1h"}]}]}])",
          "linux-2.2");
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(5));
    EXPECT_TRUE(control.check_file_for_changes());
    EXPECT_TRUE(control.model().message.ends_with("has changed on disk: reload reloads it."));
    EXPECT_FALSE(control.check_file_for_changes()) << "once is enough";
    EXPECT_EQ(control.model().a->scenario().groups[0].count, 1u);
    control.reload();
    EXPECT_EQ(control.model().error, "");
    EXPECT_EQ(control.model().a->scenario().groups[0].count, 3u);
    EXPECT_EQ(control.model().a->scenario().machine.hz, 200u) << "with what was changed";
    EXPECT_EQ(control.model().a->history().policy().spec(), sim::make_policy("linux-2.2", 1).spec());
    EXPECT_EQ(control.model().a->now(), Nanos{1s});
    write("[", "linux-2.0");
    control.reload();
    EXPECT_FALSE(control.model().error.empty());
    EXPECT_EQ(control.model().a->scenario().groups[0].count, 3u) << "what was open stays";
    std::filesystem::remove(path);
}

TEST(Control, ActionsWithoutScenarioAreHarmless) {
    Control control;
    control.undo();
    control.redo();
    control.reload();
    EXPECT_FALSE(control.check_file_for_changes());
    control.navigator().step(StepEventKind::event, 1);
    control.navigator().step_at_depth_level(-1);
    control.navigator().go_to("1s");
    control.navigator().enter_depth_level();
    control.navigator().leave_depth_level();
    control.navigator().seek_end();
    control.player().set_playing(true);
    control.player().advance_playback(1);
    control.navigator().go_to_next_difference();
    control.history().show_whole_run();
    control.history().zoom(2, 1s);
    control.history().back();
    control.selection().select_adjacent_task(1);
    control.selection().select_adjacent_cpu(1);
    control.selection().toggle_measuring_cursor('a');
    control.comparison().toggle();
    control.comparison().compare_with("linux-2.0");
    control.prediction_quiz().toggle();
    control.bookmarks().toggle();
    control.bookmarks().go_to_next(1);
    control.bookmarks().copy_as_tour();
    control.tour().go_to_adjacent_stop(1);
    control.laboratory().open_run(0);
    control.laboratory().leave_run();
    control.laboratory().save_figure();
    control.set_value("/seed", "1");
    control.reset_values();
    EXPECT_FALSE(control.work(Deadline::max()));
    EXPECT_FALSE(control.view().playing);
    EXPECT_EQ(control.model().a, nullptr);
}

}  // namespace ui_control_test
}  // namespace ui
