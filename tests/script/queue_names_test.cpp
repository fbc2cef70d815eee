// Names of a script's queues, which are displayed together with the queued tasks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "sim/script/script_policy.h"

namespace sim {
namespace queue_names_test {

const Scenario& scenario() {
    static const Scenario jobs = parse_scenario("jobs.json", R"({"format": "switchyard-scenario/1",
        "until": "400ms", "machine": {"hz": 1000}, "tasks": [
        {"name": "A", "program": [{"loop": "forever", "steps": [{"run": "7ms"}, {"sleep": "2ms"}]}]},
        {"name": "B", "count": 4, "program": [{"loop": "forever", "steps": [{"run": "50ms"}]}]},
        {"name": "C", "start": "90ms", "program": [{"run": "30ms"}]}]})");
    return jobs;
}

std::vector<std::string> names(const std::string& text) {
    const PolicyInfo info = script::script_policy("my.lua", text);
    const auto policy = info.make({});
    const Engine engine(scenario(), *policy);
    std::vector<std::string> names;
    for (const Policy::QueuePart& part : policy->queue_parts(engine.initial_state()))
        names.push_back(part.name);
    return names;
}
using Names = std::vector<std::string>;

TEST(QueueNames, ComeFromVariablesAndTableFields) {
    EXPECT_EQ(names("level, came = queues(2), queue()"), (Names{"level[1]", "level[2]", "came"}));
    EXPECT_EQ(names("of = { { queue(), queue() }, high = queue() }"),
              (Names{"of[1][1]", "of[1][2]", "of.high"}));
    EXPECT_EQ(names("a = queue() b = a c = queue()"), (Names{"a", "c"}));
}

TEST(QueueNames, IncludeVariablesCapturedByFunctions) {
    EXPECT_EQ(names("local first, second = queue(), queue()\n"
                    "local function put(p) second:add_last(p) end\n"
                    "function enqueue(p) put(p) end\n"
                    "function pick_next() return first:first() end\n"),
              (Names{"first", "second"}));
}

TEST(QueueNames, UnnamedQueueGetsNumber) {
    EXPECT_EQ(names("queue() deep = { { { { queue() } } } } last = queue()"),
              (Names{"queue 1", "queue 2", "last"}));
    EXPECT_EQ(names("t = { [''] = queue() } _ENV[''] = queue() "
                    "do local q = queue() function enqueue(p) q:add_last(p) end end "
                    "do local q = queue() function yield(p) return q:empty() end end"),
              (Names{"queue 1", "queue 2", "q", "queue 4"}));
    EXPECT_EQ(names("t = { ['a b'] = queue(), " + std::string(60, 'x') + " = queue() }"),
              (Names{"queue 1", "queue 2"}));
}

TEST(QueueNames, LargeOrCyclicTablesAreSearched) {
    EXPECT_EQ(names("a, b = queue(), queue() t = { x = {} } t.t = t t.x.t = t t[1] = a"), (Names{"a", "b"}));
    // The search for queues in tables is breadth-first, and it has a limit.
    EXPECT_EQ(names("t = {} for i = 1, 8000 do t[i] = t end t.u, v = queue(), queue()"), (Names{"t.u", "v"}));
}

TEST(QueueNames, SingleQueueHasNoName) {
    EXPECT_EQ(names(""), Names{});
    EXPECT_EQ(names("mine = queue()"), Names{});
}

TEST(QueueParts, ListTasksInQueueOrder) {
    const NamedPolicy mlfq = make_policy("mlfq:boost=200");
    const Engine engine(scenario(), *mlfq.policy);
    Machine m = engine.initial_state();
    std::size_t on_levels = 0;
    while (engine.step(m, *scenario().until, {})) {
        const std::vector<Policy::QueuePart> parts = mlfq.policy->queue_parts(m);
        ASSERT_EQ(parts.size(), 4u);
        TaskId p = m.next_run[0];
        for (const Policy::QueuePart& part : parts) {
            for (std::uint32_t i = 0; i < part.tasks; ++i, p = m.next_run[p]) {
                ASSERT_NE(p, 0u);
                if (part.name == "came") continue;
                EXPECT_EQ(part.name, "level[" + mlfq.policy->scheduling_key(m, p).value + "]");
                ++on_levels;
            }
        }
        EXPECT_EQ(p, 0u) << "all of the list are on one of them";
    }
    EXPECT_EQ(mlfq.policy->failure(), nullptr);
    EXPECT_GT(on_levels, 100u);
}

}  // namespace queue_names_test
}  // namespace sim
