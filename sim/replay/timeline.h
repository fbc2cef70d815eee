// A time window of a run in full detail: the activity of each CPU and each task, without gaps. It is
// computed from the trace of the window, which is produced by re-execution.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/trace.h"
#include "sim/replay/run_history.h"

namespace sim {

// Activity of a CPU. The values between `user` and `idle` are kernel time, in their order within one kernel
// call.
enum class CpuActivity : std::uint8_t {
    user,
    system,
    select,
    recalculation,
    context_switch,
    address_space,
    cache_refill,
    stolen,     // time taken by the host of a virtual CPU
    interrupt,  // interrupt handler
    idle
};

const char* to_string(CpuActivity activity);

inline constexpr std::uint32_t kNoRecord = 0xffff'ffff;

struct CpuSlice {
    Nanos begin, end;
    TaskId task;  // the task that runs or for which the kernel works; on an idle CPU the idle task
    CpuActivity activity;
    // Index of the trace record of the kernel call. For `user`, index of the record of the schedule() that
    // chose the task. kNoRecord: the record is before the window.
    std::uint32_t record;
    MmId mm = kKernelMm;    // active_mm of the CPU
    bool borrowed = false;  // true: `mm` is not the address space of the task (lazy TLB)
};

enum class TaskActivity : std::uint8_t { running, kernel, ready, sleeping, waiting };

const char* to_string(TaskActivity activity);

struct TaskSlice {
    Nanos begin, end;
    TaskActivity activity;
    CpuId cpu;                       // valid for running and kernel
    ChannelId channel = kNoChannel;  // for waiting
    // For `ready`, the index of the trace record of the wake-up or fork. kNoRecord: the task was preempted,
    // or it became ready before the window.
    std::uint32_t record = kNoRecord;
};

struct TimelineMarker {
    Nanos time;
    // Index of the trace record, which is a wake_up, tick, yield, fork, exec, exit, IPI or leave_mm, or a
    // schedule() with a recalculation.
    std::uint32_t record;
};

// The number of runnable tasks from `time` on, including running ones.
struct RunnableCount {
    Nanos time;
    std::uint32_t runnable;
};

struct Timeline {
    Nanos begin{}, end{};
    Trace trace;
    // The decision number of the first schedule() in the trace. The first decision of the run has number 1.
    std::uint64_t first_decision = 0;
    std::vector<std::vector<CpuSlice>> cpus;  // slices by CPU, in order of time, without gaps
    // Slices by TaskId; empty for tasks that are not alive in the window.
    std::vector<std::vector<TaskSlice>> tasks;
    std::vector<TimelineMarker> marks;
    std::vector<RunnableCount> runnable_counts;
    // The decision number of each record that is a schedule(). For other records, the number of the next
    // schedule().
    std::vector<std::uint64_t> decision_numbers;

    // The name of task p at time `at`. A row of the task table can be reused by a task with another name.
    std::string name(const Scenario& scenario, TaskId p, Nanos at) const;
    // The name of an address space, such as "A's address space".
    std::string mm_name(const Scenario& scenario, MmId mm, Nanos at) const;

  private:
    friend std::optional<Timeline> make_timeline(const RunHistory&, Nanos, Nanos, std::size_t);
    struct NameSince {
        TaskId task;
        Nanos from;
        std::uint16_t group;
        std::uint32_t ordinal;
    };
    std::vector<NameSince> names_;  // sorted by task, then by time
    struct MmOwner {
        MmId mm;
        Nanos from;
        TaskId task;
    };
    // Owners of address spaces that only one task uses, sorted by mm, then by time.
    std::vector<MmOwner> owners_;
};

// The timeline of the window [begin, end), or of its part up to simulated_end(). Returns nullopt if the
// window has more than `most_records` trace records. REQUIRES: begin <= end.
std::optional<Timeline> make_timeline(const RunHistory& history, Nanos begin, Nanos end,
                                      std::size_t most_records = 100'000);

}  // namespace sim
