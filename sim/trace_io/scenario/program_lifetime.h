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

    enum class State : std::uint8_t {
        new_one,  // has not run and has not been woken
        ready,    // has been woken, or runs
        // The task left its CPU in state R or R+, and another task followed, so the task is ready. A wake-up
        // in this state has no effect: the kernel traces sched_waking even if the task is still queued.
        preempted,
        // The task left its CPU in state R or R+ and the idle task followed, or the trace lacks the switch
        // (`left_unseen`). A later wake-up means that the task was asleep. A switch to the task without a
        // wake-up means that it was ready, unless SleepInference finds that it was asleep. At the end of the
        // trace, the task counts as asleep, unless it left its CPU at this time: then it was running.
        ready_or_asleep,
        asleep,
        gone,  // has exited
    };
    State state = State::new_one;
    bool left_unseen = false;  // the trace lacks the last switch away from the task
    CpuId last_cpu = 0;        // CPU that the task left last; if it has not run, target CPU of its wake-up
    Nanos off_cpu_since{};     // time when the task left its CPU; if it has not run, time of its wake-up
    Nanos first_run = kNever;  // time of the first switch to the task
    bool runs_before_wake_up = false;  // no fork, exec or wake-up of the task precedes its first run
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
