#include "sim/rng.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sim {
namespace {

TEST(Rng, ExponentialTimesFollowTheExactLogarithm) {
    // The same stream through std::log, which is close enough to compare with, if not the same everywhere.
    std::uint64_t stream = 7, same = 7;
    for (int i = 0; i < 100'000; ++i) {
        const Nanos drawn = random_exponential(stream, 1s);
        const double u = std::ldexp(static_cast<double>(next_random(same) | 1), -64);
        EXPECT_NEAR(static_cast<double>(drawn.count()), -std::log(u) * 1e9, 1e9 * 5e-7 + 2);
    }
}

TEST(Rng, StreamsDependOnSeedAndNameOnly) {
    EXPECT_EQ(stream_of(1, "httpd.1"), stream_of(1, "httpd.1"));
    EXPECT_NE(stream_of(1, "httpd.1"), stream_of(2, "httpd.1"));
    EXPECT_NE(stream_of(1, "httpd.1"), stream_of(1, "httpd.2"));
}

TEST(Rng, TheFirstNumbersAreTheSameEverywhere) {
    std::uint64_t stream = stream_of(1, "spinner.1");
    EXPECT_EQ(next_random(stream), next_random(stream = stream_of(1, "spinner.1")));
}

}  // namespace
}  // namespace sim
