// Golden final states under each script policy (tests/golden/script_hashes.txt). The Lua library is
// Debian's here and is compiled from source for browsers; a script must make the same decisions with both
// libraries, and with all compilers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/core/engine.h"
#include "sim/core/statistics.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/golden_table.h"

namespace sim {
namespace golden_scripts_test {

// These scenarios contain jobs that start and exit, yields, real-time tasks, sleeps and wake-ups, on
// machines with and without costs.
constexpr const char* kScenarios[] = {"lesson-11-convoy", "lesson-11-gaming",   "lesson-12-goodness",
                                      "two-hogs",         "interactive-vs-hog", "yield-processes",
                                      "create-process"};

TEST(GoldenScripts, EndStatesMatchHashTable) {
    std::vector<std::string> names;
    for (const PolicyInfo& info : script_policies()) {
        std::string states;
        for (const char* scenario_name : kScenarios) {
            const Scenario scenario = load_scenario(scenario_name);
            const NamedPolicy policy = make_policy(info.name);
            const Engine engine(scenario, *policy.policy);
            Machine m = engine.initial_state();
            engine.run(m, {.until = 2s, .decisions = 1500}, {});
            EXPECT_EQ(policy.policy->failure(), nullptr) << info.name << " " << scenario_name;
            states += fmt::format("{} {:016x}\n", scenario_name, m.hash());
        }
        GoldenTable("script_hashes.txt").expect(info.name, states);
        names.push_back(info.name);
    }
    GoldenTable("script_hashes.txt").expect_names(names);
}

}  // namespace golden_scripts_test
}  // namespace sim
