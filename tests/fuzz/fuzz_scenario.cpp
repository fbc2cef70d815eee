// Fuzz target of the scenario loader: returns a Scenario or throws ScenarioError. An accepted scenario runs
// without breaking an invariant.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "sim/check/invariants.h"
#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "tests/fuzz/small.h"

namespace {

constexpr int kMostEvents = 20'000;

void run(const sim::Scenario& scenario) {
    using namespace std::chrono_literals;
    const sim::NamedPolicy policy = sim::make_policy(scenario.policy);
    const sim::Engine engine(scenario, *policy.policy);
    sim::Machine machine = engine.initial_state();
    sim::Statistics statistics(scenario.shape);
    std::string broken;
    for (int event = 0; event < kMostEvents && broken.empty(); ++event) {
        if (!engine.step(machine, 1s, {.statistics = &statistics})) break;
        if (event % 50 == 0) broken = sim::check_invariants(machine, scenario, *policy.policy, &statistics);
    }
    if (broken.empty()) broken = sim::check_invariants(machine, scenario, *policy.policy, &statistics);
    if (broken.empty()) return;
    std::fprintf(stderr, "broken invariant: %s\n", broken.c_str());
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::optional<sim::Scenario> scenario;
    try {
        scenario = sim::parse_scenario("fuzz.json", std::string(reinterpret_cast<const char*>(data), size));
    } catch (const sim::ScenarioError& error) {
        for (const sim::Problem& problem : error.problems())
            if (problem.message.empty() || problem.text().find('\n') != std::string::npos) std::abort();
        return 0;
    }
    if (is_small(*scenario)) run(*scenario);
    return 0;
}
