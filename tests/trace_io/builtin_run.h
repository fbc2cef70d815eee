// Runs of built-in scenarios under their own policies, as events.
#pragma once

#include <string>

#include "sim/core/engine.h"
#include "sim/policies/policies.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/sched_event.h"
#include "tests/support/emit_run.h"

namespace sim::builtin_run {

struct BuiltinRun {
    explicit BuiltinRun(const std::string& name)
        : scenario(load_scenario(name)),
          policy(make_policy(scenario.policy, scenario.cpus)),
          info{.title = scenario.title, .cpus = scenario.cpus, .policy = policy.name} {}

    // Emits the run up to the end of the scenario or up to these limits, whose `until` is ignored.
    void emit(Limits limits, trace_io::EventSink& sink) const {
        limits.until = scenario.until.value_or(kHorizon);
        trace_io::emit_run(scenario, *policy.policy, limits, info, sink);
    }

    Scenario scenario;
    NamedPolicy policy;
    trace_io::RunInfo info;
};

}  // namespace sim::builtin_run
