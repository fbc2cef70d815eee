// Tests of the range of an axis and of its ticks.
#include <gtest/gtest.h>

#include <vector>

#include "sim/plot/ticks.h"

namespace sim::plot {
namespace ticks_test {

using Values = std::vector<double>;

void expect_range(AxisRange r, double low, double high) {
    EXPECT_NEAR(r.low, low, 1e-12);
    EXPECT_NEAR(r.high, high, 1e-12);
}

// In binary floating point, 0.14 / 0.02 is slightly more than 7 and 1.4 / 0.2 slightly less than 7.
TEST(AxisRange, EndsAtFirstStepContainingValues) {
    const Axis linear;
    expect_range(range_of(linear, {0, 0.14}, false, 7, true), 0, 0.14);
    expect_range(range_of(linear, {1.4, 2.1}, false, 4, true), 1.4, 2.2);
    expect_range(range_of(linear, {0, 1.1}, false, 11, true), 0, 1.1);
    expect_range(range_of(linear, {0, 1.1}, false, 5, true), 0, 1.5);
    expect_range(range_of(linear, {0, 10}, false, 5, true), 0, 10);
    expect_range(range_of(linear, {0, 10.5}, false, 5, true), 0, 15);
    expect_range(range_of(linear, {0.3, 0.9}, false, 6, true), 0, 1);
    expect_range(range_of(linear, {7, 9}, false, 4, true), 7, 9);
    expect_range(range_of(linear, {7.2, 8.9}, false, 4, true), 7, 9);
    expect_range(range_of(linear, {-0.6, 0.6}, false, 6, true), -0.6, 0.6);
    expect_range(range_of(linear, {7, 9}, true, 9, true), 0, 9);
}

TEST(AxisTicks, StepIsExactDecimal) {
    for (const double step : {1e-5, 1e-4, 1e-3, 0.1, 1.0, 1e6})
        EXPECT_EQ(ticks_of(Axis{}, {0, 5 * step}, 5).step, step) << step;
}

TEST(AxisRange, LogarithmicRangeIsNeverEmpty) {
    const Axis log{.label = {}, .scale = Scale::logarithmic};
    expect_range(range_of(log, {1, 1.01}, false, 5, true), 1, 1.01);
    expect_range(range_of(log, {8}, false, 5, true), 4, 16);
    expect_range(range_of(log, {}, false, 5, true), 1, 10);
    EXPECT_FALSE(ticks_of(log, {1, 1.01}, 5).values.empty());
}

TEST(AxisTicks, AreRoundNumbersAcrossRange) {
    const auto along = [](double low, double high, int most) {
        return ticks_of(Axis{}, {low, high}, most).values;
    };
    EXPECT_EQ(along(0, 10, 5), (Values{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(along(0, 10, 10), (Values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    EXPECT_EQ(along(-5, 5, 4), (Values{-5, 0, 5}));
    EXPECT_EQ(along(0.5, 10.4, 5), (Values{2, 4, 6, 8, 10}));
    EXPECT_EQ(along(0, 1, 1), (Values{0, 1}));
}

}  // namespace ticks_test
}  // namespace sim::plot
