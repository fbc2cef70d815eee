// Reasons for a decision, in sentences: the cause of the schedule(), the choice, and the tasks that were not
// chosen. Every sentence is derived from the data that determined the decision: the recorded cause, the
// policy's own comparison, and the states before and after.
#pragma once

#include <string>
#include <vector>

#include "sim/core/policy.h"
#include "sim/core/resched_check.h"
#include "sim/core/scenario.h"
#include "sim/explain/decision_view.h"
#include "sim/explain/explain.h"

namespace sim {

struct DecisionReasons {
    // Why schedule() was called, often because the previous task stopped: "A calls sched_yield()."
    std::string stopped;
    // How schedule() has changed the queue itself: "The active array is empty, so ..." Usually empty.
    std::string changed;
    std::string chosen;  // why_winner_won()
    std::string since;   // "B has waited since 1 ms, for 4 ms."; empty for prev and the idle task
    std::string goes;    // where prev goes: "A goes to place 3 of the queue." Empty if prev continues
    struct NotChosenTask {
        TaskId task;
        std::string reason;
    };
    // The tasks that could have run on this CPU, in the order of the queue. The chosen task is excluded.
    std::vector<NotChosenTask> others;

    std::string text() const;  // the members `stopped` to `goes`, joined by spaces
};

DecisionReasons decision_reasons(const DecisionView& view, const NamedPolicy& policy,
                                 const Scenario& scenario);

// One sentence about a check, for example a wake-up or a tick: "C becomes ready and preempts A: C's counter
// 25 is more than 3 above A's 18."
std::string resched_check_text(const ReschedCheck& check, const Machine& m, const TaskNamer& name);

// The reason why p does not run on any CPU in this state, between two events: "C is ready and waits: it is
// number 2 of the 3 tasks that wait in the queue." If p runs, the text names the CPU.
std::string why_not_running(const Machine& m, const NamedPolicy& policy, const Scenario& scenario, TaskId p);

}  // namespace sim
