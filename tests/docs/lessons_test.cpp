// Lessons say nothing that nobody has computed: each number in their prose is printed by a command on the
// page, or is given there with its source. And each has what a lesson needs.
//
// What the commands print is held by docs_test.cpp, and so are the figures.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/numbers.h"
#include "tests/support/optimised.h"
#include "tests/support/prose.h"
#include "tests/support/test_name.h"

namespace lessons_test {

namespace fs = std::filesystem;

const fs::path kLessons = fs::path(SWITCHYARD_SOURCE_DIR) / "docs/lessons";

std::string content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> pages() {
    std::vector<fs::path> files;
    if (fs::exists(kLessons))
        for (const auto& entry : fs::directory_iterator(kLessons))
            if (std::isdigit(static_cast<unsigned char>(entry.path().filename().string().front())) != 0)
                files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool is_teachers(const fs::path& page) { return page.stem().string().ends_with("-teacher"); }

// The lesson of a teacher's page, and the other way round.
fs::path sibling(const fs::path& page) {
    std::string stem = page.stem().string();
    if (is_teachers(page))
        stem.erase(stem.size() - std::string("-teacher").size());
    else
        stem += "-teacher";
    return page.parent_path() / (stem + ".md");
}

std::size_t count_of(const std::string& what, const std::string& text) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

TEST(Lessons, NumbersAreFoundAsTheyAreWritten) {
    EXPECT_EQ(numbers_in("24,289,115 in 17 h; 0.525, and 2.0.30. x86 20N 3."),
              (std::vector<std::string>{"24289115", "17", "0.525", "2.0.30", "20", "3"}));
}

class Lesson : public testing::TestWithParam<fs::path> {};

TEST_P(Lesson, HasNoNumberThatNobodyHasComputed) {
    if (!kOptimised) GTEST_SKIP() << "reads text, slowly: only in optimised builds";
    const Page page = read_page(GetParam()), other = read_page(sibling(GetParam()));
    std::set<std::string> known;
    for (const std::string* source : {&page.shown, &page.given, &other.shown})
        for (const std::string& number : numbers_in(*source)) known.insert(number);
    for (const std::string& number : numbers_in(page.prose))
        EXPECT_TRUE(known.contains(number))
            << GetParam().filename() << " says " << number
            << ": no command on the page prints it, and no comment '<!-- given: ...: source -->' has it";
    EXPECT_FALSE(numbers_in(page.shown).empty());
}

// Workloads whose numbers were tuned until published figures came out: that they do is no result.
// (`switchyard reproduce` calls these tables' cells tuned.)
TEST_P(Lesson, CallsATunedWorkloadTuned) {
    if (!kOptimised) GTEST_SKIP() << "reads text, slowly: only in optimised builds";
    const std::string text = content_of(GetParam());
    const Page page = read_page(GetParam());
    for (const char* name : {"web-server", "goroutines", "reclamation", "php-fpm"}) {
        for (const char* command : {"run", "reproduce", "sweep", "compare"}) {
            if (text.find(fmt::format("switchyard {} {}", command, name)) == std::string::npos) continue;
            EXPECT_NE(page.prose.find("tuned"), std::string::npos) << name;
        }
    }
}

TEST_P(Lesson, HasWhatALessonNeeds) {
    if (!kOptimised) GTEST_SKIP() << "reads text, slowly: only in optimised builds";
    const std::string text = content_of(GetParam());
    const Page page = read_page(GetParam());
    ASSERT_TRUE(fs::exists(sibling(GetParam()))) << "a lesson has a teacher's page, and the other way round";
    EXPECT_NE(text.find(sibling(GetParam()).filename().string()), std::string::npos)
        << "a link to the other page";
    if (is_teachers(GetParam())) return;
    EXPECT_LT(text.find("```console\n$ switchyard "), text.find("\n## ")) << "it opens with a command";
    EXPECT_GE(count_of(".svg)", text), 2u) << "figures";
    EXPECT_GE(count_of("<details>", text), 5u) << "questions with answers";
    EXPECT_EQ(count_of("<details>", text), count_of("</details>", text));
    EXPECT_TRUE(page.shown.find("switchyard quiz ") != std::string::npos ||
                page.shown.find("switchyard grade ") != std::string::npos)
        << "questions from the engine, or marks";
    EXPECT_NE(text.find("model leaves out"), std::string::npos);
    // A scenario that the window walks through.
    std::size_t tours = 0;
    for (const std::string& name : sim::builtin_names(""))
        if (text.find("switchyard-ui " + name) != std::string::npos)
            tours += !sim::load_scenario(name).tour.empty();
    EXPECT_GE(tours, 1u);
}

TEST(Lessons, AreThirteen) { EXPECT_EQ(pages().size(), 26u); }

// "## A plan for 90 minutes", and below it a table: minutes, what, ask.
TEST(Lessons, PlansAddUpAndNameStopsThatThereAre) {
    const std::regex heading(R"(## A plan for (\d+) minutes.*)"), row(R"(\| (\d+) \| (.*) \| .* \|)"),
        tour("`([a-z0-9-]+)`, stops ([^;|]*)"), number(R"(\d+)");
    std::ifstream in(kLessons / "README.md");
    std::vector<std::pair<int, int>> plans;  // what a plan promises, and the sum of its rows
    int tours = 0;
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
        if (std::regex_match(line, match, heading)) plans.emplace_back(std::stoi(match[1]), 0);
        if (plans.empty() || !std::regex_match(line, match, row)) continue;
        plans.back().second += std::stoi(match[1]);
        const std::string what = match[2];
        if (!std::regex_search(what, match, tour)) continue;
        ++tours;
        const std::size_t stops = sim::load_scenario(match[1]).tour.size();
        const std::string list = match[2];
        for (std::sregex_iterator stop(list.begin(), list.end(), number), end; stop != end; ++stop)
            EXPECT_LE(std::stoul(stop->str()), stops) << line;
    }
    ASSERT_EQ(plans.size(), 3u);
    EXPECT_EQ(tours, 13);
    for (const auto& [promised, sum] : plans) EXPECT_EQ(sum, promised);
}

TEST(Lessons, AreAllInTheIndex) {
    const std::string index = content_of(kLessons / "README.md");
    for (const fs::path& page : pages())
        EXPECT_NE(index.find("(" + page.filename().string() + ")"), std::string::npos) << page;
}

INSTANTIATE_TEST_SUITE_P(All, Lesson, testing::ValuesIn(pages()),
                         [](const auto& file) { return test_name(file.param.stem().string()); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Lesson);

}  // namespace lessons_test
