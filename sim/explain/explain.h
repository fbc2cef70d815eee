// Describes a decision in words: the tasks that schedule() examined, and why the chosen task won.
#pragma once

#include <functional>
#include <string>

#include "sim/core/decision.h"
#include "sim/core/machine.h"
#include "sim/core/policy.h"

namespace sim {

// True for a real-time task. goodness() returns at least 1000 for such a task, and the goodness of other
// tasks is lower.
inline bool is_real_time(const Candidate& c) { return c.goodness >= 1000; }

// The bonuses that goodness() adds to c: the first function returns the bonus for being prev (2.0), the
// second function returns the bonus for the last CPU. The bonuses for priority and address space (2.2 and
// later) are separate fields of the candidate.
inline std::int32_t bonus_for_prev(const Candidate& c, const DecisionLog& log) {
    return c.task == log.prev && c.for_priority == 0 ? c.bonus & 1 : 0;
}
inline std::int32_t bonus_for_last_cpu(const Candidate& c, const DecisionLog& log) {
    return c.bonus - c.for_priority - c.for_mm - bonus_for_prev(c, log);
}

// The key of a candidate as text, for policies that compare keys: "prio 120", "deadline 5 ns". For a
// real-time task: "rt_priority 3".
std::string key_text(const Candidate& c, const NamedPolicy& policy);

// Reason why c was not compared with other candidates: "runs on another CPU", "has yielded", "asleep"; null
// if c was compared.
const char* reason_not_compared(const Candidate& c);

// One sentence about the reason for the choice: "B runs: its goodness 20 is the highest (C has the same
// goodness, but B is first in the queue)."
std::string why_winner_won(const DecisionLog& log, const NamedPolicy& policy, const TaskNamer& name);

// Describes the whole decision in several lines that start with `indent`. The lines contain prev, the
// candidates in search order with counter, bonus and goodness, the recalculation, and the result of
// why_winner_won().
std::string explain_decision(const DecisionLog& log, const NamedPolicy& policy, const TaskNamer& name,
                             const std::string& indent = "", std::size_t max_counter_changes = 3);

}  // namespace sim
