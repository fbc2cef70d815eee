// Questions for learning platforms, in two formats: GIFT, which many platforms read, and Moodle XML. Both
// contain the answers, the explanation as general feedback, and the error in each wrong choice.
#pragma once

#include <span>
#include <string>

#include "sim/quiz/question.h"

namespace sim::quiz {

// Each question is a paragraph named by its id. The text is HTML; <pre> keeps the columns of the situation
// aligned.
std::string gift(std::span<const Question> questions);
std::string moodle_xml(std::span<const Question> questions);

}  // namespace sim::quiz
