#include "sim/lab/sweep_spec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "sim/base/join.h"
#include "sim/base/text.h"
#include "sim/lab/axis_words.h"
#include "sim/lab/parallel.h"
#include "sim/lab/values.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"

namespace sim::lab {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostProblems = 50;
constexpr std::size_t kMostPolicies = 1'000;
// For all axes together, so that the header stays readable as JSON.
constexpr std::size_t kMostValues = 300'000;
constexpr std::uint64_t kLargestTable = 256 << 20;       // in bytes
constexpr std::size_t kLargestSpec = kMaxJsonBytes / 2;  // in bytes, as in a results file
constexpr std::uint64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();

// FNV-1a, 64 bits.
class Digest {
  public:
    void add(std::string_view bytes) {
        for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    }
    void add(std::int64_t number) { add(fmt::format("{};", number)); }
    std::string text() const { return fmt::format("{:016x}", value_); }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325ull;
};

// A digest of all machine properties that affect a run.
std::string digest_of(const MachineModel& machine) {
    Digest digest;
    const CostModel& c = machine.costs;
    digest.add(std::int64_t{machine.hz});
    digest.add(std::int64_t{machine.lazy_tlb ? *machine.lazy_tlb : 2});
    if (machine.hrtimers) digest.add(std::int64_t{1});
    for (const Price* price :
         {&c.syscall, &c.schedule, &c.considered, &c.recalculated, &c.queue_step, &c.switch_same_mm,
          &c.switch_other_mm, &c.reschedule_ipi, &c.tlb.refill, &c.cache.refill, &c.cache.stream})
        digest.add(price->time.count());
    for (std::size_t kind = 0; kind < kKernelWorks; ++kind) {
        // Kinds of work added later count only if they have a cost, so that digests of older results stay
        // valid.
        const bool is_later = kind >= static_cast<std::size_t>(KernelWork::balance);
        if (is_later && c.work[kind].time == Nanos{}) continue;
        if (is_later) digest.add(std::string_view(to_string(static_cast<KernelWork>(kind))));
        digest.add(c.work[kind].time.count());
    }
    for (const std::uint32_t number : {c.tlb.entries, std::uint32_t{c.tlb.tagged}, c.tlb.footprint,
                                       c.cache.size, c.cache.line, c.cache.footprint})
        digest.add(std::int64_t{number});
    if (machine.dynticks) digest.add(std::string_view("dynticks"));
    if (c.tlb.slots != 0) digest.add(std::int64_t{c.tlb.slots});
    if (machine.siblings != 1 || machine.cores != kMaxCpus) {
        digest.add(std::int64_t{machine.siblings});
        digest.add(std::int64_t{machine.cores});
    }
    if (machine.idle == MachineModel::Idle::mwait) digest.add(std::string_view("mwait"));
    if (c.interrupts_take_time()) {
        digest.add(c.steal.time.count());
        for (const Price& price : c.interrupt) digest.add(price.time.count());
    }
    return digest.text();
}

// The scenario without comments and without keys that do not affect a run, so that its texts may be edited
// while a sweep runs.
std::string what_runs(const ScenarioText& source) {
    nlohmann::json value = JsonTree(source.file, source.text).root().plain();
    if (value.is_object())
        for (const char* said : {"title", "question", "watch", "numbers", "expect", "tour"})
            value.erase(said);
    return json_text(value);
}

// a * b; the largest number on overflow.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::uint64_t>::max() : result;
}

// The number of runs, at most kMaxRuns + 1.
std::uint64_t bounded_runs(const SweepSpec& spec) {
    std::uint64_t runs = product(spec.policies.size(), spec.last_seed - spec.first_seed + 1);
    if (spec.last_seed - spec.first_seed >= kMaxRuns) return kMaxRuns + 1;
    for (const Axis& axis : spec.axes) runs = std::min(product(runs, axis.values.size()), kMaxRuns + 1);
    return std::min(runs, kMaxRuns + 1);
}

bool is_below(const std::string& pointer, const std::string& other) {
    return pointer.starts_with(other + "/");
}

