// Explanations for a position of a run: of the last event, and of one task.
#pragma once

#include <string>

#include "sim/replay/session.h"

namespace sim {

// Why the last event before the position led to a schedule() or not, in sentences: of a schedule() why(); of
// a wake-up or tick without one check_text(), and why the running task was chosen. For any other event, the
// last schedule(). Empty before the first one.
std::string why_at(const Session& session);

// "Why not this task?" at a position of the run, in sentences. For a ready task: the last decision against
// it, and its place in the queue. For a running task: why it was chosen. For any other: what it waits for.
std::string why_not(const RunHistory& history, const Moment& at, TaskId p);

}  // namespace sim
