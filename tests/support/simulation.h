// A small run with statistics, trace and invariant checks. Formats decisions and events as text, for tests
// that verify times computed by hand, to the nanosecond.
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

// Options of a small scenario. Costs default to zero. With the default of 1 Hz the first tick comes after the
// run.
struct Small {
    std::uint32_t cpus = 1;
    std::string costs{};    // contents of "costs"
    std::string machine{};  // members of "machine", each followed by a comma
    std::string more{};     // members of the scenario, each followed by a comma
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
    // `spec`: the policy; empty: the policy of the scenario.
    explicit Simulation(Scenario s, const std::string& spec = {})
        : scenario(std::move(s)),
          policy(make_policy(spec.empty() ? scenario.policy : spec, scenario.cpus)),
          engine(scenario, *policy.policy),
          m(engine.initial_state()),
          statistics(m.shape()) {}

    StopReason go(const Limits& limits = {}) {
        const StopReason reason = engine.run(m, limits, sinks());
        EXPECT_EQ(check_invariants(m, scenario, *policy.policy, &statistics), "");
        return reason;
    }
    StopReason go(Nanos until) { return go({.until = until}); }

    Sinks sinks() { return {&statistics, &trace, nullptr}; }
    std::int64_t now() const { return m.globals().now.count(); }
    TimeParts time() const { return elapsed_time_parts(scenario, statistics, m); }
    std::vector<TaskStatistics> tasks() const { return elapsed_task_statistics(scenario, statistics, m); }

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
        sim::intervene(i, engine.context(m, sinks()));
        EXPECT_EQ(check_invariants(m, scenario, *policy.policy, &statistics), "");
    }
    void kill(const std::string& name) { intervene({.kind = Intervention::Kind::kill, .task = task(name)}); }

    // All decisions: "0 cpu0 idle>a, 56000 cpu0 a>b" (time, CPU, previous task > next task). One CPU: without
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

    // All events of one kind: "1000 cpu0 a, 2000 cpu1 b".
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
};

}  // namespace sim
