// Questions for learning platforms, in two formats: GIFT, which many platforms read, and Moodle XML. Both
// contain the right answer, the explanation as general feedback, and for each wrong choice the mistake that
// leads to it.
#pragma once

#include <span>
#include <string>

#include "sim/quiz/question.h"

namespace sim::quiz {

// The questions as GIFT. Each question is a paragraph with the id as its name. The text is HTML; <pre>
// keeps the columns of the situation aligned.
std::string moodle_gift(std::span<const Question> questions);
std::string moodle_xml(std::span<const Question> questions);

}  // namespace sim::quiz
