// The animation of a decision: a function of the decision and of the progress alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/scripted_window.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/view/decision_scene.h"
#include "ui/view/yield_comparison.h"

namespace ui_animation_test {

using namespace ui;
using sim::TaskId;
using ActKind = SceneAct::Kind;

class Window final : public ScriptedWindow {
  public:
    explicit Window(const std::string& scenario, const std::string& policy = {})
        : ScriptedWindow({1366, 768}) {
        app.control().set_wait_without_limit(true);
        EXPECT_TRUE(app.control().open(scenario, policy)) << app.model().error;
        app.view().start = false;
        play("settle\n");
    }
    Cursor at_decision(std::uint64_t n) {
        app.control().navigator().go_to(sim::SeekTarget{.kind = sim::StepEventKind::decision, .n = n});
        return *cursor_in(app.model().a, app.view());
    }
    std::vector<std::uint8_t> picture() const { return backend.screenshot().rgba; }
};

// The waiting tasks by place in the scene, and the task on the CPU.
std::vector<TaskId> order_of(const DecisionScene& scene, TaskId& on_cpu) {
    std::vector<const SceneCard*> cards;
    on_cpu = sim::kNoTask;
    for (const SceneCard& card : scene.cards) {
        if (card.opacity <= 0) continue;
        if (card.place < 0)
            on_cpu = card.task;
        else
            cards.push_back(&card);
    }
    std::sort(cards.begin(), cards.end(),
              [](const SceneCard* a, const SceneCard* b) { return a->place < b->place; });
    std::vector<TaskId> order;
    for (const SceneCard* card : cards) order.push_back(card->task);
    return order;
}

std::vector<TaskId> waiting(const sim::Machine& m) {
    std::vector<TaskId> tasks;
    for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p])
        if (m.task[p].processor == sim::Task::kNoProcessor) tasks.push_back(p);
    return tasks;
}

TEST(Animation, BeginsBeforeAndEndsAfterTheDecision) {
    const std::pair<const char*, const char*> kRuns[] = {
        {"yield-processes", "linux-2.0"}, {"interactive-vs-hog", "rr"},   {"token-pipe", "linux-6.6"},
        {"two-hogs", "feedback"},         {"web-server", "sorted-queue"}, {"two-hogs", "nt4"}};
    for (const auto& [scenario, policy] : kRuns) {
        SCOPED_TRACE(fmt::format("{} {}", scenario, policy));
        Window w(scenario, policy);
        for (std::uint64_t n = 2; n < static_cast<std::uint64_t>(rounds(10, 40, 200)); ++n) {
            SCOPED_TRACE(n);
            const Cursor c = w.at_decision(n);
            const std::vector<SceneAct> acts = scene_acts(c);
            ASSERT_GE(acts.size(), 2u);
            EXPECT_EQ(acts.front().kind, ActKind::stop);
            EXPECT_EQ(acts.back().kind, ActKind::run);
            for (const SceneAct& act : acts) {
                EXPECT_GT(act.seconds, 0);
                EXPECT_TRUE(act.caption.ends_with(".")) << act.caption;
            }
            const sim::DecisionView& view = c.decision();
            TaskId on_cpu = 0;
            const DecisionScene first = scene_at(c, acts, 0);
            std::vector<TaskId> order = order_of(first, on_cpu);
            EXPECT_EQ(on_cpu, view.before.is_idle_task(view.record.other) ? sim::kNoTask : view.record.other);
            const std::vector<TaskId> before = waiting(view.before);
            ASSERT_LE(before.size(), order.size() + 1);
            const DecisionScene last = scene_at(c, acts, static_cast<double>(acts.size()));
            order = order_of(last, on_cpu);
            EXPECT_EQ(on_cpu, view.after.is_idle_task(view.record.task) ? sim::kNoTask : view.record.task);
            EXPECT_EQ(order, waiting(view.after));
            EXPECT_EQ(last.cost, c.in.steps.back().until) << "the clock ends with the cost of the decision";
            EXPECT_EQ(first.cost, sim::Nanos{});
        }
    }
}

