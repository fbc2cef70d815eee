// Programs written as words: the resulting program steps, and error messages for invalid words.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sim/base/problem.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/simulation.h"

namespace sim {
namespace program_words_test {

std::string two(const std::string& a, const std::string& b) {
    return fmt::format(R"({{"name": "A", "program": {}}}, {{"name": "B", "count": 0, "program": {}}})", a, b);
}

std::string decisions(const std::string& tasks) {
    Simulation s(small_scenario(tasks), "linux-2.0");
    s.go(1s);
    return s.decisions();
}

TEST(ProgramWords, MakeSameDecisionsAsSteps) {
    const std::string steps = two(
        R"([{"run": "2ms"}, {"fork": "B"}, {"loop": 3, "steps": [{"run": "1ms"}, "yield", {"syscall": "5us"}]},
            {"wait": "A"}, {"in_kernel": "7us"}, {"arrival": "3ms"}, {"arrival_at": "40ms"}, {"wait": "there"}, "exit"])",
        R"([{"run": "5ms"}, {"wake": "A"}, {"arrival": "70ms"}, {"wake": "there"}, {"run": "1us"}])");
    const std::string words =
        two(R"("2000000 f:B 3[ 1000000 y s5000 ] w k7000 a3000000 @40000000 w:there e")",
            R"("5000000 u:A\n a70000000 u:there 1000")");
    EXPECT_EQ(decisions(words), decisions(steps));
    EXPECT_GT(decisions(words).size(), 100U);
}

std::string problem(const std::string& words) {
    try {
        small_scenario(two("\"" + words + "\"", "\"1\""));
    } catch (const ScenarioError& error) {
        const std::string text = error.problems().front().text();
        return text.substr(text.find("word") == text.npos ? 0 : text.find("word"));
    }
    return "";
}

TEST(ProgramWords, InvalidWordsAreRefused) {
    EXPECT_EQ(problem("1 y 5[ y ]"), "");
    EXPECT_EQ(problem("1 q"),
              "word 2, 'q': a program cannot contain this word (write a list of steps in [ ])");
    EXPECT_EQ(problem("1 f:C"), "word 2, 'f:C': there is no task of that name");
    EXPECT_EQ(problem("12x"), "word 1, '12x': expected a time in ns, below 78 hours");
    EXPECT_EQ(problem("a-3"), "word 1, 'a-3': expected a time in ns, below 78 hours");
    EXPECT_EQ(problem("99999999999999999999"),
              "word 1, '99999999999999999999': expected a time in ns, below 78 hours");
    EXPECT_EQ(problem("x["), "word 1, 'x[': expected a number of repetitions, as in 5[");
    EXPECT_EQ(problem("0[ y ]"), "word 1, '0[': expected at least one repetition, as in 1[");
    for (const char* word : {"5[10]", "5[y", "]5", "5[]"})
        EXPECT_EQ(problem(std::string("1 ") + word),
                  fmt::format("word 2, '{}': expected spaces after '[' and before ']', as in 5[ 10 ]", word));
    EXPECT_NE(problem("1\\ty").find("U+0009 is a tab; use spaces"), std::string::npos) << problem("1\\ty");
    EXPECT_EQ(problem("y ]"), "word 2, ']': this ']' closes no loop");
    EXPECT_NE(problem("5[ y").find("a ']' is missing at the end"), std::string::npos);
    std::string deep;
    for (int i = 0; i < 20; ++i) deep += "2[ ";
    EXPECT_NE(problem(deep).find("loops are nested more than 16 levels deep"), std::string::npos);
}

}  // namespace program_words_test
}  // namespace sim
