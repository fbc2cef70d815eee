// The line trace of one script decision: its contents, costs equal to the engine's, and no effect on the run.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/core/engine.h"
#include "sim/explain/decision_steps.h"
#include "sim/scenario/scenario_json.h"
#include "sim/script/script_policy.h"
#include "tests/support/decision_views.h"
#include "tests/support/random_scenario.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace script_lines_test {

// A policy with this text, as if loaded from a file.
NamedPolicy policy_of(const std::string& text) {
    const PolicyInfo info = script::script_policy("my.lua", text);
    PolicyOptions options;
    for (const OptionInfo& option : info.options) options.emplace(option.name, option.values.front());
    return {.name = info.name,
            .options = options,
            .policy = info.make(options),
            .criterion = info.criterion,
            .pseudo_code = info.pseudo_code(options),
            .recorded_kernel = {},
            .why = info.why,
            .source_lines = info.source_lines};
}

// A scenario with round costs and two tasks that yield.
Scenario yielding() {
    return parse_scenario("y.json", R"({"format": "switchyard-scenario/1", "until": "2h",
        "machine": {"hz": 1, "costs": {"syscall": "500ns", "schedule": "300ns", "considered": "100ns",
            "recalculated": "10ns", "queue_step": "50ns", "switch_same_mm": "1us", "switch_other_mm": "4us"}},
        "tasks": [{"name": "A", "program": [{"loop": "forever", "steps": ["yield"]}]},
                  {"name": "B", "program": [{"loop": "forever", "steps": ["yield"]}]}]})");
}

// Returns decision `number` of this scenario, with its line trace.
DecisionView view_of(const Scenario& scenario, const NamedPolicy& policy, std::uint64_t number) {
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Machine before = m;
    while (m.globals().decisions < number && !m.globals().is_stopped) {
        before = m;
        engine.step(m, kHorizon, {});
    }
    EXPECT_EQ(m.globals().decisions, number);
    DecisionView view = compute_decision_view(engine, before);
    record_script_lines(engine, view);
    return view;
}

// Formats each line as "42 pick_next p=A": line number, function, new variables.
std::string told(const DecisionView& view, const Scenario& scenario) {
    std::string text;
    for (const ScriptLine& line : view.script) {
        text += line.what == ScriptLine::Event::returned ? fmt::format("{} returns", line.during)
                : line.what == ScriptLine::Event::failed ? fmt::format("{} {} fails", line.line, line.during)
                                                         : fmt::format("{} {}", line.line, line.function);
        for (const ScriptLine::Variable& v : line.variables)
            if (v.is_new || line.what == ScriptLine::Event::returned)
                text += fmt::format(" {}={}", v.name,
                                    v.task != kNoTask ? scenario.task_name(view.after, v.task) : v.value);
        text += "\n";
    }
    return text;
}

constexpr const char* kPicks = R"(-- By the most yields.
highest "yields"
fields { yields = 0 }
machine_fields { looks = 0 }

local function yields(p)
    machine.looks = machine.looks + 1
    return p.yields
end

function yield(p)
    p.yields = p.yields + 1
    return true
end

function enqueue(p, why)
    ready:insert(p, -p.yields)
end

function pick_next(prev, cpu)
    local best
    for p in ready:each() do
        consider(p, yields(p))
        best = best or p
    end
    refill(best, 7)
    return best
end
)";

TEST(ScriptLineTrace, ListsLinesOfScheduleWithNewVariables) {
    const Scenario scenario = yielding();
    const DecisionView view = view_of(scenario, policy_of(kPicks), 2);
    EXPECT_EQ(told(view, scenario), R"(17 enqueue p=A p.yields=1 why="preempted" machine.looks=2
18 enqueue
enqueue returns
21 pick_next prev=A prev.yields=1 cpu=cpu0 machine.looks=2
22 pick_next best=nil
23 pick_next p=A p.yields=1
7 yields p=A p.yields=1
8 yields machine.looks=3
24 pick_next machine.looks=3
22 pick_next best=A best.yields=1
23 pick_next p=B p.yields=0
7 yields p=B p.yields=0
8 yields machine.looks=4
24 pick_next machine.looks=4
22 pick_next
25 pick_next
26 pick_next
27 pick_next
pick_next returns =A
)");
}

