// Graded answers.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "sim/quiz/answers_json.h"

namespace sim::cli {

struct Marks {
    quiz::Score score;
    std::string text;                  // one or two lines per answer
    nlohmann::ordered_json questions;  // one object per answer

    // A JSON object with the members asked, right, misconceptions and questions.
    nlohmann::ordered_json json() const;
};
Marks marks_of(std::span<const quiz::Answer> answers);

// How often each mistake was made: {"forgot-mm": 3, ...}.
nlohmann::ordered_json mistakes_json(const quiz::Score& score);

}  // namespace sim::cli
