// What the commands print of each scenario, and the figures that they draw of it, are the bytes of before.
#include <string>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/command_line.h"
#include "tests/support/golden_table.h"

namespace printed_golden_test {

class GoldenPrints : public CommandLine, public testing::WithParamInterface<std::string> {
  protected:
    // The same simulated time for all of it, with few decisions in it.
    Words with(Words words, const std::string& until) const {
        words.insert(words.end(), {"--until", until});
        return words;
    }
};

TEST_P(GoldenPrints, AreTheBytesOfBefore) {
    const std::string& name = GetParam();
    const bool is_crowd = sim::load_scenario(name).shape.tasks > 500;
    const std::string until = is_crowd ? "2ms" : "20ms";
    std::string text;
    for (const Words& words :
         {Words{"run", name}, Words{"run", name, "--policy", "linux-2.4.22", "--format", "json"},
          Words{"compare", name, "--policy", "linux-2.0", "--policy", "linux-2.2"},
          Words{"run", name, "--view", "vmstat", "--interval", "5ms"},
          Words{"run", name, "--view", "perf-sched"},
          Words{"figure", "costs", name, "--policy", "linux-2.0", "--policy", "linux-2.4.0"}}) {
        const Finished f = switchyard(with(words, until));
        EXPECT_EQ(f.exit_code, 0) << joined(words) << f.err;
        text += f.out;
    }
    const Finished f = switchyard({"figure", "timeline", name, "--from", "0ms", "--to", "200us"});
    EXPECT_EQ(f.exit_code, 0) << f.err;
    text += f.out;
    GoldenTable("print_hashes.txt").expect(name, text);
}

INSTANTIATE_TEST_SUITE_P(Gallery, GoldenPrints, testing::ValuesIn(sim::builtin_names("")),
                         [](const auto& one) { return test_name(one.param); });

using GoldenLists = CommandLine;

TEST_F(GoldenLists, AndManualPagesAreTheBytesOfBefore) {
    GoldenTable table("list_hashes.txt");
    std::vector<std::string> names;
    const auto expect = [&](const std::string& name, const std::string& text) {
        names.push_back(name);
        table.expect(name, text);
    };
    for (const std::string what : {"policies", "scenarios", "machines", "prices", "numbers", "actions",
                                   "measures", "tables", "topics"}) {
        expect(what, output({"list", what}));
        expect(what + ".json", output({"list", what, "--format", "json"}));
    }
    output({"manual", folder().string()});
    for (const std::string& file : listing()) {
        if (!file.ends_with(".1")) continue;
        std::string page = content_of(folder() / file);
        page.erase(0, page.find("\n.SH NAME"));  // the first line has the version
        expect(file, page);
    }
    table.expect_names(names);
}

TEST(GoldenPrintTable, HasEachScenario) {
    GoldenTable("print_hashes.txt").expect_names(sim::builtin_names(""));
}

}  // namespace printed_golden_test
