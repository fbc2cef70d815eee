// docs/seeds.md goes through five documents line by line and says of each figure and each claim how the
// simulator stands to it. Held here: tests/seeds/figures.json lists what the documents say, and none of it is
// missing on the page; the commands of a line run, and print the figures that the line has for ours.
//
// A line is a row of the page's tables: id, what the document says, status, how to see it here.
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

#include "tests/support/numbers.h"
#include "tests/support/optimised.h"
#include "tests/support/program.h"

namespace seeds_test {

namespace fs = std::filesystem;

const fs::path kSource = SWITCHYARD_SOURCE_DIR;
constexpr const char* kHeader = "| id | what the document says | status | how to see it here |";

// What a line may say, in the order of the page's summary.
constexpr std::array<std::string_view, 8> kStatuses{"reproduced", "predicted", "fitted",  "tuned",
                                                    "put in",     "shown",     "refuted", "out of reach"};
// Those that are about a figure of ours, which the line has to name.
const std::set<std::string_view> kWithOurs{"predicted", "fitted", "tuned", "shown"};

struct Line {
    std::size_t number = 0;  // of the page, from 1
    std::string document, id, says, status, how;
};

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last + 1 - first);
}

std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    std::size_t begin = 1;
    for (std::size_t end; (end = row.find('|', begin)) != std::string::npos; begin = end + 1)
        cells.push_back(trimmed(row.substr(begin, end - begin)));
    return cells;
}

std::vector<std::string> page() {
    std::vector<std::string> lines;
    std::ifstream in(kSource / "docs/seeds.md");
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<Line> lines_of_tables() {
    std::vector<Line> lines;
    std::string document;
    bool inside = false;
    const std::vector<std::string> text = page();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i].starts_with("## ")) document = text[i].substr(3);
        if (text[i] == kHeader) {
            inside = true;
            ++i;  // the rule below it
            continue;
        }
        inside = inside && text[i].starts_with("|");
        if (!inside) continue;
        const std::vector<std::string> cells = cells_of(text[i]);
        EXPECT_EQ(cells.size(), 4u) << "docs/seeds.md:" << i + 1 << ": a line has four cells";
        if (cells.size() != 4) continue;
        lines.push_back({i + 1, document, cells[0], cells[1], cells[2], cells[3]});
    }
    return lines;
}

std::string place(const Line& line) { return fmt::format("docs/seeds.md:{}: {}", line.number, line.id); }

// The commands in backticks.
std::vector<std::string> commands_of(const Line& line) {
    static const std::regex command("`(switchyard [^`]*)`");
    std::vector<std::string> commands;
    for (std::sregex_iterator match(line.how.begin(), line.how.end(), command), end; match != end; ++match)
        commands.push_back((*match)[1]);
    return commands;
}

// The figures of ours: those after the word "here", to the end of the sentence or of the part of it.
std::vector<std::string> ours_of(const Line& line) {
    static const std::regex code("`[^`]*`"), here(R"(\b[Hh]ere\b(.*?)(;|\.(?= |$)|$))");
    const std::string prose = std::regex_replace(line.how, code, " ");
    std::vector<std::string> ours;
    for (std::sregex_iterator match(prose.begin(), prose.end(), here), end; match != end; ++match)
        for (const std::string& number : numbers_in((*match)[1])) ours.push_back(number);
    return ours;
}

// An entry of figures.json: a place of a document, and the numbers that stand there, in their order.
struct Entry {
    std::string id, document, place;
    std::vector<std::string> numbers;
};

std::vector<Entry> entries() {
    std::ifstream in(kSource / "tests/seeds/figures.json");
    std::vector<Entry> list;
    for (const nlohmann::json& object : nlohmann::json::parse(in)) {
        Entry& entry = list.emplace_back();
        entry.id = object.at("id");
        entry.document = object.at("document");
        entry.place = object.at("place");
        for (const nlohmann::json& figure : object.at("figures")) {
            entry.numbers.push_back(figure.at("number"));
            EXPECT_TRUE(figure.at("unit").is_string()) << entry.id;
        }
    }
    return list;
}

