// Tests of questions: exactly one right choice, reproducible ids, and a wrong choice for each misconception.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sim/quiz/answers_json.h"
#include "sim/quiz/question.h"
#include "sim/quiz/situation.h"
#include "tests/support/test_sizes.h"

namespace sim::quiz {
namespace quiz_test {

constexpr Level kLevels[] = {Level::easy, Level::medium, Level::hard};
// Number of questions per topic and level.
const std::uint64_t kQuestions = kManyRounds ? 700 : 40;

template <class Visit>
void for_each_question(std::uint64_t seed, std::uint64_t count, Visit visit) {
    for (const Topic& topic : topics())
        for (const Level level : kLevels)
            for (std::uint64_t k = 1; k <= count; ++k) visit(make_question({topic.name, level, seed, k}));
}

TEST(Quiz, QuestionHasOneRightAndDistinctChoices) {
    for_each_question(1, kQuestions, [](const Question& q) {
        const std::string id = to_string(q.id);
        EXPECT_GE(q.choices.size(), 3u) << id;
        EXPECT_LE(q.choices.size(), 4u) << id;
        EXPECT_EQ(
            std::count_if(q.choices.begin(), q.choices.end(), [](const Choice& c) { return c.correct(); }), 1)
            << id;
        std::set<std::string> texts;
        for (const Choice& choice : q.choices) {
            EXPECT_TRUE(texts.insert(choice.text).second) << id << ": " << choice.text;
            EXPECT_EQ(choice.correct(), sentence_of(choice.misconception).empty()) << id;
        }
        EXPECT_FALSE(q.situation.empty()) << id;
        EXPECT_TRUE(q.explanation.ends_with("\n")) << id;
        for (std::size_t begin = 0; begin < q.situation.size(); begin = q.situation.find('\n', begin) + 1)
            EXPECT_LE(q.situation.find('\n', begin) - begin, 120u) << id << "\n" << q.situation;
    });
}

TEST(Quiz, RightAnswersAreSpreadOverKeys) {
    std::map<std::string, std::array<int, 4>> right;
    for_each_question(2, kQuestions, [&](const Question& q) { ++right[q.id.topic][q.answer_index()]; });
    const double most = kManyRounds ? 0.4 : 0.5;  // shares vary more in small samples
    for (const auto& [topic, keys] : right)
        for (std::size_t key = 0; key < 4; ++key)
            EXPECT_LE(keys[key], most * 3 * static_cast<double>(kQuestions)) << topic << " " << key_of(key);
}

TEST(Quiz, EachMisconceptionHasWrongChoice) {
    std::map<std::string, int> seen;
    for_each_question(3, rounds<std::uint64_t>(kQuestions, 150, 80), [&](const Question& q) {
        for (const Choice& choice : q.choices) ++seen[std::string(name_of(choice.misconception))];
    });
    // The misconceptions in `elsewhere` occur only in questions that the window asks about runs with
    // several CPUs or other policies.
    const std::set<std::string> elsewhere{"forgot-last-cpu", "runs-elsewhere",   "idle-too-early",
                                          "not-its-turn",    "forgets-sleepers", "miscounted",
                                          "lower-level"};
    for (std::size_t i = 0; i < kMisconceptions; ++i) {
        const std::string name(name_of(static_cast<Misconception>(i)));
        if (elsewhere.contains(name))
            EXPECT_EQ(seen[name], 0) << name;
        else
            EXPECT_GT(seen[name], 0) << name;
    }
}

// The default sequence of questions must not change when topics are added.
TEST(Quiz, NewTopicsAppearOnlyByName) {
    std::set<std::string> asked;
    for (std::uint64_t k = 1; k <= 70; ++k) {
        const QuestionId id = nth_question_id(1, k);
        EXPECT_EQ(id.topic, topics()[(k - 1) % 7].name);
        asked.insert(id.topic);
    }
    EXPECT_EQ(asked.size(), 7u);
    for (const Topic& topic : topics()) EXPECT_EQ(asked.contains(topic.name), topic.takes_turns);
    EXPECT_EQ(nth_question_id(1, 3, "o1-next").topic, "o1-next");
}

TEST(Quiz, IdReproducesQuestion) {
    for_each_question(4, 5, [](const Question& q) {
        const Question again = make_question(parse_id(to_string(q.id)));
        EXPECT_EQ(again.id, q.id);
        EXPECT_EQ(question_text(again), question_text(q));
        EXPECT_EQ(solution_text(again), solution_text(q));
    });
}

}  // namespace quiz_test
}  // namespace sim::quiz