// The first text of a spec that cannot be shown in one line; null: none. Tables print these texts, and
// results files are untrusted.
const std::string* unprintable_text(const SweepSpec& spec) {
    const auto first_of = [](const std::vector<std::string>& list) -> const std::string* {
        for (const std::string& text : list)
            if (!is_shown(text)) return &text;
        return nullptr;
    };
    if (!is_shown(spec.scenario)) return &spec.scenario;
    if (!is_shown(spec.digest)) return &spec.digest;
    for (const Axis& axis : spec.axes) {
        if (!is_shown(axis.pointer)) return &axis.pointer;
        if (!is_shown(axis.words)) return &axis.words;
        if (const std::string* text = first_of(axis.values)) return text;
    }
    const std::string* const text = first_of(spec.sets);
    return text != nullptr ? text : first_of(spec.policies);
}

// Upper bound of the table size in bytes, inexact above kLargestTable. A table has a line per point and
// policy, with the values and the policy.
std::uint64_t table_bytes(const SweepSpec& spec) {
    const auto longest = [](const std::vector<std::string>& list) {
        std::size_t most = 0;
        for (const std::string& text : list) most = std::max(most, text.size());
        return most;
    };
    std::uint64_t line = longest(spec.policies), lines = spec.policies.size();
    for (const Axis& axis : spec.axes) {
        line += longest(axis.values);
        lines = std::min(product(lines, axis.values.size()), kLargestTable + 1);
    }
    return product(line, lines);
}

std::string seeds_text(const SweepSpec& spec) {
    return spec.first_seed == spec.last_seed ? fmt::format("{}", spec.first_seed)
                                             : fmt::format("{} to {}", spec.first_seed, spec.last_seed);
}

// Collects problems in the order found, each text once.
class ProblemList {
  public:
    void add(Problem problem) {
        if (list_.size() < kMostProblems && seen_.insert(problem.text()).second)
            list_.push_back(std::move(problem));
    }
    void add(std::string place, std::string message) {
        add(Problem{std::move(place), 0, 0, {}, std::move(message)});
    }
    bool full() const { return list_.size() >= kMostProblems; }
    void throw_if_any() {
        if (!list_.empty()) throw ScenarioError(std::move(list_));
    }

  private:
    std::vector<Problem> list_;
    std::set<std::string> seen_;
};

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// Reads the seeds from "N" or "A..B". `own`: the scenario's seed.
void read_seeds(const std::string& text, std::uint64_t own, SweepSpec& spec) {
    spec.first_seed = spec.last_seed = own;
    if (text.empty()) return;
    const std::size_t dots = text.find("..");
    std::optional<std::uint64_t> first, last;
    if (dots == std::string::npos) {
        const std::optional<std::uint64_t> count = whole_number(text);
        if (count == 0u) throw LabError("expected at least 1 seed, got 0");
        if (count && *count > kMaxRuns) throw LabError(fmt::format("more than {} seeds", kMaxRuns));
        first = own;
        if (count) last = own + *count - 1;
    } else {
        first = whole_number(std::string_view(text).substr(0, dots));
        last = whole_number(std::string_view(text).substr(dots + 2));
    }
    if (!first || !last)
        throw LabError(fmt::format("'{}': expected a number, or a range like 1..10", shorten(text)));
    if (*last < *first)
        throw LabError(fmt::format("'{}': did you mean {}..{}?", shorten(text), *last, *first));
    if (*last > kLargestSeed)
        throw LabError(fmt::format("'{}': the largest seed is {}", shorten(text), kLargestSeed));
    if (*last - *first >= kMaxRuns) throw LabError(fmt::format("more than {} seeds", kMaxRuns));
    spec.first_seed = *first;
    spec.last_seed = *last;
}

// The pointer in POINTER=VALUE, with the leading '/'.
std::string pointer_in(const std::string& assignment) {
    std::string pointer = assignment.substr(0, assignment.find('='));
    if (!pointer.starts_with('/')) pointer.insert(0, 1, '/');
    return pointer;
}

// Checks a further axis against the existing sets and axes.
void check_axis(const Axis& axis, const SweepSpec& spec, const std::string& option, ProblemList& problems) {
    const std::string& pointer = axis.pointer;
    if (pointer == "/policy") problems.add(option, "use --policy to specify the policies");
    if (pointer == "/seed") problems.add(option, "use --seeds to specify the seeds");
    for (const std::string& set : spec.sets)
        if (const std::string other = pointer_in(set); other == pointer || is_below(other, pointer))
            problems.add(option, fmt::format("{} is also set to one value", other));
    for (const Axis& earlier : spec.axes) {
        if (pointer == earlier.pointer)
            problems.add(option, "this axis is specified twice");
        else if (is_below(earlier.pointer, pointer))
            problems.add(option,
                         fmt::format("would overwrite {}; put this axis before that one", earlier.pointer));
    }
}

