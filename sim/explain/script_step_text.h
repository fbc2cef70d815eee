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

// Describes a step that is not a script line, such as the call of enqueue() or pick_next(). Empty: the
// description is the same for policies that are not scripts.
std::string describe_engine_step(const DecisionStep& step, const DecisionView& view, const TaskNamer& name);

}  // namespace sim
