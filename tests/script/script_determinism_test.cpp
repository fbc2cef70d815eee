// A script behaves the same in every run, independent of Lua's hashes, its memory and earlier calls.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "sim/script/script_policy.h"

namespace sim {
namespace script_determinism_test {

std::unique_ptr<const Policy> loaded(const std::string& text) {
    const PolicyInfo info = script::script_policy("my.lua", text);
    PolicyOptions options;
    for (const OptionInfo& option : info.options) options.emplace(option.name, option.values.front());
    return info.make(options);
}

const Scenario& two() {
    static const Scenario scenario = parse_scenario(
        "two.json", R"({"format": "switchyard-scenario/1", "until": "200ms", "machine": {"hz": 1000},
        "tasks": [{"name": "A", "program": [{"loop": "forever", "steps": [{"run": "7ms"}, "yield"]}]},
                  {"name": "B", "program": [{"loop": "forever", "steps": [{"run": "5ms"}, {"sleep": "3ms"}]}]}]})");
    return scenario;
}

// Returns the hash of the final state, and the error message if there is one.
std::string end_of(const Policy& policy) {
    const Engine engine(two(), policy);
    Machine m = engine.initial_state();
    engine.run(m, {.until = *two().until}, {});
    const PolicyFailure* failure = m.globals().is_stopped ? policy.failure() : nullptr;
    return std::to_string(m.hash()) +
           (failure == nullptr ? "" : describe(*failure, [](TaskId) { return std::string("a task"); }));
}

std::string refusal_of(const std::string& text) {
    try {
        loaded(text);
    } catch (const PolicyError& error) {
        return error.what();
    }
    return {};
}

// In Lua the length of a table with holes has several valid values, depending on the addresses of its
// strings.
TEST(ScriptDeterminism, LengthOfTableStopsAtFirstHole) {
    const std::string text = R"(
        local function odd(n)
            local t = {}
            for j = 1, 7 do t["k" .. n .. "x" .. j] = 1 end
            for j = 1, 7 do t["k" .. n .. "x" .. j] = nil end
            t[1], t[2], t[4] = 1, 1, 1
            for j = 1, 3 do t["z" .. n .. "x" .. j] = 1 end
            t[8] = 1
            return #t
        end
        function enqueue(p)
            assert(odd(ticks()) == 2)
            if odd(ticks()) > 2 then ready:add_first(p) else ready:add_last(p) end
        end)";
    std::set<std::string> ends;
    for (int i = 0; i < 8; ++i) ends.insert(end_of(*loaded(text)));
    EXPECT_EQ(ends.size(), 1U);
}

