// Tests of the reader of student rosters: files in the forms that schools export, and errors in invalid
// files.
#include "sim/quiz/roster.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sim/base/problem.h"
#include "sim/base/rng.h"

namespace roster_test {

using namespace sim;
using namespace sim::quiz;

std::vector<std::string> problems(const std::string& text) {
    std::vector<std::string> list;
    try {
        read_roster("class.csv", text, 1);
    } catch (const ScenarioError& error) {
        for (const Problem& problem : error.problems()) list.push_back(problem.text());
    }
    return list;
}

TEST(Roster, AcceptsReorderedAndExtraColumns) {
    const auto students =
        read_roster("class.csv", "Mail,Name,ID\nx,\"Lovelace, Ada\",s1\ny, Ben ,s2\nz,,s3\n", 1);
    ASSERT_EQ(students.size(), 3u);
    EXPECT_EQ(students[0].id, "s1");
    EXPECT_EQ(students[0].name, "Lovelace, Ada");
    EXPECT_EQ(students[1].name, "Ben");
    EXPECT_EQ(students[2].name, "s3");
    EXPECT_EQ(read_roster("class.csv", "id;name\r\na@b.org;Zo\xc3\xab\r\n", 1).front().name, "Zo\xc3\xab");
    EXPECT_EQ(read_roster("class.csv", "id\n7\n", 1).front().name, "7");
}

TEST(Roster, SeedDependsOnlyOnStudentAndClass) {
    std::string text = "id,name\n";
    for (int i = 0; i < 500; ++i) text += fmt::format("s{},x\n", i);
    const auto students = read_roster("class.csv", text, 7);
    std::set<std::uint64_t> seeds;
    for (const Student& s : students) seeds.insert(s.seed);
    EXPECT_EQ(seeds.size(), 500u);
    EXPECT_EQ(read_roster("class.csv", "id\ns77\n", 7).front().seed, students[77].seed);
    EXPECT_NE(read_roster("class.csv", "id\ns77\n", 8).front().seed, students[77].seed);
}

TEST(Roster, ReportsBadRowsWithPosition) {
    EXPECT_EQ(
        problems("id,name\ns1,Ann\n,Ben\nS1,Cy\n../x,Dan\ns2,\"E\nva\"\n"),
        (std::vector<std::string>{
            "class.csv:3:1: this student has no id", "class.csv:4:1: duplicate id 'S1': it is also in line 2",
            "class.csv:5:1: '../x' is not a valid id: it names files, so it must have at most 64 letters, "
            "digits and . _ @ + -, and start with a letter or a digit",
            "class.csv:6:4: expected a name of at most 200 bytes in one line"}));
    EXPECT_EQ(
        problems("name,mail\nAnn,x\n"),
        std::vector<std::string>{"class.csv:1:1: there is no column 'id'; the columns here are name, mail"});
    EXPECT_EQ(problems("id;name,mail\ns1;Ann,x\n"),
              std::vector<std::string>{
                  "class.csv:1:1: there is no column 'id'; the columns here are id;name, mail"})
        << "a comma is what separates, where there is one";
    EXPECT_EQ(problems("id,name\n"),
              std::vector<std::string>{
                  "class.csv:1:1: no students: expected a line for each student below this line"});
    EXPECT_EQ(problems("").size(), 1u);
    EXPECT_EQ(problems("id\ns\xff\n").size(), 1u);
    std::string many = "id\n";
    for (int i = 0; i < 1001; ++i) many += fmt::format("{}\n", i);
    EXPECT_EQ(problems(many), std::vector<std::string>{"class.csv:1002:1: expected at most 1000 students"});
}

TEST(Roster, RandomBytesAreReadOrRefused) {
    const std::string good = "id,name\r\ns1,\"Lovelace, Ada\"\ns2,\"Ben \"\"B\"\"\"\ns3,Zo\xc3\xab\n";
    std::uint64_t stream = 1;
    int read = 0, refused = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = good;
        for (std::uint64_t changes = 1 + random_below(stream, 3); changes > 0 && !text.empty(); --changes) {
            const std::size_t at = random_below(stream, text.size());
            if (random_below(stream, 2) == 0)
                text[at] = "\",;\r\n\0x/\xff"[random_below(stream, 9)];
            else
                text.erase(at, 1 + random_below(stream, 9));
        }
        try {
            for (const Student& s : read_roster("r.csv", text, 1)) EXPECT_TRUE(is_student_id(s.id)) << text;
            ++read;
        } catch (const ScenarioError& error) {
            for (const Problem& problem : error.problems())
                EXPECT_TRUE(problem.text().starts_with("r.csv:")) << text;
            ++refused;
        }
    }
    EXPECT_GT(read, 300);
    EXPECT_GT(refused, 300);
}

TEST(ClassPlan, StudentsGetDifferentQuestionsOfEqualDifficulty) {
    ClassPlan plan{.topic = {}, .level = {}, .seed = 5, .from = 4, .count = 12, .students = {}};
    const std::vector<QuestionId> ann = questions_of(plan, {"s1", "Ann", 17}),
                                  ben = questions_of(plan, {"s2", "Ben", 18});
    ASSERT_EQ(ann.size(), 12u);
    std::set<Level> levels;
    for (std::size_t i = 0; i < ann.size(); ++i) {
        EXPECT_EQ(ann[i].topic, ben[i].topic);
        EXPECT_EQ(ann[i].level, ben[i].level);
        EXPECT_EQ(ann[i].number, i + 4);
        EXPECT_EQ(ann[i].seed, 17u);
        EXPECT_EQ(ben[i].seed, 18u);
        levels.insert(ann[i].level);
    }
    EXPECT_GT(levels.size(), 1u);
    plan.level = Level::hard;
    for (const QuestionId& id : questions_of(plan, {"s1", "Ann", 17})) EXPECT_EQ(id.level, Level::hard);
}

TEST(ClassPlan, RoundTripsAndRefusesInvalidFiles) {
    ClassPlan plan{"vmstat", Level::hard, 9, 3, 5, {{"s1", "Ann \"A\"", 17}, {"s2", "Zo\xc3\xab", 18}}};
    EXPECT_EQ(read_class("class.json", class_json(plan)), plan);
    plan.topic.clear();
    plan.level.reset();
    EXPECT_EQ(read_class("class.json", class_json(plan)), plan);
    const std::string good = class_json(plan);
    for (const auto& [from, to] :
         std::vector<std::pair<std::string, std::string>>{{"switchyard-class/1", "switchyard-class/2"},
                                                          {"\"topic\": \"\"", "\"topic\": \"vmsat\""},
                                                          {"\"level\": \"\"", "\"level\": 3"},
                                                          {"\"level\": \"\"", "\"level\": \"hrad\""},
                                                          {"\"count\": 5", "\"count\": 1001"},
                                                          {"\"from\": 3", "\"from\": 0"},
                                                          {"\"from\": 3", "\"from\": -1"},
                                                          {"\"seed\": 9", "\"seed\": 9.5"},
                                                          {"\"seed\": 9", "\"seed\": -9"},
                                                          {"\"seed\": 17", "\"seed\": 1e300"},
                                                          {"Ann", "\\u001b[2JAnn"},
                                                          {"\"s2\"", "\"../s2\""},
                                                          {"\"s2\"", "\"S1\""}}) {
        std::string bad = good;
        bad.replace(bad.find(from), from.size(), to);
        EXPECT_THROW(read_class("class.json", bad), ScenarioError) << to;
    }
}

}  // namespace roster_test
