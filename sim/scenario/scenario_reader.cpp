#include "sim/scenario/scenario_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "sim/base/units.h"
#include "sim/scenario/interventions_reader.h"
#include "sim/scenario/machine_reader.h"
#include "sim/scenario/tasks_reader.h"

namespace sim {
namespace {

// Maximum number of listed channels of each kind in a scenario.
constexpr std::size_t kMostChannels = kMaxTasks;

void read_locks(ScenarioBuilder& draft, const JsonValue& list) {
    draft.lists_locks = true;
    if (!list.is_array())
        return draft.problems.add(list, "expected a list of names ([...]), got " + text_in_message(list));
    std::set<std::string> names;
    for (std::size_t i = 0; i < std::min(list.size(), kMostChannels); ++i) {
        const std::string name = draft.values.name(list[i]);
        if (name.empty()) continue;
        if (names.insert(name).second)
            draft.add_channel({.kind = ChannelSpec::Kind::lock, .name = name});
        else
            draft.problems.add(list[i], fmt::format("'{}' is listed twice", name));
    }
}

// Reads an object that maps names to descriptions. Calls read(name, value) for each member.
template <class Read>
void read_named_objects(ScenarioBuilder& draft, const JsonValue& list, Read read) {
    if (!list.is_object())
        return draft.problems.add(
            list, "expected an object ({...}) with a description of each name, got " + text_in_message(list));
    if (list.size() > kMostChannels)
        return draft.problems.add(list, fmt::format("expected at most {} names", kMostChannels));
    for (const JsonValue* member : list.children()) {
        const std::string name = draft.values.name_from_key(*member);
        if (!name.empty()) read(name, *member);
    }
}

void read_pipe(ScenarioBuilder& draft, const std::string& name, const JsonValue& pipe) {
    draft.lists_pipes = true;
    std::optional<std::uint32_t> capacity;
    draft.values.object(
        pipe,
        {{"capacity", [&](const JsonValue& v) { capacity = draft.values.byte_size(v, 1, kLargestSize); }}});
    capacity ? draft.add_pipe(name, *capacity) : draft.add_pipe(name);
}

void read_device(ScenarioBuilder& draft, const std::string& name, const JsonValue& device) {
    ChannelSpec spec{.kind = ChannelSpec::Kind::device, .name = name, .capacity = 1};
    const auto read_service = [&](const JsonValue& v) {
        bool always_zero = false;
        draft.scenario.durations.push_back(draft.duration(v, always_zero));
        spec.service = static_cast<std::uint32_t>(draft.scenario.durations.size() - 1);
    };
    draft.values.object(
        device,
        {{"service_time", read_service, "\"service_time\" is missing: the time to serve a request"},
         {"servers", [&](const JsonValue& v) { spec.capacity = draft.values.count(v, 1, kMaxTasks); }},
         {"interruptible", [&](const JsonValue& v) { spec.interruptible = draft.values.boolean(v); }}});
    draft.add_channel(std::move(spec));
}

void read_list_of_tasks(ScenarioBuilder& draft, const JsonValue& tasks, const JsonValue* max_tasks,
                        const JsonValue* interventions) {
    if (!tasks.is_array())
        return draft.problems.add(tasks, "expected a list of tasks ([...]), got " + kind_of(tasks));
    if (tasks.size() > kMaxTasks)
        return draft.problems.add(tasks,
                                  fmt::format("{} task groups; the limit is {}", tasks.size(), kMaxTasks));
    read_tasks(draft, tasks);
    if (interventions != nullptr) read_interventions(draft, *interventions);
    compute_machine_shape(draft, tasks, max_tasks);
}

// Members of a scenario that depend on other members and are read after these; null if absent.
struct DependentMembers {
    const JsonValue *machine = nullptr, *policy = nullptr, *until = nullptr, *max_tasks = nullptr,
                    *locks = nullptr, *pipes = nullptr, *devices = nullptr, *tasks = nullptr,
                    *interventions = nullptr, *provenance = nullptr, *expect = nullptr, *tour = nullptr;
};

// Reads the members that depend on no other member, and stores pointers to the dependent members in
// `dependents`. Returns whether the root is an object.
bool read_members(ScenarioBuilder& draft, const JsonValue& root, DependentMembers& dependents) {
    ValueReader& values = draft.values;
    Scenario& scenario = draft.scenario;
    const auto text = [&values](std::string& said) {
        return [&values, &said](const JsonValue& v) { said = values.string(v); };
    };
    const auto read_title = [&](const JsonValue& v) { scenario.title = values.single_line(v); };
    const auto read_format = [&](const JsonValue& v) {
        if (!v.equals("switchyard-scenario/1"))
            draft.problems.add(v,
                               fmt::format("expected \"switchyard-scenario/1\", got {}", text_in_message(v)));
    };
    const auto read_seed = [&](const JsonValue& v) {
        scenario.seed =
            static_cast<std::uint64_t>(values.integer(v, 0, std::numeric_limits<std::int64_t>::max()));
    };
    const ValueReader::ObjectReadResult read = values.object(
        root, {{"format", read_format, "\"format\": \"switchyard-scenario/1\" is missing"},
               {"title", read_title},
               {"question", text(scenario.question)},
               {"hint", text(scenario.hint)},
               {"machine", dependents.machine},
               {"cpus", [&](const JsonValue& v) { scenario.cpus = values.count(v, 1, kMaxCpus); }},
               {"policy", dependents.policy},
               {"seed", read_seed},
               {"until", dependents.until},
               {"max_tasks", dependents.max_tasks},
               {"locks", dependents.locks},
               {"pipes", dependents.pipes},
               {"devices", dependents.devices},
               {"tasks", dependents.tasks},
               {"interventions", dependents.interventions},
               {"provenance", dependents.provenance},
               {"expect", dependents.expect},
               {"tour", dependents.tour}});
    return static_cast<bool>(read);
}

}  // namespace

void read_scenario(ScenarioBuilder& draft, const JsonValue& root, const std::string& folder) {
    Problems& problems = draft.problems;
    Scenario& scenario = draft.scenario;
    DependentMembers dependents;
    if (!read_members(draft, root, dependents)) return;
    if (dependents.until != nullptr) scenario.until = draft.values.time(*dependents.until, 1ns);
    if (dependents.policy != nullptr) scenario.policy = draft.policy(*dependents.policy);
    scenario.machine = dependents.machine != nullptr ? read_machine(*dependents.machine, folder, problems)
                                                     : read_default_machine(root, folder, problems);
    if (dependents.locks != nullptr) read_locks(draft, *dependents.locks);
    if (dependents.pipes != nullptr)
        read_named_objects(draft, *dependents.pipes,
                           [&](const std::string& name, const JsonValue& v) { read_pipe(draft, name, v); });
    if (dependents.devices != nullptr)
        read_named_objects(draft, *dependents.devices,
                           [&](const std::string& name, const JsonValue& v) { read_device(draft, name, v); });
    if (dependents.tasks != nullptr)
        read_list_of_tasks(draft, *dependents.tasks, dependents.max_tasks, dependents.interventions);
    else
        problems.add(root, "\"tasks\" is missing: the list of tasks and their programs");
    if (dependents.provenance != nullptr) read_provenance(draft, root, *dependents.provenance);
    if (dependents.expect != nullptr) read_expectations(draft, *dependents.expect);
    if (dependents.tour != nullptr) read_tour(draft, *dependents.tour);
    if (draft.endless && dependents.until == nullptr)
        problems.add(root, "a program repeats forever, so \"until\" is required, like \"until\": \"10s\"");
}

}  // namespace sim
