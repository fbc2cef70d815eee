// Robust values from the batches of a cell, and the noise of the machine.
#pragma once

#include <string>
#include <vector>

#include "sim/calibrate/samples.h"

namespace sim::calibrate {

struct CellFigures {
    double least = 0, quarter = 0, median = 0;  // ns per operation; quarter: the lower quartile
    double switches = 0;                        // median, per operation
    double others = 0;                          // mean

    // The cell's time for the fit. Disturbances only lengthen batches, but the minimum may be a chance
    // result.
    double ns() const { return quarter; }
    // Relative distance of the median above ns().
    double spread() const { return median / quarter - 1; }
};

// REQUIRES: at least one batch; all values are above 0.
CellFigures figures_of(const CellSamples& samples);
std::vector<CellFigures> figures_of(const Samples& samples);

// Noise of the machine: the spread that one in ten cells exceeds.
double noise_of(const std::vector<CellFigures>& figures);
// With more noise, costs would differ too much between measurements.
inline constexpr double kMostNoise = 0.10;

}  // namespace sim::calibrate
