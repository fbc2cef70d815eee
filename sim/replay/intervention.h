// User interventions in a run: renice, kill or wake a task, or change the policy.
//
// A run is reproducible from its scenario, its policy and the list of its interventions.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"
#include "sim/core/action.h"

namespace sim {

struct Intervention {
    enum class Kind : std::uint8_t {
        // setpriority(). Linux 1.2 to 2.4 keep the counter and use the new value at the next recalculation;
        // later kernels apply it at once (Policy::renice()).
        renice,
        // SIGKILL: wakes the task if it sleeps; the task exits instead of its next program step.
        kill,
        // Ends the sleep or wait of the task now.
        wake,
        // Passes the tasks of the run queue to another policy, in queue order. Counters are kept unless the
        // new policy changes them (Policy::adopt(), enqueue()). Policy::start() sets a counter that is
        // larger than any recalculation can give; the round-robin quantum can be, because it has no limit.
        policy,
    };
    Kind kind;
    // Position: after this many events, at `time`.
    std::uint64_t after_events = 0;
    Nanos time{};
    TaskId task = kNoTask;      // kNoTask for `policy`
    std::int32_t priority = 0;  // renice: 1 to 40
    // `policy`: a policy as for make_policy(), with these script texts.
    std::string policy{};
    ScriptTexts scripts{};
};

// The reason why this intervention is impossible now; empty if the task is alive, the policy exists and the
// run is not over. A deadlock does not count as over: `wake` and `kill` can resolve it.
std::string refusal(const Intervention& intervention, const Machine& m);

// `context.policy` is the policy in effect afterwards; `exit_step` is a program step that exits. REQUIRES:
// refusal() is empty.
void intervene(const Intervention& intervention, const ActionContext& context, StepId exit_step);

}  // namespace sim
