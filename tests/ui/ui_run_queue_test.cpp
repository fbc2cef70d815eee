// Tests of the RUN QUEUE pane: the order of its cards, and the animation that moves cards to a new order.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/scenario/scenario_json.h"
#include "ui/panels/panel.h"
#include "ui/panels/queue_view.h"
#include "ui/view/card_motion.h"
#include "ui/view/format.h"

namespace ui {
namespace ui_run_queue_test {

using sim::Phase;
using sim::TaskId;

Run run_of(const std::string& scenario, const std::string& policy, std::uint64_t decisions) {
    Run run(std::make_unique<sim::Session>(
        std::make_shared<const sim::Scenario>(sim::load_scenario(scenario)), sim::make_policy(policy)));
    run.session().history().extend(2 * decisions);
    return run;
}

std::vector<TaskId> list_of(const sim::Machine& m) {
    std::vector<TaskId> tasks;
    for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p]) tasks.push_back(p);
    return tasks;
}

TEST(UiRunQueue, MatchesMachineListOrder) {
    for (const char* policy : {"linux-2.0", "sorted-queue", "round-robin"}) {
        for (const char* scenario : {"yield-processes", "web-server", "interactive-vs-hog"}) {
            ui::Run run = run_of(scenario, policy, 60);
            const ViewState view;
            for (std::uint64_t n = 1; n <= 50; ++n) {
                ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, n));
                const sim::Machine& m = run.session().machine();
                const QueueView queue = queue_view(run, view);
                EXPECT_EQ(queue.tasks, list_of(m));
                EXPECT_EQ(queue.running.front(), m.cpu(0).current);
                EXPECT_EQ(queue.asleep + queue.to_arrive, m.globals().nr_tasks - m.globals().nr_running);
                EXPECT_FALSE(queue.inside);
                for (const TaskId p : queue.tasks)
                    EXPECT_EQ(queue_task(run, view, queue, p).counter, m.counter[p]);
            }
        }
    }
}

TEST(UiRunQueue, MatchesSearchOrderWithinDecision) {
    for (const char* scenario : {"yield-processes", "web-server", "interactive-vs-hog"}) {
        ui::Run run = run_of(scenario, "linux-2.0", 60);
        ViewState view;
        view.level = DepthLevel::inside;
        for (std::uint64_t n = 1; n <= 50; ++n) {
            ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, n));
            const DecisionDetail& inside = *run.last_decision();
            std::vector<TaskId> walked;
            for (const sim::Candidate& c : inside.view.log.candidates) walked.push_back(c.task);
            for (view.inside_step = 0; view.inside_step < inside.steps.size(); ++view.inside_step) {
                const sim::DecisionStep& step = inside.steps[view.inside_step];
                const QueueView queue = queue_view(run, view);
                if (step.phase == Phase::enter) {
                    EXPECT_EQ(queue.tasks, list_of(inside.view.before));
                }
                if (step.phase >= Phase::consider) {
                    EXPECT_EQ(queue.tasks, walked) << scenario << " " << n;
                }
                EXPECT_EQ(queue.running.front(), step.phase < Phase::switch_context
                                                     ? inside.view.record.other
                                                     : inside.view.record.task);
                if (step.phase == Phase::consider) {
                    EXPECT_EQ(queue.current, step.task);
                    const sim::Candidate& c = inside.view.log.candidates[step.candidates - 1];
                    EXPECT_EQ(queue_task(run, view, queue, c.task).counter, c.counter);
                }
            }
        }
    }
}

TEST(UiRunQueue, RecalculationUpdatesCardsInTurn) {
    ui::Run run = run_of("yield-processes", "linux-2.0", 60);
    ASSERT_TRUE(run.session().seek(sim::StepEventKind::recalculation, 2));
    ViewState view;
    view.level = DepthLevel::inside;
    const auto& steps = run.last_decision()->steps;
    const TaskId first = run.session().machine().first_task();
    for (view.inside_step = 0; view.inside_step < steps.size(); ++view.inside_step) {
        const QueueView queue = queue_view(run, view);
        if (steps[view.inside_step].phase != Phase::recalculate || steps[view.inside_step].task != first)
            continue;
        EXPECT_EQ(queue_task(run, view, queue, first).counter, 20);
        EXPECT_EQ(queue_task(run, view, queue, first + 1).counter, 0);
        return;
    }
    FAIL() << "no refill";
}

