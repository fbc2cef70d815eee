// The CPU time of each thread by its intervals on a CPU, next to the CPU time that the kernel reports
// (sched_stat_runtime).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

class CpuTimes {
  public:
    void gets_cpu(ThreadId thread, Nanos now) { of(thread).since = now; }
    void leaves_cpu(ThreadId thread, Nanos now);
    // The kernel reports that `thread` has computed for `span` up to `now`.
    void reported(ThreadId thread, Nanos span, Nanos now);

    // Compares both times and adds a note. No note without a report. REQUIRES: no thread has a CPU.
    void note(const Threads& threads, Notes& notes) const;

  private:
    static constexpr Nanos kOff{-1};
    struct ThreadTimes {
        Nanos since = kOff;  // start of the interval in progress; kOff: none
        Nanos ran{};         // sum of the intervals that have ended
        Nanos reported{};    // sum of the reports
    };
    ThreadTimes& of(ThreadId thread) {
        if (times_.size() <= thread) times_.resize(std::size_t{thread} + 1);
        return times_[thread];
    }

    std::vector<ThreadTimes> times_;  // by ThreadId
};

}  // namespace sim::trace_io