TEST(Animation, RecalculationGoesThroughEveryTask) {
    Window w("yield-processes");
    std::uint64_t n = 1;
    while (w.at_decision(n).decision().log.decision.recalculations == 0 && n < 50) ++n;
    const Cursor c = w.at_decision(n);
    const std::vector<SceneAct> acts = scene_acts(c);
    const auto act =
        static_cast<double>(std::find_if(acts.begin(), acts.end(),
                                         [](const SceneAct& a) { return a.kind == ActKind::recalculate; }) -
                            acts.begin());
    ASSERT_LT(act, static_cast<double>(acts.size()));
    const sim::DecisionView& view = c.decision();
    const DecisionScene begin = scene_at(c, acts, act), middle = scene_at(c, acts, act + 0.5),
                        end = scene_at(c, acts, act + 0.9999999);
    ASSERT_EQ(begin.columns.size(), 72u) << "two spinners and 70 sleepers";
    EXPECT_EQ(
        std::count_if(begin.columns.begin(), begin.columns.end(), [](const auto& s) { return s.asleep; }),
        70);
    EXPECT_NEAR(middle.read_head, 36, 1e-9) << "each column takes the same time";
    for (std::size_t i = 0; i < end.columns.size(); ++i) {
        const TaskId p = end.columns[i].task;
        EXPECT_NEAR(end.columns[i].counter, view.after.counter[p], 0.1);
        if (i > 0) {
            EXPECT_GT(p, end.columns[i - 1].task) << "in the order of the task table";
        }
        EXPECT_EQ(middle.columns[i].done, i < 36);
    }
    // The cards follow the counters, and the columns stay to the end.
    const DecisionScene last = scene_at(c, acts, static_cast<double>(acts.size()));
    EXPECT_EQ(last.columns.size(), 72u);
    EXPECT_EQ(last.read_head, 72);
    const auto card_of = [](const DecisionScene& scene, TaskId p) {
        return *std::find_if(scene.cards.begin(), scene.cards.end(),
                             [&](const SceneCard& card) { return card.task == p; });
    };
    for (const TaskId p : {view.record.task, view.record.other}) {
        EXPECT_NEAR(card_of(begin, p).slice, 0, 1e-6);
        EXPECT_NEAR(card_of(last, p).slice, view.after.counter[p] / 40.0, 1e-6);
        EXPECT_EQ(card_of(last, p).value, fmt::format("counter {}", view.after.counter[p]));
    }
    EXPECT_EQ(begin.limit, 40) << "counters of priority 20 stay below twice the priority";
}

// The best changes only if a goodness is strictly higher, and a tie names the rule.
TEST(Animation, SearchKeepsTheFirstOfEquals) {
    Window w("lesson-2-goodness");
    int ties = 0;
    for (std::uint64_t n = 1; n < 60; ++n) {
        const Cursor c = w.at_decision(n);
        const std::vector<SceneAct> acts = scene_acts(c);
        const sim::DecisionLog& log = c.decision().log;
        for (std::size_t i = 0; i < acts.size(); ++i) {
            if (acts[i].kind != ActKind::look) continue;
            const DecisionScene end = scene_at(c, acts, static_cast<double>(i) + 0.999);
            std::int32_t highest = -1000;
            TaskId best = sim::kNoTask;
            for (std::size_t k = 0; k <= acts[i].index; ++k)
                if (log.candidates[k].goodness > highest) {
                    highest = log.candidates[k].goodness;
                    best = log.candidates[k].task;
                }
            for (const SceneCard& card : end.cards)
                if (card.best && !log.prev_first) {
                    EXPECT_EQ(card.task, best) << n << " " << i;
                }
            ties += acts[i].caption.find(
                        "With equal goodness, the task found first remains the "
                        "best.") != std::string::npos;
        }
    }
    EXPECT_GT(ties, 0);
}

// Played halfway and dragged back gives the same picture, byte for byte.
TEST(Animation, DraggedBackItIsTheSamePicture) {
    for (const auto& [scenario, policy] : {std::pair{"yield-processes", "linux-2.0"},
                                           {"interactive-vs-hog", "linux-6.6"},
                                           {"lesson-9-two-arrays", "linux-2.6.20"},
                                           {"lesson-10-fair-shares", "linux-2.6.24"},
                                           {"lesson-11-gaming", "mlfq"},
                                           {"two-hogs", "rr"}}) {
        SCOPED_TRACE(scenario);
        Window w(scenario, policy);
        (void)w.at_decision(3);
        w.play("key Shift+M\nwait 2\n");
        ASSERT_EQ(w.app.view().alone, "animation");
        ViewState::Animation& a = w.app.view().animation;
        const auto show = [&](double at) {
            a.at = at;
            a.plays = false;
            w.play("wait 2\n");
            return w.picture();
        };
        for (const double at : {0.0, 0.4, 1.5, 2.25}) {
            const std::vector<std::uint8_t> first = show(at);
            a.plays = true;
            w.play("wait 25\n");
            EXPECT_GT(a.at, at);
            EXPECT_NE(w.picture(), first) << at;
            EXPECT_EQ(show(at), first) << at;
        }
        w.play("key Shift+M\nwait 2\n");
        EXPECT_EQ(w.app.view().alone, "");
    }
}