TEST(UiRunQueue, TheTextHasEveryCard) {
    ui::Run run = run_of("yield-processes", "linux-2.0", 60);
    ASSERT_TRUE(run.session().seek(sim::StepEventKind::context_switch, 37));
    Model model;
    model.a = &run;
    EXPECT_EQ(run_queue_text(model, {}),
              "cpu0 runs spinner.1\n"
              "2 on the queue, from head to tail:\n"
              "1  spinner.1  20 of 20  cpu0\n"
              "2  spinner.2  20 of 20\n"
              "70 asleep, the next task wakes at 1:00:00\n");
}

TEST(UiRunQueue, CounterAboveRecalculatedValueIsLabelled) {
    ui::Run run = run_of("interactive-vs-hog", "linux-2.0", 60);
    run.session().seek(sim::Nanos{328'000'000});
    Model model;
    model.a = &run;
    const std::string text = run_queue_text(model, {});
    EXPECT_NE(text.find("hog     9 of 20\n"), std::string::npos) << text;
    EXPECT_NE(text.find("editor  30 (priority 20)"), std::string::npos) << text;
}

TEST(UiRunQueue, PredictionHidesWinner) {
    ui::Run run = run_of("yield-processes", "linux-2.0", 60);
    ASSERT_TRUE(run.session().seek(sim::StepEventKind::context_switch, 37));
    ViewState view;
    view.predicting = true;
    const QueueView queue = queue_view(run, view);
    EXPECT_EQ(queue.running.front(), run.last_decision()->view.record.other);
    EXPECT_EQ(queue.best, sim::kNoTask);
    for (const TaskId p : queue.tasks)
        EXPECT_EQ(queue_task(run, view, queue, p).counter, 0) << "before the refill";
}

// --- card motion ---

constexpr float kFrame = 1.0f / 60;

std::vector<CardGoal> row(const std::vector<TaskId>& tasks) {
    std::vector<CardGoal> goals;
    for (std::size_t i = 0; i < tasks.size(); ++i)
        goals.push_back({tasks[i], {100.0f * static_cast<float>(i), 0}});
    return goals;
}

const CardMotion::Card* card_of(const CardMotion& motion, TaskId p) {
    for (const auto& card : motion.cards())
        if (card.task == p) return &card;
    return nullptr;
}

// Cards at rest in this order.
CardMotion standing(const std::vector<TaskId>& tasks) {
    CardMotion motion;
    for (int i = 0; i < 30; ++i) motion.advance(row(tasks), 1, kFrame, false);
    return motion;
}

TEST(UiCardMotion, CardsArriveWithin180Milliseconds) {
    CardMotion motion = standing({1, 2, 3});
    float x = 0;
    int frames = 0;
    while (motion.advance(row({2, 3, 1}), 1, kFrame, false)) {
        EXPECT_GE(card_of(motion, 1)->at.x, x);  // the card never moves back
        x = card_of(motion, 1)->at.x;
        ASSERT_LE(++frames, 12);
    }
    EXPECT_GE(frames, 9);
    EXPECT_EQ(card_of(motion, 1)->at, (CardPlace{200, 0}));
    EXPECT_EQ(card_of(motion, 2)->at, (CardPlace{0, 0}));
    EXPECT_FALSE(motion.advance(row({2, 3, 1}), 1, kFrame, false)) << "and stay";
}

