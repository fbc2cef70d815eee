// Tests of the export to learning platforms: independent readers recover the same questions.
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "sim/quiz/exchange.h"
#include "sim/quiz/question.h"
#include "tests/support/gift_reader.h"
#include "tests/support/xml_tree.h"

namespace quiz_exchange_test {

using namespace sim::quiz;

// A question with all special characters of GIFT, HTML and XML.
Question awkward() {
    Question q;
    q.id = {.topic = "vmstat", .level = Level::hard, .seed = 7, .number = 3};
    q.situation =
        "  a ~ b = c # d {e} : f \\ g\n\n  <- \"wins\" & 'loses' ]]> \\n ::t:: [html]\n// no comment\n";
    q.text = "= ~ what? {a} <b>&amp;</b> #1: \\";
    q.choices = {{"~a=b#c", Misconception::forgot_mm},
                 {"{x}: <y> & \\z", Misconception::none},
                 {"=~#{}:\\ r 4  in 100", Misconception::tie_to_last}};
    q.explanation = "####\n= right ~ {wrong}\n\n]]>\n";
    return q;
}

std::vector<Question> all_sorts() {
    std::vector<Question> questions{awkward()};
    for (std::uint64_t k = 1; k <= 42; ++k) questions.push_back(make_question(nth_question_id(11, k)));
    return questions;
}

// Returns the text that a browser displays for this HTML.
std::string shown(std::string html) {
    html = std::regex_replace(html, std::regex("<[^<>]*>"), "");
    for (const auto& [reference, character] : std::vector<std::pair<std::string, std::string>>{
             {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
        html = std::regex_replace(html, std::regex(reference), character);
    return html;
}

std::string asked(const Question& q) { return q.situation + q.text; }

std::string feedback(const Choice& choice) {
    return choice.correct() ? "" : std::string(sentence_of(choice.misconception));
}

TEST(QuizExchange, GiftHoldsTheSameQuestions) {
    const std::vector<Question> questions = all_sorts();
    const std::vector<GiftQuestion> read = read_gift(moodle_gift(questions));
    ASSERT_EQ(read.size(), questions.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        const Question& q = questions[i];
        EXPECT_EQ(read[i].title, to_string(q.id));
        EXPECT_EQ(read[i].format, "html");
        EXPECT_EQ(shown(read[i].text), asked(q));
        EXPECT_TRUE(read[i].text.starts_with("<pre>")) << "columns stand one below the other";
        EXPECT_EQ(shown(read[i].general_feedback), q.explanation);
        ASSERT_EQ(read[i].answers.size(), q.choices.size());
        for (std::size_t c = 0; c < q.choices.size(); ++c) {
            EXPECT_EQ(read[i].answers[c].right, q.choices[c].correct());
            EXPECT_EQ(shown(read[i].answers[c].text), q.choices[c].text);
            EXPECT_EQ(shown(read[i].answers[c].feedback), feedback(q.choices[c]));
        }
    }
}

TEST(QuizExchange, MoodleXmlHoldsTheSameQuestions) {
    const std::vector<Question> questions = all_sorts();
    const XmlElement root = read_xml(moodle_xml(questions));
    EXPECT_EQ(root.name, "quiz");
    const std::vector<const XmlElement*> read = root.all("question");
    ASSERT_EQ(read.size(), questions.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        const Question& q = questions[i];
        EXPECT_EQ(read[i]->attributes.at("type"), "multichoice");
        EXPECT_EQ(read[i]->one("name").one("text").text, to_string(q.id));
        EXPECT_EQ(read[i]->one("questiontext").attributes.at("format"), "html");
        EXPECT_EQ(shown(read[i]->one("questiontext").one("text").text), asked(q));
        EXPECT_EQ(shown(read[i]->one("generalfeedback").one("text").text), q.explanation);
        EXPECT_EQ(read[i]->one("single").text, "true");
        EXPECT_EQ(read[i]->one("shuffleanswers").text, "false");
        const std::vector<const XmlElement*> answers = read[i]->all("answer");
        ASSERT_EQ(answers.size(), q.choices.size());
        for (std::size_t c = 0; c < q.choices.size(); ++c) {
            EXPECT_EQ(answers[c]->attributes.at("fraction"), q.choices[c].correct() ? "100" : "0");
            EXPECT_EQ(shown(answers[c]->one("text").text), q.choices[c].text);
            EXPECT_EQ(shown(answers[c]->one("feedback").one("text").text), feedback(q.choices[c]));
        }
    }
}

}  // namespace quiz_exchange_test
