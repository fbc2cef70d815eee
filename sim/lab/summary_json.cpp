#include "sim/lab/summary_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sim::lab {
namespace {

using nlohmann::ordered_json;

// A summary value whose key was renamed. `object`: pointer to the object that contains the value.
struct RenamedSummaryKey {
    const char *object, *old, *now;
};
constexpr RenamedSummaryKey kRenamedValues[] = {{"/schedule", "recalcs", "recalculations"},
                                                {"/time_ns", "select", "search"},
                                                {"/tlb", "left_mms", "lazy_mms_dropped"},
                                                {"/jobs", "jain", "jain_index"}};
// A key of earlier versions, located after "exits". It was removed because its value is the same as that of
// `interrupts.device`.
constexpr const char* kRemoved = "timer_events";

// Returns the object with one key renamed and the order of keys unchanged.
ordered_json with_renamed_key(const ordered_json& object, const std::string& from, const std::string& to) {
    ordered_json renamed = ordered_json::object();
    for (const auto& [key, value] : object.items()) renamed[key == from ? to : key] = value;
    return renamed;
}

// Converts a pointer of an earlier version to the current pointer to the same value.
std::string current_pointer(const std::string& old_pointer) {
    if (old_pointer == std::string("/") + kRemoved) return "/interrupts/device";
    for (const RenamedSummaryKey& value : kRenamedValues)
        if (old_pointer == fmt::format("{}/{}", value.object, value.old))
            return fmt::format("{}/{}", value.object, value.now);
    return old_pointer;
}

std::int64_t ns(Nanos span) { return span.count(); }

ordered_json json_or_null(std::optional<Nanos> span) {
    return span ? ordered_json(ns(*span)) : ordered_json();
}
ordered_json json_or_null(std::optional<double> number) {
    return number ? ordered_json(*number) : ordered_json();
}

ordered_json json_of(const SwitchCounts& s) {
    return {{"total", s.total()},           {"voluntary", s.voluntary},
            {"involuntary", s.involuntary}, {"from_idle", s.from_idle},
            {"to_idle", s.to_idle},         {"same_mm", s.same_mm},
            {"other_mm", s.other_mm},       {"kernel_thread", s.kernel_thread}};
}

ordered_json json_of(const TimeParts& time) {
    const Overhead& o = time.overhead;
    return {{"user", ns(time.user)},
            {"system", ns(o.system)},
            {"search", ns(o.select)},
            {"recalc", ns(o.recalculation)},
            {"switch", ns(o.context_switch)},
            {"address_space", ns(o.address_space)},
            {"cache_refill", ns(o.cache_refill)},
            {"stolen", ns(o.stolen)},
            {"interrupts", ns(o.interrupts)},
            {"idle", ns(time.idle)}};
}

ordered_json json_of(const Summary::Tlb& tlb) {
    return {{"flushes", tlb.flushes},
            {"loads", tlb.loads},
            {"lazy_avoided", tlb.lazy_avoided},
            {"same_mm_avoided", tlb.same_mm_avoided},
            {"flush_ipis", tlb.flush_ipis},
            {"lazy_mms_dropped", tlb.left_mms},
            {"entries_refilled", tlb.entries_refilled}};
}

ordered_json json_of(const Summary::CpuSummary& cpu) {
    return {{"switches", cpu.switches},
            {"to_idle", cpu.to_idle},
            {"migrations", cpu.migrations},
            {"idle_ns", ns(cpu.idle)}};
}

ordered_json json_of(const Summary::WaitsEndedBy& by) {
    return {{"waiter", by.waiter}, {"waker", by.waker}, {"waits", by.waits}, {"waited_ns", ns(by.waited)}};
}

template <class T>
ordered_json json_list_of(const std::vector<T>& list);

ordered_json json_of(const Summary::Wait& w) {
    ordered_json json{
        {"kind", w.kind}, {"name", w.name}, {"switches", w.switches}, {"waited_ns", ns(w.waited)}};
    if (w.ended_by) json["ended_by"] = json_list_of(*w.ended_by);
    return json;
}

ordered_json json_of(const Summary::RunQueue& queue) {
    ordered_json load = ordered_json::array();
    for (const std::uint64_t hundredths : queue.load_average)
        load.push_back(static_cast<double>(hundredths) / 100);
    return {{"mean", queue.mean},
            {"max", queue.max},
            {"share_over_10", queue.share_over_10},
            {"share_20_or_more", queue.share_20_or_more},
            {"histogram", queue.histogram},
            {"load_average", std::move(load)}};
}

ordered_json json_of(const Summary::Deadlines& d) {
    return {{"jobs", d.jobs}, {"met", d.met}, {"missed", d.missed}, {"max_lateness_ns", ns(d.max_lateness)}};
}

ordered_json json_of(const Summary::TaskSummary& t) {
    ordered_json json{{"pid", t.pid},
                      {"name", t.name},
                      {"state", t.state},
                      {"user_ns", ns(t.user)},
                      {"system_ns", ns(t.system)},
                      {"ready_ns", ns(t.ready)},
                      {"voluntary", t.voluntary},
                      {"involuntary", t.involuntary},
                      {"yields", t.yields},
                      {"arrival_ns", json_or_null(t.arrival)},
                      {"first_run_ns", json_or_null(t.first_run)},
                      {"finish_ns", json_or_null(t.finish)},
                      {"response_ns", json_or_null(t.response)},
                      {"turnaround_ns", json_or_null(t.turnaround)},
                      {"waiting_ns", json_or_null(t.waiting)},
                      {"normalised_turnaround", json_or_null(t.normalised_turnaround)}};
    if (t.deadlines) json["deadlines"] = json_of(*t.deadlines);
    return json;
}

ordered_json json_of(const Summary::Intervention& one) {
    const ordered_json result = one.result ? ordered_json(to_string(*one.result)) : ordered_json();
    return {{"at_ns", ns(one.at)}, {"kind", one.kind}, {"task", one.task}, {"result", result}};
}

ordered_json json_of(const Summary::Jobs& jobs) {
    return {{"finished", jobs.finished},
            {"mean_response_ns", json_or_null(jobs.mean_response)},
            {"mean_turnaround_ns", json_or_null(jobs.mean_turnaround)},
            {"mean_waiting_ns", json_or_null(jobs.mean_waiting)},
            {"mean_normalised_turnaround", json_or_null(jobs.mean_normalised_turnaround)},
            {"max_response_ns", json_or_null(jobs.max_response)},
            {"max_turnaround_ns", json_or_null(jobs.max_turnaround)},
            {"max_waiting_ns", json_or_null(jobs.max_waiting)},
            {"throughput_per_s", json_or_null(jobs.throughput)},
            {"jain_index", json_or_null(jobs.jain)}};
}

template <class T>
ordered_json json_list_of(const std::vector<T>& list) {
    ordered_json json = ordered_json::array();
    for (const T& element : list) json.push_back(json_of(element));
    return json;
}

}  // namespace

