// Infers whether a task slept after it left its CPU. This class is needed if the trace lacks the switch, so
// that the state in which the task left its CPU is unknown.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

class SleepInference {
  public:
    // REQUIRES: events come in order of time.
    void on_event(const SchedEvent& e) {
        // wakeup_new does not count: a trace may contain it although it lacks all other wake-ups.
        has_wake_ups_ |= e.kind == EventKind::waking || e.kind == EventKind::wakeup;
        if (e.kind != EventKind::sched_switch) return;
        if (idle_.size() <= e.cpu) idle_.resize(std::size_t{e.cpu} + 1);
        IdleInterval& idle = idle_[e.cpu];
        if (e.current == kIdleThread && idle.since != kNever && idle.since < e.time) idle.end = e.time;
        idle.since = e.thread == kIdleThread ? e.time : kNever;
    }
    bool has_wake_ups() const { return has_wake_ups_; }

    // True if a task that left `cpu` at `switch_out_time`, and runs at `now` without a recorded wake-up, was
    // asleep in between: the trace has no wake-ups at all, or the CPU was idle in between.
    bool was_asleep(CpuId cpu, Nanos switch_out_time, Nanos now) const {
        return !has_wake_ups_ || was_idle(cpu, switch_out_time, now);
    }
    // True if a new task, woken at `wake_up_time` and never seen running up to `now`, is assumed to be
    // asleep. Two conditions: the trace has no wake-ups except those of new tasks (wakeup_new), and the CPU
    // was idle after `wake_up_time`. A CPU does not idle while a task is ready, so the task must have run.
    bool is_new_task_asleep(CpuId cpu, Nanos wake_up_time, Nanos now) const {
        return !has_wake_ups_ && was_idle(cpu, wake_up_time, now);
    }

  private:
    bool was_idle(CpuId cpu, Nanos since_time, Nanos now) const {
        if (cpu >= idle_.size()) return false;
        const IdleInterval& idle = idle_[cpu];
        return idle.end > since_time || (idle.since != kNever && idle.since < now);
    }

    static constexpr Nanos kNever{-1};
    struct IdleInterval {
        Nanos since = kNever;  // start of the interval in progress; kNever: none
        Nanos end = kNever;    // end of the last idle interval longer than 0
    };
    std::vector<IdleInterval> idle_;  // by CPU
    bool has_wake_ups_ = false;
};

}  // namespace sim::trace_io