void read_axes(const std::vector<std::string>& list, SweepSpec& spec, ProblemList& problems) {
    for (const std::string& vary : list) {
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
    if (spec.axes.size() > kMaxAxes) problems.add("--vary", fmt::format("more than {} axes", kMaxAxes));
    std::size_t values = 0;
    for (const Axis& axis : spec.axes) values += axis.values.size();
    if (values > kMostValues)
        problems.add("--vary", fmt::format("more than {} values in total", kMostValues));
}

void read_policies(const std::vector<std::string>& list, SweepSpec& spec, ProblemList& problems) {
    for (const std::string& policy : list) {
        try {
            const std::string name = make_policy(policy).spec();
            if (std::find(spec.policies.begin(), spec.policies.end(), name) != spec.policies.end())
                problems.add("--policy " + shorten(policy, 100), "is specified twice");
            spec.policies.push_back(name);
        } catch (const PolicyError& error) {
            problems.add("--policy " + shorten(policy, 100), error.what());
        }
    }
    if (spec.policies.size() > kMostPolicies)
        problems.add("--policy", fmt::format("more than {} policies", kMostPolicies));
}

// Checks the size of an otherwise complete spec, and that tables can print its texts.
void check_bounds(const SweepSpec& spec, ProblemList& problems) {
    if (const std::string* text = unprintable_text(spec)) {
        problems.add("sweep", fmt::format("'{}': {}; texts of a sweep must be on one line", shorten(*text),
                                          why_not_shown(*text, first_not_shown(*text))));
        return;
    }
    if (bounded_runs(spec) > kMaxRuns) {
        std::vector<std::string> factors;
        for (const Axis& axis : spec.axes) factors.push_back(fmt::format("{} values", axis.values.size()));
        factors.push_back(
            fmt::format("{} polic{}", spec.policies.size(), spec.policies.size() == 1 ? "y" : "ies"));
        factors.push_back(fmt::format("{} seed{}", spec.seeds(), spec.seeds() == 1 ? "" : "s"));
        problems.add("sweep", fmt::format("{} are more than {} runs", join(factors, " x "), kMaxRuns));
    }
    if (table_bytes(spec) > kLargestTable)
        problems.add("sweep", fmt::format("its tables would be longer than {} MiB", kLargestTable >> 20));
    if (json_text(to_json(spec)).size() > kLargestSpec)
        problems.add("sweep", fmt::format("its description is longer than {} MiB", kLargestSpec >> 20));
}

}  // namespace

std::uint64_t SweepSpec::points() const {
    std::uint64_t points = 1;
    for (const Axis& axis : axes) points *= axis.values.size();
    return points;
}

std::vector<std::size_t> SweepSpec::values_at(std::uint64_t point) const {
    std::vector<std::size_t> at(axes.size());
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        at[axis] = point % axes[axis].values.size();
        point /= axes[axis].values.size();
    }
    return at;
}

