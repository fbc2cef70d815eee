// The system calls of a run, in the order in which tasks make them.
//
// Each program step that enters the kernel is a system call. The steps `lock` and `park` enter the kernel
// only if they block, `unlock` and `unpark` only if they wake a task. A task that is woken in a pipe call may
// block again; all these waits belong to one call.
#pragma once

#include <functional>

#include "sim/core/engine.h"
#include "sim/views/views.h"

namespace sim::views {

// Executes the run of `m` from its start. Passes each trace record to `on_record` and each system call to
// `on_call`. Order: the records of the call's effects, such as wake-ups; the call; the record of its cost. A
// pipe call that blocks is passed twice: at its start and, with `is_retry` set, at its end. `statistics` may
// be null.
void replay_system_calls(const ViewedRun& run, const Engine& engine, Machine& m,
                         const std::function<void(const TraceRecord&)>& on_record,
                         const std::function<void(const SystemCall&)>& on_call,
                         Statistics* statistics = nullptr);

// The name of the Linux system call that this step represents. If the scenario does not determine the system
// call (`arrival`, `io`, `syscall`), returns the name of the action.
std::string call_name(const Scenario& scenario, StepId step);

// Whether the step waits on a pipe or writes to it: such a call ends only when it has succeeded.
bool is_pipe_call(const Scenario& scenario, StepId step);

}  // namespace sim::views
