// Golden test of the questions of each topic and level: a seed must produce the same questions in every
// version.
#include <string>
#include <vector>

#include "sim/quiz/question.h"
#include "tests/support/golden_table.h"
#include "tests/support/test_name.h"

namespace sim::quiz {
namespace quiz_golden_test {

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Topic& topic : topics())
        for (const Level level : {Level::easy, Level::medium, Level::hard})
            all.push_back(fmt::format("{}/{}", topic.name, to_string(level)));
    return all;
}

class GoldenQuiz : public testing::TestWithParam<std::string> {};

TEST_P(GoldenQuiz, MatchesHashTable) {
    std::string text;
    for (std::uint64_t k = 1; k <= 40; ++k) {
        const Question q = make_question(parse_id(fmt::format("{}/3/{}", GetParam(), k)));
        text += question_text(q) + solution_text(q);
        for (const Choice& choice : q.choices)
            text += fmt::format("{}\n", static_cast<int>(choice.misconception));
    }
    GoldenTable("quiz_hashes.txt").expect(GetParam(), text);
}

INSTANTIATE_TEST_SUITE_P(All, GoldenQuiz, testing::ValuesIn(names()), name_of_parameter);

TEST(GoldenQuizTable, HasEachTopicAtEachLevel) { GoldenTable("quiz_hashes.txt").expect_names(names()); }

}  // namespace quiz_golden_test
}  // namespace sim::quiz
