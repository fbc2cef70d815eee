// What `switchyard sweep` shows of its results: tables and crossovers, as text, as CSV or as JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/lab/crossover.h"
#include "sim/lab/curves.h"

namespace sim::cli {

// Where the curves of a measure cross along an axis.
struct Crossings {
    std::size_t measure = 0, axis = 0;  // indices into the measures of the results and the axes of their spec
    std::vector<lab::Crossover> list;
};

struct SweepReport {
    const lab::Results& results;
    std::vector<std::size_t> measures;   // to show: indices into those of the results
    std::optional<Crossings> crossings;  // none where no curves can cross
    bool refined = false;                // the crossings were looked for between the values, too

    std::string text() const;
    // A line for each measure, point and policy. What is not there is empty.
    std::string csv() const;
    std::string json() const;
};

}  // namespace sim::cli