ordered_json to_json(const Summary& s) {
    ordered_json json{
        {"format", "switchyard-run/1"},
        {"scenario", s.scenario},
        {"policy", s.policy},
        {"seed", s.seed},
        {"cpus", s.cpus},
        {"simulated_ns", ns(s.simulated)},
        {"stop_reason", to_string(s.stop_reason)},
        {"switches", json_of(s.switches)},
        {"yields", {{"calls", s.yields.calls}, {"switched", s.yields.switched}}},
        {"schedule",
         {{"calls", s.schedule.calls},
          {"considered", s.schedule.considered},
          {"recalculations", s.schedule.recalculations},
          {"recalculated", s.schedule.recalculated},
          {"queue_steps", s.schedule.queue_steps}}},
        {"time_ns", json_of(s.time)},
        {"tlb", json_of(s.tlb)},
        {"cache", {{"lines_refilled", s.cache.lines_refilled}, {"lines_streamed", s.cache.lines_streamed}}},
        {"smp", {{"reschedule_ipis", s.smp.reschedule_ipis}, {"migrations", s.smp.migrations}}},
        {"interrupts",
         {{"timer", s.interrupts.timer}, {"device", s.interrupts.device}, {"ipi", s.interrupts.ipi}}},
        {"per_cpu", json_list_of(s.per_cpu)},
        {"forks", s.forks},
        {"exits", s.exits},
        {"ticks", s.ticks},
        {"waits", json_list_of(s.waits)},
        {"runqueue", json_of(s.runqueue)},
        {"tasks", json_list_of(s.tasks)},
        {"jobs", json_of(s.jobs)},
    };
    if (s.deadlines) json["deadlines"] = json_of(*s.deadlines);
    if (!s.interventions.empty()) json["interventions"] = json_list_of(s.interventions);
    json["hash"] = fmt::format("{:016x}", s.hash);
    return json;
}

