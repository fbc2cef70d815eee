// Means, confidence intervals, curves and their crossovers.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <thread>

#include "sim/lab/axis_words.h"
#include "sim/lab/crossover.h"
#include "sim/lab/curves.h"
#include "sim/lab/parallel.h"
#include "sim/scenario/scenario_json.h"

namespace sim::lab {
namespace lab_curves_test {

// Returns the probability that a value of Student's t distribution is between -t and t, by Simpson's rule.
double share_within(double t, std::uint64_t degrees) {
    const double n = static_cast<double>(degrees);
    const double factor =
        std::exp(std::lgamma((n + 1) / 2) - std::lgamma(n / 2)) / std::sqrt(n * 3.14159265358979323846);
    const auto density = [&](double x) { return factor * std::pow(1 + x * x / n, -(n + 1) / 2); };
    constexpr int kSteps = 20'000;
    double sum = density(0) + density(t);
    for (int i = 1; i < kSteps; ++i) sum += density(t * i / kSteps) * (i % 2 == 1 ? 4 : 2);
    return 2 * sum * t / kSteps / 3;
}

TEST(StudentT, QuantilesEnclose95Percent) {
    EXPECT_NEAR(student_t_quantile(1), 12.706, 0.0005);  // as in published tables
    EXPECT_NEAR(student_t_quantile(9), 2.262, 0.0005);
    EXPECT_NEAR(student_t_quantile(120), 1.980, 0.0005);
    const auto expect_share = [](std::uint64_t degrees) {
        EXPECT_NEAR(share_within(student_t_quantile(degrees), degrees), 0.95, 2e-7) << degrees;
    };
    for (std::uint64_t degrees = 1; degrees <= 40; ++degrees) expect_share(degrees);
    for (const std::uint64_t degrees : {60u, 100u, 1000u}) expect_share(degrees);
    for (std::uint64_t degrees = 1; degrees < 100; ++degrees)
        EXPECT_GT(student_t_quantile(degrees), student_t_quantile(degrees + 1)) << degrees;
    EXPECT_NEAR(student_t_quantile(1'000'000'000), 1.959964, 1e-6);
}

TEST(Estimates, MatchTextbookMeanAndInterval) {
    const MeanEstimate e = estimate_mean({1, 2, 3, 4});
    EXPECT_EQ(e.n, 4u);
    EXPECT_EQ(e.mean, 2.5);
    ASSERT_TRUE(e.half);
    EXPECT_NEAR(*e.half, 3.182446 * std::sqrt(5.0 / 3 / 4), 1e-12);
}

TEST(Estimates, LargeValuesKeepPrecision) {
    const MeanEstimate e = estimate_mean({1e9, 1e9, 1e9 + 1});
    ASSERT_TRUE(e.half);
    EXPECT_NEAR(*e.half, student_t_quantile(2) * std::sqrt((2.0 / 3) / 2 / 3), 1e-6);
}

TEST(Estimates, IntervalIsMissingOrZeroWithoutSpread) {
    EXPECT_FALSE(estimate_mean({7}).half);
    const MeanEstimate e = estimate_mean({0.1, 0.1, 0.1});
    EXPECT_EQ(e.mean, 0.1);
    EXPECT_EQ(e.half, 0.0);
    EXPECT_EQ(estimate_mean({}).n, 0u);
}

// A sweep with two axes, two policies and two seeds. The measure is 1000 * slow + 10 * fast, plus 1 for the
// second policy, plus 0.5 for the second seed.
SweepResults two_axes() {
    SweepSpec spec;
    spec.axes = {{"/slow", {"1", "2"}}, {"/fast", {"20", "10", "30"}}};
    spec.policies = {"a", "b"};
    spec.first_seed = 5;
    spec.last_seed = 6;
    SweepResults results(spec, {find_measure("/y")});
    for (std::uint64_t run = 0; run < spec.runs(); ++run) {
        const RunCoordinates coordinates = spec.coordinates(run);
        const double slow = std::stod(spec.axes[0].values[coordinates.at[0]]);
        const double fast = std::stod(spec.axes[1].values[coordinates.at[1]]);
        const double y = 1000 * slow + 10 * fast + static_cast<double>(coordinates.policy) +
                         static_cast<double>(coordinates.seed - 5) / 2;
        results.add({run, std::make_shared<nlohmann::ordered_json>(nlohmann::ordered_json{{"y", y}})});
    }
    return results;
}

TEST(Results, RepeatedRunReplacesFirst) {
    SweepSpec spec;
    spec.axes = {{"/x", {"1", "2"}}};
    spec.policies = {"a"};
    spec.first_seed = spec.last_seed = 1;
    SweepResults results(spec, {find_measure("/y")});
    for (const double y : {3.0, 4.0})
        results.add({0, std::make_shared<nlohmann::ordered_json>(
                            nlohmann::ordered_json{{"stop_reason", "deadlock"}, {"y", y}})});
    EXPECT_EQ(results.added_run_count(), 1u);
    EXPECT_EQ(results.value(0, 0), 4.0);
    EXPECT_EQ(results.abnormal_stops(), (std::map<std::string, std::uint64_t>{{"deadlock", 1}}));
}

TEST(Curves, AxisHasSortedCurvePerPolicy) {
    const SweepResults results = two_axes();
    const std::vector<Curve> along_fast = curves(results, 0, 1);
    ASSERT_EQ(along_fast.size(), 4u);
    const Curve& last = along_fast[3];
    EXPECT_EQ(last.policy, 1u);
    EXPECT_EQ(last.at[0], 1u);
    ASSERT_EQ(last.points.size(), 3u);
    EXPECT_EQ(last.points[0].x, 10);
    EXPECT_EQ(last.points[0].value, 1u);
    EXPECT_EQ(last.points[0].y.mean, 2101.25);
    EXPECT_EQ(last.points[0].y.n, 2u);
    EXPECT_EQ(last.points[2].x, 30);
    const std::vector<Curve> along_slow = curves(results, 0, 0);
    ASSERT_EQ(along_slow.size(), 6u);
    EXPECT_EQ(along_slow[0].points[1].y.mean, 2200.25);
    const RunCoordinates coordinates = results.spec().coordinates(last.points[0].run);
    EXPECT_EQ(coordinates.at, (std::vector<std::size_t>{1, 1}));
    EXPECT_EQ(coordinates.policy, 1u);
    EXPECT_EQ(coordinates.seed, 5u);
}

// An interrupted sweep has points with results for only some policies.
TEST(Curves, CommonPointsExistForAllPolicies) {
    SweepSpec spec;
    spec.axes = {{"/x", {"1", "2", "3"}}};
    spec.policies = {"a", "b"};
    spec.first_seed = 1;
    spec.last_seed = 2;
    SweepResults results(spec, {find_measure("/y")});
    const auto add = [&](std::uint64_t point, std::size_t policy, std::uint64_t seed) {
        results.add({spec.first_run(point, policy) + seed,
                     std::make_shared<nlohmann::ordered_json>(nlohmann::ordered_json{{"y", 1}})});
    };
    add(0, 0, 1);
    add(0, 1, 0);
    add(1, 0, 0);
    add(2, 0, 0);
    add(2, 1, 1);
    for (const Curve& curve : keep_common_points(curves(results, 0, 0), results)) {
        std::vector<double> xs;
        for (const CurvePoint& p : curve.points) xs.push_back(p.x);
        EXPECT_EQ(xs, (std::vector<double>{1, 3}));
    }
}

TEST(YieldDetection, NeedsHalfOfCallsInEveryRun) {
    SweepSpec spec;
    spec.axes = {{"/n", {"1", "2"}}};
    spec.policies = {"a"};
    const auto of_ten = [&](std::vector<std::optional<int>> shares) {  // nullopt: no run
        SweepResults results(spec, {yield_share_measure()});
        for (std::uint64_t run = 0; run < shares.size(); ++run)
            if (shares[run])
                results.add(
                    {run, std::make_shared<nlohmann::ordered_json>(nlohmann::ordered_json{
                              {"yields", {{"calls", *shares[run]}}}, {"schedule", {{"calls", 10}}}})});
        return is_yielding_workload(results, 0);
    };
    EXPECT_TRUE(of_ten({10, 6}));
    EXPECT_TRUE(of_ten({5, 5}));
    EXPECT_FALSE(of_ten({4, 5}));
    EXPECT_FALSE(of_ten({10, 4}));
    EXPECT_TRUE(of_ten({5, std::nullopt}));
    EXPECT_FALSE(of_ten({std::nullopt, 0}));
}

Curve curve(std::size_t policy, const std::vector<std::pair<double, double>>& points, double half = -1) {
    Curve c{policy, {0}, {}};
    for (const auto& [x, y] : points) {
        CurvePoint p;
        p.x = x;
        p.y.n = std::isnan(y) ? 0 : 1;
        p.y.mean = y;
        if (half >= 0) p.y.half = half;
        c.points.push_back(p);
    }
    return c;
}
const double kNone = std::nan("");

TEST(Crossovers, AreInterpolatedBetweenNeighbours) {
    const auto list = crossovers(curve(0, {{0, 0}, {10, 10}}), curve(1, {{0, 4}, {10, 4}}));
    ASSERT_EQ(list.size(), 1u);
    EXPECT_DOUBLE_EQ(list[0].x, 4);
    EXPECT_EQ(list[0].below, 1u);
    EXPECT_EQ(list[0].above, 0u);
    EXPECT_EQ(list[0].left, 0);
    EXPECT_EQ(list[0].right, 10);
    EXPECT_EQ(list[0].below_left, 4);
    EXPECT_EQ(list[0].above_right, 10);
    EXPECT_FALSE(list[0].is_exact());
    EXPECT_TRUE(list[0].is_clear);
}

TEST(Crossovers, SearchStopsAtShorterCurve) {
    const Curve longer = curve(0, {{0, 0}, {10, 10}, {20, 0}}), shorter = curve(1, {{0, 4}, {10, 4}});
    EXPECT_EQ(crossovers(longer, shorter).size(), 1u);
    EXPECT_EQ(crossovers(shorter, longer).size(), 1u);
}

TEST(Crossovers, CrossingBackIsSecondCrossover) {
    const auto list = crossovers(curve(0, {{0, 0}, {1, 2}, {2, 0}}), curve(1, {{0, 1}, {1, 1}, {2, 1}}));
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0].below, 1u);
    EXPECT_EQ(list[1].below, 0u);
    EXPECT_DOUBLE_EQ(list[1].x, 1.5);
}

TEST(Crossovers, TouchingIsNotCrossing) {
    EXPECT_TRUE(crossovers(curve(0, {{0, 0}, {1, 1}, {2, 0}}), curve(1, {{0, 1}, {1, 1}, {2, 1}})).empty());
    EXPECT_TRUE(crossovers(curve(0, {{0, 1}, {1, 2}}), curve(1, {{0, 1}, {1, 1}})).empty());
    EXPECT_TRUE(crossovers(curve(0, {{0, 1}, {1, 1}}), curve(1, {{0, 1}, {1, 1}})).empty());
}

TEST(Crossovers, EqualRangeCrossesAtFirstPoint) {
    const auto list =
        crossovers(curve(0, {{0, 0}, {1, 1}, {2, 1}, {3, 2}}), curve(1, {{0, 1}, {1, 1}, {2, 1}, {3, 1}}));
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].x, 1);
    EXPECT_EQ(list[0].left, 0);
    EXPECT_EQ(list[0].right, 3);
}

