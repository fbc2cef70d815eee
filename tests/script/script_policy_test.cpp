// Script policies: built-in scripts match the C++ policies of the same name, and all state of a script is in
// the machine.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "sim/check/lockstep.h"
#include "sim/core/engine.h"
#include "sim/core/statistics.h"
#include "sim/core/summary.h"
#include "sim/replay/run_history.h"
#include "sim/scenario/scenario_json.h"
#include "sim/script/script_policy.h"
#include "tests/support/program.h"
#include "tests/support/random_scenario.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace script_policy_test {

// A policy with this text, as if loaded from a file.
std::shared_ptr<const Policy> policy_of(const std::string& text) {
    const PolicyInfo info = script::script_policy("my.lua", text);
    PolicyOptions options;
    for (const OptionInfo& option : info.options) options.emplace(option.name, option.values.front());
    return info.make(options);
}

// Loads this text and returns the error message; empty if there is none.
std::string refusal_of(const std::string& text) {
    try {
        policy_of(text);
    } catch (const PolicyError& error) {
        return error.what();
    }
    return "";
}

Scenario jobs(const std::string& tasks) {
    return parse_scenario("jobs.json", R"({"format": "switchyard-scenario/1", "title": "jobs", "until": "1s",
        "machine": {"hz": 1000}, "tasks": [)" +
                                           tasks + "]}");
}

const std::string kTwoHogs =
    R"({"name": "A", "program": [{"loop": "forever", "steps": [{"run": "7ms"}, "yield"]}]},
                                {"name": "B", "program": [{"loop": "forever", "steps": [{"run": "5ms"}, {"sleep": "3ms"}]}]})";

// Runs these tasks under this script and returns the error message; empty if there is none.
std::string failure_of(const std::string& text, const std::string& tasks = kTwoHogs) {
    const Scenario scenario = jobs(tasks);
    const auto policy = policy_of(text);
    const Engine engine(scenario, *policy);
    Machine m = engine.initial_state();
    const StopReason reason = engine.run(m, {.until = *scenario.until}, {});
    if (reason != StopReason::policy_failed) return "";
    return describe(*policy->failure(), [&](TaskId p) { return scenario.task_name(m, p); });
}

// Returns the exit time of each task, in ms.
std::map<std::string, std::int64_t> ends(const Scenario& scenario, const std::string& policy) {
    const NamedPolicy named = make_policy(policy);
    const Engine engine(scenario, *named.policy);
    Machine m = engine.initial_state();
    std::map<std::string, std::int64_t> at;
    while (!m.globals().is_stopped) {
        engine.step(m, *scenario.until, {});
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
            if (!m.is_live(p)) at.emplace(scenario.task_name(m, p), m.globals().now / 1ms);
    }
    return at;
}

// W. Stallings, Operating Systems, table 9.4: arrival and service times of five processes.
Scenario stallings() {
    return jobs(R"({"name": "A", "program": [{"run": "3ms"}]},
                   {"name": "B", "start": "2ms", "program": [{"run": "6ms"}]},
                   {"name": "C", "start": "4ms", "program": [{"run": "4ms"}]},
                   {"name": "D", "start": "6ms", "program": [{"run": "5ms"}]},
                   {"name": "E", "start": "8ms", "program": [{"run": "2ms"}]})");
}
using Ends = std::map<std::string, std::int64_t>;

TEST(Scripts, MatchFinishTimesOfStallings) {  // table 9.5
    const Scenario s = stallings();
    EXPECT_EQ(ends(s, "fcfs"), (Ends{{"A", 3}, {"B", 9}, {"C", 13}, {"D", 18}, {"E", 20}}));
    EXPECT_EQ(ends(s, "rr:quantum=1"), (Ends{{"A", 4}, {"B", 18}, {"C", 17}, {"D", 20}, {"E", 15}}));
    EXPECT_EQ(ends(s, "rr:quantum=4"), (Ends{{"A", 3}, {"B", 17}, {"C", 11}, {"D", 20}, {"E", 19}}));
    EXPECT_EQ(ends(s, "sjf"), (Ends{{"A", 3}, {"B", 9}, {"C", 15}, {"D", 20}, {"E", 11}}));
    EXPECT_EQ(ends(s, "srtf"), (Ends{{"A", 3}, {"B", 15}, {"C", 8}, {"D", 20}, {"E", 10}}));
    EXPECT_EQ(ends(s, "hrrn"), (Ends{{"A", 3}, {"B", 9}, {"C", 13}, {"D", 20}, {"E", 15}}));
    EXPECT_EQ(ends(s, "feedback"), (Ends{{"A", 4}, {"B", 20}, {"C", 16}, {"D", 19}, {"E", 11}}));
    EXPECT_EQ(ends(s, "feedback:doubling=yes"), (Ends{{"A", 4}, {"B", 17}, {"C", 18}, {"D", 20}, {"E", 14}}));
}

