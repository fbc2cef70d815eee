// Functions that make questions, one topic per file. A new topic needs a function here, a file, and a line
// in question.cpp.
#pragma once

#include "sim/quiz/question.h"

namespace sim::quiz {

Question make_considered(Draw& draw, Level level);
Question make_fair_next(Draw& draw, Level level);
Question make_o1_next(Draw& draw, Level level);
Question make_recalculation(Draw& draw, Level level);
Question make_switch_cost(Draw& draw, Level level);
Question make_vmstat(Draw& draw, Level level);
Question make_voluntary(Draw& draw, Level level);
Question make_which_yield(Draw& draw, Level level);
Question make_who_runs_next(Draw& draw, Level level);

}  // namespace sim::quiz
