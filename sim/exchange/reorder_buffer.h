// Events in the order of time, out of a file that is nearly in it: a tracer has a buffer for each CPU, and
// may print one after the other in pieces.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "sim/exchange/line_event.h"

namespace sim::exchange {

class ReorderBuffer {
  public:
    static constexpr std::size_t kMost = 65'536;  // events

    explicit ReorderBuffer(std::size_t most = kMost) : most_(most) {}

    // Whether it is time to take one before another can be put.
    bool is_full() const { return in_order_.size() + late_.size() >= most_; }
    bool is_empty() const { return in_order_.empty() && late_.empty(); }

    // False for an event before the last that was taken: it is too late for it. REQUIRES: !is_full().
    bool put(LineEvent&& event);
    // The first in the order of (time, line). REQUIRES: !is_empty().
    const LineEvent& first() const { return is_late_first() ? late_.front() : in_order_.front(); }
    void take(LineEvent& event);

  private:
    bool is_late_first() const;

    std::size_t most_;
    // Each of the first is not before the one ahead of it; a heap of the others. A line with a time far ahead
    // makes all others late, which costs little.
    std::deque<LineEvent> in_order_;
    std::vector<LineEvent> late_;
    std::int64_t taken_ = 0;
};

}  // namespace sim::exchange
