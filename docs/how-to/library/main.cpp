// Runs a built-in scenario under a policy, and prints what a yield costs.
#include <cstdio>

#include "sim/core/policy.h"
#include "sim/lab/simulation.h"
#include "sim/scenario/scenario_json.h"

int main() {
    using namespace std::chrono_literals;
    sim::lab::Simulation run(sim::load_scenario("yield-processes"), sim::make_policy("linux-2.0"));
    run.run_until(100ms);
    const auto ns = static_cast<double>(run.now().count());
    std::printf("%.2f us per yield\n", ns / static_cast<double>(run.statistics().yields) / 1000);
}
