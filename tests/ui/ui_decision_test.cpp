// Tests of the text of the panes DECISION and SWITCH at every position within one schedule().
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "sim/core/policy.h"
#include "sim/scenario/scenario_json.h"
#include "ui/panels/panel.h"
#include "ui/view/prediction.h"

namespace ui {
namespace ui_decision_test {

using namespace std::chrono_literals;

// Two tasks that yield and one that sleeps; no ticks, round costs.
constexpr const char* kYielding = R"({"format": "switchyard-scenario/1", "until": "2h",
    "machine": {"hz": 1, "costs": {"syscall": "500ns", "schedule": "300ns", "considered": "100ns",
        "recalculated": "10ns", "queue_step": "50ns", "switch_same_mm": "1us", "switch_other_mm": "4us"}},
    "tasks": [{"name": "A", "program": [{"loop": "forever", "steps": ["yield"]}]},
              {"name": "B", "program": [{"loop": "forever", "steps": ["yield"]}]},
              {"name": "S", "start": "1h", "program": ["exit"]}]})";

// A run right after this decision, and a view at this position.
struct Place {
    explicit Place(std::uint64_t decision, const std::string& policy = "linux-2.0",
                   const char* scenario = kYielding)
        : run(std::make_unique<sim::Session>(
              std::make_shared<const sim::Scenario>(sim::parse_scenario("test.json", scenario)),
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
    // Moves to the `nth` step of this phase.
    void look_at(sim::Phase phase, int nth = 1) {
        const auto& steps = run.last_decision()->steps;
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i].phase == phase && --nth == 0) return look_at(i);
        FAIL() << "no such step";
    }

    Run run;
    Model model;
    ViewState view;
};

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(UiDecision, TextShowsSearchAndCosts) {
    const Place at(2);
    EXPECT_EQ(at.text(), R"(switch 2: A → B at 4.5 µs
A calls sched_yield(). B runs: its goodness 20 is the highest. B had been ready since the start, for 4.5 µs. A is now the only task that waits in the queue.

  a system call, or an interrupt and need_resched, leads here                         1 x  +0.50 µs
    sched_yield(): the caller moves to the tail, its counter = 0                      1 x
  schedule(): prev = the running task, best = none                                    1 x  +0.30 µs
    prev is rr and its slice is used up? a new one, and to the tail
    prev is no longer runnable? off the queue
  for each task on the queue, from the head: weigh it                                 2 x  +0.20 µs
    fifo or rr: 1000 + rt_priority; any other: its counter, and 0 stays 0
    several CPUs: +20 if it ran last on this CPU; and +1 if it is prev
    more than the best so far? keep it; of equals, the first stays                    1 x
  is the best goodness 0, every slice used up?                                        1 x
    each task, asleep too: counter = counter/2 + priority; no new search
  is the best not prev? save prev's context, load that of the best                    1 x  +1.00 µs
    another address space? load its page tables, flush the TLB                        1 x  +3.00 µs
  the best runs, or the idle task if there is none                                    1 x

2 tasks looked at, in this order
      1  B     counter  20                  goodness   20  <- runs
      2  A     counter   0                  goodness    0

5.00 µs = call 0.50 µs + search 0.50 µs + switch 1.00 µs + address space 3.00 µs
)");
}

TEST(UiDecision, StepCostsAddUpToEngineCharge) {
    for (const char* policy : {"linux-2.0", "linux-2.0:yield=one_tick", "sorted-queue", "round-robin"}) {
        for (std::uint64_t decision = 1; decision <= 30; ++decision) {
            Place at(decision, policy);
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
                sim::Nanos lines{};
                for (const LineCost& line : line_costs(*cursor)) lines += line.cost;
                EXPECT_EQ(lines, sum);
            }
            EXPECT_EQ(before, inside.view.record.span) << policy << " " << decision;
        }
    }
}

TEST(UiDecision, BestCandidateFollowsCursor) {
    Place at(2, "linux-2.0:yield=one_tick");  // goodness: B 20, A 19 + 1
    at.look_at(sim::Phase::consider);
    EXPECT_TRUE(has(at.text(),
                    "1 of 2 tasks looked at\n>     1  B     counter  20                  goodness   20\n"
                    "      2  A     counter  19\n"))
        << at.text();
    at.look_at(sim::Phase::keep);
    EXPECT_TRUE(
        has(at.text(), ">     1  B     counter  20                  goodness   20  <- best so far\n"));
    at.look_at(sim::Phase::consider, 2);
    EXPECT_TRUE(has(at.text(),
                    "      1  B     counter  20                  goodness   20  <- best so far\n"
                    ">     2  A     counter  19  +1 prev         goodness   20\n"))
        << at.text();
    EXPECT_TRUE(has(at.text(), "the same as B, which comes first."));
    at.look_at(sim::Phase::resume);
    EXPECT_TRUE(has(at.text(), "B     counter  20                  goodness   20  <- runs\n"));
}