TEST(ScriptDeterminism, LengthWithoutHolesMatchesLua) {
    EXPECT_EQ(end_of(*loaded(R"lua(
        local kept, empty = { 4, 5, 6, name = 1 }, {}
        local text = "# is no operator here, nor is ^" .. [[ # ^ ]] .. '\'#^' --[==[ # ^ ]] ]==] -- # ^
        level = queues(3)
        function enqueue(p)
            assert(#kept == 3 and #empty == 0 and #level == 3 and #level[1] >= 0 and #"four" == 4)
            assert(-#kept == -3 and 2 * #kept + 1 == 7 and not (#kept > 3) and #{ {}, {} } == 2 and #text == 39)
            level[#level]:add_last(p)
        end)lua")),
              end_of(*loaded("level = queues(3) function enqueue(p) level[3]:add_last(p) end")));
    EXPECT_EQ(refusal_of("function tick(p)\n    return #nil > 1\nend"), "");  // no error until the line runs
    EXPECT_NE(end_of(*loaded("function tick(p)\n    return #nil > 1\nend"))
                  .find("my.lua:2: attempt to get length of a nil value"),
              std::string::npos);
}

TEST(ScriptDeterminism, PowerOperatorIsRefusedWithLine) {
    EXPECT_EQ(refusal_of("local a = 1\nlocal b = a ^ 2\n").substr(0, 31), "my.lua:2: '^' is not available,");
}

// The counter of Lua's count hook is not reset between calls.
TEST(ScriptDeterminism, InstructionLimitAppliesPerCall) {
    const auto used = loaded("function tick(p)\n    for i = 1, 4998500 + 100 * ticks() do end\nend");
    const std::string first = end_of(*used);
    EXPECT_NE(first.find("did not finish"), std::string::npos) << first;
    EXPECT_EQ(end_of(*used), first) << "the calls of the run before count, too";
}

// Each iteration causes a table with 65,536 keys to be rebuilt. If rebuilding did not count towards the
// limit, a call would take minutes.
TEST(ScriptDeterminism, TableRehashCountsTowardsLimit) {
    EXPECT_NE(end_of(*loaded(R"(
        function tick(p)
            local t = {}
            for k = 1, 65536 do t[k * 2.5] = 1 end
            local k = 65536
            while true do
                t[k * 2.5] = nil
                t[-k * 2.5] = 1
                k = k - 1
                if k == 0 then k = 65536 end
            end
        end)"))
                  .find("my.lua:"),
              std::string::npos);
}

TEST(ScriptDeterminism, FirstOfSeveralMistakesIsReported) {
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(
            refusal_of(
                "local x, y = 0, 0\nfunction f() x = 1 end\nfunction g() y = 1 end\nfunction h() x = 2 end\n"
                "function tick(p) f() g() h() end\n")
                .substr(0, 27),
            "my.lua:2: cannot assign 'x'");
        EXPECT_EQ(refusal_of("options { a = -1, b = {}, c = 'x', d = -4 }").substr(0, 19),
                  "my.lua:1: option 'a");
        EXPECT_EQ(refusal_of("function preempt(p) end\nfunction enqueu(p) end\n").substr(0, 30),
                  "my.lua:2: 'enqueu' is never ca");
    }
}

// All ways to access a global variable: after many constants, or with a long name, Lua uses other
// instructions.
TEST(ScriptDeterminism, EveryWayToAssignGlobalsIsRefused) {
    std::string constants = "local t = {";
    for (int i = 0; i < 300; ++i) constants += " 'a" + std::to_string(i) + "',";
    constants += " } ";
    const std::string long_name(60, 'n');
    for (const std::string& tick :
         {std::string("function tick(p) kept = 2 end"), "function tick(p) " + constants + "kept = 2 end",
          "function tick(p) " + long_name + " = 2 end",
          std::string("function tick(p) local function inner() kept = 2 end inner() end"),
          std::string("function tick(p) local _ENV = _ENV kept = 2 end"),
          std::string("local e = _ENV function tick(p) e.kept = 2 end"),
          std::string("local e = _ENV function tick(p) local mine = e mine.kept = 2 end"),
          std::string("local function give(_ENV) kept = 2 end function tick(p) give(_ENV) end"),
          std::string("function tick(p) consider = 2 end"), std::string("function tick(p) option = {} end")})
        for (const char* before : {"kept = 1 ", ""}) {
            const std::string text = before + tick;
            EXPECT_NE(end_of(*loaded(text)).find("cannot assign the global variable"), std::string::npos)
                << text.substr(0, 200);
        }
    EXPECT_NE(end_of(*loaded("local t = {} function tick(p) t.kept = 2 end")).find("loaded are read-only"),
              std::string::npos);
    EXPECT_NE(end_of(*loaded("kept = {} function tick(p) kept.x = 2 end")).find("loaded are read-only"),
              std::string::npos);
    // A function that only reads globals still gets the usual error message for an unknown name.
    EXPECT_NE(
        end_of(*loaded("kept = 1 function tick(p) return kept + kpet end")).find("did you mean 'kept'?"),
        std::string::npos);
    const std::string reads = "kept = 1 function tick(p) assert(kept == 1) return true end";
    EXPECT_EQ(end_of(*loaded(reads)), end_of(*loaded("local e = _ENV " + reads)));
}

}  // namespace script_determinism_test
}  // namespace sim
