#include "sim/trace_io/rt_app/rt_app_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/scenario/json_text.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {
namespace {

const Remark kNoStep{"mem or iorun event, omitted: scenarios have no step for it",
                     "mem or iorun events, omitted: scenarios have no step for them"};
const Remark kBarrier{"barrier event, omitted: scenarios have no step that waits for all other threads",
                      "barrier events, omitted: scenarios have no step that waits for all other threads"};
const Remark kMemory{
    "signal, sync or broad event: a wake-up without a waiting thread is kept here, but lost in rt-app",
    "signal, sync or broad events: a wake-up without a waiting thread is kept here, but lost in rt-app"};
const Remark kResumed{"resume event: one without a suspended thread is kept here, but lost in rt-app",
                      "resume events: one without a suspended thread is kept here, but lost in rt-app"};
const Remark kRelative{"relative timer: here a late period does not delay the periods after it",
                       "relative timers: here a late period does not delay the periods after it"};
const Remark kShared{"timer that threads share: here each thread has its own",
                     "timers that threads share: here each thread has its own"};
const Remark kOtherTimer{"timer with a different period from the thread's first, treated as a sleep",
                         "timers with a different period from the thread's first, treated as sleeps"};
const Remark kBroad{"broad event, treated as a wake-up of each thread that waits for it anywhere",
                    "broad events, treated as a wake-up of each thread that waits for it anywhere"};
const Remark kFirstOfSeveral{
    "signal event for which several threads wait, treated as a wake-up of the first",
    "signal events for which several threads wait, treated as a wake-up of the first"};

std::string step_of(const char* action, const std::string& what) {
    return fmt::format("{{\"{}\": {}}}", action, json_string_of(what));
}
std::string timed(const char* action, std::int64_t microseconds) {
    return fmt::format("{{\"{}\": \"{}us\"}}", action, microseconds);
}

}  // namespace

std::vector<std::string> RtAppSteps::of(const JsonValue& object, RtAppThread& thread) {
    std::vector<std::string> steps;
    HeldLocks held;
    for (const JsonValue* member : object.children())
        if (const auto event = event_of(member->key())) read_event(*event, *member, thread, held, steps);
    for (const auto& [lock, at] : held)
        file_.add(*at, fmt::format("'{}' is locked here, but not unlocked before the end of the {}",
                                   printable(lock), &object == thread.value ? "thread's events" : "phase"));
    return steps;
}

