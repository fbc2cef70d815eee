// Tests of the RUN QUEUE pane for policy scripts with several queues: one row each, between decisions and at
// each line within one.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/scenario/scenario_json.h"
#include "ui/panels/panel.h"
#include "ui/panels/queue_view.h"
#include "ui/view/queue_moment.h"

namespace ui {
namespace ui_script_queues_test {

using sim::Phase;
using sim::TaskId;

constexpr const char* kJobs = R"({"format": "switchyard-scenario/1", "until": "600ms",
    "machine": {"hz": 1000}, "tasks": [
    {"name": "typist", "program": [{"loop": "forever", "steps": [{"run": "3ms"}, {"sleep": "8ms"}]}]},
    {"name": "hog", "count": 3, "program": [{"loop": "forever", "steps": [{"run": "1h"}]}]},
    {"name": "late", "start": "55ms", "program": [{"run": "30ms"}]}]})";

Run run_of(const std::string& policy) {
    Run run(std::make_unique<sim::Session>(
        std::make_shared<const sim::Scenario>(sim::parse_scenario("jobs.json", kJobs)),
        sim::make_policy(policy)));
    run.session().history().extend_to_end();
    return run;
}

// Returns true if a line contains all words in this order.
bool has_line(const std::string& text, const std::vector<std::string>& words) {
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find('\n', from), text.size());
        std::size_t at = from;
        bool all = true;
        for (const std::string& word : words) {
            at = text.find(word, at);
            all = all && at < to;
        }
        if (all) return true;
        from = to + 1;
    }
    return false;
}

std::string text_of(Run& run, const ViewState& view) {
    Model model;
    model.a = &run;
    return run_queue_text(model, view);
}

// The name of the queue that contains p, or "none".
std::string queue_of(const QueueView& queue, TaskId p) {
    std::size_t next = 0;
    for (const sim::Policy::QueuePart& part : queue.parts)
        for (const std::size_t end = next + part.tasks; next < end; ++next)
            if (queue.tasks[next] == p) return part.name;
    return "none";
}

TEST(UiScriptQueues, TasksAppearInQueueOfLevel) {
    ui::Run run = run_of("mlfq");
    const ViewState view;
    std::size_t on_levels = 0;
    for (std::uint64_t n = 1; n <= 60; ++n) {
        ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, n));
        const QueueView queue = queue_view(run, view);
        ASSERT_EQ(queue.parts.size(), 4u);
        std::size_t in_all = 0;
        for (const sim::Policy::QueuePart& part : queue.parts) in_all += part.tasks;
        EXPECT_EQ(in_all, queue.tasks.size());
        for (const TaskId p : queue.tasks) {
            const std::string level = run.policy().policy->scheduling_key(run.session().machine(), p).value;
            EXPECT_EQ(queue_of(queue, p), "level[" + level + "]");
            ++on_levels;
        }
    }
    EXPECT_GT(on_levels, 60u);
}

TEST(UiScriptQueues, QueuesFollowScriptLinesWithinDecision) {
    ui::Run run = run_of("mlfq");
    ViewState view;
    view.level = DepthLevel::inside;
    std::size_t moved = 0, taken = 0;
    for (std::uint64_t n = 2; n <= 60; ++n) {
        ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, n));
        const DecisionDetail& inside = *run.last_decision();
        const TaskId next = inside.view.record.task;
        std::vector<std::string> forth, back;
        for (std::size_t i = 0; i < inside.steps.size(); ++i) {
            view.inside_step = i;
            const QueueView queue = queue_view(run, view);
            ASSERT_EQ(queue.parts.size(), 4u) << "at each step";
            forth.push_back(text_of(run, view));
            const sim::DecisionStep& step = inside.steps[i];
            EXPECT_TRUE(queue.inside || i + 1 == inside.steps.size());
            if (step.phase >= Phase::switch_context || run.session().machine().is_idle_task(next)) continue;
            if (!step.is_script()) continue;
            // A woken task is in the script's queue `came` until a loop of the script removes it.
            const sim::ScriptLine& line = inside.view.script[step.script];
            const std::string& text = run.policy().source_lines[static_cast<std::size_t>(line.line) - 1];
            const bool last_line = text.find("return level[i]:first()") != std::string::npos;
            if (last_line) {
                EXPECT_EQ(queue_of(queue, next).substr(0, 5), "level");
                ++taken;
            }
            if (text.find("local p = came:first()") != std::string::npos) {
                EXPECT_NE(forth.back().find("came"), std::string::npos);
                EXPECT_FALSE(has_line(forth.back(), {"came", "  -"})) << forth.back();
                ++moved;
            }
        }
        for (std::size_t i = inside.steps.size(); i-- > 0;) {
            view.inside_step = i;
            back.insert(back.begin(), text_of(run, view));
        }
        EXPECT_EQ(forth, back);
    }
    EXPECT_GT(moved, 10u);
    EXPECT_GT(taken, 40u);
}

