// Tests of the DECISION pane for policy scripts: the source, line by line, forward and back.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/headless_window.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_sizes.h"
#include "ui/panels/panel.h"
#include "ui/panels/queue_view.h"
#include "ui/view/decision_page.h"

namespace ui {
namespace ui_script_steps_test {

using namespace std::chrono_literals;

constexpr const char* kScenario = R"({{"format": "switchyard-scenario/1", "until": "{}", "policy": "{}",
    "machine": {{"hz": 100, "costs": {{"syscall": "500ns", "schedule": "300ns", "considered": "100ns",
        "recalculated": "10ns", "queue_step": "50ns", "switch_same_mm": "1us", "switch_other_mm": "4us"}}}},
    "tasks": [{{"name": "A", "program": [{{"loop": "forever", "steps": ["yield"]}}]}},
              {{"name": "B", "program": [{{"loop": "forever", "steps": ["yield"]}}]}},
              {{"name": "S", "start": "1h", "program": ["exit"]}}],
    "tour": [{{"title": "Inside", "caption": "A line of a script.", "at": "decision 2", "depth": "inside",
               "subject": "decision.code", "policy": "{}"}}]}})";
std::string scenario_under(const std::string& policy, const std::string& until = "3ms") {
    return fmt::format(fmt::runtime(kScenario), until, policy, policy);
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// A run right after this decision, and a view at this position.
struct Place {
    Place(std::uint64_t decision, const std::string& policy)
        : run(std::make_unique<sim::Session>(std::make_shared<const sim::Scenario>(sim::parse_scenario(
                                                 "test.json", scenario_under("linux-2.0", "2h"))),
                                             sim::make_policy(policy))) {
        model.a = &run;
        run.session().history().extend(2 * decision + 10);
        EXPECT_TRUE(run.session().seek(sim::StepEventKind::decision, decision));
    }
    std::string text() const { return decision_text(model, view); }
    void look_at(std::size_t step) {
        view.level = DepthLevel::inside;
        view.inside_step = step;
    }
    // Moves to the `nth` step before this line of the script.
    void look_at_line(int line, int nth = 1) {
        const DecisionDetail& in = *run.last_decision();
        for (std::size_t i = 0; i < in.steps.size(); ++i)
            if (in.steps[i].is_script() && in.view.script[in.steps[i].script].line == line && --nth == 0)
                return look_at(i);
        FAIL() << "no such line";
    }

    // Moves before the line that contains these words.
    void look_at_text(const std::string& words, int nth = 1) { look_at_line(line_of(words), nth); }
    int line_of(const std::string& words) const {
        const std::vector<std::string>& lines = run.policy().source_lines;
        const auto found = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
            return line.find(words) != std::string::npos;
        });
        return static_cast<int>(found - lines.begin()) + 1;
    }

    Run run;
    Model model;
    ViewState view;
};

TEST(UiScriptSteps, ShowSourceLineVariablesAndCost) {
    Place at(2, "linux_2_0");
    at.look_at_text("consider(p, weight)", 2);  // the loop's line for the second task
    const int line = at.line_of("consider(p, weight)");
    const std::string text = at.text();
    EXPECT_TRUE(
        has(text, fmt::format("\ngoodness() has returned: the next line is {}, in pick_next().\n", line)))
        << text;
    EXPECT_TRUE(has(text, fmt::format("\n> {:>4}          consider(p, weight)", line))) << text;
    EXPECT_TRUE(has(text, "2 x  +0.10 µs\n")) << text;
    EXPECT_TRUE(has(text,
                    "\npick_next()\n  prev = A\n  prev.counter = 0\n  best = B\n  best.counter = 20\n"
                    "  most = 20\n  p = A\n  p.counter = 0\n* weight = 0\n"))
        << text;
    EXPECT_TRUE(has(text, "\n1 of 2 tasks looked at\n")) << text;
    EXPECT_TRUE(has(text, "\n0.90 µs of 5.00 µs = call 0.50 µs + search 0.40 µs\n")) << text;
    at.look_at_text("local weight = p.counter");
    EXPECT_TRUE(has(at.text(), "\ngoodness(), called by pick_next()\n")) << at.text();
    // The pane shows the costs of each line so far; these costs add up to the cost of the decision.
    at.view.level = DepthLevel::time;
    EXPECT_TRUE(has(at.text(),
                    "B runs: its goodness 20 is the highest. B had been ready since the start, for 4.5 µs. "
                    "A is "
                    "now the only task that waits in the queue.\n"))
        << at.text();
    EXPECT_TRUE(has(at.text(), fmt::format("\n  {:>4}          consider(p, weight)", line))) << at.text();
    EXPECT_TRUE(has(at.text(), "2 x  +0.20 µs\n")) << at.text();
}

