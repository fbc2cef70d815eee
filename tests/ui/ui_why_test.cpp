// Explanations in the window: the line WHY, "why not this task?", the instant that all panes show, and
// captions that were written for another position.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "sim/base/seek_target.h"
#include "tests/support/scripted_window.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/view/format.h"

namespace ui_why_test {

using namespace ui;
using namespace std::chrono_literals;
using sim::Nanos;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class Window final : public ScriptedWindow {
  public:
    explicit Window(const std::string& scenario = {}, const std::string& policy = {})
        : ScriptedWindow({1366, 768}) {
        app.control().set_wait_without_limit(true);
        if (scenario.empty()) {
            app.open_example_jobs();
        } else {
            EXPECT_TRUE(app.control().open(scenario, policy)) << app.model().error;
            app.view().start = false;
            app.view().layout = WindowLayout::kernel;
        }
        play("settle\n");
    }
    const std::string& why() { return app.model().a->position_explanation(); }
    std::string answer() const { return app.view().answer ? app.view().answer->text : ""; }
};

TEST(WhyLine, ExplainsWakeUpsTicksAndDecisions) {
    Window w;
    EXPECT_EQ(w.why(), "The run starts. A runs: it is first in the queue.");
    w.play("key Right\nsettle\n");  // B arrives at 1 ms
    EXPECT_EQ(w.why(),
              "B becomes ready and does not preempt A: no wake-up preempts under this policy. At the start: "
              "A runs: it is first in the queue.");
    w.play("key Right\nsettle\n");
    EXPECT_TRUE(
        w.why().starts_with("At this tick, A keeps the CPU: A has 4 ms of its slice "
                            "left."))
        << w.why();
    EXPECT_TRUE(contains(w.app.text(), "why: At this tick, A keeps the CPU")) << w.app.text();
    w.play("key Shift+Right\nsettle\n");
    EXPECT_TRUE(w.why().starts_with("A's slice is used up: it has had the CPU for 5 ms. B runs: "))
        << w.why();
}

TEST(WhyNot, AnswersForTheBoxUnderTheMouse) {
    Window w;
    w.play("key Right\nkey Right\nkey Right\nsettle\n");  // 2 ms: A runs, B and C wait
    w.play("move 1140 120\nwait 2\nkey F2\nwait 2\n");
    EXPECT_EQ(w.answer(),
              "At 2 ms: B is ready and waits: it is number 1 of the 2 tasks that wait in the queue. At 1 "
              "ms: B becomes ready and does not preempt A: no wake-up preempts under this policy.");
    w.play("key Escape\nwait 2\n");
    EXPECT_EQ(w.answer(), "") << "Esc closes the answer";
    // A box of the Gantt chart is of another instant: C runs from 9 to 14 ms.
    w.play("move 560 580\nwait 2\nkey F2\nwait 2\n");
    EXPECT_TRUE(contains(w.answer(), "C runs on cpu0. C runs: it is first in the queue.")) << w.answer();
    EXPECT_TRUE(w.answer().starts_with("At 11.")) << w.answer();
    w.play("key Right\nwait 2\n");
    EXPECT_EQ(w.answer(), "") << "the position has changed";
}

TEST(WhyNot, UsesTheSelectedTaskAndStatesHowToAsk) {
    Window w("two-hogs");
    w.play("move 2 2\nwait 2\nkey F2\nwait 2\n");
    EXPECT_EQ(w.answer(), "");
    EXPECT_TRUE(contains(w.app.model().message, "move the mouse to the task")) << w.app.model().message;
    w.app.control().selection().select_task(2);
    w.play("key F2\nwait 2\n");
    EXPECT_TRUE(contains(w.answer(), "hog.2 ")) << w.answer();
    w.app.control().selection().select_task(0);
    w.play("key F2\nwait 2\n");
    EXPECT_TRUE(contains(w.answer(), "The idle task runs only if no other task is ready.")) << w.answer();
}

TEST(WhyNot, RevealsNoOutcomeDuringPrediction) {
    Window w("two-hogs");
    w.app.control().selection().select_task(2);
    w.play("key P\nsettle\nmove 2 2\nwait 2\nkey F2\nwait 2\n");
    ASSERT_TRUE(is_outcome_hidden(w.app.view()));
    EXPECT_EQ(w.answer(), "");
}

// --- one instant ---

Nanos time_in(const std::string& text) {
    std::string why;
    const std::optional<sim::SeekTarget> place = sim::parse_seek_target(to_seek_syntax(text), why);
    EXPECT_TRUE(place && !place->kind) << text << ": " << why;
    return place ? place->time : Nanos{-1};
}

// Every pane that states a time of its own states how far it is from the position.
void expect_one_instant(App& app) {
    const std::string text = app.text();
    const Nanos now = app.model().a->now();
    static const std::regex kPosition("position ([^\\n;]*)");
    std::smatch found;
    if (std::regex_search(text, found, kPosition)) {
        EXPECT_EQ(time_in(found[1]), now) << text;
    }
    static const std::regex kHead(
        "\\n(?:switch|decision) [^\\n]* at ([^,\\n]*)(?:, ([^\\n]*) ago)?(, before a later event at the same "
        "time)?\\n");
    int heads = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), kHead), end; at != end; ++at, ++heads) {
        const Nanos ago = (*at)[2].matched ? time_in((*at)[2]) : Nanos{};
        EXPECT_EQ(time_in((*at)[1]) + ago, now) << (*at)[0];
        EXPECT_EQ((*at)[2].matched || (*at)[3].matched, !app.model().a->is_at_decision()) << (*at)[0];
        if (app.view().level == DepthLevel::inside) {
            EXPECT_EQ(ago, Nanos{});
        }
    }
    if (app.model().a->last_decision() != nullptr) {
        EXPECT_GT(heads, 0) << text;
    }
}

