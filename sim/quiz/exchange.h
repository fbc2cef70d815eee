// Questions for learning platforms: GIFT, which many of them read, and Moodle XML. Both contain the answers,
// the explanation as general feedback, and the error in each wrong choice.
#pragma once

#include <span>
#include <string>

#include "sim/quiz/question.h"

namespace sim::quiz {

// One paragraph per question, named by its id. The text is HTML; <pre> keeps the situation's columns aligned.
std::string gift(std::span<const Question> questions);
std::string moodle_xml(std::span<const Question> questions);

}  // namespace sim::quiz
