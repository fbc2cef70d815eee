#include "sim/lab/measure.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/lab/summary_json.h"

namespace sim::lab {
namespace {

using nlohmann::ordered_json;

const std::vector<std::string> kKernelTime{
    "/time_ns/system",        "/time_ns/search",       "/time_ns/recalc",    "/time_ns/switch",
    "/time_ns/address_space", "/time_ns/cache_refill", "/time_ns/interrupts"};

constexpr const char* kLatency = "/latency/";
constexpr const char* kEntries = "/latency/entries/";

// Measures of yields, switches and the run queue.
std::vector<Measure> scheduling_measures() {
    return {
        {"us-per-yield", "us per yield", "us", {"/simulated_ns"}, {"/yields/calls"}, 1e-3, "{:.2f}", true},
        {"kernel-us-per-switch",
         "kernel us per switch",
         "us",
         kKernelTime,
         {"/switches/total"},
         1e-3,
         "{:.2f}",
         true},
        {"switches-per-second",
         "switches per second",
         "1/s",
         {"/switches/total"},
         {"/simulated_ns"},
         1e9,
         "{:.4g}"},
        {"switches", "switches", "", {"/switches/total"}, {}, 1, "{:.0f}"},
        {"voluntary", "voluntary switches", "", {"/switches/voluntary"}, {}, 1, "{:.0f}"},
        {"involuntary", "involuntary switches", "", {"/switches/involuntary"}, {}, 1, "{:.0f}"},
        {"yields", "yields", "", {"/yields/calls"}, {}, 1, "{:.0f}"},
        {"yield-switch-share",
         "share of yields that switch",
         "",
         {"/yields/switched"},
         {"/yields/calls"},
         1,
         "{:.4f}"},
        {"considered",
         "considered per schedule()",
         "",
         {"/schedule/considered"},
         {"/schedule/calls"},
         1,
         "{:.2f}"},
        {"queue-steps",
         "queue steps per schedule()",
         "",
         {"/schedule/queue_steps"},
         {"/schedule/calls"},
         1,
         "{:.2f}"},
        {"recalculations", "recalculations", "", {"/schedule/recalculations"}, {}, 1, "{:.0f}"},
        {"recalculations-per-yield",
         "recalculations per yield",
         "",
         {"/schedule/recalculations"},
         {"/yields/calls"},
         1,
         "{:.4f}"},
        {"run-queue", "run queue, mean", "", {"/runqueue/mean"}, {}, 1, "{:.2f}"},
        {"longest-run-queue", "run queue, longest", "", {"/runqueue/max"}, {}, 1, "{:.0f}"},
        {"load-1", "load average, 1 minute", "", {"/runqueue/load_average/0"}, {}, 1, "{:.2f}"},
        {"load-5", "load average, 5 minutes", "", {"/runqueue/load_average/1"}, {}, 1, "{:.2f}"},
        {"load-15", "load average, 15 minutes", "", {"/runqueue/load_average/2"}, {}, 1, "{:.2f}"},
    };
}

// Measures of interrupts, and of the shares of CPU time over all CPUs.
std::vector<Measure> time_measures() {
    // JSON pointers of the times whose sum is the total time of all CPUs.
    std::vector<std::string> all_time = kKernelTime;
    all_time.insert(all_time.end(), {"/time_ns/user", "/time_ns/stolen", "/time_ns/idle"});
    const auto share = [&](const char* name, const char* label, std::vector<std::string> of,
                           bool is_cost = false) {
        return Measure{name, label, "%", std::move(of), all_time, 100, "{:.3f}", is_cost};
    };
    return {
        share("kernel-share", "kernel time", kKernelTime, true),
        share("user-share", "user time", {"/time_ns/user"}),
        share("system-share", "system call time", {"/time_ns/system"}),
        share("search-share", "search time", {"/time_ns/search"}),
        share("recalculation-share", "recalculation time", {"/time_ns/recalc"}),
        share("switching-share", "switch time", {"/time_ns/switch"}),
        share("address-space-share", "address-space switch time", {"/time_ns/address_space"}),
        share("interrupt-share", "interrupt time", {"/time_ns/interrupts"}),
        Measure{"interrupts-per-second",
                "interrupts per second",
                "1/s",
                {"/interrupts/timer", "/interrupts/device", "/interrupts/ipi"},
                {"/simulated_ns"},
                1e9,
                "{:.0f}"},
        share("idle-share", "idle time", {"/time_ns/idle"}),
    };
}

// Measures of completed jobs, from submission to exit.
std::vector<Measure> job_measures() {
    const auto of_jobs = [](const char* name, const char* label, const char* unit, const char* of,
                            double scale = 1) {
        return Measure{name, label, unit, {of}, {}, scale, "{:.4g}"};
    };
    return {
        of_jobs("mean-response", "response, mean", "ms", "/jobs/mean_response_ns", 1e-6),
        of_jobs("mean-turnaround", "turnaround, mean", "ms", "/jobs/mean_turnaround_ns", 1e-6),
        of_jobs("mean-waiting", "waiting, mean", "ms", "/jobs/mean_waiting_ns", 1e-6),
        of_jobs("max-waiting", "waiting, longest", "ms", "/jobs/max_waiting_ns", 1e-6),
        of_jobs("mean-normalised-turnaround", "normalised turnaround, mean", "",
                "/jobs/mean_normalised_turnaround"),
        of_jobs("throughput", "jobs finished per second", "1/s", "/jobs/throughput_per_s"),
        of_jobs("jain-index", "Jain's index of fairness", "", "/jobs/jain_index"),
    };
}

// Measures of waits for a CPU. A run collects these waits only on request.
std::vector<Measure> latency_measures() {
    std::vector<Measure> list;
    struct KeyAndLabel {
        const char *word, *name;
    };
    for (const KeyAndLabel& of :
         {KeyAndLabel{"wait", "wait for a CPU"}, KeyAndLabel{"wakeup", "wake-up latency"}})
        for (const KeyAndLabel& part : {KeyAndLabel{"p50", "median"}, KeyAndLabel{"p90", "90th percentile"},
                                        KeyAndLabel{"p99", "99th percentile"}, KeyAndLabel{"max", "longest"},
                                        KeyAndLabel{"mean", "mean"}})
            list.push_back(
                {.name = fmt::format("{}-{}", of.word == std::string_view("wait") ? "wait" : "wakeup-latency",
                                     part.word),
                 .label = fmt::format("{}, {}", of.name, part.name),
                 .unit = "us",
                 .of = {fmt::format("{}all/{}/{}_ns", kLatency, of.word, part.word)},
                 .per = {},
                 .scale = 1e-3,
                 .format = "{:.4g}"});
    return list;
}

std::vector<Measure> make_measures() {
    std::vector<Measure> list;
    for (const std::vector<Measure>& part :
         {scheduling_measures(), time_measures(), job_measures(), latency_measures()})
        list.insert(list.end(), part.begin(), part.end());
    return list;
}

std::optional<double> sum_of(const std::vector<std::string>& pointers, const ordered_json& summary) {
    double sum = 0;
    for (const std::string& pointer : pointers) {
        const std::optional<double> number = number_at(summary, pointer);
        if (!number) return std::nullopt;
        sum += *number;
    }
    return sum;
}

std::string checked_pointer(std::string_view text, std::string_view measure_text) {
    std::string pointer(text);
    if (!pointer.starts_with('/')) pointer.insert(0, 1, '/');
    try {
        const ordered_json::json_pointer parsed(pointer);
        if (!parsed.empty() && pointer.size() > 1 && pointer.size() <= kLongestValue) return pointer;
    } catch (const ordered_json::exception&) {
    }
    throw LabError(
        fmt::format("'{}' is not a measure: expected POINTER or POINTER:PER, like "
                    "/yields/switched:/yields/calls",
                    shorten(measure_text)));
}

}  // namespace

std::string Measure::heading() const {
    const bool has_unit = unit.empty() || label.find(unit) != std::string::npos;
    return has_unit ? label : fmt::format("{} ({})", label, unit);
}

std::string Measure::text(std::optional<double> value) const {
    return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::span<const Measure> measures() {
    static const std::vector<Measure> list = make_measures();
    return list;
}

namespace {

// Restricts a measure of all tasks to one task group: "wait-p99" and "hog" become "wait-p99@hog".
Measure restrict_to_group(Measure measure, std::string_view group) {
    if (!needs_latency(measure))
        throw LabError(fmt::format(
            "{} is for all tasks; only wait-... and wakeup-latency-... can have '@' and a task group",
            measure.name));
    // Example of the pointer: "/latency/all/wait/p99_ns".
    ordered_json::json_pointer pointer(measure.of.front());
    const std::string figure = pointer.back();
    pointer.pop_back();
    const std::string kind = pointer.back();
    pointer = ordered_json::json_pointer("/latency/entries");
    pointer /= std::string(group);
    measure.of.front() = ((pointer / kind) / figure).to_string();
    measure.name += fmt::format("@{}", group);
    measure.label += fmt::format(", {}", group);
    return measure;
}

}  // namespace

bool needs_latency(const Measure& measure) {
    for (const auto* pointers : {&measure.of, &measure.per})
        for (const std::string& pointer : *pointers)
            if (pointer.starts_with(kLatency)) return true;
    return false;
}

void check_task_group(const Measure& measure, const Scenario& scenario) {
    for (const auto* pointers : {&measure.of, &measure.per})
        for (const std::string& pointer : *pointers) {
            if (!pointer.starts_with(kEntries)) continue;
            ordered_json::json_pointer rest(pointer);
            while (rest.parent_pointer().to_string() != "/latency/entries" && !rest.empty()) rest.pop_back();
            if (rest.empty()) continue;
            std::vector<std::string> names;
            for (const TaskGroup& group : scenario.groups) names.push_back(group.name);
            if (std::find(names.begin(), names.end(), rest.back()) == names.end())
                throw LabError(fmt::format("the scenario has no task group '{}'{}", shorten(rest.back()),
                                           did_you_mean(rest.back(), names)));
        }
}

std::string_view current_measure_name(std::string_view old_name) {
    if (old_name == "recalcs") return "recalculations";
    if (old_name == "recalcs-per-yield") return "recalculations-per-yield";
    if (old_name == "refilling-share") return "recalculation-share";
    if (old_name == "choosing-share") return "search-share";
    return old_name == "jain" ? "jain-index" : old_name;
}

Measure find_measure(std::string_view text) {
    text = current_measure_name(text);
    if (const std::size_t at = text.find('@');
        at != std::string_view::npos && text.substr(0, at).find('/') == std::string_view::npos)
        return restrict_to_group(find_measure(text.substr(0, at)), text.substr(at + 1));
    std::vector<std::string> names;
    for (const Measure& measure : measures()) {
        if (measure.name == text) return measure;
        names.push_back(measure.name);
    }
    if (text.find('/') == std::string_view::npos)
        throw LabError(fmt::format("unknown measure '{}'{} (`switchyard list measures` lists the measures)",
                                   shorten(text), did_you_mean(text, names)));
    const std::size_t colon = text.find(':');
    Measure measure;
    measure.of = {checked_pointer(text.substr(0, colon), text)};
    measure.name = measure.label = measure.of.front();
    if (colon != std::string_view::npos) {
        measure.per = {checked_pointer(text.substr(colon + 1), text)};
        measure.name += ":" + measure.per.front();
        measure.label += " per " + measure.per.front();
    }
    return measure;
}

std::optional<double> value_of(const Measure& measure, const ordered_json& summary) {
    const std::optional<double> sum = sum_of(measure.of, summary);
    if (!sum) return std::nullopt;
    double value = *sum;
    if (!measure.per.empty()) {
        const std::optional<double> per = sum_of(measure.per, summary);
        if (!per || *per == 0) return std::nullopt;
        value /= *per;
    }
    value *= measure.scale;
    if (!std::isfinite(value)) return std::nullopt;
    return value;
}

std::vector<Measure> default_measures(bool workload_yields) {
    if (workload_yields) return {find_measure("us-per-yield")};
    return {find_measure("kernel-us-per-switch"), find_measure("switches-per-second")};
}

}  // namespace sim::lab
