// A record of one call of schedule(), passed to all sinks after the switch.
#pragma once

#include "sim/base/types.h"
#include "sim/core/cost_model.h"
#include "sim/core/decision.h"
#include "sim/core/resched_cause.h"
#include "sim/core/residency.h"

namespace sim {

struct ScheduleCall {
    CpuId cpu;
    TaskId prev;
    Decision decision;
    Nanos span;           // total time
    Nanos extra;          // part of `span`: cost of the work in enum KernelWork
    RefillWork refilled;  // refilled TLB and cache entries; their time is part of `span`
    MmId mm;              // address space of the chosen task
    bool from_syscall;    // after a system call, whose cost `span` includes
    bool after_yield;     // after sched_yield()
    bool voluntary;       // prev was no longer runnable
    bool switched;        // prev was not chosen again
    bool from_idle;
    bool to_idle;
    bool other_mm;  // `mm` differs from the address space of prev
    bool loads_mm;  // page tables were loaded
    ReschedCause cause;
    TaskId caused_by;

    KernelEntryWork work() const {
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
