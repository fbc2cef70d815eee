// Converts CPU intervals of threads to switches. An interval's end and another interval's start at the same
// time on one CPU become one switch, so all events of one time are collected first.
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <vector>

#include "sim/trace_io/import/line_event.h"

namespace sim::trace_io {

class SliceToSwitchConverter {
  public:
    explicit SliceToSwitchConverter(std::function<void(const LineEvent&)> emit) : emit_(std::move(emit)) {}

    // Adds an event. Events other than CPU intervals and thread states are passed on unchanged. REQUIRES:
    // events come in order of time.
    void add_event(const LineEvent& e);
    // Emits the events collected so far. Call this after the last event.
    void finish();

  private:
    void emit_wake_up(const LineEvent& e);
    void emit_switch(CpuId cpu, const LineEvent* next);
    void set_prev_states();

    std::function<void(const LineEvent&)> emit_;
    std::vector<LineEvent> together_;  // events at the current time
    struct PendingSwitchOut {
        ThreadFields thread;
        PrevState state = PrevState::preempted;
    };
    // By CPU: thread that has left the CPU and has no successor yet.
    std::unordered_map<CpuId, PendingSwitchOut> left_;
    std::unordered_map<std::int32_t, CpuId> cpu_of_;  // by pid
};

}  // namespace sim::trace_io
