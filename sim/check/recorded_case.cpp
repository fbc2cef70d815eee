#include "sim/check/recorded_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/explain/explain.h"

namespace sim {
namespace {

// True if a text is a valid task name. Spaces separate the tasks in lists, so a name has no space.
bool is_valid_task_name(const std::string& text) {
    return !text.empty() && text.size() <= 64 && text.find(' ') == std::string::npos && is_safe_to_show(text);
}

}  // namespace

std::vector<std::string> split_words(const std::string& list) {
    std::istringstream in(list);
    in.exceptions(std::ios::badbit);
    std::vector<std::string> words;
    for (std::string one; in >> one;) words.push_back(one);
    return words;
}

void RecordedCase::replay(const std::string& policy_override, std::set<std::string>& specs,
                          const PolicyMaker& make) {
    const Json root = text_.root().to_nlohmann_json();
    require(root.is_object(), "", "expected an object");
    refuse_unknown_keys(root, "", keys());
    const std::string recorded = read_string(member(root, "", "policy"), "/policy");
    named_ = make_policy_for(policy_override, recorded, recorded_options(root), make);
    specs.insert(named_.spec());
    whole_ = named_.recorded_kernel == recorded;
    result_.whole = result_.whole && whole_;
    result_.compared_values_text = compared_values_text(result_.whole);

    const Json& tasks = array(member(root, "", "tasks"), "/tasks");
    const Json& events = array(member(root, "", "events"), "/events");
    std::size_t forks = 0;
    ++result_.recorded;  // "start"
    for (const Json& event : events) {
        result_.recorded += event.is_array() && event.size() > event_name_index() + 2;
        forks += event.is_array() && event.size() > event_name_index() &&
                 (event[event_name_index()] == "fork" || event[event_name_index()] == "clone");
    }
    if (tasks.size() + forks > most_tasks())
        fail("/tasks", fmt::format("expected at most {} tasks, including forked tasks, got {}", most_tasks(),
                                   tasks.size() + forks));
    driver_.emplace(*named_.policy, static_cast<std::uint32_t>(tasks.size() + forks), hz());
    begin_case(root);
    for (std::size_t i = 0; i < tasks.size(); ++i) add_task(tasks[i], "/tasks/" + std::to_string(i));

    driver_->schedule();
    check_start(array(member(root, "", "start"), "/start"));
    for (std::size_t i = 0; i < events.size() && !diverged_; ++i)
        replay_event(array(events[i], "/events/" + std::to_string(i)), "/events/" + std::to_string(i));
    ++result_.cases;
}

void RecordedCase::add_task(const Json& task, const std::string& pointer) {
    require(task.is_object(), pointer, "expected an object");
    refuse_unknown_keys(task, pointer, task_keys());
    DriverTask t;
    t.name = read_string(member(task, pointer, "name"), pointer + "/name");
    require(is_valid_task_name(t.name), pointer + "/name", "expected a name of 1 to 64 bytes without spaces");
    require(driver_->find(t.name) == kNoTask && t.name != "idle", pointer + "/name",
            "this name is already in use");
    read_task(task, pointer, t);
    driver_->add(t);
}

std::int32_t RecordedCase::read_nice_as_priority(const Json& value, const std::string& pointer) const {
    return 20 - static_cast<std::int32_t>(read_integer(value, pointer, 19, -20));
}

SchedClass RecordedCase::read_sched_class(const Json& value, const std::string& pointer,
                                          const std::vector<SchedClass>& allowed) const {
    const std::string name = read_string(value, pointer);
    for (const SchedClass c : allowed)
        if (name == to_string(c)) return c;
    std::string expected;
    for (std::size_t i = 0; i < allowed.size(); ++i)
        expected += fmt::format("{}{}",
                                i == 0                    ? ""
                                : i + 1 == allowed.size() ? " or "
                                                          : ", ",
                                to_string(allowed[i]));
    fail(pointer, "expected " + expected);
}

TaskId RecordedCase::find_named_task(const Json& value, const std::string& pointer) const {
    const std::string name = read_string(value, pointer);
    const TaskId p = driver_->find(name);
    if (p == kNoTask)
        fail(pointer, fmt::format("there is no task '{}'{}", name, did_you_mean(name, driver_->names())));
    return p;
}

std::string RecordedCase::read_new_task_name(const Json& value, const std::string& pointer) const {
    const std::string child = read_string(value, pointer);
    require(is_valid_task_name(child), pointer, "expected a name of 1 to 64 bytes without spaces");
    require(driver_->find(child) == kNoTask && child != "idle", pointer, "this name is already in use");
    return child;
}

void RecordedCase::fail_unknown_event(const std::string& name, const std::string& pointer,
                                      const std::vector<std::string>& known) const {
    fail(pointer, fmt::format("unknown event '{}'{}", name, did_you_mean(name, known)));
}

void RecordedCase::require_running_task(const std::string& event, const std::string& pointer) const {
    if (driver_->machine().is_idle_task(driver_->current()))
        fail(pointer, fmt::format("'{}' needs a running task, but the CPU is idle", event));
}

std::optional<bool> RecordedCase::replay_common_event(const std::string& name, const Json& argument,
                                                      const std::string& at, std::string& event_text) {
    PolicyDriver& d = *driver_;
    if (name == "yield") return d.yield();
    if (name == "block") return d.block();
    if (name == "exit") return d.exit();
    if (name == "wake") {
        const TaskId p = find_named_task(argument, at);
        event_text += " " + d.name(p);
        return d.wake(p);
    }
    if (name != "set_nice") return std::nullopt;
    require(argument.is_array() && argument.size() == 2, at, "expected [task, value]");
    const TaskId p = find_named_task(argument[0], at + "/0");
    event_text += " " + d.name(p);
    return d.set_priority(p, read_nice_as_priority(argument[1], at + "/1"));
}

void RecordedCase::apply_listed_changes(Values& values, const Json& list, const std::string& at,
                                        const char* expected) const {
    for (const std::string& one : split_words(read_string(list, at))) {
        const std::size_t colon = one.find(':');
        require(colon != std::string::npos, at, expected);
        values[one.substr(0, colon)] = one.substr(colon + 1);
    }
}

std::string RecordedCase::values_text(const Values& values) {
    std::string all;
    for (const auto& [name, value] : values) all += (all.empty() ? "" : " ") + name + ":" + value;
    return all;
}

NamedPolicy RecordedCase::make_policy_for(std::string spec, const std::string& recorded,
                                          const std::vector<std::string>& options,
                                          const PolicyMaker& make) const {
    const bool replaced = !spec.empty();
    if (!replaced) spec = recorded;
    try {
        // Adds each recorded option to the policy's specification if the policy has this option. If the
        // policy is not the recorded policy, it must also accept the option's value.
        const bool is_recorded_one = name_in_spec(spec) == recorded;
        const std::vector<OptionInfo> known =
            (replaced && make ? make(spec) : make_policy(spec)).known_options;
        for (const std::string& recorded_option : options) {
            const std::string key = recorded_option.substr(0, recorded_option.find('='));
            const std::string value = recorded_option.substr(key.size() + 1);
            for (const OptionInfo& option : known) {
                const bool is_known =
                    std::find(option.values.begin(), option.values.end(), value) != option.values.end();
                if (option.name == key && (is_known || is_recorded_one)) spec = with_option(spec, key, value);
            }
        }
        for (const PolicyInfo& info : policies()) {
            if (!is_recorded_one || info.name != recorded) continue;
            std::istringstream needed(info.recorded_with);
            needed.exceptions(std::ios::badbit);
            for (std::string option; std::getline(needed, option, ',');) {
                const std::size_t equals = option.find('=');
                spec = with_option(spec, option.substr(0, equals), option.substr(equals + 1));
            }
        }
        return replaced && make ? make(spec) : make_policy(spec);
    } catch (const PolicyError& error) {
        fail(replaced ? "" : "/policy", error.what());
    }
}

void RecordedCase::count_difference(const std::string& event_text, const std::string& pointer,
                                    const std::string& queue_before, const std::string& recorded,
                                    const std::string& replayed, bool rescheduled) {
    diverged_ = true;
    if (++result_.differences > 1) return;
    const Problem place = text_.problem_at(pointer, "");
    result_.first_difference = fmt::format(
        "{}:{}: {}: at '{}' under {}\n  queue before [{}]\n  recorded:  {}  replayed:  {}", place.file, line_,
        pointer, event_text, named_.spec(), printable_excerpt(queue_before), recorded, replayed);
    if (rescheduled)
        result_.first_difference += explain_decision(
            driver_->log(), named_, [&](TaskId p) { return driver_->name(p); }, "  ");
}

}  // namespace sim
