#include "sim/scenario/scenario_builder.h"

#include <fmt/format.h>

#include <vector>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/core/policy.h"
#include "sim/core/policy_names.h"

namespace sim {
namespace {

constexpr std::uint32_t kPipeCapacity = 4096;  // one page, as in Linux until 2.6.10

// The word for a kind of channel that a scenario can list: "lock", "pipe" or "device".
const char* channel_kind_word(ChannelSpec::Kind kind) {
    if (kind == ChannelSpec::Kind::lock) return "lock";
    return kind == ChannelSpec::Kind::pipe_readers ? "pipe" : "device";
}

}  // namespace

TimeDistribution ScenarioBuilder::duration(const JsonValue& value, bool& is_zero) {
    TimeDistribution d;
    if (!value.is_object()) {
        d.a = values.time(value);
        is_zero = d.a == Nanos{};
        return d;
    }
    const std::size_t before = problems.count();
    const JsonValue *mean = nullptr, *range = nullptr;
    values.object(value, {{"exponential", mean}, {"uniform", range}});
    if (problems.count() > before) return d;
    if (value.size() != 1) {
        problems.add(value,
                     "expected a random time: {\"exponential\": mean} or {\"uniform\": [least, most]}");
    } else if (mean != nullptr) {
        d.kind = TimeDistribution::Kind::exponential;
        d.a = values.time(*mean, 1ns);
    } else if (!range->is_array() || range->size() != 2) {
        problems.add(*range, "expected two times: [least, most], like [\"1ms\", \"4ms\"]");
    } else {
        d.kind = TimeDistribution::Kind::uniform;
        d.a = values.time((*range)[0]);
        d.b = values.time((*range)[1]);
        if (d.a > d.b && problems.count() == before)
            problems.add(*range, "the first time is longer than the second");
    }
    return d;
}

std::string ScenarioBuilder::policy(const JsonValue& value) {
    const std::size_t before = problems.count();
    std::string spec = values.string(value, 256);
    if (problems.count() > before) return spec;
    try {
        make_policy(spec, scenario.cpus);
    } catch (const PolicyError& error) {
        problems.add(value, error.what());
    }
    const std::string notice = alias_notice(spec);
    if (!notice.empty()) problems.add_notice(value, notice);
    return resolve_policy_alias(spec);
}

ChannelId ScenarioBuilder::add_channel(ChannelSpec spec) {
    const auto id = static_cast<ChannelId>(scenario.channels.size());
    channels_.emplace(std::pair(spec.kind, spec.name), id);
    scenario.channels.push_back(std::move(spec));
    return id;
}

ChannelId ScenarioBuilder::add_pipe(const std::string& name, std::uint32_t capacity) {
    const ChannelId id = add_channel({.kind = Kind::pipe_readers, .name = name});
    add_channel({.kind = Kind::pipe_writers, .name = name, .capacity = capacity});
    return id;
}

ChannelId ScenarioBuilder::add_pipe(const std::string& name) { return add_pipe(name, kPipeCapacity); }

bool ScenarioBuilder::has_list_of(Kind kind) const {
    return kind == Kind::device || (kind == Kind::lock && lists_locks) ||
           (kind == Kind::pipe_readers && lists_pipes);
}

ChannelId ScenarioBuilder::find_channel(Kind kind, const std::string& name, const JsonValue& at) {
    const auto place = channels_.find({kind, name});
    if (place != channels_.end()) return place->second;
    if (has_list_of(kind) && !name.empty()) {
        std::vector<std::string> names;
        for (const ChannelSpec& spec : scenario.channels)
            if (spec.kind == kind) names.push_back(spec.name);
        std::string hint = did_you_mean(name, names);
        if (hint.empty())
            hint = names.empty()
                       ? fmt::format("; add it to \"{}s\"", channel_kind_word(kind))
                       : fmt::format("; the {}s are {}", channel_kind_word(kind), join(names, ", "));
        problems.add(at, fmt::format("there is no {} '{}'{}", channel_kind_word(kind), name, hint));
    }
    return kind == Kind::pipe_readers
               ? add_pipe(name)
               : add_channel({.kind = kind, .name = name, .capacity = kind == Kind::device});
}

}  // namespace sim
