// A window of time in full detail: what each CPU did and what became of each task, without gaps.
//
// It is worked out from the trace of that window, which is made again when somebody looks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/trace.h"
#include "sim/replay/recording.h"

namespace sim {

// What a CPU does. Those between user and idle are the kernel's, in the order in which one call goes through
// them.
enum class Activity : std::uint8_t {
    user,
    system,
    select,
    recalc,
    context_switch,
    address_space,
    cache_refill,
    stolen,     // by the host of a virtual CPU
    interrupt,  // the handler of one
    idle
};

const char* to_string(Activity activity);

inline constexpr std::uint32_t kNoRecord = 0xffff'ffff;

struct CpuSlice {
    Nanos begin, end;
    TaskId task;  // who runs, or whose call of the kernel it is; the idle task while idle
    Activity activity;
    std::uint32_t record;   // the trace record of the call; user: of the schedule() that chose the task.
                            // kNoRecord when that was before the window
    MmId mm = kKernelMm;    // the active_mm
    bool borrowed = false;  // which is not the task's own
};

enum class TaskActivity : std::uint8_t { running, kernel, ready, sleeping, waiting };

const char* to_string(TaskActivity activity);

struct TaskSlice {
    Nanos begin, end;
    TaskActivity activity;
    CpuId cpu;                         // running and kernel
    ChannelId channel = kNoChannel;    // waiting: on what
    std::uint32_t record = kNoRecord;  // ready: of the wake-up or the fork that made it so; kNoRecord when it
                                       // was preempted, or when that was before the window
};

struct Mark {
    Nanos time;
    std::uint32_t
        record;  // wake_up, tick, yield, fork, exec, exit, IPIs, and each schedule() that refilled counters
};

// From here on so many tasks are runnable, the running ones included.
struct Depth {
    Nanos time;
    std::uint32_t runnable;
};

struct Timeline {
    Nanos begin{}, end{};
    Trace trace;
    std::uint64_t first_decision = 0;           // the number of the first schedule() of the trace, from 1
    std::vector<std::vector<CpuSlice>> cpus;    // by CPU; slices without gaps, in order
    std::vector<std::vector<TaskSlice>> tasks;  // by TaskId; empty for those that were never alive
    std::vector<Mark> marks;
    std::vector<Depth> depth;
    std::vector<std::uint64_t> decision_numbers;  // by record; that of the schedule() there, or the next one

    // The name of a task at that time: a row of the task table may be used again by another one.
    std::string name(const Scenario& scenario, TaskId p, Nanos at) const;
    // That of an address space: "A's address space".
    std::string mm_name(const Scenario& scenario, MmId mm, Nanos at) const;

  private:
    friend std::optional<Timeline> make_timeline(const Recording&, Nanos, Nanos, std::size_t);
    struct Named {
        TaskId task;
        Nanos from;
        std::uint16_t group;
        std::uint32_t ordinal;
    };
    std::vector<Named> names_;  // by task, then by time
    struct Owner {
        MmId mm;
        Nanos from;
        TaskId task;
    };
    std::vector<Owner> owners_;  // of address spaces that one task has; by mm, then by time
};

// The window [begin, end) of a run. None when more than `most_records` things happened in it.
// REQUIRES: begin <= end; what lies behind tip() is not in it.
std::optional<Timeline> make_timeline(const Recording& recording, Nanos begin, Nanos end,
                                      std::size_t most_records = 100'000);

}  // namespace sim