TEST(ScriptLineTrace, ChargesCostToWorkingLine) {
    const Scenario scenario = yielding();
    const NamedPolicy policy = policy_of(kPicks);
    const DecisionView view = view_of(scenario, policy, 2);
    std::string text;
    for (const DecisionStep& step : decision_steps(view, policy, scenario.machine.costs))
        if (step.is_script() && step.cost != Nanos{})
            text += fmt::format("line {}: {} ns, {} of it refills; {} looked at, {} refilled\n",
                                step.cost_line, step.cost.count(), step.recalculation_cost.count(),
                                step.candidates, step.counter_changes);
    EXPECT_EQ(text,
              "line 17: 50 ns, 0 of it refills; 0 looked at, 0 refilled\n"
              "line 23: 100 ns, 0 of it refills; 1 looked at, 0 refilled\n"
              "line 23: 100 ns, 0 of it refills; 2 looked at, 0 refilled\n"
              "line 26: 10 ns, 10 of it refills; 2 looked at, 0 refilled\n");
}

TEST(ScriptLineTrace, StepsDescribeActionAndNextLine) {
    const Scenario scenario = yielding();
    const NamedPolicy policy = policy_of(kPicks);
    const DecisionView view = view_of(scenario, policy, 2);
    std::vector<std::string> said;
    for (const DecisionStep& step : decision_steps(view, policy, scenario.machine.costs))
        said.push_back(describe(step, view, policy, make_task_namer(view, scenario)));
    const auto has = [&](const std::string& words) {
        return std::find(said.begin(), said.end(), words) != said.end();
    };
    EXPECT_TRUE(has("A is still runnable: enqueue() is called.")) << fmt::format("{}", fmt::join(said, "\n"));
    EXPECT_TRUE(has("enqueue() is done."));
    EXPECT_TRUE(has("pick_next() is called."));
    EXPECT_TRUE(has("yields() is called: the next line is 7."));
    EXPECT_TRUE(has("yields() has returned: the next line is 24, in pick_next().") ||
                has("A was considered: yields 1, the best so far. yields() has returned: the next line is "
                    "24, in pick_next()."));
    EXPECT_TRUE(has("A counter was recalculated and did not change. The next line is 27, in pick_next()."));
    EXPECT_TRUE(has("pick_next() returns A."));
}

// Checks each part of the costs to the nanosecond, with all built-in scripts in random scenarios.
TEST(ScriptLineTrace, CostsAddUpToEngineCharge) {
    const std::uint64_t scenarios = rounds(12, 4, 2);
    for (const PolicyInfo& info : script_policies()) {
        const NamedPolicy policy = make_policy(info.name);
        for (std::uint64_t seed = 1; seed <= scenarios; ++seed) {
            const Scenario scenario = random_scenario(seed);
            const Engine engine(scenario, *policy.policy);
            for_each_decision(
                scenario, *policy.policy, 120, [](std::uint64_t n) { return n % 3 == 0; },
                [&](DecisionView view) {
                    record_script_lines(engine, view);
                    Overhead sum;
                    Nanos until{};
                    for (const DecisionStep& step : decision_steps(view, policy, scenario.machine.costs)) {
                        add_cost(step, sum);
                        until += step.cost;
                        EXPECT_EQ(step.until, until);
                        EXPECT_FALSE(describe(step, view, policy, make_task_namer(view, scenario)).empty());
                    }
                    EXPECT_EQ(until, view.record.span) << info.name << " " << seed << " " << view.number;
                    const Overhead charged = decision_overhead(view, scenario.machine.costs);
                    EXPECT_EQ(sum.select, charged.select) << info.name << " " << seed << " " << view.number;
                    EXPECT_EQ(sum.recalculation, charged.recalculation)
                        << info.name << " " << seed << " " << view.number;
                });
        }
    }
}

