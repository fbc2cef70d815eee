#include "sim/scenario/workload_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/core/action.h"
#include "sim/scenario/job_values.h"
#include "sim/scenario/json_edit.h"
#include "sim/scenario/provenance_edit.h"
#include "sim/scenario/scenario_edit.h"
#include "sim/scenario/scenario_reader.h"
#include "sim/scenario/scenario_tree.h"

namespace sim {
namespace {

[[noreturn]] void refuse(const std::string& reason) { throw ScenarioError(Problem{"", 0, 0, {}, reason}); }

// Returns the text, with a byte order mark if the original has one. Throws ScenarioError if the text is not a
// valid scenario.
std::string validated_text(const ScenarioText& original, std::string text) {
    parse_scenario(original.file, text, {}, original.folder);
    const bool has_mark = original.text.starts_with(kByteOrderMark);
    return has_mark && !text.starts_with(kByteOrderMark) ? std::string(kByteOrderMark) + text : text;
}

const JsonValue& task_in(const JsonTree& tree, std::size_t group) {
    return (*tree.root().find("tasks"))[group];
}

// Converts the typed time to JSON. A number without a unit is in ms.
std::string time_json(std::string_view typed) {
    std::string why;
    const std::optional<Nanos> time = parse_job_time(typed, "ms", why);
    if (!time) refuse(why);
    return json_string(job_time_text(*time));
}

std::string priority_json(std::string_view typed) {
    std::string why;
    const std::optional<std::int32_t> priority = parse_job_priority(typed, why);
    if (!priority) refuse(why);
    return fmt::format("{}", *priority);
}

// Returns the text without the members of task group `group` that have these keys, and without the entries of
// "provenance" about these members.
std::string without_members(const ScenarioText& original, std::size_t group,
                            std::initializer_list<std::string_view> keys) {
    const ScenarioTree tree(original.file, original.text);
    const JsonValue& task = task_in(tree, group);
    std::vector<MemberChange> exchanges;
    std::vector<std::string> gone;
    for (const std::string_view key : keys)
        if (const JsonValue* const member = task.find(key); member != nullptr) {
            exchanges.push_back({member, {}});
            gone.push_back(fmt::format("/tasks/{}/{}", group, key));
        }
    if (exchanges.empty()) return original.text;
    std::string text = with_changed_members(tree, task, exchanges);
    return validated_text(original, with_renamed_provenance_pointers(
                                        original.file, std::move(text),
                                        [&](const std::string& pointer) -> std::optional<std::string> {
                                            if (std::find(gone.begin(), gone.end(), pointer) != gone.end())
                                                return std::nullopt;
                                            return pointer;
                                        }));
}

bool is_about_tasks(const JsonValue& expectation) {
    for (const char* const key : {"pointer", "per"})
        if (const JsonValue* const value = expectation.find(key);
            value != nullptr && value->is_string() && value->text().starts_with("/tasks"))
            return true;
    return false;
}

std::string without_expectations_of_tasks(const std::string& file, std::string text) {
    for (;;) {
        const ScenarioTree tree(file, std::move(text));
        const JsonValue* const expect = tree.root().find("expect");
        if (expect == nullptr || !expect->is_array()) return tree.text();
        std::size_t i = 0;
        while (i < expect->size() && !is_about_tasks((*expect)[i])) ++i;
        if (i == expect->size()) return tree.text();
        text = without_element(tree, *expect, i);
    }
}

// Returns the JSON string that names the task of an intervention; null if the task is not of the group. Tasks
// of a group "A" are named "A" or, for example, "A.3", unless "A.3" is the name of another group.
const JsonValue* named_task_of_group(const JsonTree& tree, const JsonValue& intervention,
                                     std::string_view group) {
    for (const char* const kind : {"kill", "renice", "wake", "block"}) {
        const JsonValue* const task = intervention.find(kind);
        if (task == nullptr || !task->is_string() || !task->text().starts_with(group)) continue;
        const std::string_view rest = task->text().substr(group.size());
        if (rest.empty()) return task;
        if (rest.front() != '.' || rest.find_first_not_of("0123456789", 1) != rest.npos) continue;
        bool is_group = false;
        for (const JsonValue* const other : tree.root().find("tasks")->children())
            if (const JsonValue* const name = other->find("name"); name != nullptr)
                is_group = is_group || name->equals(task->text());
        if (!is_group) return task;
    }
    return nullptr;
}

// Returns the changes (POINTER=VALUE) that rename a task group, including the names of its tasks in the
// interventions.
std::vector<std::string> changes_to_rename_group(const JsonTree& tree, std::size_t group,
                                                 std::string_view name) {
    std::vector<std::string> changes{fmt::format("/tasks/{}/name={}", group, json_string(name))};
    const JsonValue* const old = task_in(tree, group).find("name");
    const JsonValue* const list = tree.root().find("interventions");
    if (old == nullptr || list == nullptr) return changes;
    for (std::size_t i = 0; i < list->size(); ++i)
        if (const JsonValue* const task = named_task_of_group(tree, (*list)[i], old->text()); task != nullptr)
            changes.push_back(fmt::format(
                "/interventions/{}/{}={}", i, task->key(),
                json_string(std::string(name) + std::string(task->text().substr(old->text().size())))));
    return changes;
}

// Returns the text without the interventions that name a task of the group.
std::string without_interventions_of(const std::string& file, std::string text, const std::string& group) {
    const ScenarioTree tree(file, std::move(text));
    const JsonValue* const list = tree.root().find("interventions");
    if (list == nullptr || !list->is_array()) return tree.text();
    std::string kept;
    std::vector<std::optional<std::size_t>> places(
        list->size());  // new index of each intervention; nullopt: the intervention is removed
    std::size_t count = 0;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const JsonValue& one = (*list)[i];
        if (named_task_of_group(tree, one, group) != nullptr) continue;
        places[i] = count++;
        kept += (kept.empty() ? "\n        " : ",\n        ") +
                tree.text().substr(one.value_begin(), one.value_end() - one.value_begin());
    }
    if (count == list->size()) return tree.text();
    std::string now = with_replaced_value(tree, *list, kept.empty() ? "[]" : "[" + kept + "\n    ]");
    return with_renamed_provenance_pointers(
        file, std::move(now), [&](const std::string& pointer) -> std::optional<std::string> {
            const auto pieces = json_pointer_segments(pointer);
            if (!pieces || pieces->size() < 2 || pieces->front() != "interventions") return pointer;
            const std::optional<std::size_t> index = element_index((*pieces)[1]);
            // The pointer denotes a range of interventions, or an intervention that does not exist.
            if (!index || *index >= places.size()) return std::nullopt;
            if (!places[*index]) return std::nullopt;
            std::string moved = fmt::format("/interventions/{}", *places[*index]);
            for (std::size_t i = 2; i < pieces->size(); ++i)
                moved += "/" + escaped_pointer_segment((*pieces)[i]);
            return moved;
        });
}

}  // namespace

