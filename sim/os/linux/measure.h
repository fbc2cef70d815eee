// Measures this machine; works only on Linux (elsewhere: measure_missing.cpp).
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>

#include "sim/calibrate/samples.h"

namespace sim::calibrate {

// Thrown if this machine cannot be measured. The message is one sentence with the reason.
class MeasurementError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct MeasureOptions {
    std::chrono::nanoseconds time{std::chrono::seconds(30)};       // total, approximate
    std::chrono::nanoseconds batch{std::chrono::milliseconds(2)};  // length of a batch of one benchmark
    int cpu = -1;                                     // CPU to use; -1: the last CPU that is allowed
    std::uint32_t least = 5;                          // minimum number of rounds, regardless of `time`
    std::function<void(double share)> progress = {};  // called between batches
};

// Measures all benchmarks (sim/calibrate/benchmarks.h) in rounds of one batch each, so that changes of the
// machine affect all benchmarks alike. The processes and threads that it creates stay on one CPU. They end
// when this function returns or throws, or when the calling process is killed. Needs no privileges. Throws
// MeasurementError.
CalibrationSamples measure_this_machine(const MeasureOptions& options);

}  // namespace sim::calibrate