TEST(OneInstant, AllPanesShowThePositionAtEachDepth) {
    const std::pair<const char*, const char*> kRuns[] = {{"two-hogs", "linux-2.0"},
                                                         {"token-pipe", "linux-6.6"},
                                                         {"interactive-vs-hog", "rr"},
                                                         {"web-server", "linux-2.6.20"}};
    const int steps = rounds(12, 60, 200);
    for (const auto& [scenario, policy] : kRuns) {
        SCOPED_TRACE(scenario);
        Window w(scenario, policy);
        w.play("key Home\nsettle\n");
        for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
            w.play("key Right\nwait 1\n");
            expect_one_instant(w.app);
            if (i % 4 != 3) continue;
            // After this event, whatever it is, one and two levels in, a step there, and back.
            w.play("key I\nwait 1\n");
            expect_one_instant(w.app);
            w.play("key Right\nwait 1\nkey I\nwait 1\n");
            EXPECT_EQ(w.app.view().level, DepthLevel::inside);
            expect_one_instant(w.app);
            for (int line = 0; line < 3; ++line) {
                w.play("key Right\nwait 1\n");
                expect_one_instant(w.app);
            }
            w.play("key O\nkey O\nwait 1\n");
            EXPECT_EQ(w.app.view().level, DepthLevel::time);
        }
    }
}

TEST(OneInstant, LookingInsideAfterAWakeUpGoesToTheDecision) {
    Window w("two-hogs");
    w.play("key Home\nkey T\nsettle\n");
    const Nanos tick = w.app.model().a->now();
    EXPECT_FALSE(w.app.model().a->is_at_decision());
    EXPECT_TRUE(contains(w.app.text(), " ago\n")) << w.app.text();
    w.play("key I\nkey I\nsettle\n");
    EXPECT_EQ(w.app.view().level, DepthLevel::inside);
    EXPECT_LT(w.app.model().a->now(), tick);
    EXPECT_TRUE(w.app.model().a->is_at_decision());
    // A click into the timeline leaves the steps of the decision.
    w.app.control().navigator().seek(tick);
    w.play("wait 2\n");
    EXPECT_EQ(w.app.view().level, DepthLevel::context_switch);
}

// --- captions ---

TEST(Captions, StateWhatTheyWereWrittenForAfterAChange) {
    Window w("yield-processes");
    ASSERT_TRUE(contains(w.app.text(), "1/5  All slices are used up")) << "the tour starts with the scenario";
    const auto has_prefix = [&] { return contains(w.app.text(), "\nThis caption is for "); };
    EXPECT_FALSE(has_prefix()) << w.app.text();
    w.play("key I\nkey O\nwait 2\n");
    EXPECT_FALSE(has_prefix()) << "another depth at the same position";
    w.play("key Shift+Right\nsettle\n");
    EXPECT_TRUE(contains(w.app.text(), "\nThis caption is for 13.42 µs under linux-2.0: Both processes"))
        << w.app.text();
    w.play("key Shift+Left\nsettle\n");
    EXPECT_FALSE(has_prefix()) << "the position of the stop again";
    w.app.control().set_policy("sorted-queue");
    w.play("settle\n");
    EXPECT_TRUE(has_prefix());
    w.play("key PageDown\nsettle\n");
    EXPECT_FALSE(has_prefix()) << "the next stop";
}