void RtAppSteps::read_event(RtEvent event, const JsonValue& value, RtAppThread& thread, HeldLocks& held,
                            std::vector<std::string>& steps) {
    switch (event) {
        case RtEvent::run:
            steps.push_back(timed("run", file_.micros(value)));
            return;
        case RtEvent::sleep:
            steps.push_back(timed("sleep", file_.micros(value)));
            return;
        case RtEvent::timer:
            return read_timer(value, thread, steps);
        case RtEvent::lock:
            return read_lock(value, held, steps);
        case RtEvent::unlock:
            return read_unlock(value, held, steps);
        case RtEvent::signal:
            wake_first(file_.text(value, "a condition's name"), value, thread, steps);
            return;
        case RtEvent::broad: {
            left_out_.add(kBroad, value);
            left_out_.add(kMemory, value);
            wake_all(file_.text(value, "a condition's name"), value, thread, steps);
            return;
        }
        case RtEvent::wait:
        case RtEvent::sync:
            return read_wait(value, event == RtEvent::sync, thread, held, steps);
        case RtEvent::suspend:
            file_.text(value, "a name (may be empty)");
            if (value.is_string())
                steps.push_back(step_of("wait", waiters_.own_channel(suspended_as(value, thread), thread)));
            return;
        case RtEvent::resume:
            left_out_.add(kResumed, value);
            wake_all(file_.text(value, "the name of a suspended thread"), value, thread, steps);
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

void RtAppSteps::read_lock(const JsonValue& value, HeldLocks& held, std::vector<std::string>& steps) {
    const std::string name = channel_name(file_.text(value, "a mutex's name"));
    if (!held.emplace(name, &value).second)
        file_.add(value, fmt::format("'{}' is already locked: locking it again would block forever",
                                     printable(name)));
    steps.push_back(step_of("lock", name));
}

void RtAppSteps::read_unlock(const JsonValue& value, HeldLocks& held, std::vector<std::string>& steps) {
    const std::string name = channel_name(file_.text(value, "a mutex's name"));
    if (held.erase(name) == 0) file_.add(value, fmt::format("'{}' is not locked here", printable(name)));
    steps.push_back(step_of("unlock", name));
}

void RtAppSteps::wake_first(const std::string& name, const JsonValue& value, const RtAppThread& thread,
                            std::vector<std::string>& steps) {
    left_out_.add(kMemory, value);
    const std::vector<const RtAppWaiters::Waiter*> list = waiters_.others(name, value, thread);
    if (list.size() > 1) left_out_.add(kFirstOfSeveral, value);
    if (!list.empty()) steps.push_back(step_of("wake", list.front()->channel));
}
void RtAppSteps::wake_all(const std::string& name, const JsonValue& value, const RtAppThread& thread,
                          std::vector<std::string>& steps) {
    constexpr std::int64_t kMostWakes = 2;
    for (const RtAppWaiters::Waiter* const waiter : waiters_.others(name, value, thread)) {
        const std::int64_t times = std::max<std::int64_t>(waiter->thread->count, 1);
        const std::string step = step_of("wake", waiter->channel);
        if (times > kMostWakes)
            steps.push_back(fmt::format("{{\"loop\": {}, \"steps\": [{}]}}", times, step));
        else
            steps.insert(steps.end(), static_cast<std::size_t>(times), step);
    }
}

void RtAppSteps::read_wait(const JsonValue& value, bool signals, const RtAppThread& thread,
                           const HeldLocks& held, std::vector<std::string>& steps) {
    std::string ref, mutex;
    if (!value.is_object()) {
        file_.add(value, "expected {\"ref\": CONDITION, \"mutex\": MUTEX}, got " + kind_of(value));
        return;
    }
    for (const JsonValue* part : value.children()) {
        if (part->key() == "ref")
            ref = file_.text(*part, "a condition's name");
        else if (part->key() == "mutex")
            mutex = channel_name(file_.text(*part, "a mutex's name"));
        else
            file_.add(*part, "unknown key: expected \"ref\" or \"mutex\"", true);
    }
    if (ref.empty()) {
        file_.add(value, "\"ref\" is missing: expected a condition's name");
        return;
    }
    if (signals) wake_first(ref, value, thread, steps);
    // pthread_cond_wait() releases the mutex while it waits.
    const bool holds = held.contains(mutex);
    if (holds) steps.push_back(step_of("unlock", mutex));
    steps.push_back(step_of("wait", waiters_.own_channel(ref, thread)));
    if (holds) steps.push_back(step_of("lock", mutex));
}

void RtAppSteps::read_timer(const JsonValue& value, RtAppThread& thread, std::vector<std::string>& steps) {
    std::int64_t period = 0;
    bool is_absolute = false;
    std::string ref;
    if (!value.is_object()) {
        file_.add(value, "expected {\"ref\": NAME, \"period\": MICROSECONDS}, got " + kind_of(value));
        return;
    }
    for (const JsonValue* part : value.children()) {
        if (part->key() == "period") {
            period = file_.number(*part, 1, kMostMicros, "a number of microseconds");
        } else if (part->key() == "ref") {
            ref = file_.text(*part, "a timer's name");
        } else if (part->key() == "mode") {
            const std::string mode = file_.text(*part, "\"relative\" or \"absolute\"");
            is_absolute = mode == "absolute";
            if (!is_absolute && mode != "relative") file_.add(*part, "expected \"relative\" or \"absolute\"");
        } else {
            file_.add(*part, "unknown key: expected \"ref\", \"period\" or \"mode\"", true);
        }
    }
    if (period == 0) {
        file_.add(value, "\"period\" is missing: expected a number of microseconds");
        return;
    }
    if (!is_absolute) left_out_.add(kRelative, value);
    if (!ref.starts_with("unique")) {
        const auto [owner, is_first] = timers_.emplace(ref, &thread);
        if (owner->second != &thread || thread.count > 1) left_out_.add(kShared, value);
    }
    if (thread.period != 0 && thread.period != period) {
        left_out_.add(kOtherTimer, value);
        steps.push_back(timed("sleep", period));
        return;
    }
    thread.period = period;
    steps.push_back(timed("timer", period));
}

void RtAppSteps::read_fork(const JsonValue& value, std::vector<std::string>& steps) {
    const std::string name = file_.text(value, "a thread's name");
    if (const auto place = threads_.by_key.find(name); place != threads_.by_key.end()) {
        steps.push_back(step_of("fork", threads_.all[place->second].name));
    } else if (value.is_string()) {
        std::vector<std::string> known;
        for (const auto& [key, number_of] : threads_.by_key) known.push_back(key);
        file_.add(value,
                  fmt::format("unknown thread '{}'{}", printable(shorten(name)), did_you_mean(name, known)));
    }
}

}  // namespace sim::trace_io
