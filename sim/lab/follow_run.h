// Functions that execute a run and report its progress or process its trace records during the run.
#pragma once

#include <functional>

#include "sim/core/engine.h"
#include "sim/core/scenario.h"
#include "sim/core/trace.h"
#include "sim/lab/progress.h"

namespace sim::lab {

// The limits that the scenario specifies for a run.
Limits limits_of(const Scenario& scenario);

// Executes the run up to `limits`. `progress` may be null.
StopReason run_with_progress(const Engine& engine, Machine& m, const Limits& limits, const Sinks& sinks,
                             ProgressDisplay* progress);

// Executes the run up to `limits`. Passes each trace record to `on_record` and then discards it, so that long
// runs need little memory.
StopReason run_and_visit_records(const Engine& engine, Machine& m, const Limits& limits,
                                 RunProgressReporter& reporter,
                                 const std::function<void(const TraceRecord&)>& on_record,
                                 Statistics* statistics = nullptr);

}  // namespace sim::lab
