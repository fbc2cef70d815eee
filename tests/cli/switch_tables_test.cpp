// Tests of the tables of creation, pipe switches and PHP workers: they contain the published values, scored
// cells are within tolerance, and costs have a source.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "tests/support/command_line.h"
#include "tests/support/test_sizes.h"

using nlohmann::json;

namespace switch_tables_test {

class SwitchTables : public CommandLine {
  protected:
    // Expects that `published` lists the published values of the scored cells, and that the simulated
    // values of all except `but` scored cells are within 10 % of the published ones. Every cell that is not
    // scored must state why.
    void expect_within(const std::string& name, const std::vector<double>& published,
                       std::size_t but = 0) const {
        EXPECT_EQ(reproduced(name)["holds"], but == 0);
        std::vector<double> scored;
        std::size_t off = 0;
        for (const json& c : reproduced(name)["cells"]) {
            if (!c["scored"].get<bool>()) {
                EXPECT_NE(c["note"], "") << c;
                continue;
            }
            const double expected = c["published"], figure = c["simulated"];
            scored.push_back(expected);
            const double tolerance = 0.1 * expected;
            EXPECT_EQ(c["within"], std::abs(figure - expected) <= tolerance) << c;
            off += !c["within"].get<bool>();
            EXPECT_NEAR(c["tolerance"].get<double>(), tolerance, 1e-5 * tolerance) << c;
        }
        EXPECT_EQ(off, but);
        ASSERT_EQ(scored.size(), published.size());
        for (std::size_t i = 0; i < scored.size(); ++i) EXPECT_NEAR(scored[i], published[i], 1e-9);
    }

    double simulated(const std::string& name, std::size_t cell) const {
        return reproduced(name)["cells"].at(cell)["simulated"];
    }
};

TEST_F(SwitchTables, CreationTimesMatchPublishedBenchmark) {
    if (!kOptimised) GTEST_SKIP() << "fifty simulated seconds: only in optimised builds";
    expect_within("create-table", {12.0, 6.0, 1.0, 0.9, 0.3});
    // The time is longer than the cost of a creation: two switches and their system calls are added and, on
    // Linux, recalculations.
    EXPECT_GT(simulated("create-table", 2), 0.982 + 0.015);
    EXPECT_GT(simulated("create-table", 4), 0.289 + 0.008);
}

TEST_F(SwitchTables, PipeHandoverIsPredictedWithinTolerance) {
    expect_within("token-pipe", {3.5});
    EXPECT_EQ(reproduced("token-pipe")["cells"][0]["basis"], "predicted");
    expect_within("thread-ring", {0.508250, 4.363495 - 0.508250});
    // The simulated values differ from the published ones by less than the tolerance, because they were
    // fitted.
    EXPECT_NEAR(simulated("thread-ring", 0), 0.508250, 0.001);
    EXPECT_NEAR(simulated("thread-ring", 2), 3.855245, 0.05);
}

TEST_F(SwitchTables, GoochSlopesMatchAndInterceptsAreUnscored) {
    const json& cells = reproduced("gooch-1998")["cells"];
    ASSERT_EQ(cells.size(), 6u);
    EXPECT_EQ(reproduced("gooch-1998")["fitted"], 0);
    for (const json& c : cells) EXPECT_EQ(c["basis"], "predicted") << c;
    expect_within("gooch-1998", {0.54, 0.54});
    EXPECT_NEAR(simulated("gooch-1998", 2), 0.54, 0.054);  // much less than the tolerance
    EXPECT_NEAR(simulated("gooch-1998", 5), 0.54, 0.054);
    for (const std::size_t row : {0u, 1u, 3u, 4u}) {
        EXPECT_FALSE(cells[row]["scored"]);
        EXPECT_GT(simulated("gooch-1998", row), cells[row]["published"].get<double>() + 2);
    }
}

TEST_F(SwitchTables, LmbenchCellsAreWithinHalfMicrosecond) {
    // Measured: 8 processes were faster with 64 KiB than with 16 KiB. The model does not reproduce this, so
    // that cell is out of tolerance.
    expect_within("lat-ctx", {2.78, 2.78, 2.70, 4.38, 4.04, 4.75, 5.48}, 1);
    EXPECT_FALSE(reproduced("lat-ctx")["cells"][4]["within"]);
    EXPECT_LE(reproduced("lat-ctx")["worst"].get<double>(), 0.5);
    // The cost depends strongly on the number of processes, and hardly on the size of their arrays.
    EXPECT_GT(simulated("lat-ctx", 5) - simulated("lat-ctx", 1), 1.5);
    EXPECT_LT(simulated("lat-ctx", 6) - simulated("lat-ctx", 5), 0.5);
}

TEST_F(SwitchTables, PhpWorkersReproduceVmstatLine) {
    if (!kOptimised) GTEST_SKIP() << "half a million switches on eight CPUs: only in optimised builds";
    // The columns cs, in, us, sy, id and st of vmstat, and the number of voluntary switches per involuntary
    // switch.
    expect_within("php-fpm", {27'325.5, 19'421.75, 20.5, 6.75, 65.5, 7.5, 573'066.0 / 89'260});
    // Half of the switches are to the idle task. So all switches cost less than half of the author's
    // estimate.
    const auto& cells = reproduced("php-fpm")["cells"];
    const auto time =
        std::find_if(cells.begin(), cells.end(), [](const json& c) { return c["unit"] == "ms/s"; });
    ASSERT_NE(time, cells.end());
    EXPECT_LT((*time)["simulated"], 10);
}

// --- number of fitted values ---

// The sources of all values of a machine file, by JSON path.
void collect_sources(const json& value, const std::string& place,
                     std::map<std::string, std::string>& sources) {
    if (!value.is_object()) return;
    for (const auto& [key, member] : value.items())
        if (key == "source")
            sources[place] = member;
        else
            collect_sources(member, place + "/" + key, sources);
}

TEST_F(SwitchTables, ListedCostsMatchMachineFiles) {
    std::map<std::string, json> listed;
    for (const json& p : json_output({"list", "costs"})) listed[p["name"]] = p;
    std::size_t seen = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder() / "scenarios/machines")) {
        std::ifstream in(entry.path());
        const json machine = json::parse(in, nullptr, true, true);
        if (!machine.contains("costs")) continue;  // a machine without costs
        for (const auto& [key, cost] : machine["costs"].items()) {
            const std::string name = entry.path().stem().string() + " " + key;
            ASSERT_TRUE(listed.contains(name)) << name;
            EXPECT_EQ(listed[name]["source"], cost["source"]) << name;
            std::string why;
            EXPECT_EQ(sim::parse_time(listed[name]["value"].get<std::string>(), why),
                      sim::parse_time(cost["time"].get<std::string>(), why))
                << name;
            ++seen;
        }
    }
    EXPECT_GT(seen, 30u);
}

