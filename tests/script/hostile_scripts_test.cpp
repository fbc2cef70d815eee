// Faulty and malicious policy scripts. Each script in tests/bad/scripts/ is rejected with its line and the
// message in expected.txt there, when it is loaded or when it fails in a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "sim/script/freeze.h"
#include "sim/script/lua_sandbox.h"
#include "sim/script/script_policy.h"
#include "tests/support/program.h"

namespace sim {
namespace hostile_scripts_test {

const std::filesystem::path kFolder = SWITCHYARD_SOURCE_DIR "/tests/bad/scripts";

// Returns the expected messages by file name. In expected.txt, each message is indented and follows the
// name.
std::map<std::string, std::string> expected() {
    std::map<std::string, std::string> all;
    std::ifstream in(kFolder / "expected.txt");
    std::string name;
    for (std::string line; std::getline(in, line);) {
        if (line.substr(0, 4) == "    ")
            all[name] = line.substr(4);
        else
            name = line;
    }
    return all;
}

std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder))
        if (entry.path().extension() == ".lua") list.push_back(entry.path().filename().string());
    std::sort(list.begin(), list.end());
    return list;
}

// Returns the error message of a run under this script; empty if there is none. Two tasks run: one computes
// and yields, the other computes and sleeps.
std::string said_of(const std::string& name, const std::string& text) {
    static const Scenario scenario =
        parse_scenario("two.json", R"({"format": "switchyard-scenario/1", "title": "two", "until": "100ms",
        "machine": {"hz": 1000}, "tasks": [
            {"name": "A", "program": [{"loop": "forever", "steps": [{"run": "7ms"}, "yield"]}]},
            {"name": "B", "program": [{"loop": "forever", "steps": [{"run": "5ms"}, {"sleep": "3ms"}]}]}]})");
    try {
        const PolicyInfo info = script::script_policy(name, text);
        PolicyOptions options;
        for (const OptionInfo& option : info.options) options.emplace(option.name, option.values.front());
        const auto policy = info.make(options);
        const Engine engine(scenario, *policy);
        Machine m = engine.initial_state();
        engine.run(m, {.until = *scenario.until}, {});
        engine.throw_if_policy_failed(m);
    } catch (const PolicyError& error) {
        return error.what();
    }
    return "";
}

class HostileScript : public testing::TestWithParam<std::string> {};

TEST_P(HostileScript, ErrorMatchesExpectedMessage) {
    static const auto messages = expected();
    const auto message = messages.find(GetParam());
    ASSERT_NE(message, messages.end()) << "expected.txt does not know it";
    const std::string said = said_of(GetParam(), content_of(kFolder / GetParam()));
    // With two mutually recursive functions, the error depends on the version of Lua.
    if (script::kCallsAreHiddenWhileTheStackGrows && GetParam() == "mutual-recursion.lua")
        EXPECT_NE(said.find(": the script uses more than 8 MiB of memory, in tick() at 1ms"),
                  std::string::npos)
            << said;
    else
        EXPECT_EQ(said, message->second);
}

INSTANTIATE_TEST_SUITE_P(All, HostileScript, testing::ValuesIn(names()), [](const auto& of) {
    std::string name = of.param.substr(0, of.param.find('.'));
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
});

TEST(HostileScripts, AtLeastSixtyHaveExpectedMessages) {
    EXPECT_GE(names().size(), 60U);
    EXPECT_EQ(names().size(), expected().size());
}

TEST(HostileScripts, ZeroBytesInStringsAreRefused) {
    using namespace std::string_literals;
    for (const std::string& text : {"'a\0b'"s, "'\\0'"s, "'\\00'"s, "'\\0001'"s, "'\\x00'"s, "\"\\u{0}\""s,
                                    "'a\\\\\\u{000}'"s, "[[a\0]]"s})
        EXPECT_EQ(said_of("x.lua", "\n local a = " + text), "x.lua:2: this string contains a zero byte")
            << text;
    for (const std::string& text : {"'\\\\0'"s, "'\\010'"s, "'\\x01'"s, "'\\u{10}'"s, "[[\\0]]"s, "--\0\n1"s})
        EXPECT_EQ(said_of("x.lua", "\n local a = " + text), "") << text;
    EXPECT_NE(said_of("x.lua", "local a = '\\u{"), "");
}

TEST(HostileScripts, OptionsAreTableDuringLoading) {
    EXPECT_EQ(said_of("x.lua",
                      "options { a = 1 } for k, v in pairs(option) do assert(k == 'a' and #option == 0) end "
                      "for k, v in pairs(_ENV) do end"),
              "");
}

// When memory is almost exhausted, each new string causes a garbage collection, which takes milliseconds.
TEST(HostileScripts, GarbageCollectionInBoundedCallIsLimited) {
    const auto script = [](int tables, const std::string& call) {
        return "local a, b = '" + std::string(490, 'a') + "', '" + std::string(490, 'b') +
               "' local t = {} for i = 0, " + std::to_string(tables) +
               " do local j = i // 1000 + 1 if i % 1000 == 0 then t[j] = {} end t[j][i % 1000 + 1] = {} end "
               "local u = {} for i = 1, 2000 do u[i] = i end "
               "local function keep() return t end function tick(p) local x, k = 1, keep() " +
               call + " return true end";
    };
    std::string concatenations;
    for (int i = 0; i < 700; ++i) concatenations += "x = a..b ";
    for (const std::string& call : {concatenations, "for i, v in ipairs(u) do " + concatenations + "end"}) {
        int fit = 16'000, too_many = 40'000;  // numbers of tables
        while (too_many - fit > 1) {
            const int tables = (fit + too_many) / 2;
            const bool is_loaded = said_of("x.lua", script(tables, ""))
                                       .find("x.lua:1: the script uses more than 8 MiB of memory") != 0;
            (is_loaded ? fit : too_many) = tables;
        }
        const std::string said = said_of("x.lua", script(fit, call));
        EXPECT_TRUE(said.find("the script did not finish within 5000000 instructions") != std::string::npos ||
                    said.find("the script uses more than 8 MiB of memory") != std::string::npos)
            << said;
    }
}

