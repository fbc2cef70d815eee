// Answers as JSON: an object from question ids to keys of choices, as an autograder collects it. The file is
// untrusted and checked completely.
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
    Question question;                  // regenerated from its id
    std::optional<std::size_t> choice;  // index into its choices; none: not answered

    // REQUIRES: `choice` has a value.
    Misconception mistake() const { return question.choices[*choice].misconception; }
};

// Reads {"who-runs-next/easy/7/1": "b", ...} in the file's order. A choice's text may replace its key; ""
// means not answered. `file` is for messages. Throws ScenarioError with every problem and its position; a
// file without any answer is a problem.
std::vector<Answer> read_answers(std::string file, std::string text);

// Like the function above, but returns the answers in the order of `asked`. A question that is not in the
// file counts as not answered. Any other question in the file is a problem.
std::vector<Answer> read_answers(std::string file, std::string text, std::span<const QuestionId> asked);

// The JSON that read_answers() reads.
std::string answers_json(std::span<const std::pair<QuestionId, std::string>> answers);

}  // namespace sim::quiz
