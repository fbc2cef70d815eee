#include "sim/scenario/interventions_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/core/action.h"

namespace sim {
namespace {

constexpr std::size_t kMostInterventions = 10'000;
constexpr std::size_t kFewNames = 12;  // maximum number of names listed in a message
// Maximum number of task groups whose names are searched for a similar name.
constexpr std::size_t kManyNames = 1'000;

// The task that an intervention changes: the index of its group, and its ordinal in the group.
struct TaskName {
    std::uint32_t group = 0, ordinal = 0;
};

class InterventionsReader {
  public:
    explicit InterventionsReader(ScenarioBuilder& draft)
        : draft_(draft), forked_(groups_with_action("fork")), executed_(groups_with_action("exec")) {
        for (const TaskGroup& group : draft.scenario.groups) initial_tasks_ += group.count;
    }

    void read(const JsonValue& value) {
        ScenarioIntervention one;
        InterventionMembers members;
        const std::size_t before = draft_.problems.count();
        if (!draft_.values.object(value, {{"at", [&](const JsonValue& v) { one.at = draft_.values.time(v); },
                                           "\"at\" is missing: the time of the intervention, like \"5ms\""},
                                          {"kill", members.kill},
                                          {"renice", members.renice},
                                          {"wake", members.wake},
                                          {"block", members.block},
                                          {"priority", members.priority},
                                          {"for", members.span}}))
            return;
        const JsonValue* const task = read_kind(members, one.kind);
        if (task == nullptr) {
            if (draft_.problems.count() == before)
                draft_.problems.add(value,
                                    "expected \"kill\", \"renice\", \"wake\" or \"block\" with the name "
                                    "of a task");
            return;
        }
        if (const std::optional<TaskName> name = task_name(*task)) {
            one.group = name->group;
            one.ordinal = name->ordinal;
        }
        read_priority(value, members.priority, one);
        read_block_time(members.span, one);
        draft_.scenario.interventions.push_back(one);
    }

  private:
    using Kind = ScenarioIntervention::Kind;

    // The members of an intervention; null if absent. Only one of kill, renice, wake and block is allowed;
    // its value is the name of the task.
    struct InterventionMembers {
        const JsonValue *kill = nullptr, *renice = nullptr, *wake = nullptr, *block = nullptr,
                        *priority = nullptr, *span = nullptr;
    };

    // Sets `kind` and returns the value that names the task. Returns null if no kind is specified, or after a
    // problem.
    const JsonValue* read_kind(const InterventionMembers& members, Kind& kind) {
        const JsonValue* task = nullptr;
        for (const auto& [one, given] :
             {std::pair{Kind::kill, members.kill}, std::pair{Kind::renice, members.renice},
              std::pair{Kind::wake, members.wake}, std::pair{Kind::block, members.block}}) {
            if (given == nullptr) continue;
            if (task != nullptr) {
                draft_.problems.add(
                    *given,
                    fmt::format("specify \"{}\" or \"{}\", not both", to_string(kind), to_string(one)), true);
                return nullptr;
            }
            kind = one;
            task = given;
        }
        return task;
    }

    void read_priority(const JsonValue& value, const JsonValue* priority,
                       ScenarioIntervention& intervention) {
        if (priority == nullptr) {
            if (intervention.kind == Kind::renice)
                draft_.problems.add(value, "\"priority\" is missing: the new priority, from 1 to 40");
        } else if (intervention.kind != Kind::renice) {
            draft_.problems.add(*priority, "\"priority\" is allowed only with \"renice\"", true);
        } else {
            intervention.priority = static_cast<std::int32_t>(draft_.values.integer(*priority, 1, 40));
        }
    }

    void read_block_time(const JsonValue* span, ScenarioIntervention& intervention) {
        if (intervention.kind != Kind::block) {
            if (span != nullptr) draft_.problems.add(*span, "\"for\" is allowed only with \"block\"", true);
            return;
        }
        draft_.has_blocks = true;
        if (span != nullptr)
            intervention.span = draft_.values.time(*span, Nanos{1});
        else
            intervention.channel = channel_of_blocked_tasks();
    }

    // For each task group, whether a program step with this action ("fork" or "exec") refers to the group.
    std::vector<bool> groups_with_action(std::string_view name) const {
        const std::uint8_t action = action_index(name);
        std::vector<bool> found(draft_.scenario.groups.size());
        for (const Step& step : draft_.scenario.steps)
            if (step.action == action) found[step.target] = true;
        return found;
    }