// The tasks of a CPU's queue in this state, from the rows of the scene.
std::vector<TaskId> in_rows(const QueuePartsScene& scene,
                            std::optional<QueuePartsScene::Place> QueuePartsScene::TaskChip::*state) {
    std::vector<const QueuePartsScene::TaskChip*> chips;
    for (const QueuePartsScene::TaskChip& chip : scene.chips)
        if (chip.*state) chips.push_back(&chip);
    std::sort(chips.begin(), chips.end(), [state](const auto* a, const auto* b) {
        const QueuePartsScene::Place &x = *(a->*state), &y = *(b->*state);
        return std::pair(x.row, x.index) < std::pair(y.row, y.index);
    });
    std::vector<TaskId> tasks;
    for (const QueuePartsScene::TaskChip* chip : chips) tasks.push_back(chip->task);
    return tasks;
}

TEST(Animation, ExchangeOfTheArraysMovesNoTask) {
    Window w("lesson-9-two-arrays", "linux-2.6.20");
    int exchanges = 0, yields = 0;
    for (std::uint64_t n = 2; n < static_cast<std::uint64_t>(rounds(30, 100, 400)); ++n) {
        SCOPED_TRACE(n);
        const Cursor c = w.at_decision(n);
        const std::vector<SceneAct> acts = scene_acts(c);
        const DecisionScene first = scene_at(c, acts, 0),
                            last = scene_at(c, acts, static_cast<double>(acts.size()));
        ASSERT_TRUE(first.parts);
        // The order of the run queue: the active array, then the expired one.
        const auto order_with_active_first = [&](const QueuePartsScene& scene, std::size_t active,
                                                 auto state) {
            std::vector<TaskId> tasks = in_rows(scene, state);
            std::stable_sort(tasks.begin(), tasks.end(), [&](TaskId a, TaskId b) {
                const auto array = [&](TaskId p) {
                    return scene.rows[(*(scene.find(p)->*state)).row].array == active ? 0 : 1;
                };
                return array(a) < array(b);
            });
            return tasks;
        };
        const auto all = [](const sim::Machine& m) {
            std::vector<TaskId> tasks;
            for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p]) tasks.push_back(p);
            return tasks;
        };
        const QueuePartsScene& parts = *first.parts;
        EXPECT_EQ(order_with_active_first(parts, parts.active_before, &QueuePartsScene::TaskChip::before),
                  all(c.decision().before));
        EXPECT_EQ(order_with_active_first(parts, parts.active_after, &QueuePartsScene::TaskChip::after),
                  all(c.decision().after));
        EXPECT_EQ(first.exchanged, 0);
        const bool has_act = std::any_of(acts.begin(), acts.end(),
                                         [](const SceneAct& a) { return a.kind == ActKind::exchange; });
        EXPECT_EQ(has_act, parts.exchanges_arrays());
        if (!has_act) continue;
        ++exchanges;
        EXPECT_EQ(last.exchanged, 1);
        EXPECT_NE(c.in.decision_reasons.text().find("the two arrays are exchanged; no task moves"),
                  std::string::npos);
        for (const QueuePartsScene::TaskChip& chip : parts.chips)
            if (chip.search && chip.after && chip.task != c.decision().record.task) {
                EXPECT_EQ(chip.search->row, chip.after->row) << c.name(chip.task);
            }
        // Before the exchange, prev is where a yield has put it: in the expired array.
        for (const SceneAct& act : acts)
            yields +=
                act.kind == ActKind::leave && act.caption.find("in the expired array") != std::string::npos;
    }
    EXPECT_GT(exchanges, 0);
    EXPECT_GT(yields, 0);
}

