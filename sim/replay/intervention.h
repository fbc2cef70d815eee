// What a person does to a run from outside: renice, kill or wake a task, or go on under another policy.
//
// A run is its scenario, its policy and the list of what was done to it: all that it takes to make it again.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"
#include "sim/core/action.h"

namespace sim {

struct Intervention {
    enum class Kind : std::uint8_t {
        renice,  // setpriority(): under Linux 1.2 to 2.4 the counter stays, and the next refill uses the new
                 // value; later kernels look at once (Policy::renice())
        kill,    // SIGKILL: wakes the task if it sleeps, and it exits instead of what it was about to do
        wake,    // ends its sleep or its waiting now
        policy,  // the run queue is handed over, task by task in its order, to another policy. Counters stay
                 // what they are, unless the new policy says otherwise (Policy::adopt(), enqueue()); only a
                 // slice that no refill can give (round-robin's quantum may be any) begins anew.
    };
    Kind kind;
    // Where: after so many events, when the clock stands at `time`.
    std::uint64_t after_events = 0;
    Nanos time{};
    TaskId task = kNoTask;      // unless policy
    std::int32_t priority = 0;  // renice: 1 to 40
    std::string policy{};       // as make_policy() takes it, with
    ScriptTexts scripts{};      // these texts
};

// Why this cannot be done now, in words; empty when it can: the task is there, the policy exists, and the run
// is not over, unless by a deadlock, from which `wake` and `kill` are the ways out.
std::string refusal(const Intervention& intervention, const Machine& m);

// Does it. `context.policy` is the policy that holds afterwards; `exit_step` is a step that exits.
// REQUIRES: refusal() has nothing to say.
void intervene(const Intervention& intervention, const ActionContext& context, StepId exit_step);

}  // namespace sim