    // Returns the channel on which blocked tasks wait. Its name contains a space, so no program can use it.
    ChannelId channel_of_blocked_tasks() {
        if (channel_ == kNoChannel)
            channel_ =
                draft_.add_channel({.kind = ChannelSpec::Kind::channel, .name = "wake (intervention)"});
        return channel_;
    }

    // Whether a task of the group can have this ordinal. A task that exists at the start has an ordinal from
    // 1 to the count of the group. The ordinal of a forked task is its pid, which is above all pids at the
    // start. The ordinal of a task that joined the group by exec is its pid, which can be any number.
    bool can_task_exist(std::uint32_t group, std::uint32_t ordinal) const {
        if (ordinal == 0) return false;
        if (ordinal <= draft_.scenario.groups[group].count || executed_[group]) return true;
        return forked_[group] && ordinal > initial_tasks_;
    }

    // The task with this name, as output shows it: "A", or "A.3" if the group has several tasks.
    std::optional<TaskName> task_name(const JsonValue& value) {
        const std::string text = draft_.values.name(value);
        if (text.empty()) return std::nullopt;
        const std::vector<TaskGroup>& groups = draft_.scenario.groups;
        std::optional<std::uint32_t> group;
        if (const auto place = draft_.groups.find(text); place != draft_.groups.end()) {
            if (groups[place->second].count == 1) return TaskName{place->second, 1};
            group = place->second;
        } else if (const std::size_t dot = text.rfind('.'); dot != std::string::npos) {
            std::uint32_t ordinal = 0;
            const char* const end = text.data() + text.size();
            const auto [rest, error] = std::from_chars(text.data() + dot + 1, end, ordinal);
            const auto of = draft_.groups.find(text.substr(0, dot));
            if (error == std::errc{} && rest == end && of != draft_.groups.end()) {
                group = of->second;
                const bool is_shown_without = groups[*group].count == 1 && ordinal == 1;
                const bool is_canonical = text[dot + 1] != '0';
                if (is_canonical && !is_shown_without && can_task_exist(*group, ordinal))
                    return TaskName{*group, ordinal};
            }
        }
        draft_.problems.add(value, fmt::format("there is no task '{}'{}", text, task_name_hint(text, group)));
        return std::nullopt;
    }

    // Names of the group's tasks, for a message.
    std::string task_names_of(std::uint32_t group) const {
        const TaskGroup& g = draft_.scenario.groups[group];
        if (g.count == 0) return fmt::format("{}.PID", g.name);
        if (g.count == 1) return g.name;
        return fmt::format("{}.1 to {}.{}", g.name, g.name, g.count);
    }

    std::string task_name_hint(const std::string& text, std::optional<std::uint32_t> group) const {
        if (group) {
            const TaskGroup& g = draft_.scenario.groups[*group];
            if (g.count == 1) return fmt::format("; did you mean '{}'?", g.name);
            return fmt::format("; the tasks of '{}' are {}", g.name, task_names_of(*group));
        }
        std::vector<std::string> names, all;
        const auto count = static_cast<std::uint32_t>(draft_.scenario.groups.size());
        for (std::uint32_t i = 0; i < std::min<std::size_t>(count, kManyNames); ++i) {
            const TaskGroup& g = draft_.scenario.groups[i];
            if (g.count <= 1)
                names.push_back(g.name);
            else
                for (const std::uint32_t ordinal : {1u, g.count})
                    names.push_back(fmt::format("{}.{}", g.name, ordinal));
            all.push_back(task_names_of(i));
        }
        std::string similar = did_you_mean(text, names);
        if (similar.empty() && all.size() <= kFewNames)
            similar = fmt::format("; the tasks here are {}", join(all, ", "));
        return similar;
    }

    ScenarioBuilder& draft_;
    std::vector<bool> forked_, executed_;
    std::uint64_t initial_tasks_ = 0;
    ChannelId channel_ = kNoChannel;
};

}  // namespace

void read_interventions(ScenarioBuilder& draft, const JsonValue& list) {
    if (!list.is_array())
        return draft.problems.add(list, "expected a list of interventions ([...]), got " + kind_of(list));
    if (list.size() > kMostInterventions)
        return draft.problems.add(
            list, fmt::format("{} interventions; the limit is {}", list.size(), kMostInterventions));
    InterventionsReader reader(draft);
    for (const JsonValue* one : list.children()) reader.read(*one);
    std::stable_sort(
        draft.scenario.interventions.begin(), draft.scenario.interventions.end(),
        [](const ScenarioIntervention& a, const ScenarioIntervention& b) { return a.at < b.at; });
}

}  // namespace sim
