// Output of `switchyard sweep`: tables and crossovers, as text, CSV or JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/lab/crossover.h"
#include "sim/lab/curves.h"

namespace sim::cli {

// Crossovers of a measure's curves along an axis.
struct CurveCrossings {
    std::size_t measure = 0, axis = 0;  // indices into results.measures() and results.spec().axes
    std::vector<lab::Crossover> list;
};

struct SweepReport {
    const lab::SweepResults& results;
    std::vector<std::size_t> measures;        // measures to show, as indices into results.measures()
    std::optional<CurveCrossings> crossings;  // none: no curves can cross
    bool refined = false;                     // crossovers were also searched for between the axis values

    std::string text() const;
    // A line for each measure, point and policy. Missing values are empty.
    std::string csv() const;
    std::string json() const;
};

}  // namespace sim::cli
