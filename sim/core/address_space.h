// Address spaces: ownership, borrowing (lazy TLB), loading and freeing.
//
// Source: Linux 2.4.22 kernel/sched.c, schedule(); include/asm-i386/mmu_context.h, switch_mm() and
// enter_lazy_tlb(); arch/i386/kernel/smp.c, leave_mm(); kernel/fork.c, mmput() and mmdrop(). Without lazy
// TLB, as in Linux 2.0 and 2.2, kernel threads and idle tasks run on the kernel's page tables. Then a switch
// to such a task and back loads page tables twice and flushes the TLB twice.
//
// mm_users is the number of tasks of an address space. mm_count is 1 for all these tasks together, plus 1 for
// each CPU that has borrowed the address space. The kernel's cpu_vm_mask is not stored: it is the set of the
// CPUs whose active_mm is this address space and whose left_mm is false.
#pragma once

#include "sim/core/machine.h"

namespace sim {

// mmdrop(): drops a reference. The kernel's address space is never freed. An address space that task groups
// share by a name in the scenario ("mm") is not freed either, so that tasks forked later get the same id.
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

inline void add_mm_user(Machine& m, MmId id) {
    if (id == kKernelMm) return;
    Mm& mm = m.mm(id);
    if (mm.count == 0) mm.users = 0;
    if (mm.users++ == 0) ++mm.count;
}

// mmput(): a task stops using the address space. Returns whether the task was the last user of the address
// space.
inline bool remove_mm_user(Machine& m, MmId id) {
    if (id == kKernelMm) return false;
    Mm& mm = m.mm(id);
    assert(mm.users > 0);
    if (--mm.users > 0) return false;
    drop_mm(m, id);
    return true;
}

// REQUIRES: fewer than MachineShape::mms address spaces exist. This holds if each task has at most one.
inline MmId new_mm(Machine& m) {
    Globals& g = m.globals();
    if (g.free_mm == kKernelMm) return g.next_mm++;
    const MmId id = g.free_mm;
    g.free_mm = m.mm(id).users;
    m.mm(id) = {};
    return id;
}

// The effect of a context switch on address spaces.
struct MmSwitch {
    bool loads = false;        // page tables were loaded; an untagged TLB lost its entries
    bool borrows = false;      // enter_lazy_tlb(): `next` keeps the loaded mm
    bool returns = false;      // `next` owns the mm that prev borrowed, and this mm is still loaded
    MmId dropped = kKernelMm;  // the mm that prev had borrowed and mmdrop() has released; kKernelMm: none
};

// Switch without lazy TLB: loads page tables if the address spaces differ. `loaded_mm`: active_mm before the
// switch. REQUIRES: prev and next differ.
inline MmSwitch switch_mm_eagerly(Machine& m, CpuId c, TaskId prev, TaskId next, MmId loaded_mm) {
    Cpu& cpu = m.cpu(c);
    const MmId to = m.task[next].mm;
    MmSwitch result{.loads = loaded_mm != to || cpu.left_mm};
    cpu.active_mm = to;
    cpu.left_mm = false;
    // prev is a kernel task that has borrowed `loaded_mm`. This occurs only if prev was chosen by an earlier
    // policy, which an intervention has replaced (sim/replay/intervention.h).
    if (loaded_mm != kKernelMm && m.task[prev].mm == kKernelMm) {
        result.dropped = loaded_mm;
        drop_mm(m, loaded_mm);
    }
    return result;
}

// Switch with lazy TLB: a kernel or idle task keeps the loaded address space. Parameters and requirement as
// for switch_mm_eagerly().
inline MmSwitch switch_mm_lazily(Machine& m, CpuId c, TaskId prev, TaskId next, MmId loaded_mm) {
    Cpu& cpu = m.cpu(c);
    const MmId from = m.task[prev].mm, to = m.task[next].mm;
    MmSwitch result;
    if (to == kKernelMm) {
        cpu.active_mm = loaded_mm;
        result.borrows = loaded_mm != kKernelMm;
        // `next` borrows `loaded_mm` and holds a reference to it. If `prev` has borrowed `loaded_mm` (`from`
        // is kKernelMm), `next` takes over the reference of `prev`.
        if (from != kKernelMm) grab_mm(m, loaded_mm);
        return result;
    }
    result.loads = loaded_mm != to || cpu.left_mm;
    result.returns = from == kKernelMm && !result.loads;
    cpu.active_mm = to;
    cpu.left_mm = false;
    if (from == kKernelMm) {
        result.dropped = loaded_mm;
        drop_mm(m, loaded_mm);
    }
    return result;
}

// exec_mmap(): p, which runs on this CPU, gets a new address space in place of the address space that it
// owns or borrows.
inline void exec_mm(Machine& m, CpuId c, TaskId p) {
    Cpu& cpu = m.cpu(c);
    if (m.task[p].mm == kKernelMm)
        drop_mm(m, cpu.active_mm);
    else
        remove_mm_user(m, m.task[p].mm);
    m.task[p].mm = new_mm(m);
    add_mm_user(m, m.task[p].mm);
    cpu.active_mm = m.task[p].mm;
    cpu.left_mm = false;
    ++cpu.tlb_flushes;
}

// Drops all borrowed address spaces at the end of the run, as when CPUs go offline.
inline void drop_borrowed_mms(Machine& m) {
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        Cpu& cpu = m.cpu(c);
        if (m.task[cpu.current].mm != kKernelMm) continue;
        drop_mm(m, cpu.active_mm);
        cpu.active_mm = kKernelMm;
    }
}

}  // namespace sim
