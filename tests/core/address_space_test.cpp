// Address spaces: reference counts, page-table loads, and reuse without leaks or duplicates.
#include "sim/core/address_space.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/simulation.h"

namespace sim {
namespace address_space_test {

// Tasks 2, 3 and 4 on two CPUs; mm 1 is shared by name.
struct AddressSpaces : testing::Test {
    AddressSpaces() {
        for (int i = 0; i < 3; ++i) m.allocate_task();
        m.globals().next_mm = 2;
    }
    MmId give(TaskId p, MmId id) {
        m.task[p].mm = id;
        add_mm_user(m, id);
        return id;
    }
    // Switches CPU c to `next`.
    MmSwitch change(CpuId c, TaskId next, bool lazy) {
        const TaskId prev = m.cpu(c).current;
        const MmId found = m.cpu(c).active_mm;
        const MmSwitch result =
            lazy ? switch_mm_lazily(m, c, prev, next, found) : switch_mm_eagerly(m, c, prev, next, found);
        m.cpu(c).current = next;
        return result;
    }
    Machine m{{.cpus = 2, .tasks = 3, .mms = 7, .shared_mms = 1}};
    static constexpr TaskId kA = 2, kB = 3, kThread = 4, kIdle = 0;
};

TEST_F(AddressSpaces, AllUsersCountAsSingleReference) {
    const MmId mm = give(kA, new_mm(m));
    give(kB, mm);
    EXPECT_EQ(m.mm(mm).users, 2u);
    EXPECT_EQ(m.mm(mm).count, 1u);
    EXPECT_FALSE(remove_mm_user(m, mm));
    EXPECT_EQ(m.mm(mm).count, 1u);
    EXPECT_TRUE(remove_mm_user(m, mm));
    EXPECT_EQ(m.mm(mm).count, 0u);
}

TEST_F(AddressSpaces, LastFreedIsReusedFirst) {
    const MmId first = give(kA, new_mm(m)), second = give(kB, new_mm(m));
    EXPECT_EQ(first, 2u);
    EXPECT_EQ(second, 3u);
    remove_mm_user(m, first);
    remove_mm_user(m, second);
    EXPECT_EQ(new_mm(m), second);  // the last freed row is reused first
    EXPECT_EQ(new_mm(m), first);
    EXPECT_EQ(new_mm(m), 4u);
}

TEST_F(AddressSpaces, NamedSharedSpaceIsNeverReused) {
    give(kA, 1);
    EXPECT_TRUE(remove_mm_user(m, 1));
    EXPECT_EQ(new_mm(m), 2u);
    give(kB, 1);  // like a later fork of a thread in the named space
    EXPECT_EQ(m.mm(1).users, 1u);
    EXPECT_EQ(m.mm(1).count, 1u);
}

TEST_F(AddressSpaces, KernelSpaceIsNotCounted) {
    add_mm_user(m, kKernelMm);
    grab_mm(m, kKernelMm);
    drop_mm(m, kKernelMm);
    EXPECT_FALSE(remove_mm_user(m, kKernelMm));
    EXPECT_EQ(m.mm(kKernelMm).count, 0u);
}

TEST_F(AddressSpaces, WithoutLazyTlbKernelThreadLoadsTwice) {
    const MmId mm = give(kA, new_mm(m));
    change(0, kA, false);
    EXPECT_TRUE(change(0, kThread, false).loads);
    EXPECT_EQ(m.cpu(0).active_mm, kKernelMm);
    EXPECT_EQ(m.mm(mm).count, 1u);
    EXPECT_TRUE(change(0, kA, false).loads);
}

TEST_F(AddressSpaces, KernelThreadBorrowsAndReturnLoadsNothing) {
    const MmId mm = give(kA, new_mm(m));
    EXPECT_TRUE(change(0, kA, true).loads);
    const MmSwitch there = change(0, kThread, true);
    EXPECT_TRUE(there.borrows);
    EXPECT_FALSE(there.loads);
    EXPECT_EQ(m.cpu(0).active_mm, mm);
    EXPECT_EQ(m.mm(mm).count, 2u);
    EXPECT_EQ(m.mm(mm).users, 1u);
    const MmSwitch on = change(0, kIdle, true);  // one borrower passes the address space to the next
    EXPECT_TRUE(on.borrows);
    EXPECT_EQ(m.mm(mm).count, 2u);
    const MmSwitch back = change(0, kA, true);
    EXPECT_TRUE(back.returns);
    EXPECT_FALSE(back.loads);
    EXPECT_EQ(back.dropped, mm);
    EXPECT_EQ(m.mm(mm).count, 1u);
}

TEST_F(AddressSpaces, BorrowedSpaceSurvivesExitUntilDropped) {
    const MmId mm = give(kA, new_mm(m));
    give(kB, new_mm(m));
    change(0, kA, true);
    change(0, kIdle, true);
    remove_mm_user(m, mm);  // A has exited
    EXPECT_EQ(m.mm(mm).users, 0u);
    EXPECT_EQ(m.mm(mm).count, 1u);
    EXPECT_EQ(m.globals().free_mm, kKernelMm);
    const MmSwitch away = change(0, kB, true);
    EXPECT_TRUE(away.loads);
    EXPECT_EQ(away.dropped, mm);
    EXPECT_EQ(m.globals().free_mm, mm);
}

TEST_F(AddressSpaces, BorrowedSpaceIsReloadedAfterSwitchAway) {
    give(kA, new_mm(m));
    change(0, kA, true);
    change(0, kIdle, true);
    m.cpu(0).left_mm = true;
    const MmSwitch back = change(0, kA, true);
    EXPECT_TRUE(back.loads);
    EXPECT_FALSE(back.returns);
    EXPECT_FALSE(m.cpu(0).left_mm);
}

TEST_F(AddressSpaces, EagerSwitchDropsLazyBorrow) {
    const MmId mm = give(kA, new_mm(m));
    change(0, kA, true);
    change(0, kIdle, true);
    const MmSwitch back = change(0, kA, false);
    EXPECT_FALSE(back.loads);  // already loaded
    EXPECT_EQ(m.mm(mm).count, 1u);
    change(0, kIdle, true);
    EXPECT_EQ(m.mm(mm).count, 2u);
    EXPECT_TRUE(change(0, kThread, false).loads);
    EXPECT_EQ(m.mm(mm).count, 1u);
    EXPECT_EQ(m.cpu(0).active_mm, kKernelMm);
}

TEST_F(AddressSpaces, KernelThreadExecDropsBorrowedSpace) {
    const MmId mm = give(kA, new_mm(m));
    change(0, kA, true);
    change(0, kThread, true);
    m.cpu(0).left_mm = true;
    exec_mm(m, 0, kThread);
    EXPECT_EQ(m.mm(mm).count, 1u);
    EXPECT_FALSE(m.cpu(0).left_mm);
    EXPECT_EQ(m.cpu(0).active_mm, m.task[kThread].mm);
    EXPECT_EQ(m.mm(m.task[kThread].mm).users, 1u);
}

TEST_F(AddressSpaces, EndOfRunDropsBorrowedSpaces) {
    const MmId mm = give(kA, new_mm(m));
    for (const CpuId c : {0u, 1u}) {
        m.task[c].mm = kKernelMm;
        change(c, kA, true);
        change(c, c, true);
    }
    EXPECT_EQ(m.mm(mm).count, 3u);
    remove_mm_user(m, mm);
    drop_borrowed_mms(m);
    EXPECT_EQ(m.mm(mm).count, 0u);
    EXPECT_EQ(m.cpu(1).active_mm, kKernelMm);
}

// --- in a run ---

// Page-table loads with time, CPU and task: "0 cpu0 a, 1000 cpu1 b".
std::string loads(const Simulation& run) {
    std::string text;
    for (const TraceRecord& r : run.trace.records)
        if (r.kind == TraceKind::schedule && r.loads_mm)
            text += fmt::format("{}{} cpu{} {}", text.empty() ? "" : ", ", r.time.count(), r.cpu,
                                run.scenario.task_name(run.m, r.task));
    return text;
}

// A program in which a repeatedly sleeps and then continues on an idle CPU.
constexpr const char* kSleeper =
    R"({"name": "a", "program": [{"loop": 3, "steps": [{"run": "1ms"}, {"arrival": "1ms"}]}]})";

TEST(LazyTlb, IdlePeriodCausesNoLoad) {
    Simulation lazy(small_scenario(kSleeper)),
        eager(small_scenario(kSleeper, {.machine = R"("lazy_tlb": false,)"}));
    EXPECT_EQ(lazy.go(), StopReason::all_exited);
    EXPECT_EQ(eager.go(), StopReason::all_exited);
    // There are four switches to a and four to the idle task: a sleeps three times and exits once.
    EXPECT_EQ(eager.statistics.mm_loads, 8u);
    EXPECT_EQ(eager.statistics.lazy_avoided, 0u);
    EXPECT_EQ(lazy.statistics.mm_loads, 1u);
    EXPECT_EQ(lazy.statistics.lazy_avoided, 7u);
    EXPECT_EQ(lazy.events(TraceKind::borrow_mm), "1000000 idle, 3000000 idle, 5000000 idle, 6000000 idle");
    EXPECT_EQ(lazy.events(TraceKind::return_mm), "2000000 a, 4000000 a, 6000000 a");
}

TEST(LazyTlb, MachineOverridesPolicyDefault) {
    for (const auto& [spec, loads] : {std::pair{"linux-2.0", 8u}, std::pair{"linux-2.2", 8u},
                                      std::pair{"linux-2.4.0", 1u}, std::pair{"linux-2.4.22", 1u}}) {
        Simulation run(small_scenario(kSleeper), spec);
        EXPECT_EQ(run.go(), StopReason::all_exited);
        EXPECT_EQ(run.statistics.mm_loads, loads) << spec;
    }
    Simulation told(small_scenario(kSleeper, {.machine = R"("lazy_tlb": true,)"}), "linux-2.0");
    EXPECT_EQ(told.go(), StopReason::all_exited);
    EXPECT_EQ(told.statistics.mm_loads, 1u);
}

TEST(LazyTlb, IdleTaskKeepsExitedAddressSpace) {
    Simulation run(small_scenario(R"({"name": "a", "program": [{"run": "1ms"}]},
                                     {"name": "b", "start": "5ms", "program": [{"run": "1ms"}]})"));
    run.go(2ms);
    EXPECT_EQ(run.m.cpu(0).active_mm, 1u);
    EXPECT_EQ(run.m.mm(1).users, 0u);
    EXPECT_EQ(run.m.mm(1).count, 1u);
    run.go(5500us);
    EXPECT_EQ(run.events(TraceKind::drop_mm), "5000000 b");
    EXPECT_EQ(run.m.mm(1).count, 0u);
}

TEST(LazyTlb, ForkAfterLastExitGetsUnsharedSpace) {
    Simulation run(small_scenario(R"(
        {"name": "t", "mm": "x", "program": []},
        {"name": "p", "start": "1ms", "program": [{"fork": "other"}, {"fork": "late"}, {"fork": "other"}]},
        {"name": "other", "count": 0, "program": [{"arrival": "1s"}]},
        {"name": "late", "count": 0, "mm": "x", "program": [{"arrival": "1s"}]})"));
    run.go(2ms);
    std::vector<MmId> seen;
    for (TaskId p = run.m.first_task(); p < run.m.globals().high_row; ++p)
        if (run.m.is_live(p)) seen.push_back(run.m.task[p].mm);
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen.size(), 3u);
    EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

// --- munmap ---

TEST(Munmap, FlushesTlbOfCpusUsingAddressSpace) {
    // Threads of the process run on cpu0, cpu1 and cpu2. cpu3 has only borrowed the address space, and cpu4
    // is used by another process.
    Simulation run(small_scenario(R"(
        {"name": "t", "count": 3, "mm": "x", "program": [{"run": "10ms"}]},
        {"name": "gone", "mm": "x", "affinity": [3], "program": [{"run": "1ms"}]},
        {"name": "other", "program": [{"run": "10ms"}]},
        {"name": "m", "mm": "x", "start": "20ms", "affinity": [0], "program": ["munmap", {"run": "1ms"}, "munmap"]},
        {"name": "u", "count": 2, "mm": "x", "start": "19ms", "affinity": [1, 2], "program": [{"run": "10ms"}]})",
                                  {.cpus = 5, .costs = R"("munmap": "1us")"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // cpu1 and cpu2 run threads of the process and flush at each munmap. cpu3 leaves the address space at
    // the first flush and receives no second IPI. cpu4 is idle with the address space of `other`.
    EXPECT_EQ(run.events(TraceKind::leave_mm), "20000000 cpu3 idle");
    EXPECT_EQ(run.statistics.flush_ipis, 5u);
    EXPECT_EQ(run.statistics.left_mms, 1u);
    EXPECT_EQ(run.statistics.work[static_cast<std::size_t>(KernelWork::munmap)], 2u);
}

TEST(Munmap, ReturningThreadReloadsLeftAddressSpace) {
    Simulation run(small_scenario(R"(
        {"name": "sleeper", "mm": "x", "affinity": [1], "program": [{"run": "1ms"}, {"arrival": "9ms"}, {"run": "1ms"}]},
        {"name": "m", "mm": "x", "affinity": [0], "program": [{"run": "5ms"}, "munmap", {"run": "10ms"}]})",
                                  {.cpus = 2}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::leave_mm), "5000000 cpu1 idle");
    EXPECT_EQ(loads(run), "0 cpu0 m, 0 cpu1 sleeper, 10000000 cpu1 sleeper");
    EXPECT_EQ(run.events(TraceKind::return_mm), "");
}

TEST(Munmap, KernelThreadFlushesNothing) {
    Simulation run(small_scenario(R"({"name": "k", "mm": null, "program": ["munmap"]})", {.cpus = 2}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.statistics.tlb_flushes, 0u);
}

// --- exec and fork ---

std::uint64_t work_of(const Simulation& run, KernelWork kind) {
    return run.statistics.work[static_cast<std::size_t>(kind)];
}

TEST(Exec, StartsProgramWithSamePid) {
    Simulation run(small_scenario(R"(
        {"name": "a", "nice": 5, "program": [{"run": "1ms"}, {"exec": "b"}]},
        {"name": "b", "count": 0, "nice": -5, "working_set": "9000B", "program": [{"run": "2ms"}]})",
                                  {.costs = R"("syscall": "1us", "exec": "10us", "loaded_page": "100us")"}));
    run.go(2ms);
    const TaskId p = run.task("b.1");
    EXPECT_EQ(run.m.task[p].pid, 1u);
    EXPECT_EQ(run.m.priority[p], 15);  // the task keeps its own priority
    EXPECT_EQ(run.m.globals().nr_tasks, 1u);
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.now(), 1'000'000 + 1'000 + 10'000 + 3 * 100'000 + 2'000'000);
    EXPECT_EQ(work_of(run, KernelWork::loaded_page), 3u);
}

TEST(Exec, ThreadLeavesAddressSpaceToSiblings) {
    Simulation run(small_scenario(R"(
        {"name": "t", "count": 2, "mm": "x", "program": [{"exec": "b"}]},
        {"name": "stays", "mm": "x", "program": [{"arrival": "1s"}]},
        {"name": "b", "count": 0, "mm": "x", "program": [{"arrival": "1s"}]})",
                                  {.cpus = 2}));
    run.go(1ms);
    EXPECT_EQ(run.m.mm(1).users, 1u);
    EXPECT_NE(run.m.task[run.task("b.1")].mm, run.m.task[run.task("b.2")].mm);
}

TEST(Fork, ProcessCostsMoreThanThread) {
    Simulation run(
        small_scenario(R"(
        {"name": "p", "mm": "x", "working_set": "10000B", "program": [{"fork": "process"}, {"fork": "thread"}, {"fork": "kernel"}]},
        {"name": "process", "count": 0, "program": []},
        {"name": "thread", "count": 0, "mm": "x", "program": []},
        {"name": "kernel", "count": 0, "mm": null, "program": []})",
                       {.costs = R"("fork_process": "100us", "fork_thread": "10us", "copied_page": "1us")"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(work_of(run, KernelWork::fork_process), 1u);
    EXPECT_EQ(work_of(run, KernelWork::fork_thread), 2u);
    EXPECT_EQ(work_of(run, KernelWork::copied_page), 3u);  // pages of the parent's working set
    EXPECT_EQ(run.time().overhead.system.count(), 100'000 + 3'000 + 2 * 10'000);
}

TEST(IdleExit, CostDelaysWokenTask) {
    Simulation run(small_scenario(kSleeper, {.costs = R"("idle_exit": "10us")"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.events(TraceKind::sleep), "1010000 a, 3020000 a, 5030000 a");
    EXPECT_EQ(work_of(run, KernelWork::idle_exit), 4u);
}

}  // namespace address_space_test
}  // namespace sim
