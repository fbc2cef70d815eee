// Samples of a time range at a finer interval than the overview, computed by re-execution in chunks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/replay/overview.h"
#include "sim/replay/run_history.h"

namespace sim {

class RangeSamples {
  public:
    // Takes about `columns` samples of [begin, end). REQUIRES: begin < end; `history` outlives this
    // object.
    RangeSamples(const RunHistory& history, Nanos begin, Nanos end, std::uint32_t columns);

    // Simulates about `events` further events. Returns true if further calls are necessary.
    bool advance(std::uint64_t events);
    bool is_complete() const { return complete_; }

    Nanos begin() const { return begin_; }
    Nanos end() const { return end_; }

    // The samples taken so far, starting at `begin`. The last is at `end` or at the end of the run.
    std::span<const Sample> samples() const { return samples_; }
    std::span<const Overview::TaskTableSample> task_samples() const { return task_samples_; }

  private:
    void take_sample();

    const RunHistory& history_;
    Nanos begin_, end_, width_;
    Moment moment_;
    std::vector<std::uint64_t> lengths_;
    std::vector<Sample> samples_;
    std::vector<Overview::TaskTableSample> task_samples_;
    std::size_t task_every_ = 1;
    bool complete_ = false;
};

}  // namespace sim
