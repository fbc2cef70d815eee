// Navigation in a run: all routes lead to the same positions.
#include "sim/replay/session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "tests/support/recorded.h"

namespace sim {
namespace session_test {

constexpr std::uint64_t kEvents = kManyRounds ? 250 : 40;
constexpr RecordingLimits kOften{.keyframe_spacing = 50};

// The positions after every event of the uninterrupted run.
struct Places {
    struct Place {
        Nanos time;
        std::uint64_t events;
        std::array<std::uint64_t, std::size(kStepKinds)> counts;
        std::uint64_t digest;
    };
    std::vector<Place> all;

    explicit Places(const RunCase& run) {
        for_each_event(run, [&](const Moment& moment) {
            Place place{moment.machine.globals().now, moment.machine.globals().events, {}, digest(moment)};
            for (std::size_t k = 0; k < std::size(kStepKinds); ++k)
                place.counts[k] = count_steps(kStepKinds[k], moment.machine, moment.statistics);
            all.push_back(place);
        });
    }

    // Returns the first position with more than `n` events of kind k; nullptr if there is none.
    const Place* after(std::size_t k, std::uint64_t n) const {
        for (const Place& place : all)
            if (place.counts[k] > n) return &place;
        return nullptr;
    }

    // Returns the last position before (events, time) that follows an event of kind k; if there is none,
    // the start.
    const Place& before(std::size_t k, std::uint64_t events, Nanos time) const {
        const Place* last = &all.front();
        for (std::size_t i = 1; i < all.size(); ++i) {
            const Place& place = all[i];
            if (place.events > events || (place.events == events && place.time >= time)) break;
            if (place.counts[k] > all[i - 1].counts[k]) last = &place;
        }
        return *last;
    }
};

std::uint64_t digest_of(const Session& session) { return digest(session.machine(), session.statistics()); }

TEST(Session, BackwardStepsRevisitForwardPositions) {
    // Slow builds test one or two kinds per run. The stride 5 and the number of kinds, 6, are coprime, so
    // the next run tests other kinds.
    constexpr std::size_t kStride = kManyRounds ? 1 : 5;
    for (std::size_t turn = 0; const RunCase& run : some_runs(kEvents, kManyRounds ? 15 : 3, 100)) {
        SCOPED_TRACE(run.name);
        const Places places(run);
        for (const StepEventKind kind : kStepKinds) {
            if (turn++ % kStride != 0) continue;
            SCOPED_TRACE(to_string(kind));
            Session session(run.scenario, run.policy, {}, kOften);
            std::vector<std::uint64_t> seen{digest_of(session)};
            while (session.step_forward(kind)) seen.push_back(digest_of(session));
            ASSERT_EQ(seen.front(), places.all.front().digest);
            ASSERT_TRUE(session.history().is_complete());
            ASSERT_EQ(seen.back(), digest(session.history().simulated_end()));
            for (std::size_t i = seen.size() - 1; i-- > 0;) {
                ASSERT_TRUE(session.step_back(kind));
                ASSERT_EQ(digest_of(session), seen[i]) << i << " of " << seen.size();
            }
            ASSERT_FALSE(session.step_back(kind)) << "this is the beginning";
            ASSERT_EQ(digest_of(session), seen.front());
            // Steps in the other direction: one step forward and one step back lead to the same state.
            for (std::size_t i = 1; i < seen.size(); i += 7) {
                while (session.machine().globals().events == 0 || digest_of(session) != seen[i])
                    ASSERT_TRUE(session.step_forward(kind));
                ASSERT_TRUE(session.step_back(kind));
                ASSERT_EQ(digest_of(session), seen[i - 1]);
                ASSERT_TRUE(session.step_forward(kind));
                ASSERT_EQ(digest_of(session), seen[i]);
            }
        }
    }
}

TEST(Session, SteppingAfterSeekMatchesPlainRun) {
    std::mt19937_64 random(1);
    for (const RunCase& run : some_runs(kEvents, kManyRounds ? 150 : 10, 200)) {
        SCOPED_TRACE(run.name);
        const Places places(run);
        Session session(run.scenario, run.policy, {}, kOften);
        if (random() % 2 != 0) session.history().extend_to_end();
        const auto place = [&] { return session.machine().globals(); };
        for (int i = 0; i < (kManyRounds ? 60 : 30); ++i) {
            const std::size_t k = random() % std::size(kStepKinds);
            const StepEventKind kind = kStepKinds[k];
            const Globals before = place();
            const std::uint64_t n = count_steps(kind, session.machine(), session.statistics());
            switch (random() % 6) {
                case 0: {
                    const Nanos simulated_end = session.history().simulated_end().machine.globals().now;
                    const Nanos t{static_cast<std::int64_t>(
                        random() % static_cast<std::uint64_t>(simulated_end.count() + 2))};
                    session.seek(t);
                    ASSERT_EQ(session.now(), std::min(t, simulated_end));
                    if (t < simulated_end) {
                        ASSERT_EQ(digest_of(session), digest(plain_until(run, t)));
                    }
                    break;
                }
                case 1: {
                    const std::uint64_t m = random() % 50;
                    const Places::Place* there = m == 0 ? &places.all.front() : places.after(k, m - 1);
                    ASSERT_EQ(session.seek(kind, m), there != nullptr);
                    if (there != nullptr)
                        ASSERT_EQ(digest_of(session), there->digest);
                    else
                        ASSERT_EQ(place().events, before.events) << "nothing moves";
                    break;
                }
                case 2:
                    random() % 2 != 0 ? session.seek_end() : session.seek_beginning();
                    break;
                case 3:
                case 4: {
                    const Places::Place* there = places.after(k, n);
                    const bool moved = session.step_forward(kind);
                    if (there != nullptr) {
                        ASSERT_TRUE(moved);
                        ASSERT_EQ(digest_of(session), there->digest);
                    } else {
                        ASSERT_TRUE(session.history().is_complete());
                        ASSERT_EQ(digest_of(session), digest(session.history().simulated_end()));
                    }
                    break;
                }
                default: {
                    const Places::Place& there = places.before(k, before.events, before.now);
                    const bool moved = session.step_back(kind);
                    ASSERT_EQ(moved, before.events > 0 || before.now > Nanos{});
                    ASSERT_EQ(digest_of(session), there.digest);
                    break;
                }
            }
        }
    }
}

// If system calls and switches cost nothing, one event can contain many yields.
TEST(Session, YieldStepCoversAllYieldsOfEvent) {
    const auto scenario = std::make_shared<const Scenario>(
        parse_scenario("test.json", R"({"format": "switchyard-scenario/1", "machine": {}, "until": "1s",
        "tasks": [{"name": "a", "count": 2, "program": [{"loop": "forever", "steps": [
            {"run": "5ms"}, "yield", "yield", "yield", {"run": "7ms"}, "yield"]}]}]})"));
    const RunCase run{"yields", scenario, make_policy("linux-2.0:yield=move_last_only")};
    std::uint64_t several = 0, before = 0;
    for_each_event(run, [&](const Moment& moment) {
        several += moment.statistics.yields > before + 1;
        before = moment.statistics.yields;
    });
    ASSERT_GT(several, 20u);
    const Places places(run);
    Session session(run.scenario, run.policy, {}, kOften);
    std::vector<std::uint64_t> seen{digest_of(session)};
    std::vector<std::uint64_t> yields{0};
    while (session.step_forward(StepEventKind::yield)) {
        seen.push_back(digest_of(session));
        yields.push_back(session.statistics().yields);
    }
    EXPECT_EQ(yields[1], 3u) << "the first event that yields does so three times";
    for (std::size_t i = seen.size() - 1; i-- > 0;) {
        ASSERT_TRUE(session.step_back(StepEventKind::yield));
        ASSERT_EQ(session.statistics().yields, yields[i]);
        ASSERT_EQ(digest_of(session), seen[i]);
    }
}

TEST(Session, RevisionChangesOnMovement) {
    const RunCase run = some_runs(kEvents, 1, 300).back();
    Session session(run.scenario, run.policy);
    std::uint64_t last = session.revision();
    const auto moved = [&] { return std::exchange(last, session.revision()) != session.revision(); };
    EXPECT_FALSE(session.step_back(StepEventKind::event));
    EXPECT_FALSE(moved());
    EXPECT_TRUE(session.step_forward(StepEventKind::event));
    EXPECT_TRUE(moved());
    EXPECT_TRUE(session.is_right_after_event());
    session.seek(0ns);
    EXPECT_FALSE(session.is_right_after_event());
    EXPECT_TRUE(moved());
    EXPECT_FALSE(session.seek(StepEventKind::decision, 1'000'000'000));
    EXPECT_FALSE(moved());
    session.seek_end();
    EXPECT_TRUE(moved());
}

TEST(Session, WhatIfKeepsRunLimits) {
    const auto scenario = std::make_shared<const Scenario>(
        parse_scenario("test.json", R"({"format": "switchyard-scenario/1", "machine": {},
        "tasks": [{"name": "a", "program": [{"run": "1h"}]}]})"));
    Session session(scenario, make_policy("linux-2.0"), {}, {.until = 2s});
    session.history().extend_to_end();
    session.seek(1s);
    const auto other = session.what_if(
        {.kind = Intervention::Kind::renice, .task = session.machine().first_task(), .priority = 3});
    other->history().extend_to_end();
    EXPECT_EQ(other->history().simulated_end().machine.globals().now, 2s);
}

}  // namespace session_test
}  // namespace sim
