#include "sim/replay/range_segments.h"

#include <algorithm>

namespace sim {
namespace {

Moment moment_at(const RunHistory& history, Nanos t) {
    Moment moment = history.beginning();
    history.state_at(t, moment);
    return moment;
}

}  // namespace

RangeSegments::RangeSegments(const RunHistory& history, Nanos begin, Nanos end, std::size_t most)
    : history_(history),
      begin_(begin),
      end_(end),
      most_(most),
      moment_(moment_at(history, begin)),
      pieces_(moment_.machine, begin) {}

bool RangeSegments::advance(std::uint64_t events) {
    if (complete_) return false;
    const Globals& g = moment_.machine.globals();
    const std::uint64_t last = history_.simulated_end().machine.globals().events;
    trace_.records.clear();
    history_.advance(moment_, {.until = end_, .events = std::min(last, g.events + events)}, &trace_);
    for (const TraceRecord& record : trace_.records) pieces_.add_record(record);
    cut_off_ = pieces_.count() > most_;
    const Globals& now = moment_.machine.globals();
    complete_ = cut_off_ || now.now >= end_ || now.events >= last;
    if (complete_) pieces_.finish(cut_off_ ? now.now : end_);
    return !complete_;
}

}  // namespace sim
