#include "sim/cli/sweep_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "sim/base/csv.h"
#include "sim/base/join.h"
#include "sim/cli/output.h"
#include "sim/lab/values.h"
#include "sim/scenario/json_text.h"

namespace sim::cli {
namespace {

using lab::Crossover;
using lab::Measure;
using lab::SweepResults;
using lab::SweepSpec;
using nlohmann::ordered_json;

// --- text ---

std::string count_text(std::uint64_t n, const char* singular, const char* plural) {
    return fmt::format("{} {}", group_digits(n), n == 1 ? singular : plural);
}

std::string heading(const SweepResults& results) {
    const SweepSpec& s = results.spec();
    std::string text = fmt::format("{}: {}: {}, {}, {}", s.scenario, count_text(s.runs(), "run", "runs"),
                                   count_text(s.points(), "point", "points"),
                                   count_text(s.policies.size(), "policy", "policies"),
                                   s.seeds() == 1 ? fmt::format("seed {}", s.first_seed)
                                                  : fmt::format("seeds {} to {}", s.first_seed, s.last_seed));
    if (!s.sets.empty()) text += fmt::format("\nwith {}", join(s.sets, " "));
    if (results.added_run_count() < s.runs())
        text += fmt::format("\n{} of the runs {} finished so far", group_digits(results.added_run_count()),
                            results.added_run_count() == 1 ? "is" : "are");
    for (const auto& [reason, runs] : results.abnormal_stops())
        text += fmt::format("\n{} ended early: {}", count_text(runs, "run", "runs"), reason);
    if (s.seeds() > 1) text += "\nmeans over the seeds, with their 95 % intervals";
    return text + "\n";
}

std::string estimate_text(const Measure& m, const lab::MeanEstimate& estimate) {
    if (estimate.n == 0) return "-";
    if (!estimate.half) return m.text(estimate.mean);
    return fmt::format("{} +- {}", m.text(estimate.mean), m.text(*estimate.half));
}

// Each row is a point. The columns are the axes, followed by the policies.
std::string table(const SweepResults& results, std::size_t measure) {
    const SweepSpec& s = results.spec();
    const Measure& m = results.measures()[measure];
    std::vector<std::vector<std::string>> lines(1);
    for (const lab::Axis& axis : s.axes) lines[0].push_back(shorten(axis.pointer, 60));
    for (const std::string& policy : s.policies) lines[0].push_back(policy);
    for (std::uint64_t point = 0; point < s.points(); ++point) {
        std::vector<std::string>& line = lines.emplace_back();
        const std::vector<std::size_t> at = s.value_indices_at(point);
        for (std::size_t axis = 0; axis < s.axes.size(); ++axis)
            line.push_back(shorten(s.axes[axis].values[at[axis]], 40));
        for (std::size_t policy = 0; policy < s.policies.size(); ++policy)
            line.push_back(estimate_text(m, results.estimate(measure, point, policy)));
    }
    std::vector<std::size_t> width(lines[0].size());
    for (const auto& line : lines)
        for (std::size_t column = 0; column < line.size(); ++column)
            width[column] = std::max(width[column], line[column].size());
    std::string text = m.heading() + "\n";
    for (const auto& line : lines) {
        for (std::size_t column = 0; column < line.size(); ++column)
            text += fmt::format("{}{:>{}}", column == 0 ? "" : "  ", line[column], width[column]);
        text += "\n";
    }
    return text;
}

// The policies from the lowest to the highest curve: "a, b, c". Empty if curves cross, touch or have gaps.
std::string order_of(const SweepSpec& spec, std::vector<lab::Curve> curves) {
    for (const lab::Curve& curve : curves)
        for (const lab::CurvePoint& p : curve.points)
            if (p.y.n == 0) return {};
    std::sort(curves.begin(), curves.end(), [](const lab::Curve& a, const lab::Curve& b) {
        return a.points.front().y.mean < b.points.front().y.mean;
    });
    std::string text;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        for (std::size_t k = 0; i > 0 && k < curves[i].points.size(); ++k)
            if (curves[i - 1].points[k].y.mean >= curves[i].points[k].y.mean) return {};
        text += (i == 0 ? "" : ", ") + spec.policies[curves[i].policy];
    }
    return text;
}

std::string crossover_lines(const SweepResults& results, const CurveCrossings& crossings, bool refined) {
    const SweepSpec& s = results.spec();
    const Measure& m = results.measures()[crossings.measure];
    const lab::Axis& axis = s.axes[crossings.axis];
    const lab::NumericValues numbers = *lab::numbers_of(axis.values);
    std::string text;
    for (const Crossover& c : crossings.list) {
        std::string where;
        for (std::size_t other = 0; other < s.axes.size(); ++other)
            if (other != crossings.axis)
                where += fmt::format("{}{}={}", where.empty() ? "" : ", ", s.axes[other].pointer,
                                     shorten(s.axes[other].values[c.at[other]], 40));
        text += fmt::format("  {}{}{}\n", where, where.empty() ? "" : ": ",
                            lab::crossover_text(c, s, m, numbers));
    }
    if (text.empty()) {
        text = fmt::format("\nNo two curves of {} cross along {}", m.label, axis.pointer);
        const std::string order = s.axes.size() == 1
                                      ? order_of(s, lab::curves(results, crossings.measure, crossings.axis))
                                      : std::string{};
        return text + (order.empty() ? "" : "; from the lowest to the highest: " + order) + ".\n";
    }
    return fmt::format("\nCrossovers of {} along {}{}\n{}", m.label, axis.pointer,
                       refined ? ", refined to neighbouring whole numbers"
                               : ", interpolated linearly between neighbouring values",
                       text);
}

// --- CSV and JSON ---

// A JSON object with the value of each axis at a point; the keys are the JSON pointers of the axes. Axis
// number `without` is left out.
ordered_json values_at(const SweepSpec& s, const std::vector<std::size_t>& at,
                       std::optional<std::size_t> without = std::nullopt) {
    ordered_json values = ordered_json::object();
    for (std::size_t axis = 0; axis < s.axes.size(); ++axis)
        if (axis != without) values[s.axes[axis].pointer] = s.axes[axis].values[at[axis]];
    return values;
}

ordered_json json_of_measure(const SweepResults& results, std::size_t measure) {
    const SweepSpec& s = results.spec();
    ordered_json points = ordered_json::array();
    for (std::uint64_t point = 0; point < s.points(); ++point)
        for (std::size_t policy = 0; policy < s.policies.size(); ++policy) {
            const lab::MeanEstimate e = results.estimate(measure, point, policy);
            points.push_back({{"values", values_at(s, s.value_indices_at(point))},
                              {"policy", s.policies[policy]},
                              {"n", e.n},
                              {"mean", e.n > 0 ? ordered_json(e.mean) : ordered_json()},
                              {"half_width", e.half ? ordered_json(*e.half) : ordered_json()}});
        }
    const Measure& m = results.measures()[measure];
    return {{"name", m.name}, {"label", m.label}, {"unit", m.unit}, {"points", std::move(points)}};
}

ordered_json json_of_crossings(const SweepSpec& s, const CurveCrossings& crossings) {
    const bool integers = lab::numbers_of(s.axes[crossings.axis].values)->integers;
    ordered_json list = ordered_json::array();
    for (const Crossover& c : crossings.list)
        list.push_back({{"values", values_at(s, c.at, crossings.axis)},
                        {"below", s.policies[c.below]},
                        {"above", s.policies[c.above]},
                        {"x", c.x},
                        {"left", {{"x", c.left}, {"below", c.below_left}, {"above", c.above_left}}},
                        {"right", {{"x", c.right}, {"below", c.below_right}, {"above", c.above_right}}},
                        {"exact", integers && c.is_exact()},
                        {"clear", c.is_clear}});
    return list;
}

}  // namespace

