#include "ui/view/knobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/units.h"
#include "sim/core/action.h"
#include "sim/core/summary.h"
#include "ui/view/format.h"

namespace ui {
namespace {

using sim::CostModel;
using sim::Nanos;
using sim::Scenario;
using sim::TaskGroup;

constexpr std::size_t kMostCounts = 2, kMostPriorities = 2;
constexpr std::int64_t kFewCopies = 64;

// True if the program of this group contains one of these actions.
bool has_any_action(const Scenario& scenario, std::size_t group, std::initializer_list<const char*> actions) {
    const sim::StepId begin = scenario.groups[group].program;
    const sim::StepId end = group + 1 < scenario.groups.size()
                                ? scenario.groups[group + 1].program
                                : static_cast<sim::StepId>(scenario.steps.size());
    for (sim::StepId s = begin; s < end; ++s)
        for (const char* action : actions)
            if (scenario.steps[s].action == sim::action_index(action)) return true;
    return false;
}

// True if the tasks of the group start before the run ends.
bool starts_before_end(const Scenario& scenario, const TaskGroup& group) {
    return !scenario.until || group.start < *scenario.until;
}

// The largest number of tasks that can exist at the start of the run; 0 if this number is unknown.
std::int64_t most_tasks_at_start(const Scenario& scenario) {
    std::uint64_t total = 0;
    bool forks = false;
    for (std::size_t i = 0; i < scenario.groups.size(); ++i) {
        total += scenario.groups[i].count;
        forks = forks || has_any_action(scenario, i, {"fork"});
    }
    // `rows`: size of the task table. By default, the table has a row for each task and, if tasks fork,
    // kForkRoom more; the default grows with the number of tasks. Another size is stated in the scenario
    // ("max_tasks") and does not grow. If tasks fork, it is unknown how many of the stated rows the forks
    // need.
    constexpr std::uint64_t kForkRoom = 1'000;
    const std::uint64_t rows = scenario.shape.tasks;
    if (forks && rows != std::min<std::uint64_t>(total + kForkRoom, sim::kMaxTasks)) return 0;
    if (!forks && rows != total) return static_cast<std::int64_t>(rows);
    return sim::kMaxTasks;
}

// True if the group's task executes the step `park`, which waits for `unpark`. The count of such a group
// cannot be changed, because the group must have exactly one task.
bool is_parking_group(const Scenario& scenario, const sim::TaskGroup& group) {
    return std::any_of(scenario.channels.begin(), scenario.channels.end(), [&](const sim::ChannelSpec& spec) {
        return spec.kind == sim::ChannelSpec::Kind::parking && spec.name == group.name;
    });
}

void add_counts(const Scenario& scenario, std::vector<Knob>& knobs) {
    const std::int64_t room = most_tasks_at_start(scenario);
    std::int64_t total = 0;
    std::vector<std::size_t> groups;
    for (std::size_t i = 0; i < scenario.groups.size(); ++i) {
        total += scenario.groups[i].count;
        if (scenario.groups[i].count > 0 && !is_parking_group(scenario, scenario.groups[i]))
            groups.push_back(i);
    }
    if (room < total || groups.empty()) return;
    // The first group stays first; the others are sorted by size, the largest first.
    std::stable_sort(groups.begin() + 1, groups.end(), [&](std::size_t a, std::size_t b) {
        return scenario.groups[a].count > scenario.groups[b].count;
    });
    if (groups.size() > kMostCounts) groups.resize(kMostCounts);
    for (const std::size_t i : groups) {
        const TaskGroup& group = scenario.groups[i];
        const std::int64_t count = group.count;
        knobs.push_back({.kind = Knob::Kind::count,
                         .label = group.name + " \u00d7",
                         .meaning = fmt::format("The number of tasks in the group {}.", group.name),
                         .pointer = fmt::format("/tasks/{}/count", i),
                         .group = static_cast<std::uint32_t>(i),
                         .least = i == groups.front() ? 1 : 0,
                         .most = std::min(std::max(4 * count, kFewCopies), room - (total - count)),
                         .logarithmic = true});
    }
}

void add_priorities(const Scenario& scenario, std::vector<Knob>& knobs) {
    std::size_t added = 0;
    for (std::size_t i = 0; i < scenario.groups.size() && added < kMostPriorities; ++i) {
        const TaskGroup& group = scenario.groups[i];
        if (!starts_before_end(scenario, group) || !has_any_action(scenario, i, {"run", "yield"})) continue;
        Knob knob{.kind = Knob::Kind::priority,
                  .label = group.name + " priority",
                  .meaning = fmt::format("The number of ticks that a recalculation gives {} (usually "
                                         "20).",
                                         group.name),
                  .pointer = fmt::format("/tasks/{}/priority", i),
                  .group = static_cast<std::uint32_t>(i),
                  .least = 1,
                  .most = 40};
        if (sim::is_real_time(group.sched_class)) {
            knob.kind = Knob::Kind::rt_priority;
            knob.label = group.name + " rt_priority";
            knob.meaning = fmt::format("The real-time priority of {}, 1 to 99.", group.name);
            knob.pointer = fmt::format("/tasks/{}/rt_priority", i);
            knob.most = 99;
        } else if (group.has_nice) {
            knob.kind = Knob::Kind::nice;
            knob.label = group.name + " nice";
            knob.meaning =
                fmt::format("The nice value of {}: from -20 (most CPU time) to 19 (least).", group.name);
            knob.pointer = fmt::format("/tasks/{}/nice", i);
            knob.least = -20, knob.most = 19;
        }
        knobs.push_back(std::move(knob));
        ++added;
    }
}

void add_costs(const Scenario& scenario, std::vector<Knob>& knobs) {
    struct CostKnob {
        const char* key;
        const char* label;
        const char* meaning;
        sim::Cost CostModel::*cost;
    };
    static constexpr CostKnob kOffers[] = {
        {"considered", "search", "The cost of looking at one ready task.", &CostModel::considered},
        {"recalculated", "recalc", "The cost of recalculating the counter of one task.",
         &CostModel::recalculated},
        {"switch_other_mm", "switch", "The cost of a switch to a task with another address space.",
         &CostModel::switch_other_mm},
    };
    const CostModel& costs = scenario.machine.costs;
    for (const CostKnob& offer : kOffers) {
        const Nanos now = (costs.*offer.cost).time;
        const Nanos least = offer.cost == &CostModel::switch_other_mm ? costs.switch_same_mm.time : Nanos{};
        const Nanos most = std::min(Nanos{1'000'000'000}, now == Nanos{} ? Nanos{10'000} : 4 * now);
        knobs.push_back({.kind = Knob::Kind::cost,
                         .label = offer.label,
                         .meaning = offer.meaning,
                         .pointer = fmt::format("/machine/costs/{}", offer.key),
                         .cost = offer.cost,
                         .least = least.count(),
                         .most = std::max(most, least + Nanos{10'000}).count()});
    }
}

bool has_random_durations(const Scenario& scenario) {
    return std::any_of(
        scenario.durations.begin(), scenario.durations.end(),
        [](const sim::TimeDistribution& d) { return d.kind != sim::TimeDistribution::Kind::fixed; });
}

}  // namespace

std::vector<Knob> knobs_of(const Scenario& scenario) {
    std::vector<Knob> knobs;
    add_counts(scenario, knobs);
    add_priorities(scenario, knobs);
    knobs.push_back({.kind = Knob::Kind::hz,
                     .label = "HZ",
                     .meaning = "Timer interrupts per second.",
                     .pointer = "/machine/hz",
                     .least = 10,
                     .most = std::clamp<std::int64_t>(4 * std::int64_t{scenario.machine.hz}, 1'000, 10'000),
                     .logarithmic = true});
    knobs.back().least = std::min<std::int64_t>(knobs.back().least, scenario.machine.hz);
    add_costs(scenario, knobs);
    if (has_random_durations(scenario))
        knobs.push_back({.kind = Knob::Kind::seed,
                         .label = "seed",
                         .meaning = "The seed of the random numbers for random times.",
                         .pointer = "/seed",
                         .least = 0,
                         .most = std::max<std::int64_t>(100, static_cast<std::int64_t>(scenario.seed))});
    return knobs;
}

std::int64_t value_of(const Knob& knob, const Scenario& scenario) {
    switch (knob.kind) {
        case Knob::Kind::count:
            return scenario.groups[knob.group].count;
        case Knob::Kind::priority:
            return scenario.groups[knob.group].priority;
        case Knob::Kind::nice:
            return 20 - scenario.groups[knob.group].priority;
        case Knob::Kind::rt_priority:
            return scenario.groups[knob.group].rt_priority;
        case Knob::Kind::cost:
            return (scenario.machine.costs.*knob.cost).time.count();
        case Knob::Kind::hz:
            return scenario.machine.hz;
        case Knob::Kind::seed:
            return static_cast<std::int64_t>(scenario.seed);
    }
    return 0;
}

std::string scenario_value_text(const Knob& knob, std::int64_t value) {
    return knob.kind == Knob::Kind::cost ? sim::format_time(Nanos{value}) : fmt::format("{}", value);
}

std::string display_text(const Knob& knob, std::int64_t value) {
    return knob.kind == Knob::Kind::cost ? fmt::format("{:.2f} \u00b5s", static_cast<double>(value) / 1e3)
                                         : fmt::format("{}", value);
}

Outcome outcome_of(const Run& run) {
    const sim::Moment& simulated_end = run.history().simulated_end();
    const Nanos now = run.end();
    const std::uint64_t yields = simulated_end.statistics.yields,
                        switches = simulated_end.statistics.switches.total();
    Outcome outcome{.cost = -1};
    if (now == Nanos{}) return outcome;
    outcome.switches_per_second = static_cast<double>(switches) * 1e9 / static_cast<double>(now.count());
    const sim::TimeParts parts =
        sim::elapsed_time_parts(run.scenario(), simulated_end.statistics, simulated_end.machine);
    outcome.per_yield = yields > 0 && parts.is_mostly_kernel_time();
    if (outcome.per_yield)
        outcome.cost = static_cast<double>(parts.total().count()) / static_cast<double>(yields);
    else if (switches > 0)
        outcome.cost = static_cast<double>(parts.overhead.total().count()) / static_cast<double>(switches);
    return outcome;
}

std::string cost_text(const Outcome& outcome) {
    if (outcome.cost < 0) return "-";
    if (outcome.cost == 0) return "no costs";  // a machine without costs
    return span(Nanos{std::llround(outcome.cost)}) + (outcome.per_yield ? " per yield" : " per switch");
}

std::string switch_rate_text(const Outcome& outcome) {
    const double rate = outcome.switches_per_second;
    return (rate < 100 ? fmt::format("{:.2f}", rate)
                       : group_digits(static_cast<std::uint64_t>(std::llround(rate)))) +
           " switches/s";
}

std::string with_option(const sim::NamedPolicy& policy, const std::string& option, const std::string& value) {
    sim::NamedPolicy other = policy;
    other.options[option] = value;
    return other.spec();
}

}  // namespace ui
