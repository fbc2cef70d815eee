// Checks docs/claims.json: each claim is complete, docs/reference/claims.md lists and counts all claims, and
// the commands of a claim print the values that it states.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/markdown.h"
#include "tests/support/numbers.h"
#include "tests/support/program.h"
#include "tests/support/test_sizes.h"

namespace claims_test {

namespace fs = std::filesystem;

const fs::path kSource = SWITCHYARD_SOURCE_DIR;
// The possible statuses, in the order of the page's summary.
constexpr std::array<std::string_view, 8> kStatuses{"reproduced", "predicted", "fitted",  "tuned",
                                                    "put in",     "shown",     "refuted", "out of reach"};
// Statuses of claims that must state a value of the simulator.
const std::set<std::string_view> kWithOurs{"predicted", "fitted", "tuned", "shown"};

struct Claim {
    std::string id, document, place, says, status, how;
    std::vector<std::string> numbers;  // values in the document, in its order
};

std::vector<std::string> page() {
    std::vector<std::string> lines;
    std::ifstream in(kSource / "docs/reference/claims.md");
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

const std::vector<Claim>& claims() {
    static const std::vector<Claim> list = [] {
        std::ifstream in(kSource / "docs/claims.json");
        std::vector<Claim> read;
        for (const nlohmann::json& object : nlohmann::json::parse(in)) {
            Claim& claim = read.emplace_back();
            claim.id = object.at("id");
            claim.document = object.at("document");
            claim.place = object.at("place");
            claim.says = object.at("says");
            claim.status = object.at("status");
            claim.how = object.at("how");
            for (const nlohmann::json& figure : object.at("figures")) {
                claim.numbers.push_back(figure.at("number"));
                EXPECT_TRUE(figure.at("unit").is_string()) << claim.id;
            }
        }
        return read;
    }();
    return list;
}

// Returns the commands in the member `how` of the claim, where each command is in backticks.
std::vector<std::string> commands_of(const Claim& line) {
    static const std::regex command("`(switchyard [^`]*)`");
    std::vector<std::string> commands;
    for (std::sregex_iterator match(line.how.begin(), line.how.end(), command), end; match != end; ++match)
        commands.push_back((*match)[1]);
    return commands;
}

// Returns the values of the simulator: the numbers from the word "here" to the end of the sentence or to a
// semicolon.
std::vector<std::string> ours_of(const Claim& line) {
    static const std::regex code("`[^`]*`"), here(R"(\b[Hh]ere\b(.*?)(;|\.(?= |$)|$))");
    const std::string prose = std::regex_replace(line.how, code, " ");
    std::vector<std::string> ours;
    for (std::sregex_iterator match(prose.begin(), prose.end(), here), end; match != end; ++match)
        for (const std::string& number : numbers_in((*match)[1])) ours.push_back(number);
    return ours;
}

// Whether `some` is a subsequence of `all`.
bool in_order(const std::vector<std::string>& some, const std::vector<std::string>& all) {
    std::size_t next = 0;
    for (const std::string& each : all) next += next < some.size() && some[next] == each;
    return next == some.size();
}

TEST(Claims, OurValuesFollowTheWordHere) {
    Claim line;
    line.how = "`switchyard run x --until 7s`: here 3,123 of 4.5; so 8. Not here: see model 9. Here 10.";
    EXPECT_EQ(ours_of(line), (std::vector<std::string>{"3123", "4.5", "9", "10"}));
    EXPECT_EQ(commands_of(line), std::vector<std::string>{"switchyard run x --until 7s"});
}

TEST(Claims, IdsAreUniqueAndNumbersMatchText) {
    std::set<std::string> ids;
    for (const Claim& claim : claims()) {
        EXPECT_TRUE(ids.insert(claim.id).second) << claim.id << " is there twice";
        EXPECT_FALSE(claim.place.empty()) << claim.id;
        EXPECT_TRUE(in_order(claim.numbers, numbers_in(claim.says)))
            << claim.id << ": the document has " << fmt::format("{}", fmt::join(claim.numbers, ", "));
        for (const std::string* cell : {&claim.says, &claim.how})
            EXPECT_EQ(cell->find_first_of("|\n"), std::string::npos) << claim.id << ": no cell of a table";
    }
    EXPECT_GE(ids.size(), 328u) << "claims are missing";
}

TEST(Claims, EveryDocumentHasMarkerOnPage) {
    const std::vector<std::string> text = page();
    for (const Claim& claim : claims())
        EXPECT_EQ(std::count(text.begin(), text.end(), "<!-- claims: " + claim.document + " -->"), 1)
            << claim.document;
}

TEST(Claims, HaveStatusAndCommandOrReason) {
    for (const Claim& line : claims()) {
        EXPECT_NE(std::find(kStatuses.begin(), kStatuses.end(), line.status), kStatuses.end())
            << line.id << ": '" << line.status << "' is no status";
        EXPECT_FALSE(line.says.empty()) << line.id;
        EXPECT_FALSE(line.how.empty()) << line.id;
        if (line.status == "out of reach") continue;
        EXPECT_FALSE(commands_of(line).empty()) << line.id << ": which command shows it?";
        if (!kWithOurs.contains(line.status)) continue;
        EXPECT_FALSE(ours_of(line).empty()) << line.id << ": what is the figure here?";
    }
}

TEST(Claims, LinksLeadToFileAndHeading) {
    for (const Claim& claim : claims())
        for (const std::string& target : markdown::link_targets(claim.how)) {
            if (markdown::is_external(target)) continue;
            EXPECT_TRUE(markdown::has_target(kSource / "docs/reference/claims.md", target))
                << claim.id << ": there is no " << target;
        }
}

TEST(Claims, SummaryCountsEveryStatus) {
    std::vector<std::string> documents;
    std::map<std::string, std::map<std::string, int>> counts;
    for (const Claim& line : claims()) {
        if (!counts.contains(line.document)) documents.push_back(line.document);
        ++counts[line.document][line.status];
        ++counts["all"][line.status];
    }
    documents.emplace_back("all");
    const std::vector<std::string> text = page();
    for (const std::string& document : documents) {
        std::string row = "| " + document + " |";
        for (const std::string_view status : kStatuses)
            row += fmt::format(" {} |", counts[document][std::string(status)]);
        EXPECT_NE(std::find(text.begin(), text.end(), row), text.end()) << "the summary should say\n" << row;
    }
}

TEST(Claims, CommandsPrintStatedValues) {
    if (!kThorough) GTEST_SKIP() << "all published tables are simulated: only in thorough builds";
    const char* path = std::getenv("PATH");
    const ProgramSetup start{kSource,
                             "",
                             {fmt::format("PATH={}:{}", fs::path(SWITCHYARD_BINARY).parent_path().string(),
                                          path == nullptr ? "/usr/bin:/bin" : path)}};
    // Numbers in the output of each command, which runs once.
    std::map<std::string, std::set<std::string>> printed;
    for (const Claim& line : claims()) {
        std::set<std::string> known;
        for (const std::string& command : commands_of(line)) {
            if (!printed.contains(command)) {
                const Finished f = run_program({"/bin/sh", "-c", command}, start);
                // `reproduce` exits with 1 if a table cell is out of tolerance. This exit code is accepted
                // here, because the claim may be about such a cell.
                const bool is_table = command.starts_with("switchyard reproduce");
                EXPECT_TRUE(f.exit_code == 0 || (is_table && f.exit_code == 1))
                    << line.id << ": $ " << command << "\n"
                    << f;
                const std::vector<std::string> numbers = numbers_in(f.out);
                printed[command].insert(numbers.begin(), numbers.end());
            }
            known.insert(printed[command].begin(), printed[command].end());
        }
        for (const std::string& number : ours_of(line))
            EXPECT_TRUE(known.contains(number)) << line.id << ": no command of the line prints " << number;
    }
}

}  // namespace claims_test
