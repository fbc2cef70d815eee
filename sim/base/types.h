// Basic types shared by the whole simulator: time, handles and task states.
//
// Time is std::chrono::nanoseconds in 64 bits: `Nanos slice = 200ms` states its unit, and mixing time with a
// count does not compile. A simulated time counts from the start of the simulation.
#pragma once

#include <chrono>
#include <cstdint>

namespace sim {

using namespace std::chrono_literals;

using Nanos = std::chrono::duration<std::int64_t, std::nano>;

// An event key holds 48 bits of time (see event_queue.h), a little over 78 hours. Nothing happens at or after
// this time.
inline constexpr Nanos kHorizon{(std::int64_t{1} << 48) - 1};

// Index of a row of the task table. The first rows, one per CPU, are the idle tasks; row 0 is Linux's
// init_task.
using TaskId = std::uint32_t;
using CpuId = std::uint32_t;
using MmId = std::uint32_t;       // an address space
using ChannelId = std::uint32_t;  // channels, locks, pipe ends and devices that tasks wait on
using StepId = std::uint32_t;     // an index into Scenario::steps

inline constexpr TaskId kNoTask = 0xffff'ffff;
inline constexpr ChannelId kNoChannel = 0xffff'ffff;
inline constexpr MmId kKernelMm = 0;  // init_mm: the address space of idle tasks and kernel threads

// A set of CPUs is a 64-bit mask.
inline constexpr std::uint32_t kMaxCpus = 64;
inline constexpr CpuId kNoCpu = 0xffff'ffff;

// The event queue supports at most 65,535 event sources. kMaxTasks is this number minus the number of idle
// tasks, rounded down.
inline constexpr std::uint32_t kMaxTasks = 65'000;

enum class TaskState : std::uint8_t {
    unused,         // a free row
    runnable,       // TASK_RUNNING: on a CPU or ready for one
    interruptible,  // asleep until an external event: an arrival or the task's start
    waiting,        // asleep on a channel, in its queue
    in_service,     // asleep while a device serves it, until that device's timer fires
    exited,         // has called exit and is still in its last schedule()
    on_timer,       // asleep until its own timer fires: `sleep`
};

// SCHED_OTHER, SCHED_FIFO, SCHED_RR; SCHED_BATCH (since 2.6.16) and SCHED_IDLE (since 2.6.23). Policies
// without batch and idle treat them as `other`.
enum class SchedClass : std::uint8_t { other, fifo, rr, batch, idle };

constexpr bool is_real_time(SchedClass c) { return c == SchedClass::fifo || c == SchedClass::rr; }

enum class StopReason : std::uint8_t {
    until,           // the requested simulated time is over
    all_exited,      // no task is left
    deadlock,        // tasks are left, but nothing can ever wake one
    switch_limit,    // the requested number of context switches is reached
    decision_limit,  // the requested number of scheduling decisions is reached
    event_limit,     // the requested number of events is reached
    task_limit,      // a fork found no free row in the task table
    livelock,        // too many events or program steps at one simulated time
    policy_failed,   // a policy script violated a rule for schedulers (Policy::failure())
};

// The effect of an intervention (intervene.h).
enum class InterventionResult : std::uint8_t {
    done,
    no_task,  // no effect: no such task exists at this time
    awake,    // no effect: the task to be woken is already awake
    asleep,   // no effect: the task to be blocked is already asleep
};

const char* to_string(TaskState state);
const char* to_string(SchedClass sched_class);
const char* to_string(StopReason reason);
const char* to_string(InterventionResult result);

}  // namespace sim
