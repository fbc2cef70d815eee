// Questions for learning platforms: as GIFT, which many of them read, and as Moodle's own XML. Both have the
// answers in them, the explanation as general feedback, and for each wrong choice what is wrong with it.
#pragma once

#include <span>
#include <string>

#include "sim/quiz/question.h"

namespace sim::quiz {

// Each question is one paragraph, named by its id, with its text as HTML: the situation in <pre>, since its
// columns stand one below the other.
std::string gift(std::span<const Question> questions);
std::string moodle_xml(std::span<const Question> questions);

}  // namespace sim::quiz
