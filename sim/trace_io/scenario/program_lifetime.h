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
    bool is_made = false;  // true if a fork or exec in the trace created the program
    Nanos start = kNever;  // time when the program was first ready; unused if is_made
    std::vector<ProgramStep> steps{};

    // preempted: the task has left its CPU in state R or R+, and another task has followed. The task is
    // ready. A wake-up before it runs again has no effect: try_to_wake_up() traces sched_waking before it
    // checks whether the task is queued, and a task that is preempted on its way to sleep is still queued.
    // unclear: the task has left its CPU in state R or R+, and the idle task has followed; or it has left in
    // a switch that the trace lacks (`left_unseen`). A later wake-up means that the task was asleep. A switch
    // to the task without a wake-up means that it was ready, unless SleepInference finds that it was asleep.
    // At the end of the trace, the task counts as asleep, unless it left its CPU at this time: then it was
    // running.
    enum class State : std::uint8_t { new_one, ready, preempted, unclear, asleep, gone };
    State state = State::new_one;
    bool left_unseen = false;  // the trace lacks the last switch away from the task
    CpuId left_cpu = 0;        // CPU that the task left last, or target CPU of its first wake-up
    Nanos asleep_since{};      // start of the sleep, or of the state preempted or unclear
    Nanos first_run = kNever;  // time of the first switch to the task
    bool runs_first = false;   // no event made the task ready before it ran
    Nanos system_of_sleep = ProgramStep::kUnknown;  // duration of the system call that put the task to sleep
    Nanos computed{};                               // computation since the last step was added

    static constexpr Nanos kNever{-1};

    void set_identity(const Thread& t) {
        name = t.name;
        pid = t.pid;
        tgid = t.tgid;
        prio = t.prio;
        is_kernel = t.is_kernel;
    }
};

}  // namespace sim::trace_io
