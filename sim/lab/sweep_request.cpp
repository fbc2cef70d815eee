#include "sim/lab/sweep_request.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/base/join.h"
#include "sim/base/text.h"
#include "sim/lab/sweep_bounds.h"
#include "sim/lab/values.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/renamed_keys.h"

namespace sim::lab {
namespace {

// Maximum number of values of all axes together. With more values, the header of a results file could exceed
// kMaxJsonValues and could not be read again.
constexpr std::size_t kMostValues = 300'000;
// Maximum size of a spec in bytes, as written in a results file.
constexpr std::size_t kLargestSpec = kMaxJsonBytes / 2;

std::optional<std::uint64_t> parse_whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

bool is_inside_pointer(const std::string& pointer, const std::string& outer) {
    return pointer.starts_with(outer + "/");
}

// The pointer in POINTER=VALUE, with the leading '/' and the current names of keys.
std::string pointer_in(const std::string& assignment) {
    std::string pointer = assignment.substr(0, assignment.find('='));
    if (!pointer.starts_with('/')) pointer.insert(0, 1, '/');
    return with_current_key(pointer);
}

// Checks that an additional axis does not conflict with the assignments in `sets` and the existing axes.
void check_axis(const Axis& axis, const SweepSpec& spec, const std::string& option, ProblemList& problems) {
    const std::string& pointer = axis.pointer;
    if (pointer == "/policy") problems.add(option, "use --policy to specify the policies");
    if (pointer == "/seed") problems.add(option, "use --seeds to specify the seeds");
    for (const std::string& set : spec.sets)
        if (const std::string other = pointer_in(set); other == pointer || is_inside_pointer(other, pointer))
            problems.add(option, fmt::format("another option sets {} to one value; remove one of the two "
                                             "options",
                                             other));
    for (const Axis& earlier : spec.axes) {
        if (pointer == earlier.pointer)
            problems.add(option, "this axis is specified twice");
        else if (is_inside_pointer(earlier.pointer, pointer))
            problems.add(option, fmt::format("this axis would overwrite {}; specify this axis first",
                                             earlier.pointer));
    }
}

}  // namespace

void read_axes(const std::vector<std::string>& axis_texts, SweepSpec& spec, ProblemList& problems) {
    for (const std::string& vary : axis_texts) {
        const std::string option = "--vary " + shorten(vary, 100);
        const std::size_t equals = vary.find('=');
        if (equals == std::string::npos) {
            problems.add(option,
                         "expected POINTER=VALUES, like /tasks/0/count=2,4,8 or /tasks/0/count=2..64*2");
            continue;
        }
        Axis axis{pointer_in(vary), {}};
        check_axis(axis, spec, option, problems);
        try {
            axis.values = parse_values(vary.substr(equals + 1));
        } catch (const LabError& error) {
            problems.add(option, error.what());
            axis.values = {"?"};
        }
        spec.axes.push_back(std::move(axis));
    }
    if (spec.axes.size() > kMaxAxes)
        problems.add("--vary", fmt::format("expected at most {} axes", kMaxAxes));
    std::size_t values = 0;
    for (const Axis& axis : spec.axes) values += axis.values.size();
    if (values > kMostValues)
        problems.add("--vary", fmt::format("expected at most {} values of all axes in total", kMostValues));
}

void read_policies(const std::vector<std::string>& policy_texts, SweepSpec& spec, ProblemList& problems) {
    for (const std::string& policy : policy_texts) {
        try {
            const std::string name = make_policy(policy).spec();
            if (std::find(spec.policies.begin(), spec.policies.end(), name) != spec.policies.end())
                problems.add("--policy " + shorten(policy, 100), "this policy is specified twice");
            spec.policies.push_back(name);
        } catch (const PolicyError& error) {
            problems.add("--policy " + shorten(policy, 100), error.what());
        }
    }
    if (spec.policies.size() > kMostPolicies)
        problems.add("--policy", fmt::format("expected at most {} policies", kMostPolicies));
}

void read_seeds(const std::string& text, std::uint64_t scenario_seed, SweepSpec& spec) {
    spec.first_seed = spec.last_seed = scenario_seed;
    if (text.empty()) return;
    const std::size_t dots = text.find("..");
    std::optional<std::uint64_t> first, last;
    if (dots == std::string::npos) {
        const std::optional<std::uint64_t> count = parse_whole_number(text);
        if (count == 0u) throw LabError("expected at least 1 seed, got 0");
        if (count && *count > kMaxRuns) throw LabError(fmt::format("expected at most {} seeds", kMaxRuns));
        first = scenario_seed;
        if (count) last = scenario_seed + *count - 1;
    } else {
        first = parse_whole_number(std::string_view(text).substr(0, dots));
        last = parse_whole_number(std::string_view(text).substr(dots + 2));
    }
    if (!first || !last)
        throw LabError(fmt::format("'{}': expected a number of seeds, or a range like 1..10", shorten(text)));
    if (*last < *first)
        throw LabError(fmt::format("'{}': the range ends below its start; did you mean {}..{}?",
                                   shorten(text), *last, *first));
    if (*last > kLargestSeed)
        throw LabError(fmt::format("'{}' is too large; the largest seed is {}", shorten(text), kLargestSeed));
    if (*last - *first >= kMaxRuns) throw LabError(fmt::format("expected at most {} seeds", kMaxRuns));
    spec.first_seed = *first;
    spec.last_seed = *last;
}

void check_bounds(const SweepSpec& spec, ProblemList& problems) {
    if (const std::string* text = first_unprintable_text(spec)) {
        problems.add("sweep", fmt::format("'{}': {}; texts of a sweep must be on one line", shorten(*text),
                                          why_unsafe_to_show(*text, first_unsafe_character(*text))));
        return;
    }
    if (capped_run_count(spec) > kMaxRuns) {
        std::vector<std::string> factors;
        for (const Axis& axis : spec.axes) factors.push_back(fmt::format("{} values", axis.values.size()));
        factors.push_back(
            fmt::format("{} polic{}", spec.policies.size(), spec.policies.size() == 1 ? "y" : "ies"));
        factors.push_back(fmt::format("{} seed{}", spec.seeds(), spec.seeds() == 1 ? "" : "s"));
        problems.add("sweep",
                     fmt::format("expected at most {} runs, got {}", kMaxRuns, join(factors, " x ")));
    }
    if (table_bytes_upper_bound(spec) > kLargestTable)
        problems.add("sweep",
                     fmt::format("the tables of the sweep would be longer than {} MiB", kLargestTable >> 20));
    if (json_text(to_json(spec)).size() > kLargestSpec)
        problems.add("sweep",
                     fmt::format("the description of the sweep is longer than {} MiB", kLargestSpec >> 20));
}

}  // namespace sim::lab
