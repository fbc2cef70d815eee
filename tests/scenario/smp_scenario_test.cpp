// Scenarios with several CPUs, memory and blocking: loaded values, and completeness of scenarios/schema.json.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sim/core/action.h"
#include "sim/core/residency.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/random_scenario.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace smp_scenario_test {

using nlohmann::json;
using Kind = ChannelSpec::Kind;

std::string with(const std::string& members, const std::string& tasks, const std::string& machine = "") {
    return fmt::format(R"({{"format": "switchyard-scenario/1", "machine": {{{}}}, "until": "1s", {}
        "tasks": [{}]}})",
                       machine, members, tasks);
}

// The first problem without its position; empty if there is none.
std::string problem_of(const std::string& text) {
    try {
        parse_scenario("t.json", text);
    } catch (const ScenarioError& error) {
        return error.problems().front().message;
    }
    return {};
}

TEST(SmpScenario, ReadsChannelsOfEveryKind) {
    const Scenario s = parse_scenario("t.json", with(R"("cpus": 3, "locks": ["l"],
        "pipes": {"p": {"capacity": "8KiB"}, "q": {}},
        "devices": {"d": {"service_time": "8ms", "servers": 2}},)",
                                                     R"(
        {"name": "a", "affinity": [0, 2, 2], "working_set": "64KiB", "program": ["park", {"pipe_write": "p", "bytes": "5KiB"},
            {"lock": "l"}, {"unlock": "l"}, {"io": "d"}, {"pipe_read": "q"}, {"wait": "c"}]},
        {"name": "b", "program": [{"unpark": "a"}, {"exec": "a"}]})"));
    EXPECT_EQ(s.shape.cpus, 3u);
    EXPECT_EQ(s.groups[0].affinity, 0b101u);
    EXPECT_EQ(s.groups[0].working_set, 65'536u);
    EXPECT_EQ(s.groups[1].affinity, ~std::uint64_t{0});
    ASSERT_EQ(s.channels.size(), 8u);  // a lock, two pipes with two ends each, a device, a parking, a channel
    EXPECT_EQ(s.channels[0].kind, Kind::lock);
    EXPECT_EQ(s.channels[1].kind, Kind::pipe_readers);
    EXPECT_EQ(s.channels[2].kind, Kind::pipe_writers);
    EXPECT_EQ(s.channels[2].capacity, 8'192u);
    EXPECT_EQ(s.channels[4].capacity, 4'096u);
    EXPECT_EQ(s.channels[5].kind, Kind::device);
    EXPECT_EQ(s.channels[5].capacity, 2u);
    EXPECT_EQ(s.durations[s.channels[5].service].a, 8ms);
    EXPECT_EQ(s.channels[6].kind, Kind::parking);
    EXPECT_EQ(s.channels[6].name, "a");
    EXPECT_EQ(s.channels[7].kind, Kind::channel);
    EXPECT_EQ(s.shape.recent, 0u);
    EXPECT_EQ(s.shape.mms, 1 + 2 + 3u);  // 1 of the kernel, 2 of the tasks, 3 borrowed by CPUs
}

TEST(SmpScenario, SameNameOfDifferentKindsIsDistinct) {
    const Scenario s = parse_scenario(
        "t.json",
        with(
            "",
            R"({"name": "x", "program": [{"lock": "x"}, {"unlock": "x"}, {"pipe_write": "x"}, {"wake": "x"}, {"unpark": "x"}]})"));
    EXPECT_EQ(s.channels.size(), 5u);
}

TEST(SmpScenario, ReadsTlbAndCacheParameters) {
    const Scenario s =
        parse_scenario("t.json", with("", R"({"name": "a", "program": []})", R"("lazy_tlb": false,
        "tlb": {"entries": 64, "tagged": true, "source": "s", "footprint": {"pages": 12, "source": "f"}, "refill": "60ns"},
        "cache": {"size": "16KiB", "line": "32B", "footprint": "5KiB",
                  "refill": {"time": "90ns", "source": "r"}, "prefetched_refill": "9ns"},
        "costs": {"wake_up": "1us", "copied_page": "2us", "idle_exit": "3us", "reschedule_ipi": "4us"})"));
    EXPECT_EQ(s.machine.lazy_tlb, false);
    const CostModel& c = s.machine.costs;
    EXPECT_EQ(c.tlb.entries, 64u);
    EXPECT_TRUE(c.tlb.tagged);
    EXPECT_EQ(c.tlb.footprint, 12u);
    EXPECT_EQ(c.tlb.footprint_source, "f");
    EXPECT_EQ(c.tlb.refill.time, 60ns);
    EXPECT_EQ(c.cache.size, 16'384u);
    EXPECT_EQ(c.cache.line, 32u);
    EXPECT_EQ(c.cache.footprint, 5'120u);
    EXPECT_EQ(c.cache.refill.source, "r");
    EXPECT_EQ(c.cache.stream.time, 9ns);
    EXPECT_EQ(c.cost_of(KernelWork::wake_up), 1us);
    EXPECT_EQ(c.cost_of(KernelWork::copied_page), 2us);
    EXPECT_EQ(c.cost_of(KernelWork::idle_exit), 3us);
    EXPECT_EQ(c.reschedule_ipi.time, 4us);
    EXPECT_EQ(s.shape.recent, Residency::kRecentTasks);
}

TEST(SmpScenario, SizesRequireWholeNumberAndUnit) {
    const auto size = [](const std::string& text) {
        return parse_scenario(
                   "t.json",
                   with("", fmt::format(R"({{"name": "a", "working_set": "{}", "program": []}})", text)))
            .groups[0]
            .working_set;
    };
    EXPECT_EQ(size("0B"), 0u);
    EXPECT_EQ(size("1 KiB"), 1'024u);
    EXPECT_EQ(size("007MiB"), 7u << 20);
    EXPECT_EQ(size("1GiB"), 1u << 30);
    for (const char* bad :
         {"", "B", "1", "1b", "1.5KiB", "-1B", "1KiBB", "2GiB", "99999999999999999999B", "1e3B"})
        EXPECT_NE(
            problem_of(with("", fmt::format(R"({{"name": "a", "working_set": "{}", "program": []}})", bad))),
            "")
            << bad;
}

TEST(SmpScenario, LocksMayBeReleasedInAnyOrder) {
    const auto problem = [](const std::string& steps) {
        return problem_of(with("", R"({"name": "a", "program": [)" + steps + "]}"));
    };
    EXPECT_EQ(problem(R"({"lock": "x"}, {"lock": "y"}, {"unlock": "x"}, {"unlock": "y"})"), "");
    EXPECT_EQ(problem(R"({"lock": "x"}, {"lock": "y"}, {"loop": 3, "steps": [{"unlock": "x"}, {"unlock": "y"},
        {"lock": "y"}, {"lock": "x"}]}, {"unlock": "x"}, {"unlock": "y"})"),
              "");
    EXPECT_EQ(problem(R"({"lock": "x"}, {"loop": 0, "steps": ["yield"]}, {"unlock": "x"}, "exit")"), "");
    EXPECT_EQ(problem(R"({"loop": "forever", "steps": [{"lock": "x"}, {"run": "1ms"}, {"unlock": "x"}]})"),
              "");
    EXPECT_EQ(
        problem(
            R"({"lock": "x"}, {"loop": "forever", "steps": [{"unlock": "x"}, {"run": "1ms"}, {"lock": "x"}]})"),
        "")
        << "the task never ends, and another one may have it between two rounds";
    EXPECT_NE(problem(R"({"loop": "forever", "steps": [{"lock": "x"}, {"unlock": "x"}]})"), "")
        << "no time passes";
}

TEST(SmpScenario, EndlessExecCycleIsRefused) {
    const auto problem = [](const std::string& tasks) {
        return problem_of(R"({"format": "switchyard-scenario/1", "machine": {}, "tasks": [)" + tasks + "]}");
    };
    const char* const b = R"(, {"name": "b", "count": 0, "program": [{"run": "1ms"}, {"exec": "c"}]})";
    EXPECT_EQ(problem(R"({"name": "c", "program": [{"run": "1ms"}]})" + std::string(b)), "");
    EXPECT_NE(problem(R"({"name": "c", "program": [{"exec": "b"}]})" + std::string(b)), "");
    EXPECT_NE(problem(R"({"name": "a", "program": [{"exec": "a"}]})"), "");
}

TEST(SmpScenario, TooLongAffinityListIsRefused) {
    std::string list = "0";
    for (int i = 0; i < 70; ++i) list += ", 0";
    EXPECT_EQ(problem_of(with("", R"({"name": "a", "affinity": [)" + list + R"(], "program": []})")),
              "expected at most 64 CPUs");
}

TEST(SmpScenario, RandomScenariosAreAccepted) {
    for (std::uint64_t number = 1; number <= (kManyRounds ? 1'000 : 200); ++number) {
        ASSERT_NO_THROW(parse_scenario("r.json", random_smp_scenario_json(number))) << number;
        ASSERT_NO_THROW(parse_scenario("r.json", random_ending_scenario_json(number))) << number;
    }
}

// --- schema.json ---

json schema() {
    std::ifstream in(SWITCHYARD_SOURCE_DIR "/scenarios/schema.json");
    return json::parse(in).at("$defs");
}

std::set<std::string> keys_of(const json& object) {
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.insert(key);
    return keys;
}

// The keys that the loader accepts at a position, from its message about an unknown key.
std::set<std::string> known_keys(const std::string& text) {
    std::string message = problem_of(text);
    const std::string before = "; the keys here are ";
    const std::size_t at = message.find(before);
    EXPECT_NE(at, std::string::npos) << message;
    if (at == std::string::npos) return {};
    std::set<std::string> keys;
    for (std::size_t from = at + before.size(); from < message.size();) {
        const std::size_t end = std::min(message.find(", ", from), message.size());
        keys.insert(message.substr(from, end - from));
        from = end + 2;
    }
    return keys;
}

TEST(ScenarioSchema, HasSameKeysAsLoader) {
    const json defs = schema();
    const std::string a = R"({"name": "a", "program": []})", odd = R"("qqqqqqqqqqqq": 1)";
    // The old names of keys are in the schema, but not in the message.
    const auto properties = [&](const char* def) {
        std::set<std::string> keys;
        for (const auto& [key, property] : defs.at(def).at("properties").items())
            if (!property.value("deprecated", false)) keys.insert(key);
        return keys;
    };
    EXPECT_EQ(known_keys(with(odd + ",", a)), properties("scenario"));
    EXPECT_EQ(known_keys(with("", R"({"name": "a", "program": [], )" + odd + "}")), properties("task"));
    EXPECT_EQ(known_keys(with("", a, odd)), properties("inline_machine"));
    EXPECT_EQ(known_keys(with("", a, R"("costs": {)" + odd + "}")), properties("costs"));
    EXPECT_EQ(known_keys(with("", a, R"("tlb": {)" + odd + "}")), properties("tlb"));
    EXPECT_EQ(known_keys(with("", a, R"("cache": {)" + odd + "}")), properties("cache"));
    EXPECT_EQ(known_keys(with(R"("devices": {"d": {"service_time": "1ms", )" + odd + "}},", a)),
              properties("device"));
    std::set<std::string> intervention;
    for (const json& kind : defs.at("intervention").at("oneOf"))
        intervention.merge(keys_of(kind.at("properties")));
    EXPECT_EQ(known_keys(with(R"("interventions": [{"kill": "a", "at": "1ms", )" + odd + "}],", a)),
              intervention);
    std::set<std::string> machine = properties("inline_machine");
    machine.insert("format");
    EXPECT_EQ(properties("machine"), machine);
}

TEST(ScenarioSchema, ListsEveryAction) {
    std::set<std::string> there, in_schema;
    for (const ActionInfo& info : actions())
        if (info.name.find(' ') == std::string::npos) there.insert(info.name);
    const json steps = schema().at("step").at("oneOf");
    for (const json& step : steps) {
        if (step.contains("enum"))
            for (const json& word : step.at("enum")) in_schema.insert(word);
        else
            in_schema.insert(step.at("required").front());
        if (!step.contains("properties")) continue;
        const std::string action = step.at("required").front();
        std::set<std::string> keys{action};
        const ActionInfo& info = actions()[action_index(action)];
        keys.insert(info.keys.begin(), info.keys.end());
        EXPECT_EQ(keys_of(step.at("properties")), keys);
    }
    EXPECT_EQ(in_schema, there);
}

}  // namespace smp_scenario_test
}  // namespace sim
