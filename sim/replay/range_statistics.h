// How long things took in a part of a run: averages and percentiles of what schedule() cost, of how long
// tasks ran at a stretch, and of how long they stood ready before they did.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/span_histogram.h"
#include "sim/core/trace.h"
#include "sim/replay/recording.h"

namespace sim {

// What happened in [begin, end) of a run, worked out piece by piece so that a window stays fluid meanwhile.
class RangeStatistics {
  public:
    // REQUIRES: begin < end; the recording outlives this.
    RangeStatistics(const Recording& recording, Nanos begin, Nanos end);

    // Goes on for about so many events. Returns whether there is more to do.
    bool advance(std::uint64_t events);
    bool is_complete() const { return complete_; }
    double progress() const;  // 0 to 1

    Nanos begin() const { return begin_; }
    Nanos end() const { return end_; }

    // What had happened by the two ends: the difference is what happened between. REQUIRES: is_complete().
    const Sample& before() const { return before_; }
    const Sample& after() const { return after_; }

    SpanHistogram schedule;   // the kernel's time of one schedule() and what led to it
    SpanHistogram stretch;    // user time of a task between two switches
    SpanHistogram readiness;  // from becoming ready to the decision to run
    std::vector<Nanos> user;  // by TaskId, of the stretches that ended in the range

  private:
    void follow(const TraceRecord& r);

    const Recording& recording_;
    Nanos begin_, end_;
    Moment moment_;
    Trace trace_;
    Sample before_, after_;
    std::vector<Nanos> ready_since_;    // by TaskId
    std::vector<Nanos> running_since_;  // by CPU: when user mode began
    std::vector<Nanos> stretch_;        // by CPU: user time since the last switch
    bool complete_ = false;
};

}  // namespace sim
