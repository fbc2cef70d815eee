// The lines of the pane SYSTEM: the values of vmstat for each interval, computed when they become visible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "sim/replay/vmstat_columns.h"
#include "ui/view/model.h"

namespace ui {

// The longest of the intervals 1 s, 100 ms, 10 ms, ..., 1 us that a run of this length contains at least 20
// times.
sim::Nanos vmstat_interval(sim::Nanos length);
// The interval for the whole run or, if its length is unknown, for the part that is simulated so far.
sim::Nanos vmstat_interval(const Run& run);

class VmstatLines {
  public:
    // Removes all lines if the run or the interval has changed.
    void reset_if_changed(const Run& run, sim::Nanos interval);

    // Computes the missing lines from `first` to `last` (excluded), in at most `most` chunks of a few
    // tenths of a millisecond. The limit is not a time, so that frames are the same on a slow machine. Line
    // i is for the time from i to i + 1 intervals; the last line of a run may be shorter. Returns true if
    // work remains. REQUIRES: most > 0.
    bool compute_lines(const Run& run, std::int64_t first, std::int64_t last, std::size_t most);

    // The values of line i; nullopt if they are not computed or not simulated yet, or if i is after the
    // end.
    std::optional<sim::VmstatLine> line(std::int64_t i) const;

    // The CPU time in the interval of line i, by activity; nullopt: the time is not computed.
    std::optional<sim::TimeParts> parts(std::int64_t i) const;

  private:
    const sim::Sample* sample_at(std::int64_t boundary) const;

    std::uint64_t run_ = 0;
    sim::Nanos interval_{};
    std::map<std::int64_t, sim::Sample> samples_;  // key: the number of intervals before the sample
    std::optional<sim::Moment> moment_;  // state of the machine up to which samples were computed last
};

}  // namespace ui