RunPlace SweepSpec::place(std::uint64_t run) const {
    RunPlace place;
    place.seed = first_seed + run % seeds();
    run /= seeds();
    place.policy = run % policies.size();
    place.point = run / policies.size();
    place.at = values_at(place.point);
    return place;
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
        spec.sets = json.at("sets").get<std::vector<std::string>>();
        for (const ordered_json& axis : json.at("vary"))
            spec.axes.push_back({axis.at("pointer").get<std::string>(),
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
        if (axis.values.empty()) throw LabError(fmt::format("{} has no values", axis.pointer));
    if (spec.axes.size() > kMaxAxes || spec.policies.empty() || spec.last_seed < spec.first_seed ||
        spec.policies.size() > kMostPolicies || spec.last_seed > kLargestSeed ||
        bounded_runs(spec) > kMaxRuns || table_bytes(spec) > kLargestTable ||
        unprintable_text(spec) != nullptr)
        throw LabError("this program cannot have made this sweep");
    return spec;
}

std::string difference(const SweepSpec& a, const SweepSpec& b) {
    std::vector<std::string> list;
    if (a.scenario != b.scenario)
        list.push_back(fmt::format("the scenario ({}, not {})", a.scenario, b.scenario));
    if (a.sets != b.sets)
        list.push_back(fmt::format("--set, --seed or --until ({}, not {})",
                                   a.sets.empty() ? "none" : join(a.sets, " "),
                                   b.sets.empty() ? "none" : join(b.sets, " ")));
    for (std::size_t i = 0; i < std::max(a.axes.size(), b.axes.size()); ++i) {
        if (i >= a.axes.size())
            list.push_back(fmt::format("no axis {}", b.axes[i].pointer));
        else if (i >= b.axes.size())
            list.push_back(fmt::format("one more axis {}", a.axes[i].pointer));
        else if (a.axes[i].pointer != b.axes[i].pointer)
            list.push_back(fmt::format("axis {} ({}, not {})", i + 1, a.axes[i].pointer, b.axes[i].pointer));
        else if (a.axes[i].values != b.axes[i].values)
            list.push_back(fmt::format("the values of {} ({}, not {})", a.axes[i].pointer,
                                       shorten(join(a.axes[i].values, ",")),
                                       shorten(join(b.axes[i].values, ","))));
    }
    if (a.policies != b.policies)
        list.push_back(
            fmt::format("the policies ({}, not {})", join(a.policies, " "), join(b.policies, " ")));
    if (a.first_seed != b.first_seed || a.last_seed != b.last_seed)
        list.push_back(fmt::format("the seeds ({}, not {})", seeds_text(a), seeds_text(b)));
    if (a.latency != b.latency)
        list.push_back(a.latency ? "wait times for a CPU, which no measure needs"
                                 : "no wait times for a CPU, which a measure needs");
    if (list.empty() && a.digest != b.digest) list.push_back("the content of the scenario or of its machine");
    return join(list, "; ");
}

Sweep::Sweep(ScenarioText source, const SweepRequest& request, unsigned jobs) : source_(std::move(source)) {
    ProblemList problems;
    spec_.sets = request.sets;
    spec_.latency = request.latency;

    // The scenario without axes comes first, because its problems would occur at every point.
    std::optional<Scenario> plain;
    Digest content;
    try {
        plain = parse_scenario(source_, spec_.sets);
        content.add(what_runs(source_));
    } catch (const ScenarioError& error) {
        // An axis may replace the wrong or missing value.
        if (request.vary.empty()) throw;
    }

    read_axes(request.vary, spec_, problems);
    read_policies(request.policies, spec_, problems);
    problems.throw_if_any();

    // If the scenario is invalid without the axes, use its first point.
    if (!plain) {
        std::vector<std::string> first;
        for (const Axis& axis : spec_.axes) first.push_back(axis.values.front());
        plain = parse_scenario(source_, assignments(first));
        content.add(what_runs(source_));
    }
    spec_.scenario = plain->name;
    for (Axis& axis : spec_.axes) axis.words = axis_words(axis.pointer, *plain);
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
    check_all(jobs);
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
    const RunPlace place = spec_.place(run);
    std::vector<std::string> values;
    for (std::size_t axis = 0; axis < spec_.axes.size(); ++axis)
        values.push_back(spec_.axes[axis].values[place.at[axis]]);
    return scenario(values, place.seed);
}

void Sweep::check_all(unsigned jobs) {
    struct Checked {
        std::vector<Problem> problems;
        std::string machine;  // its digest
    };
    const auto check = [&](std::uint64_t point) {
        Checked checked;
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
    // In blocks, so that checking can stop once the list of problems is full.
    constexpr std::uint64_t kBlock = 4096;
    ProblemList problems;
    Digest machines;
    machines.add(spec_.digest);
    std::string last;
    const std::uint64_t points = spec_.points();
    for (std::uint64_t begin = 0; begin < points && !problems.full(); begin += kBlock) {
        const std::uint64_t count = std::min(kBlock, points - begin);
        in_order(
            count < 64 ? 0 : jobs, count, [&](std::uint64_t i) { return check(begin + i); },
            [&](std::uint64_t, Checked checked) {
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