TEST(UiScriptSteps, MlfqStepsCoverEnqueueAndPickNext) {
    Place at(2, "mlfq");
    at.look_at_text("p.slept = why ==");
    EXPECT_TRUE(has(at.text(), "\nenqueue()\n* p = A\n* p.at = 1\n")) << at.text();
    EXPECT_TRUE(has(at.text(), "* why = \"preempted\"\n")) << at.text();
    const auto queued = [&] { return queue_view(at.run, at.view).tasks; };
    const std::vector<sim::TaskId> before = queued();
    const sim::TaskId a = at.run.last_decision()->view.record.other;
    EXPECT_EQ(std::count(before.begin(), before.end(), a), 0) << "it is not on a queue yet";
    at.look_at_text("for i = 1, #level do");
    const std::vector<sim::TaskId> after = queued();
    EXPECT_EQ(std::count(after.begin(), after.end(), a), 1) << "and now it is";
    at.look_at_text("p.slept = why ==");
    EXPECT_EQ(queued(), before) << "backwards, too";
}

TEST(UiScriptSteps, LineCostsAddUpToEngineCharge) {
    for (const sim::PolicyInfo& info : sim::script_policies()) {
        for (std::uint64_t decision = 1; decision <= rounds(12u, 6u, 3u); ++decision) {
            Place at(decision, info.name);
            const DecisionDetail& inside = *at.run.last_decision();
            sim::Nanos before{};
            for (std::size_t step = 0; step < inside.steps.size(); ++step) {
                at.look_at(step);
                const std::optional<Cursor> cursor = cursor_in(at.model.a, at.view);
                ASSERT_TRUE(cursor);
                const sim::Nanos sum = cost_so_far(*cursor).total();
                EXPECT_EQ(sum, inside.steps[step].until);
                EXPECT_GE(sum, before);
                before = sum;
                sim::Nanos rows{};
                for (const LineCost& row : line_costs(*cursor)) rows += row.cost;
                EXPECT_EQ(rows, sum) << info.name << " " << decision << " " << step;
                // Exactly one row is highlighted.
                const DecisionPage page = decision_page(*cursor, at.view);
                EXPECT_EQ(std::count_if(page.code.begin(), page.code.end(),
                                        [](const CodeLine& line) { return line.current; }),
                          1)
                    << info.name << " " << decision << " " << step;
            }
            EXPECT_EQ(before, inside.view.record.span) << info.name << " " << decision;
        }
    }
}

TEST(UiScriptSteps, BackwardStepsRestorePicturesAndHashes) {
    HeadlessWindow w(scenario_under("linux_2_0"), "script-steps", {1280, 800});
    w.app.control().navigator().seek(sim::StepEventKind::decision, 3);
    w.app.view().level = DepthLevel::inside;
    w.app.view().reduce_motion = true;
    w.settle();
    const ui::Run& run = *w.app.model().a;
    const std::size_t steps = run.last_decision()->steps.size();
    ASSERT_GT(steps, 30u);
    const auto hash = [&] {
        const std::size_t at = w.app.view().inside_step;
        return run.last_decision()->steps[at].is_script() ? run.machine_at_step(at)->hash() : 0;
    };
    std::vector<std::vector<std::uint8_t>> pictures;
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < steps; ++i) {
        EXPECT_EQ(w.app.view().inside_step, i);
        pictures.push_back(w.picture());
        hashes.push_back(hash());
        if (i + 1 < steps) w.command("step.forward");
    }
    for (std::size_t i = 1; i < steps; ++i) EXPECT_NE(pictures[i], pictures[i - 1]) << i;
    for (std::size_t i = steps - 1; i-- > 0;) {
        w.command("step.back");
        EXPECT_EQ(w.app.view().inside_step, i);
        EXPECT_EQ(w.picture(), pictures[i]) << i;
        EXPECT_EQ(hash(), hashes[i]) << i;
    }
}

TEST(UiScriptSteps, RunTimeErrorIsShownAtLine) {
    const ScratchFolder folder;
    const std::string file = folder.write("my.lua", R"(-- Fails at the fourth yield.
machine_fields { yields = 0 }
function yield(p)
    machine.yields = machine.yields + 1
    return true
end
function pick_next(prev)
    local first = ready:first()
    if machine.yields == 4 then
        first = first.nonsense
    end
    return first
end
)");
    HeadlessWindow w(scenario_under("linux-2.0"), "script-fails", {1280, 800});
    w.app.control().set_policy(file);
    w.settle();
    w.command("go.end");
    w.app.view().level = DepthLevel::time;
    w.settle();
    const auto text = [&] { return decision_text(w.app.model(), w.app.view()); };
    EXPECT_TRUE(has(text(), "my.lua:10: a task has no field 'nonsense', in pick_next() at ")) << text();
    EXPECT_TRUE(has(text(), "The run ends here. ") && has(text(), "\n!   10          first = first.nonsense"))
        << text();
    const std::size_t red = w.pixels_of(w.app.theme().error);
    EXPECT_GT(red, 100u) << "the sentence, and the bar of the line";
    const std::vector<std::uint8_t> at_the_end = w.picture();
    w.command("step.switch.back");
    EXPECT_FALSE(has(text(), "The run ends here.")) << text();
    EXPECT_LT(w.pixels_of(w.app.theme().error), red);
    w.command("step.switch.forward");
    w.command("go.end");
    EXPECT_TRUE(has(text(), "The run ends here.")) << text();
    // For the failed decision, the pane shows the lines up to the line that fails.
    w.app.view().level = DepthLevel::inside;
    const DecisionDetail& inside = *w.app.model().a->last_decision();
    for (std::size_t i = 0; i < inside.steps.size(); ++i) {
        w.app.view().inside_step = i;
        if (!inside.steps[i].is_script()) continue;
        const sim::ScriptLine& line = inside.view.script[inside.steps[i].script];
        const bool fails = line.what == sim::ScriptLine::Event::failed;
        EXPECT_EQ(has(text(), "\n!   10  "), fails) << text();
        EXPECT_EQ(has(text(), "my.lua:10: a task has no field 'nonsense'"), fails) << text();
    }
    w.app.view().inside_step = 0;
    w.settle();
    w.app.view().level = DepthLevel::time;
    w.settle();
    EXPECT_EQ(text().find("The run ends here."), text().find('\n') + 1);
}

