// A small run with all that watches it, and its story as text: for tests of what happens when, to the
// nanosecond, in scenarios that can be worked out by hand.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/check/invariants.h"
#include "sim/core/action.h"
#include "sim/core/engine.h"
#include "sim/core/summary.h"
#include "sim/replay/intervention.h"
#include "sim/scenario/scenario_json.h"

namespace sim {

// What a small scenario consists of. Without ticks unless hz is given: at 1 Hz, the first comes when all is
// over. Nothing costs anything but what is given.
struct Small {
    std::uint32_t cpus = 1;
    std::string costs{};    // the inside of "costs"
    std::string machine{};  // members of the machine, each with a comma after it
    std::string more{};     // members of the scenario, each with a comma after it
    int hz = 1;
};

inline Scenario small_scenario(const std::string& tasks, const Small& small = {}) {
    return parse_scenario(
        "test.json",
        fmt::format(
            R"({{"format": "switchyard-scenario/1", "policy": "linux-2.4.22", "cpus": {}, {} "until": "100s",
            "machine": {{{} "hz": {}, "costs": {{{}}}}}, "tasks": [{}]}})",
            small.cpus, small.more, small.machine, small.hz, small.costs, tasks));
}

struct Simulation {
    // Under the policy of that name; without one, under the scenario's own.
    explicit Simulation(Scenario s, const std::string& spec = {})
        : scenario(with_exit_step(std::move(s))),
          policy(make_policy(spec.empty() ? scenario.policy : spec, scenario.cpus)),
          engine(scenario, *policy.policy),
          m(engine.initial_state()),
          statistics(m.shape()) {}

    StopReason go(const Limits& limits = {}) {
        const StopReason reason = engine.run(m, limits, sinks());
        EXPECT_EQ(broken_invariant(m, scenario, *policy.policy, &statistics), "");
        return reason;
    }
    StopReason go(Nanos until) { return go({.until = until}); }

    Sinks sinks() { return {&statistics, &trace, nullptr}; }
    std::int64_t now() const { return m.globals().now.count(); }
    TimeParts time() const { return settled_time(scenario, statistics, m); }
    std::vector<TaskStatistics> tasks() const { return settled_tasks(scenario, statistics, m); }

    TaskId task(const std::string& name) const {
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
            if (scenario.task_name(m, p) == name) return p;
        ADD_FAILURE() << "no task " << name;
        return kNoTask;
    }
    ChannelId channel(ChannelSpec::Kind kind, const std::string& name = {}) const {
        for (ChannelId c = 0; c < scenario.channels.size(); ++c)
            if (scenario.channels[c].kind == kind && (name.empty() || scenario.channels[c].name == name))
                return c;
        ADD_FAILURE() << "no channel " << name;
        return kNoChannel;
    }
    const Channel& channel_of(ChannelSpec::Kind kind, const std::string& name = {}) const {
        return m.channel(channel(kind, name));
    }

    void intervene(Intervention i) {
        ASSERT_EQ(refusal(i, m), "");
        ++m.globals().interventions;
        sim::intervene(i, engine.context(m, sinks()), static_cast<StepId>(scenario.steps.size() - 1));
        EXPECT_EQ(broken_invariant(m, scenario, *policy.policy, &statistics), "");
    }
    void kill(const std::string& name) { intervene({.kind = Intervention::Kind::kill, .task = task(name)}); }

    // "0 cpu0 idle>a, 56000 cpu0 a>b": what was chosen when, where, and instead of whom. On one CPU without
    // "cpu0".
    std::string decisions() const {
        std::string text;
        for (const TraceRecord& r : trace.records) {
            if (r.kind != TraceKind::schedule) continue;
            text += fmt::format("{}{} {}{}>{}", text.empty() ? "" : ", ", r.time.count(), where(r),
                                scenario.task_name(m, r.other), scenario.task_name(m, r.task));
        }
        return text;
    }

    // The same for one kind of event: "1000 cpu0 a, 2000 cpu1 b".
    std::string events(TraceKind kind) const {
        std::string text;
        for (const TraceRecord& r : trace.records)
            if (r.kind == kind)
                text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", r.time.count(), where(r),
                                    scenario.task_name(m, r.task));
        return text;
    }

    Scenario scenario;
    NamedPolicy policy;
    Engine engine;
    Machine m;
    Statistics statistics;
    Trace trace;

  private:
    std::string where(const TraceRecord& r) const {
        return m.shape().cpus == 1 ? "" : fmt::format("cpu{} ", r.cpu);
    }
    static Scenario with_exit_step(Scenario s) {
        s.steps.push_back({.action = action_index("exit")});
        return s;
    }
};

}  // namespace sim