TEST(Crossovers, GapHidesCrossover) {
    EXPECT_TRUE(
        crossovers(curve(0, {{0, 0}, {1, kNone}, {2, 2}}), curve(1, {{0, 1}, {1, 1}, {2, 1}})).empty());
}

TEST(Crossovers, AreClearIfIntervalsDoNotTouch) {
    const auto at = [](double half) {
        return crossovers(curve(0, {{0, 0}, {1, 2}}, half), curve(1, {{0, 1}, {1, 1}}, half))[0].is_clear;
    };
    EXPECT_TRUE(at(0.4));
    EXPECT_FALSE(at(0.6));
    EXPECT_FALSE(at(0.5));  // the intervals touch
    // A crossover is clear only if the distance between the curves is clear at the point before it and at
    // the point after it. In this test the curves are `left` apart at x = 0 and `right` apart at x = 1.
    const auto beside = [](double left, double right) {
        return crossovers(curve(0, {{0, -left}, {1, right}}, 0.6), curve(1, {{0, 0}, {1, 0}}, 0.6))[0]
            .is_clear;
    };
    EXPECT_TRUE(beside(3, 3));
    EXPECT_FALSE(beside(1, 3));
    EXPECT_FALSE(beside(3, 1));
}

TEST(Crossovers, RefinementFindsExactNeighbours) {
    for (std::int64_t first = 3; first <= 64; ++first) {  // policy 1 is below policy 0 from `first` on
        int probes = 0;
        const Probe probe = [&](std::size_t policy, std::int64_t x) -> std::optional<double> {
            ++probes;
            if (policy == 0) return static_cast<double>(x);
            return static_cast<double>(first) - 0.5;
        };
        Crossover c;
        c.below = 1;
        c.above = 0;
        c.left = 2;
        c.right = 64;
        c.above_left = 2;
        c.below_left = c.below_right = static_cast<double>(first) - 0.5;
        c.above_right = 64;
        c = refine(c, probe);
        EXPECT_EQ(c.right, static_cast<double>(first));
        EXPECT_TRUE(c.is_exact());
        EXPECT_DOUBLE_EQ(c.x, static_cast<double>(first) - 0.5);
        EXPECT_LE(probes, 12);
    }
}