int slow_step(lua_State* L) {
    script::LuaSandbox::of(L).count_loop_step();
    std::uint64_t x = 1;
    for (int i = 0; i < 100'000; ++i) x = x * 6364136223846793005U + static_cast<std::uint64_t>(i);
    lua_pushboolean(L, x != 0);
    return 1;
}

// A time limit ends instructions that take unexpectedly long.
TEST(HostileScripts, LongCallExceedsTimeLimit) {
    for (const bool is_estimated : {false, true}) {
        script::LuaSandbox box(nullptr);
        box.limit_time_per_call(std::chrono::milliseconds(50));
        lua_State* const L = box.state();
        lua_pushcfunction(L, script::call_guarded<slow_step>);
        ASSERT_FALSE(box.compile("local slow = ... for i = 1, 1000000 do slow() end"));
        lua_insert(L, -2);
        if (is_estimated) box.count_instructions_by_estimate(6000);
        const auto problem = box.call("", 1, 0);
        ASSERT_TRUE(problem);
        EXPECT_EQ(problem->what, "the script did not finish within 0.05 s");
        EXPECT_EQ(problem->line, 1);
    }
}

// All keys of the table collide: each step of pairs() takes milliseconds, although it executes few
// instructions.
constexpr const char* kSlowPairs = "local t = {} for i = 1, 4096 do t[i * 4095] = 1 end ";

TEST(HostileScripts, CppIteratorStepsCountAgainstTimeLimit) {
    for (const bool is_estimated : {false, true}) {
        script::LuaSandbox box(nullptr);
        box.limit_time_per_call(std::chrono::milliseconds(50));
        lua_pushcfunction(box.state(), script::call_guarded<script::ordered_pairs>);
        ASSERT_FALSE(box.compile("local pairs = ... " + std::string(kSlowPairs) +
                                 "for i = 1, 1000 do for k in pairs(t) do end end"));
        lua_insert(box.state(), -2);
        if (is_estimated) box.count_instructions_by_estimate(6);
        const auto problem = box.call("", 1, 0);
        ASSERT_TRUE(problem);
        EXPECT_EQ(problem->what, "the script did not finish within 0.05 s");
    }
}

TEST(HostileScripts, TotalTimeOfBoundedCallsIsLimited) {
    std::int64_t instructions = 1000;  // adds 0.001 s to the limit of 1 s
    script::LuaSandbox box(nullptr);
    box.set_shared_instruction_budget(&instructions);
    std::optional<script::Problem> problem;
    int calls = 0;
    for (; !problem && calls < 1000; ++calls) {
        instructions = 1'000'000'000;
        lua_pushcfunction(box.state(), script::call_guarded<script::ordered_pairs>);
        ASSERT_FALSE(box.compile("local pairs = ... " + std::string(kSlowPairs) +
                                 "local n = 0 for k in pairs(t) do n = n + 1 if n == 8 then break end end"));
        lua_insert(box.state(), -2);
        problem = box.call("", 1, 0);
    }
    ASSERT_TRUE(problem) << "no call of these takes long";
    EXPECT_EQ(problem->what, "all calls of the script together took more than 1.001 s of CPU time");
    EXPECT_LT(instructions, 0);
}

TEST(HostileScripts, CommentsAcceptForeignWritingAndEmoji) {
    for (const char* comment : {"\u26a0\ufe0f careful", "\U0001f469\u200d\U0001f4bb by me",
                                "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
                                "\u05e9\u05dc\u05d5\u05dd", "soft\u00adhyphen", "caf\xe9"})
        EXPECT_EQ(said_of("x.lua", "local a = 1 -- " + std::string(comment) + "\n--[[ " + comment + " ]]"),
                  "")
            << comment;
    EXPECT_EQ(said_of("x.lua", "\n--[[ \n\u2029 ]]"),
              "x.lua:2: U+2029 ends a line in some programs but not in others");
    EXPECT_EQ(said_of("x.lua", "local a = '\u200b'"), "x.lua:1: U+200B is an invisible character");
    EXPECT_EQ(said_of("x.lua", "\xef\xbb\xbflocal a = 1\r\nlocal b = 2\r\n"), "");
}

TEST(HostileScripts, TooManyLongFunctionsAreRefused) {
    std::string text = "local t = {} for i = 1, 20000 do t[i] = function() local x local function g() ";
    for (int i = 0; i < 15'000; ++i) text += "x=1 ";
    EXPECT_EQ(said_of("x.lua", text + "end end end function tick(p) return t end"),
              "x.lua: the functions that the script creates have more than 8 MiB in total");
}

}  // namespace hostile_scripts_test
}  // namespace sim
