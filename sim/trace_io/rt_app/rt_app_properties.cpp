#include "sim/trace_io/rt_app/rt_app_properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/trace_io/rt_app/rt_app_keys.h"

namespace sim::trace_io {
namespace {

const NoteWording kOfPhase{
    "property of a phase, omitted because a task keeps its class, nice value and CPUs",
    "properties of phases, omitted because a task keeps its class, nice value and CPUs"};
const NoteWording kDeadlineClass{"thread of SCHED_DEADLINE, treated as a fifo task of priority 99",
                                 "threads of SCHED_DEADLINE, treated as fifo tasks of priority 99"};
const NoteWording kReservation{
    "reservation's time or period, omitted: no simulated scheduler limits a task's CPU time",
    "reservations' times and periods, omitted: no simulated scheduler limits a task's CPU time"};
const NoteWording kDeadline{
    "deadline, omitted: the thread has no timer, or its timer has a shorter period",
    "deadlines, omitted: the threads have no timer, or their timers have shorter periods"};
const NoteWording kProperty{"property that no simulated scheduler has, omitted",
                            "properties that no simulated scheduler has, omitted"};

}  // namespace

void RtAppProperties::read_global_properties(const JsonValue& global) {
    static const std::vector<std::string> kOfNoConcern = {
        "calibration", "lock_pages", "logdir", "log_basename",    "log_size",         "ftrace",
        "gnuplot",     "io_device",  "frag",   "mem_buffer_size", "cumulative_slack", "spacing"};
    std::vector<std::string> known = kOfNoConcern;
    known.insert(known.end(), {"duration", "default_policy", "pi_enabled"});
    for (const JsonValue* member : global.children()) {
        if (member->key() == "duration") {
            const std::int64_t seconds =
                file_.integer_in_range(*member, -1, kHorizon.count() / 1'000'000'000, "a number of seconds");
            duration_ = Nanos{std::max<std::int64_t>(seconds, 0) * 1'000'000'000};
        } else if (member->key() == "default_policy") {
            default_policy_ = file_.text(*member, "a policy");
            scheduling_class_of_policy(*member, default_policy_);
        } else if (member->key() == "pi_enabled") {
            if (member->is_boolean() && member->to_nlohmann_json().get<bool>())
                left_out_.add(kProperty, *member);
        } else if (std::find(kOfNoConcern.begin(), kOfNoConcern.end(), member->key()) == kOfNoConcern.end()) {
            file_.add_problem(*member, "rt-app has no such key" + did_you_mean(member->key(), known), true);
        }
    }
}

// Returns a scenario's name for the scheduling class that rt-app's `policy` specifies. If the policy is
// unknown, adds a problem and returns "other".
std::string RtAppProperties::scheduling_class_of_policy(const JsonValue& value, std::string_view policy) {
    static const std::vector<std::string> kPolicies = {"SCHED_OTHER", "SCHED_IDLE",  "SCHED_RR",
                                                       "SCHED_FIFO",  "SCHED_BATCH", "SCHED_DEADLINE"};
    const char* const classes[] = {"other", "idle", "rr", "fifo", "batch", "deadline"};
    for (std::size_t i = 0; i < kPolicies.size(); ++i)
        if (policy == kPolicies[i]) return classes[i];
    file_.add_problem(value, fmt::format("unknown policy '{}'{}", printable(shorten(policy)),
                                         did_you_mean(policy, kPolicies)));
    return "other";
}

void RtAppProperties::read_thread_property(const JsonValue& member, Attributes& attributes) {
    if (member.key() == "policy")
        attributes.policy = &member;
    else if (member.key() == "priority")
        attributes.priority = &member;
    else if (member.key() == "cpus")
        attributes.cpus = &member;
    else if (member.key() == "dl-runtime")
        attributes.runtime = &member;
    else if (member.key() == "dl-period" || member.key() == "period")
        attributes.period = &member;
    else if (member.key() == "dl-deadline" || member.key() == "deadline")
        attributes.deadline = &member;
    else if (is_property(member))
        left_out_.add(kProperty, member);
}

void RtAppProperties::read_phase_property(const JsonValue& member, Attributes& attributes,
                                          bool is_only_phase) {
    const bool is_reservation = member.key().starts_with("dl-");
    if (is_only_phase && (is_reservation || (member.key() == "policy" && attributes.policy == nullptr) ||
                          (member.key() == "priority" && attributes.priority == nullptr) ||
                          (member.key() == "cpus" && attributes.cpus == nullptr)))
        read_thread_property(member, attributes);
    else if (is_property(member))
        left_out_.add(kOfPhase, member);
}

// True if rt-app has a property with the key of `member`; otherwise adds a problem.
bool RtAppProperties::is_property(const JsonValue& member) {
    std::vector<std::string> known = rt_app_properties();
    if (std::find(known.begin(), known.end(), member.key()) != known.end()) return true;
    for (std::string& name : rt_app_events()) known.push_back(std::move(name));
    file_.add_problem(member, "rt-app has no such event or property" + did_you_mean(member.key(), known),
                      true);
    return false;
}

std::string RtAppProperties::scheduling_class_of(const Attributes& attributes, const JsonValue& tasks) {
    return attributes.policy != nullptr
               ? scheduling_class_of_policy(*attributes.policy, file_.text(*attributes.policy, "a policy"))
               : scheduling_class_of_policy(tasks, default_policy_);
}

RtAppProperties::Reservation RtAppProperties::reservation(const std::string& class_name,
                                                          const Attributes& attributes) {
    if (class_name != "deadline") return {};
    const auto micros = [&](const JsonValue* value) {
        return value == nullptr ? 0 : file_.microseconds(*value);
    };
    Reservation r{micros(attributes.runtime), micros(attributes.period), micros(attributes.deadline)};
    if (r.period == 0) r.period = r.runtime;
    if (r.deadline == 0) r.deadline = r.period;
    return r;
}

std::string RtAppProperties::deadline_text(const Attributes& attributes, const Reservation& reservation,
                                           std::int64_t timer_period, bool is_reservation_omitted) {
    for (const JsonValue* value : {attributes.runtime, attributes.period})
        if (value != nullptr && is_reservation_omitted) left_out_.add(kReservation, *value);
    if (timer_period > 0 && reservation.deadline > 0 && reservation.deadline < timer_period)
        return fmt::format(", \"deadline\": \"{}us\"", reservation.deadline);
    if (attributes.deadline != nullptr && (timer_period == 0 || reservation.deadline != timer_period))
        left_out_.add(kDeadline, *attributes.deadline);
    return "";
}

// The scheduling class and its priority, as members of a task group.
std::string RtAppProperties::class_and_priority_text(const std::string& class_name,
                                                     const Attributes& attributes, const JsonValue& tasks) {
    std::string text_of;
    if (class_name == "deadline") {
        left_out_.add(kDeadlineClass, attributes.policy != nullptr ? *attributes.policy : tasks);
        text_of = ", \"class\": \"fifo\", \"rt_priority\": 99";
    } else if (class_name == "rr" || class_name == "fifo") {
        constexpr std::int64_t kDefault = 10;
        const std::int64_t priority =
            attributes.priority == nullptr
                ? kDefault
                : file_.integer_in_range(*attributes.priority, 1, 99, "a priority of a real-time class");
        text_of = fmt::format(", \"class\": \"{}\", \"rt_priority\": {}", class_name, priority);
    } else {
        const std::int64_t nice = attributes.priority == nullptr
                                      ? 0
                                      : file_.integer_in_range(*attributes.priority, -20, 19, "a nice value");
        if (class_name != "other") text_of = fmt::format(", \"class\": \"{}\"", class_name);
        if (nice != 0) text_of += fmt::format(", \"nice\": {}", nice);
    }
    return text_of;
}

std::string RtAppProperties::attributes_text(const std::string& class_name, const Attributes& attributes,
                                             const JsonValue& tasks) {
    std::string text_of = class_and_priority_text(class_name, attributes, tasks);
    if (attributes.cpus == nullptr) return text_of;
    const JsonValue& list = *attributes.cpus;
    if (!list.is_array() || list.size() == 0) {
        file_.add_problem(list, "expected a list of CPUs ([...]), got " +
                                    (list.is_array() ? "an empty list" : kind_of(list)));
        return text_of;
    }
    std::set<std::int64_t> cpus;
    for (const JsonValue* cpu : list.children())
        cpus.insert(file_.integer_in_range(*cpu, 0, kMaxCpus - 1, "a CPU"));
    cpus_ = std::max(cpus_, static_cast<std::uint32_t>(*cpus.rbegin()) + 1);
    return text_of + fmt::format(", \"affinity\": [{}]", join(cpus, ", "));
}

}  // namespace sim::trace_io
