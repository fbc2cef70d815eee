// What a run adds up: switches, work, time by purpose, and the same for each task.
//
// A sink: the engine writes it and never reads it, so a run with statistics and one without are the same run. Costs
// are added when they are incurred and user time when it is over; summarize() (summary.h) settles what is still in
// progress, so the parts of the time always add up to the nanosecond.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/cost_model.h"
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

struct TimeParts {
    Nanos user{}, idle{};
    Overhead overhead;

    Nanos total() const { return user + idle + overhead.total(); }
};

struct TaskStatistics {
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
    std::uint64_t schedule_calls = 0;
    std::uint64_t considered = 0, recalcs = 0, recalculated = 0, queue_steps = 0;
    std::uint64_t mm_changes = 0;      // switches that loaded another address space, idle's included
    std::uint64_t timer_events = 0;    // wake-ups by a task's own timer: device interrupts, to vmstat
    std::uint64_t forks = 0, exits = 0;
    TimeParts time;
    std::vector<TaskStatistics> tasks;        // by TaskId
    std::vector<std::uint64_t> queue_length;  // schedule() calls that had so many tasks to choose from, prev included

    // The latest overhead of each CPU, to be settled when it is still in progress.
    struct InProgress {
        Overhead overhead;
        TaskId charged = 0;
    };
    std::vector<InProgress> cpus;

    void became_ready(TaskId p, Nanos now) { tasks[p].ready_since = now; }

    void ran(TaskId p, Nanos span) {
        time.user += span;
        tasks[p].user += span;
    }

    void idled(Nanos span) { time.idle += span; }

    void yielded(TaskId p) {
        ++yields;
        ++tasks[p].yields;
    }

    void returned_from_syscall(CpuId cpu, TaskId p, Nanos span) {
        time.overhead.system += span;
        tasks[p].system += span;
        cpus[cpu] = {{.system = span}, p};
    }

    void row_reused(TaskId p, Nanos now) {
        tasks[p] = {};
        tasks[p].ready_since = now;
    }

    // REQUIRES: called after the switch; `voluntary` says that prev was no longer runnable before it.
    void scheduled(const Machine& m, CpuId cpu, TaskId prev, const Decision& d, const Overhead& o,
                   bool voluntary, bool after_yield) {
        const Nanos now = m.globals().now;
        ++schedule_calls;
        considered += d.considered;
        recalcs += d.recalcs;
        recalculated += d.recalculated;
        queue_steps += d.queue_steps;
        ++queue_length[m.globals().nr_running];
        time.overhead.system += o.system;
        time.overhead.select += o.select;
        time.overhead.recalc += o.recalc;
        time.overhead.context_switch += o.context_switch;
        time.overhead.address_space += o.address_space;
        TaskStatistics& before = tasks[prev];
        before.system += o.total();
        cpus[cpu] = {o, prev};
        if (d.next == prev) return;

        if (after_yield) ++yields_switched;
        if (m.is_idle_task(prev)) {
            ++switches.from_idle;
        } else if (voluntary) {
            ++switches.voluntary;
            ++before.voluntary;
        } else {
            ++switches.involuntary;
            ++before.involuntary;
            before.ready_since = now;
        }
        const bool other = m.mm[prev] != m.mm[d.next];
        mm_changes += other;
        if (m.is_idle_task(d.next)) {
            ++switches.to_idle;
            return;
        }
        if (m.mm[d.next] == kKernelMm) ++switches.kernel_thread;
        else if (other) ++switches.other_mm;
        else ++switches.same_mm;
        TaskStatistics& next = tasks[d.next];
        next.ready += now - next.ready_since;
    }
};

}  // namespace sim
