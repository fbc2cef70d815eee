// What a run adds up: switches, work, time by purpose, and the same for each task.
//
// A sink: the engine writes it and never reads it, so a run with statistics and one without are the same run.
// User and idle time is added when it is over. The scheduler's own time is not added up at all: it is counted
// work times the machine's prices, which settled() (summary.h) works out, together with what is in progress
// at that moment; so the parts of the time add up to the nanosecond, and a decision costs the statistics a
// handful of additions.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/decision.h"
#include "sim/machine.h"

namespace sim {

struct SwitchCounts {
    std::uint64_t voluntary = 0;    // prev was no longer runnable (Linux's nvcsw)
    std::uint64_t involuntary = 0;  // prev was still runnable: preempted, or it yielded (Linux's nivcsw)
    std::uint64_t from_idle = 0;
    std::uint64_t to_idle = 0;
    std::uint64_t kernel_thread = 0;  // to a task without an mm of its own that is not idle
    std::uint64_t same_mm = 0;
    std::uint64_t other_mm = 0;

    // voluntary + involuntary + from_idle, and to_idle + kernel_thread + same_mm + other_mm as well.
    std::uint64_t total() const { return voluntary + involuntary + from_idle; }
};

struct alignas(64) TaskStatistics {  // a cache line
    Nanos user{};
    Nanos system{};       // system calls, and schedule() when it was this task that called it
    Nanos ready{};        // runnable and not running
    Nanos ready_since{};  // meaningful while ready
    std::uint64_t voluntary = 0, involuntary = 0, yields = 0;
};

struct Statistics {
    explicit Statistics(const MachineShape& shape)
        : tasks(shape.cpus + shape.tasks), queue_length(std::size_t{shape.tasks} + 1), cpus(shape.cpus) {}

    SwitchCounts switches;
    std::uint64_t yields = 0, yields_switched = 0;
    std::uint64_t syscalls = 0;
    std::uint64_t schedule_calls = 0;
    std::uint64_t considered = 0, recalcs = 0, recalculated = 0, queue_steps = 0;
    std::uint64_t mm_changes = 0;    // switches that loaded another address space, idle's included
    std::uint64_t timer_events = 0;  // wake-ups by a task's own timer: device interrupts, to vmstat
    std::uint64_t forks = 0, exits = 0;
    Nanos user{}, idle{};
    std::vector<TaskStatistics> tasks;  // by TaskId
    std::vector<std::uint64_t>
        queue_length;  // schedule() calls that had so many tasks to choose from, prev included

    // What each CPU was last in the kernel for, to be settled when it still is.
    struct Latest {
        std::uint32_t considered = 0, queue_steps = 0, recalculated = 0;
        TaskId charged = 0;
        bool syscall = false, scheduled = false, switched = false, other_mm = false;
    };
    std::vector<Latest> cpus;

    void became_ready(TaskId p, Nanos now) { tasks[p].ready_since = now; }

    void ran(TaskId p, Nanos span) {
        user += span;
        tasks[p].user += span;
    }

    void idled(Nanos span) { idle += span; }

    void yielded(TaskId p) {
        ++yields;
        ++tasks[p].yields;
    }

    void returned_from_syscall(CpuId cpu, TaskId p, Nanos span) {
        ++syscalls;
        tasks[p].system += span;
        cpus[cpu] = {.charged = p, .syscall = true};
    }

    void row_reused(TaskId p, Nanos now) {
        tasks[p] = {};
        tasks[p].ready_since = now;
    }

    // A call of schedule(), after the switch. `span` is what it takes, the system call before it included;
    // `mm` is that of the task chosen, and `other` says that it differs from prev's; `voluntary` says that
    // prev was no longer runnable.
    void scheduled(const Machine& m, CpuId cpu, TaskId prev, const Decision& d, MmId mm, bool other,
                   Nanos span, bool syscall, bool voluntary, bool after_yield) {
        ++schedule_calls;
        syscalls += syscall;
        considered += d.considered;
        recalcs += d.recalcs;
        recalculated += d.recalculated;
        queue_steps += d.queue_steps;
        ++queue_length[m.globals().nr_running];
        TaskStatistics& before = tasks[prev];
        before.system += span;
        const bool switched = d.next != prev;
        cpus[cpu] = {d.considered, d.queue_steps, d.recalculated, prev, syscall, true, switched, other};
        if (!switched) return;

        const Nanos now = m.globals().now;
        yields_switched += after_yield;
        const bool from_idle = m.is_idle_task(prev);
        switches.from_idle += from_idle;
        switches.voluntary += voluntary;
        before.voluntary += voluntary;
        if (!voluntary && !from_idle) {
            ++switches.involuntary;
            ++before.involuntary;
            before.ready_since = now;
        }
        mm_changes += other;
        if (m.is_idle_task(d.next)) {
            ++switches.to_idle;
            return;
        }
        if (mm == kKernelMm)
            ++switches.kernel_thread;
        else if (other)
            ++switches.other_mm;
        else
            ++switches.same_mm;
        TaskStatistics& next = tasks[d.next];
        next.ready += now - next.ready_since;
    }
};

}  // namespace sim
