// The events of a run in order, for tests, comparisons and the timeline of the window. A trace grows with the
// run, so long runs clear it at intervals.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/core/cost_model.h"
#include "sim/core/decision.h"
#include "sim/core/resched_check.h"
#include "sim/core/schedule_call.h"

namespace sim {

enum class TraceKind : std::uint8_t {
    wake_up,
    tick,
    yield,
    sleep,
    wait,
    fork,
    exec,
    exit,
    syscall,
    schedule,
    // Effects of a switch on borrowed address spaces. These records follow the schedule record, which
    // states whether page tables were loaded (address_space.h).
    borrow_mm,  // enter_lazy_tlb(): a kernel or idle task keeps the loaded mm
    return_mm,  // the next task owns the mm that prev borrowed, and this mm is still loaded
    drop_mm,    // mmdrop(): drops the reference to the mm that prev had borrowed
    // Effects on other CPUs when an address space that they have loaded changes.
    flush_ipi,       // the CPU of the record runs a task of the address space and flushes its TLB
    leave_mm,        // the CPU of the record borrowed the mm; it loads the kernel's page tables instead
    reschedule_ipi,  // another CPU requests that the CPU of the record reschedules
    interrupt,       // an interrupt on the CPU of `task`; only if the handler has a cost
    intervention,    // an intervention of the scenario; the records of its effects follow
};

const char* to_string(TraceKind kind);

struct TraceRecord {
    Nanos time;
    TraceKind kind;
    CpuId cpu;  // for wake_up: CPU of the waker or of the interrupt
    // The task that is woken, runs at a tick, yields, sleeps, is forked, exits, is chosen or makes a system
    // call. For an intervention: its task, or kNoTask if the task does not exist.
    TaskId task;
    // wake_up: the waker, or kNoTask for a timer or an interrupt. fork: the parent. schedule and the records
    // of its switch: prev. flush_ipi, leave_mm: the requesting task. reschedule_ipi: the task that is to run.
    TaskId other;
    // syscall, schedule, interrupt: length of this kernel work. The work begins at `time`. If the CPU is
    // already in the kernel, the work begins when the current kernel work ends.
    Nanos span{};
    // Part of `span`: cost of the work in enum KernelWork. For interrupt: time in which the host of the
    // virtual machine did not run the CPU.
    Nanos extra{};
    // Last part of `span`: refilling TLB and cache. The next three fields count TLB entries, footprint
    // lines and working-set lines.
    Nanos refill{};
    std::uint32_t refilled_entries{}, refilled_lines{}, streamed_lines{};
    Decision decision{};             // schedule only
    bool from_syscall{};             // schedule only: after a system call, whose cost `span` includes
    bool after_yield{};              // schedule only: after sched_yield()
    bool voluntary{};                // schedule only: prev was no longer runnable
    bool loads_mm{};                 // schedule only: page tables were loaded
    ReschedCause cause{};            // schedule only: why schedule() was called although prev could continue
    TaskId caused_by{};              // schedule only, for some causes: the task that is to run, or kNoTask
    bool flushes_tlb{};              // schedule only: an untagged TLB lost its entries
    MmId mm{};                       // schedule: the new active_mm; records about an address space: its id
    ChannelId channel = kNoChannel;  // wait: the channel; sleep: the device, if any
    // fork: the group of the child, recorded because the child's row may have been reused; exec: the new
    // group.
    std::uint16_t group{};
    // Fork and exec: Task::ordinal of the task; intervention: index of the intervention.
    std::uint32_t ordinal{};
    InterventionResult result{};  // intervention only
};

// A system call: a program step that entered the kernel, or that step executed
// again after a wait in the kernel.
struct SystemCall {
    Nanos time;
    CpuId cpu;
    TaskId task;
    StepId step;
    bool blocks = false;    // the task sleeps in the call
    bool is_retry = false;  // the task was woken from its wait and executes the step again
    // True: the task continues in user mode after the retry. It has taken the lock without another system
    // call, or its pipe call has returned. Always false if is_retry is false.
    bool in_user_mode = false;
    std::size_t records = 0;  // number of records that precede the end of the call
};

class Trace {
  public:
    std::vector<TraceRecord> records;
    bool logs_calls = false;        // whether system calls are added to `calls`
    std::vector<SystemCall> calls;  // in order of time
    bool logs_checks = false;       // whether wake-ups and ticks are added to `checks` with their reasons
    std::vector<ReschedCheck> checks;

