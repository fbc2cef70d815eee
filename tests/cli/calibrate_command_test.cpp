// Tests of `switchyard calibrate` with stored samples: reproducible output, and rejected input.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/command_line.h"
#include "tests/support/test_sizes.h"

namespace calibrate_command_test {

using nlohmann::json;

constexpr const char* kSamples = "tests/calibrate/xeon-linux-6.18.json";

class CalibrateCommand : public CommandLine {};

TEST_F(CalibrateCommand, SimulatedYieldsAreWithin15Percent) {
    if (!kOptimised) GTEST_SKIP() << "millions of switches";
    output({"calibrate", "--samples", kSamples, "--format", "json", "--output", "c.json", "--save-machine",
            "machine.json"});
    const json result = json::parse(content_of(folder() / "c.json"));
    int yields = 0;
    for (const json& cell : result.at("cells"))
        if (cell.at("cell").get<std::string>().starts_with("yield-")) {
            ++yields;
            EXPECT_NEAR(cell.at("error").get<double>(), 0, 0.15) << cell.at("cell");
        }
    EXPECT_EQ(yields, 16);
    EXPECT_LT(result.at("rms"), 0.10);

    // Scenarios can use the machine file from their directory `machines`.
    std::filesystem::create_directory(folder() / "machines");
    std::filesystem::rename(folder() / "machine.json", folder() / "machines" / "here.json");
    const std::string scenario = output({"save", "yield-threads", "--set", "/machine=pentium-mmx-200"});
    write_file(folder() / "mine.json", scenario);
    output({"check", "mine.json", "--set", "/machine=here"});
    const json run = json_output({"run", "mine.json", "--set", "/machine=here", "--policy",
                                  "linux-6.6:group_sched=yes,yield=forfeit", "--until", "10ms"});
    EXPECT_GT(run.at("yields").at("switched").get<double>(),
              0.99 * run.at("yields").at("calls").get<double>());
}

TEST_F(CalibrateCommand, NoisySamplesAreRejected) {
    json samples = json::parse(content_of(folder() / kSamples));
    for (auto& [name, cell] : samples["cells"].items())
        for (std::size_t i = cell["ns"].size() / 3; i < cell["ns"].size(); ++i)
            cell["ns"][i] = cell["ns"][i].get<double>() * 2;
    write_file(folder() / "noisy.json", samples.dump());
    const Finished f = switchyard({"calibrate", "--samples", "noisy.json", "--save-machine", "m.json"});
    EXPECT_EQ(f.exit_code, 1) << f;
    EXPECT_EQ(f.out, "");
    EXPECT_NE(f.err.find("this machine is too noisy"), std::string::npos) << f;
    EXPECT_FALSE(std::filesystem::exists(folder() / "m.json"));
}

TEST_F(CalibrateCommand, InvalidArgumentsAreRejected) {
    expect_refused({"calibrate", "--samples", kSamples, "--time", "5s"},
                   "--samples reads an existing measurement");
    expect_refused({"calibrate", "--time", "5"}, "--time 5");
    expect_refused({"calibrate", "--time", "1h"}, "expected 1s to 600s");
    expect_refused({"calibrate", "--cpu", "8191"}, "this program may not use CPU 8191");
    expect_refused({"calibrate", "--samples", "none.json"}, "none.json");
    expect_refused({"calibrate", "--samples", "-"}, "standard input:1:", "[5");
    expect_refused({"calibrate", "--samples", kSamples, "--save-machine", kSamples},
                   "--samples reads this file");
    expect_refused({"calibrate", "--save-machine", "a.json", "--save-samples", "a.json"},
                   "the same file is used twice");
}

}  // namespace calibrate_command_test
