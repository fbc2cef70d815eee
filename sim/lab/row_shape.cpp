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
using OptionalShapeProblem = std::optional<ShapeProblem>;

// A summary that has the expected shape: an empty one with one CPU.
const ordered_json& expected_summary() {
    static const ordered_json json = [] {
        Summary summary;
        summary.per_cpu.emplace_back();
        return row_json(summary);
    }();
    return json;
}

OptionalShapeProblem compare(const ordered_json& value, const ordered_json& like, const std::string& pointer);

// Compares two objects; their keys must have the same order.
OptionalShapeProblem compare_objects(const ordered_json& value, const ordered_json& like,
                                     const std::string& pointer) {
    std::vector<std::string> known;
    for (const auto& [key, unused] : like.items()) known.push_back(key);
    std::size_t place = 0;
    for (const auto& [key, member] : value.items()) {
        const std::string at = pointer + "/" + json_pointer_segment(key);
        if (!like.contains(key))
            return ShapeProblem{at,
                                fmt::format("unknown key '{}'{}", shorten(key), did_you_mean(key, known))};
        if (place >= known.size() || key != known[place])
            return ShapeProblem{pointer, fmt::format("\"{}\" is missing before \"{}\"", known[place], key)};
        if (OptionalShapeProblem problem = compare(member, like.at(key), at)) return problem;
        ++place;
    }
    if (place < known.size()) return ShapeProblem{pointer, fmt::format("\"{}\" is missing", known[place])};
    return {};
}

// Compares two arrays: every element must have the shape of the first element of `like`.
OptionalShapeProblem compare_arrays(const ordered_json& value, const ordered_json& like,
                                    const std::string& pointer) {
    for (std::size_t i = 0; i < value.size(); ++i)
        if (OptionalShapeProblem problem = compare(value[i], like[0], fmt::format("{}/{}", pointer, i)))
            return problem;
    return {};
}

OptionalShapeProblem compare(const ordered_json& value, const ordered_json& like,
                             const std::string& pointer) {
    const auto expected = [&](const char* what) {
        return ShapeProblem{pointer, fmt::format("expected {}", what)};
    };
    if (like.is_object()) {
        if (!value.is_object()) return expected("an object");
        return compare_objects(value, like, pointer);
    }
    if (like.is_array()) {
        if (!value.is_array()) return expected("an array");
        return compare_arrays(value, like, pointer);
    }
    if (like.is_null() && !value.is_null() && !value.is_number()) return expected("a number or null");
    if (like.is_string() && !value.is_string()) return expected("a string");
    if (like.is_number_float() && !value.is_number_float()) return expected("a number with a fraction");
    if (like.is_number_integer() && !value.is_number_unsigned()) return expected("a whole number");
    return {};
}

// The expected shape of the JSON value of a SpanHistogram: only "count" if the count is 0, otherwise all
// members.
ordered_json expected_spans(const ordered_json& spans) {
    ordered_json like{{"count", 0}};
    if (!spans.is_object() || spans.value("count", ordered_json{}) == 0) return like;
    like.update(
        {{"sum_ns", 0}, {"mean_ns", 0.0}, {"p50_ns", 0}, {"p90_ns", 0}, {"p99_ns", 0}, {"max_ns", 0}});
    return like;
}

ordered_json expected_latency(const ordered_json& latency) {
    const auto member = [](const ordered_json& of, const char* key) {
        return of.is_object() ? of.value(key, ordered_json{}) : ordered_json{};
    };
    const auto both = [&](const ordered_json& of) {
        ordered_json like{{"wait", expected_spans(member(of, "wait"))},
                          {"wakeup", expected_spans(member(of, "wakeup"))}};
        const ordered_json waiting = member(of, "waiting_at_end");
        if (waiting.is_null()) return like;  // files from before 2026-11-28 lack this member
        like["waiting_at_end"] = {{"count", 0}};
        if (waiting.is_object() && waiting.value("count", ordered_json{}) != 0)
            like["waiting_at_end"].update({{"sum_ns", 0}, {"max_ns", 0}});
        return like;
    };
    ordered_json entries = ordered_json::object();
    const ordered_json there = member(latency, "entries");
    if (there.is_object())
        for (const auto& [name, of] : there.items()) entries[name] = both(of);
    return {{"all", both(member(latency, "all"))}, {"entries", std::move(entries)}};
}

}  // namespace

OptionalShapeProblem shape_problem(const ordered_json& summary) {
    ordered_json like = has_old_keys(summary) ? with_old_keys(expected_summary()) : expected_summary();
    if (summary.is_object() && !summary.contains("jobs")) like.erase("jobs");  // absent before 2026-11-24
    if (summary.is_object() && summary.contains("latency"))
        like["latency"] = expected_latency(summary.at("latency"));
    if (OptionalShapeProblem problem = compare(summary, like, "")) return problem;
    // The stop reason is checked, because reports print it verbatim.
    const std::string& reason = summary.at("stop_reason").get_ref<const std::string&>();
    for (int i = 0; i <= static_cast<int>(StopReason::policy_failed); ++i)
        if (reason == to_string(static_cast<StopReason>(i))) return {};
    return ShapeProblem{"/stop_reason", fmt::format("'{}' is not a stop reason", shorten(reason))};
}

}  // namespace sim::lab
