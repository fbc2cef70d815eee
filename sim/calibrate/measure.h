// Measuring, on the machine that this runs on; elsewhere than on Linux it cannot be done
// (measure_missing.cpp).
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>

#include "sim/calibrate/samples.h"

namespace sim::calibrate {

// Why this machine does not let itself be measured, in one sentence.
class CannotMeasure : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct MeasureOptions {
    std::chrono::nanoseconds time{std::chrono::seconds(30)};       // in all, about
    std::chrono::nanoseconds batch{std::chrono::milliseconds(2)};  // of one cell
    int cpu = -1;                                     // to stay on; -1: the last one that is allowed
    std::uint32_t least = 5;                          // rounds that are made, whatever time they take
    std::function<void(double share)> progress = {};  // told between two batches how far it is
};

// Measures all cells, round by round: one batch of each, so that what changes meanwhile changes all alike.
// Processes and threads that it makes stay on one CPU, and end with it: when it returns, throws, or its
// process is killed. No rights are needed. Throws CannotMeasure.
Samples measure(const MeasureOptions& options);

}  // namespace sim::calibrate