TEST(UiScriptSteps, ErrorBeforeFirstDecisionIsShown) {
    const ScratchFolder folder;
    const std::string file =
        folder.write("my.lua", "-- Fails at once.\nfunction enqueue(p)\n    error(\"no\")\nend\n");
    HeadlessWindow w(scenario_under("linux-2.0"), "script-fails-at-once", {1280, 800});
    w.app.control().set_policy(file);
    w.settle();
    const std::string text = decision_text(w.app.model(), w.app.view());
    EXPECT_TRUE(has(text, "my.lua:3: no, in enqueue() at 0ns") && has(text, "\n!    3      error(\"no\")\n"))
        << text;
    EXPECT_GT(w.pixels_of(w.app.theme().error), 50u);
}

TEST(UiScriptSteps, CurrentLineIsVisibleAtAnySize) {
    std::string text = "-- A long one.\n";
    for (int i = 0; i < 400; ++i)
        text += fmt::format("-- {}{}\n", i, i % 9 == 0 ? std::string(300, 'x') + " and so on" : "");
    text += "function pick_next(prev)\n    local a = 1\n    local b = " + std::string(40, '(') + "a" +
            std::string(40, ')') + " + a + a + a + a + a + a + a + a + a\n    return ready:first()\nend\n";
    const ScratchFolder folder;
    const std::string file = folder.write("my.lua", text);
    for (const Size size : {Size{1280, 800}, Size{1920, 1080}, Size{640, 480}}) {
        for (const char* theme : {"dark", "light"}) {
            HeadlessWindow w(scenario_under("linux-2.0"), "script-long", size);
            w.app.control().set_policy(file);
            w.app.set_theme(theme);
            w.app.view().alone = "decision";
            w.app.control().navigator().seek(sim::StepEventKind::decision, 2);
            w.app.view().level = DepthLevel::inside;
            w.settle();
            const std::vector<sim::DecisionStep>& steps = w.app.model().a->last_decision()->steps;
            for (std::size_t i = 0; i < steps.size(); ++i) {
                w.app.view().inside_step = i;
                w.settle();
                // The bar on the left is at least one line high and four pixels wide.
                EXPECT_GT(w.pixels_of(w.app.theme().accent), 40u) << theme << " " << i;
            }
        }
    }
}

TEST(UiScriptSteps, WorkInToursAndPresenter) {
    HeadlessWindow w(scenario_under("linux_2_0"), "script-tour", {1366, 768});
    w.command("present");
    w.command("tour.next");
    EXPECT_EQ(w.app.view().level, DepthLevel::inside);
    ASSERT_TRUE(w.app.model().a != nullptr);
    for (int i = 0; i < 12; ++i) w.command("step.forward");
    EXPECT_EQ(w.app.view().inside_step, 12u);
    const std::string text = decision_text(w.app.model(), w.app.view());
    EXPECT_TRUE(has(text, "step 13 of ") && has(text, "\npick_next()\n")) << text;
}

TEST(UiScriptSteps, DifferentLinesOfTwoDecisionsAreMarked) {
    Place a(3, "linux_2_0"), b(3, "linux_2_0:yield=one_tick");  // A recalculates all counters
    a.model.b = &b.run;
    const std::string both = a.text();
    const std::string refills = fmt::format("\n≠ {:>4}  ", a.line_of("for p in tasks() do refill"));
    EXPECT_TRUE(has(both, refills)) << both;
    EXPECT_FALSE(has(both, "≠ " + fmt::format("{:>4}", a.line_of("local weight = p.counter")))) << both;
    // If the other run has another policy, the entire source differs, so single lines are not marked.
    Place c(3, "linux-2.0");
    a.model.b = &c.run;
    EXPECT_FALSE(has(a.text(), refills)) << a.text();
}

}  // namespace ui_script_steps_test
}  // namespace ui

#endif
