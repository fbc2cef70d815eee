#include "sim/base/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "sim/core/scenario.h"

namespace sim {
namespace rng_test {

TEST(Rng, ExponentialTimesFollowTheExactLogarithm) {
    // Compares with std::log() on the same stream, within a tolerance, because std::log() is not identical
    // on all platforms.
    std::uint64_t stream = 7, same = 7;
    for (int i = 0; i < 100'000; ++i) {
        const Nanos drawn = random_exponential(stream, 1s);
        const double u = std::ldexp(static_cast<double>(next_random(same) | 1), -64);
        EXPECT_NEAR(static_cast<double>(drawn.count()), -std::log(u) * 1e9, 1e9 * 5e-7 + 2);
    }
}

TEST(Rng, AnExponentialTimeIsNeverZero) {
    std::uint64_t stream = 3;
    for (int i = 0; i < 1'000; ++i) EXPECT_GE(random_exponential(stream, 1ns).count(), 1);
}

TEST(Rng, StreamsDependOnSeedAndNameOnly) {
    EXPECT_EQ(named_random_stream(1, "httpd.1"), named_random_stream(1, "httpd.1"));
    EXPECT_NE(named_random_stream(1, "httpd.1"), named_random_stream(2, "httpd.1"));
    EXPECT_NE(named_random_stream(1, "httpd.1"), named_random_stream(1, "httpd.2"));
}

TEST(Rng, NamesAreHashedByFnv1a) {
    // The hexadecimal constants are published test vectors of FNV-1a, 64 bits: the hashes of "", "a" and
    // "foobar".
    EXPECT_EQ(named_random_stream(0, ""), mix64(mix64(0xcbf29ce484222325)));
    EXPECT_EQ(named_random_stream(0, "a"), mix64(mix64(0xaf63dc4c8601ec8c)));
    EXPECT_EQ(named_random_stream(5, "foobar"), mix64(5 ^ mix64(0x85944171f73967e8)));
}

TEST(Rng, NumbersMatchReferenceSplitMix64) {
    // Output of other implementations of SplitMix64 for seed 1234567.
    std::uint64_t stream = 1234567;
    EXPECT_EQ(next_random(stream), 6457827717110365317u);
    EXPECT_EQ(next_random(stream), 3203168211198807973u);
    EXPECT_EQ(next_random(stream), 9817491932198370423u);
}

TEST(Rng, BoundedNumberScalesRawNumber) {
    // Expected: floor(raw * bound / 2^64), with the raw numbers of the test above.
    std::uint64_t stream = 1234567;
    EXPECT_EQ(random_below(stream, 1000), 350u);
    EXPECT_EQ(random_below(stream, 1000), 173u);
    EXPECT_EQ(random_below(stream, 1000), 532u);

    stream = 1234567;
    EXPECT_EQ(random_below(stream, std::uint64_t{1} << 63), 6457827717110365317u >> 1);
    EXPECT_EQ(random_below(stream, 1), 0u);

    stream = 1234567;  // the bound below uses all 64 bits of the raw number
    EXPECT_EQ(random_below(stream, std::numeric_limits<std::uint64_t>::max()), 6457827717110365317u - 1);
}

TEST(Rng, BoundedNumbersAreUniform) {
    std::array<int, 7> seen{};
    std::uint64_t stream = 11;
    for (int i = 0; i < 70'000; ++i) {
        const std::uint64_t drawn = random_below(stream, seen.size());
        ASSERT_LT(drawn, seen.size());
        ++seen[drawn];
    }
    for (int count : seen) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Duration, FixedTimeDrawsNoNumber) {
    std::uint64_t stream = 5;
    EXPECT_EQ((TimeDistribution{TimeDistribution::Kind::fixed, 3ms, 0ns}.draw(stream).count()), 3'000'000);
    EXPECT_EQ((TimeDistribution{TimeDistribution::Kind::fixed, 0ns, 0ns}.draw(stream).count()), 0);
    EXPECT_EQ(stream, 5u);
}

TEST(Duration, UniformTimeCoversInclusiveRange) {
    std::uint64_t stream = 1;
    std::array<int, 3> seen{};
    for (int i = 0; i < 300; ++i) {
        const auto drawn = TimeDistribution{TimeDistribution::Kind::uniform, 10ns, 12ns}.draw(stream).count();
        ASSERT_GE(drawn, 10);
        ASSERT_LE(drawn, 12);
        ++seen[static_cast<std::size_t>(drawn - 10)];
    }
    for (int count : seen) EXPECT_GT(count, 50);
}

TEST(Duration, UniformTimeScalesRawNumber) {
    // 2 us plus 0.350..., 0.173... and 0.532... of 1,000 ns, from the raw numbers of seed 1234567.
    std::uint64_t stream = 1234567;
    const TimeDistribution d{TimeDistribution::Kind::uniform, 2'000ns, 2'999ns};
    EXPECT_EQ(d.draw(stream).count(), 2'350);
    EXPECT_EQ(d.draw(stream).count(), 2'173);
    EXPECT_EQ(d.draw(stream).count(), 2'532);
}

TEST(Duration, ADrawnTimeIsNeverZero) {
    std::uint64_t stream = 1;
    EXPECT_EQ((TimeDistribution{TimeDistribution::Kind::uniform, 0ns, 0ns}.draw(stream).count()), 1);
    for (int i = 0; i < 100; ++i)
        EXPECT_GE((TimeDistribution{TimeDistribution::Kind::uniform, 0ns, 2ns}.draw(stream).count()), 1);
}

TEST(Duration, ExponentialTimesMatchMean) {
    std::uint64_t stream = 9;
    Nanos sum{};
    for (int i = 0; i < 100'000; ++i)
        sum += TimeDistribution{TimeDistribution::Kind::exponential, 1ms, 0ns}.draw(stream);
    EXPECT_NEAR(static_cast<double>(sum.count()) / 100'000, 1e6, 1e4);
}

}  // namespace rng_test
}  // namespace sim