TEST(UiDecision, RecalculationVisitsEveryTask) {
    Place at(3);
    EXPECT_TRUE(has(at.text(),
                    "recalculation: 3 tasks visited, asleep or not\n  A       0 -> 20\n"
                    "  B       0 -> 20\n  S      20 -> 30  asleep\n"))
        << at.text();
    at.look_at(sim::Phase::recalculate, 2);
    EXPECT_TRUE(has(at.text(),
                    "recalculation: 2 of 3 tasks visited\n  A       0 -> 20\n> B       0 -> 20\n"
                    "\n"))
        << at.text();
    EXPECT_TRUE(has(at.text(), "recalc 0.020 µs"));
}

TEST(UiDecision, PredictionHidesOutcome) {
    Place at(2);
    at.view.predicting = true;
    for (const bool inside : {false, true}) {
        if (inside) at.look_at(5);
        EXPECT_TRUE(has(at.text(), "A → ?")) << at.text();
        EXPECT_TRUE(has(at.text(), "Which task runs next?"));
        EXPECT_FALSE(has(at.text(), "goodness") || has(at.text(), "B runs") || has(at.text(), "<-"));
        EXPECT_FALSE(has(context_switch_text(at.model, at.view), "B"));
    }
    at.view.level = DepthLevel::time;
    at.view.prediction = Prediction{PredictionQuestion::next_task, at.run.last_decision()->view.record.task};
    EXPECT_TRUE(has(at.text(), "Right. B runs: "));
    at.view.prediction = Prediction{PredictionQuestion::next_task, at.run.last_decision()->view.record.other};
    EXPECT_TRUE(has(at.text(),
                    "Your answer was: A. You chose the task that has just yielded, as if its goodness were "
                    "the same "
                    "as before. B runs: "));
}

TEST(UiDecision, VerdictAppearsWithinSchedule) {
    Place at(2);
    at.view.predicting = true;
    at.look_at(sim::Phase::consider);
    EXPECT_TRUE(has(at.text(), "Which task runs next?")) << at.text();
    at.view.prediction = Prediction{PredictionQuestion::next_task, at.run.last_decision()->view.record.task};
    EXPECT_TRUE(has(at.text(), "✓ Right. ")) << at.text();
    EXPECT_FALSE(has(at.text(), "B runs: ")) << "the step is described, and not the end";
    at.view.prediction = Prediction{PredictionQuestion::next_task, at.run.last_decision()->view.record.other};
    EXPECT_TRUE(has(at.text(), "✗ Your answer was: A. ")) << at.text();
}

TEST(UiDecision, CostsAndTotalsAreHiddenDuringPrediction) {
    Place at(2);
    at.view.predicting = true;
    for (const auto& text : {costs_text, system_text})
        EXPECT_EQ(text(at.model, at.view), "This pane is hidden until you have chosen an answer.\n");
    at.view.prediction = Prediction{PredictionQuestion::next_task, 2};
    for (const auto& text : {costs_text, system_text}) EXPECT_TRUE(has(text(at.model, at.view), "until "));
}

