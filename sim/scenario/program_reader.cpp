#include "sim/scenario/program_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/core/action.h"
#include "sim/scenario/scenario_builder.h"

namespace sim {
namespace {

constexpr std::uint32_t kMaxLoopDepth = 16;

// Actions with a space in their name are internal.
bool is_allowed_in_files(const ActionInfo& action) { return action.name.find(' ') == std::string::npos; }

// The action with that name, or null if scenario files cannot use it.
const ActionInfo* find_action(std::string_view word) {
    for (const ActionInfo& info : actions())
        if (info.name == word && is_allowed_in_files(info)) return &info;
    return nullptr;
}

std::string unknown_action_message(std::string_view word) {
    std::vector<std::string> words;
    for (const ActionInfo& info : actions())
        if (is_allowed_in_files(info)) words.push_back(info.name);
    std::string hint = did_you_mean(word, words);
    if (hint.empty()) hint = fmt::format("; the actions are {}", join(words, ", "));
    return fmt::format("unknown action '{}'{}", shorten(word), hint);
}

// Whether the action enters the kernel in every state of the run.
bool is_always_a_syscall(std::uint8_t action) {
    const ActionInfo& info = actions()[action];
    return info.is_syscall && info.name != "park" && info.name != "unpark";
}

bool allows_key(const ActionInfo& action, std::string_view key) {
    return std::find(action.keys.begin(), action.keys.end(), key) != action.keys.end();
}

std::vector<std::string> known_keys(const ActionInfo& action) {
    std::vector<std::string> keys{action.name};
    keys.insert(keys.end(), action.keys.begin(), action.keys.end());
    return keys;
}

}  // namespace

bool ProgramReader::read_steps(const JsonValue& steps) {
    const bool outer = takes_time_;
    takes_time_ = false;
    if (!steps.is_array()) {
        draft_.problems.add(steps, "expected a list of steps ([...]), got " + text_in_message(steps));
        takes_time_ = true;  // avoids a message that the enclosing loop takes no time
    }
    if (steps.is_array())
        for (const JsonValue* value : steps.children()) read_step(*value);
    const bool inner = takes_time_;
    takes_time_ = outer || inner;
    return inner;
}

// Reports a problem of a step. Builds the message only if it will be shown.
template <class Message>
void ProgramReader::refuse_step(const JsonValue& at, Message message, bool at_key) {
    draft_.problems.add(at, draft_.problems.is_full() ? std::string{} : message(), at_key);
    takes_time_ = true;  // avoids a message that the enclosing loop takes no time
}

const ActionInfo* ProgramReader::action_of_word(const JsonValue& value) {
    const std::string_view word = value.text();
    const ActionInfo* const action = find_action(word);
    if (action == nullptr) {
        refuse_step(value, [&] { return unknown_action_message(word); });
    } else if (word == "loop") {
        refuse_step(value, [] { return "write a loop as {\"loop\": \"forever\", \"steps\": [...]}"; });
    } else if (!action->argument.empty()) {
        refuse_step(value, [&] {
            return fmt::format("'{}' needs {}: {{\"{}\": ...}}", word, action->argument, word);
        });
    } else {
        return action;
    }
    return nullptr;
}

const ActionInfo* ProgramReader::action_of_object(const JsonValue& value, const JsonValue*& argument) {
    const ActionInfo* action = nullptr;
    for (const JsonValue* member : value.children()) {
        const ActionInfo* const candidate = find_action(member->key());
        if (candidate == nullptr) continue;
        if (action != nullptr) {
            refuse_step(value, [&] {
                return fmt::format("a step has only one action, got '{}' and '{}'", action->name,
                                   candidate->name);
            });
            return nullptr;
        }
        action = candidate;
        argument = member;
    }
    for (const JsonValue* member : value.children()) {
        if (find_action(member->key()) != nullptr) continue;
        if (member->key() == "steps" || (action != nullptr && allows_key(*action, member->key()))) continue;
        if (action == nullptr) {
            refuse_step(
                *member, [&] { return unknown_action_message(member->key()); }, true);
        } else {
            takes_time_ = true;
            draft_.values.report_unknown_key(*member, known_keys(*action));
        }
        return nullptr;
    }
    const JsonValue* const steps = value.find("steps");
    if (action == nullptr && steps != nullptr) {
        refuse_step(value, [] { return "\"loop\" is missing: the number of repetitions, or \"forever\""; });
    } else if (action == nullptr) {
        refuse_step(value, [] { return "a step needs an action, like {\"run\": \"2ms\"} or \"yield\""; });
    } else if (steps != nullptr && action->name != "loop") {
        refuse_step(
            *steps, [] { return "only a loop can have \"steps\""; }, true);
    } else if (action->argument.empty()) {
        refuse_step(
            *argument,
            [&] { return fmt::format("'{}' takes no argument; write \"{}\"", action->name, action->name); },
            true);
    } else {
        return action;
    }
    return nullptr;
}

void ProgramReader::read_step(const JsonValue& value) {
    const ActionInfo* action = nullptr;
    const JsonValue* argument = &value;
    if (value.is_string())
        action = action_of_word(value);
    else if (value.is_object())
        action = action_of_object(value, argument);
    else
        refuse_step(value, [&] {
            return "expected a step, like {\"run\": \"2ms\"} or \"yield\", got " + text_in_message(value);
        });
    if (action == nullptr) return;

    // action->parse() may read nested steps with the same reader. So the state of the current step is
    // restored afterwards.
    const bool took_time = takes_time_;
    const std::size_t before = draft_.problems.count();
    const CurrentStep outer = std::exchange(current_, {&value, argument, action});
    action->parse(*this);
    const CurrentStep read = std::exchange(current_, outer);

    if (action->effect == StepEffect::compute)
        length_.append_computation(draft_.scenario.durations[draft_.scenario.steps.back().target]);

    const CostModel& costs = draft_.scenario.machine.costs;
    const Nanos in_kernel = costs.syscall.time + (action->name == "yield" ? costs.schedule.time : Nanos{});
    if (read.never_runs) takes_time_ = took_time;
    if ((action->takes_time && !read.zero_duration) || (action->is_syscall && in_kernel > Nanos{}))
        takes_time_ = true;
    // After a problem in the step, avoids the message that the enclosing loop takes no time.
    if (draft_.problems.count() > before) takes_time_ = true;
}

void ProgramReader::read_burst(const JsonValue& value) {
    current_.whole = current_.argument = &value;
    const std::uint32_t length = duration(value);
    emit({.target = length}, "run");
    length_.append_computation(draft_.scenario.durations[length]);
    takes_time_ = true;
}

StepId ProgramReader::emit(Step step, std::string_view action) {
    auto& steps = draft_.scenario.steps;
    step.action = action_index(action.empty() ? std::string_view(current_.action->name) : action);
    static const std::uint8_t in_kernel = action_index("in_kernel");
    if (!steps.empty() && steps.back().action == in_kernel && !is_always_a_syscall(step.action))
        draft_.problems.add(
            *current_.whole,
            fmt::format("only a step that is always a system call may follow 'in_kernel', got '{}'",
                        actions()[step.action].name));
    step.next = static_cast<StepId>(steps.size() + 1);
    steps.push_back(step);
    return step.next - 1;
}

Step& ProgramReader::at(StepId id) { return draft_.scenario.steps[id]; }

std::uint32_t ProgramReader::duration(const JsonValue& value) {
    const TimeDistribution d = draft_.duration(value, current_.zero_duration);
    auto& durations = draft_.scenario.durations;
    durations.push_back(d);
    return static_cast<std::uint32_t>(durations.size() - 1);
}

void ProgramReader::read_period(const JsonValue& value) {
    length_.append_end_of_job();
    ValueReader& values = draft_.values;
    Nanos period{};
    using Late = TaskGroup::LateJobs;
    Late late = Late::goes_on;
    const auto read_time = [&](const JsonValue& v) { period = values.time(v, 1ns); };
    const auto read_late = [&](const JsonValue& v) {
        late = values.choice<Late>(
            v, {{"continue", Late::goes_on}, {"drop", Late::skips_releases}, {"give_up", Late::gives_up}});
    };
    const std::size_t before = draft_.problems.count();
    if (value.is_object())
        values.object(value, {{"period", read_time, "\"period\" is missing: the time between two releases"},
                              {"late", read_late}});
    else
        read_time(value);
    if (draft_.problems.count() > before) return;
    TaskGroup& group = draft_.scenario.groups[group_];
    if (has_timer_ && (period != group.period || late != group.late))
        draft_.problems.add(value, "all timers of a task must have the same period and the same \"late\"");
    if (has_timer_) return;
    has_timer_ = true;
    group.period = period;
    group.late = late;
}

ChannelId ProgramReader::channel_of_kind(ChannelSpec::Kind kind, const JsonValue& value) {
    return draft_.find_channel(kind, draft_.values.name(value), value);
}

ChannelId ProgramReader::channel(const JsonValue& value) {
    return channel_of_kind(ChannelSpec::Kind::channel, value);
}
ChannelId ProgramReader::pipe(const JsonValue& value) {
    return channel_of_kind(ChannelSpec::Kind::pipe_readers, value);
}
ChannelId ProgramReader::device(const JsonValue& value) {
    return channel_of_kind(ChannelSpec::Kind::device, value);
}

ChannelId ProgramReader::own_parking_channel() {
    const TaskGroup& group = draft_.scenario.groups[group_];
    if (group.count != 1)
        draft_.problems.add(*current_.whole,
                            fmt::format("only a task group with count 1 can park; '{}' has count {}",
                                        group.name, group.count));
    return draft_.find_channel(ChannelSpec::Kind::parking, group.name, *current_.whole);
}

ChannelId ProgramReader::parking_channel(const JsonValue& value) {
    const std::size_t before = draft_.problems.count();
    const TaskGroup& group = draft_.scenario.groups[this->group(value, false)];
    if (group.count != 1 && draft_.problems.count() == before)
        draft_.problems.add(value,
                            fmt::format("only a task group with count 1 can be unparked; '{}' has count {}",
                                        group.name, group.count));
    return draft_.find_channel(ChannelSpec::Kind::parking, group.name, value);
}

ChannelId ProgramReader::taken_lock(const JsonValue& value) {
    const std::string name = draft_.values.name(value);
    const ChannelId lock = draft_.find_channel(ChannelSpec::Kind::lock, name, value);
    if (std::find(held_.begin(), held_.end(), lock) != held_.end())
        draft_.problems.add(value,
                            fmt::format("'{}' is already locked: the task would wait for itself", name));
    else if (!name.empty())
        held_.push_back({lock, &value});
    return lock;
}

ChannelId ProgramReader::released_lock(const JsonValue& value) {
    const std::string name = draft_.values.name(value);
    const ChannelId lock = draft_.find_channel(ChannelSpec::Kind::lock, name, value);
    const auto place = std::find(held_.begin(), held_.end(), lock);
    if (place == held_.end())
        draft_.problems.add(value, fmt::format("'{}' is not locked here", name));
    else
        held_.erase(place);
    return lock;
}

void ProgramReader::check_locks_at_end(const JsonValue& at) {
    if (!never_ends_)
        for (const HeldLock& held : held_)
            draft_.problems.add(at, fmt::format("the task ends while it holds the lock '{}'", name_of(held)));
    held_.clear();
}

const std::string& ProgramReader::name_of(const HeldLock& held) const {
    return draft_.scenario.channels[held.lock].name;
}

void ProgramReader::check_locks_of_loop(const std::vector<HeldLock>& before, bool forever) {
    // The order in which the locks were taken does not matter.
    const bool balanced = std::is_permutation(held_.begin(), held_.end(), before.begin(), before.end());
    if (!forever) {
        if (!balanced && !never_ends_)
            draft_.problems.add(
                *current_.whole,
                "an iteration of this loop must end with the same locks held as at its start");
        return;
    }
    bool released = false;
    for (const HeldLock& held : before)
        released = released || std::find(held_.begin(), held_.end(), held.lock) == held_.end();
    if (released)
        draft_.problems.add(*current_.whole,
                            "an iteration of this loop must end with the same locks held as at its start");
    for (const HeldLock& held : held_) {
        if (std::find(before.begin(), before.end(), held.lock) == before.end())
            draft_.problems.add(*held.at, fmt::format("no iteration of the endless loop unlocks '{}': in the "
                                                      "second one the task would wait for itself",
                                                      name_of(held)));
        else if (std::any_of(before.begin(), before.end(),
                             [&](const HeldLock& b) { return b.at == held.at; }))
            draft_.problems.add(
                *held.at,
                fmt::format("the task never unlocks '{}': it holds the lock in the endless loop that follows",
                            name_of(held)));
    }
}

const JsonValue* ProgramReader::value_of(std::string_view key) const { return current_.whole->find(key); }

std::uint32_t ProgramReader::bytes() {
    const JsonValue* const bytes = current_.whole->find("bytes");
    return bytes == nullptr ? 1 : draft_.values.byte_size(*bytes, 1, kLargestSize);
}

std::uint32_t ProgramReader::bytes_to_write(ChannelId pipe) {
    const std::uint32_t count = bytes();
    const ChannelSpec& room = draft_.scenario.channels[pipe + 1];
    const JsonValue* const stated = current_.whole->find("bytes");  // the default of 1 byte always fits
    if (stated != nullptr && count > room.capacity)
        draft_.problems.add(*stated, fmt::format("{} do not fit into the pipe '{}', which holds {}",
                                                 format_size(count), room.name, format_size(room.capacity)));
    return count;
}

std::uint32_t ProgramReader::group(const JsonValue& value, bool makes_tasks) {
    if (makes_tasks) draft_.forks = true;
    const std::string name = draft_.values.name(value);
    if (name.empty()) return 0;
    const auto place = draft_.groups.find(name);
    if (place != draft_.groups.end()) return place->second;
    std::vector<std::string> names;
    // kFew: maximum number of names listed in the message. kMany: maximum number of names searched for a
    // similar name.
    constexpr std::size_t kFew = 12, kMany = 1'000;
    if (!draft_.problems.is_full() && draft_.groups.size() <= kMany)
        for (const auto& [known, index] : draft_.groups) names.push_back(known);
    std::string hint = did_you_mean(name, names);
    if (hint.empty() && !names.empty() && names.size() <= kFew)
        hint = fmt::format("; the tasks here are {}", join(names, ", "));
    draft_.problems.add(value, fmt::format("there is no task '{}'{}", name, hint));
    return 0;
}

std::uint32_t ProgramReader::loop_count(const JsonValue& value) {
    if (value.is_string()) {
        draft_.values.choice<int>(value, {{"forever", 0}});
        return kForever;
    }
    if (!value.is_number()) {
        draft_.problems.add(value, "expected a number or \"forever\", got " + text_in_message(value));
        return kForever;
    }
    const std::size_t before = draft_.problems.count();
    const std::uint32_t count = draft_.values.count(value, 0, kForever - 1);
    current_.never_runs = count == 0 && draft_.problems.count() == before;
    return count;
}

std::uint8_t ProgramReader::enter_loop() {
    if (depth_ == kMaxLoopDepth)
        draft_.problems.add(*current_.whole,
                            fmt::format("loops are nested more than {} levels deep", kMaxLoopDepth));
    draft_.loop_depth = std::max<std::uint32_t>(draft_.loop_depth, depth_ + 1u);
    return static_cast<std::uint8_t>(depth_++);
}

void ProgramReader::read_loop_body(const std::string& key, std::uint32_t count) {
    const bool forever = count == kForever;
    draft_.endless = draft_.endless || forever;
    const JsonValue& here = *current_.whole;
    const JsonValue* const steps = here.find(key);
    if (steps == nullptr)
        return draft_.problems.add(here, fmt::format("\"{}\" is missing: the list of steps to repeat", key));
    const std::size_t problems_before = draft_.problems.count();
    const bool before = takes_time_;
    const std::vector<HeldLock> held = held_;
    const bool never_ended = never_ends_;
    const JobLength outer = std::exchange(length_, {});
    const std::size_t waits = waited_.size(), wakes = woken_.size();
    const bool takes_time = read_steps(*steps) || has_wait_for_other_tasks(waits, wakes);
    length_ = outer.followed_by(length_.repeated(count));
    if (draft_.problems.count() == problems_before) check_locks_of_loop(held, forever);
    never_ends_ = never_ends_ || forever;
    if (count == 0) {  // the body is never executed
        held_ = held;
        takes_time_ = before;
        never_ends_ = never_ended;
    }
    if (!takes_time && forever)
        draft_.problems.add(here, "no time passes in this endless loop, so the simulation would not advance");
}

bool ProgramReader::has_wait_for_other_tasks(std::size_t waits, std::size_t wakes) const {
    const std::set<ChannelId> own(woken_.begin() + static_cast<std::ptrdiff_t>(wakes), woken_.end());
    return std::any_of(waited_.begin() + static_cast<std::ptrdiff_t>(waits), waited_.end(),
                       [&](ChannelId channel) { return !own.contains(channel); });
}

void ProgramReader::refuse_action() {
    draft_.problems.add(*current_.whole, "a program cannot contain this step");
}

}  // namespace sim
