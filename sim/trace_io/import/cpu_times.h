// Computes the CPU time of each thread in two ways, from its intervals on a CPU and from the kernel's reports
// (sched_stat_runtime), and compares the results.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

class CpuTimes {
  public:
    void begin_interval(ThreadId thread, Nanos now) { times_of(thread).since = now; }
    void end_interval(ThreadId thread, Nanos now);
    // Adds a report of the kernel: `thread` has used the CPU for `span` up to `now`.
    void add_reported_time(ThreadId thread, Nanos span, Nanos now);

    // Compares the times from intervals with the times from reports, and adds a note with the result. Adds no
    // note if there are no reports. REQUIRES: no thread runs on a CPU.
    void add_comparison_note(const Threads& threads, Notes& notes) const;

  private:
    static constexpr Nanos kOff{-1};
    struct ThreadTimes {
        Nanos since = kOff;  // start of the interval in progress; kOff: none
        Nanos ran{};         // sum of the intervals that have ended
        Nanos reported{};    // sum of the reports
    };
    ThreadTimes& times_of(ThreadId thread) {
        if (times_.size() <= thread) times_.resize(std::size_t{thread} + 1);
        return times_[thread];
    }

    std::vector<ThreadTimes> times_;  // by ThreadId
};

}  // namespace sim::trace_io