TEST(UiCardMotion, CardsFadeInAndOut) {
    CardMotion motion = standing({1, 2});
    motion.advance(row({2, 3}), 1, kFrame, false);
    motion.advance(row({2, 3}), 1, kFrame, false);
    const auto* came = card_of(motion, 3);
    const auto* gone = card_of(motion, 1);
    ASSERT_TRUE(came != nullptr && gone != nullptr);
    EXPECT_TRUE(gone->leaving && !came->leaving);
    EXPECT_TRUE(came->shown > 0 && came->shown < 1);
    EXPECT_TRUE(gone->shown > 0 && gone->shown < 1);
    EXPECT_GT(gone->at.y, 0);
    while (motion.advance(row({2, 3}), 1, kFrame, false)) {
    }
    EXPECT_EQ(motion.cards().size(), 2u);
    EXPECT_EQ(card_of(motion, 3)->shown, 1);
}

TEST(UiCardMotion, ReturningCardIsNotDuplicated) {
    CardMotion motion = standing({1, 2});
    for (int i = 0; i < 3; ++i) motion.advance(row({2}), 1, kFrame, false);
    motion.advance(row({2, 1}), 1, kFrame, false);
    EXPECT_EQ(motion.cards().size(), 2u);
    while (motion.advance(row({2, 1}), 1, kFrame, false)) {
    }
    EXPECT_EQ(motion.cards().size(), 2u);
}

TEST(UiCardMotion, CardsOfMissingTasksVanishImmediately) {
    CardMotion motion;
    const std::vector<CardGoal> many{{1, {0, 0}}, {2, {10, 0}}, {70, {20, 0}}}, few{{1, {0, 0}}};
    motion.advance(many, 1, 1.0f, false);
    motion.remove_cards_from(3);
    motion.advance(few, 1, 0.01f, false);
    ASSERT_EQ(motion.cards().size(), 2u);  // the card of task 2 fades out
    EXPECT_EQ(motion.cards()[0].task, 1u);
    EXPECT_EQ(motion.cards()[1].task, 2u);
}

TEST(UiCardMotion, IsDeterministic) {
    std::vector<float> first, second;
    for (std::vector<float>* places : {&first, &second}) {
        CardMotion motion = standing({1, 2, 3, 4});
        for (int i = 0; i < 15; ++i) {
            motion.advance(row({3, 1, 5, 2}), 1, kFrame, false);
            for (const auto& card : motion.cards())
                places->insert(places->end(), {card.at.x, card.at.y, card.shown});
        }
    }
    EXPECT_EQ(first, second);
}

TEST(UiCardMotion, UnanimatedMovesReachGoalAtOnce) {
    const auto at_once = [](CardMotion motion, std::uint64_t layout, float dt, bool still) {
        motion.advance(row({3, 1, 4}), layout, dt, still);
        ASSERT_EQ(motion.cards().size(), 3u);
        for (const auto& card : motion.cards()) {
            EXPECT_EQ(card.at, card.goal);
            EXPECT_EQ(card.shown, 1);
        }
    };
    at_once(standing({1, 2, 3}), 1, kFrame, true);   // reduced motion
    at_once(standing({1, 2, 3}), 1, 0, false);       // a screenshot
    at_once(standing({1, 2, 3}), 2, kFrame, false);  // the size of the pane has changed
    at_once({}, 1, kFrame, false);                   // the first frame of the pane
    CardMotion motion = standing({1, 2, 3});
    EXPECT_FALSE(motion.advance(row({3, 2, 1}), 1, kFrame, true)) << "and no more frames are asked for";
}

TEST(UiCardMotion, FrequentChangesSkipAnimation) {
    CardMotion motion = standing({1, 2, 3});
    motion.advance(row({2, 3, 1}), 1, kFrame, false);
    EXPECT_NE(card_of(motion, 1)->at, card_of(motion, 1)->goal);
    std::vector<TaskId> order{2, 3, 1};
    for (int repeat = 0; repeat < 20; ++repeat) {  // each order is shown for two frames
        std::rotate(order.begin(), order.begin() + 1, order.end());
        for (int i = 0; i < 2; ++i) {
            motion.advance(row(order), 1, kFrame, false);
            for (const auto& card : motion.cards()) EXPECT_EQ(card.at, card.goal);
        }
    }
}

}  // namespace ui_run_queue_test
}  // namespace ui

#endif
