// Each shipped scenario states the provenance of every number that affects its run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/command_line.h"

namespace sim {
namespace provenance_test {

using nlohmann::json;

// True for amounts, durations and frequencies.
bool is_number(const json& value) {
    if (value.is_number()) return true;
    if (!value.is_string()) return false;
    const auto text = value.get<std::string>();
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

std::vector<std::string> pieces_of(const std::string& pointer) {
    return json_pointer_segments(pointer).value();
}

// "4-11" denotes the elements 4 to 11.
bool is_named_by(const std::string& said, const std::string& piece) {
    const std::size_t dash = said.find('-');
    if (said == piece || dash == std::string::npos ||
        piece.find_first_not_of("0123456789") != std::string::npos)
        return said == piece;
    const int i = std::stoi(piece);
    return std::stoi(said.substr(0, dash)) <= i && i <= std::stoi(said.substr(dash + 1));
}

bool is_covered(const std::string& pointer, const std::vector<ProvenanceEntry>& numbers) {
    const std::vector<std::string> pieces = pieces_of(pointer);
    return std::any_of(numbers.begin(), numbers.end(), [&](const ProvenanceEntry& n) {
        const std::vector<std::string> said = pieces_of(n.pointer);
        return said.size() <= pieces.size() &&
               std::equal(said.begin(), said.end(), pieces.begin(), is_named_by);
    });
}

void expect_covered(const json& value, const std::string& pointer,
                    const std::vector<ProvenanceEntry>& numbers) {
    if (is_number(value)) {
        EXPECT_TRUE(is_covered(pointer, numbers)) << pointer << ": what does " << value << " rest on?";
        return;
    }
    if (!value.is_structured()) return;
    for (const auto& [key, child] : value.items()) {
        // CPU numbers, real-time priority and name are not amounts. The count 0 of a group that is only
        // forked is not an amount either.
        const bool is_no_amount =
            key == "rt_priority" || key == "affinity" || key == "name" || (key == "count" && child == 0);
        if (!is_no_amount) expect_covered(child, pointer + "/" + escaped_pointer_segment(key), numbers);
    }
}

class Shipped : public testing::TestWithParam<std::string> {};

TEST_P(Shipped, ScenarioStatesBasisOfEveryNumber) {
    const std::vector<ProvenanceEntry> numbers = load_scenario(GetParam()).provenance;
    const json file = json::parse(find_builtin_file(GetParam() + ".json")->text, nullptr, true, true);
    for (const char* part : {"cpus", "pipes", "devices", "tasks"})
        if (file.contains(part)) expect_covered(file[part], std::string("/") + part, numbers);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Shipped, testing::ValuesIn(builtin_file_names("")), [](const auto& name) {
    std::string text = name.param;
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
});

constexpr const char* kTwoStated = R"({"format": "switchyard-scenario/1",
    "machine": "pentium-mmx-200", "until": "1s", "devices": {"a/b": {"service_time": "1ms"}},
    "tasks": [{"name": "a", "program": [{"io": "a/b"}]}],
    "provenance": {"/tasks": "tuned: until it fits", "/devices/a~1b/service_time": "cited: a data sheet"}})";

TEST(Provenance, AreReadWithBasisAndReason) {
    const Scenario scenario = parse_scenario("test.json", kTwoStated);
    ASSERT_EQ(scenario.provenance.size(), 2u);
    EXPECT_EQ(scenario.provenance[0].pointer, "/devices/a~1b/service_time");
    EXPECT_EQ(scenario.provenance[0].basis, "cited");
    EXPECT_EQ(scenario.provenance[1].basis, "tuned");
    EXPECT_EQ(scenario.provenance[1].reason, "until it fits");
}

TEST(Provenance, RangeCoversConsecutiveElements) {
    const std::vector<ProvenanceEntry> said{{"/tasks/9-11/count", "chosen", "some"}};
    EXPECT_TRUE(is_covered("/tasks/9/count", said));
    EXPECT_TRUE(is_covered("/tasks/11/count", said));
    EXPECT_FALSE(is_covered("/tasks/12/count", said));
    EXPECT_FALSE(is_covered("/tasks/10/nice", said));
    for (const char* name : {"reclamation-ebr", "php-fpm"}) {
        const std::vector<ProvenanceEntry> numbers = load_scenario(name).provenance;
        EXPECT_TRUE(is_covered("/tasks/11/program/0/steps/1", numbers)) << name;
    }
}

// The file has no provenance for a value that the user sets. The entries in the file must not prevent the
// user from setting it.
TEST(Provenance, ValuesOfTheSetOptionAreNotListed) {
    for (const std::string set :
         {"/devices/a~1b/service_time=2ms", R"(/devices/a~1b={"service_time": "2ms"})", R"(/devices={})"}) {
        const std::string io = R"(/tasks=[{"name": "a", "program": [{"run": "1ms"}]}])";
        const Scenario both = parse_scenario("test.json", kTwoStated, std::vector{io, set});
        EXPECT_TRUE(both.provenance.empty()) << set;
    }
    const Scenario one =
        parse_scenario("test.json", kTwoStated, std::vector<std::string>{"/tasks/0/count=2"});
    EXPECT_EQ(one.provenance.size(), 2u) << "the other numbers of /tasks are still the file's";
}

class ListOfNumbers : public CommandLine {};

TEST_F(ListOfNumbers, CoversShippedScenariosWithKnownBases) {
    std::set<std::string> scenarios, bases;
    for (const json& entry : json_output({"list", "provenance"})) {
        scenarios.insert(entry.at("scenario"));
        bases.insert(entry.at("basis"));
        EXPECT_NE(entry.at("reason"), "") << entry;
    }
    const std::vector<std::string> names = builtin_file_names("");
    EXPECT_EQ(scenarios, std::set<std::string>(names.begin(), names.end()));
    EXPECT_EQ(bases, (std::set<std::string>{"assumed", "chosen", "cited", "derived", "measured", "tuned"}))
        << "what is fitted are prices, which machines have";
    EXPECT_NE(output({"list", "provenance"}).find("web-server /until "), std::string::npos);
}

}  // namespace provenance_test
}  // namespace sim
