// Compares how long two runs take for the same number of sched_yield() calls.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "ui/view/model.h"

namespace ui {

struct YieldComparison {
    static constexpr std::size_t kYields = 40;

    struct RunYields {
        std::vector<sim::Nanos> yields;  // times since the beginning of the run; at most kYields
    };
    std::array<RunYields, 2> lanes;  // run A, run B

    // The time at which the slower run has made its last yield.
    sim::Nanos end() const;
};

// The first kYields yields of each run. A lane is empty if its run makes fewer yields in its first 2 million
// events.
YieldComparison yield_comparison(const Run& a, const Run& b);

}  // namespace ui