TEST(Animation, QueuesOfAScriptAreRows) {
    Window w("lesson-11-gaming", "mlfq");
    int moved = 0;
    for (std::uint64_t n = 2; n < static_cast<std::uint64_t>(rounds(20, 60, 150)); ++n) {
        SCOPED_TRACE(n);
        const Cursor c = w.at_decision(n);
        const DecisionScene scene = scene_at(c, scene_acts(c), 0);
        ASSERT_TRUE(scene.parts);
        const QueuePartsScene& parts = *scene.parts;
        EXPECT_EQ(parts.rows.front().name, "cpu0");
        const sim::DecisionView& view = c.decision();
        std::vector<TaskId> tasks = waiting(view.after);
        if (!view.after.is_idle_task(view.record.task)) tasks.insert(tasks.begin(), view.record.task);
        EXPECT_EQ(in_rows(parts, &QueuePartsScene::TaskChip::after), tasks);
        const QueuePartsScene::TaskChip* const chosen = parts.find(view.record.task);
        if (chosen == nullptr || view.record.task == view.record.other) continue;
        ASSERT_TRUE(chosen->search && chosen->after);
        EXPECT_EQ(chosen->after->row, 0u) << "the CPU";
        if (chosen->before) {
            EXPECT_EQ(chosen->search->row, chosen->before->row);
            ++moved;
        }
    }
    EXPECT_GT(moved, 0);
}

// The tree of the scene is that of the policy: ordered, a heap of depths, red nodes with black parents.
TEST(Animation, TreeOfCfsIsThatOfThePolicy) {
    for (const char* const policy : {"linux-2.6.24", "linux-2.6.32"}) {
        SCOPED_TRACE(policy);
        Window w("A 0 90; B 0 90; C 1 90; D 2 90; E 3 90; F 4 90; G 5 90; H 6 90; I 7 90; J 8 90", policy);
        std::size_t largest = 0;
        for (std::uint64_t n = 5; n < static_cast<std::uint64_t>(rounds(30, 60, 120)); ++n) {
            SCOPED_TRACE(n);
            const Cursor c = w.at_decision(n);
            const DecisionScene scene = scene_at(c, scene_acts(c), 0);
            ASSERT_TRUE(scene.tree);
            std::vector<const TreeScene::Node*> nodes;
            for (const TreeScene::Node& node : scene.tree->nodes)
                if (node.after) nodes.push_back(&node);
            std::sort(nodes.begin(), nodes.end(),
                      [](const auto* a, const auto* b) { return a->after->rank < b->after->rank; });
            largest = std::max(largest, nodes.size());
            std::vector<TaskId> tasks;
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                const TreeScene::Node& node = *nodes[i];
                tasks.push_back(node.task);
                EXPECT_EQ(node.after->rank, i);
                if (i > 0) {
                    EXPECT_GE(node.vruntime_after, nodes[i - 1]->vruntime_after);
                }
                const auto parent = std::find_if(nodes.begin(), nodes.end(), [&](const auto* other) {
                    return other->task == node.after->parent;
                });
                if (node.after->depth == 0) {
                    EXPECT_EQ(parent, nodes.end());
                    EXPECT_FALSE(node.after->red) << "the root is black";
                    continue;
                }
                ASSERT_NE(parent, nodes.end());
                EXPECT_EQ((*parent)->after->depth + 1, node.after->depth);
                EXPECT_FALSE(node.after->red && (*parent)->after->red);
            }
            EXPECT_EQ(tasks, waiting(c.decision().after));
        }
        EXPECT_GT(largest, 4u);
    }
}

TEST(Animation, ReducedMotionShowsNumberedStills) {
    Window w("yield-processes");
    (void)w.at_decision(3);
    w.app.view().reduce_motion = true;
    w.play("key Shift+M\nsettle\n");
    const std::vector<std::uint8_t> first = w.picture();
    w.play("wait 30\n");
    EXPECT_EQ(w.picture(), first) << "nothing moves";
    const std::string text = w.app.text();
    EXPECT_NE(text.find("\n1. spinner.2 calls sched_yield().\n2. "), std::string::npos) << text;
}

TEST(Animation, PresenterAndStartScreenShowIt) {
    Window w("yield-processes");
    w.play("key Shift+F5\nkey Shift+M\nsettle\n");
    EXPECT_NE(w.app.text().find("== Animation"), std::string::npos) << w.app.text();
    w.play("key Escape\nkey Escape\nsettle\n");
    w.app.open_example_jobs();
    w.play("settle\nkey Shift+M\nsettle\n");
    EXPECT_TRUE(w.app.view().start_screen_animates);
    EXPECT_NE(w.app.text().find("== Animation"), std::string::npos) << w.app.text();
    w.play("key Shift+M\nsettle\n");
    EXPECT_NE(w.app.text().find("== Run queue"), std::string::npos) << w.app.text();
}

