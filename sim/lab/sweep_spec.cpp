#include "sim/lab/sweep_spec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

#include "sim/base/join.h"
#include "sim/base/text.h"
#include "sim/lab/axis_words.h"
#include "sim/lab/parallel.h"
#include "sim/lab/sweep_bounds.h"
#include "sim/lab/sweep_digest.h"
#include "sim/lab/sweep_request.h"
#include "sim/lab/values.h"
#include "sim/scenario/renamed_keys.h"

namespace sim::lab {
namespace {

using nlohmann::ordered_json;

std::string seeds_text(const SweepSpec& spec) {
    return spec.first_seed == spec.last_seed ? fmt::format("{}", spec.first_seed)
                                             : fmt::format("{} to {}", spec.first_seed, spec.last_seed);
}

}  // namespace

std::uint64_t SweepSpec::points() const {
    std::uint64_t points = 1;
    for (const Axis& axis : axes) points *= axis.values.size();
    return points;
}

std::vector<std::size_t> SweepSpec::value_indices_at(std::uint64_t point) const {
    std::vector<std::size_t> at(axes.size());
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        at[axis] = point % axes[axis].values.size();
        point /= axes[axis].values.size();
    }
    return at;
}

RunCoordinates SweepSpec::coordinates(std::uint64_t run) const {
    RunCoordinates coordinates;
    coordinates.seed = first_seed + run % seeds();
    run /= seeds();
    coordinates.policy = run % policies.size();
    coordinates.point = run / policies.size();
    coordinates.at = value_indices_at(coordinates.point);
    return coordinates;
}

ordered_json to_json(const SweepSpec& spec) {
    ordered_json vary = ordered_json::array();
    for (const Axis& axis : spec.axes) {
        ordered_json one{{"pointer", axis.pointer}};
        if (!axis.words.empty()) one["words"] = axis.words;
        one["values"] = axis.values;
        vary.push_back(std::move(one));
    }
    ordered_json json{{"scenario", spec.scenario}, {"digest", spec.digest},
                      {"sets", spec.sets},         {"vary", std::move(vary)},
                      {"policies", spec.policies}, {"seeds", {spec.first_seed, spec.last_seed}}};
    if (spec.latency) json["latency"] = true;
    return json;
}

SweepSpec spec_from_json(const ordered_json& json) {
    SweepSpec spec;
    try {
        spec.scenario = json.at("scenario").get<std::string>();
        spec.digest = json.at("digest").get<std::string>();
        for (const std::string& set : json.at("sets").get<std::vector<std::string>>())
            spec.sets.push_back(assignment_with_current_key(set));
        for (const ordered_json& axis : json.at("vary"))
            spec.axes.push_back({with_current_key(axis.at("pointer").get<std::string>()),
                                 axis.at("values").get<std::vector<std::string>>(),
                                 axis.value("words", std::string{})});
        spec.policies = json.at("policies").get<std::vector<std::string>>();
        const ordered_json& seeds = json.at("seeds");
        if (seeds.size() != 2 || !seeds.at(0).is_number_unsigned() || !seeds.at(1).is_number_unsigned())
            throw LabError("expected \"seeds\": [first, last]");
        spec.first_seed = seeds.at(0).get<std::uint64_t>();
        spec.last_seed = seeds.at(1).get<std::uint64_t>();
        spec.latency = json.value("latency", false);
    } catch (const ordered_json::exception&) {
        throw LabError("the description of the sweep is damaged");
    }
    for (const Axis& axis : spec.axes)
        if (axis.values.empty()) throw LabError(fmt::format("the axis {} has no values", axis.pointer));
    if (spec.axes.size() > kMaxAxes || spec.policies.empty() || spec.last_seed < spec.first_seed ||
        spec.policies.size() > kMostPolicies || spec.last_seed > kLargestSeed ||
        capped_run_count(spec) > kMaxRuns || table_bytes_upper_bound(spec) > kLargestTable ||
        first_unprintable_text(spec) != nullptr)
        throw LabError("the description of the sweep is damaged or exceeds a limit");
    return spec;
}

std::string describe_difference(const SweepSpec& a, const SweepSpec& b) {
    std::vector<std::string> list;
    if (a.scenario != b.scenario)
        list.push_back(fmt::format("the scenario is {}, not {}", a.scenario, b.scenario));
    if (a.sets != b.sets)
        list.push_back(fmt::format("--set, --seed or --until: {}, not {}",
                                   a.sets.empty() ? "none" : join(a.sets, " "),
                                   b.sets.empty() ? "none" : join(b.sets, " ")));
    for (std::size_t i = 0; i < std::max(a.axes.size(), b.axes.size()); ++i) {
        if (i >= a.axes.size())
            list.push_back(fmt::format("the axis {} is missing", b.axes[i].pointer));
        else if (i >= b.axes.size())
            list.push_back(fmt::format("the axis {} is additional", a.axes[i].pointer));
        else if (a.axes[i].pointer != b.axes[i].pointer)
            list.push_back(fmt::format("axis {} is {}, not {}", i + 1, a.axes[i].pointer, b.axes[i].pointer));
        else if (a.axes[i].values != b.axes[i].values)
            list.push_back(fmt::format("the values of {} are {}, not {}", a.axes[i].pointer,
                                       shorten(join(a.axes[i].values, ",")),
                                       shorten(join(b.axes[i].values, ","))));
    }
    if (a.policies != b.policies)
        list.push_back(
            fmt::format("the policies are {}, not {}", join(a.policies, " "), join(b.policies, " ")));
    if (a.first_seed != b.first_seed || a.last_seed != b.last_seed)
        list.push_back(fmt::format("the seeds are {}, not {}", seeds_text(a), seeds_text(b)));
    if (a.latency != b.latency)
        list.push_back(a.latency ? "the waits for a CPU are included, but no measure needs them"
                                 : "the waits for a CPU are missing, but a measure needs them");
    if (list.empty() && a.digest != b.digest)
        list.push_back("the content of the scenario or of its machine differs");
    return join(list, "; ");
}

