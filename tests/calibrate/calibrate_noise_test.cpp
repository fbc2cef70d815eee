// Tests of the robust statistics, on fixed samples without a clock.
#include <gtest/gtest.h>

#include "sim/calibrate/cells.h"
#include "sim/calibrate/noise.h"

namespace calibrate_noise_test {

using namespace sim::calibrate;

CellSamples of(std::vector<double> ns) {
    CellSamples cell{.ns = std::move(ns), .switches = {}, .others = {}};
    cell.switches.assign(cell.ns.size(), 1.0);
    cell.others.assign(cell.ns.size(), 0.25);
    return cell;
}

TEST(CalibrateNoise, CellValueIsLowerQuartile) {
    const CellValues f = cell_values(of({130, 100, 110, 120, 140}));
    EXPECT_EQ(f.least, 100);
    EXPECT_EQ(f.quarter, 110);
    EXPECT_EQ(f.median, 120);
    EXPECT_EQ(f.ns(), 110);
    EXPECT_NEAR(f.spread(), 120.0 / 110 - 1, 1e-12);
    EXPECT_EQ(f.switches, 1);
    EXPECT_EQ(f.others, 0.25);
}

TEST(CalibrateNoise, DisturbedBatchesDoNotMoveQuartile) {
    std::vector<double> quiet(20, 100.0), disturbed = quiet;
    for (std::size_t i = 0; i < 8; ++i) disturbed[i] = 1e6;
    EXPECT_EQ(cell_values(of(disturbed)).ns(), cell_values(of(quiet)).ns());
    EXPECT_EQ(cell_values(of(disturbed)).spread(), 0);
}

TEST(CalibrateNoise, NoiseIsNinetiethPercentileOfSpread) {
    std::vector<CellValues> values;
    for (int i = 0; i <= 10; ++i)
        values.push_back({.least = 100, .quarter = 100, .median = 100.0 + i, .switches = 0, .others = 0});
    EXPECT_NEAR(noise_of(values), 0.09, 1e-12);
    values.back().median = 1e9;  // one measurement cell alone is not evidence of a noisy machine
    EXPECT_NEAR(noise_of(values), 0.09, 1e-12);
}

TEST(CalibrateCells, CellIsFoundByName) {
    for (std::size_t i = 0; i < cells().size(); ++i) {
        EXPECT_EQ(cell_index(cells()[i].name), i);
        EXPECT_GE(cells()[i].contexts, 1);
        EXPECT_LE(cells()[i].contexts, kMostContexts);
        if (cells()[i].kind == CellKind::ring) {
            EXPECT_LE(cells()[i].contexts, kMostRing);
            EXPECT_LT(cell_index("pipe-alone-" + std::to_string(cells()[i].kib) + "K"), cells().size());
        }
    }
    EXPECT_EQ(cell_index("no such cell"), cells().size());
}

}  // namespace calibrate_noise_test
