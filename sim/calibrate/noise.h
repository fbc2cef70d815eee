// What many batches of one cell say: robust figures, and whether the machine was quiet enough for them.
#pragma once

#include <string>
#include <vector>

#include "sim/calibrate/samples.h"

namespace sim::calibrate {

struct CellFigures {
    double least = 0, quarter = 0, median = 0;  // ns of one operation; a quarter of the batches took less
    double switches = 0;                        // the median, for each operation
    double others = 0;                          // the mean

    // What the cell is taken for: what gets in the way only makes it longer, but the very least may be luck.
    double ns() const { return quarter; }
    // How far the median is above that.
    double spread() const { return median / quarter - 1; }
};

// REQUIRES: samples of at least one batch, all of them above 0.
CellFigures figures_of(const CellSamples& samples);
std::vector<CellFigures> figures_of(const Samples& samples);

// The spread that one in ten cells exceeds: one number for how quiet the machine was.
double noise_of(const std::vector<CellFigures>& figures);
// With more, prices would differ from one time to the next by more than they are good for.
inline constexpr double kMostNoise = 0.10;

}  // namespace sim::calibrate