TEST(Scripts, Linux20DecisionsMatchCppPolicy) {
    const std::uint64_t scenarios = rounds(40, 12, 4);
    for (const char* options : {"", ":yield=one_tick", ":yield=move_last_only,rt_wake_preempts=no"}) {
        const NamedPolicy script = make_policy(std::string("linux_2_0") + options);
        const NamedPolicy own = make_policy(std::string("linux-2.0") + options);
        for (std::uint64_t seed = 1; seed <= scenarios; ++seed) {
            const Scenario scenario = random_scenario(seed);
            const LockstepResult result = find_first_divergence(
                {scenario, *script.policy}, {scenario, *own.policy}, {.until = 2s, .decisions = 3000});
            EXPECT_FALSE(result.divergence) << options << " parts in random scenario " << seed
                                            << " at decision " << result.divergence->decision;
            EXPECT_EQ(script.policy->failure(), nullptr);
        }
    }
}

TEST(Scripts, Linux20VerifiesRecordedKernelDecisions) {
    const Finished verified = run_program({SWITCHYARD_BINARY, "verify", "--policy", "linux_2_0",
                                           SWITCHYARD_SOURCE_DIR "/tests/decisions/linux-2.0.jsonl"},
                                          {.folder = ".", .input = {}, .environment = {}});
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    EXPECT_NE(verified.out.find("none differs"), std::string::npos) << verified.out;
}

TEST(Scripts, RewoundRunReachesSameState) {
    for (const PolicyInfo& info : script_policies()) {
        const auto scenario = std::make_shared<const Scenario>(jobs(
            kTwoHogs +
            R"(, {"name": "C", "program": [{"loop": "forever", "steps": [{"run": "11ms"}, {"sleep": "13ms"}]}]})"));
        RunHistory recording(scenario, make_policy(info.name), {}, {.keyframe_spacing = 64});
        recording.extend_to_end();
        const auto hash_at = [&](Nanos t) {
            Moment moment = recording.beginning();
            recording.state_at(t, moment);
            return moment.machine.hash();
        };
        const std::uint64_t at_300 = hash_at(300ms), at_700 = hash_at(700ms);
        EXPECT_EQ(hash_at(300ms), at_300) << info.name;
        EXPECT_EQ(hash_at(700ms), at_700) << info.name;
    }
}

TEST(Scripts, GlobalAssignmentInCallIsRefused) {
    EXPECT_EQ(failure_of("function tick(p)\n    ticks_so_far = 1\nend\n"),
              "my.lua:2: cannot assign the global variable 'ticks_so_far': make it local, or declare it to "
              "keep its "
              "value: machine_fields { ticks_so_far = 0 }, in tick() at 1ms, after 1 decisions");
}

TEST(Scripts, AssignmentToLoadTimeVariableIsRefused) {
    EXPECT_EQ(refusal_of("local n = 0\nfunction tick(p)\n    n = n + 1\nend\n"),
              "my.lua:3: cannot assign 'n', which outlives the call; declare it to keep its value: "
              "machine_fields { n = 0 }");
    EXPECT_EQ(
        refusal_of("local function counter()\n    local n = 0\n    return function() n = n + 1 end\nend\n"
                   "tick = counter()\n"),
        "my.lua:3: cannot assign 'n', which outlives the call; declare it to keep its value: "
        "machine_fields { n = 0 }");
    // Within one call, a function may modify variables of the enclosing function.
    EXPECT_EQ(failure_of("function tick(p)\n    local n = 0\n    local function count() n = n + 1 end\n"
                         "    count()\n    assert(n == 1)\nend\n"),
              "");
}

TEST(Scripts, LoadTimeTableIsReadOnly) {
    EXPECT_EQ(failure_of("local seen = { 1, 2 }\nfunction tick(p)\n    seen[3] = #seen\nend\n").substr(0, 92),
              "my.lua:3: cannot assign [3]: tables created while the script is loaded are read-only; declar");
    EXPECT_EQ(failure_of("local seen = { 1, 2, last = 7 }\nfunction tick(p)\n    local sum = 0\n"
                         "    for _, n in ipairs(seen) do sum = sum + n end\n"
                         "    for key, n in pairs(seen) do sum = sum + n end\n"
                         "    assert(sum == 13 and #seen == 2)\nend\n"),
              "");
}

TEST(Scripts, EndlessLoopErrorNamesLineAndCallers) {
    EXPECT_EQ(
        failure_of(
            "local function search()\n    while true do end\nend\n\nfunction pick_next()\n    search()\n"
            "end\n"),
        "my.lua:2: the script did not finish within 5000000 instructions, in pick_next() at 0ns, after 0 "
        "decisions; called by pick_next(), line 6");
}

