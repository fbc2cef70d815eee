// Tests that percentiles equal those found by sorting, and that the counts of a range are the run's counts
// at its end minus those at its start.
#include "sim/replay/range_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "sim/core/summary.h"
#include "tests/support/recorded.h"

namespace sim {
namespace range_statistics_test {

TEST(SpanHistogram, PercentilesAreAccurateWithin1In64) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
        SpanHistogram histogram;
        std::vector<std::int64_t> all;
        const std::uint64_t octaves = 1 + random() % 62;
        const std::uint64_t size = 1 + random() % 2'000;
        for (std::uint64_t i = 0; i < size; ++i) {
            const std::uint64_t bits = random() % octaves;
            const auto value = static_cast<std::int64_t>(random() & ((std::uint64_t{1} << bits << 1) - 1));
            all.push_back(value >> 8);
            histogram.add(Nanos{value >> 8});
        }
        std::sort(all.begin(), all.end());
        ASSERT_EQ(histogram.count(), size);
        ASSERT_EQ(histogram.min_span().count(), all.front());
        ASSERT_EQ(histogram.max_span().count(), all.back());
        ASSERT_EQ(histogram.percentile(100).count(), all.back());
        for (const int tenths : {1, 10, 100, 250, 500, 900, 990, 999, 1'000}) {
            const auto rank =
                std::max<std::uint64_t>(1, (static_cast<std::uint64_t>(tenths) * size + 999) / 1'000);
            const std::int64_t exact = all[rank - 1];
            const std::int64_t seen = histogram.percentile(tenths / 10.0).count();
            ASSERT_GE(seen, exact) << tenths;
            if (exact < 128) {
                ASSERT_EQ(seen, exact) << tenths;
            } else {
                ASSERT_LE(seen - exact, exact / 64) << tenths;
            }
        }
    }
    EXPECT_EQ(SpanHistogram().percentile(50), 0ns);
    EXPECT_EQ(SpanHistogram().mean(), 0ns);
    SpanHistogram longest;
    longest.add(Nanos::max());
    EXPECT_EQ(longest.percentile(50), Nanos::max());
}

void expect_equal(const SpanHistogram& a, const SpanHistogram& b) {
    ASSERT_EQ(a.count(), b.count());
    ASSERT_EQ(a.sum(), b.sum());
    ASSERT_EQ(a.min_span(), b.min_span());
    ASSERT_EQ(a.max_span(), b.max_span());
    for (const double percent : {10.0, 50.0, 99.0}) ASSERT_EQ(a.percentile(percent), b.percentile(percent));
}

TEST(RangeStatistics, MatchRunCountsForAnyPieceSize) {
    std::mt19937_64 random(2);
    for (const RunCase& run : some_runs(kManyRounds ? 5'000 : 400, kManyRounds ? 80 : 8, 30'000)) {
        SCOPED_TRACE(run.name);
        RunHistory recording(run.scenario, run.policy, {}, {.keyframe_spacing = 100});
        recording.extend_to_end();
        const auto simulated_end =
            static_cast<std::uint64_t>(recording.simulated_end().machine.globals().now.count());
        for (int i = 0; i < 4; ++i) {
            std::uint64_t a = random() % (simulated_end + 1), b = random() % (simulated_end + 1);
            if (i == 0) a = 0, b = simulated_end + 1;
            const Nanos begin{static_cast<std::int64_t>(std::min(a, b))};
            const Nanos end{static_cast<std::int64_t>(std::max(a, b) + 1)};
            RangeStatistics at_once(recording, begin, end);
            ASSERT_FALSE(at_once.advance(1'000'000'000));
            ASSERT_TRUE(at_once.is_complete());
            ASSERT_EQ(at_once.progress(), 1.0);
            RangeStatistics pieces(recording, begin, end);
            double progress = 0;
            while (pieces.advance(1 + random() % 200)) {
                ASSERT_GE(pieces.progress(), progress);
                progress = pieces.progress();
            }
            expect_equal(pieces.schedule, at_once.schedule);
            expect_equal(pieces.stretch, at_once.stretch);
            expect_equal(pieces.readiness, at_once.readiness);
            ASSERT_EQ(pieces.user, at_once.user);

            const Moment before = plain_until(run, begin);
            const Moment after = i == 0 ? recording.simulated_end() : plain_until(run, end);
            ASSERT_EQ(at_once.before().time, before.machine.globals().now);
            ASSERT_EQ(at_once.after().time, after.machine.globals().now);
            const Statistics& x = before.statistics;
            const Statistics& y = after.statistics;
            ASSERT_EQ(at_once.schedule.count(), y.schedule_calls - x.schedule_calls);
            ASSERT_EQ(at_once.after().switches - at_once.before().switches,
                      y.switches.total() - x.switches.total());
            ASSERT_EQ(at_once.stretch.count(),
                      y.switches.total() - y.switches.from_idle - x.switches.total() + x.switches.from_idle);
            ASSERT_EQ(at_once.readiness.count(),
                      y.switches.total() - y.switches.to_idle - x.switches.total() + x.switches.to_idle);
            if (i != 0) continue;
            // The range contains the whole run, and so all of its time.
            Nanos ready{}, user{};
            for (const TaskStatistics& t : y.tasks) ready += std::max(t.ready, Nanos{});
            for (const Nanos t : at_once.user) user += t;
            if (y.forks == 0) {  // a reused row starts at 0
                ASSERT_EQ(at_once.readiness.sum(), ready);
            }
            const TimeParts time = elapsed_time_parts(*run.scenario, y, after.machine);
            ASSERT_LE(user, time.user + (run.scenario->cpus == 1 ? Nanos{} : time.overhead.total()));
            ASSERT_LE(at_once.stretch.sum(), user);
        }
    }
}

TEST(RangeStatistics, ProgressRisesFromZeroToOne) {
    const RunCase run = some_runs(2'000, 1, 31'000).back();
    RunHistory recording(run.scenario, run.policy);
    recording.extend_to_end();
    const Nanos simulated_end = recording.simulated_end().machine.globals().now;
    RangeStatistics range(recording, simulated_end / 4, simulated_end);
    double last = range.progress();
    EXPECT_EQ(last, 0);
    int between = 0;
    while (range.advance(100)) {
        EXPECT_GE(range.progress(), last);
        last = range.progress();
        between += last > 0 && last < 1;
    }
    EXPECT_GT(between, 0);
    EXPECT_EQ(range.progress(), 1);
    EXPECT_TRUE(range.is_complete());
}

TEST(RangeStatistics, RangeAfterEndIsEmpty) {
    const RunCase run = some_runs(500, 1, 31'000).back();
    RunHistory recording(run.scenario, run.policy);
    recording.extend_to_end();
    const Nanos simulated_end = recording.simulated_end().machine.globals().now;
    RangeStatistics range(recording, simulated_end + 1s, simulated_end + 2s);
    EXPECT_FALSE(range.advance(1));
    EXPECT_EQ(range.schedule.count(), 0u);
    EXPECT_EQ(range.after().events, range.before().events);
}

}  // namespace range_statistics_test
}  // namespace sim