TEST(Animation, YieldsOfTwoRunsShareAClock) {
    Window w("yield-processes");
    w.play("key C\nsettle\nkey Shift+M\nsettle\n");
    ASSERT_NE(w.app.model().b, nullptr);
    const YieldComparison yields = yield_comparison(*w.app.model().a, *w.app.model().b);
    for (const YieldComparison::RunYields& lane : yields.lanes) {
        ASSERT_EQ(lane.yields.size(), YieldComparison::kYields);
        EXPECT_TRUE(std::is_sorted(lane.yields.begin(), lane.yields.end()));
    }
    EXPECT_GT(yields.lanes[0].yields.back(), yields.lanes[1].yields.back() * 2) << "the two-line patch";
    EXPECT_NE(w.app.text().find("40 yields take "), std::string::npos) << w.app.text();
    ViewState::Animation& a = w.app.view().animation;
    const auto show = [&](double at) {
        a.at = at;
        a.plays = false;
        w.play("wait 2\n");
        return w.picture();
    };
    const std::vector<std::uint8_t> half = show(0.5), whole = show(1);
    EXPECT_NE(half, whole);
    EXPECT_EQ(show(0.5), half);
}

// --- playback ---

TEST(Playback, ARunTakesAboutTwentySeconds) {
    for (const char* const scenario : {"two-hogs", "yield-processes", "web-server"}) {
        Window w(scenario);
        const PlaybackSpeed& speed = kSpeeds[w.app.view().speed];
        ASSERT_GT(speed.factor, 0);
        const double seconds =
            static_cast<double>(w.app.model().a->history().latest_end().count()) / 1e9 / speed.factor;
        EXPECT_GT(seconds, 10) << scenario;
        EXPECT_LT(seconds, 50) << scenario;
    }
}

TEST(Playback, SlowStartLeadsToOwnSpeed) {
    Window w("two-hogs");
    ViewState& view = w.app.view();
    const std::size_t own = view.own_speed;
    EXPECT_EQ(view.speed, own);
    view.starts_slow = true;
    ASSERT_TRUE(w.app.control().open("web-server", {}));
    EXPECT_EQ(view.speed, kSwitchASecond);
    EXPECT_NE(view.own_speed, kSwitchASecond);
    w.app.control().player().change_speed_by_steps(1);
    EXPECT_EQ(kSpeeds[view.speed].switches, 10);
    w.app.control().player().change_speed_by_steps(1);
    EXPECT_EQ(view.speed, view.own_speed);
    w.app.commands().find("speed.switch")->run(w.app);
    EXPECT_EQ(view.speed, kSwitchASecond);
    w.app.commands().find("speed.run")->run(w.app);
    EXPECT_EQ(view.speed, view.own_speed);
}

TEST(Playback, SpeedsHaveTitles) {
    EXPECT_EQ(kSpeeds[0].title(), "1 decision/s");
    EXPECT_EQ(kSpeeds[kUsualSpeed].title(), "1/10 000 of real time");
    EXPECT_EQ(kSpeeds[21].title(), "real time");
    EXPECT_EQ(kSpeeds[22].title(), "2 × real time");
    EXPECT_EQ(kSpeeds.back().title(), "maximum: the whole run in 4 s");
}

TEST(Playback, OneDecisionASecondHoldsEachDecision) {
    Window w("two-hogs");
    w.play("key Home\nsettle\n");
    w.app.view().speed = 0;
    ASSERT_TRUE(kSpeeds[0].holds_decision);
    w.app.control().player().set_playing(true);
    const auto decisions = [&] { return w.app.model().a->session().machine().globals().decisions; };
    int held = 0;
    std::uint64_t before = decisions();
    for (int frame = 0; frame < 300; ++frame) {
        w.app.run_frame(1.0 / 60);
        ASSERT_LE(decisions(), before + 1) << "no decision is skipped";
        held += w.app.model().a->is_at_decision();
        before = decisions();
    }
    EXPECT_NEAR(static_cast<double>(before), 5, 1) << "in five seconds";
    EXPECT_GT(held, 150) << "most frames show a decision";
}

TEST(Playback, StatesHowManySwitchesItDoesNotShow) {
    Window w("yield-processes");
    w.app.control().player().set_playing(true);
    w.play("wait 60\n");
    EXPECT_GT(w.app.view().skipped_switches, 1'000u);
    EXPECT_NE(w.app.text().find(" switches/s are not shown: too fast"), std::string::npos) << w.app.text();
    w.app.control().player().set_playing(false);
    w.play("wait 2\n");
    EXPECT_EQ(w.app.text().find(" switches/s are not shown: too fast"), std::string::npos);
}

}  // namespace ui_animation_test
