// A decision in words: what schedule() looked at, and why this task won.
#pragma once

#include <functional>
#include <string>

#include "sim/core/decision.h"
#include "sim/core/machine.h"
#include "sim/core/policy.h"

namespace sim {

using TaskNamer = std::function<std::string(TaskId)>;

// A candidate of a real-time class: goodness() gives these 1000 and more, and no counter is so high.
inline bool is_real_time(const Candidate& c) { return c.goodness >= 1000; }

// What goodness() added to c for being prev (2.0), and for the last CPU. What it added for the priority and
// the address space (2.2 and later) the candidate has itself.
inline std::int32_t bonus_for_prev(const Candidate& c, const DecisionLog& log) {
    return c.task == log.prev && c.for_priority == 0 ? c.bonus & 1 : 0;
}
inline std::int32_t bonus_for_cpu(const Candidate& c, const DecisionLog& log) {
    return c.bonus - c.for_priority - c.for_mm - bonus_for_prev(c, log);
}

// What a policy that compares keys found: "prio 120", "deadline 5 ns", and of a real-time task "rt_priority
// 3".
std::string key_text(const Candidate& c, const NamedPolicy& policy);

// Why c was not weighed: "runs on another CPU", "has yielded", "asleep"; null if it was.
const char* not_weighed(const Candidate& c);

// One sentence: "B runs: of the highest goodness, 20, it is first in the queue (C has as much, behind it)."
std::string why_it_won(const DecisionLog& log, const NamedPolicy& policy, const TaskNamer& name);

// The whole decision, several lines, each begun with `indent`: prev, the candidates in the order of the
// search with counter, bonus and goodness, the refill, and the sentence.
std::string explain_decision(const DecisionLog& log, const NamedPolicy& policy, const TaskNamer& name,
                             const std::string& indent = "", std::size_t most_refills = 3);

}  // namespace sim
