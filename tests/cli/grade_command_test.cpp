// Tests of `switchyard new policy` and `switchyard grade`: output, files and rejected arguments.
#include "sim/base/text.h"
#include "tests/support/command_line.h"
#include "tests/support/schema_check.h"

namespace grade_command_test {

using json = nlohmann::json;

class GradeCommand : public CommandLine {
  protected:
    std::string file(const std::string& name) const { return content_of(folder() / name); }
    // Runs the command, expects exit code 1, and returns the output.
    std::string output_of_grading(const Words& words) const {
        const Finished f = switchyard(words);
        EXPECT_EQ(f.exit_code, 1) << joined(words) << f;
        EXPECT_EQ(f.err, "") << joined(words);
        return f.out;
    }
};

// --- new policy ---

TEST_F(GradeCommand, NewPolicyRunsUnchanged) {
    const std::string said = output({"new", "policy", "mine"});
    EXPECT_TRUE(said.starts_with("wrote mine.lua: first come, first served. Next:\n")) << said;
    EXPECT_EQ(output({"run", "two-hogs", "--policy", "mine.lua", "--view", "schedule"}),
              output({"run", "two-hogs", "--policy", "fcfs", "--view", "schedule"}));
    EXPECT_NE(file("mine.lua").find("switchyard grade mine.lua --tests first-scheduler"), std::string::npos);
    EXPECT_EQ(file("mine.lua").find("NAME"), std::string::npos);
    // The suggested next commands work.
    for (const std::string& line : lines_of(said)) {
        if (!line.starts_with("  ") || line.find("switchyard-ui") != std::string::npos) continue;
        const Finished f = shell(line);
        EXPECT_LE(f.exit_code, 1) << line << f;
        EXPECT_EQ(f.err, "") << line;
    }
}

TEST_F(GradeCommand, NewPolicyExamplesRunWhenUncommented) {
    output({"new", "policy", "mine"});
    std::string text;
    std::size_t examples = 0;
    for (const std::string& line : lines_of(file("mine.lua"))) {
        const bool is_code = line.starts_with("--") && line.size() > 2 && line[2] != '-' &&
                             (line[2] != ' ' || line.starts_with("--    "));
        examples += is_code && line.starts_with("--function") ? 1 : 0;
        text += (is_code ? line.substr(2) : line) + "\n";
    }
    EXPECT_EQ(examples, 12u) << "every function but enqueue()";
    write_file(folder() / "all.lua", text);
    for (const char* scenario : {"two-hogs", "interactive-vs-hog", "yield-processes", "create-process"})
        output({"run", scenario, "--policy", "all.lua:quantum=3", "--until", "200ms"});
}

TEST_F(GradeCommand, NewPolicyNeverOverwritesFile) {
    write_file(folder() / "mine.lua", "-- my work");
    expect_refused({"new", "policy", "mine"}, "mine.lua already exists and was not changed");
    expect_refused({"new", "policy", "mine.lua"}, "mine.lua already exists");
    expect_refused({"new", "policy", "other", "--output", "mine.lua"}, "mine.lua already exists");
    std::filesystem::create_symlink("nowhere", folder() / "link.lua");
    expect_refused({"new", "policy", "link"}, "link.lua already exists");
    EXPECT_EQ(file("mine.lua"), "-- my work");
    EXPECT_FALSE(listing().contains("nowhere"));
}

TEST_F(GradeCommand, InvalidPolicyNameIsRejected) {
    for (const char* name : {"", "../mine", "-mine", "my policy", "1st", "\x1b[31m", "a;b", "m\u00f6"})
        expect_refused({"new", "policy", "--", name}, "is not a valid policy name");
    expect_refused({"new", "polcy", "mine"}, "did you mean 'policy'?");
    expect_refused({"new", "policy", "mine", "--output", "mine.txt"},
                   "expected a file name that ends in .lua");
    EXPECT_EQ(listing(), (std::set<std::string>{"scenarios", "tests"}));
}

TEST_F(GradeCommand, NewPolicyCanCopyExistingPolicy) {
    output({"new", "policy", "mine", "--template", "mlfq"});
    EXPECT_EQ(file("mine.lua"), file("scenarios/policies/mlfq.lua"));
    expect_refused({"new", "policy", "other", "--template", "mlqf"}, "did you mean 'mlfq'?");
}

// --- grade ---

TEST_F(GradeCommand, ExitCodeReflectsFullPoints) {
    const std::string all = output({"grade", "mlfq", "--tests", "first-scheduler"});
    EXPECT_TRUE(all.starts_with("Your first scheduler: mlfq\n")) << all;
    EXPECT_TRUE(all.ends_with("\n100 of 100 points\n")) << all;
    const std::string some = output_of_grading({"grade", "rr", "--tests", "first-scheduler"});
    EXPECT_NE(some.find("\n55 of 100 points\n"), std::string::npos) << some;
    EXPECT_NE(some.find("Hint: "), std::string::npos);
    write_file(folder() / "broken.lua", "function tick(p)\n");
    expect_refused({"grade", "broken.lua", "--tests", "first-scheduler"}, "broken.lua:2: 'end' expected");
    expect_refused({"grade", "none.lua", "--tests", "first-scheduler"}, "none.lua: no such file");
    expect_refused({"grade", "mlfq", "--tests", "frist-scheduler"}, "did you mean 'first-scheduler'?");
    expect_refused({"grade", "mlfq"}, "--tests is required");
    expect_refused({"grade", "--tests", "goodness"}, "SCRIPT is missing");
    expect_refused({"grade", "mlfq", "--tests", "tests/bad/grades/key-misspelt.json"},
                   "key-misspelt.json:3:19: /tests/0/point: unknown key 'point'; did you mean 'points'?");
}

TEST_F(GradeCommand, SeveralPolicyScriptsPrintOneTable) {
    write_file(folder() / "anna.lua", file("scenarios/policies/mlfq.lua"));
    write_file(folder() / "ben.lua", "function tick(p) return true end");
    write_file(folder() / "=cmd.lua", "function tick(\n");
    const Words words{"grade", "anna.lua", "ben.lua", "=cmd.lua", "--tests", "first-scheduler"};
    const std::string table = output_of_grading(words);
    const Words lines = lines_of(table);
    ASSERT_GE(lines.size(), 4u);
    EXPECT_EQ(lines[0], "script    points    1    2    3    4    5    6    7    8    9");
    EXPECT_EQ(lines[1], "anna.lua     100   10   15    5   10   15   10   15   10   10");
    EXPECT_EQ(lines[2].substr(0, 8), "ben.lua ");
    EXPECT_TRUE(lines[3].starts_with("=cmd.lua       0 cannot be used: =cmd.lua:2: ")) << lines[3];
    Words csv = words;
    csv.insert(csv.end(), {"--format", "csv"});
    const Words rows = lines_of(output_of_grading(csv));
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_TRUE(rows[0].starts_with("script,points,of,")) << rows[0];
    EXPECT_EQ(rows[1], "anna.lua,100,100,10,15,5,10,15,10,15,10,10,");
    EXPECT_TRUE(rows[3].starts_with("'=cmd.lua,0,100,0,0,0,0,0,0,0,0,0,")) << rows[3];
    // The number of parallel jobs does not matter.
    for (const char* jobs : {"1", "3"}) {
        Words again = words;
        again.insert(again.end(), {"--jobs", jobs});
        EXPECT_EQ(output_of_grading(again), table);
    }
}

TEST_F(GradeCommand, JsonResultConformsToSchema) {
    const Schema schema(json::parse(content_of(SWITCHYARD_SOURCE_DIR "/docs/grade_result.schema.json")));
    write_file(folder() / "fails.lua", "function tick(p) error(\"\\27[31m\") end");
    write_file(folder() / "broken.lua", "function");
    for (const Words& scripts : {Words{"mlfq"}, Words{"rr", "fails.lua", "broken.lua", "mlfq"}})
        for (const char* tests : {"first-scheduler", "goodness"}) {
            Words words{"grade", "--tests", tests, "--format", "json"};
            words.insert(words.end(), scripts.begin(), scripts.end());
            const Finished f = switchyard(words);
            const json value = json::parse(f.out);
            EXPECT_EQ(schema.fault(value), "") << joined(words);
            EXPECT_EQ(value["scripts"].size(), scripts.size());
        }
}

TEST_F(GradeCommand, BuiltInTestsConformToSchema) {
    const Schema schema(json::parse(content_of(SWITCHYARD_SOURCE_DIR "/docs/grade_tests.schema.json")));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder() / "scenarios/grades"))
        if (entry.path().extension() == ".json") {
            ++files;
            EXPECT_EQ(schema.fault(json::parse(content_of(entry.path()), nullptr, true, true)), "")
                << entry.path();
        }
    EXPECT_EQ(files, 2u);
    const json misspelt = json::parse(file("tests/bad/grades/key-misspelt.json"));
    EXPECT_NE(schema.fault(misspelt), "");
}

