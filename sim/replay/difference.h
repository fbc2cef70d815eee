// Where two runs of one scenario choose another task.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/replay/recording.h"

namespace sim {

// Compares decision n of one run with decision n of the other, from number `first` on, and looks at no more
// than `most` of them. Their times may differ all along.
struct DifferenceSearch {
    std::optional<std::uint64_t> decision;  // the first that chose another task
    std::uint64_t next = 0;                 // the number of the first that was not looked at
    bool over = false;                      // one of the runs, as far as it is simulated, has no more
};

// REQUIRES: first >= 1; both runs are of one scenario, so that the rows of their task tables are the same.
DifferenceSearch find_difference(const Recording& a, const Recording& b, std::uint64_t first,
                                 std::uint64_t most);

}  // namespace sim