// --- the Gantt chart as an exercise ---

// Presses the number keys for a whole chart: 1 is A, 2 is B, 0 is idle.
void fill(Window& w, const std::string& digits) {
    for (const char digit : digits) w.play(fmt::format("key {}\nwait 1\n", digit));
}

TEST(FillIn, FindsTheFirstWrongCellAndItsMistake) {
    Window w;
    w.play("key Shift+P\nsettle\n");
    ASSERT_TRUE(w.app.view().fill_in);
    EXPECT_EQ(w.app.view().fill_in->cells.size(), 26u);
    EXPECT_EQ(w.app.view().fill_in->cell, 1ms);
    EXPECT_FALSE(contains(w.app.text(), "cpu0: A 0 ms to 5 ms")) << "the chart is hidden: " << w.app.text();
    EXPECT_FALSE(contains(w.app.text(), "17.5")) << "the results are hidden: " << w.app.text();
    // As under FCFS: A keeps the CPU to the end of its burst.
    fill(w, "11111111222233333333344444");
    w.app.control().prediction_quiz().check_fill_in_exercise();
    const FillInExercise& exercise = *w.app.view().fill_in;
    ASSERT_EQ(exercise.wrong, 5u);
    EXPECT_TRUE(exercise.feedback.starts_with(
        "5 ms to 6 ms: you drew A, but B runs. You chose a task that is not first in the order of this "
        "policy."))
        << exercise.feedback;
    EXPECT_TRUE(contains(exercise.feedback, "At 5 ms, A was not chosen: it was behind B in the queue."))
        << exercise.feedback;
    EXPECT_TRUE(contains(w.app.text(), "Your chart: A A A A A A A A B")) << w.app.text();
}

TEST(FillIn, RecognizesEarlySwitchesAndTasksThatHaveNotArrived) {
    const auto feedback = [](const std::string& digits) {
        Window w;
        w.play("key Shift+P\nsettle\n");
        fill(w, digits);
        w.app.control().prediction_quiz().check_fill_in_exercise();
        return w.app.view().fill_in->feedback;
    };
    EXPECT_TRUE(
        contains(feedback("12"), "1 ms to 2 ms: you drew B, but A runs. You let the woken task preempt"))
        << feedback("12");
    EXPECT_TRUE(
        contains(feedback("1112"), "you drew B, but A runs. You blamed the slice, but it is not used up."))
        << feedback("1112");
    EXPECT_TRUE(contains(feedback("2"), "you drew B, but A runs. You chose a task that is not runnable"))
        << feedback("2");
    EXPECT_TRUE(contains(feedback("11111"), "5 ms to 6 ms: this cell is empty, but B runs."))
        << feedback("11111");
    EXPECT_TRUE(contains(feedback("111110"), "You chose the idle task, but another task is runnable."))
        << feedback("111110");
    EXPECT_EQ(feedback("11111222233333444441113333"), "All 26 cells are right.");
}

TEST(FillIn, IsDrawnByMouseSolvedAndEnded) {
    Window w;
    w.play("key Shift+P\nsettle\n");
    // The cells fill the width of the pane; A is the brush.
    w.play("drag 20 590 220 590\nsettle\n");
    const FillInExercise& exercise = *w.app.view().fill_in;
    EXPECT_TRUE(exercise.cells[0] && exercise.cells[1] && exercise.cells[2]);
    EXPECT_FALSE(exercise.cells[8]);
    w.app.control().prediction_quiz().show_solution();
    w.play("wait 2\n");
    EXPECT_TRUE(contains(w.app.text(), "Solution: A A A A A B B B B C C C C C D D D D D A A A C C C C"))
        << w.app.text();
    w.play("key Shift+P\nsettle\n");
    EXPECT_FALSE(w.app.view().fill_in);
    EXPECT_TRUE(contains(w.app.text(), "cpu0: A 0 ms to 5 ms"));
}

TEST(FillIn, EndsWhenTheRunChanges) {
    Window w;
    w.play("key Shift+P\nsettle\n");
    w.app.control().set_policy("fcfs");
    w.play("settle\n");
    EXPECT_FALSE(w.app.view().fill_in);
}

}  // namespace ui_why_test