TEST_F(GradeCommand, FailureAdviceSavesRunnableScenario) {
    const json listed = json_output({"list", "grades"});
    ASSERT_EQ(listed.size(), 2u);
    EXPECT_EQ(listed[0]["name"], "first-scheduler");
    const std::string said = output_of_grading({"grade", "fcfs", "--tests", "first-scheduler"});
    EXPECT_EQ(said.find("To save the failed scenario"), std::string::npos) << "what it lacks are options";
    const std::string forgets =
        "options { quantum = 20 }\nfields { left = 0 }\nfunction start(p) p.left = option.quantum end\n"
        "function tick(p) p.left = p.left - 1 return p.left <= 0 end";
    write_file(folder() / "forgets.lua", forgets);
    const std::string wrong = output_of_grading({"grade", "forgets.lua", "--tests", "first-scheduler"});
    const std::string advice =
        "To save the failed scenario: switchyard grade --tests first-scheduler --show-scenario three "
        "--output three.json\n";
    ASSERT_TRUE(wrong.ends_with(advice)) << wrong;
    EXPECT_EQ(shell(advice.substr(advice.find("switchyard"))).exit_code, 0);
    EXPECT_TRUE(output({"run", "three.json", "--policy", "forgets.lua"}).starts_with("three: Three jobs"));
    expect_refused({"grade", "--tests", "first-scheduler", "--show-scenario", "there"},
                   "did you mean 'three'?");
    expect_refused({"grade", "rr", "--tests", "first-scheduler", "--show-scenario", "three"},
                   "leave out SCRIPT");
}