TEST(Scripts, InvalidPickAndLostTaskAreReported) {
    EXPECT_EQ(
        failure_of(
            "function pick_next()\n    for p in tasks() do\n        if not p.runnable then return p end\n"
            "    end\n    return ready:first()\nend\n"),
        "my.lua: pick_next() returned B, which sleeps, in pick_next() at 12ms, after 2 decisions");
    EXPECT_EQ(
        failure_of("function tick(p)\n    if not ready:empty() then ready:remove(ready:first()) end\nend\n"),
        "my.lua: tick() left B on no queue: the task is lost, in tick() at 1ms, after 1 decisions");
    EXPECT_EQ(failure_of("function enqueue(p) end\n"),
              "my.lua: enqueue() did not put A on a queue, in enqueue() at 0ns, after 0 decisions");
}

TEST(Scripts, FailureReportIsRepeatable) {
    const std::string text = "function tick(p) if ticks() == 40 then error('forty') end end\n";
    const auto scenario = std::make_shared<const Scenario>(jobs(kTwoHogs));
    const Engine engine(*scenario, *policy_of(text));
    EXPECT_EQ(failure_of(text), "my.lua:1: forty, in tick() at 40ms, after 7 decisions");
    EXPECT_EQ(failure_of(text), failure_of(text));
}

TEST(Scripts, SeedDeterminesRandomNumbers) {
    Scenario scenario = jobs(kTwoHogs);
    const auto hash_with = [&](std::uint64_t seed) {
        scenario.seed = seed;
        const NamedPolicy lottery = make_policy("lottery:quantum=1");
        const Engine engine(scenario, *lottery.policy);
        Machine m = engine.initial_state();
        engine.run(m, {.until = *scenario.until}, {});
        return m.hash();
    };
    EXPECT_EQ(hash_with(1), hash_with(1));
    EXPECT_NE(hash_with(1), hash_with(2));
}

TEST(Scripts, OptionsHaveFourKinds) {
    const std::string text =
        "-- Says what it was given.\noptions { n = 3, yes_or_no = false, word = 'one|other', list = { 1, 2 } "
        "}\n";
    const PolicyInfo info = script::script_policy("my.lua", text);
    EXPECT_EQ(info.summary, "Says what it was given");
    std::vector<std::string> all;
    for (const OptionInfo& option : info.options) all.push_back(option.name + "=" + option.values.front());
    EXPECT_EQ(all, (std::vector<std::string>{"list=1/2", "n=3", "word=one", "yes_or_no=no"}));
    EXPECT_EQ(make_policy("mlfq:quantum=2/4/8,allotment=1/1/1,stay=yes").spec(),
              "mlfq:quantum=2/4/8,stay=yes");
    EXPECT_THROW(make_policy("mlfq:quantum=2/x"), PolicyError);
    EXPECT_THROW(make_policy("rr:quantum=0"), PolicyError);
    EXPECT_THROW(make_policy("priority:first=middle"), PolicyError);
}

// All commands print the message, exit with 2 and leave standard output empty.
TEST(Scripts, FailureEndsCommandsWithMessage) {
    const ScratchFolder folder;
    std::ofstream(folder.path() / "my.lua") << "function tick(p) error('no') end\n";
    std::ofstream(folder.path() / "stays.lua") << "function yield(p) return ready:first() + 1 end\n";
    const auto refuses = [&](std::vector<std::string> words, const std::string& sentence,
                             const std::string& input = "") {
        words.insert(words.begin(), SWITCHYARD_BINARY);
        const Finished f = run_program(words, {.folder = folder.path(), .input = input, .environment = {}});
        EXPECT_EQ(f.exit_code, 2) << f;
        EXPECT_EQ(f.out, "") << f;
        EXPECT_NE(f.err.find(sentence), std::string::npos) << f;
    };
    const std::string sentence = "my.lua:1: no, in tick() at 10ms, after 1 decisions";
    refuses({"run", "two-hogs", "--policy", "my.lua"}, sentence);
    refuses({"run", "two-hogs", "--policy", "my.lua", "--view", "vmstat"}, sentence);
    refuses({"compare", "two-hogs", "--policy", "rr", "--policy", "my.lua"}, sentence);
    refuses({"sweep", "two-hogs", "--vary", "/tasks/0/count=1,2", "--policy", "my.lua"}, sentence);
    refuses({"verify", "--policy", "stays.lua", SWITCHYARD_SOURCE_DIR "/tests/decisions/linux-2.0.jsonl"},
            "stays.lua:1: attempt to perform arithmetic on a nil value, in yield()");
    refuses({"step", "--policy", "my.lua"}, "my.lua:1: no, in tick()", "task A\nstart\ntick\n");
}

TEST(Scripts, MissingFileErrorNamesTheFile) {
    try {
        make_policy("nowhere/my.lua:quantum=3");
        FAIL();
    } catch (const PolicyError& error) {
        EXPECT_NE(std::string(error.what()).find("nowhere/my.lua"), std::string::npos) << error.what();
    }
}

}  // namespace script_policy_test
}  // namespace sim
