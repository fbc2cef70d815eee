#include "sim/trace_io/rt_app.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/join.h"
#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/entry_name.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {
namespace {

constexpr std::int64_t kMostMicros = kHorizon.count() / 1000;

enum class RtEvent : std::uint8_t {
    lock,
    unlock,
    wait,
    signal,
    broad,
    sync,
    barrier,
    sleep,
    run,
    timer,
    suspend,
    resume,
    mem,
    iorun,
    yield,
    fork
};
// A key that starts with an event's name is this event: workgen appends numbers to repeated keys.
constexpr std::pair<std::string_view, RtEvent> kRtEvents[] = {
    {"lock", RtEvent::lock},       {"unlock", RtEvent::unlock}, {"wait", RtEvent::wait},
    {"signal", RtEvent::signal},   {"broad", RtEvent::broad},   {"sync", RtEvent::sync},
    {"barrier", RtEvent::barrier}, {"sleep", RtEvent::sleep},   {"runtime", RtEvent::run},
    {"run", RtEvent::run},         {"timer", RtEvent::timer},   {"suspend", RtEvent::suspend},
    {"resume", RtEvent::resume},   {"mem", RtEvent::mem},       {"iorun", RtEvent::iorun},
    {"yield", RtEvent::yield},     {"fork", RtEvent::fork}};

const std::vector<std::string> kPropertiesOfBoth = {
    "loop",      "policy",      "priority", "cpus",     "util_min",      "util_max",  "dl-runtime",
    "dl-period", "dl-deadline", "period",   "deadline", "membind_nodes", "taskgroup", "lock_pages"};
const std::vector<std::string> kPropertiesOfThread = {"instance", "delay", "phases"};

std::optional<RtEvent> event_of(std::string_view key) {
    // lock_pages and membind_nodes start like events.
    if (std::find(kPropertiesOfBoth.begin(), kPropertiesOfBoth.end(), key) != kPropertiesOfBoth.end())
        return std::nullopt;
    for (const auto& [name, event] : kRtEvents)
        if (key.starts_with(name)) return event;
    return std::nullopt;
}

// Collects the features of a file that a scenario does not have, by remark.
class OmittedFeatures {
  public:
    void add(const Remark& what, const JsonValue& value) {
        auto place = std::find_if(list_.begin(), list_.end(), [&](const Item& i) { return i.what == &what; });
        if (place == list_.end()) place = list_.insert(list_.end(), {&what, 0, {}});
        ++place->count;
        constexpr std::size_t kFew = 3;
        if (place->first.size() < kFew) place->first.push_back(printable(value.pointer(kLongestPointer)));
    }
    void note(Notes& notes) const {
        for (const Item& item : list_) {
            const std::string where =
                fmt::format(" ({}{})", join(item.first, ", "), item.count > item.first.size() ? ", ..." : "");
            notes.add({item.what->one + where, item.what->many + where}, 0, item.count);
        }
    }

  private:
    struct Item {
        const Remark* what;
        std::uint64_t count;
        std::vector<std::string> first;
    };
    std::vector<Item> list_;
};

// Remarks on features that are omitted or replaced.
const Remark kNoStep{"mem or iorun event, omitted: scenarios have no step for it",
                     "mem or iorun events, omitted: scenarios have no step for them"};
const Remark kBarrier{"barrier event, omitted: scenarios have no step that waits for all other threads",
                      "barrier events, omitted: scenarios have no step that waits for all other threads"};
const Remark kMemory{
    "signal, sync or broad event: a wake-up without a waiting thread is kept here, but lost in rt-app",
    "signal, sync or broad events: a wake-up without a waiting thread is kept here, but lost in rt-app"};
const Remark kResumed{"resume event: one without a suspended thread is kept here, but lost in rt-app",
                      "resume events: one without a suspended thread is kept here, but lost in rt-app"};
const Remark kRelative{"relative timer: here each period follows the previous one, late or not",
                       "relative timers: here each period follows the previous one, late or not"};
const Remark kShared{"timer that threads share: here each thread has its own",
                     "timers that threads share: here each thread has its own"};
const Remark kOtherTimer{"timer with a different period from the thread's first, treated as a sleep",
                         "timers with a different period from the thread's first, treated as sleeps"};
const Remark kOfPhase{"property of a phase, omitted: a task keeps its class, nice value and CPUs",
                      "properties of phases, omitted: a task keeps its class, nice value and CPUs"};
const Remark kDeadlineClass{"thread of SCHED_DEADLINE, treated as a fifo task of priority 99",
                            "threads of SCHED_DEADLINE, treated as fifo tasks of priority 99"};
const Remark kProperty{"property that no scheduler here has, omitted",
                       "properties that no scheduler here has, omitted"};
const Remark kBroad{"broad event, treated as a wake-up of each thread that waits for it anywhere",
                    "broad events, treated as a wake-up of each thread that waits for it anywhere"};
const Remark kFirstOfSeveral{
    "signal event for which several threads wait, treated as a wake-up of the first",
    "signal events for which several threads wait, treated as a wake-up of the first"};

class WorkloadReader {
  public:
    WorkloadReader(const std::string& file, std::string text)
        : tree_(file, std::move(text), nullptr, kMaxJsonBytes, JsonMembers::as_written) {}

