// Least squares compared with sums computed by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/lab/least_squares.h"

namespace sim::lab {
namespace least_squares_test {

// Three observations, at 1, 2 and 3.
const std::vector<Observation> kThree{{{1, 1}, 1}, {{1, 2}, 2}, {{1, 3}, 2}};

TEST(LeastSquares, LineMatchesHandComputation) {
    // The line through (2, 5/3) with slope (2 - 1) / (3 - 1) = 1/2; the residuals are 1/6, -1/3 and 1/6.
    const std::vector<double> line = least_squares(kThree);
    ASSERT_EQ(line.size(), 2u);
    EXPECT_NEAR(line[0], 2.0 / 3, 1e-12);
    EXPECT_NEAR(line[1], 0.5, 1e-12);
    EXPECT_NEAR(predicted_value(kThree[1], line), 5.0 / 3, 1e-12);
    EXPECT_NEAR(squared_error(kThree, line), 1.0 / 6, 1e-12);
}

TEST(LeastSquares, LinearlyDependentTermGetsZeroCost) {
    std::vector<Observation> twice = kThree;
    for (Observation& o : twice) o.work.push_back(3 * o.work[1] - 2 * o.work[0]);
    const std::vector<double> costs = least_squares(twice);
    EXPECT_EQ(costs[2], 0);
    EXPECT_NEAR(squared_error(twice, costs), 1.0 / 6, 1e-12);
}

TEST(LeastSquares, NegativeCostBecomesZeroAndOthersRefit) {
    // With Gooch's four observations the slope is 0.54. So the constant part of a thread switch would be
    // 0.6 - 2 * 0.54, which is negative.
    const std::vector<Observation> gooch{
        {{1, 2, 1}, 2.4}, {{1, 12, 1}, 7.8}, {{1, 2, 0}, 0.6}, {{1, 12, 0}, 6.0}};
    const std::vector<double> any = least_squares(gooch);
    EXPECT_NEAR(any[0], -0.48, 1e-12);
    EXPECT_NEAR(any[1], 0.54, 1e-12);
    EXPECT_NEAR(any[2], 1.8, 1e-12);
    // The fit without the constant part, computed by hand: x = 5.1 - 7 g for the address space, and 396 g =
    // 200.4.
    const std::vector<double> costs = nonnegative_least_squares(gooch);
    EXPECT_EQ(costs[0], 0);
    EXPECT_NEAR(costs[1], 200.4 / 396, 1e-12);
    EXPECT_NEAR(costs[2], 5.1 - 7 * 200.4 / 396, 1e-12);
}

// least_squares() only removes terms below 0. It must still find the same optimum as an exhaustive search
// over all subsets.
TEST(LeastSquares, MatchesExhaustiveSubsetSearch) {
    std::uint64_t state = 1;
    const auto draw = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state >> 40) / (1 << 24) - 0.5;
    };
    for (int round = 0; round < 200; ++round) {
        constexpr std::size_t kKinds = 5;
        std::vector<Observation> observations(8);
        for (Observation& o : observations) {
            for (std::size_t k = 0; k < kKinds; ++k) o.work.push_back(draw());
            o.published = draw();
        }
        double least = squared_error(observations, std::vector<double>(kKinds, 0.0));
        for (unsigned chosen = 1; chosen < 1u << kKinds; ++chosen) {
            std::vector<Observation> some = observations;
            for (Observation& o : some)
                for (std::size_t k = 0; k < kKinds; ++k)
                    if ((chosen >> k & 1u) == 0) o.work[k] = 0;
            const std::vector<double> costs = least_squares(some);
            bool allowed = true;
            for (const double p : costs) allowed = allowed && p >= 0;
            if (allowed) least = std::min(least, squared_error(observations, costs));
        }
        EXPECT_NEAR(squared_error(observations, nonnegative_least_squares(observations)), least, 1e-9)
            << round;
    }
}

}  // namespace least_squares_test
}  // namespace sim::lab
