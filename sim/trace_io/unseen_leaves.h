// What a task did after a switch away from it that the trace lacks: its state is unknown.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

class UnseenLeaves {
  public:
    // REQUIRES: events come in order of time.
    void follow(const SchedEvent& e) {
        // A new task is woken in any trace with sched_wakeup_new.
        has_wake_ups_ |= e.kind == EventKind::waking || e.kind == EventKind::wakeup;
        if (e.kind != EventKind::sched_switch) return;
        if (idle_.size() <= e.cpu) idle_.resize(std::size_t{e.cpu} + 1);
        Idle& idle = idle_[e.cpu];
        if (e.current == kIdleThread && idle.since != kNever && idle.since < e.time) idle.end = e.time;
        idle.since = e.thread == kIdleThread ? e.time : kNever;
    }
    bool has_wake_ups() const { return has_wake_ups_; }

    // True if a task that left this CPU at `left`, and is not woken before it runs at `now`, was asleep: the
    // trace has no wake-ups, or the CPU was idle in between.
    bool was_asleep(CpuId cpu, Nanos left, Nanos now) const {
        return !has_wake_ups_ || was_idle(cpu, left, now);
    }
    // True if a new task that never runs was asleep: the trace lacks its wake-ups and its switches.
    bool is_hidden(CpuId cpu, Nanos woken, Nanos now) const {
        return !has_wake_ups_ && was_idle(cpu, woken, now);
    }

  private:
    bool was_idle(CpuId cpu, Nanos left, Nanos now) const {
        if (cpu >= idle_.size()) return false;
        const Idle& idle = idle_[cpu];
        return idle.end > left || (idle.since != kNever && idle.since < now);
    }

    static constexpr Nanos kNever{-1};
    struct Idle {
        Nanos since = kNever;  // start of the interval in progress; kNever: none
        Nanos end = kNever;    // end of the last interval longer than 0
    };
    std::vector<Idle> idle_;  // by CPU
    bool has_wake_ups_ = false;
};

}  // namespace sim::trace_io