    Workload read(const WorkloadOptions& options, Notes& notes) {
        const JsonValue& root = tree_.root();
        if (!root.is_object()) refuse_all(root, "expected an object ({...}), got " + kind_of(root));
        for (const JsonValue* member : root.children()) {
            if (member->key() == "tasks")
                tasks_ = &need_object(*member);
            else if (member->key() == "global")
                read_global(need_object(*member));
            else if (member->key() != "resources")
                add(*member,
                    "rt-app has no such key" +
                        did_you_mean(member->key(), std::vector<std::string>{"tasks", "global", "resources"}),
                    true);
        }
        if (tasks_ == nullptr) refuse_all(root, "\"tasks\" is missing: expected an object with the threads");
        meet_threads();
        for (Entry& entry : entries_) read_thread(entry);
        throw_if_any();
        Workload workload;
        workload.entries = static_cast<std::uint32_t>(entries_.size());
        workload.cpus = cpus_;
        workload.scenario = scenario(options);
        throw_if_any();
        left_out_.note(notes);
        if (runs_on_ && duration_ == Nanos{})
            notes.add({"workload without an end (global/duration): the scenario ends after 10 s",
                       "workloads without an end (global/duration): the scenario ends after 10 s"});
        // Finds errors of the scenario as a whole: a loop that takes no time, too many steps.
        parse_scenario("the scenario of " + tree_.file(), workload.scenario);
        return workload;
    }

  private:
    struct Entry {
        const JsonValue* value = nullptr;
        std::string name;
        std::int64_t count = 1, loop = -1;
        Nanos start{};
        std::string attributes;  // class, nice and so on, as members of a task group in JSON
        std::vector<std::string> steps;
        std::int64_t period = 0;  // of its first timer, us; 0: none
    };
    // A thread that waits on a condition, or is suspended by a name.
    struct Waiter {
        const Entry* entry;
        std::string channel;
    };

    void add(const JsonValue& value, std::string message, bool at_key = false) {
        constexpr std::size_t kMost = 50;
        if (problems_.size() < kMost)
            problems_.push_back(tree_.problem_at(value, std::move(message), at_key));
    }
    [[noreturn]] void refuse_all(const JsonValue& value, std::string message) {
        add(value, std::move(message));
        throw ScenarioError(std::move(problems_));
    }
    void throw_if_any() {
        if (!problems_.empty()) throw ScenarioError(std::move(problems_));
    }
    const JsonValue& need_object(const JsonValue& value) {
        if (!value.is_object()) refuse_all(value, "expected an object ({...}), got " + kind_of(value));
        return value;
    }
    std::int64_t number(const JsonValue& value, std::int64_t least, std::int64_t most, const char* of_what) {
        const nlohmann::json plain = value.plain();
        if (!plain.is_number_integer()) {
            add(value, fmt::format("expected {}, got {}", of_what, kind_of(value)));
            return least;
        }
        const bool is_huge =
            plain.is_number_unsigned() && plain.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
        const std::int64_t n = is_huge ? 0 : plain.get<std::int64_t>();
        if (is_huge || n < least || n > most) {
            add(value, fmt::format("{} is out of range: from {} to {}", json_text(plain), least, most));
            return least;
        }
        return n;
    }
    std::int64_t micros(const JsonValue& value) {
        return number(value, 0, kMostMicros, "a number of microseconds");
    }
    std::string text(const JsonValue& value, const char* of_what) {
        if (value.is_string()) return std::string(value.text());
        add(value, fmt::format("expected {}, got {}", of_what, kind_of(value)));
        return "";
    }

