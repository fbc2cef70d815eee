// Explains the last event before a position of a run, and why a task does not run at this position.
#pragma once

#include <string>

#include "sim/replay/session.h"

namespace sim {

// Explains in sentences why the last event before the session's position led to a schedule(), or why it did
// not. For a schedule(), the text is that of decision_reasons(). For a wake-up or tick without a schedule(),
// the text is that of resched_check_text(), followed by the reason why the running task was chosen. For any
// other event, the last schedule() is explained. The text is empty before the first schedule().
std::string explain_last_event(const Session& session);

// Explains in sentences why task p does not run at the position `moment`. If p is ready, the text states p's
// position in the queue and why the latest decision did not choose p. If no decision could have chosen p
// since p became ready, the text states why p did not preempt when it woke up. If p is running, the text
// states why p was chosen. Otherwise the text states what p waits for.
std::string explain_not_running(const RunHistory& history, const Moment& moment, TaskId p);

}  // namespace sim
