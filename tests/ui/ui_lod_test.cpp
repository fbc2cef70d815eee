// Tests of the conversion of times to pixels, the axis, and folding. The results of folding are compared
// with a scan of all slices.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include "ui/view/lod.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace ui {
namespace ui_lod_test {

using sim::Nanos;

struct Slice {
    Nanos begin, end;
    std::size_t kind;
    sim::TaskId owner;
};

const auto kKind = [](const Slice& s) { return s.kind; };
const auto kOwner = [](const Slice& s) { return s.owner; };

// Slices with lengths of many orders of magnitude, and occasional gaps.
std::vector<Slice> random_slices(std::mt19937_64& random, std::size_t n) {
    std::vector<Slice> slices;
    Nanos t{static_cast<std::int64_t>(random() % 1000)};
    for (std::size_t i = 0; i < n; ++i) {
        if (random() % 8 == 0)
            t += Nanos{static_cast<std::int64_t>(random() % (std::uint64_t{1} << random() % 20))};
        const Nanos end =
            t + Nanos{1 + static_cast<std::int64_t>(random() % (std::uint64_t{1} << random() % 20))};
        const auto owner = static_cast<sim::TaskId>(random() % 12);
        slices.push_back({t, end, static_cast<std::size_t>(random() % 7), owner < 2 ? sim::kNoTask : owner});
        t = end;
    }
    return slices;
}

TEST(Lod, PixelAndTimeConvertBothWays) {
    for (const std::int64_t length : {1'000LL, 1'234'567LL, 61'200'000'000'000LL}) {
        const TimeScale scale{{Nanos{length / 3}, Nanos{length / 3 + length}}, 117, 1683};
        for (float x = 117; x <= 1800; x += 7.0f)
            EXPECT_NEAR(scale.x(scale.time(x)), x, 1683.0 / 1000 / 2 + 0.01);
        EXPECT_EQ(scale.time(117), scale.range.begin);
        EXPECT_EQ(scale.time(1800), scale.range.end);
        EXPECT_EQ(scale.rounded_x(scale.range.begin), 117);
        EXPECT_EQ(scale.rounded_x(scale.range.end), 1800);
    }
}

TEST(Lod, DistantTimesStayFinite) {
    const TimeScale scale{{Nanos{0}, Nanos{1000}}, 0, 1000};
    EXPECT_LE(scale.x(sim::kHorizon), 5000);
    EXPECT_GE(scale.x(-sim::kHorizon), -4000);
}

TEST(Lod, StepsAreOneTwoOrFive) {
    EXPECT_EQ(smallest_round_step(Nanos{0}), Nanos{1});
    EXPECT_EQ(smallest_round_step(Nanos{1}), Nanos{1});
    EXPECT_EQ(smallest_round_step(Nanos{3}), Nanos{5});
    EXPECT_EQ(smallest_round_step(Nanos{7}), Nanos{10});
    EXPECT_EQ(smallest_round_step(Nanos{1'000'001}), Nanos{2'000'000});
    for (std::int64_t n = 1; n < 100'000; n += 37) {
        EXPECT_GE(smallest_round_step(Nanos{n}), Nanos{n});
        EXPECT_LT(smallest_round_step(Nanos{n}), Nanos{5 * n / 2 + 1});
    }
}

TEST(Lod, LongAxisUsesClockSteps) {
    const Nanos hour{3'600'000'000'000}, second{1'000'000'000};
    EXPECT_EQ(axis_step(700 * second, hour - Nanos{1}), 1'000 * second);
    EXPECT_EQ(axis_step(700 * second, hour), 900 * second);
    EXPECT_EQ(axis_step(3 * second, hour), 5 * second);
    EXPECT_EQ(axis_step(7 * hour, 17 * hour), 12 * hour);
    EXPECT_EQ(axis_step(25 * hour, 99 * hour), 48 * hour);
    for (std::int64_t n = 6; n < 200'000; n += 37) {
        const Nanos step = axis_step(n * second, 100 * hour);
        EXPECT_GE(step, n * second);
        EXPECT_TRUE(step % (24 * hour) == Nanos{0} || 24 * hour % step == Nanos{0}) << n;
    }
}

TEST(Lod, LabelPrecisionFollowsStep) {
    const std::string thin = "\u2009";
    EXPECT_EQ(tick_label(Nanos{12'000'000}, Nanos{1'000'000}, Nanos{13'000'000}), "12 ms");
    EXPECT_EQ(tick_label(Nanos{12'345'600}, Nanos{200}, Nanos{13'000'000}).find("12.345"), 0u);
    EXPECT_EQ(tick_label(Nanos{500'000}, Nanos{500'000}, Nanos{3'000'000}), "0.5 ms");
    EXPECT_EQ(tick_label(Nanos{0}, Nanos{50}, Nanos{900}), "0 ns");
    EXPECT_EQ(tick_label(Nanos{15'000}, Nanos{5'000}, Nanos{90'000}), "15 \u00b5s");
    EXPECT_EQ(tick_label(Nanos{5'400'000'000'000}, Nanos{1'800'000'000'000}, Nanos{9'000'000'000'000}),
              "1:30:00");
    EXPECT_EQ(tick_label(Nanos{8'609'400'000'000}, Nanos{200'000'000}, Nanos{8'610'000'000'000}),
              "2:23:29.4");
    EXPECT_EQ(tick_label(Nanos{1'500'000'000}, Nanos{10'000'000}, Nanos{9'000'000'000}), "1.50 s");
}

TEST(Lod, FoldingMatchesScanOfSlices) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 300; ++round) {
        const std::vector<Slice> slices = random_slices(random, 1 + random() % 500);
        const Nanos narrow{1 + static_cast<std::int64_t>(random() % (std::uint64_t{1} << random() % 22))};
        const Nanos whole = slices.back().end;
        const Nanos begin{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(whole.count()))};
        const TimeRange range{begin, begin + Nanos{1 + static_cast<std::int64_t>(random() % 2'000'000)}};

        // The expected result: one pass over all slices joins narrow slices within a cell.
        std::vector<SliceGroup> expected;
        for (std::size_t i = 0; i < slices.size(); ++i) {
            if (slices[i].end <= range.begin || slices[i].begin >= range.end) continue;
            const bool wide = slices[i].end - slices[i].begin >= narrow;
            if (!wide && !expected.empty()) {
                SliceGroup& last = expected.back();
                const bool wide_before = slices[last.first].end - slices[last.first].begin >= narrow;
                if (!wide_before && slices[i].begin / narrow == slices[last.first].begin / narrow) {
                    last.last = i;
                    last.folded = true;
                    continue;
                }
            }
            expected.push_back({i, i, false});
        }
        std::vector<SliceGroup> pieces;
        fold_slices(std::span<const Slice>(slices), range, narrow,
                    [&](const SliceGroup& p) { pieces.push_back(p); });
        // The last cell may extend beyond the range.
        ASSERT_EQ(pieces.size(), expected.size());
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            EXPECT_EQ(pieces[i].first, expected[i].first);
            if (i + 1 < pieces.size()) {
                EXPECT_EQ(pieces[i].last, expected[i].last);
                EXPECT_EQ(pieces[i].folded, expected[i].folded);
            }
            EXPECT_GE(pieces[i].last, expected[i].last);
            if (pieces[i].folded) {
                EXPECT_LT(slices[pieces[i].last].end - slices[pieces[i].first].begin, 3 * narrow);
            }
        }
    }
}

TEST(Lod, FoldedPieceCountIsBoundedByPixels) {
    std::vector<Slice> slices;
    for (std::int64_t i = 0; i < 200'000; ++i) slices.push_back({Nanos{10 * i}, Nanos{10 * i + 10}, 0, 0});
    const TimeScale scale{{Nanos{0}, Nanos{2'000'000}}, 0, 1800};
    std::size_t pieces = 0;
    fold_slices(std::span<const Slice>(slices), scale.range, scale.duration_of(3),
                [&](const SliceGroup&) { ++pieces; });
    EXPECT_LE(pieces, 601u);
    EXPECT_GE(pieces, 599u);
}

TEST(Lod, SumsMatchScanOfSlices) {
    std::mt19937_64 random(11);
    for (int round = 0; round < 100; ++round) {
        const std::vector<Slice> all = random_slices(random, 1 + random() % 600);
        const std::span<const Slice> slices(all);
        const SlicePrefixSums sums(slices, kKind, kOwner);
        for (int query = 0; query < 20; ++query) {
            const std::size_t first = random() % all.size();
            const std::size_t last = first + random() % (all.size() - first);
            SliceKindSums expected;
            std::map<sim::TaskId, Nanos> of_owner;
            for (std::size_t i = first; i <= last; ++i) {
                expected.time[all[i].kind] += all[i].end - all[i].begin;
                ++expected.count[all[i].kind];
                if (all[i].owner != sim::kNoTask) of_owner[all[i].owner] += all[i].end - all[i].begin;
            }
            TimesByTask owners;
            const SliceKindSums got = sums.sums_of(slices, first, last, kKind, kOwner, &owners);
            EXPECT_EQ(got.time, expected.time);
            EXPECT_EQ(got.count, expected.count);
            ASSERT_EQ(owners.size(), of_owner.size());
            for (const TimesByTask::Owner& o : owners.top_owners(100)) EXPECT_EQ(o.time, of_owner[o.task]);
        }
    }
}

TEST(Lod, TopOwnersHaveMostTime) {
    TimesByTask owners;
    for (const sim::TaskId p : {9u, 3u, 5u, 7u}) owners.add(p, Nanos{p * 10});
    owners.add(3, Nanos{1000});
    const auto top_owners = owners.top_owners(2);
    ASSERT_EQ(top_owners.size(), 2u);
    EXPECT_EQ(top_owners[0].task, 3u);
    EXPECT_EQ(top_owners[0].time, Nanos{1030});
    EXPECT_EQ(top_owners[1].task, 9u);
    owners.clear();
    EXPECT_EQ(owners.size(), 0u);
}

}  // namespace ui_lod_test
}  // namespace ui

#endif
