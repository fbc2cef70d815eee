// Address spaces: who has one, who has borrowed one, when it is loaded, when it is gone.
//
// Source: Linux 2.4.22 kernel/sched.c, schedule(); include/asm-i386/mmu_context.h, switch_mm() and
// enter_lazy_tlb(); arch/i386/kernel/smp.c, leave_mm(); kernel/fork.c, mmput() and mmdrop(). Without lazy TLB
// it is as in Linux 2.0 and 2.2: kernel threads and idle tasks have the kernel's own page tables, and the way
// to them and back loads and flushes twice.
//
// mm_users are the tasks of an address space; mm_count is 1 for all of them and 1 for each CPU that has
// borrowed it. cpu_vm_mask is not kept: it is the CPUs whose active_mm it is and that have not left it.
#pragma once

#include "sim/core/machine.h"

namespace sim {

// Takes one reference off (mmdrop). The kernel's address space is never given back, and one that tasks share
// by name keeps its number: a task that is forked later may have it.
inline void drop_mm(Machine& m, MmId id) {
    if (id == kKernelMm) return;
    Mm& mm = m.mm(id);
    assert(mm.count > 0);
    if (--mm.count > 0 || id <= m.shape().shared_mms) return;
    mm.users = m.globals().free_mm;
    m.globals().free_mm = id;
}

inline void grab_mm(Machine& m, MmId id) {
    if (id != kKernelMm) ++m.mm(id).count;
}

// One more task has it.
inline void use_mm(Machine& m, MmId id) {
    if (id == kKernelMm) return;
    Mm& mm = m.mm(id);
    if (mm.count == 0) mm.users = 0;
    if (mm.users++ == 0) ++mm.count;
}

// A task has it no more (mmput). Returns whether this was the last one.
inline bool leave_mm_of_task(Machine& m, MmId id) {
    if (id == kKernelMm) return false;
    Mm& mm = m.mm(id);
    assert(mm.users > 0);
    if (--mm.users > 0) return false;
    drop_mm(m, id);
    return true;
}

// One that nobody has yet. REQUIRES: no more tasks than rows, and the shape has room for theirs.
inline MmId new_mm(Machine& m) {
    Globals& g = m.globals();
    if (g.free_mm == kKernelMm) return g.next_mm++;
    const MmId id = g.free_mm;
    g.free_mm = m.mm(id).users;
    m.mm(id) = {};
    return id;
}

// What a change of the running context means for address spaces.
struct MmSwitch {
    bool loads = false;        // other page tables were loaded; untagged translations are gone
    bool borrows = false;      // enter_lazy_tlb(): `next` has none of its own and keeps what is loaded
    bool returns = false;      // to the very address space that was borrowed meanwhile: nothing to load
    MmId dropped = kKernelMm;  // what prev had borrowed, given back: mmdrop()
};

// Without lazy TLB, from prev to next, which differ, on this CPU: page tables are loaded whenever the two
// address spaces differ. `found` is the active_mm before the switch.
inline MmSwitch switch_mm_eagerly(Machine& m, CpuId c, TaskId prev, TaskId next, MmId found) {
    Cpu& cpu = m.cpu(c);
    const MmId to = m.task[next].mm;
    MmSwitch result{.loads = found != to || cpu.left_mm};
    cpu.active_mm = to;
    cpu.left_mm = false;
    // Borrowed under the policy before this one (intervention.h).
    if (found != kKernelMm && m.task[prev].mm == kKernelMm) {
        result.dropped = found;
        drop_mm(m, found);
    }
    return result;
}

// The same with lazy TLB.
inline MmSwitch switch_mm_lazily(Machine& m, CpuId c, TaskId prev, TaskId next, MmId found) {
    Cpu& cpu = m.cpu(c);
    const MmId from = m.task[prev].mm, to = m.task[next].mm;
    MmSwitch result;
    if (to == kKernelMm) {
        cpu.active_mm = found;
        result.borrows = found != kKernelMm;
        if (from != kKernelMm) grab_mm(m, found);  // from one kernel thread to another it is handed on
        return result;
    }
    result.loads = found != to || cpu.left_mm;
    result.returns = from == kKernelMm && !result.loads;
    cpu.active_mm = to;
    cpu.left_mm = false;
    if (from == kKernelMm) {
        result.dropped = found;
        drop_mm(m, found);
    }
    return result;
}

// p, which runs on this CPU, begins a new program: a new address space instead of its own, or of what it has
// borrowed (exec_mmap).
inline void exec_mm(Machine& m, CpuId c, TaskId p) {
    Cpu& cpu = m.cpu(c);
    if (m.task[p].mm == kKernelMm)
        drop_mm(m, cpu.active_mm);
    else
        leave_mm_of_task(m, m.task[p].mm);
    m.task[p].mm = new_mm(m);
    use_mm(m, m.task[p].mm);
    cpu.active_mm = m.task[p].mm;
    cpu.left_mm = false;
    ++cpu.tlb_flushes;
}

// At the very end, as when CPUs are taken off line: what they have borrowed is given back.
inline void drop_borrowed_mms(Machine& m) {
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        Cpu& cpu = m.cpu(c);
        if (m.task[cpu.current].mm != kKernelMm) continue;
        drop_mm(m, cpu.active_mm);
        cpu.active_mm = kKernelMm;
    }
}

}  // namespace sim
