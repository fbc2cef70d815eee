// Tests of times: formatted by the window, and parsed again.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sim/base/seek_target.h"
#include "ui/view/format.h"

namespace ui {
namespace ui_format_test {

using sim::Nanos;

TEST(Instant, OmitsTrailingZeros) {
    EXPECT_EQ(instant_text(Nanos{0}), "0 ms");
    EXPECT_EQ(instant_text(Nanos{530}), "530 ns");
    EXPECT_EQ(instant_text(Nanos{13'420}), "13.42 \u00b5s");
    EXPECT_EQ(instant_text(Nanos{12'345'678}), "12.345 678 ms");
    EXPECT_EQ(instant_text(Nanos{12'000'600}), "12.000 6 ms");
    EXPECT_EQ(instant_text(Nanos{61'200'000'000}), "61.2 s");
    EXPECT_EQ(instant_text(Nanos{3'599'999'999'999}), "3 599.999 999 999 s");
    EXPECT_EQ(instant_text(Nanos{3'600'000'000'000}), "1:00:00");
    EXPECT_EQ(instant_text(Nanos{8'609'489'096'726}), "2:23:29.489 096 726");
    EXPECT_EQ(instant_text(Nanos{-1'500}), "-1.5 \u00b5s");
}

TEST(Instant, PrecisionFollowsPixelWidth) {
    EXPECT_EQ(instant_text(Nanos{8'609'489'096'726}, Nanos{3'000'000}), "2:23:29.489");
    EXPECT_EQ(instant_text(Nanos{8'609'489'096'726}, Nanos{10'000'000'000}), "2:23:30");
    EXPECT_EQ(instant_text(Nanos{12'345'678}, Nanos{999}), "12.345 7 ms");
    EXPECT_EQ(instant_text(Nanos{12'345'678}, Nanos{1}), "12.345 678 ms");
    EXPECT_EQ(instant_text(Nanos{40}, Nanos{1'000}), "0 ms");
}

TEST(Instant, RoundTripsThroughGoTo) {
    std::mt19937_64 random(16);
    for (int i = 0; i < 2'000; ++i) {
        const Nanos t{static_cast<std::int64_t>(random() % 40'000'000'000'000) >> (random() % 45)};
        std::string why;
        const std::optional<sim::SeekTarget> place =
            sim::parse_seek_target(to_seek_syntax(instant_text(t)), why);
        ASSERT_TRUE(place && !place->kind) << instant_text(t) << ": " << why;
        EXPECT_EQ(place->time, t) << instant_text(t);
    }
}

TEST(Instant, MayBeTypedInManyWays) {
    const auto time_of = [](const std::string& text) {
        std::string why;
        const std::optional<sim::SeekTarget> place = sim::parse_seek_target(to_seek_syntax(text), why);
        return place && !place->kind ? place->time.count() : -1;
    };
    EXPECT_EQ(time_of("13.42 us"), 13'420);
    EXPECT_EQ(time_of("13.42\u00b5s"), 13'420);
    EXPECT_EQ(time_of("13.42 \u03bcs"), 13'420);  // the Greek letter instead of the micro sign
    EXPECT_EQ(time_of("  2 ms "), 2'000'000);
    EXPECT_EQ(time_of("0:00:01"), 1'000'000'000);
    EXPECT_EQ(time_of("77:00:00"), 277'200'000'000'000);
    for (const char* wrong :
         {"1:2:3", "1:60:00", "1:00", "1:00:00:00", "1:00:00.", "1:00:00.0000000001", ":00:00", "x"})
        EXPECT_EQ(time_of(wrong), -1) << wrong;
    std::string why;
    const std::optional<sim::SeekTarget> place =
        sim::parse_seek_target(to_seek_syntax("switch 1 000 000"), why);
    ASSERT_TRUE(place) << why;
    EXPECT_EQ(place->n, 1'000'000u);
}

TEST(MicroSign, AppearsInSpansAndTexts) {
    EXPECT_EQ(span(Nanos{19'200}), "19.2 \u00b5s");
    EXPECT_EQ(with_micro_sign("us per yield"), "\u00b5s per yield");
    EXPECT_EQ(with_micro_sign("from about 8.3us on"), "from about 8.3\u00b5s on");
    EXPECT_EQ(with_micro_sign("kernel us per switch, us"), "kernel \u00b5s per switch, \u00b5s");
    EXPECT_EQ(with_micro_sign("status of a user, virus"), "status of a user, virus");
}

}  // namespace ui_format_test
}  // namespace ui

#endif