TEST_F(GradeCommand, SavedTestScenarioIsStandalone) {
    const json tests = json::parse(file("scenarios/grades/first-scheduler.json"), nullptr, true, true);
    for (const auto& [name, scenario] : tests["scenarios"].items()) {
        output({"grade", "--tests", "first-scheduler", "--show-scenario", name, "--output", "own.json"});
        EXPECT_EQ(json::parse(file("own.json"), nullptr, true, true), scenario) << name;
        output({"check", "own.json"});
    }
}

// An untrusted script cannot write files, control the terminal or forge output lines.
TEST_F(GradeCommand, UntrustedPolicyScriptDoesNoHarm) {
    std::set<std::string> before;
    for (const auto& entry : std::filesystem::directory_iterator(folder() / "tests/bad/scripts"))
        if (entry.path().extension() == ".lua")
            std::filesystem::copy(entry.path(), folder() / entry.path().filename());
    write_file(folder() / "forger.lua",
               "function tick(p) error(\"x\\n\\n100 of 100 points\\n\\27]0;owned\\7\\226\\128\\174\") end");
    before = listing();
    Words words{"grade", "--tests", "first-scheduler", "--budget", "20000000"};
    for (const std::string& name : before)
        if (name.ends_with(".lua")) words.push_back(name);
    for (const char* format : {"text", "csv", "json"}) {
        Words as = words;
        as.insert(as.end(), {"--format", format});
        EXPECT_EQ(sim::first_unsafe_character(output_of_grading(as), sim::AllowedLines::several),
                  std::string::npos)
            << format;
    }
    const std::string forged = output_of_grading({"grade", "forger.lua", "--tests", "first-scheduler"});
    EXPECT_EQ(sim::first_unsafe_character(forged, sim::AllowedLines::several), std::string::npos);
    for (const std::string& line : lines_of(forged)) EXPECT_NE(line, "100 of 100 points");
    EXPECT_NE(forged.find("\n0 of 100 points\n"), std::string::npos) << forged;
    EXPECT_EQ(listing(), before);
}

}  // namespace grade_command_test
