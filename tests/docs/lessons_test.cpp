// Checks the structure of each lesson. docs_test.cpp checks the output of commands and the figures.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/markdown.h"
#include "tests/support/test_name.h"

namespace lessons_test {

namespace fs = std::filesystem;

const fs::path kLessons = fs::path(SWITCHYARD_SOURCE_DIR) / "docs/tutorials";

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

struct Page {
    std::string prose, console;  // text outside and inside console blocks
};

Page read_page(const fs::path& file) {
    Page page;
    const std::vector<std::string> lines = markdown::lines_of(file);
    std::size_t next = 0;  // line
    const auto take_prose = [&](std::size_t end) {
        for (; next < end; ++next) page.prose += lines[next] + "\n";
    };
    for (const markdown::Fence& fence : markdown::fences(lines)) {
        take_prose(fence.begin);
        for (next = fence.begin + 1; next < fence.end; ++next)
            if (fence.info == "console") page.console += lines[next] + "\n";
        next = fence.end + 1;
    }
    take_prose(lines.size());
    return page;
}

bool is_teachers(const fs::path& page) { return page.stem().string().ends_with("-teacher"); }

// Returns the teacher's page that belongs to a lesson, or the lesson that belongs to a teacher's page.
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

class Lesson : public testing::TestWithParam<fs::path> {};

// Four workloads were tuned to reproduce published values, so agreement with these values is not a result.
// A lesson that uses one of the workloads must call it tuned, as `switchyard reproduce` does.
TEST_P(Lesson, TunedWorkloadIsLabelledTuned) {
    const std::string text = content_of(GetParam());
    const Page page = read_page(GetParam());
    for (const char* name : {"web-server", "goroutines", "reclamation", "php-fpm"}) {
        for (const char* command : {"run", "reproduce", "sweep", "compare"}) {
            if (text.find(fmt::format("switchyard {} {}", command, name)) == std::string::npos) continue;
            EXPECT_NE(page.prose.find("tuned"), std::string::npos) << name;
        }
    }
}

TEST_P(Lesson, HasRequiredParts) {
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
    EXPECT_TRUE(page.console.find("switchyard quiz ") != std::string::npos ||
                page.console.find("switchyard grade ") != std::string::npos)
        << "questions from the engine, or marks";
    EXPECT_NE(text.find("model leaves out"), std::string::npos);
    // At least one scenario has a tour in the window.
    std::size_t tours = 0;
    for (const std::string& name : sim::builtin_file_names(""))
        if (text.find("switchyard-ui " + name) != std::string::npos)
            tours += !sim::load_scenario(name).tour.empty();
    EXPECT_GE(tours, 1u);
}

TEST(Lessons, Have26Pages) { EXPECT_EQ(pages().size(), 26u); }

// A plan is the heading "## A plan for 90 minutes" followed by a table with the columns minutes, what and
// ask.
TEST(Lessons, PlansAddUpAndNameExistingStops) {
    const std::regex heading(R"(## A plan for (\d+) minutes.*)"), row(R"(\| (\d+) \| (.*) \| .* \|)"),
        tour("`([a-z0-9-]+)`, stops ([^;|]*)"), number(R"(\d+)");
    std::ifstream in(kLessons / "README.md");
    // The duration in the heading of a plan, and the sum of the minutes in its rows.
    std::vector<std::pair<int, int>> plans;
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
