// Questions as text, with or without answers.
#pragma once

#include <span>
#include <string>

#include "sim/quiz/question.h"

namespace sim::cli {

// "Question 3  (vmstat/easy/1/7)" and an empty line; `place` is the number, from 1.
std::string question_heading(const quiz::Question& question, std::size_t place);

// The text with `indent` before each line that is not empty.
std::string indented(const std::string& text, const std::string& indent);

// The questions, numbered from 1.
std::string questions_text(std::span<const quiz::Question> questions);
// Number, answer and explanation of each question.
std::string answers_list(std::span<const quiz::Question> questions);
// Each question with its answer, the explanation, and the errors in the other choices.
std::string questions_with_answers(std::span<const quiz::Question> questions);

}  // namespace sim::cli
