// Random interventions for random scenarios. Most are at times of events, in tasks that exist then.
#pragma once

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/scenario/scenario_json.h"

namespace sim {

// The scenario with at most `most` interventions, chosen along its run under the policy `spec`.
inline nlohmann::ordered_json with_interventions(nlohmann::ordered_json json, std::mt19937_64& random,
                                                 const char* spec, std::size_t most) {
    const Scenario scenario = parse_scenario("random.json", json.dump());
    const NamedPolicy policy = make_policy(spec, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < most; ++i) {
        for (std::uint64_t steps = random() % 80; steps > 0; --steps)
            if (!engine.step(m, *scenario.until, {})) break;
        const TaskId rows = m.globals().high_row - m.first_task();
        if (rows == 0) break;
        const TaskId p = m.first_task() + static_cast<TaskId>(random() % rows);
        if (!m.is_live(p)) continue;
        const std::int64_t late = std::array<std::int64_t, 6>{0, 0, 0, 1, 77, 5'000}[random() % 6];
        nlohmann::ordered_json one{{"at", fmt::format("{}ns", m.globals().now.count() + late)}};
        const char* const kind =
            std::array{"kill", "renice", "wake", "block", "block", "block"}[random() % 6];
        one[kind] = scenario.task_name(m, p);
        if (one.contains("renice")) one["priority"] = 1 + random() % 40;
        if (one.contains("block") && random() % 3 != 0)
            one["for"] = fmt::format("{}us", 1 + random() % 30'000);
        list.push_back(std::move(one));
    }
    json["interventions"] = std::move(list);
    return json;
}

}  // namespace sim
