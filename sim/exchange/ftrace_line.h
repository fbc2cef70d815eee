// One event as a line of /sys/kernel/tracing/trace.
#pragma once

#include <string>

#include "sim/exchange/sched_event.h"

namespace sim::exchange {

// Whether Linux has a tracepoint for it, and hence ftrace a line.
bool has_tracepoint(EventKind kind);

// What stands before the name of the event: who has the CPU, which one it is, flags, and the time with all
// its nanoseconds.
void print_ftrace_context(std::string& text, const SchedEvent& event, const Threads& threads);
// The name of the event and its arguments. REQUIRES: has_tracepoint().
void print_ftrace_event(std::string& text, const SchedEvent& event, const Threads& threads);

}  // namespace sim::exchange
