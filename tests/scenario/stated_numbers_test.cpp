// What the numbers of scenarios rest on: every shipped scenario says it of every number that decides its run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"

namespace sim {
namespace stated_numbers_test {

using nlohmann::json;

// What decides how much there is of something, how long it takes, or how often it happens. Not: which CPUs
// and classes tasks have, and the seed.
bool is_number(const json& value) {
    if (value.is_number()) return true;
    if (!value.is_string()) return false;
    const auto text = value.get<std::string>();
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

bool is_covered(const std::string& pointer, const std::vector<StatedNumber>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), [&](const StatedNumber& n) {
        return pointer == n.pointer || pointer.starts_with(n.pointer + "/");
    });
}

void expect_covered(const json& value, const std::string& pointer, const std::vector<StatedNumber>& numbers) {
    if (is_number(value)) {
        EXPECT_TRUE(is_covered(pointer, numbers)) << pointer << ": what does " << value << " rest on?";
        return;
    }
    if (!value.is_structured()) return;
    for (const auto& [key, child] : value.items()) {
        const bool is_no_quantity = key == "rt_priority" || key == "affinity" || key == "name";
        if (!is_no_quantity) expect_covered(child, pointer + "/" + key, numbers);
    }
}

class Shipped : public testing::TestWithParam<std::string> {};

TEST_P(Shipped, ScenarioSaysWhatItsNumbersRestOn) {
    const std::vector<StatedNumber> numbers = load_scenario(GetParam()).numbers;
    const json file = json::parse(find_builtin(GetParam() + ".json")->text, nullptr, true, true);
    for (const char* part : {"cpus", "pipes", "devices", "tasks"})
        if (file.contains(part)) expect_covered(file[part], std::string("/") + part, numbers);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Shipped, testing::ValuesIn(builtin_names("")), [](const auto& name) {
    std::string text = name.param;
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
});

TEST(StatedNumbers, AreReadWithTheirReasons) {
    const Scenario scenario = parse_scenario("test.json", R"({"format": "switchyard-scenario/1",
        "machine": "pentium-mmx-200", "until": "1s", "devices": {"a/b": {"service": "1ms"}},
        "tasks": [{"name": "a", "program": [{"io": "a/b"}]}],
        "numbers": {"/tasks": "tuned: until it fits", "/devices/a~1b/service": "cited: a data sheet"}})");
    ASSERT_EQ(scenario.numbers.size(), 2u);
    EXPECT_EQ(scenario.numbers[0].pointer, "/devices/a~1b/service");
    EXPECT_EQ(scenario.numbers[0].basis, "cited");
    EXPECT_EQ(scenario.numbers[1].basis, "tuned");
    EXPECT_EQ(scenario.numbers[1].reason, "until it fits");
}

}  // namespace stated_numbers_test
}  // namespace sim