TEST(UiScriptQueues, TextNamesQueuesAndTaskFields) {
    ui::Run run = run_of("mlfq");
    run.session().seek(sim::Nanos{100'000'000});
    const std::string text = text_of(run, {});
    EXPECT_TRUE(has_line(text, {"level[3]", "hog", "at 3, slept 0, slices "})) << text;
    EXPECT_TRUE(has_line(text, {"came", "-"})) << text;
    EXPECT_NE(text.find(" on the queues, from head to tail:\n"), std::string::npos) << text;
}

TEST(UiScriptQueues, PredictionHidesOutcome) {
    ui::Run run = run_of("mlfq");
    ViewState view;
    view.predicting = true;
    std::size_t waiting = 0;
    for (std::uint64_t n = 2; n <= 40; ++n) {
        ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, n));
        const DecisionDetail& inside = *run.last_decision();
        if (inside.view.before.is_idle_task(inside.view.record.task)) continue;
        const QueueView queue = queue_view(run, view);
        EXPECT_EQ(queue.best, sim::kNoTask);
        EXPECT_EQ(queue.running.front(), inside.view.record.other);
        ASSERT_EQ(queue.parts.size(), 4u);
        if (inside.view.record.task != inside.view.record.other) {
            EXPECT_TRUE(queue.is_queued(inside.view.record.task)) << "who will run is still there";
            ++waiting;
        }
    }
    EXPECT_GT(waiting, 20u);
}

// A script without pick_next() executes no line in a schedule() whose prev sleeps.
TEST(UiScriptQueues, QueuesAppearWithoutScriptLines) {
    const std::string file = testing::TempDir() + "/two_queues.lua";
    std::ofstream(file)
        << "a, b = queue(), queue()\n"
           "function tick(p) return true end\n"
           "function enqueue(p) if p.pid == 1 then a:add_last(p) else b:add_last(p) end end\n";
    ui::Run run = run_of(file);
    ViewState inside, predicting;
    inside.level = DepthLevel::inside;
    predicting.predicting = true;
    std::size_t without_lines = 0;
    for (std::uint64_t n = 2; n <= 120; ++n) {
        ASSERT_TRUE(run.session().seek(sim::StepEventKind::decision, n));
        without_lines += run.last_decision()->view.script.empty() ? 1u : 0u;
        EXPECT_EQ(queue_view(run, predicting).parts.size(), 2u);
        for (inside.inside_step = 0; inside.inside_step < run.last_decision()->steps.size();
             ++inside.inside_step)
            EXPECT_EQ(queue_view(run, inside).parts.size(), 2u);
    }
    EXPECT_GT(without_lines, 5u);
}

TEST(UiScriptQueues, SingleQueueIsShownAsList) {
    ui::Run run = run_of("rr");
    run.session().seek(sim::Nanos{100'000'000});
    EXPECT_TRUE(queue_view(run, {}).parts.empty());
    EXPECT_NE(text_of(run, {}).find(" on the queue, from head to tail:\n"), std::string::npos);
}

}  // namespace ui_script_queues_test
}  // namespace ui

#endif
