#include "sim/trace_io/rt_app/rt_app_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/scenario/json_text.h"
#include "sim/trace_io/scenario/name_in_scenario.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {
namespace {

const NoteWording kMemory{"mem event, omitted: scenarios have no step for it",
                          "mem events, omitted: scenarios have no step for them"};
const NoteWording kIo{"iorun event, omitted: scenarios have no step for it",
                      "iorun events, omitted: scenarios have no step for them"};
const NoteWording kBarrier{
    "barrier event, omitted: a scenario supports up to 64 threads per barrier, each with one instance and "
    "one use",
    "barrier events, omitted: a scenario supports up to 64 threads per barrier, each with one instance and "
    "one use"};
const NoteWording kRelative{
    "relative timer: in the scenario, a late period does not delay the periods after it",
    "relative timers: in the scenario, a late period does not delay the periods after it"};
const NoteWording kShared{"timer that threads share: in the scenario, each thread has its own",
                          "timers that threads share: in the scenario, each thread has its own"};
const NoteWording kOtherTimer{"timer with a different period from the thread's first, treated as a sleep",
                              "timers with a different period from the thread's first, treated as sleeps"};
std::string step_of(const char* action, const std::string& target) {
    return fmt::format("{{\"{}\": {}}}", action, json_string_of(target));
}
std::string timed_step(const char* action, std::int64_t microseconds) {
    return fmt::format("{{\"{}\": \"{}us\"}}", action, microseconds);
}

}  // namespace

void RtAppSteps::add_conditions_and_barriers(const RtAppThread& thread, const JsonValue& events) {
    for (const JsonValue* member : events.children()) {
        switch (event_of(member->key()).value_or(RtEvent::run)) {
            case RtEvent::suspend:
            case RtEvent::resume:
            case RtEvent::signal:
            case RtEvent::broad:
                if (member->is_string()) conditions_.insert(name_in_scenario(member->text()));
                break;
            case RtEvent::wait:
            case RtEvent::sync:
                for (const JsonValue* part : member->children())
                    if (part->key() == "ref" && part->is_string())
                        conditions_.insert(name_in_scenario(part->text()));
                break;
            case RtEvent::barrier:
                if (member->is_string()) barriers_[name_in_scenario(member->text())].push_back(&thread);
                break;
            default:
                break;
        }
    }
}

std::vector<std::string> RtAppSteps::steps_of(const JsonValue& events, RtAppThread& thread) {
    std::vector<std::string> steps;
    HeldLocks held;
    for (const JsonValue* member : events.children())
        if (const auto event = event_of(member->key())) read_event(*event, *member, thread, held, steps);
    for (const auto& [lock, at] : held)
        file_.add_problem(
            *at, fmt::format("'{}' is locked here, but not unlocked before the end of the {}",
                             printable(lock), &events == thread.value ? "thread's events" : "phase"));
    return steps;
}

void RtAppSteps::read_event(RtEvent event, const JsonValue& value, RtAppThread& thread, HeldLocks& held,
                            std::vector<std::string>& steps) {
    switch (event) {
        case RtEvent::run:
            steps.push_back(timed_step("run", file_.microseconds(value)));
            return;
        case RtEvent::sleep:
            steps.push_back(timed_step("sleep", file_.microseconds(value)));
            return;
        case RtEvent::timer:
            return read_timer(value, thread, steps);
        case RtEvent::lock:
            return read_lock(value, held, steps);
        case RtEvent::unlock:
            return read_unlock(value, held, steps);
        case RtEvent::signal:
            steps.push_back(step_on_named_object("signal", value, "a condition's name"));
            return;
        case RtEvent::broad:
            steps.push_back(step_on_named_object("broadcast", value, "a condition's name"));
            return;
        case RtEvent::wait:
        case RtEvent::sync:
            return read_wait(value, event == RtEvent::sync, held, steps);
        case RtEvent::suspend:
            return read_suspend(value, thread, steps);
        case RtEvent::resume:
            steps.push_back(step_on_named_object("broadcast", value, "the name of a suspended thread"));
            return;
        case RtEvent::sem_post:
            steps.push_back(semaphore_step("wake", value));
            return;
        case RtEvent::sem_wait:
            steps.push_back(semaphore_step("wait", value));
            return;
        case RtEvent::yield:
            steps.emplace_back("\"yield\"");
            return;
        case RtEvent::fork:
            read_fork(value, steps);
            return;
        case RtEvent::barrier:
            return read_barrier(value, thread, steps);
        case RtEvent::mem:
            left_out_.add(kMemory, value);
            return;
        case RtEvent::iorun:
            left_out_.add(kIo, value);
            return;
    }
}

void RtAppSteps::read_lock(const JsonValue& value, HeldLocks& held, std::vector<std::string>& steps) {
    const std::string name = name_in_scenario(file_.text(value, "a mutex's name"));
    if (!held.emplace(name, &value).second)
        file_.add_problem(value, fmt::format("'{}' is already locked: locking it again would block forever",
                                             printable(name)));
    steps.push_back(step_of("lock", name));
}

void RtAppSteps::read_unlock(const JsonValue& value, HeldLocks& held, std::vector<std::string>& steps) {
    const std::string name = name_in_scenario(file_.text(value, "a mutex's name"));
    if (held.erase(name) == 0)
        file_.add_problem(value, fmt::format("'{}' is not locked here", printable(name)));
    steps.push_back(step_of("unlock", name));
}

std::string RtAppSteps::step_on_named_object(const char* action, const JsonValue& value,
                                             const char* expected) {
    return step_of(action, name_in_scenario(file_.text(value, expected)));
}

