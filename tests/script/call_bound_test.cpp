// The text of some scripts shows that every call ends, so that their instructions need not be counted.
// Tests that these scripts, and no others, are detected.
#include "sim/script/call_bound.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "sim/script/script_policy.h"
#include "sim/script/tokens.h"

namespace sim::script {
namespace call_bound_test {

bool ends(const std::string& text) { return max_instructions_between_iterations(text).has_value(); }
bool body_ends(const std::string& body) { return ends("function tick(p)\n" + body + "\nend\n"); }

std::string text_of(const PolicyInfo& info) {
    std::string text;
    for (const std::string& line : info.source_lines) text += line + "\n";
    return text;
}

TEST(CallBound, LoopsOverBuiltInIteratorsAreBounded) {
    for (const char* loop :
         {"for p in ready:each() do a() end", "for p in tasks() do for c in cpus() do end end",
          "for p in level[1]:each() do end", "for p in level [i] : each ( ) do end",
          "for k, v in pairs(t) do end", "for i in ipairs(t) do if i then break end end",
          "local a = 'while' .. [[ while ]] -- while", "local a <const> = 5 return p.tick == 5",
          "a, tick = 1, 2", "local t = { pick_next = 2 }"})
        EXPECT_TRUE(body_ends(loop)) << loop;
}

TEST(CallBound, OtherLoopsAreUnbounded) {
    for (const char* loop : {"while a do end",
                             "repeat until a",
                             "goto a",
                             "for i = 1, 3 do end",
                             "for i = 1, 3 do for p in tasks() do end end",
                             "for x in now do end",
                             "for x in now, 1 do end",
                             "for x in assert(now) do end",
                             "for x in pairs(now)() do end",
                             "for x in t() do end",
                             "for x in t.each() do end",
                             "for x in a, ready:each() do end",
                             "for x in ready:each(), a do end",
                             "for x in (ready:each()) do end",
                             "for x in f(), ready:each() do end",
                             "for x in f { ready:each() } do end",
                             "for x in t[f()]:each() do end",
                             "for x in ready:first() do end",
                             "for x in tasks { } do end",
                             "for x in tasks '' do end",
                             "for x in pairs 'a' do end",
                             "for x in t.a:each() do end"})
        EXPECT_FALSE(body_ends(loop)) << loop;
}

TEST(CallBound, ReplacedIteratorsAreUnbounded) {
    for (const char* text :
         {"local tasks = now function tick() for x in tasks() do end end", "tasks = now function tick() end",
          "a, pairs = 1, assert function tick() for x in pairs(now) do end end",
          "_ENV.tasks = now function tick() end", "function tick(tasks) for x in tasks() do end end",
          "function tasks() return now end", "local function pairs(x) return x end",
          "local t = { cpus, 1 } function tick() end"})
        EXPECT_FALSE(ends(text)) << text;
}

TEST(CallBound, RecursiveFunctionsAreUnbounded) {
    EXPECT_FALSE(body_ends("tick(p)"));
    EXPECT_FALSE(body_ends("local a = ''..tick(p)"));
    EXPECT_FALSE(body_ends("return {1, 2 ..tick(p)}"));
    EXPECT_FALSE(ends("function a() b() end function b() return c() end function c() a() end"));
    EXPECT_FALSE(ends("function a() b() end function b() end function b() a() end"));
    EXPECT_TRUE(ends("function a() b() c() end function b() return c() + c() end function c() end"));
}

TEST(CallBound, FunctionsUsedAsValuesAreUnbounded) {
    for (const char* text :
         {"function a(f) f(f) end function b() a(a) end", "local t = { a } function a() end",
          "local f = a function a() end", "function a() end return a",
          "function b() return a end function a() end", "function a() a '' end", "function a() a { } end",
          "f = function() end", "function b() return function() end end",
          "function b() local function a() a() end end", "do function a() end end", "function t.a() end",
          "function t:a() end", "function a(x) end function b() x = a; a(x) end",
          "function a() end function b() return a == b end"})
        EXPECT_FALSE(ends(text)) << text;
}

TEST(CallBound, CountsLongestFunctionWithCallees) {
    EXPECT_EQ(max_instructions_between_iterations("local a = 1"), 1);
    EXPECT_EQ(max_instructions_between_iterations("function a() end"), 5);
    EXPECT_EQ(max_instructions_between_iterations("function a() b() b() end function b() end"),
              5 + 6 + 2 * 5);
    std::string doubled = "function f0() end ";  // each function calls the previous one twice
    for (int i = 1; i <= 60; ++i) {
        const std::string before = "f" + std::to_string(i - 1) + "() ";
        doubled += "function f" + std::to_string(i) + "() " + before + before + "end ";
    }
    EXPECT_FALSE(ends(doubled));
    std::string longest = "function tick() ";
    for (int i = 0; i < 1000; ++i) longest += "a = 1 ";
    EXPECT_TRUE(ends(longest + "end"));
    for (int i = 0; i < 400; ++i) longest += "a = 1 ";
    EXPECT_FALSE(ends(longest + "end"));
}

// Lua finds a loop in each of these texts, although the loop may look like part of a string or a comment.
TEST(CallBound, LexerFollowsLuaStringsAndComments) {
    const std::string loop = " while true do end ";
    EXPECT_FALSE(body_ends("local a = 'a\\z \n\t b'" + loop + "--'"));
    EXPECT_FALSE(body_ends("local a = 'a\\\r\n b'" + loop + "--'"));
    EXPECT_FALSE(body_ends("local a = 'a\\\n b'" + loop + "--'"));
    EXPECT_FALSE(body_ends("local a = 'a\\\\'" + loop + "--'"));
    EXPECT_FALSE(body_ends("local a = \"'\"" + loop + "--'"));
    EXPECT_FALSE(body_ends("--a\r" + loop));
    EXPECT_FALSE(body_ends("--[a\n" + loop + "--]]"));
    EXPECT_FALSE(body_ends("--[==[ ]] ]==]" + loop + "--]]"));
    EXPECT_FALSE(body_ends("local a = t[b[1]]" + loop + "--]]"));
    EXPECT_FALSE(body_ends("local a = 1 --'\n" + loop + "--'"));
    EXPECT_FALSE(body_ends("local a = 1. ." + loop));
    EXPECT_TRUE(body_ends("local a = 'a\\'" + loop + "'"));
    EXPECT_TRUE(body_ends("--[==[\n]] " + loop + "]==]"));
}

TEST(CallBound, BuiltInScriptsAreBoundedExceptListed) {
    const std::set<std::string> counted{"hrrn", "lottery", "mlfq", "multi", "priority", "stride"};
    for (const PolicyInfo& info : script_policies())
        EXPECT_EQ(ends(text_of(info)), !counted.contains(info.name)) << info.name;
}

TEST(CallBound, FallibleDivisionIsUnbounded) {
    for (const char* safe : {"a // 2", "a % 20", "a / b", "a // 1e3", "'%' .. a -- % 0"})
        EXPECT_TRUE(body_ends(std::string("local x = ") + safe)) << safe;
    for (const char* unsafe :
         {"a // b", "a // 0x10", "a % b", "a // 0", "a % 0", "a // (2)", "a % -1", "a // .5", "a //\n b"})
        EXPECT_FALSE(body_ends(std::string("local x = ") + unsafe)) << unsafe;
}

// --- in runs ---

struct End {
    std::uint64_t hash;
    std::string said;
    friend bool operator==(const End&, const End&) = default;
};

// Returns the result of a run with `tasks` tasks. `is_counted`: every instruction is counted, even if that
// is not necessary.
End end_of(const std::string& text, int tasks, bool is_counted) {
    const Scenario scenario =
        parse_scenario("many.json", R"({"format": "switchyard-scenario/1", "until": "50ms",
        "machine": {"hz": 1000}, "tasks": [{"name": "A", "count": )" +
                                        std::to_string(tasks) + R"(, "program": [
            {"loop": "forever", "steps": [{"run": "1700us"}, "yield", {"run": "3ms"}, {"sleep": "2ms"}]}]}]})");
    const PolicyInfo info = script_policy("my.lua", text);
    PolicyOptions options;
    for (const OptionInfo& option : info.options) options.emplace(option.name, option.values.front());
    const auto policy = info.make(options);
    std::int64_t instructions = std::int64_t{1} << 60;
    if (is_counted) policy->set_instruction_budget(&instructions);
    const Engine engine(scenario, *policy);
    Machine m = engine.initial_state();
    engine.run(m, {.until = *scenario.until}, {});
    const PolicyFailure* failure = m.globals().is_stopped ? policy->failure() : nullptr;
    return {m.hash(),
            failure == nullptr ? "" : describe(*failure, [](TaskId) { return std::string("a task"); })};
}

