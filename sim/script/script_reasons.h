// The reasons for the decisions of scripts, as text and in the log of a decision.
#pragma once

#include <string>
#include <vector>

#include "sim/core/decision.h"
#include "sim/core/policy.h"
#include "sim/script/library_call.h"
#include "sim/script/script.h"
#include "sim/script/script_state.h"

namespace sim::script {

// The fields that a callback has read, each field once, as a text such as ": C's remaining 5 ms, A's
// remaining 3 ms".
std::string fields_text(const std::vector<CallContext::FieldRead>& reads, const TaskNamer& name);

// Why the script cannot choose p for this CPU: a sentence with {} for the name of p, such as "pick_next()
// returned {}, which has exited"; null if it can.
const char* obstacle_to_choice(const Machine& m, TaskId p, CpuId cpu);

// The reason for a choice that is not based on compared values: the position of p in its queue.
std::string reason_from_queue_position(const Script& script, const Machine& m, ScriptState& memory, TaskId p);

// Completes the log of a decision. If the log has no candidates, adds the chosen task. If the script does not
// rank tasks by a value, marks the chosen task as the best candidate and adds the reason for the choice.
void complete_log(const Script& script, DecisionLog& log, const Machine& m, ScriptState& memory, TaskId next,
                  const std::string& because);

}  // namespace sim::script
