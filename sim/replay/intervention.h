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
        renice,  // renice, kill, wake: see renice_task(), kill_task(), wake_task() (intervene.h)
        kill,
        wake,
        // Changes the policy: the new policy receives the tasks of the run queue in queue order. Counters
        // are kept unless the new policy changes them (Policy::adopt(), enqueue()). If a counter is larger
        // than any recalculation can produce, Policy::start() replaces it. This occurs after round-robin,
        // whose quantum has no limit.
        policy,
    };
    Kind kind;
    // Position of the intervention in the run: after this number of events, at `time`.
    std::uint64_t after_events = 0;
    Nanos time{};
    TaskId task = kNoTask;      // kNoTask for `policy`
    std::int32_t priority = 0;  // new priority for `renice`: 1 to 40
    // Only for Kind::policy. `policy`: the specification of the new policy, as for make_policy(); `scripts`:
    // the texts of policy scripts.
    std::string policy{};
    ScriptTexts scripts{};
};

// The reason why this intervention is impossible now. Empty if the intervention is possible: the task is
// alive, the policy exists and the run is not over. A run in a deadlock does not count as over, because
// `wake` and `kill` can resolve the deadlock.
std::string refusal(const Intervention& intervention, const Machine& m);

// Executes the intervention. `context.policy` is the policy in effect afterwards. REQUIRES: refusal() is
// empty.
void intervene(const Intervention& intervention, const ActionContext& context);

}  // namespace sim
