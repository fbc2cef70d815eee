// Prints an event as a line of /sys/kernel/tracing/trace.
#pragma once

#include <string>

#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

// True if Linux has a tracepoint for this event.
bool has_tracepoint(EventKind kind);

// Prints the text before the event's name: task, CPU, flags, time in seconds with nine decimals.
void print_ftrace_context(std::string& text, const SchedEvent& event, const Threads& threads);
// Prints the event's name and arguments. REQUIRES: has_tracepoint(event.kind).
void print_ftrace_event(std::string& text, const SchedEvent& event, const Threads& threads);

}  // namespace sim::trace_io
