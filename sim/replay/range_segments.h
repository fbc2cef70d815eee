// The segments of a time range. In each segment, a CPU ran one task. The segments are computed in chunks so
// that a window stays responsive.
#pragma once

#include <cstddef>

#include "sim/replay/run_history.h"
#include "sim/replay/run_segments.h"

namespace sim {

class RangeSegments {
  public:
    // Computes the segments in [begin, end). Stops if there are more than `most` segments. REQUIRES: begin
    // < end; `history` outlives this object.
    RangeSegments(const RunHistory& history, Nanos begin, Nanos end, std::size_t most);

    // Simulates about `events` further events. Returns true if further calls are necessary.
    bool advance(std::uint64_t events);
    bool is_complete() const { return complete_; }
    bool is_cut_off() const { return cut_off_; }  // true: there are more than `most` segments

    Nanos begin() const { return begin_; }
    Nanos end() const { return end_; }
    const RunSegments& segments() const { return pieces_; }

  private:
    const RunHistory& history_;
    Nanos begin_, end_;
    std::size_t most_;
    Moment moment_;
    RunSegments pieces_;
    Trace trace_;
    bool complete_ = false, cut_off_ = false;
};

}  // namespace sim
