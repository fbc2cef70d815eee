// Tests of `switchyard quiz`: interactive use, printing, and the round trip of an autograder.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
#include "sim/base/rng.h"
#include "sim/quiz/answers_json.h"
#include "tests/support/command_line.h"
#include "tests/support/test_sizes.h"

namespace quiz_cli_test {

using nlohmann::json;

class QuizCli : public CommandLine {};

TEST_F(QuizCli, OneQuestionPerTopicMatchesGolden) {
    const std::string text =
        output({"quiz", "--seed", "1", "--count", "7", "--level", "medium", "--show-answers"});
    const std::filesystem::path golden = SWITCHYARD_SOURCE_DIR "/tests/golden/quiz.txt";
    EXPECT_EQ(text, content_of(golden))
        << "if that is right: switchyard quiz --seed 1 --count 7 --level medium "
           "--show-answers --output tests/golden/quiz.txt";
}

TEST_F(QuizCli, QuestionsDoNotDependOnCount) {
    const json many = json_output({"quiz", "--seed", "9", "--count", "12"});
    ASSERT_EQ(many.size(), 12u);
    const json later = json_output({"quiz", "--seed", "9", "--first", "5", "--count", "3"});
    ASSERT_EQ(later.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(later[i], many[i + 4]);
    EXPECT_NE(many, json_output({"quiz", "--seed", "10", "--count", "12"}));
    for (const json& q : json_output({"quiz", "vmstat", "--level", "hard", "--count", "3"})) {
        EXPECT_EQ(q.at("topic"), "vmstat");
        EXPECT_EQ(q.at("level"), "hard");
    }
}

TEST_F(QuizCli, JsonHidesAnswersUnlessRequested) {
    const json questions = json_output({"quiz", "--count", "14"});
    for (const json& q : questions) {
        EXPECT_FALSE(q.contains("answer"));
        EXPECT_FALSE(q.contains("explanation"));
        for (const json& choice : q.at("choices")) EXPECT_EQ(choice.size(), 2u) << choice;
    }
    // The questions are the same with --show-answers.
    const json answered = json_output({"quiz", "--count", "14", "--show-answers"});
    for (std::size_t i = 0; i < questions.size(); ++i) {
        EXPECT_EQ(answered[i].at("id"), questions[i].at("id"));
        int right = 0;
        for (const json& choice : answered[i].at("choices")) {
            right += choice.at("correct").get<bool>() ? 1 : 0;
            EXPECT_EQ(choice.at("correct").get<bool>(), choice.at("misconception").is_null());
            EXPECT_EQ(choice.at("correct").get<bool>(), choice.at("key") == answered[i].at("answer"));
        }
        EXPECT_EQ(right, 1);
    }
}

TEST_F(QuizCli, AutograderRoundTripScoresAnswers) {
    const json questions = json_output({"quiz", "--seed", "5", "--count", "21", "--show-answers"});
    json right = json::object(), wrong = json::object();
    std::map<std::string, int> mistakes;
    for (const json& q : questions) {
        right[q.at("id")] = q.at("answer");
        for (const json& choice : q.at("choices")) {
            if (choice.at("correct").get<bool>()) continue;
            wrong[q.at("id")] = choice.at("key");
            ++mistakes[choice.at("misconception")];
            break;
        }
    }
    write_file(folder() / "right.json", right.dump());
    write_file(folder() / "wrong.json", wrong.dump());
    EXPECT_TRUE(output({"quiz", "--grade", "right.json"}).ends_with("\n21 of 21 right.\n"));
    const json marks = json::parse(output({"quiz", "--grade", "right.json", "--format", "json"}));
    EXPECT_EQ(marks.at("right"), 21);
    EXPECT_EQ(marks.at("misconceptions"), json::object());

    const Finished f = switchyard({"quiz", "--grade", "-", "--format", "json"}, wrong.dump());
    EXPECT_EQ(f.exit_code, 1);
    EXPECT_EQ(f.err, "");
    const json failed = json::parse(f.out);
    EXPECT_EQ(failed.at("asked"), 21);
    EXPECT_EQ(failed.at("right"), 0);
    EXPECT_EQ(failed.at("misconceptions"), json(mistakes));
    EXPECT_EQ(switchyard({"quiz", "--grade", "wrong.json"}).exit_code, 1);
}

TEST_F(QuizCli, AnswersAreMarkedInteractively) {
    const json questions = json_output({"quiz", "--seed", "2", "--count", "3", "--show-answers"});
    std::string wrong;
    for (const json& choice : questions[1].at("choices"))
        if (!choice.at("correct").get<bool>()) wrong = choice.at("key");
    std::string by_text;
    for (const json& choice : questions[2].at("choices"))
        if (choice.at("correct").get<bool>()) by_text = choice.at("text");
    const std::string text =
        output({"quiz", "--seed", "2"},
               questions[0].at("answer").get<std::string>() + "\nwhat?\n" + wrong + "\n " + by_text + " \n");
    EXPECT_NE(text.find("\nRight.\n"), std::string::npos) << text;
    EXPECT_NE(text.find("> what?\nEnter a letter from a to "), std::string::npos) << text;
    EXPECT_NE(text.find("\nWrong. You "), std::string::npos) << text;
    EXPECT_NE(text.find("Question 4 "), std::string::npos) << text;  // the input ends at this question
    EXPECT_NE(text.find("\n2 of 3 right.\n  1 x "), std::string::npos) << text;

    const std::string stopped = output({"quiz", "--count", "2"}, "q\n");
    EXPECT_TRUE(stopped.ends_with("\n0 of 0 right.\n")) << stopped;
    EXPECT_TRUE(output({"quiz", "--count", "1"}).ends_with("\n0 of 0 right.\n"));
    output({"quiz", "--output", "talk.txt"}, "a\n");
    EXPECT_NE(content_of(folder() / "talk.txt").find("> a\n"), std::string::npos);
}

TEST_F(QuizCli, SheetPutsAnswersOnSeparatePage) {
    const std::string text = output({"quiz", "--sheet", "--count", "3"});
    const std::size_t page = text.find('\f');
    ASSERT_NE(page, std::string::npos);
    EXPECT_EQ(text.substr(0, page).find("<- wins"), std::string::npos);
    EXPECT_NE(text.find("Question 3 "), std::string::npos);
    EXPECT_NE(text.substr(page).find("\n  3  "), std::string::npos) << text;
}

TEST_F(QuizCli, InvalidQuestionOrAnswerIsRejected) {
    expect_refused({"quiz", "who-run-next"}, "did you mean 'who-runs-next'?");
    expect_refused({"quiz", "--level", "hrad"}, "did you mean 'hard'?");
    expect_refused({"quiz", "--seed", "-1"}, "--seed");
    expect_refused({"quiz", "--count", "1001", "--show-answers"}, "--count: expected 1 to 1000");
    expect_refused({"quiz", "--first", "0"}, "--first: expected 1 to");
    expect_refused({"quiz", "--sheet", "--format", "json"}, "--sheet prints text");
    expect_refused({"quiz", "--grade", "a.json", "--show-answers"}, "excludes --grade");
    expect_refused({"quiz", "--grade", "a.json"}, "a.json: ");
    const std::vector<std::pair<std::string, std::string>> bad{
        {"", "standard input"},
        {"[]", "standard input:1:1: expected an object that maps questions to answers, got an array"},
        {"{\"vmstat/easy/1\": \"a\"}", "expected TOPIC/LEVEL/SEED/NUMBER"},
        {"{\"vmsat/easy/1/1\": \"a\"}",
         "standard input:1:2: /vmsat~1easy~11~11: unknown topic 'vmsat'; did you"},
        {"{\"vmstat/esy/1/1\": \"a\"}", "'esy' is not a level"},
        {"{\"vmstat/easy/01/1\": \"a\"}", "'01' is not a valid seed"},
        {"{\"vmstat/easy/1/0\": \"a\"}", "numbered from 1"},
        {"{\"vmstat/easy/1/99999999999999999999\": \"a\"}", "is not a valid number of a question"},
        {"{\"vmstat/easy/1/1\": 1}", "got a number"},
        {"{\"vmstat/easy/1/1\": \"e\"}", "standard input:1:21: /vmstat~1easy~11~11: 'e' is not a choice"},
        {"{\"vmstat/easy/1/1\": \"a\", \"vmstat/easy/1/1\": \"b\"}", "vmstat~1easy~11~11"}};
    for (const auto& [text, message] : bad) expect_refused({"quiz", "--grade", "-"}, message, text);
}

TEST(QuizAnswers, AnyBytesAreMarkedOrRefused) {
    using namespace sim;
    const std::string good =
        R"({"who-runs-next/easy/7/1": "b", "recalculation/hard/1/2": "c", "switch-cost/medium/3/4": "a"})";
    EXPECT_EQ(quiz::read_answers("good", good).size(), 3u);
    std::uint64_t stream = 1;
    int marked = 0, refused = 0;
    const int rounds = kOptimised ? 20'000 : 2000;
    for (int i = 0; i < rounds; ++i) {
        std::string text = good;
        const std::uint64_t changes = 1 + random_below(stream, 4);
        for (std::uint64_t c = 0; c < changes && !text.empty(); ++c) {
            const std::size_t at = random_below(stream, text.size());
            switch (random_below(stream, 4)) {
                case 0:
                    text[at] = static_cast<char>(random_below(stream, 256));
                    break;
                case 1:
                    text.erase(at, 1 + random_below(stream, 8));
                    break;
                case 2:
                    text.insert(at, text.substr(random_below(stream, text.size()), 9));
                    break;
                default:
                    text[at] = "0123456789/\"{}[],:ab"[random_below(stream, 20)];
            }
        }
        try {
            for (const quiz::Answer& answer : quiz::read_answers("mutated", text))
                EXPECT_LT(answer.choice, answer.question.choices.size());
            ++marked;
        } catch (const ScenarioError& error) {
            ASSERT_FALSE(error.problems().empty()) << text;
            for (const Problem& problem : error.problems())
                EXPECT_TRUE(problem.text().starts_with("mutated"));
            ++refused;
        }
    }
    EXPECT_GT(marked, rounds / 1000);
    EXPECT_GT(refused, rounds / 2);
}

}  // namespace quiz_cli_test
