// Prints events as Linux 6.1 does (kernel/trace/trace_output.c, trace_print_context() and
// include/trace/events/sched.h), except that times have nine decimals.
#include "sim/trace_io/export/ftrace_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/append.h"

namespace sim::trace_io {
namespace {

// Replaces spaces and '=' by '_', because readers split lines at them.
std::string replace_separators(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '='; }, '_');
    return name;
}

}  // namespace

bool has_tracepoint(EventKind kind) { return kind <= EventKind::exit; }

void print_ftrace_context(std::string& text, const SchedEvent& e, const Threads& threads) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const Thread& current = threads[e.current];
    if (e.current == kIdleThread)
        append(text, "{:>16}-{:<7} (-------)", "<idle>", 0);
    else
        append(text, "{:>16}-{:<7} ({:>7})", replace_separators(current.name), current.pid, current.tgid);
    // The characters of the flags irqs-off, need-resched, hardirq, preempt-depth and migrate-disable.
    const char* const flags = e.in_interrupt ? "d.h.."
                              : e.kind == EventKind::sched_switch && e.state == PrevState::preempted
                                  ? "dN..."
                                  : "d....";
    append(text, " [{:03}] {} {:5}.{:09}: ", e.cpu, flags, e.time.count() / kSecond,
           e.time.count() % kSecond);
}

void print_ftrace_event(std::string& text, const SchedEvent& e, const Threads& threads) {
    const Thread& current = threads[e.current];
    const Thread& thread = threads[e.thread];
    switch (e.kind) {
        case EventKind::sched_switch:
            append(text,
                   "sched_switch: prev_comm={} prev_pid={} prev_prio={} prev_state={} ==> "
                   "next_comm={} next_pid={} next_prio={}",
                   replace_separators(comm(e.current, threads, e.cpu)), current.pid, current.prio,
                   prev_state_text(e.state), replace_separators(comm(e.thread, threads, e.cpu)), thread.pid,
                   thread.prio);
            break;
        case EventKind::waking:
        case EventKind::wakeup:
        case EventKind::wakeup_new:
            append(text, "{}: comm={} pid={} prio={} target_cpu={:03}", to_string(e.kind),
                   replace_separators(thread.name), thread.pid, thread.prio, e.target);
            break;
        case EventKind::migrate:
            append(text, "sched_migrate_task: comm={} pid={} prio={} orig_cpu={} dest_cpu={}",
                   replace_separators(thread.name), thread.pid, thread.prio, e.value, e.target);
            break;
        case EventKind::fork:
            append(text, "sched_process_fork: comm={} pid={} child_comm={} child_pid={}",
                   replace_separators(current.name), current.pid, replace_separators(thread.name),
                   thread.pid);
            break;
        case EventKind::exec:
            append(text, "sched_process_exec: filename={} pid={} old_pid={}",
                   replace_separators(current.name), current.pid, current.pid);
            break;
        case EventKind::exit:
            append(text, "sched_process_exit: comm={} pid={} prio={}", replace_separators(current.name),
                   current.pid, current.prio);
            break;
        case EventKind::yield:
        case EventKind::recalculation:
        case EventKind::work_begin:
        case EventKind::work_end:
        case EventKind::queue_length:
            break;
    }
}

}  // namespace sim::trace_io
