// The scenario under construction. The classes that read parts of a scenario file (tasks, programs,
// interventions) share this object.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "sim/core/scenario.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/problems.h"

namespace sim {

struct ScenarioBuilder {
    using Kind = ChannelSpec::Kind;

    explicit ScenarioBuilder(const JsonTree& source) : problems(source), values(problems) {}
    ScenarioBuilder(const ScenarioBuilder&) = delete;
    ScenarioBuilder& operator=(const ScenarioBuilder&) = delete;

    // Reads a fixed or random time. For a fixed time, sets `is_zero` to whether the time is 0.
    TimeDistribution duration(const JsonValue& value, bool& is_zero);
    // Reads a policy with its options and checks that it supports scenario.cpus CPUs. REQUIRES: scenario.cpus
    // has been set.
    std::string policy(const JsonValue& value);

    ChannelId add_channel(ChannelSpec spec);
    // Adds a pipe, which has two channels. Returns the channel of the readers; the channel of the writers has
    // the next index.
    ChannelId add_pipe(const std::string& name, std::uint32_t capacity);
    ChannelId add_pipe(const std::string& name);
    // Returns the channel of this kind and name. The channel is created if it does not exist. If the scenario
    // has a list of the channels of this kind, and the list lacks the name, a problem is added at `at`.
    ChannelId find_channel(Kind kind, const std::string& name, const JsonValue& at);

    Problems problems;
    ValueReader values;
    Scenario scenario;
    bool lists_locks = false, lists_pipes = false;
    std::map<std::string, std::uint32_t> groups;  // indices of the task groups, by name
    bool forks = false;                           // tasks may be created during the run
    bool endless = false;                         // a program may run forever
    bool has_blocks = false;                      // an element of "interventions" puts a task to sleep
    std::uint32_t loop_depth = 0;                 // largest nesting depth of the loops read so far

  private:
    bool has_list_of(Kind kind) const;

    std::map<std::pair<Kind, std::string>, ChannelId> channels_;
};

}  // namespace sim
