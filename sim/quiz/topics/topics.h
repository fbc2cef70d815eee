// Functions that make questions, one topic per file. A new topic needs a function here, a file, and a line
// in question.cpp.
#pragma once

#include "sim/quiz/question.h"

namespace sim::quiz {

Question make_considered(RandomDraw& draw, Level level);
Question make_fair_next(RandomDraw& draw, Level level);
Question make_o1_next(RandomDraw& draw, Level level);
Question make_recalculation(RandomDraw& draw, Level level);
Question make_switch_cost(RandomDraw& draw, Level level);
Question make_vmstat(RandomDraw& draw, Level level);
Question make_voluntary(RandomDraw& draw, Level level);
Question make_which_yield(RandomDraw& draw, Level level);
Question make_who_runs_next(RandomDraw& draw, Level level);

}  // namespace sim::quiz