ordered_json sweep_row_json(const Summary& summary) {
    ordered_json kept = to_json(summary);
    for (const char* key : {"format", "scenario", "policy", "seed", "tasks", "waits", "interventions"})
        kept.erase(key);
    kept["runqueue"].erase("histogram");
    return kept;
}

bool has_old_keys(const ordered_json& summary) { return summary.is_object() && summary.contains(kRemoved); }

ordered_json with_old_keys(const ordered_json& summary) {
    ordered_json old = ordered_json::object();
    for (const auto& [key, value] : summary.items()) {
        old[key] = value;
        if (key == "exits") old[kRemoved] = summary.at("interrupts").at("device");
    }
    for (const RenamedSummaryKey& value : kRenamedValues) {
        const ordered_json::json_pointer object(value.object);
        if (old.contains(object)) old[object] = with_renamed_key(old[object], value.now, value.old);
    }
    return old;
}

ordered_json with_current_keys(ordered_json summary) {
    summary.erase(kRemoved);
    for (const RenamedSummaryKey& value : kRenamedValues) {
        const ordered_json::json_pointer object(value.object);
        if (summary.contains(object))
            summary[object] = with_renamed_key(summary[object], value.old, value.now);
    }
    return summary;
}

std::optional<double> number_at(const ordered_json& json, const std::string& pointer) {
    try {
        const ordered_json& value = json.at(ordered_json::json_pointer(pointer));
        return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
    } catch (const ordered_json::exception&) {
        const std::string current = current_pointer(pointer);
        return current == pointer ? std::nullopt : number_at(json, current);
    }
}

AssertionResult check_assertion(const Assertion& assertion, const ordered_json& summary) {
    const std::optional<double> value = number_at(summary, assertion.pointer);
    if (!value) return {false, fmt::format("the summary has no number at {}", assertion.pointer)};
    double result = *value;
    std::string what = assertion.pointer;
    if (!assertion.per.empty()) {
        const std::optional<double> per = number_at(summary, assertion.per);
        if (!per) return {false, fmt::format("the summary has no number at {}", assertion.per)};
        if (*per == 0) return {false, fmt::format("cannot divide by {}: its value is 0", assertion.per)};
        result /= *per;
        what += " per " + assertion.per;
    }
    const bool holds = result >= assertion.least && result <= assertion.most;
    const std::string range = assertion.least == assertion.most
                                  ? fmt::format("{}", assertion.least)
                                  : fmt::format("[{}, {}]", assertion.least, assertion.most);
    return {holds, holds ? fmt::format("{} is {:.10g}, as expected: {}", what, result, range)
                         : fmt::format("{} is {:.10g}, expected {}", what, result, range)};
}

}  // namespace sim::lab
