// Prints the speed of `switchyard run web-server` with statistics: the best of five runs, in switches per
// second. `./run check-web` compares native code with WebAssembly.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "sim/core/engine.h"
#include "sim/core/statistics.h"
#include "sim/scenario/scenario_json.h"

int main() {
    using Clock = std::chrono::steady_clock;
    const sim::Scenario scenario = sim::load_scenario("web-server");
    const sim::NamedPolicy policy = sim::make_policy(scenario.policy);
    const sim::Engine engine(scenario, *policy.policy);
    double best = 0;
    for (int round = 0; round < 5; ++round) {
        const Clock::time_point begin = Clock::now();
        sim::Machine machine = engine.initial_state();
        sim::Statistics statistics(scenario.shape);
        engine.run(machine, {.until = *scenario.until}, {.statistics = &statistics});
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        best = std::max(best, static_cast<double>(machine.globals().switches) / seconds);
    }
    std::puts(fmt::format("{:.0f}", best).c_str());
}
