// Who had a CPU from when to when, as switches: the end of one and the beginning of the next at one instant
// are one switch. So what happens at an instant is looked at together, before it is told.
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <vector>

#include "sim/exchange/line_event.h"

namespace sim::exchange {

class SliceJoiner {
  public:
    explicit SliceJoiner(std::function<void(const LineEvent&)> tell) : tell_(std::move(tell)) {}

    // In the order of time. Events of other kinds are told as they are.
    void put(const LineEvent& e);
    // Nothing follows.
    void finish();

  private:
    void wake(const LineEvent& e);
    void switch_on(CpuId cpu, const LineEvent* next);
    void find_states();

    std::function<void(const LineEvent&)> tell_;
    std::vector<LineEvent> together_;  // of one instant
    struct Left {
        Said thread;
        PrevState state = PrevState::preempted;
    };
    std::unordered_map<CpuId, Left> left_;            // at this instant, and nobody has the CPU since
    std::unordered_map<std::int32_t, CpuId> cpu_of_;  // by pid
};

}  // namespace sim::exchange
