// Answers to questions as JSON, as an autograder collects them: an object that maps ids of questions to
// keys of choices. The file is untrusted and checked completely.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/quiz/question.h"

namespace sim::quiz {

// Maximum number of answers in a file; more would take too long to grade.
inline constexpr std::size_t kMostAnswers = 2000;

struct Answer {
    Question question;                  // generated again from its id
    std::optional<std::size_t> choice;  // index into question.choices; nullopt: not answered

    // REQUIRES: `choice` has a value.
    Misconception mistake() const { return question.choices[*choice].misconception; }
};

// Reads {"who-runs-next/easy/7/1": "b", ...}. The result has the order of the file. An answer is a choice's
// key or text; "" means not answered. `file` is used in messages only. Throws ScenarioError with every
// problem and its position; a file without any answer is a problem.
std::vector<Answer> read_answers(std::string file, std::string text);

// Like read_answers(file, text), but returns the answers in the order of `asked`. A question of `asked`
// that is not in the file counts as not answered. A question in the file that is not in `asked` is a
// problem.
std::vector<Answer> read_answers(std::string file, std::string text, std::span<const QuestionId> asked);

// The answers as JSON in the form that read_answers() reads.
std::string answers_json(std::span<const std::pair<QuestionId, std::string>> answers);

}  // namespace sim::quiz
