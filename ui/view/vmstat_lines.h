// The lines of SYSTEM: vmstat's figures for one interval after the other, made when they are to be seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "sim/replay/vmstat.h"
#include "ui/view/model.h"

namespace ui {

// The longest of 1 s, 100 ms, 10 ms, ..., 1 us of which a run of this length has twenty.
sim::Nanos vmstat_interval(sim::Nanos length);
// That of a run: of its whole length, if that is known.
sim::Nanos vmstat_interval(const Run& run);

class VmstatLines {
  public:
    // Another run or interval: forgets everything.
    void look_at(const Run& run, sim::Nanos interval);

    // Makes what is missing of the lines [first, last), in `most` pieces of a few tenths of a millisecond at
    // most: pieces rather than a time, so that a frame shows the same on a slow machine. Line i is of
    // [i, i + 1) intervals, the last of a run perhaps shorter. Returns whether there is more to do.
    // REQUIRES: most > 0.
    bool make(const Run& run, std::int64_t first, std::int64_t last, std::size_t most);

    // None when it is not made, or not simulated yet, or behind the end.
    std::optional<sim::VmstatLine> line(std::int64_t i) const;

    // Where the time of that line went.
    std::optional<sim::TimeParts> parts(std::int64_t i) const;

  private:
    const sim::Sample* at(std::int64_t boundary) const;

    std::uint64_t run_ = 0;
    sim::Nanos interval_{};
    std::map<std::int64_t, sim::Sample> samples_;  // by how many intervals lie before them
    std::optional<sim::Moment> moment_;            // where the samples are being made
};

}  // namespace ui
