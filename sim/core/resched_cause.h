// Why a CPU was asked to call schedule(): the reason for which need_resched was set.
#pragma once

#include <cstdint>

namespace sim {

// The engine records the cause when it sets need_resched; a later request for the same schedule() does not
// change the cause. The cause has no influence on the run; it is for explanations.
enum class ReschedCause : std::uint8_t {
    none,        // the running task blocked or exited; need_resched was not the cause
    tick,        // at a timer interrupt, the policy ended the slice of the running task, or preempted it
    slice_end,   // a slice that is not a multiple of ticks has ended
    wake_up,     // a woken task preempts the running task, or the CPU was idle
    offered,     // a task that was preempted or yielded on another CPU may run on this CPU
    balance,     // load balancing: a task was moved, or an idle CPU looks for a task
    yield,       // sched_yield()
    sleep_over,  // the running task called sleep, but the sleep ends at once
    new_job,     // the running task began its next job
    deadline,    // the running task has called exec, and its new program has another deadline
    fork,        // the running task has forked, and its slice is used up
    exec,        // the policy moves the running task, which has called exec, to another CPU
    renice,      // an intervention changed the priority of a task
    block,       // an intervention puts the running task to sleep
    policy,      // the run continues under another policy
};

}  // namespace sim
