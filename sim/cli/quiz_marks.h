// Answers with their marks.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "sim/quiz/answers_json.h"

namespace sim::cli {

struct Marks {
    quiz::Score score;
    std::string text;                  // a line or two for each answer
    nlohmann::ordered_json questions;  // an object for each

    // What a program is told: asked, right, misconceptions, questions.
    nlohmann::ordered_json json() const;
};
Marks marks_of(std::span<const quiz::Answer> answers);

// "forgot-mm": 3, and so on: how often each mistake was made.
nlohmann::ordered_json mistakes_json(const quiz::Score& score);

}  // namespace sim::cli