TEST(Crossovers, RefinementEndsAboveLastEqualNumber) {
    for (std::int64_t equal = 3; equal < 64; ++equal) {
        Crossover c;
        c.below = 1;
        c.above = 0;
        c.left = c.above_left = 2;
        c.right = c.above_right = 64;
        c.below_left = c.below_right = static_cast<double>(equal);
        c = refine(c, [&](std::size_t policy, std::int64_t x) -> std::optional<double> {
            return static_cast<double>(policy == 0 ? x : equal);
        });
        EXPECT_EQ(c.right, static_cast<double>(equal + 1));
        EXPECT_EQ(c.x, static_cast<double>(equal));
        EXPECT_EQ(c.below_left, c.above_left);
        EXPECT_LT(c.below_right, c.above_right);
    }
}

TEST(Crossovers, RefinementStopsAtUndefinedMeasure) {
    Crossover c;
    c.left = 2;
    c.right = 64;
    c = refine(c, [](std::size_t, std::int64_t) { return std::nullopt; });
    EXPECT_EQ(c.left, 2);
    EXPECT_FALSE(c.is_exact());
}

TEST(OrderedWork, ResultsAreTakenInOrder) {
    for (const unsigned jobs : {0u, 1u, 2u, 7u}) {
        std::vector<std::uint64_t> taken;
        process_in_order(
            jobs, 500,
            [](std::uint64_t i) {
                if (i % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
                return i * i;
            },
            [&](std::uint64_t i, std::uint64_t square) {
                EXPECT_EQ(square, i * i);
                taken.push_back(i);
            },
            [] {});
        ASSERT_EQ(taken.size(), 500u);
        for (std::uint64_t i = 0; i < 500; ++i) EXPECT_EQ(taken[i], i);
    }
}

TEST(OrderedWork, LeadOverMissingResultIsLimited) {
    std::atomic<bool> first_is_done = false;
    std::atomic<std::uint64_t> furthest = 0;
    process_in_order(
        2, 10'000,
        [&](std::uint64_t i) {
            if (i == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                first_is_done = true;
            } else if (!first_is_done) {
                furthest = std::max(furthest.load(), i);
            }
            return 0;
        },
        [](std::uint64_t, int) {}, [] {});
    EXPECT_LT(furthest, 4096u);
}

TEST(OrderedWork, ExceptionsReachCaller) {
    for (const unsigned jobs : {0u, 1u, 3u}) {
        std::uint64_t taken = 0;
        const auto work = [](std::uint64_t i) {
            if (i == 100) throw std::runtime_error("number 100");
            return i;
        };
        EXPECT_THROW(process_in_order(
                         jobs, 1'000, work, [&](std::uint64_t, std::uint64_t) { ++taken; }, [] {}),
                     std::runtime_error);
        EXPECT_EQ(taken, 100u);
        const auto take = [](std::uint64_t i, std::uint64_t) {
            if (i == 10) throw std::runtime_error("disk full");
        };
        EXPECT_THROW(process_in_order(
                         jobs, 100, [](std::uint64_t i) { return i; }, take, [] {}),
                     std::runtime_error);
    }
}

TEST(Crossovers, WholeNumberAxisGivesWholeNumbers) {
    const auto said = [](double left, double x, double right, const NumericValues& axis) {
        Crossover c;
        c.left = left, c.x = x, c.right = right;
        return crossover_position_text(c, axis);
    };
    const NumericValues whole{{}, "", true}, times{{}, "ms", false}, shares{{}, "", false};
    EXPECT_EQ(said(2, 3.714, 4, whole), "from 4 on (about 3.7)");
    EXPECT_EQ(said(8, 9.951, 10, whole), "from 10 on (about 9.95)");
    EXPECT_EQ(said(8, 9.9996, 12, whole), "from 10 on");
    EXPECT_EQ(said(3, 3.4, 4, whole), "from 4 on");              // 4 is the first whole number after 3.4
    EXPECT_EQ(said(8, 10, 20, whole), "from 11 on (about 10)");  // the curves are equal at 10
    EXPECT_EQ(said(40, 57.31, 80, whole), "from 58 on (about 57.3)");
    EXPECT_EQ(said(1, 3.714, 4, times), "from about 3.71ms on");
    EXPECT_EQ(said(0, 0.5, 1, shares), "from about 0.5 on");
}

TEST(AxisLabels, NameTaskGroupAndVariedField) {
    const Scenario scenario = load_scenario("web-server");
    const std::string first = scenario.groups[0].name;
    EXPECT_EQ(axis_display_name("/tasks/0/count", scenario), first + " \u00d7");
    EXPECT_EQ(axis_display_name("/tasks/0/working_set", scenario), first + " working set");
    EXPECT_EQ(axis_display_name("/tasks/2/program/0/loop", scenario), scenario.groups[2].name + " loop");
    EXPECT_EQ(axis_display_name("/tasks/0/program/1", scenario), "");  // a program step without a name
    EXPECT_EQ(axis_display_name("/tasks/99/count", scenario), "");
    EXPECT_EQ(axis_display_name("/tasks", scenario), "");
    EXPECT_EQ(axis_display_name("", scenario), "");
    EXPECT_EQ(axis_display_name("/machine/hz", scenario), "HZ");
    EXPECT_EQ(axis_display_name("/machine/costs/considered", scenario), "cost of the search");
    EXPECT_EQ(axis_display_name("/machine/costs/queue_step", scenario), "cost: queue step");
    EXPECT_EQ(axis_display_name("/until", scenario), "until");
    const Axis counts{"/tasks/0/count", {"2"}, first + " \u00d7"}, hz{"/machine/hz", {"100"}, "HZ"},
        bare{"/a", {"1"}};
    EXPECT_EQ(axis_value_text(counts, "2"), first + " \u00d7 2");
    EXPECT_EQ(axis_value_text(hz, "100"), "HZ = 100");
    EXPECT_EQ(axis_value_text(bare, "1"), "/a = 1");
    // Labels do not identify an axis: a results file without labels belongs to the same sweep.
    EXPECT_EQ(counts, (Axis{"/tasks/0/count", {"2"}}));
}

}  // namespace lab_curves_test
}  // namespace sim::lab
