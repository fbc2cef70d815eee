#include "sim/replay/range_segments.h"

#include <algorithm>

namespace sim {
namespace {

Moment moment_at(const RunHistory& recording, Nanos t) {
    Moment moment = recording.beginning();
    recording.state_at(t, moment);
    return moment;
}

}  // namespace

RangeSegments::RangeSegments(const RunHistory& recording, Nanos begin, Nanos end, std::size_t most)
    : recording_(recording),
      begin_(begin),
      end_(end),
      most_(most),
      moment_(moment_at(recording, begin)),
      pieces_(moment_.machine, begin) {}

bool RangeSegments::advance(std::uint64_t events) {
    if (complete_) return false;
    const Globals& g = moment_.machine.globals();
    const std::uint64_t last = recording_.tip().machine.globals().events;
    trace_.records.clear();
    recording_.advance(moment_, {.until = end_, .events = std::min(last, g.events + events)}, &trace_);
    for (const TraceRecord& record : trace_.records) pieces_.follow(record);
    cut_off_ = pieces_.count() > most_;
    const Globals& now = moment_.machine.globals();
    complete_ = cut_off_ || now.now >= end_ || now.events >= last;
    if (complete_) pieces_.finish(cut_off_ ? now.now : end_);
    return !complete_;
}

}  // namespace sim