bool has_single_burst(const Scenario& scenario, std::size_t group) {
    const StepId first = scenario.groups[group].program;
    if (first + 1 >= scenario.steps.size()) return false;
    const Step &run = scenario.steps[first], &end = scenario.steps[first + 1];
    return run.action == action_index("run") && end.action == action_index("exit") &&
           scenario.durations[run.target].kind == TimeDistribution::Kind::fixed;
}

Nanos burst_of(const Scenario& scenario, std::size_t group) {
    return scenario.durations[scenario.steps[scenario.groups[group].program].target].a;
}

std::string with_job_field(const ScenarioText& original, std::size_t group, JobField field,
                           std::string_view typed) {
    while (!typed.empty() && typed.front() == ' ') typed.remove_prefix(1);
    while (!typed.empty() && typed.back() == ' ') typed.remove_suffix(1);
    const ScenarioTree tree(original.file, original.text);
    const JsonValue& task = task_in(tree, group);
    const auto set = [&](const std::string& pointer, const std::string& json) {
        const std::string change = fmt::format("/tasks/{}/{}={}", group, pointer, json);
        return text_with_changes(original, std::span(&change, 1));
    };
    switch (field) {
        case JobField::name:
            if (typed.empty()) refuse("a job needs a name");
            return text_with_changes(original, changes_to_rename_group(tree, group, typed));
        case JobField::arrival:
            if (typed.empty()) return without_members(original, group, {"arrival", "start"});
            return set(task.find("start") != nullptr ? "start" : "arrival", time_json(typed));
        case JobField::burst:
            break;
        case JobField::priority:
            if (typed.empty()) return without_members(original, group, {"priority", "nice"});
            if (task.find("nice") != nullptr) {
                const std::string text = without_members(original, group, {"nice"});
                return with_job_field({original.file, text, original.folder}, group, field, typed);
            }
            return set("priority", priority_json(typed));
    }
    if (typed.empty()) refuse("a job needs a burst");
    const std::string json = time_json(typed);
    if (json == "\"0ms\"") refuse("a burst must be above 0");
    if (task.find("burst") != nullptr) return set("burst", json);
    if (!has_single_burst(parse_scenario(original.file, original.text, {}, original.folder), group))
        refuse("this task has a program of several steps, so it has no burst that can be changed");
    const JsonValue& program = *task.find("program");
    if (program.is_array()) return set("program/0/run", json);
    std::string words = json_string(json.substr(1, json.size() - 2));
    return set("program", fmt::format(R"([{{"run": {}}}])", words));
}

