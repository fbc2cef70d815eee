// One call of schedule(), after the switch: what all sinks are told of it.
#pragma once

#include "sim/base/types.h"
#include "sim/core/cost_model.h"
#include "sim/core/decision.h"
#include "sim/core/residency.h"

namespace sim {

struct ScheduleCall {
    CpuId cpu;
    TaskId prev;
    Decision decision;
    Nanos span;         // what it takes, all included
    Nanos extra;        // of it: KernelWork of all kinds
    Refilled refilled;  // and what TLB and cache had lost
    MmId mm;            // of the task chosen
    bool from_syscall;  // a system call led to it, which `span` pays for, too
    bool after_yield;   // and that call was sched_yield()
    bool voluntary;     // prev was no longer runnable
    bool switched;      // another task was chosen
    bool from_idle;     // prev is an idle task
    bool to_idle;       // the task chosen is one
    bool other_mm;      // its address space is not prev's
    bool loads_mm;      // another address space was loaded

    CallWork work() const {
        return {.considered = decision.considered,
                .queue_steps = decision.queue_steps,
                .recalculated = decision.recalculated,
                .syscall = from_syscall,
                .scheduled = true,
                .switched = switched,
                .loads_mm = loads_mm,
                .extra = extra,
                .refill = refilled.time};
    }
};

}  // namespace sim