std::string RtAppSteps::semaphore_step(const char* action, const JsonValue& value) {
    const std::string name = name_in_scenario(file_.text(value, "a semaphore's name"));
    return step_of(action, conditions_.contains(name) ? name + ".semaphore" : name);
}

// If the suspend event has no name, the key of the thread is used as the name.
void RtAppSteps::read_suspend(const JsonValue& value, const RtAppThread& thread,
                              std::vector<std::string>& steps) {
    std::string name = value.is_null() ? std::string() : file_.text(value, "a name (may be empty)");
    if (name.empty()) name = thread.value->key();
    steps.push_back(step_of("wait", name_in_scenario(name)));
}

// At a barrier, each thread wakes each other thread once, and waits for one wake-up from each other thread.
void RtAppSteps::read_barrier(const JsonValue& value, const RtAppThread& thread,
                              std::vector<std::string>& steps) {
    const std::string name = name_in_scenario(file_.text(value, "a barrier's name"));
    const std::vector<const RtAppThread*>& users = barriers_[name];
    constexpr std::size_t kMostUsers = 64;
    const bool is_read =
        users.size() <= kMostUsers && std::all_of(users.begin(), users.end(), [&](const RtAppThread* user) {
            return user->count == 1 && std::count(users.begin(), users.end(), user) == 1;
        });
    if (!is_read) {
        left_out_.add(kBarrier, value);
        return;
    }
    std::string own;
    for (std::size_t i = 0; i < users.size(); ++i) {
        const std::string channel = fmt::format("{}.barrier.{}", name, i + 1);
        if (users[i] == &thread)
            own = step_of("wait", channel);
        else
            steps.push_back(step_of("wake", channel));
    }
    if (users.size() > 1)
        steps.push_back(fmt::format("{{\"loop\": {}, \"steps\": [{}]}}", users.size() - 1, own));
}

void RtAppSteps::read_wait(const JsonValue& value, bool signals_first, const HeldLocks& held,
                           std::vector<std::string>& steps) {
    std::string ref, mutex;
    if (!value.is_object()) {
        file_.add_problem(value, "expected {\"ref\": CONDITION, \"mutex\": MUTEX}, got " + kind_of(value));
        return;
    }
    for (const JsonValue* part : value.children()) {
        if (part->key() == "ref")
            ref = file_.text(*part, "a condition's name");
        else if (part->key() == "mutex")
            mutex = name_in_scenario(file_.text(*part, "a mutex's name"));
        else
            file_.add_problem(*part, "unknown key: expected \"ref\" or \"mutex\"", true);
    }
    if (ref.empty()) {
        file_.add_problem(value, "\"ref\" is missing: expected a condition's name");
        return;
    }
    ref = name_in_scenario(ref);
    // The rt-app event "sync" locks the mutex itself, unless the thread has already locked it.
    const bool has_mutex = held.contains(mutex), takes_it = signals_first && !has_mutex && !mutex.empty();
    if (takes_it) steps.push_back(step_of("lock", mutex));
    if (signals_first) steps.push_back(step_of("signal", ref));
    steps.push_back(has_mutex || takes_it ? fmt::format("{{\"wait\": {}, \"mutex\": {}}}",
                                                        json_string_of(ref), json_string_of(mutex))
                                          : step_of("wait", ref));
    if (takes_it) steps.push_back(step_of("unlock", mutex));
}

void RtAppSteps::read_timer(const JsonValue& value, RtAppThread& thread, std::vector<std::string>& steps) {
    std::int64_t period = 0;
    bool is_absolute = false;
    std::string ref;
    if (!value.is_object()) {
        file_.add_problem(value, "expected {\"ref\": NAME, \"period\": MICROSECONDS}, got " + kind_of(value));
        return;
    }
    for (const JsonValue* part : value.children()) {
        if (part->key() == "period") {
            period = file_.integer_in_range(*part, 1, kMostMicros, "a number of microseconds");
        } else if (part->key() == "ref") {
            ref = file_.text(*part, "a timer's name");
        } else if (part->key() == "mode") {
            const std::string mode = file_.text(*part, "\"relative\" or \"absolute\"");
            is_absolute = mode == "absolute";
            if (!is_absolute && mode != "relative")
                file_.add_problem(*part, "expected \"relative\" or \"absolute\"");
        } else {
            file_.add_problem(*part, "unknown key: expected \"ref\", \"period\" or \"mode\"", true);
        }
    }
    if (period == 0) {
        file_.add_problem(value, "\"period\" is missing: expected a number of microseconds");
        return;
    }
    if (!is_absolute) left_out_.add(kRelative, value);
    if (!ref.starts_with("unique")) {
        const auto [owner, is_first] = timers_.emplace(ref, &thread);
        if (owner->second != &thread || thread.count > 1) left_out_.add(kShared, value);
    }
    if (thread.period != 0 && thread.period != period) {
        left_out_.add(kOtherTimer, value);
        steps.push_back(timed_step("sleep", period));
        return;
    }
    thread.period = period;
    steps.push_back(timed_step("timer", period));
}

void RtAppSteps::read_fork(const JsonValue& value, std::vector<std::string>& steps) {
    const std::string name = file_.text(value, "a thread's name");
    if (const auto place = threads_.by_key.find(name); place != threads_.by_key.end()) {
        steps.push_back(step_of("fork", threads_.all[place->second].name));
    } else if (value.is_string()) {
        std::vector<std::string> known;
        for (const auto& [key, number_of] : threads_.by_key) known.push_back(key);
        file_.add_problem(
            value, fmt::format("unknown thread '{}'{}", printable(shorten(name)), did_you_mean(name, known)));
    }
}

}  // namespace sim::trace_io
