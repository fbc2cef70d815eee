// Interventions in a task, from outside the simulated system: kill, renice, wake and block. They act between
// two events and take no time themselves. A scenario lists interventions (Scenario::interventions), and a
// branch of a run has its own interventions (sim/replay/intervention.h).
//
// `block` resembles SIGSTOP: the task itself goes to sleep when it next returns to user mode, because a
// signal only marks the task that receives it. So a task in a system call finishes the call, and a ready task
// sleeps when it is next chosen. The sleep is an additional system call; the task continues its computation
// afterwards.
#pragma once

#include "sim/core/action.h"

namespace sim {

// The live task with this name (group and ordinal), or kNoTask.
TaskId find_task(const Machine& m, std::uint32_t group, std::uint32_t ordinal);

// The result that an intervention of this kind would have now if it acted on p. `p` may be kNoTask.
InterventionResult predict_intervention_result(ScenarioIntervention::Kind kind, const Machine& m, TaskId p);

// The following functions require that p is a live task and not an idle task.

// Models setpriority(). Linux 1.2 to 2.4 keep the counter and use the new value at the next recalculation.
// Later kernels apply the new value at once (Policy::renice()).
void renice_task(const ActionContext& context, TaskId p, std::int32_t priority);

// Models SIGKILL: wakes p if p sleeps; p then exits instead of executing its next program step.
void kill_task(const ActionContext& context, TaskId p);

// Ends p's sleep or wait, or prevents a pending `block`. REQUIRES: predict_intervention_result() returns
// `done` for a wake of p.
void wake_task(const ActionContext& context, TaskId p);

// Makes p sleep as the intervention with this index demands, as soon as p returns to user mode. REQUIRES: p
// is awake.
void block_task(const ActionContext& context, TaskId p, std::uint32_t intervention);

// If p was woken to take a token of its channel (Channel::tokens), wakes the next waiter instead, because p
// will not take the token.
void pass_token_to_next_waiter(const ActionContext& context, TaskId p);

}  // namespace sim
