// A record of what happened, in order: for tests, comparisons and, later, the timeline of the window.
//
// A trace is as long as what it recorded; whoever runs for long clears it between slices of the run. A run
// without one costs nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/decision.h"
#include "sim/types.h"

namespace sim {

enum class TraceKind : std::uint8_t { wake_up, tick, yield, sleep, wait, fork, exit, schedule };

const char* to_string(TraceKind kind);

struct TraceRecord {
    Nanos time;
    TraceKind kind;
    CpuId cpu;
    TaskId task;        // woken; found running; yielding; going to sleep; forked; exiting; chosen
    TaskId other;       // fork: the parent. schedule: prev
    Decision decision;  // schedule only
    bool voluntary;     // schedule only: prev was no longer runnable
};

class Trace {
  public:
    std::vector<TraceRecord> records;

    void wake_up(Nanos time, TaskId p) { add(time, TraceKind::wake_up, 0, p, kNoTask); }
    void tick(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::tick, cpu, p, kNoTask); }
    void yield(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::yield, cpu, p, kNoTask); }
    void sleep(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::sleep, cpu, p, kNoTask); }
    void wait(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::wait, cpu, p, kNoTask); }
    void fork(Nanos time, CpuId cpu, TaskId child, TaskId parent) {
        add(time, TraceKind::fork, cpu, child, parent);
    }
    void exit(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::exit, cpu, p, kNoTask); }
    void schedule(Nanos time, CpuId cpu, TaskId prev, const Decision& decision, bool voluntary) {
        records.push_back({time, TraceKind::schedule, cpu, decision.next, prev, decision, voluntary});
    }

  private:
    void add(Nanos time, TraceKind kind, CpuId cpu, TaskId task, TaskId other) {
        records.push_back({time, kind, cpu, task, other, {}, false});
    }
};

}  // namespace sim
