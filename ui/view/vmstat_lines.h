// The lines of SYSTEM: vmstat's values for each interval, computed when they become visible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "sim/replay/vmstat.h"
#include "ui/view/model.h"

namespace ui {

// The longest of 1 s, 100 ms, 10 ms, ..., 1 us of which a run of this length has at least 20.
sim::Nanos vmstat_interval(sim::Nanos length);
// The interval for the whole length of the run if it is known; otherwise for the simulated part.
sim::Nanos vmstat_interval(const Run& run);

class VmstatLines {
  public:
    // Discards everything if the run or the interval has changed.
    void look_at(const Run& run, sim::Nanos interval);

    // Computes the missing lines of [first, last) in at most `most` chunks of a few tenths of a millisecond.
    // The limit is not a time, so that frames are the same on a slow machine. Line i covers [i, i + 1)
    // intervals; the last of a run may be shorter. Returns whether there is more to do. REQUIRES: most > 0.
    bool make(const Run& run, std::int64_t first, std::int64_t last, std::size_t most);

    // None if the line is not computed, not simulated yet, or after the end.
    std::optional<sim::VmstatLine> line(std::int64_t i) const;

    // The time of that line by activity.
    std::optional<sim::TimeParts> parts(std::int64_t i) const;

  private:
    const sim::Sample* at(std::int64_t boundary) const;

    std::uint64_t run_ = 0;
    sim::Nanos interval_{};
    std::map<std::int64_t, sim::Sample> samples_;  // by the number of intervals before them
    std::optional<sim::Moment> moment_;            // position of the sampling
};

}  // namespace ui