TEST_F(SwitchTables, FittedParametersAreUnderHalfOfCells) {
    if (!kOptimised) GTEST_SKIP() << "needs all tables: only in optimised builds";
    const std::pair<const char*, std::size_t> machines[] = {
        {"pentium-mmx-200", 8}, {"pentium-mmx-200-nt", 6}, {"kvm-8-core-2019", 6}};
    std::size_t fitted = 0;
    for (const auto& [name, expected] : machines) {
        std::ifstream in(folder() / "scenarios/machines" / (std::string(name) + ".json"));
        const json machine = json::parse(in, nullptr, true, true);
        std::map<std::string, std::string> sources;
        collect_sources(machine, "", sources);
        std::size_t here = 0;
        for (const auto& [place, source] : sources) {
            EXPECT_GT(source.size(), 10u) << name << place;
            here += source.starts_with("fitted");
        }
        for (const auto& [key, cost] : machine["costs"].items())
            EXPECT_TRUE(sources.contains("/costs/" + key)) << name << ": a price without a source: " << key;
        EXPECT_EQ(here, expected) << name;
        fitted += here;
    }
    fitted += 6;  // tuned for php-fpm, as its table states
    std::size_t scored = 0, said = 0;
    for (const char* name :
         {"create-table", "lat-ctx", "php-fpm", "thread-ring", "token-pipe", "yield-table"}) {
        for (const json& c : reproduced(name)["cells"]) scored += c["scored"].get<bool>();
        const std::string text = reproduced_text(name);
        const std::size_t tuned = text.find("Tuned: "), at = std::min(text.find("Fitted: "), tuned);
        if (at != std::string::npos)
            said += static_cast<std::size_t>(std::stoi(text.substr(text.find(' ', at))));
        else
            EXPECT_NE(text.find("No parameter is fitted"), std::string::npos) << text;
        EXPECT_NE(text.find("Look at: "), std::string::npos) << text;
        EXPECT_NE(text.find("Try next:\n  switchyard "), std::string::npos) << text;
    }
    EXPECT_EQ(scored, 58u);
    EXPECT_EQ(fitted, 26u);
    EXPECT_EQ(said, fitted);  // the numbers stated in the texts of the tables have the same sum
    EXPECT_LT(2 * fitted, scored);
}

}  // namespace switch_tables_test
