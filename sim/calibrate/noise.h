// Robust values from the batches of a cell, and the noise of the machine.
#pragma once

#include <string>
#include <vector>

#include "sim/calibrate/samples.h"

namespace sim::calibrate {

struct CellValues {
    double least = 0, quarter = 0, median = 0;  // ns per operation; quarter: the lower quartile
    double switches = 0;                        // median number of switches per operation
    double others = 0;                          // mean of CellSamples::others

    // The cell's time to which costs are fitted. Disturbances only lengthen batches, but the shortest batch
    // may be a chance result.
    double ns() const { return quarter; }
    // The relative difference by which the median exceeds ns().
    double spread() const { return median / quarter - 1; }
};

// REQUIRES: at least one batch; all values are above 0.
CellValues cell_values(const CellSamples& samples);
std::vector<CellValues> cell_values(const Samples& samples);

// Noise of the machine: the spread that one in ten cells exceeds.
double noise_of(const std::vector<CellValues>& values);
// Limit of the noise. With more noise, costs would differ too much between measurements.
inline constexpr double kMostNoise = 0.10;

}  // namespace sim::calibrate
