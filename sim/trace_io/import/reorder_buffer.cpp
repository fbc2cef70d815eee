#include "sim/trace_io/import/reorder_buffer.h"

#include <algorithm>
#include <utility>

namespace sim::trace_io {
namespace {

bool is_after(const LineEvent& a, const LineEvent& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
}

}  // namespace

bool ReorderBuffer::put(LineEvent&& event) {
    if (event.time < taken_) return false;
    event.order = ++puts_;
    if (in_order_.empty() || !is_after(in_order_.back(), event)) {
        in_order_.push_back(std::move(event));
        return true;
    }
    late_.push_back(std::move(event));
    std::push_heap(late_.begin(), late_.end(), is_after);
    return true;
}

bool ReorderBuffer::is_first_event_late() const {
    return !late_.empty() && (in_order_.empty() || !is_after(late_.front(), in_order_.front()));
}

void ReorderBuffer::take(LineEvent& event) {
    if (!is_first_event_late()) {
        event = std::move(in_order_.front());
        in_order_.pop_front();
    } else {
        std::pop_heap(late_.begin(), late_.end(), is_after);
        event = std::move(late_.back());
        late_.pop_back();
    }
    taken_ = event.time;
}

}  // namespace sim::trace_io
