// A record of what happened, in order: for tests, comparisons and the timeline of the window.
//
// A trace is as long as what it recorded; whoever runs for long clears it between slices of the run. A run
// without one costs nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/core/cost_model.h"
#include "sim/core/decision.h"
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
    // What a switch means for address spaces that are lent; these follow its schedule record, which says
    // whether one was loaded (address_space.h).
    borrow_mm,  // enter_lazy_tlb(): a kernel thread or the idle task keeps what is loaded
    return_mm,  // back to the address space that was borrowed meanwhile: nothing is loaded
    drop_mm,    // mmdrop(): what prev had borrowed is given back
    // An address space changes while other CPUs have it loaded.
    flush_ipi,       // this CPU, which runs it, flushes
    leave_mm,        // this CPU, which has only borrowed it, loads the kernel's page tables instead
    reschedule_ipi,  // this CPU is asked by another one to reschedule
    interrupt,       // one takes time of this CPU, which runs `task`; only where its handler has a price
};

const char* to_string(TraceKind kind);

struct TraceRecord {
    Nanos time;
    TraceKind kind;
    CpuId cpu;       // wake_up: where the waker ran, or the interrupt came
    TaskId task;     // woken; found running; yielding; going to sleep; forked; exiting; chosen; calling
    TaskId other;    // wake_up: who woke it, kNoTask for its own timer. fork: the parent. schedule: prev
                     // and whatever follows it: prev. flush_ipi, leave_mm, reschedule_ipi: who asks
    Nanos span{};    // syscall, schedule, interrupt: the time in the kernel that begins here, all included,
                     // or that is added to what the CPU is in
    Nanos extra{};   // of it: KernelWork of all kinds. interrupt: what the host took before the handler
    Nanos refill{};  // of it: of TLB and cache, at the end: so many entries, and lines of the footprint and
    std::uint32_t refilled_entries{}, refilled_lines{}, streamed_lines{};  // of the working set
    Decision decision{};                                                   // schedule only
    bool from_syscall{};             // schedule only: a system call led to it, which `span` pays for, too
    bool after_yield{};              // schedule only: and that call was sched_yield()
    bool voluntary{};                // schedule only: prev was no longer runnable
    bool loads_mm{};                 // schedule only: another address space was loaded
    bool flushes_tlb{};              // schedule only: and an untagged TLB lost its entries by that
    MmId mm{};                       // those about address spaces. schedule: the active_mm from now on
    ChannelId channel = kNoChannel;  // wait: on what. sleep: the device, if it is one
    std::uint16_t
        group{};  // fork: of the child, whose row may have had another name before. exec: the new one
    std::uint32_t ordinal{};  // fork and exec
};

class Trace {
  public:
    std::vector<TraceRecord> records;

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
    // A system call that is over without a schedule().
    void syscall(Nanos time, CpuId cpu, TaskId p, Nanos span, Nanos extra) {
        add(time, TraceKind::syscall, cpu, p);
        records.back().span = span;
        records.back().extra = extra;
    }
    void about_mm(Nanos time, TraceKind kind, CpuId cpu, TaskId p, TaskId other, MmId mm) {
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
    // REQUIRES: the record says all of a call of schedule().
    void schedule(const TraceRecord& record) { records.push_back(record); }

  private:
    void add(Nanos time, TraceKind kind, CpuId cpu, TaskId task, TaskId other = kNoTask) {
        records.push_back({.time = time, .kind = kind, .cpu = cpu, .task = task, .other = other});
    }
};

// What a call says for the record. Left to the caller: the time, the address space that is loaded, and what
// loading one means for the TLB.
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
            .loads_mm = call.loads_mm};
}

// The work of the stay in the kernel that a schedule record begins.
CallWork call_work(const TraceRecord& record);

}  // namespace sim
