// What somebody answered: a JSON object from the ids of questions to the keys of choices, as an autograder
// collects it. It may be anybody's, so everything about it is checked.
#pragma once

#include <string>
#include <vector>

#include "sim/quiz/question.h"

namespace sim::quiz {

// More would take longer to mark than anybody means to wait.
inline constexpr std::size_t kMostAnswers = 2000;

struct Answer {
    Question question;   // made again from its id
    std::size_t choice;  // into its choices
};

// Reads {"who-runs-next/easy/7/1": "b", ...}; instead of its key, the text of a choice will do. In the order
// of the file's keys. `file` is named in messages. Throws ScenarioError with every problem and its place.
std::vector<Answer> read_answers(std::string file, std::string text);

}  // namespace sim::quiz