    void read_global(const JsonValue& global) {
        static const std::vector<std::string> kOfNoConcern = {
            "calibration", "lock_pages", "logdir", "log_basename",    "log_size",         "ftrace",
            "gnuplot",     "io_device",  "frag",   "mem_buffer_size", "cumulative_slack", "spacing"};
        std::vector<std::string> known = kOfNoConcern;
        known.insert(known.end(), {"duration", "default_policy", "pi_enabled"});
        for (const JsonValue* member : global.children()) {
            if (member->key() == "duration") {
                const std::int64_t seconds =
                    number(*member, -1, kHorizon.count() / 1'000'000'000, "a number of seconds");
                duration_ = Nanos{std::max<std::int64_t>(seconds, 0) * 1'000'000'000};
            } else if (member->key() == "default_policy") {
                default_policy_ = text(*member, "a policy");
                policy_of(*member, default_policy_);
            } else if (member->key() == "pi_enabled") {
                if (member->is_boolean() && member->plain().get<bool>()) left_out_.add(kProperty, *member);
            } else if (std::find(kOfNoConcern.begin(), kOfNoConcern.end(), member->key()) ==
                       kOfNoConcern.end()) {
                add(*member, "rt-app has no such key" + did_you_mean(member->key(), known), true);
            }
        }
    }

    // The scheduling class in a scenario.
    std::string policy_of(const JsonValue& value, std::string_view policy) {
        static const std::vector<std::string> kPolicies = {"SCHED_OTHER", "SCHED_IDLE",  "SCHED_RR",
                                                           "SCHED_FIFO",  "SCHED_BATCH", "SCHED_DEADLINE"};
        const char* const classes[] = {"other", "idle", "rr", "fifo", "batch", "deadline"};
        for (std::size_t i = 0; i < kPolicies.size(); ++i)
            if (policy == kPolicies[i]) return classes[i];
        add(value, fmt::format("unknown policy '{}'{}", printable(shorten(policy)),
                               did_you_mean(policy, kPolicies)));
        return "other";
    }

    // Names all threads and collects all waits, before the first program is made.
    void meet_threads() {
        std::set<std::string> taken;
        std::map<std::string, int> times;  // uses of a name
        for (const JsonValue* thread : tasks_->children()) {
            need_object(*thread);
            const std::string wanted = entry_name(thread->key());
            std::string name = wanted;
            while (!taken.insert(name).second) name = fmt::format("{}.{}", wanted, ++times[wanted] + 1);
            entries_.emplace_back();
            entries_.back().value = thread;
            entries_.back().name = name;
            by_key_.emplace(thread->key(), entries_.size() - 1);
        }
        if (entries_.empty()) refuse_all(*tasks_, "there are no threads");
        if (entries_.size() > kMostThreadObjects)
            refuse_all(*tasks_, "more than 10,000 threads are not supported");
        for (Entry& entry : entries_) {
            for (const JsonValue* member : entry.value->children()) {
                if (member->key() == "instance")
                    entry.count = number(*member, 0, kMaxTasks, "a number of threads");
                if (member->key() != "phases" || !member->is_object()) continue;
                for (const JsonValue* phase : member->children()) meet_waits(entry, *phase);
            }
            meet_waits(entry, *entry.value);
        }
        for (auto& [name, waiters] : waiters_)
            if (waiters.size() > 1)
                for (Waiter& waiter : waiters) waiter.channel = name + "." + waiter.entry->name;
    }
    void meet_waits(const Entry& entry, const JsonValue& events) {
        for (const JsonValue* member : events.children()) {
            const auto event = event_of(member->key());
            std::string name;
            if (event == RtEvent::suspend && member->is_string())
                name = suspended_as(*member, entry);
            else if ((event == RtEvent::wait || event == RtEvent::sync) && member->is_object())
                for (const JsonValue* part : member->children())
                    if (part->key() == "ref" && part->is_string()) name = part->text();
            if (name.empty()) continue;
            std::vector<Waiter>& waiters = waiters_[channel_name(name)];
            if (waiters.empty() || waiters.back().entry != &entry)
                waiters.push_back({&entry, channel_name(name)});
        }
    }
    static std::string channel_name(std::string_view name) { return entry_name(name); }
    // An empty name is that of the thread.
    static std::string suspended_as(const JsonValue& value, const Entry& entry) {
        return value.text().empty() ? std::string(entry.value->key()) : std::string(value.text());
    }
    std::string own_channel(const std::string& name, const Entry& entry) const {
        const auto of = waiters_.find(channel_name(name));
        const bool is_shared = of != waiters_.end() && of->second.size() > 1;
        return is_shared ? channel_name(name) + "." + entry.name : channel_name(name);
    }
    // The waiters that this thread can wake: all but itself.
    std::vector<const Waiter*> others(const std::string& name, const JsonValue& value, const Entry& entry) {
        std::vector<const Waiter*> list;
        const auto of = waiters_.find(channel_name(name));
        if (of == waiters_.end()) return list;
        constexpr std::size_t kMost = 1'000'000;
        looked_at_ += of->second.size();
        if (looked_at_ > kMost) refuse_all(value, "more than 1,000,000 wake-ups in a file are not supported");
        for (const Waiter& waiter : of->second)
            if (waiter.entry != &entry || waiter.entry->count > 1) list.push_back(&waiter);
        return list;
    }

    static std::string step_of(const char* action, const std::string& what) {
        return fmt::format("{{\"{}\": {}}}", action, json_string_of(what));
    }
    static std::string timed(const char* action, std::int64_t microseconds) {
        return fmt::format("{{\"{}\": \"{}us\"}}", action, microseconds);
    }

    void read_thread(Entry& entry) {
        const JsonValue* phases = nullptr;
        bool has_events = false;
        Attributes attributes;
        for (const JsonValue* member : entry.value->children()) {
            if (member->key() == "phases") {
                phases = &need_object(*member);
            } else if (member->key() == "loop") {
                entry.loop = number(*member, -1, kMostTimes, "a number of times (-1: forever)");
            } else if (member->key() == "delay") {
                entry.start = Nanos{micros(*member) * 1000};
            } else if (event_of(member->key())) {
                has_events = true;
            } else if (member->key() != "instance") {
                read_property(*member, attributes);
            }
        }
        if (phases != nullptr && has_events) {
            add(*phases, "events must be in phases or in the thread itself, not in both");
            return;
        }
        std::vector<std::string> steps;
        if (phases == nullptr) {
            steps = events(*entry.value, entry);
        } else {
            for (const JsonValue* phase : phases->children()) {
                need_object(*phase);
                std::int64_t times = 1;
                for (const JsonValue* member : phase->children()) {
                    if (member->key() == "loop")
                        times = number(*member, -1, kMostTimes, "a number of times (-1: forever)");
                    else if (!event_of(member->key()))
                        read_property_of_phase(*member, attributes, phases->size() == 1);
                }
                repeat(events(*phase, entry), times, steps);
            }
        }
        if (steps.empty() && entry.count > 0)
            add(*entry.value, "this thread has no event that a scenario supports");
        repeat(std::move(steps), entry.loop, entry.steps);
        entry.attributes = attributes_text(attributes);
    }

    void repeat(std::vector<std::string> steps, std::int64_t times, std::vector<std::string>& into) {
        if (steps.empty() || times == 0) return;
        runs_on_ |= times == -1;
        if (times == 1)
            into.insert(into.end(), std::make_move_iterator(steps.begin()),
                        std::make_move_iterator(steps.end()));
        else
            into.push_back(fmt::format("{{\"loop\": {}, \"steps\": [{}]}}",
                                       times == -1 ? "\"forever\"" : std::to_string(times),
                                       join(steps, ", ")));
    }

    struct Attributes {
        const JsonValue *policy = nullptr, *priority = nullptr, *cpus = nullptr;
    };
    void read_property(const JsonValue& member, Attributes& attributes) {
        if (member.key() == "policy")
            attributes.policy = &member;
        else if (member.key() == "priority")
            attributes.priority = &member;
        else if (member.key() == "cpus")
            attributes.cpus = &member;
        else if (is_known(member))
            left_out_.add(kProperty, member);
    }
    // The properties of a thread's only phase are those of the thread.
    void read_property_of_phase(const JsonValue& member, Attributes& attributes, bool is_only) {
        if (is_only && ((member.key() == "policy" && attributes.policy == nullptr) ||
                        (member.key() == "priority" && attributes.priority == nullptr) ||
                        (member.key() == "cpus" && attributes.cpus == nullptr)))
            read_property(member, attributes);
        else if (is_known(member))
            left_out_.add(kOfPhase, member);
    }
    bool is_known(const JsonValue& member) {
        std::vector<std::string> known = kPropertiesOfBoth;
        known.insert(known.end(), kPropertiesOfThread.begin(), kPropertiesOfThread.end());
        if (std::find(known.begin(), known.end(), member.key()) != known.end()) return true;
        for (const auto& [name, event] : kRtEvents) known.emplace_back(name);
        add(member, "rt-app has no such event or property" + did_you_mean(member.key(), known), true);
        return false;
    }

    std::string attributes_text(const Attributes& attributes) {
        std::string name = attributes.policy != nullptr
                               ? policy_of(*attributes.policy, text(*attributes.policy, "a policy"))
                               : policy_of(*tasks_, default_policy_);
        std::string text_of;
        if (name == "deadline") {
            left_out_.add(kDeadlineClass, attributes.policy != nullptr ? *attributes.policy : *tasks_);
            text_of = ", \"class\": \"fifo\", \"rt_priority\": 99";
        } else if (name == "rr" || name == "fifo") {
            constexpr std::int64_t kDefault = 10;
            const std::int64_t priority =
                attributes.priority == nullptr
                    ? kDefault
                    : number(*attributes.priority, 1, 99, "a priority of a real-time class");
            text_of = fmt::format(", \"class\": \"{}\", \"rt_priority\": {}", name, priority);
        } else {
            const std::int64_t nice =
                attributes.priority == nullptr ? 0 : number(*attributes.priority, -20, 19, "a nice value");
            if (name != "other") text_of = fmt::format(", \"class\": \"{}\"", name);
            if (nice != 0) text_of += fmt::format(", \"nice\": {}", nice);
        }
        if (attributes.cpus == nullptr) return text_of;
        const JsonValue& list = *attributes.cpus;
        if (!list.is_array() || list.size() == 0) {
            add(list, "expected a list of CPUs ([...]), got " +
                          (list.is_array() ? "an empty list" : kind_of(list)));
            return text_of;
        }
        std::set<std::int64_t> cpus;
        for (const JsonValue* cpu : list.children()) cpus.insert(number(*cpu, 0, kMaxCpus - 1, "a CPU"));
        cpus_ = std::max(cpus_, static_cast<std::uint32_t>(*cpus.rbegin()) + 1);
        return text_of + fmt::format(", \"affinity\": [{}]", join(cpus, ", "));
    }

    // The steps for the events of a phase, or of a thread without phases.
    std::vector<std::string> events(const JsonValue& object, Entry& entry) {
        std::vector<std::string> steps;
        std::map<std::string, const JsonValue*> held;  // locks that are not unlocked yet
        for (const JsonValue* member : object.children())
            if (const auto event = event_of(member->key())) read_event(*event, *member, entry, held, steps);
        for (const auto& [lock, at] : held)
            add(*at, fmt::format("'{}' is locked here, but not unlocked before the end of the {}",
                                 printable(lock), &object == entry.value ? "thread's events" : "phase"));
        return steps;
    }

    void read_event(RtEvent event, const JsonValue& value, Entry& entry,
                    std::map<std::string, const JsonValue*>& held, std::vector<std::string>& steps) {
        switch (event) {
            case RtEvent::run:
                steps.push_back(timed("run", micros(value)));
                return;
            case RtEvent::sleep:
                steps.push_back(timed("sleep", micros(value)));
                return;
            case RtEvent::timer:
                return read_timer(value, entry, steps);
            case RtEvent::lock: {
                const std::string name = channel_name(text(value, "a mutex's name"));
                if (!held.emplace(name, &value).second)
                    add(value, fmt::format("'{}' is already locked: locking it again would block forever",
                                           printable(name)));
                steps.push_back(step_of("lock", name));
                return;
            }
            case RtEvent::unlock: {
                const std::string name = channel_name(text(value, "a mutex's name"));
                if (held.erase(name) == 0)
                    add(value, fmt::format("'{}' is not locked here", printable(name)));
                steps.push_back(step_of("unlock", name));
                return;
            }
            case RtEvent::signal:
                wake_first(text(value, "a condition's name"), value, entry, steps);
                return;
            case RtEvent::broad: {
                left_out_.add(kBroad, value);
                left_out_.add(kMemory, value);
                wake_all(text(value, "a condition's name"), value, entry, steps);
                return;
            }
            case RtEvent::wait:
            case RtEvent::sync:
                return read_wait(value, event == RtEvent::sync, entry, held, steps);
            case RtEvent::suspend:
                text(value, "a name (may be empty)");
                if (value.is_string())
                    steps.push_back(step_of("wait", own_channel(suspended_as(value, entry), entry)));
                return;
            case RtEvent::resume:
                left_out_.add(kResumed, value);
                wake_all(text(value, "the name of a suspended thread"), value, entry, steps);
                return;
            case RtEvent::yield:
                steps.emplace_back("\"yield\"");
                return;
            case RtEvent::fork:
                read_fork(value, steps);
                return;
            case RtEvent::barrier:
                left_out_.add(kBarrier, value);
                return;
            case RtEvent::mem:
            case RtEvent::iorun:
                left_out_.add(kNoStep, value);
                return;
        }
    }

    void wake_first(const std::string& name, const JsonValue& value, const Entry& entry,
                    std::vector<std::string>& steps) {
        left_out_.add(kMemory, value);
        const std::vector<const Waiter*> list = others(name, value, entry);
        if (list.size() > 1) left_out_.add(kFirstOfSeveral, value);
        if (!list.empty()) steps.push_back(step_of("wake", list.front()->channel));
    }
    void wake_all(const std::string& name, const JsonValue& value, const Entry& entry,
                  std::vector<std::string>& steps) {
        constexpr std::int64_t kMostWakes = 2;
        for (const Waiter* const waiter : others(name, value, entry)) {
            const std::int64_t times = std::max<std::int64_t>(waiter->entry->count, 1);
            const std::string step = step_of("wake", waiter->channel);
            if (times > kMostWakes)
                steps.push_back(fmt::format("{{\"loop\": {}, \"steps\": [{}]}}", times, step));
            else
                steps.insert(steps.end(), static_cast<std::size_t>(times), step);
        }
    }

    void read_wait(const JsonValue& value, bool signals, const Entry& entry,
                   const std::map<std::string, const JsonValue*>& held, std::vector<std::string>& steps) {
        std::string ref, mutex;
        if (!value.is_object()) {
            add(value, "expected {\"ref\": CONDITION, \"mutex\": MUTEX}, got " + kind_of(value));
            return;
        }
        for (const JsonValue* part : value.children()) {
            if (part->key() == "ref")
                ref = text(*part, "a condition's name");
            else if (part->key() == "mutex")
                mutex = channel_name(text(*part, "a mutex's name"));
            else
                add(*part, "unknown key: expected \"ref\" or \"mutex\"", true);
        }
        if (ref.empty()) {
            add(value, "\"ref\" is missing: expected a condition's name");
            return;
        }
        if (signals) wake_first(ref, value, entry, steps);
        // pthread_cond_wait() releases the mutex while it waits.
        const bool holds = held.contains(mutex);
        if (holds) steps.push_back(step_of("unlock", mutex));
        steps.push_back(step_of("wait", own_channel(ref, entry)));
        if (holds) steps.push_back(step_of("lock", mutex));
    }

    void read_timer(const JsonValue& value, Entry& entry, std::vector<std::string>& steps) {
        std::int64_t period = 0;
        bool is_absolute = false;
        std::string ref;
        if (!value.is_object()) {
            add(value, "expected {\"ref\": NAME, \"period\": MICROSECONDS}, got " + kind_of(value));
            return;
        }
        for (const JsonValue* part : value.children()) {
            if (part->key() == "period") {
                period = number(*part, 1, kMostMicros, "a number of microseconds");
            } else if (part->key() == "ref") {
                ref = text(*part, "a timer's name");
            } else if (part->key() == "mode") {
                const std::string mode = text(*part, "\"relative\" or \"absolute\"");
                is_absolute = mode == "absolute";
                if (!is_absolute && mode != "relative") add(*part, "expected \"relative\" or \"absolute\"");
            } else {
                add(*part, "unknown key: expected \"ref\", \"period\" or \"mode\"", true);
            }
        }
        if (period == 0) {
            add(value, "\"period\" is missing: expected a number of microseconds");
            return;
        }
        if (!is_absolute) left_out_.add(kRelative, value);
        if (!ref.starts_with("unique")) {
            const auto [owner, is_first] = timers_.emplace(ref, &entry);
            if (owner->second != &entry || entry.count > 1) left_out_.add(kShared, value);
        }
        if (entry.period != 0 && entry.period != period) {
            left_out_.add(kOtherTimer, value);
            steps.push_back(timed("sleep", period));
            return;
        }
        entry.period = period;
        steps.push_back(timed("timer", period));
    }

    void read_fork(const JsonValue& value, std::vector<std::string>& steps) {
        const std::string name = text(value, "a thread's name");
        if (const auto place = by_key_.find(name); place != by_key_.end()) {
            steps.push_back(step_of("fork", entries_[place->second].name));
        } else if (value.is_string()) {
            std::vector<std::string> known;
            for (const auto& [key, number_of] : by_key_) known.push_back(key);
            add(value,
                fmt::format("unknown thread '{}'{}", printable(shorten(name)), did_you_mean(name, known)));
        }
    }

    std::string scenario(const WorkloadOptions& options) const {
        const std::string title =
            options.title.empty() ? std::filesystem::path(tree_.file()).stem().string() : options.title;
        std::string text_of = fmt::format(
            "{{\n    \"format\": \"switchyard-scenario/1\",\n    \"title\": {},\n    \"machine\": {},\n    "
            "\"cpus\": "
            "{},\n    \"policy\": {},\n",
            json_string_of(shorten(printable(title), 200)),
            options.machine.empty() ? "{\"base\": \"ideal\", \"hrtimers\": true}" : options.machine, cpus_,
            json_string_of(options.policy.empty() ? "linux-6.6" : options.policy));
        if (duration_ > Nanos{} || runs_on_)
            text_of += fmt::format(
                "    \"until\": \"{}ns\",\n",
                (duration_ > Nanos{} ? std::min(duration_, kHorizon - Nanos{1}) : Nanos{10s}).count());
        text_of += "    \"tasks\": [";
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const Entry& e = entries_[i];
            text_of += fmt::format(
                "{}\n        {{\"name\": {}, \"mm\": \"rt-app\"{}{}{}, \"program\": [{}]}}", i > 0 ? "," : "",
                json_string_of(e.name), e.count == 1 ? "" : fmt::format(", \"count\": {}", e.count),
                e.attributes, e.start > Nanos{} ? fmt::format(", \"start\": \"{}ns\"", e.start.count()) : "",
                join(e.steps, ", "));
        }
        return text_of + "\n    ]\n}\n";
    }

    static constexpr std::size_t kMostThreadObjects = 10'000;
    static constexpr std::int64_t kMostTimes = 4'294'967'294;

    JsonTree tree_;
    std::vector<Problem> problems_;
    OmittedFeatures left_out_;
    const JsonValue* tasks_ = nullptr;
    std::vector<Entry> entries_;
    std::map<std::string, std::size_t> by_key_;           // the first of each name
    std::size_t looked_at_ = 0;                           // waiters visited for wake-ups
    std::map<std::string, std::vector<Waiter>> waiters_;  // by channel name
    std::map<std::string, const Entry*> timers_;          // by name: its first user
    std::string default_policy_ = "SCHED_OTHER";
    Nanos duration_{};
    std::uint32_t cpus_ = 1;
    bool runs_on_ = false;
};

}  // namespace

bool is_rt_app(std::string_view text) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    const auto skip = [&] {
        for (;;) {
            while (!text.empty() && std::string_view(" \t\r\n").find(text.front()) != std::string_view::npos)
                text.remove_prefix(1);
            if (text.starts_with("//"))
                text.remove_prefix(std::min(text.find('\n'), text.size()));
            else if (text.starts_with("/*"))
                text.remove_prefix(std::min(text.find("*/"), text.size() - 2) + 2);
            else
                return;
        }
    };
    skip();
    if (!text.starts_with('{')) return false;
    text.remove_prefix(1);
    skip();
    for (const std::string_view key : {"\"tasks\"", "\"global\"", "\"resources\""})
        if (text.starts_with(key)) return true;
    return false;
}

Workload read_workload(const std::string& file, std::string text, const WorkloadOptions& options,
                       Notes& notes) {
    return WorkloadReader(file, std::move(text)).read(options, notes);
}

}  // namespace sim::trace_io
