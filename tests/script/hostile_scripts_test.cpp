// Scripts that are wrong, or mean harm: each of tests/bad/scripts/ is refused with its line, when it is
// loaded or at the event at which it goes wrong, in the words of expected.txt there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "sim/script/script_policy.h"
#include "tests/support/program.h"

namespace sim {
namespace hostile_scripts_test {

const std::filesystem::path kFolder = SWITCHYARD_SOURCE_DIR "/tests/bad/scripts";

// Each name with the message below it, which is indented.
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

// What is said of it under a task that computes and yields, and one that computes and sleeps; "" if nothing
// is.
std::string said_of(const std::string& name) {
    static const Scenario scenario =
        parse_scenario("two.json", R"({"format": "switchyard-scenario/1", "title": "two", "until": "100ms",
        "machine": {"hz": 1000}, "tasks": [
            {"name": "A", "program": [{"loop": "forever", "steps": [{"run": "7ms"}, "yield"]}]},
            {"name": "B", "program": [{"loop": "forever", "steps": [{"run": "5ms"}, {"sleep": "3ms"}]}]}]})");
    try {
        const PolicyInfo info = script::script_policy(name, content_of(kFolder / name));
        PolicyOptions options;
        for (const OptionInfo& option : info.options) options.emplace(option.name, option.values.front());
        const auto policy = info.make(options);
        const Engine engine(scenario, *policy);
        Machine m = engine.initial_state();
        engine.run(m, {.until = *scenario.until}, {});
        engine.check(m);
    } catch (const PolicyError& error) {
        return error.what();
    }
    return "";
}

class HostileScript : public testing::TestWithParam<std::string> {};

TEST_P(HostileScript, IsRefusedInTheseWords) {
    static const auto messages = expected();
    const auto message = messages.find(GetParam());
    ASSERT_NE(message, messages.end()) << "expected.txt does not know it";
    EXPECT_EQ(said_of(GetParam()), message->second);
}

INSTANTIATE_TEST_SUITE_P(All, HostileScript, testing::ValuesIn(names()), [](const auto& of) {
    std::string name = of.param.substr(0, of.param.find('.'));
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
});

TEST(HostileScripts, ThereAreSixtyAtLeastAndNoMessageTooMany) {
    EXPECT_GE(names().size(), 60U);
    EXPECT_EQ(names().size(), expected().size());
}

}  // namespace hostile_scripts_test
}  // namespace sim
