#include "sim/core/trace.h"

namespace sim {

const char* to_string(TraceKind kind) {
    switch (kind) {
        case TraceKind::wake_up:
            return "wake_up";
        case TraceKind::tick:
            return "tick";
        case TraceKind::yield:
            return "yield";
        case TraceKind::sleep:
            return "sleep";
        case TraceKind::wait:
            return "wait";
        case TraceKind::fork:
            return "fork";
        case TraceKind::exec:
            return "exec";
        case TraceKind::exit:
            return "exit";
        case TraceKind::syscall:
            return "syscall";
        case TraceKind::schedule:
            return "schedule";
        case TraceKind::borrow_mm:
            return "borrow_mm";
        case TraceKind::return_mm:
            return "return_mm";
        case TraceKind::drop_mm:
            return "drop_mm";
        case TraceKind::flush_ipi:
            return "flush_ipi";
        case TraceKind::leave_mm:
            return "leave_mm";
        case TraceKind::reschedule_ipi:
            return "reschedule_ipi";
        case TraceKind::interrupt:
            return "interrupt";
        case TraceKind::intervention:
            return "intervention";
    }
    return "?";
}

KernelEntryWork work_of_schedule_call(const TraceRecord& r) {
    const bool switched = r.task != r.other;
    return {.considered = r.decision.considered,
            .queue_steps = r.decision.queue_steps,
            .recalculated = r.decision.recalculated,
            .syscall = r.from_syscall,
            .scheduled = true,
            .switched = switched,
            .loads_mm = switched && r.loads_mm,
            .extra = r.extra,
            .refill = r.refill};
}

}  // namespace sim
