// Tests of `--policy NAME[:option=value,...][@MACHINE]` of run and compare: each policy is charged the
// costs of its machine. The command warns if the policy and its machine belong to different systems.
#include <string>

#include "tests/support/command_line.h"

using nlohmann::json;

namespace policy_machine_option_test {

class PolicyMachineOption : public CommandLine {
  protected:
    // ns per yield
    static double each_yield(const json& run) {
        return run["simulated_ns"].get<double>() / run["yields"]["calls"].get<double>();
    }

    // Runs a command that must succeed. Returns its standard error.
    std::string warning(const Words& words) const {
        const Finished f = switchyard(words);
        EXPECT_EQ(f.exit_code, 0) << joined(words) << "\n" << f;
        return f.err;
    }
};

const std::string kNtOnLinuxCosts =
    "switchyard: warning: nt4 is a policy of Windows NT, but the costs of pentium-mmx-200 are "
    "those of Linux, so the times match neither system (for the costs of Windows NT: --policy "
    "nt4@pentium-mmx-200-nt)\n";

TEST_F(PolicyMachineOption, PolicyUsesCostsOfNamedMachine) {
    const json compared =
        json_output({"compare", "yield-processes", "--set", "/tasks/0/count=40", "--until", "100ms",
                     "--policy", "linux-2.0:yield=one_tick", "--policy", "nt4@pentium-mmx-200-nt"});
    EXPECT_EQ(compared["machines"], json({"pentium-mmx-200", "pentium-mmx-200-nt"}));
    EXPECT_NEAR(each_yield(compared["runs"][0]), 26'070, 300);
    EXPECT_NEAR(each_yield(compared["runs"][1]), 16'520, 300);  // published: 17 us
    const json& difference = compared["first_differences"][0];
    EXPECT_EQ(difference["policy_a"], "linux-2.0:yield=one_tick");
    EXPECT_EQ(difference["policy_b"], "nt4@pentium-mmx-200-nt");
    // The result is the same as with a scenario that specifies the machine.
    EXPECT_EQ(compared["runs"][1],
              json_output({"run", "yield-processes", "--set", "/tasks/0/count=40", "--until", "100ms",
                           "--set", "/machine=pentium-mmx-200-nt", "--policy", "nt4"}));
    EXPECT_EQ(compared["runs"][1], json_output({"run", "yield-processes", "--set", "/tasks/0/count=40",
                                                "--until", "100ms", "--policy", "nt4@pentium-mmx-200-nt"}));
}

TEST_F(PolicyMachineOption, TextNamesMachine) {
    const std::string text = output({"compare", "yield-threads", "--until", "10ms", "--quiet", "--policy",
                                     "linux-2.0", "--policy", "nt4:quantum=6@pentium-mmx-200-nt"});
    EXPECT_NE(text.find("  nt4:quantum=6@pentium-mmx-200-nt\n"), std::string::npos) << text;
    EXPECT_NE(text.find("linux-2.0 and nt4:quantum=6@pentium-mmx-200-nt: none of"), std::string::npos)
        << text;
}

TEST_F(PolicyMachineOption, SetChangesCostsButNotNamedMachine) {
    const auto us = [&](const Words& more) {
        Words words{"compare",  "yield-threads", "--until",  "100ms",
                    "--policy", "linux-2.0",     "--policy", "linux-2.0@pentium-mmx-200"};
        words.insert(words.end(), more.begin(), more.end());
        const json runs = json_output(words)["runs"];
        return std::pair{each_yield(runs[0]), each_yield(runs[1])};
    };
    const auto [plain, same] = us({});
    EXPECT_EQ(plain, same);
    const auto [dear, as_dear] = us({"--set", "/machine/costs/syscall=100us"});
    EXPECT_EQ(dear, as_dear);
    EXPECT_GT(dear, plain + 90'000);
    for (const char* set : {"/machine=kvm-8-core-2019", "machine=kvm-8-core-2019"}) {
        const auto [fast, slow] = us({"--set", set});
        EXPECT_LT(fast, 2'000) << set;
        EXPECT_EQ(slow, plain) << set;
    }
}

TEST_F(PolicyMachineOption, ReadsStandardInputOnce) {
    const std::string scenario = content_of(folder() / "scenarios/yield-threads.json");
    const json compared = json::parse(output({"compare", "-", "--until", "10ms", "--format", "json",
                                              "--policy", "linux-2.0", "--policy", "nt4@pentium-mmx-200-nt"},
                                             scenario));
    EXPECT_EQ(compared["runs"].size(), 2u);
}

TEST_F(PolicyMachineOption, WarnsAboutCostsOfOtherSystem) {
    for (const char* command : {"run", "compare"})
        EXPECT_EQ(warning({command, "yield-threads", "--until", "10ms", "--policy", "nt4"}), kNtOnLinuxCosts);
    EXPECT_NE(warning({"run", "yield-threads", "--until", "10ms", "--policy", "linux-2.0@pentium-mmx-200-nt"})
                  .find("linux-2.0 is a policy of Linux, but the costs of pentium-mmx-200-nt are those of "
                        "Windows NT"),
              std::string::npos);
    // There is no warning for textbook policies, or if the machine does not specify a system.
    EXPECT_EQ(warning({"run", "yield-threads", "--until", "10ms", "--policy", "round-robin"}), "");
    EXPECT_EQ(warning({"run", "yield-threads", "--until", "10ms", "--policy", "nt4", "--set",
                       R"(/machine={"costs": {"syscall": "1us"}})"}),
              "");
    // A machine inherits the system of its base and may override it.
    EXPECT_EQ(warning({"run", "yield-threads", "--until", "10ms", "--policy", "nt4", "--set",
                       "/machine/costs/syscall=1us"}),
              kNtOnLinuxCosts);
    EXPECT_EQ(warning({"run", "yield-threads", "--until", "10ms", "--policy", "nt4", "--set",
                       "/machine/system=nt"}),
              "");
}

TEST_F(PolicyMachineOption, ShippedScenariosCauseNoWarning) {
    for (const std::string& name : scenarios())
        EXPECT_EQ(warning({"run", name, "--until", "1ms"}), "") << name;
}

TEST_F(PolicyMachineOption, UnknownMachineIsRefused) {
    expect_refused({"compare", "two-hogs", "--policy", "nt4@pentium-mmx-200-mt"},
                   "--policy nt4@pentium-mmx-200-mt: unknown machine 'pentium-mmx-200-mt'; did you mean "
                   "'pentium-mmx-200-nt'?");
    expect_refused({"run", "two-hogs", "--policy", "nt4@"}, "expected the name of a machine after '@'");
    expect_refused({"run", "two-hogs", "--policy", "nt4@../machines/xeon-2013"}, "unknown machine");
    expect_refused({"run", "two-hogs", "--policy", "nt5@pentium-mmx-200-nt"}, "did you mean 'nt4'?");
    expect_refused({"sweep", "two-hogs", "--vary", "/cpus=1", "--policy", "nt4@pentium-mmx-200-nt"}, "nt4@");
}

TEST_F(PolicyMachineOption, FindsMachineNextToScenario) {
    std::filesystem::create_directory(folder() / "own");
    std::filesystem::create_directory(folder() / "own/machines");
    write_file(folder() / "own/a.json", content_of(folder() / "scenarios/yield-threads.json"));
    write_file(folder() / "own/machines/slow.json",
               R"({"format": "switchyard-machine/1", "system": "nt", "costs": {"syscall": "1ms"}})");
    const json run = json_output({"run", "own/a.json", "--until", "1s", "--policy", "nt4@slow"});
    EXPECT_NEAR(each_yield(run), 1e6, 1e4);
}

}  // namespace policy_machine_option_test