Sweep::Sweep(ScenarioText source, const SweepRequest& request, unsigned jobs) : source_(std::move(source)) {
    ProblemList problems;
    for (const std::string& set : request.sets) spec_.sets.push_back(assignment_with_current_key(set));
    spec_.latency = request.latency;

    // The scenario without axes is checked first, because its problems would occur at every point.
    std::optional<Scenario> plain;
    Digest content;
    try {
        plain = parse_scenario(source_, request.sets);
        content.add(scenario_text_for_digest(source_));
    } catch (const ScenarioError& error) {
        // With axes, the sweep continues without `plain`, because an axis may replace the wrong or missing
        // value.
        if (request.vary.empty()) throw;
    }

    read_axes(request.vary, spec_, problems);
    read_policies(request.policies, spec_, problems);
    problems.throw_if_any();

    // If the scenario is invalid without the axes, the scenario of the sweep's first point is used.
    if (!plain) {
        std::vector<std::string> first;
        for (const Axis& axis : spec_.axes) first.push_back(axis.values.front());
        plain = parse_scenario(source_, assignments(first));
        content.add(scenario_text_for_digest(source_));
    }
    spec_.scenario = plain->name;
    for (Axis& axis : spec_.axes) axis.words = axis_display_name(axis.pointer, *plain);
    if (spec_.policies.empty()) spec_.policies.push_back(make_policy(plain->policy, plain->cpus).spec());
    try {
        read_seeds(request.seeds, plain->seed, spec_);
    } catch (const LabError& error) {
        problems.add("--seeds", error.what());
    }
    problems.throw_if_any();
    check_bounds(spec_, problems);
    problems.throw_if_any();
    spec_.digest = content.text();
    check_all_points(jobs);
}

std::vector<std::string> Sweep::assignments(const std::vector<std::string>& values) const {
    std::vector<std::string> all = spec_.sets;
    for (std::size_t axis = 0; axis < spec_.axes.size(); ++axis)
        all.push_back(spec_.axes[axis].pointer + "=" + values[axis]);
    return all;
}

Scenario Sweep::scenario(const std::vector<std::string>& values, std::uint64_t seed) const {
    Scenario scenario = parse_scenario(source_, assignments(values));
    scenario.seed = seed;
    return scenario;
}

Scenario Sweep::scenario(std::uint64_t run) const {
    const RunCoordinates coordinates = spec_.coordinates(run);
    std::vector<std::string> values;
    for (std::size_t axis = 0; axis < spec_.axes.size(); ++axis)
        values.push_back(spec_.axes[axis].values[coordinates.at[axis]]);
    return scenario(values, coordinates.seed);
}

void Sweep::check_all_points(unsigned jobs) {
    struct CheckResult {
        std::vector<Problem> problems;
        std::string machine;  // digest of the machine
    };
    const auto check = [&](std::uint64_t point) {
        CheckResult checked;
        try {
            const Scenario loaded = scenario(spec_.first_run(point, 0));
            checked.machine = digest_of(loaded.machine);
            for (const std::string& policy : spec_.policies) {
                try {
                    make_policy(policy, loaded.cpus);
                } catch (const PolicyError& error) {
                    checked.problems.push_back({"--policy " + policy, 0, 0, {}, error.what()});
                }
            }
        } catch (const ScenarioError& error) {
            checked.problems = error.problems();
            for (Problem& problem : checked.problems)
                for (const Axis& axis : spec_.axes)
                    if (problem.file.starts_with("--set " + axis.pointer + "="))
                        problem.file.replace(2, 3, "vary");
        }
        return checked;
    };
    // Number of points to check before testing whether the list of problems is full.
    constexpr std::uint64_t kBlock = 4096;
    ProblemList problems;
    Digest machines;
    machines.add(spec_.digest);
    std::string last;
    const std::uint64_t points = spec_.points();
    for (std::uint64_t begin = 0; begin < points && !problems.is_full(); begin += kBlock) {
        const std::uint64_t count = std::min(kBlock, points - begin);
        process_in_order(
            count < 64 ? 0 : jobs, count, [&](std::uint64_t i) { return check(begin + i); },
            [&](std::uint64_t, CheckResult checked) {
                for (Problem& problem : checked.problems) problems.add(std::move(problem));
                if (checked.machine != last) machines.add(checked.machine);
                last = std::move(checked.machine);
            },
            [] {});
    }
    problems.throw_if_any();
    spec_.digest = machines.text();
}

}  // namespace sim::lab
