// The system calls of a run, in the order in which tasks make them.
//
// Each program step that enters the kernel is a call: `lock` and `park` only if they block, `unlock` and
// `unpark` only if they wake a task. A pipe call that is woken and tries again is still the same call.
#pragma once

#include <functional>

#include "sim/core/engine.h"
#include "sim/views/views.h"

namespace sim::views {

// Executes the run of `m` from its start, and passes each record and each system call on. A call comes after
// the records of its effects, such as wake-ups, and before the record of its cost. With `is_retry` it is the
// end of a pipe call that has blocked. `statistics` may be null.
void follow_calls(const ViewedRun& run, const Engine& engine, Machine& m,
                  const std::function<void(const TraceRecord&)>& follow,
                  const std::function<void(const SystemCall&)>& call, Statistics* statistics = nullptr);

// The name of the Linux system call that this step stands for. If the scenario does not determine it
// (`arrival`, `io`, `syscall`), the name of the action.
std::string call_name(const Scenario& scenario, StepId step);

// Whether the step waits on a pipe or writes to it: such a call ends only when it has succeeded.
bool is_pipe_call(const Scenario& scenario, StepId step);

}  // namespace sim::views
