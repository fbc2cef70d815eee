// Output of `switchyard calibrate`: values of 1997, measured and simulated values of this machine, fitted
// costs.
#pragma once

#include <string>

#include "sim/calibrate/fit.h"
#include "sim/calibrate/noise.h"
#include "sim/calibrate/samples.h"

namespace sim::cli {

struct Calibration {
    calibrate::CalibrationSamples samples;
    std::vector<calibrate::BenchmarkSummary> values;  // in the order of calibrate::benchmarks()
    calibrate::CostFit fit;
};

// Summarizes the samples and fits the costs. REQUIRES: samples of all benchmarks.
Calibration fit_calibration(calibrate::CalibrationSamples samples);

std::string calibration_text(const Calibration& calibration, bool quiet);
std::string calibration_json(const Calibration& calibration);

}  // namespace sim::cli
