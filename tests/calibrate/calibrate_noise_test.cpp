// Tests of the robust statistics, on fixed samples without a clock.
#include <gtest/gtest.h>

#include "sim/calibrate/benchmarks.h"
#include "sim/calibrate/noise.h"

namespace calibrate_noise_test {

using namespace sim::calibrate;

BenchmarkSamples of(std::vector<double> ns) {
    BenchmarkSamples benchmark{.ns = std::move(ns), .switches = {}, .others = {}};
    benchmark.switches.assign(benchmark.ns.size(), 1.0);
    benchmark.others.assign(benchmark.ns.size(), 0.25);
    return benchmark;
}

TEST(CalibrateNoise, CellValueIsLowerQuartile) {
    const BenchmarkSummary f = summarize_samples(of({130, 100, 110, 120, 140}));
    EXPECT_EQ(f.least, 100);
    EXPECT_EQ(f.quarter, 110);
    EXPECT_EQ(f.median, 120);
    EXPECT_EQ(f.representative_ns(), 110);
    EXPECT_NEAR(f.spread(), 120.0 / 110 - 1, 1e-12);
    EXPECT_EQ(f.switches, 1);
    EXPECT_EQ(f.others, 0.25);
}

TEST(CalibrateNoise, DisturbedBatchesDoNotMoveQuartile) {
    std::vector<double> quiet(20, 100.0), disturbed = quiet;
    for (std::size_t i = 0; i < 8; ++i) disturbed[i] = 1e6;
    EXPECT_EQ(summarize_samples(of(disturbed)).representative_ns(),
              summarize_samples(of(quiet)).representative_ns());
    EXPECT_EQ(summarize_samples(of(disturbed)).spread(), 0);
}

TEST(CalibrateNoise, NoiseIsNinetiethPercentileOfSpread) {
    std::vector<BenchmarkSummary> values;
    for (int i = 0; i <= 10; ++i)
        values.push_back({.least = 100, .quarter = 100, .median = 100.0 + i, .switches = 0, .others = 0});
    EXPECT_NEAR(machine_noise(values), 0.09, 1e-12);
    values.back().median = 1e9;  // one measurement benchmark alone is not evidence of a noisy machine
    EXPECT_NEAR(machine_noise(values), 0.09, 1e-12);
}

TEST(CalibrateCells, CellIsFoundByName) {
    for (std::size_t i = 0; i < benchmarks().size(); ++i) {
        EXPECT_EQ(benchmark_index(benchmarks()[i].name), i);
        EXPECT_GE(benchmarks()[i].contexts, 1);
        EXPECT_LE(benchmarks()[i].contexts, kMostContexts);
        if (benchmarks()[i].kind == BenchmarkKind::ring) {
            EXPECT_LE(benchmarks()[i].contexts, kMostRing);
            EXPECT_LT(benchmark_index("pipe-alone-" + std::to_string(benchmarks()[i].kib) + "K"),
                      benchmarks().size());
        }
    }
    EXPECT_EQ(benchmark_index("no such cell"), benchmarks().size());
}

}  // namespace calibrate_noise_test