TEST(UiDecision, DifferentRowsOfTwoDecisionsAreMarked) {
    Place a(3), b(3, "linux-2.0:yield=one_tick");  // run A recalculates all counters, run B does not
    a.model.b = &b.run;
    const std::string both = a.text();
    const std::size_t middle = both.rfind("\nRun B: ");
    ASSERT_NE(middle, std::string::npos) << both;
    const std::string of_a = both.substr(0, middle), of_b = both.substr(middle);
    EXPECT_TRUE(has(of_a, "Run A: ") && has(of_a, "times as much in run A\n")) << both;
    // There are lines with the same work in both runs, lines with different work, and lines in only one
    // policy. ≠ marks the last two kinds.
    EXPECT_TRUE(has(of_a, "\n  schedule(): prev = the running task")) << both;
    EXPECT_TRUE(has(of_a, "\n≠   each task, asleep too")) << both;
    EXPECT_TRUE(has(of_b, "\n≠   each task, asleep too")) << both;
    EXPECT_TRUE(has(of_a, "\n≠   sched_yield(): the caller moves to the tail, its counter = 0")) << both;
    EXPECT_TRUE(has(of_b, "\n≠   sched_yield(): the caller moves to the tail, its counter - 1")) << both;
    // ≠ also marks tasks with different counters, and different costs.
    EXPECT_TRUE(has(of_a, "\n≠     1  A")) << both;
    EXPECT_TRUE(has(of_a, "≠ recalc 0.030 µs") && has(of_a, " = call 0.50 µs + search 0.50 µs")) << both;
    EXPECT_FALSE(has(of_b, "≠ call")) << both;
    // A decision does not differ from itself.
    Place same(3);
    a.model.b = &same.run;
    EXPECT_FALSE(has(a.text(), "≠")) << a.text();
    a.view.predicting = true;
    a.model.b = &b.run;
    EXPECT_FALSE(has(a.text(), "≠")) << a.text();
}

TEST(UiDecision, AsksWhetherCountersAreRecalculated) {
    Place at(3);  // the answer is yes: both tasks have yielded
    at.view.predicting = true;
    at.view.ask = PredictionQuestion::recalculation;
    EXPECT_TRUE(has(at.text(), "Does this schedule() recalculate all counters?")) << at.text();
    EXPECT_TRUE(
        has(at.text(), "\n  1: yes\n  2: no\n\n2 tasks to choose from, in the order of the search\n"));
    EXPECT_FALSE(has(at.text(), "recalculation:") || has(at.text(), "20") || has(at.text(), "idle task"));
    at.view.prediction = Prediction{PredictionQuestion::recalculation, 0};
    at.view.predicted = 1;
    EXPECT_TRUE(has(at.text(),
                    "✗ Your answer was: no. You left the counters as they are, but the best goodness is 0: "
                    "all "
                    "counters are recalculated. Counters are recalculated. A runs: "))
        << at.text();
    EXPECT_TRUE(has(at.text(), " Right predictions: 0 of 1.\n"));
    at.view.prediction = Prediction{PredictionQuestion::recalculation, 1};
    EXPECT_TRUE(has(at.text(), "✓ Right. Counters are recalculated. "));

    Place not_yet(2);
    not_yet.view.predicting = true;
    not_yet.view.prediction = Prediction{PredictionQuestion::recalculation, 1};
    EXPECT_TRUE(
        has(not_yet.text(), "✗ Your answer was: yes. You recalculated the counters, but a runnable task"))
        << not_yet.text();
}

TEST(UiDecision, AsksHowManyTasksAreLookedAt) {
    Place at(3);
    at.view.predicting = true;
    at.view.ask = PredictionQuestion::considered;
    EXPECT_TRUE(has(at.text(), "\n  1: 1 task\n  2: 2 tasks\n  3: 3 tasks\n  4: 4 tasks\n")) << at.text();
    for (const auto& [said, mistake] :
         std::map<std::uint32_t, std::string>{{1, "You left out the running task"},
                                              {3, "You counted tasks that sleep"},
                                              {4, "You counted two searches"}}) {
        at.view.prediction = Prediction{PredictionQuestion::considered, said};
        EXPECT_TRUE(has(at.text(), mistake)) << said << "\n" << at.text();
        EXPECT_TRUE(has(at.text(), "2 tasks are looked at. A runs: "));
    }
    at.view.prediction = Prediction{PredictionQuestion::considered, 2};
    EXPECT_TRUE(has(at.text(), "✓ Right. 2 tasks are looked at. "));
}

// The list of candidates must not reveal which tasks the search has visited.
TEST(UiDecision, CandidateListHidesSearch) {
    Place anew(3, "linux-2.4.22");
    anew.view.predicting = true;
    for (std::uint64_t decision = 1; decision < 30; ++decision) {
        ASSERT_TRUE(anew.run.session().seek(sim::StepEventKind::decision, decision));
        EXPECT_TRUE(has(anew.text(), "2 tasks to choose from")) << anew.text();
    }
    Place sorted(3, "sorted-queue");
    const std::optional<Cursor> cursor = cursor_in(sorted.model.a, sorted.view);
    ASSERT_TRUE(cursor);
    EXPECT_EQ(choosable_candidates(*cursor).size(), 2u);
    EXPECT_EQ(numbered_answer(*cursor, PredictionQuestion::next_task, 0)->value, 0u);
    EXPECT_FALSE(numbered_answer(*cursor, PredictionQuestion::next_task, 3));
    EXPECT_FALSE(numbered_answer(*cursor, PredictionQuestion::recalculation, 0));
}

