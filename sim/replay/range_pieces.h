// Who had each CPU in a part of a run, worked out piece by piece so that a window stays fluid meanwhile.
#pragma once

#include <cstddef>

#include "sim/replay/recording.h"
#include "sim/replay/run_pieces.h"

namespace sim {

class RangePieces {
  public:
    // Follows [begin, end) until there are so many pieces. REQUIRES: begin < end; the recording outlives
    // this.
    RangePieces(const Recording& recording, Nanos begin, Nanos end, std::size_t most);

    // Goes on for about so many events. Returns whether there is more to do.
    bool advance(std::uint64_t events);
    bool is_complete() const { return complete_; }
    bool is_cut_off() const { return cut_off_; }  // there are more pieces than that

    Nanos begin() const { return begin_; }
    Nanos end() const { return end_; }
    const RunPieces& pieces() const { return pieces_; }

  private:
    const Recording& recording_;
    Nanos begin_, end_;
    std::size_t most_;
    Moment moment_;
    RunPieces pieces_;
    Trace trace_;
    bool complete_ = false, cut_off_ = false;
};

}  // namespace sim
