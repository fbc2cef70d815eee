// Describes the decision steps of a policy script whose lines have been recorded (record_script_lines()).
#pragma once

#include <string>

#include "sim/core/policy.h"
#include "sim/explain/decision_steps.h"
#include "sim/explain/decision_view.h"
#include "sim/explain/explain.h"

namespace sim {

// Describes the work that was counted before a script line, and the line itself. REQUIRES:
// step.is_script().
std::string describe_script_step(const DecisionStep& step, const DecisionView& view,
                                 const NamedPolicy& policy, const TaskNamer& name);

// Describes the engine's steps before and after the script lines; empty for steps common to all policies.
std::string describe_engine_step(const DecisionStep& step, const DecisionView& view, const TaskNamer& name);

}  // namespace sim
