// Sorts nearly sorted events by time. A tracer has a buffer per CPU, and may print the buffers one after
// the other in chunks.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "sim/trace_io/import/line_event.h"

namespace sim::trace_io {

class ReorderBuffer {
  public:
    static constexpr std::size_t kMost = 65'536;  // events

    explicit ReorderBuffer(std::size_t most = kMost) : most_(most) {}

    std::size_t size() const { return in_order_.size() + late_.size(); }
    // True if an event must be taken before the next put().
    bool is_full() const { return size() >= most_; }
    bool is_empty() const { return in_order_.empty() && late_.empty(); }

    // Returns false if the event is earlier than the event taken last. REQUIRES: !is_full().
    bool put(LineEvent&& event);
    // The first event by time; among events of the same time, the event that was put first. REQUIRES:
    // !is_empty().
    const LineEvent& first() const { return is_first_event_late() ? late_.front() : in_order_.front(); }
    void take(LineEvent& event);
    // Time of the event taken last; 0: none.
    std::int64_t last_taken_time() const { return taken_; }

  private:
    bool is_first_event_late() const;

    std::size_t most_;
    // `in_order_` is sorted; `late_` is a heap of the other events. After an event whose time is far in the
    // future, all other events are put into `late_`; this costs little.
    std::deque<LineEvent> in_order_;
    std::vector<LineEvent> late_;
    std::int64_t taken_ = 0;
    std::uint64_t puts_ = 0;
};

}  // namespace sim::trace_io
