// Tests of quizzes for a class: thirty sheets with known mistakes are graded. Also tests other ways to hand
// in answers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/csv.h"
#include "sim/quiz/question.h"
#include "tests/support/command_line.h"
#include "tests/support/gift_reader.h"
#include "tests/support/xml_tree.h"

namespace quiz_class_test {

using nlohmann::json;
namespace quiz = sim::quiz;

// The known answers of one student.
struct Truth {
    int right = 0, answered = 0;
    std::map<std::string, int> mistakes;
};

class QuizClass : public CommandLine {
  protected:
    static std::string id(int i) { return fmt::format("s{:02}", i); }
    static std::string name(int i) { return i == 0 ? "=SUM(A1:A9), Ann" : fmt::format("Student {}", i); }

    void write_roster(int students) const {
        std::string text = "name,id\n";
        for (int i = 0; i < students; ++i) text += fmt::format("\"{}\",{}\n", name(i), id(i));
        write_file(folder() / "roster.csv", text);
    }
    std::filesystem::path answers_of(int i) const { return folder() / ("monday/answers/" + id(i) + ".json"); }

    // Fills in the answers of student i. The answer to question k is the choice (i + k) % 4 places after
    // the right one, counted in a circle of five places. If there is no choice at that place, the question
    // is not answered.
    Truth fill_in(int i) const {
        Truth truth;
        json sheet = json::parse(content_of(answers_of(i)));
        int k = 0;
        for (auto& [question, answer] : sheet.items()) {
            const quiz::Question q = make_question(quiz::parse_id(question));
            const std::size_t choice = (q.answer_index() + static_cast<std::size_t>((i + k++) % 4)) % 5;
            if (choice >= q.choices.size()) continue;
            answer = std::string(1, quiz::key_of(choice));
            ++truth.answered;
            if (q.choices[choice].correct())
                ++truth.right;
            else
                ++truth.mistakes[std::string(name_of(q.choices[choice].misconception))];
        }
        write_file(answers_of(i), sheet.dump());
        return truth;
    }
};

TEST_F(QuizClass, GradesThirtySheetsWithKnownMistakes) {
    constexpr int kStudents = 30, kQuestions = 8;
    write_roster(kStudents);
    output({"quiz", "--class", "roster.csv", "--output", "monday", "--count", "8", "--seed", "11"});
    std::vector<Truth> truths;
    std::map<std::string, int> all, by;
    for (int i = 0; i < kStudents; ++i) {
        truths.push_back(fill_in(i));
        for (const auto& [mistake, times] : truths.back().mistakes) {
            all[mistake] += times;
            ++by[mistake];
        }
    }
    std::filesystem::remove(answers_of(29));  // student 29 hands in nothing
    for (const auto& [mistake, times] : truths[29].mistakes)
        if (all[mistake] -= times, --by[mistake]; all[mistake] == 0) all.erase(mistake), by.erase(mistake);
    truths[29] = {};
    ASSERT_GT(all.size(), 10u) << "many sorts of mistakes";

    const json marks = json_output({"quiz", "--grade", "monday"});
    const auto rows = sim::read_csv("marks.csv", output({"quiz", "--grade", "monday", "--format", "csv"}));
    ASSERT_EQ(marks.at("students").size(), std::size_t{kStudents});
    ASSERT_EQ(rows.size(), std::size_t{kStudents + 1});
    int right = 0;
    for (int i = 0; i < kStudents; ++i) {
        const Truth& truth = truths[static_cast<std::size_t>(i)];
        const json& s = marks.at("students").at(static_cast<std::size_t>(i));
        EXPECT_EQ(s.at("id"), id(i));
        EXPECT_EQ(s.at("name"), name(i));
        EXPECT_EQ(s.at("asked"), kQuestions);
        EXPECT_EQ(s.at("right"), truth.right) << id(i);
        EXPECT_EQ(s.at("answered"), truth.answered) << id(i);
        EXPECT_EQ(s.at("handed_in"), i != 29);
        EXPECT_EQ(s.at("misconceptions"), json(truth.mistakes)) << id(i);
        right += truth.right;

        const sim::CsvRow& row = rows[static_cast<std::size_t>(i) + 1];
        ASSERT_EQ(row.size(), 5 + all.size());
        EXPECT_EQ(row[1].text, i == 0 ? "'" + name(i) : name(i)) << "nothing for a spreadsheet to compute";
        EXPECT_EQ(row[3].text, std::to_string(truth.answered));
        EXPECT_EQ(row[4].text, std::to_string(truth.right));
        for (std::size_t column = 5; column < row.size(); ++column) {
            const auto made = truth.mistakes.find(rows[0][column].text);
            EXPECT_EQ(row[column].text, std::to_string(made == truth.mistakes.end() ? 0 : made->second));
        }
    }
    EXPECT_EQ(marks.at("right"), right);
    EXPECT_EQ(marks.at("misconceptions"), json(all));
    EXPECT_EQ(marks.at("students_with"), json(by));

    const std::string text = output({"quiz", "--grade", "monday"});
    EXPECT_NE(text.find(fmt::format("30 students: {} of 240 right, ", right)), std::string::npos) << text;
    for (std::size_t m = 1; m < quiz::kMisconceptions; ++m) {
        const auto mistake = static_cast<quiz::Misconception>(m);
        const std::string word(name_of(mistake));
        const std::string line = fmt::format("  {} x {}, by {}\n", all[word], title_of(mistake), by[word]);
        EXPECT_EQ(text.find(line) != std::string::npos, all[word] > 0) << line;
    }
}

TEST_F(QuizClass, EveryStudentGetsDifferentQuestions) {
    write_roster(6);
    output({"quiz", "recalculation", "--class", "roster.csv", "--output", "monday", "--count", "3", "--level",
            "easy", "--quiet"});
    std::set<std::string> questions, texts;
    for (int i = 0; i < 6; ++i) {
        const json open = json::parse(content_of(answers_of(i)));
        EXPECT_EQ(open.size(), 3u);
        const std::string sheet = content_of(folder() / ("monday/sheets/" + id(i) + ".txt"));
        EXPECT_TRUE(sheet.starts_with(name(i) + "  (" + id(i) + ")\n")) << sheet;
        EXPECT_EQ(sheet.find("Answer:"), std::string::npos);
        for (const auto& [question, answer] : open.items()) {
            EXPECT_EQ(answer, "");
            EXPECT_TRUE(question.starts_with("recalculation/easy/")) << question;
            questions.insert(question);
            const quiz::Question q = make_question(quiz::parse_id(question));
            texts.insert(q.situation);
            EXPECT_NE(sheet.find(question_text(q)), std::string::npos) << "the sheet has what is marked";
            EXPECT_NE(content_of(folder() / ("monday/solutions/" + id(i) + ".txt")).find(q.explanation),
                      std::string::npos);
        }
    }
    EXPECT_EQ(questions.size(), 18u);
    EXPECT_EQ(texts.size(), 18u) << "there is nothing to copy from a neighbour";
    // The same list and seed reproduce the same files, even if students are added.
    write_roster(7);
    output({"quiz", "recalculation", "--class", "roster.csv", "--output", "again", "--count", "3", "--level",
            "easy", "--quiet"});
    EXPECT_EQ(content_of(folder() / "again/sheets/s03.txt"), content_of(folder() / "monday/sheets/s03.txt"));
}

TEST_F(QuizClass, FailedCommandWritesNoFiles) {
    const auto before = listing();
    write_file(folder() / "roster.csv", "id,name\ns1,Ann\ns1,Ben\n/,Cy\n");
    const Finished f = switchyard({"quiz", "--class", "roster.csv", "--output", "monday"});
    EXPECT_EQ(f.exit_code, 2);
    EXPECT_NE(f.err.find("roster.csv:3:1: duplicate id 's1': it is also in line 2\n"), std::string::npos)
        << f;
    EXPECT_NE(f.err.find("roster.csv:4:1: '/' is not a valid id"), std::string::npos) << f;
    write_roster(2);
    std::filesystem::create_directory(folder() / "full");
    write_file(folder() / "full/x", "");
    expect_refused({"quiz", "--class", "roster.csv", "--output", "full"}, "full: already exists");
    expect_refused({"quiz", "--class", "roster.csv", "--output", "no/such/monday"},
                   "monday: cannot be created");
    expect_refused({"quiz", "--class", "roster.csv"}, "--output DIRECTORY");
    expect_refused({"quiz", "--class", "roster.csv", "--output", "x", "--format", "gift"},
                   "cannot be used with --format");
    auto after = listing();
    after.erase("roster.csv");
    after.erase("full");
    EXPECT_EQ(after, before);
    write_roster(51);
    expect_refused({"quiz", "--class", "roster.csv", "--output", "x", "--count", "1000"},
                   "51 students x 1000 questions are more than the limit of 50000");
    EXPECT_FALSE(std::filesystem::exists(folder() / "x"));
    std::filesystem::create_directory(folder() / "monday");  // an empty directory is accepted
    output({"quiz", "--class", "-", "--output", "monday/", "--count", "1", "--quiet"}, "id\ns1\n");
    EXPECT_TRUE(std::filesystem::exists(folder() / "monday/sheets/s1.txt"));
}

TEST_F(QuizClass, UnmarkableAnswersAreReportedTogether) {
    write_roster(3);
    output({"quiz", "vmstat", "--class", "roster.csv", "--output", "monday", "--count", "2"});
    const std::string mine = json::parse(content_of(answers_of(0))).begin().key();
    write_file(answers_of(0), fmt::format("{{\"{}\": \"z\"}}", mine));
    write_file(answers_of(1), fmt::format("{{\"{}\": \"a\"}}", mine));  // copied from another student
    write_file(folder() / "monday/answers/S3.json", "{}");
    const Finished f = switchyard({"quiz", "--grade", "monday"});
    EXPECT_EQ(f.exit_code, 2);
    EXPECT_EQ(f.out, "");
    EXPECT_NE(f.err.find("monday/answers/s00.json:1:"), std::string::npos) << f;
    EXPECT_NE(f.err.find("'z' is not a choice of this question"), std::string::npos) << f;
    EXPECT_NE(f.err.find(mine + "' is not on this sheet"), std::string::npos) << f;
    EXPECT_NE(f.err.find("S3.json: answers of an unknown student"), std::string::npos) << f;

    expect_refused({"quiz", "--grade", "."}, "./class.json: no such file");
    json plan = json::parse(content_of(folder() / "monday/class.json"));
    plan["count"] = 1000;
    for (int i = 3; i <= 50; ++i)
        plan["students"].push_back({{"id", fmt::format("more{}", i)}, {"name", "More"}, {"seed", i}});
    write_file(folder() / "monday/class.json", plan.dump());
    expect_refused({"quiz", "--grade", "monday"},
                   "51 students x 1000 questions are more than the limit of 50000");
    write_file(folder() / "monday/class.json", "{}");
    expect_refused({"quiz", "--grade", "monday"}, "not a file of `switchyard quiz --class`");
}

TEST_F(QuizClass, BlankAnswersEarnNoPoints) {
    expect_refused({"quiz", "--grade", "-"}, "standard input:1:1: the file has no answers", "{}");
    expect_refused({"quiz", "--grade", "-"}, "the input is empty; expected a JSON object", "");
    expect_refused({"quiz", "--grade", ""}, "expected a file, a directory or '-'");
    expect_refused({"quiz", "--grade", "-", "--format", "csv"}, "the marks of a class", "{}");
    const Finished f =
        switchyard({"quiz", "--grade", "-"}, R"({"vmstat/easy/1/1": " ", "vmstat/easy/1/2": ""})");
    EXPECT_EQ(f.exit_code, 1);
    EXPECT_NE(f.out.find("0 of 2 right, 2 not answered.\n"), std::string::npos) << f;
}

TEST_F(QuizClass, SavedAnswersGetSameScore) {
    const std::string said =
        output({"quiz", "--seed", "3", "--save-answers", "mine.json"}, "a\nnonsense\nb\n");
    EXPECT_EQ(json::parse(content_of(folder() / "mine.json")).size(), 2u);
    const Finished f = switchyard({"quiz", "--grade", "mine.json"});
    EXPECT_EQ(said.substr(said.rfind("\n\n")), f.out.substr(f.out.rfind("\n\n"))) << "the same score";
    expect_refused({"quiz", "--save-answers", "no/such/mine.json"}, "no/such/mine.json: cannot be written");
    expect_refused({"quiz", "--save-answers", "x.json", "--sheet"},
                   "with these options no question is asked");
}

TEST_F(QuizClass, GiftAndMoodleMatchJsonQuestions) {
    const Words call{"quiz", "--seed", "5", "--count", "14"};
    const auto as = [&](const std::string& format) {
        Words words = call;
        words.insert(words.end(), {"--format", format});
        return output(words);
    };
    Words with_answers = call;
    with_answers.push_back("--show-answers");
    const json questions = json_output(with_answers);
    const std::vector<GiftQuestion> gift = read_gift(as("gift"));
    const XmlElement moodle = read_xml(as("moodle"));
    ASSERT_EQ(gift.size(), questions.size());
    ASSERT_EQ(moodle.all("question").size(), questions.size());
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const XmlElement& element = *moodle.all("question")[i];
        EXPECT_EQ(gift[i].title, questions[i].at("id").get<std::string>());
        EXPECT_EQ(element.one("name").one("text").text, questions[i].at("id").get<std::string>());
        EXPECT_EQ(gift[i].text, element.one("questiontext").one("text").text);
        const auto answers = element.all("answer");
        ASSERT_EQ(answers.size(), questions[i].at("choices").size());
        ASSERT_EQ(gift[i].answers.size(), answers.size());
        for (std::size_t c = 0; c < answers.size(); ++c) {
            EXPECT_EQ(gift[i].answers[c].right, questions[i].at("choices")[c].at("correct"));
            EXPECT_EQ(answers[c]->attributes.at("fraction") == "100", gift[i].answers[c].right);
            EXPECT_EQ(answers[c]->one("text").text, gift[i].answers[c].text);
            EXPECT_EQ(answers[c]->one("feedback").one("text").text, gift[i].answers[c].feedback);
        }
    }
    expect_refused({"quiz", "--sheet", "--format", "gift"}, "cannot be used with --format gift");
    expect_refused({"quiz", "--format", "csv"}, "the marks of a class");
}

}  // namespace quiz_class_test