TEST(ScriptLineTrace, WatchingHasNoEffectInEitherDirection) {
    const Scenario scenario = yielding();
    const NamedPolicy policy = make_policy("linux_2_0");
    const Engine engine(scenario, *policy.policy);
    const DecisionView view = view_of(scenario, policy, 3);  // recalculates
    ASSERT_GT(view.log.decision.recalculations, 0u);
    const DecisionView again = compute_decision_view(engine, view.before);
    EXPECT_EQ(again.after.hash(), view.after.hash());
    EXPECT_TRUE(again.script.empty());
    std::vector<std::uint64_t> forwards;
    for (const ScriptLine& line : view.script)
        forwards.push_back(machine_at_line(engine, view, line.number).hash());
    EXPECT_NE(forwards.front(), forwards.back()) << "the counters were refilled in between";
    for (std::size_t i = view.script.size(); i-- > 0;)
        EXPECT_EQ(machine_at_line(engine, view, view.script[i].number).hash(), forwards[i]) << i;
}

TEST(ScriptLineTrace, LongTraceKeepsFirstAndLastLines) {
    const NamedPolicy policy = policy_of(R"(
function pick_next()
    local n = 0
    for i = 1, 300000 do
        n = n +
            i
    end
    consider(ready:first())
    return ready:first()
end
)");
    const Scenario scenario = yielding();
    const DecisionView view = view_of(scenario, policy, 2);
    ASSERT_EQ(view.script.size(), kFirstLines + kLastLines);
    EXPECT_EQ(view.script.back().what, ScriptLine::Event::returned);
    std::uint64_t skipped = 0;
    Nanos sum{};
    for (const DecisionStep& step : decision_steps(view, policy, scenario.machine.costs)) {
        skipped += step.skipped;
        sum += step.cost;
        if (step.skipped > 0) {
            EXPECT_NE(describe(step, view, policy, make_task_namer(view, scenario))
                          .find("more lines have run, which are not shown one by one"),
                      std::string::npos);
        }
    }
    EXPECT_EQ(sum, view.record.span);
    EXPECT_GT(skipped, 500'000u);
    EXPECT_EQ(skipped + view.script.size(), view.script.back().number + 1);
}

TEST(ScriptLineTrace, DepthAndVariablesAreBounded) {
    std::string many = "function pick_next()\n";
    for (int i = 0; i < 150; ++i) many += fmt::format("    local v{} = {}\n", i, i);
    many += "    local long = \"" + std::string(1000, 'x') + "\"\n    local odd = \"\\27[31m\"\n";
    many += "    return ready:first()\nend\n";
    const Scenario scenario = yielding();
    const DecisionView wide = view_of(scenario, policy_of(many), 2);
    const auto last = wide.script.end() - 2;
    EXPECT_EQ(last->variables.size(), ScriptLine::kMostVariables);
    EXPECT_EQ(last->more_variables, 152 - ScriptLine::kMostVariables);
    for (const ScriptLine& line : wide.script)
        for (const ScriptLine::Variable& v : line.variables)
            EXPECT_TRUE(v.value.size() < 60 && v.value.find('\x1b') == std::string::npos) << v.value;

    const NamedPolicy deep = policy_of(R"(
local function down(n)
    if n == 0 then return 0 end
    return 1 + down(n - 1)
end
function pick_next()
    for i = 1, 6 do down(700) end
    return ready:first()
end
)");
    const DecisionView view = view_of(scenario, deep, 2);
    EXPECT_EQ(view.script.size(), kFirstLines + kLastLines);
    for (const ScriptLine& line : view.script) EXPECT_LE(line.depth, ScriptLine::kDeepest);
}

TEST(ScriptLineTrace, VariableLimitStopsRecordingOfLines) {
    const NamedPolicy policy = policy_of(R"(
function pick_next()
    for i = 1, 200 do local a, b = i, i + 1 end
    return ready:first()
end
)");
    const Scenario scenario = yielding();
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    ScriptLineTrace lines{.most_variables = 100};
    policy.policy->set_line_trace(&lines);
    while (m.globals().decisions < 1) engine.step(m, kHorizon, {});
    policy.policy->set_line_trace(nullptr);
    EXPECT_GE(lines.variables, 100u);
    EXPECT_LT(lines.variables, 110u);
    EXPECT_LT(lines.lines.size(), 110u);
    EXPECT_GT(lines.all, 200u);
}

// A script may consider the same task repeatedly. If 700,000 repetitions were printed, the report would be
// 28 MB long.
TEST(ScriptLineTrace, WinnerConsideredOftenIsPrintedOnce) {
    const NamedPolicy policy = policy_of(R"(
function pick_next()
    for i = 1, 1000 do consider(ready:first()) end
    return ready:first()
end
)");
    const Scenario scenario = yielding();
    const DecisionView view = view_of(scenario, policy, 2);
    const std::string text = explain_decision(
        view.log, policy, [&](TaskId p) { return scenario.task_name(view.after, p); }, "", 10);
    EXPECT_LT(text.size(), 1000u);
    EXPECT_NE(text.find("1000 tasks considered in all"), std::string::npos) << text;

    // The winner is not among the first candidates, which are printed. So the winner is added once to these
    // candidates.
    const NamedPolicy last_wins = policy_of(R"(
function pick_next()
    local last
    for p in ready:each() do
        for i = 1, 100 do consider(p) end
        last = p
    end
    return last
end
)");
    const DecisionView first = view_of(scenario, last_wins, 1);
    const std::string added = explain_decision(
        first.log, last_wins, [&](TaskId p) { return scenario.task_name(first.after, p); }, "", 10);
    const std::size_t wins = added.find("<- wins");
    ASSERT_NE(wins, std::string::npos) << added;
    EXPECT_EQ(added.find("<- wins", wins + 1), std::string::npos) << added;
    EXPECT_NE(added.find("200 tasks considered in all"), std::string::npos) << added;
}

TEST(ScriptLineTrace, EndsAtFailingLine) {
    const NamedPolicy policy = policy_of(R"(
local function weigh(p)
    return p.priority // (now() - now())
end
function pick_next()
    if now() > 0 then weigh(ready:first()) end
    return ready:first()
end
)");
    const Scenario scenario = yielding();
    const DecisionView view = view_of(scenario, policy, 2);
    ASSERT_FALSE(view.script.empty());
    EXPECT_EQ(view.script.back().what, ScriptLine::Event::failed);
    EXPECT_EQ(view.script.back().line, 3);
    const std::vector<DecisionStep> steps = decision_steps(view, policy, scenario.machine.costs);
    EXPECT_EQ(steps.back().until, view.record.span);
    bool said = false;
    for (const DecisionStep& step : steps)
        said =
            said || describe(step, view, policy, make_task_namer(view, scenario))
                            .find("my.lua:3: attempt to divide by zero, in pick_next()") != std::string::npos;
    EXPECT_TRUE(said);
}

// Text from a file is displayed, but must not contain control sequences for the terminal.
TEST(ScriptLineTrace, SourceLinesHaveNoTabsOrEscapes) {
    const NamedPolicy policy = policy_of("-- \x1b[31m red\r\n\tfunction tick()\treturn true end\n");
    ASSERT_EQ(policy.source_lines.size(), 2u);
    EXPECT_EQ(policy.source_lines[0], "-- \\x1b[31m red");
    EXPECT_EQ(policy.source_lines[1], "    function tick() return true end");
}

}  // namespace script_lines_test
}  // namespace sim
