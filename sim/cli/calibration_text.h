// What `switchyard calibrate` prints: 1997 beside the machine that was measured, the same simulated, and the
// prices.
#pragma once

#include <string>

#include "sim/calibrate/fit.h"
#include "sim/calibrate/noise.h"
#include "sim/calibrate/samples.h"

namespace sim::cli {

struct Calibration {
    calibrate::Samples samples;
    std::vector<calibrate::CellFigures> figures;  // as in calibrate::cells()
    calibrate::Fit fit;
};

// The samples, what they say and what follows. REQUIRES: samples of all cells.
Calibration calibration_of(calibrate::Samples samples);

std::string calibration_text(const Calibration& calibration, bool quiet);
std::string calibration_json(const Calibration& calibration);

}  // namespace sim::cli
