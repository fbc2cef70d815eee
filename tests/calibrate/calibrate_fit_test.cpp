// Tests of the fit: it recovers the known costs of a machine from the results of all measurement benchmarks,
// simulated on that machine.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/calibrate/benchmarks.h"
#include "sim/calibrate/fit.h"
#include "sim/calibrate/simulate_benchmark.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/test_sizes.h"

namespace calibrate_fit_test {

using namespace sim::calibrate;

MachineFacts facts() {
    return {.kernel = "6.18.44",
            .architecture = "x86_64",
            .processor = "a processor",
            .cpus = 2,
            .hz = 250,
            .l1d = 48 << 10,
            .l2 = 1 << 20,
            .line = 64};
}

CostList known_costs() {
    CostList list;
    const std::pair<CalibratedCost, double> costs[] = {{CalibratedCost::syscall, 100},
                                                       {CalibratedCost::schedule, 250},
                                                       {CalibratedCost::comparison, 10},
                                                       {CalibratedCost::switch_same, 600},
                                                       {CalibratedCost::other_mm, 100},
                                                       {CalibratedCost::wake_up, 700},
                                                       {CalibratedCost::pipe, 120},
                                                       {CalibratedCost::futex, 0},
                                                       {CalibratedCost::fork_process, 200'000},
                                                       {CalibratedCost::fork_thread, 10'000},
                                                       {CalibratedCost::tlb_entry, 8},
                                                       {CalibratedCost::line, 50}};
    for (const auto& [what, ns] : costs) list.entry(what).ns = ns;
    list.cache = 1 << 20;
    list.footprint = 1024;
    return list;
}

// The values that a measurement of this machine would yield.
std::vector<BenchmarkSummary> values_on(const CostList& list) {
    std::vector<BenchmarkSummary> values;
    for (const BenchmarkSpec& benchmark : benchmarks()) {
        const double sum = benchmark.kib * 30.0;
        SimulatedBenchmark run{.ns = 200'000 + 1024 * 110.0, .switches = 2, .work = {}};
        if (can_be_simulated(benchmark)) run = simulate_benchmark(benchmark, list, facts(), sum);
        values.push_back(
            {.least = run.ns, .quarter = run.ns, .median = run.ns, .switches = run.switches, .others = 0});
    }
    return values;
}

TEST(CalibrateFit, RecoversKnownCosts) {
    if (!kOptimised) GTEST_SKIP() << "a fit takes long without optimisation; calibrate's tests make some";
    const CostList known = known_costs();
    const CostFit fit = fit_machine(values_on(known), facts());
    const auto near = [&](CalibratedCost what, double share) {
        EXPECT_NEAR(fit.list.entry(what).ns, known.entry(what).ns, share * known.entry(what).ns)
            << to_string(what);
    };
    near(CalibratedCost::syscall, 0.01);
    near(CalibratedCost::pipe, 0.02);
    near(CalibratedCost::schedule, 0.05);
    near(CalibratedCost::switch_same, 0.10);
    near(CalibratedCost::wake_up, 0.15);
    near(CalibratedCost::fork_process, 0.02);
    near(CalibratedCost::fork_thread, 0.05);
    EXPECT_LT(fit.rms, 0.05);
    for (std::size_t i = 0; i < benchmarks().size(); ++i)
        if (benchmarks()[i].kind == BenchmarkKind::yield) {
            EXPECT_LT(std::abs(fit.residuals[i].relative_error()), 0.05) << benchmarks()[i].name;
        }
    EXPECT_EQ(fit.list.entry(CalibratedCost::syscall).basis, CostBasis::measured);
    EXPECT_EQ(fit.list.entry(CalibratedCost::schedule).basis, CostBasis::fitted);
    EXPECT_EQ(fit.list.entry(CalibratedCost::comparison).basis, CostBasis::assumed);
}

// These samples were observed on a machine on which a size of 64 KiB is as expensive for one process as for
// two. The time of the ring minus the time of one process is then about 0 ns per switch, so any relative
// error becomes huge.
TEST(CalibrateFit, NearZeroRingDoesNotDominateFit) {
    if (!kOptimised) GTEST_SKIP() << "a fit takes long without optimisation; calibrate's tests make some";
    for (const double left : {1.0, -1.0}) {
        std::vector<BenchmarkSummary> values = values_on(known_costs());
        BenchmarkSummary& ring = values[benchmark_index("ring-2p-64K")];
        ring.quarter = values[benchmark_index("pipe-alone-64K")].quarter + left;
        const CostFit fit = fit_machine(values, facts());
        EXPECT_TRUE(fit.residuals[benchmark_index("ring-2p-64K")].fitted);
        EXPECT_GT(fit.residuals[benchmark_index("ring-2p-64K")].relative_error(), 0.1);
        for (std::size_t i = 0; i < benchmarks().size(); ++i)
            if (benchmarks()[i].kind == BenchmarkKind::yield) {
                EXPECT_LT(std::abs(fit.residuals[i].relative_error()), 0.15) << benchmarks()[i].name << left;
            }
    }
}

TEST(CalibrateFit, MachineFileLoadsInScenario) {
    const std::string machine = machine_file_text(known_costs(), facts());
    EXPECT_NE(machine.find("\"format\": \"switchyard-machine/1\""), std::string::npos);
    nlohmann::json json = nlohmann::json::parse(machine);
    json.erase("format");
    const nlohmann::json scenario{{"format", "switchyard-scenario/1"},
                                  {"title", "t"},
                                  {"machine", json},
                                  {"policy", "linux-6.6"},
                                  {"until", "1ms"},
                                  {"tasks", {{{"name", "a"}, {"program", {{{"run", "1s"}}}}}}}};
    const sim::CostModel costs = sim::parse_scenario("s", scenario.dump()).machine.costs;
    EXPECT_EQ(costs.syscall.time, sim::Nanos{100});
    EXPECT_EQ(costs.switch_other_mm.time, sim::Nanos{700});
    EXPECT_EQ(costs.cache.footprint, 1024u);
    // Unmeasured costs are taken from another machine.
    EXPECT_TRUE(costs.cost_of(sim::Interrupt::timer) > sim::Nanos{});
}

TEST(CalibrateFit, UnknownCachesAreNotModelled) {
    MachineFacts blind = facts();
    blind.l1d = blind.l2 = blind.line = 0;
    CostList list = known_costs();
    list.cache = 0;
    const BenchmarkSpec& benchmark = benchmarks()[benchmark_index("yield-threads-8")];
    const SimulatedBenchmark run = simulate_benchmark(benchmark, list, blind, 0);
    EXPECT_EQ(run.work[static_cast<std::size_t>(CalibratedCost::line)], 0);
    EXPECT_GT(run.ns, 0);
}

TEST(CalibrateFit, PolicyFollowsKernelVersion) {
    EXPECT_EQ(policy_for_kernel("5.10.0"), "linux-2.6.32");
    EXPECT_EQ(policy_for_kernel("6.6"), "linux-6.6:group_sched=yes");
    EXPECT_EQ(policy_for_kernel("6.18.1"), "linux-6.6:group_sched=yes");
    EXPECT_EQ(policy_for_kernel("6.18.2"), "linux-6.6:group_sched=yes,yield=forfeit");
    EXPECT_EQ(policy_for_kernel("7.0"), "linux-6.6:group_sched=yes,yield=forfeit");
    EXPECT_EQ(policy_for_kernel("something else"), "linux-2.6.32");
}

}  // namespace calibrate_fit_test
