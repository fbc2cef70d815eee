// Tests of the manual pages: one for each command, as complete as --help, and without errors from man.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tests/support/command_line.h"

namespace manual_test {

namespace fs = std::filesystem;

class Manual : public CommandLine {
  protected:
    void SetUp() override {
        CommandLine::SetUp();
        output({"manual", folder().string()});
    }
    // The page with roff hyphens replaced by '-'.
    std::string page(const std::string& name) const {
        return std::regex_replace(content_of(folder() / (name + ".1")), std::regex(R"(\\-)"), "-");
    }
};

TEST_F(Manual, ProgramAndEveryCommandHavePages) {
    std::set<std::string> pages{"switchyard.1"};
    for (const std::string& command : commands()) pages.insert("switchyard-" + command + ".1");
    std::set<std::string> files = listing();
    std::erase_if(files, [](const std::string& name) { return !name.ends_with(".1"); });
    EXPECT_EQ(files, pages);
}

TEST_F(Manual, CrossReferenceUsesManFormat) {
    EXPECT_NE(page("switchyard").find("\\fB\\%switchyard-ui\\fR(1)"), std::string::npos)
        << page("switchyard");
}

TEST_F(Manual, PageHasEachOptionAndSection) {
    const std::regex option(R"(--[a-z-]+)");
    for (const std::string& command : commands()) {
        const std::string help = output({command, "--help"}), text = page("switchyard-" + command);
        for (std::sregex_iterator o(help.begin(), help.end(), option), end; o != end; ++o)
            EXPECT_NE(text.find(o->str()), std::string::npos) << command << " " << o->str();
        for (const char* section :
             {"NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "FILES", "EXAMPLES", "SEE ALSO"})
            EXPECT_NE(text.find(fmt::format("\n.SH {}\n", section)), std::string::npos)
                << command << " " << section;
    }
}

TEST_F(Manual, PageHasExamplesOfHelp) {
    std::size_t examples = 0;
    for (const std::string& command : commands()) {
        // The page without the escapes of characters that occur in examples.
        std::string text = page("switchyard-" + command);
        for (const auto& [escape, character] :
             {std::pair{R"(\\\(aq)", "'"}, {R"(\|\\:)", "|"}, {R"(\\\(ti)", "~"}, {R"(\\e)", "\\"}})
            text = std::regex_replace(text, std::regex(escape), character);
        const std::string help = output({command, "--help"});
        const std::size_t begin = help.find("\nExamples:\n");
        ASSERT_NE(begin, std::string::npos) << help;
        std::size_t of_command = 0;
        for (const std::string& line : lines_of(help.substr(begin + 11))) {
            if (line.empty()) break;
            ++of_command;
            EXPECT_NE(text.find(fmt::format(".EX\n{}\n.EE\n", line.substr(2))), std::string::npos)
                << command << ": " << line;
        }
        EXPECT_GT(of_command, 0u) << command;
        examples += of_command;
    }
    EXPECT_GT(examples, commands().size());
}

TEST_F(Manual, ProgramPageListsPoliciesAndScenarios) {
    const std::string text = page("switchyard");
    for (const char* what : {"policies", "scenarios"})
        for (const nlohmann::json& entry : json_output({"list", what}))
            EXPECT_NE(text.find(fmt::format(".TP\n\\fB{}\\fR\n", entry.at("name").get<std::string>())),
                      std::string::npos)
                << entry.at("name");
}

TEST_F(Manual, ManReportsNoWarnings) {
    if (shell("man --version").exit_code != 0) GTEST_SKIP() << "there is no man here";
    for (const std::string& name : listing()) {
        if (!name.ends_with(".1")) continue;
        const Finished f =
            shell(fmt::format("LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings -E UTF-8 -l {} >/dev/null", name));
        EXPECT_EQ(f.exit_code, 0) << name << "\n" << f;
        EXPECT_EQ(f.err, "") << name;
    }
}

TEST_F(Manual, MissingDirectoryIsError) {
    const Finished f = switchyard({"manual", "no/such/folder"});
    EXPECT_EQ(f.exit_code, 2) << f;
    EXPECT_NE(f.err, "");
}

}  // namespace manual_test