std::string SweepReport::text() const {
    std::string text = heading(results);
    for (const std::size_t measure : measures) text += "\n" + table(results, measure);
    if (crossings) text += crossover_lines(results, *crossings, refined);
    return text;
}

std::string SweepReport::csv() const {
    const SweepSpec& s = results.spec();
    std::string text = "measure,unit";
    for (const lab::Axis& axis : s.axes) text += "," + quote_untrusted_csv_cell(axis.pointer);
    text += ",policy,n,mean,half_width\n";
    for (const std::size_t measure : measures) {
        const Measure& m = results.measures()[measure];
        for (std::uint64_t point = 0; point < s.points(); ++point) {
            const std::vector<std::size_t> at = s.value_indices_at(point);
            for (std::size_t policy = 0; policy < s.policies.size(); ++policy) {
                const lab::MeanEstimate e = results.estimate(measure, point, policy);
                text += fmt::format("{},{}", quote_untrusted_csv_cell(m.name), quote_csv_cell(m.unit));
                for (std::size_t axis = 0; axis < s.axes.size(); ++axis)
                    text += "," + quote_untrusted_csv_cell(s.axes[axis].values[at[axis]]);
                text += fmt::format(",{},{},{},{}\n", quote_untrusted_csv_cell(s.policies[policy]), e.n,
                                    e.n > 0 ? fmt::format("{:.10g}", e.mean) : "",
                                    e.half ? fmt::format("{:.10g}", *e.half) : "");
            }
        }
    }
    return text;
}

std::string SweepReport::json() const {
    const SweepSpec& s = results.spec();
    ordered_json json{{"format", "switchyard-sweep-report/1"}};
    json.update(lab::to_json(s));
    json["runs"] = s.runs();
    json["runs_there"] = results.added_run_count();
    json["measures"] = ordered_json::array();
    for (const std::size_t measure : measures) json["measures"].push_back(json_of_measure(results, measure));
    if (crossings) {
        json["crossovers_of"] = results.measures()[crossings->measure].name;
        json["crossovers_along"] = s.axes[crossings->axis].pointer;
    }
    json["crossovers"] = crossings ? json_of_crossings(s, *crossings) : ordered_json(ordered_json::array());
    return json_text(json, 2) + "\n";
}

}  // namespace sim::cli
