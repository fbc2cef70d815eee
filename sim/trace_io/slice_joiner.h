// Converts CPU intervals of threads to switches. An end and a start at the same time are one switch, so all
// events of one time are collected first.
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <vector>

#include "sim/trace_io/line_event.h"

namespace sim::trace_io {

class SliceJoiner {
  public:
    explicit SliceJoiner(std::function<void(const LineEvent&)> emit) : emit_(std::move(emit)) {}

    // Takes the events in order of time. Events of other kinds are passed on unchanged.
    void put(const LineEvent& e);
    // No event follows.
    void finish();

  private:
    void wake(const LineEvent& e);
    void switch_on(CpuId cpu, const LineEvent* next);
    void find_states();

    std::function<void(const LineEvent&)> emit_;
    std::vector<LineEvent> together_;  // events at the current time
    struct PendingSwitchOut {
        ThreadFields thread;
        PrevState state = PrevState::preempted;
    };
    std::unordered_map<CpuId, PendingSwitchOut> left_;  // threads that left now, if no other took the CPU
    std::unordered_map<std::int32_t, CpuId> cpu_of_;    // by pid
};

}  // namespace sim::trace_io
