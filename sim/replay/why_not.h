// Explains the last event before a position of a run, and why a task does not run at this position.
#pragma once

#include <string>

#include "sim/replay/session.h"

namespace sim {

// Explains in sentences why the last event before the position led to a schedule(), or why it did not. For a
// schedule(), the text is that of decision_reasons(). For a wake-up or tick without a schedule(), it is that
// of resched_check_text(), and the reason why the running task was chosen. For any other event, the last
// schedule() is explained. Empty before the first schedule().
std::string explain_last_event(const Session& session);

// Explains in sentences why task p does not run at this position. For a ready task: the last decision that
// did not choose it, and its position in the queue. For a running task: why it was chosen. For any other
// task: what it waits for.
std::string explain_not_running(const RunHistory& history, const Moment& moment, TaskId p);

}  // namespace sim