// Whether all of `some` are in `all`, in that order, with others in between.
bool in_order(const std::vector<std::string>& some, const std::vector<std::string>& all) {
    std::size_t next = 0;
    for (const std::string& each : all) next += next < some.size() && some[next] == each;
    return next == some.size();
}

TEST(Seeds, OursAreFoundBehindHere) {
    Line line;
    line.how = "`switchyard run x --until 7s`: here 3,123 of 4.5; so 8. Not here: see model 9. Here 10.";
    EXPECT_EQ(ours_of(line), (std::vector<std::string>{"3123", "4.5", "9", "10"}));
    EXPECT_EQ(commands_of(line), std::vector<std::string>{"switchyard run x --until 7s"});
}

TEST(Seeds, NothingThatADocumentSaysIsMissing) {
    std::map<std::string, Line> by_id;
    for (const Line& line : lines_of_tables())
        EXPECT_TRUE(by_id.emplace(line.id, line).second) << place(line) << " is there twice";
    std::set<std::string> known;
    for (const Entry& entry : entries()) {
        EXPECT_TRUE(known.insert(entry.id).second) << entry.id << " is twice in figures.json";
        EXPECT_FALSE(entry.place.empty()) << entry.id;
        if (!by_id.contains(entry.id)) {
            ADD_FAILURE() << entry.id << " (" << entry.place << ") is not on docs/seeds.md";
            continue;
        }
        const Line& line = by_id.at(entry.id);
        EXPECT_EQ(line.document, entry.document) << place(line);
        EXPECT_TRUE(in_order(entry.numbers, numbers_in(line.says)))
            << place(line) << ": the document says " << fmt::format("{}", fmt::join(entry.numbers, ", "));
    }
    for (const auto& [id, line] : by_id)
        EXPECT_TRUE(known.contains(id)) << place(line) << " is not in figures.json";
    EXPECT_GT(known.size(), 300u);
}

TEST(Seeds, ALineHasAStatusAndEitherACommandOrAReason) {
    for (const Line& line : lines_of_tables()) {
        EXPECT_NE(std::find(kStatuses.begin(), kStatuses.end(), line.status), kStatuses.end())
            << place(line) << ": '" << line.status << "' is no status";
        EXPECT_FALSE(line.says.empty()) << place(line);
        EXPECT_FALSE(line.how.empty()) << place(line);
        if (line.status == "out of reach") continue;
        EXPECT_FALSE(commands_of(line).empty()) << place(line) << ": which command shows it?";
        if (!kWithOurs.contains(line.status)) continue;
        EXPECT_FALSE(ours_of(line).empty()) << place(line) << ": what is the figure here?";
    }
}

TEST(Seeds, TheSummaryCountsTheLines) {
    std::vector<std::string> documents;
    std::map<std::string, std::map<std::string, int>> counts;
    for (const Line& line : lines_of_tables()) {
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

TEST(Seeds, CommandsPrintWhatTheLinesSay) {
    if (!kThorough) GTEST_SKIP() << "all published tables are simulated: only in thorough builds";
    const char* path = std::getenv("PATH");
    const ProgramStart start{kSource,
                             "",
                             {fmt::format("PATH={}:{}", fs::path(SWITCHYARD_BINARY).parent_path().string(),
                                          path == nullptr ? "/usr/bin:/bin" : path)}};
    std::map<std::string, std::set<std::string>> printed;  // by each command, once
    for (const Line& line : lines_of_tables()) {
        std::set<std::string> known;
        for (const std::string& command : commands_of(line)) {
            if (!printed.contains(command)) {
                const Finished f = run_program({"/bin/sh", "-c", command}, start);
                // `reproduce` ends with 1 when a cell is out of its tolerance, which the line may be about.
                const bool is_table = command.starts_with("switchyard reproduce");
                EXPECT_TRUE(f.exit_code == 0 || (is_table && f.exit_code == 1))
                    << place(line) << ": $ " << command << "\n"
                    << f;
                const std::vector<std::string> numbers = numbers_in(f.out);
                printed[command].insert(numbers.begin(), numbers.end());
            }
            known.insert(printed[command].begin(), printed[command].end());
        }
        for (const std::string& number : ours_of(line))
            EXPECT_TRUE(known.contains(number))
                << place(line) << ": no command of the line prints " << number;
    }
}

}  // namespace seeds_test
