#include "sim/base/types.h"

namespace sim {

const char* to_string(TaskState state) {
    switch (state) {
        case TaskState::unused:
            return "unused";
        case TaskState::runnable:
            return "runnable";
        case TaskState::interruptible:
        case TaskState::on_timer:
            return "sleeping";
        case TaskState::waiting:
            return "waiting";
        case TaskState::in_service:
            return "in service";
        case TaskState::exited:
            return "exited";
    }
    return "?";
}

const char* to_string(SchedClass sched_class) {
    switch (sched_class) {
        case SchedClass::other:
            return "other";
        case SchedClass::fifo:
            return "fifo";
        case SchedClass::rr:
            return "rr";
        case SchedClass::batch:
            return "batch";
        case SchedClass::idle:
            return "idle";
    }
    return "?";
}

const char* to_string(StopReason reason) {
    switch (reason) {
        case StopReason::until:
            return "until";
        case StopReason::all_exited:
            return "all_exited";
        case StopReason::deadlock:
            return "deadlock";
        case StopReason::switch_limit:
            return "switch_limit";
        case StopReason::decision_limit:
            return "decision_limit";
        case StopReason::event_limit:
            return "event_limit";
        case StopReason::task_limit:
            return "task_limit";
        case StopReason::livelock:
            return "livelock";
        case StopReason::policy_failed:
            return "policy_failed";
    }
    return "?";
}

const char* to_string(InterventionResult result) {
    switch (result) {
        case InterventionResult::done:
            return "done";
        case InterventionResult::no_task:
            return "no_task";
        case InterventionResult::awake:
            return "awake";
        case InterventionResult::asleep:
            return "asleep";
    }
    return "?";
}

}  // namespace sim
