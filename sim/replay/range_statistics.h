// Averages and percentiles over a time range: the cost of schedule(), the user time between switches, and
// the time from ready to running.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/span_histogram.h"
#include "sim/core/trace.h"
#include "sim/replay/run_history.h"

namespace sim {

// Statistics of [begin, end), computed in chunks so that a window stays responsive.
class RangeStatistics {
  public:
    // REQUIRES: begin < end; `history` outlives this object.
    RangeStatistics(const RunHistory& history, Nanos begin, Nanos end);

    // Simulates about `events` further events. Returns true if further calls are necessary.
    bool advance(std::uint64_t events);
    bool is_complete() const { return complete_; }
    double progress() const;  // fraction of the range that has been simulated, 0 to 1

    Nanos begin() const { return begin_; }
    Nanos end() const { return end_; }

    // Samples at the start and the end of the range. Their difference is the sum over the range. REQUIRES:
    // is_complete().
    const Sample& before() const { return before_; }
    const Sample& after() const { return after_; }

    SpanHistogram schedule;   // kernel time of one schedule() and of the call that led to it
    SpanHistogram stretch;    // user time of a task between two switches
    SpanHistogram readiness;  // time from becoming ready until schedule() chooses the task
    // User time of each task; the index is the TaskId. Only intervals of user mode that ended in the range
    // are counted.
    std::vector<Nanos> user;

  private:
    void add_record(const TraceRecord& r);

    const RunHistory& history_;
    Nanos begin_, end_;
    Moment moment_;
    Trace trace_;
    Sample before_, after_;
    std::vector<Nanos> ready_since_;    // by TaskId
    std::vector<Nanos> running_since_;  // by CPU: start of the current interval of user mode
    std::vector<Nanos> stretch_;        // by CPU: user time since the last switch
    bool complete_ = false;
};

}  // namespace sim