    void wake_up(Nanos time, CpuId cpu, TaskId p, TaskId waker) {
        add(time, TraceKind::wake_up, cpu, p, waker);
    }
    void tick(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::tick, cpu, p); }
    void yield(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::yield, cpu, p); }
    void sleep(Nanos time, CpuId cpu, TaskId p, ChannelId device = kNoChannel) {
        add(time, TraceKind::sleep, cpu, p);
        records.back().channel = device;
    }
    void wait(Nanos time, CpuId cpu, TaskId p, ChannelId channel) {
        add(time, TraceKind::wait, cpu, p);
        records.back().channel = channel;
    }
    void fork(Nanos time, CpuId cpu, TaskId child, TaskId parent, std::uint16_t group,
              std::uint32_t ordinal) {
        add(time, TraceKind::fork, cpu, child, parent);
        records.back().group = group;
        records.back().ordinal = ordinal;
    }
    void exec(Nanos time, CpuId cpu, TaskId p, std::uint16_t group, std::uint32_t ordinal, MmId mm) {
        add(time, TraceKind::exec, cpu, p);
        records.back().group = group;
        records.back().ordinal = ordinal;
        records.back().mm = mm;
    }
    void exit(Nanos time, CpuId cpu, TaskId p) { add(time, TraceKind::exit, cpu, p); }
    // Adds the record of a system call that was not followed by schedule().
    void syscall(Nanos time, CpuId cpu, TaskId p, Nanos span, Nanos extra) {
        add(time, TraceKind::syscall, cpu, p);
        records.back().span = span;
        records.back().extra = extra;
    }
    void mm_event(Nanos time, TraceKind kind, CpuId cpu, TaskId p, TaskId other, MmId mm) {
        add(time, kind, cpu, p, other);
        records.back().mm = mm;
    }
    void reschedule_ipi(Nanos time, CpuId cpu, TaskId current, TaskId waker) {
        add(time, TraceKind::reschedule_ipi, cpu, current, waker);
    }
    void interrupt(Nanos time, CpuId cpu, TaskId current, Nanos span, Nanos stolen) {
        add(time, TraceKind::interrupt, cpu, current);
        records.back().span = span;
        records.back().extra = stolen;
    }
    void intervention(Nanos time, CpuId cpu, TaskId p, std::uint32_t index, InterventionResult result) {
        add(time, TraceKind::intervention, cpu, p);
        records.back().ordinal = index;
        records.back().result = result;
    }
    // Adds the record of a schedule() call. REQUIRES: the record is complete.
    void schedule(const TraceRecord& record) { records.push_back(record); }

  private:
    void add(Nanos time, TraceKind kind, CpuId cpu, TaskId task, TaskId other = kNoTask) {
        records.push_back({.time = time, .kind = kind, .cpu = cpu, .task = task, .other = other});
    }
};

// The record of a schedule() call without `time`, `mm` and `flushes_tlb`, which the caller must set.
[[gnu::always_inline]] inline TraceRecord schedule_record(const ScheduleCall& call) {
    return {.time = {},
            .kind = TraceKind::schedule,
            .cpu = call.cpu,
            .task = call.decision.next,
            .other = call.prev,
            .span = call.span,
            .extra = call.extra,
            .refill = call.refilled.time,
            .refilled_entries = call.refilled.tlb_entries,
            .refilled_lines = call.refilled.lines,
            .streamed_lines = call.refilled.streamed,
            .decision = call.decision,
            .from_syscall = call.from_syscall,
            .after_yield = call.after_yield,
            .voluntary = call.voluntary,
            .loads_mm = call.loads_mm,
            .cause = call.cause,
            .caused_by = call.caused_by};
}

// The work of the schedule() call that `record` describes.
KernelEntryWork work_of_schedule_call(const TraceRecord& record);

}  // namespace sim
