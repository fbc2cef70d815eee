#include "sim/lab/row_shape.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/lab/summary_json.h"
#include "sim/scenario/json_tree.h"

namespace sim::lab {
namespace {

using nlohmann::ordered_json;
using OptionalShapeProblem = std::optional<SummaryShapeProblem>;

// Returns an example of the expected shape: an empty summary of a machine with one CPU.
const ordered_json& example_summary() {
    static const ordered_json json = [] {
        Summary summary;
        summary.per_cpu.emplace_back();
        return sweep_row_json(summary);
    }();
    return json;
}

OptionalShapeProblem compare(const ordered_json& value, const ordered_json& shape,
                             const std::string& pointer);

// Compares two objects; their keys must have the same order.
OptionalShapeProblem compare_objects(const ordered_json& value, const ordered_json& shape,
                                     const std::string& pointer) {
    std::vector<std::string> known;
    for (const auto& [key, unused] : shape.items()) known.push_back(key);
    std::size_t place = 0;
    for (const auto& [key, member] : value.items()) {
        const std::string at = pointer + "/" + escaped_pointer_segment(key);
        if (!shape.contains(key))
            return SummaryShapeProblem{
                at, fmt::format("unknown key '{}'{}", shorten(key), did_you_mean(key, known))};
        if (place >= known.size() || key != known[place])
            return SummaryShapeProblem{pointer,
                                       fmt::format("\"{}\" is missing before \"{}\"", known[place], key)};
        if (OptionalShapeProblem problem = compare(member, shape.at(key), at)) return problem;
        ++place;
    }
    if (place < known.size())
        return SummaryShapeProblem{pointer, fmt::format("\"{}\" is missing", known[place])};
    return {};
}

// Compares two arrays: every element must have the shape of the first element of `shape`.
OptionalShapeProblem compare_arrays(const ordered_json& value, const ordered_json& shape,
                                    const std::string& pointer) {
    for (std::size_t i = 0; i < value.size(); ++i)
        if (OptionalShapeProblem problem = compare(value[i], shape[0], fmt::format("{}/{}", pointer, i)))
            return problem;
    return {};
}

OptionalShapeProblem compare(const ordered_json& value, const ordered_json& shape,
                             const std::string& pointer) {
    const auto problem = [&](const char* what) { return SummaryShapeProblem{pointer, what}; };
    if (shape.is_object()) {
        if (!value.is_object()) return problem("expected an object");
        return compare_objects(value, shape, pointer);
    }
    if (shape.is_array()) {
        if (!value.is_array()) return problem("expected an array");
        return compare_arrays(value, shape, pointer);
    }
    if (shape.is_null() && !value.is_null() && !value.is_number())
        return problem("expected a number or null");
    if (shape.is_string() && !value.is_string()) return problem("expected a string");
    if (shape.is_number_float() && !value.is_number_float())
        return problem("expected a number with a fraction");
    if (shape.is_number_integer() && !value.is_number_unsigned()) return problem("expected a whole number");
    return {};
}

// The expected shape of the JSON value of a SpanHistogram: only "count" if the count is 0, otherwise all
// members.
ordered_json histogram_shape(const ordered_json& histogram) {
    ordered_json shape{{"count", 0}};
    if (!histogram.is_object() || histogram.value("count", ordered_json{}) == 0) return shape;
    shape.update(
        {{"sum_ns", 0}, {"mean_ns", 0.0}, {"p50_ns", 0}, {"p90_ns", 0}, {"p99_ns", 0}, {"max_ns", 0}});
    return shape;
}

ordered_json latency_shape(const ordered_json& latency) {
    const auto member = [](const ordered_json& of, const char* key) {
        return of.is_object() ? of.value(key, ordered_json{}) : ordered_json{};
    };
    const auto both = [&](const ordered_json& of) {
        ordered_json shape{{"wait", histogram_shape(member(of, "wait"))},
                           {"wakeup", histogram_shape(member(of, "wakeup"))}};
        const ordered_json waiting = member(of, "waiting_at_end");
        if (waiting.is_null()) return shape;  // files from before 2026-11-28 lack this member
        shape["waiting_at_end"] = {{"count", 0}};
        if (waiting.is_object() && waiting.value("count", ordered_json{}) != 0)
            shape["waiting_at_end"].update({{"sum_ns", 0}, {"max_ns", 0}});
        return shape;
    };
    ordered_json entries = ordered_json::object();
    const ordered_json there = member(latency, "entries");
    if (there.is_object())
        for (const auto& [name, of] : there.items()) entries[name] = both(of);
    return {{"all", both(member(latency, "all"))}, {"entries", std::move(entries)}};
}

}  // namespace

OptionalShapeProblem find_summary_shape_problem(const ordered_json& summary) {
    ordered_json shape = has_old_keys(summary) ? with_old_keys(example_summary()) : example_summary();
    // Files from before 2026-11-24 lack this member.
    if (summary.is_object() && !summary.contains("jobs")) shape.erase("jobs");
    if (summary.is_object() && summary.contains("latency"))
        shape["latency"] = latency_shape(summary.at("latency"));
    if (OptionalShapeProblem problem = compare(summary, shape, "")) return problem;
    // The stop reason is checked, because reports print it verbatim.
    const std::string& reason = summary.at("stop_reason").get_ref<const std::string&>();
    for (int i = 0; i <= static_cast<int>(StopReason::policy_failed); ++i)
        if (reason == to_string(static_cast<StopReason>(i))) return {};
    return SummaryShapeProblem{"/stop_reason", fmt::format("'{}' is not a stop reason", shorten(reason))};
}

}  // namespace sim::lab
