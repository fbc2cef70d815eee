// Policies that exist both in C++ and as scripts must make the same decisions in all scenarios. This shows
// that the script interface is sufficient for these policies.
#include <gtest/gtest.h>

#include <string>

#include "sim/check/lockstep.h"
#include "sim/core/policy.h"
#include "tests/support/random_scenario.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace early_kernels_test {

struct Pair {
    const char *script, *own;
    bool on_several_cpus;
};

class EarlyKernelScripts : public testing::TestWithParam<Pair> {};

TEST_P(EarlyKernelScripts, ScriptMatchesCppPolicy) {
    const auto [script_name, own_name, on_several_cpus] = GetParam();
    const std::uint64_t scenarios = rounds(40, 12, 4);
    std::uint64_t decisions = 0;
    for (std::uint64_t seed = 1; seed <= scenarios; ++seed) {
        const Scenario scenario = on_several_cpus ? random_smp_scenario(seed) : random_scenario(seed);
        const NamedPolicy script = make_policy(script_name, scenario.cpus);
        const NamedPolicy own = make_policy(own_name, scenario.cpus);
        const LockstepResult result = find_first_divergence(
            {scenario, *script.policy}, {scenario, *own.policy}, {.until = 2s, .decisions = 3000});
        EXPECT_FALSE(result.divergence) << script_name << " parts in random scenario " << seed
                                        << " at decision " << result.divergence->decision;
        ASSERT_EQ(script.policy->failure(), nullptr);
        decisions += result.decisions;
    }
    EXPECT_GT(decisions, 100 * scenarios);
}

INSTANTIATE_TEST_SUITE_P(All, EarlyKernelScripts,
                         testing::Values(Pair{"round_robin", "round-robin", false},
                                         Pair{"round_robin:quantum=3", "round-robin:quantum=3", false},
                                         Pair{"round_robin:quantum=2", "round-robin:quantum=2", true},
                                         Pair{"linux_1_2", "linux-1.2", false}),
                         [](const auto& of) { return "Number" + std::to_string(of.index); });

}  // namespace early_kernels_test
}  // namespace sim
