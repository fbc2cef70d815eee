// Finds the latest context switch at which a task lost the CPU before a decision chose this task again. For
// switch_steps().
#pragma once

#include <optional>

#include "sim/explain/switch_steps.h"
#include "sim/replay/run_history.h"

namespace sim {

// The latest switch before the decision `view` that took the CPU from view.record.task. Returns nullopt if
// the task has never run, or if the task lost its CPU more than 65,000 events ago. REQUIRES: `view` is a
// decision of `history`.
std::optional<SwitchOut> find_switch_out(const RunHistory& history, const DecisionView& view);

}  // namespace sim
