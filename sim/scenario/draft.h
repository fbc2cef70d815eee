// A scenario while it is read: what the readers of its parts share.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "sim/core/scenario.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/problems.h"

namespace sim {

struct Draft {
    using Kind = ChannelSpec::Kind;

    explicit Draft(const JsonTree& source) : problems(source), values(problems) {}
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    // A time that is given or drawn; `zero` says that it is always 0.
    Duration duration(const JsonValue& value, bool& zero);
    // A policy with its options, which can schedule so many CPUs. REQUIRES: scenario.cpus is known.
    std::string policy(const JsonValue& value);

    ChannelId add_channel(ChannelSpec spec);
    // Returns the readers' channel; the writers' is the next one.
    ChannelId add_pipe(const std::string& name, std::uint32_t capacity);
    ChannelId add_pipe(const std::string& name);
    // The one of that name, which exists from its first mention. When the scenario lists those of its kind,
    // only these exist, and another one is a problem of the value `at`.
    ChannelId find_channel(Kind kind, const std::string& name, const JsonValue& at);

    Problems problems;
    Values values;
    Scenario scenario;
    bool lists_locks = false, lists_pipes = false;
    std::map<std::string, std::uint32_t> groups;  // the entries of "tasks" by name
    bool forks = false;                           // more tasks may come to be
    bool endless = false;                         // a program may repeat for ever
    std::uint32_t loop_depth = 0;                 // of the deepest loop

  private:
    bool lists(Kind kind) const;

    std::map<std::pair<Kind, std::string>, ChannelId> channels_;
};

}  // namespace sim
