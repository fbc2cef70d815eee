// Robust values from the batches of a benchmark, and the noise of the machine.
#pragma once

#include <string>
#include <vector>

#include "sim/calibrate/samples.h"

namespace sim::calibrate {

struct BenchmarkSummary {
    double least = 0, quarter = 0, median = 0;  // ns per operation; quarter: the lower quartile
    double switches = 0;                        // median number of switches per operation
    double others = 0;                          // mean of BenchmarkSamples::others

    // The benchmark's time to which costs are fitted. Disturbances only lengthen batches, but the shortest
    // batch may be a chance result.
    double representative_ns() const { return quarter; }
    // The relative difference by which the median exceeds representative_ns().
    double spread() const { return median / quarter - 1; }
};

// REQUIRES: at least one batch; all values are above 0.
BenchmarkSummary summarize_samples(const BenchmarkSamples& samples);
std::vector<BenchmarkSummary> summarize_samples(const CalibrationSamples& samples);

// Noise of the machine: the spread that one in ten benchmarks exceeds.
double machine_noise(const std::vector<BenchmarkSummary>& values);
// Limit of the noise. With more noise, costs would differ too much between measurements.
inline constexpr double kMostNoise = 0.10;

}  // namespace sim::calibrate