TEST(CallBound, CountingInstructionsDoesNotChangeRun) {
    for (const PolicyInfo& info : script_policies()) {
        const std::string text = text_of(info);
        const End counted = end_of(text, 12, true);
        EXPECT_EQ(counted.said, "") << info.name;
        EXPECT_EQ(end_of(text, 12, false), counted) << info.name;
    }
}

TEST(CallBound, BoundedCallWithManyStepsIsStopped) {
    const std::string endless = R"(function pick_next()
        local t = { 1 }
        for i in ipairs(t) do t[i] = nil; t[i + 1] = 1 end
    end)";
    ASSERT_TRUE(ends(endless));
    EXPECT_EQ(end_of(endless, 2, false).said, end_of(endless, 2, true).said);
    EXPECT_NE(end_of(endless, 2, false).said.find("3: the script did not finish within 5000000 instructions"),
              std::string::npos)
        << end_of(endless, 2, false).said;
    const std::string in_pairs = R"(function tick()
        for p in tasks() do for q in tasks() do for r in tasks() do for s in tasks() do end end end end
    end)";
    ASSERT_TRUE(ends(in_pairs));
    EXPECT_EQ(end_of(in_pairs, 5, false).said, "");
    EXPECT_NE(end_of(in_pairs, 60, false).said.find("did not finish within"), std::string::npos);
}

}  // namespace call_bound_test
}  // namespace sim::script