TEST(UiDecision, EachWrongAnswerHasMisconception) {
    constexpr const char* kMixed =
        R"({"format": "switchyard-scenario/1", "until": "2h", "machine": "pentium-mmx-200",
        "tasks": [{"name": "Y", "count": 2, "program": [{"loop": "forever", "steps": ["yield"]}]},
                  {"name": "N", "nice": -5, "program": [{"loop": "forever", "steps": [{"run": "3ms"}, {"arrival": "20ms"}]}]},
                  {"name": "S", "nice": 5, "mm": "x", "count": 2,
                   "program": [{"loop": "forever", "steps": [{"run": "9ms"}, {"arrival": "11ms"}]}]}]})";
    for (const char* policy : {"linux-1.2", "linux-2.0", "linux-2.0:yield=one_tick", "linux-2.2",
                               "linux-2.4.0", "linux-2.4.22", "nt4", "round-robin", "sorted-queue"}) {
        Place at(1, policy, kMixed);
        at.run.session().history().extend(3000);
        std::map<sim::quiz::Misconception, int> seen;
        for (std::uint64_t decision = 1; decision < 400; decision += 3) {
            ASSERT_TRUE(at.run.session().seek(sim::StepEventKind::decision, decision));
            const std::optional<Cursor> cursor = cursor_in(at.model.a, at.view);
            ASSERT_TRUE(cursor);
            for (const PredictionQuestion ask :
                 {PredictionQuestion::next_task, PredictionQuestion::recalculation,
                  PredictionQuestion::considered}) {
                int right = 0;
                for (std::size_t n = 0; n < 20; ++n) {
                    const std::optional<Prediction> said = numbered_answer(*cursor, ask, n);
                    if (!said) continue;
                    const sim::quiz::Misconception mistake = mistake_in_prediction(*cursor, *said);
                    right += mistake == sim::quiz::Misconception::none ? 1 : 0;
                    ++seen[mistake];
                    EXPECT_NE(mistake, sim::quiz::Misconception::miscounted);
                }
                EXPECT_EQ(right, 1) << policy << " " << decision << " " << static_cast<int>(ask);
            }
        }
        EXPECT_GE(seen.size(), 4u) << policy;
    }
}

TEST(UiDecision, NoDecisionYetIsReported) {
    Place at(1);
    at.run.session().seek_beginning();
    EXPECT_EQ(at.text(), "schedule() has not been called yet.\n");
    EXPECT_EQ(context_switch_text(at.model, at.view), "schedule() has not been called yet.\n");
    EXPECT_EQ(decision_text({}, at.view), "");
}

TEST(UiContextSwitch, ListsStepsWithCostsAndLosses) {
    const Place at(2);
    const std::string text = context_switch_text(at.model, at.view);
    EXPECT_TRUE(has(text, "A hands the CPU to B, which has another address space: the TLB is flushed."));
    EXPECT_TRUE(has(text,
                    "1  Save registers  1.00 µs  kept\n2  Page directory  3.00 µs\n3  TLB                    "
                    "  flushed\n"))
        << text;
    EXPECT_TRUE(has(text, "in total: 4.00 µs"));
    for (const sim::SwitchStep& step : at.run.last_decision()->switch_view.steps)
        EXPECT_TRUE(has(text, step.detail));
}

TEST(UiContextSwitch, LaterKernelListsItsCalls) {
    const Place at(3, "linux-2.6.20");
    const std::string text = context_switch_text(at.model, at.view);
    EXPECT_TRUE(has(text, "1. prepare_task_switch(): ")) << text;
    EXPECT_TRUE(has(text, "In switch 2, A had switched to B: only two tasks take part.")) << text;
}

TEST(UiContextSwitch, ContinuedTaskShowsNoSwitch) {
    const Place at(3, "linux-2.0:yield=one_tick");
    EXPECT_TRUE(has(context_switch_text(at.model, at.view),
                    "No context switch: B was running and was chosen again."));
}

}  // namespace ui_decision_test
}  // namespace ui

#endif
