// What somebody answered: a JSON object from the ids of questions to the keys of choices, as an autograder
// collects it. It may be anybody's, so everything about it is checked.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/quiz/question.h"

namespace sim::quiz {

// More would take longer to mark than anybody means to wait.
inline constexpr std::size_t kMostAnswers = 2000;

struct Answer {
    Question question;                  // made again from its id
    std::optional<std::size_t> choice;  // into its choices; none: not answered

    // REQUIRES: it is answered.
    Misconception mistake() const { return question.choices[*choice].misconception; }
};

// Reads {"who-runs-next/easy/7/1": "b", ...}; instead of its key, the text of a choice will do, and "" is no
// answer. In the order of the file's keys. `file` is named in messages. Throws ScenarioError with every
// problem and its place; a file without any answer is one, too.
std::vector<Answer> read_answers(std::string file, std::string text);

// The same of somebody who was asked these: in their order, with those that the file does not have as not
// answered. Others in the file are problems.
std::vector<Answer> read_answers(std::string file, std::string text, std::span<const QuestionId> asked);

// What read_answers() reads, of questions and the keys of choices.
std::string answers_json(std::span<const std::pair<QuestionId, std::string>> answers);

}  // namespace sim::quiz
