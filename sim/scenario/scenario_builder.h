// The scenario being read, with the state that the readers of its parts share.
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
    Duration duration(const JsonValue& value, bool& is_zero);
    // Reads a policy with its options and checks that it supports scenario.cpus CPUs. REQUIRES: scenario.cpus
    // is known.
    std::string policy(const JsonValue& value);

    ChannelId add_channel(ChannelSpec spec);
    // Adds a pipe, which has two channels. Returns the channel of the readers; the channel of the writers has
    // the next index.
    ChannelId add_pipe(const std::string& name, std::uint32_t capacity);
    ChannelId add_pipe(const std::string& name);
    // The channel with that name, created at its first use. If the scenario lists the channels of this
    // kind, an unlisted name is a problem of the value `at`.
    ChannelId find_channel(Kind kind, const std::string& name, const JsonValue& at);

    Problems problems;
    ValueReader values;
    Scenario scenario;
    bool lists_locks = false, lists_pipes = false;
    std::map<std::string, std::uint32_t> groups;  // indices of the task groups, by name
    bool forks = false;                           // tasks may be created during the run
    bool endless = false;                         // a program may run forever
    bool blocks = false;                          // an intervention blocks a task
    std::uint32_t loop_depth = 0;                 // nesting depth of loops

  private:
    bool has_list_of(Kind kind) const;

    std::map<std::pair<Kind, std::string>, ChannelId> channels_;
};

}  // namespace sim
