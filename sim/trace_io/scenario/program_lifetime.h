// The programs of the threads in a trace, as steps of a scenario.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

inline constexpr std::uint32_t kNoLife = 0xffff'ffff;
inline constexpr std::int32_t kDefaultPrio = 120;

struct ProgramStep {
    enum class Kind : std::uint8_t { run, arrival, arrival_at, wait, wake, yield, fork, exec, syscall, exit };
    Kind kind = Kind::run;
    std::uint32_t target = kNoLife;  // index of the ProgramLifetime to wake, fork or exec
    Nanos time{};                    // for the step kinds run, arrival, arrival_at
    Nanos system = kUnknown;         // duration of the system call, excluding schedule()

    static constexpr Nanos kUnknown{-1};
    bool operator==(const ProgramStep&) const = default;
};

// One program of a thread, from its start or exec to its end or next exec.
struct ProgramLifetime {
    std::string name;
    std::int32_t pid = 0, tgid = 0, prio = kDefaultPrio;
    bool is_kernel = false;
    bool is_made = false;  // created by a fork or exec in the trace
    Nanos start = kNever;  // time when the program was first ready; unused if is_made
    std::vector<ProgramStep> steps{};

    // preempted: the task has left its CPU for another task, in state R or R+. It is ready. A wake-up before
    // it runs again has no effect: try_to_wake_up() traces sched_waking before it looks whether the task is
    // queued, and a task preempted on its way to a sleep is.
    // unclear: the task has left its CPU for the idle task, in state R or R+, or in a switch that the trace
    // lacks (`left_unseen`). A wake-up means that it was asleep. A switch to the task without a wake-up means
    // that it was ready, unless SleepInference knows better. At the end, the task was asleep.
    enum class State : std::uint8_t { new_one, ready, preempted, unclear, asleep, gone };
    State state = State::new_one;
    bool left_unseen = false;  // the trace lacks the last switch away from the task
    CpuId left_cpu = 0;        // its CPU before the last switch away, or where it is to start
    Nanos asleep_since{};      // start of the sleep, or of the state preempted or unclear
    Nanos first_run = kNever;  // time of the first switch to the task
    bool runs_first = false;   // no event made the task ready before it ran
    Nanos system_of_sleep = ProgramStep::kUnknown;  // duration of the call that put the task to sleep
    Nanos computed{};                               // computation time since the last step

    static constexpr Nanos kNever{-1};

    void describe(const Thread& t) {
        name = t.name;
        pid = t.pid;
        tgid = t.tgid;
        prio = t.prio;
        is_kernel = t.is_kernel;
    }
};

}  // namespace sim::trace_io
