// A record of what happened, in order: for tests, comparisons and the timeline of the window.
//
// A trace is as long as what it recorded; whoever runs for long clears it between slices of the run. A run
// without one costs nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/decision.h"
#include "sim/types.h"

namespace sim {

enum class TraceKind : std::uint8_t { wake_up, tick, yield, sleep, wait, fork, exit, syscall, schedule };

const char* to_string(TraceKind kind);

struct TraceRecord {
    Nanos time;
    TraceKind kind;
    CpuId cpu;
    TaskId task;          // woken; found running; yielding; going to sleep; forked; exiting; chosen; calling
    TaskId other;         // wake_up: who woke it, kNoTask for its own timer. fork: the parent. schedule: prev
    Nanos span{};         // syscall and schedule: the time in the kernel that begins here, all included
    Decision decision{};  // schedule only
    bool from_syscall{};  // schedule only: a system call led to it, which `span` pays for, too
    bool after_yield{};   // schedule only: and that call was sched_yield()
    bool voluntary{};     // schedule only: prev was no longer runnable
    bool other_mm{};      // schedule only: prev and next have different address spaces
    std::uint16_t group{};    // fork only: of the child, whose row may have had another name before
    std::uint32_t ordinal{};  // fork only
};

class Trace {
  public:
    std::vector<TraceRecord> records;

    void wake_up(Nanos time, TaskId p, TaskId waker) { add(time, TraceKind::wake_up, 0, p, waker); }
    void tick(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::tick, cpu, p); }
    void yield(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::yield, cpu, p); }
    void sleep(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::sleep, cpu, p); }
    void wait(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::wait, cpu, p); }
    void fork(Nanos time, CpuId cpu, TaskId child, TaskId parent, std::uint16_t group,
              std::uint32_t ordinal) {
        add(time, TraceKind::fork, cpu, child, parent);
        records.back().group = group;
        records.back().ordinal = ordinal;
    }
    void exit(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::exit, cpu, p); }
    // A system call that is over without a schedule().
    void syscall(Nanos time, CpuId cpu, TaskId p, Nanos span) {
        add(time, TraceKind::syscall, cpu, p);
        records.back().span = span;
    }
    // REQUIRES: the record says all of a call of schedule().
    void schedule(const TraceRecord& record) { records.push_back(record); }

  private:
    void add(Nanos time, TraceKind kind, CpuId cpu, TaskId task, TaskId other = kNoTask) {
        records.push_back({.time = time, .kind = kind, .cpu = cpu, .task = task, .other = other});
    }
};

}  // namespace sim
