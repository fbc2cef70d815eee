// Forwards every event to two sinks.
#pragma once

#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

class TeeSink final : public EventSink {
  public:
    // REQUIRES: both sinks outlive this.
    TeeSink(EventSink& first, EventSink& second) : first_(first), second_(second) {}

    void begin(const RunInfo& info) override {
        first_.begin(info);
        second_.begin(info);
    }
    void event(const SchedEvent& event, const Threads& threads) override {
        first_.event(event, threads);
        second_.event(event, threads);
    }
    void end(Nanos now) override {
        first_.end(now);
        second_.end(now);
    }

  private:
    EventSink& first_;
    EventSink& second_;
};

}  // namespace sim::trace_io
