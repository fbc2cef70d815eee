// Texts that describe a policy script to users, made from its declarations and comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/decision.h"
#include "sim/core/policy.h"
#include "sim/script/script.h"

namespace sim::script {

// schedule() as pseudo-code, with the calls of the script's functions.
std::vector<PseudoLine> pseudo_code(bool has_enqueue, bool has_pick_next);

// A line of the script in a form for display: without tabs and control characters.
std::string printable_line(std::string_view line);

// The value of a task's field as text for users: times have a unit, and a deadline that does not exist is
// "none".
std::string field_text(std::string_view field, std::int64_t value);

// The reason why the winner was chosen, such as "its deadline 5 is the lowest.". If other candidates have the
// same value: "its deadline 5 is the lowest (1 other candidate has the same).".
std::string why_winner_won(const RankingCriterion& criterion, const DecisionLog& log,
                           const Candidate& winner);

// The first comment of the script, as its summary.
std::string summary_of_script(std::string_view text);

// The comment on the line that declares this option; empty if there is none.
std::string summary_of_option(const std::vector<std::string>& lines, const std::string& name);

}  // namespace sim::script