std::string with_job(const ScenarioText& original, const ListedJob& job) {
    const ScenarioTree tree(original.file, original.text);
    return validated_text(original, with_element(tree, *tree.root().find("tasks"), json_of(job)));
}

std::string with_entered_job(const ScenarioText& original, const EnteredJob& typed) {
    const Scenario scenario = parse_scenario(original.file, original.text, {}, original.folder);
    ScenarioText text = original;
    text.text = with_job(original, {unused_job_name(scenario), Nanos{}, 1ms, {}});
    for (std::size_t i = 0; i < typed.size(); ++i) {
        const auto field = static_cast<JobField>(i);
        if (typed[i].empty() && field != JobField::burst) continue;
        try {
            text.text = with_job_field(text, scenario.groups.size(), field, typed[i]);
        } catch (const ScenarioError& error) {
            Problem problem = error.problems().front();
            problem.pointer = kJobFieldNames[i];
            throw ScenarioError(std::move(problem));
        }
    }
    return text.text;
}

std::string without_job(const ScenarioText& original, std::size_t group) {
    const ScenarioTree tree(original.file, original.text);
    const JsonValue* const name = task_in(tree, group).find("name");
    std::string text = without_element(tree, *tree.root().find("tasks"), group);
    text = with_renamed_provenance_pointers(original.file, std::move(text), [&](const std::string& pointer) {
        return moved_pointer(pointer, "/tasks", group, ListChange::removed);
    });
    text = without_interventions_of(original.file, std::move(text), std::string(name->text()));
    return validated_text(original, without_expectations_of_tasks(original.file, std::move(text)));
}

std::string with_all_jobs(const ScenarioText& original, std::span<const ListedJob> jobs) {
    const ScenarioTree tree(original.file, original.text);
    std::string text = with_replaced_value(tree, *tree.root().find("tasks"), json_of(jobs));
    text = with_renamed_provenance_pointers(original.file, std::move(text),
                                            [](const std::string& pointer) -> std::optional<std::string> {
                                                if (pointer.starts_with("/tasks")) return std::nullopt;
                                                return pointer;
                                            });
    const ScenarioTree without_tasks(original.file, std::move(text));
    std::vector<MemberChange> exchanges;
    for (const char* const key : {"interventions", "expect", "tour"})
        if (const JsonValue* const member = without_tasks.root().find(key); member != nullptr)
            exchanges.push_back({member, {}});
    return validated_text(
        original, exchanges.empty() ? without_tasks.text()
                                    : with_changed_members(without_tasks, without_tasks.root(), exchanges));
}

std::string unused_job_name(const Scenario& scenario) {
    const auto is_free = [&](const std::string& name) {
        return std::none_of(scenario.groups.begin(), scenario.groups.end(),
                            [&](const TaskGroup& group) { return group.name == name; });
    };
    for (char letter = 'A'; letter <= 'Z'; ++letter)
        if (const std::string name(1, letter); is_free(name)) return name;
    for (std::size_t i = 27;; ++i)
        if (std::string name = fmt::format("P{}", i); is_free(name)) return name;
}

}  // namespace sim
