// Contents of TLB and cache when a task returns: integer results compared with the formula, limits of the
// history, flushes.
#include "sim/core/residency.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <random>
#include <string>

#include "tests/support/simulation.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace residency_test {

// A machine with live tasks whose working sets have the specified numbers of 32-byte lines; one task per
// group.
struct Tasks {
    Tasks(std::uint32_t places, const std::vector<std::uint32_t>& working_sets, std::uint32_t footprint = 0,
          std::uint32_t cpus = 1)
        : scenario(small_scenario(
              entries(working_sets),
              {.cpus = cpus,
               .machine = fmt::format(
                   R"("cache": {{"size": "{}B", "line": "32B", "footprint": "{}B", "refill": "10ns",
                                "prefetched_refill": "1ns"}},)",
                   places * 32, footprint * 32)})),
          residency(scenario),
          m(scenario.shape) {
        for (std::uint32_t i = 0; i < working_sets.size(); ++i) create_task(m, scenario, i, 1, kNoTask);
    }
    static std::string entries(const std::vector<std::uint32_t>& working_sets) {
        std::string text;
        for (const std::uint32_t lines : working_sets)
            text += fmt::format(R"({}{{"name": "t{}", "working_set": "{}B", "program": []}})",
                                text.empty() ? "" : ", ", text.size(), lines * 32);
        return text;
    }
    TaskId task(std::uint32_t i) const { return m.first_task() + i; }
    RefillWork come(std::uint32_t i, CpuId c = 0) { return residency.refill_entries(m, c, task(i)); }

    Scenario scenario;
    Residency residency;
    Machine m;
};

TEST(Residency, FirstRunLoadsWholeWorkingSet) {
    Tasks t(256, {100, 1'000}, 20);
    const RefillWork first = t.come(0);
    EXPECT_EQ(first.lines, 20u);
    EXPECT_EQ(first.streamed, 100u);
    EXPECT_EQ(first.time, 20 * 10ns + 100 * 1ns);
    const RefillWork large = t.come(1);  // lines that do not fit displace each other
    EXPECT_EQ(large.lines, 20u);
    EXPECT_EQ(large.streamed, 236u);
}

TEST(Residency, ImmediateReturnLoadsNoLines) {
    Tasks t(256, {100}, 20);
    t.come(0);
    const RefillWork again = t.come(0);
    EXPECT_EQ(again.lines + again.streamed, 0u);
    EXPECT_EQ(again.time, 0ns);
}

TEST(Residency, SurvivingLinesMatchFormula) {
    std::mt19937_64 random(1);
    double worst = 0;
    for (int round = 0; round < rounds(3'000, 3'000, 400); ++round) {
        const std::uint32_t places = std::array{1u, 2u, 7u, 64u, 256u, 512u, 4'096u, 65'536u}[random() % 8];
        std::vector<std::uint32_t> sets;
        for (std::uint64_t i = 0; i < 1 + random() % 6; ++i)
            sets.push_back(static_cast<std::uint32_t>(random() % (places * (random() % 3 == 0 ? 3 : 1)) + 1));
        Tasks t(places, sets);
        const auto need = [&](std::size_t i) { return std::min(sets[i], places); };
        for (std::uint32_t i = 0; i < sets.size(); ++i) t.come(i);
        double others = 0;
        for (std::size_t i = 1; i < sets.size(); ++i) others += need(i);
        const double left = need(0) * std::pow(1 - 1.0 / places, others);
        const double missing = need(0) - left;
        const double off = std::abs(missing - t.come(0).streamed);
        worst = std::max(worst, off);
        ASSERT_LE(off, 1.0) << places << " places, " << sets.size() << " tasks";
    }
    std::cout << "off by " << worst << " lines at most\n";
}

TEST(Residency, RepeatedRunsDisplaceLinesOnce) {
    Tasks once(256, {100, 50, 60}), often(256, {100, 50, 60});
    for (const std::uint32_t i : {0u, 1u, 2u}) once.come(i);
    for (const std::uint32_t i : {0u, 1u, 2u, 1u, 2u, 1u, 2u}) often.come(i);
    EXPECT_EQ(once.come(0).streamed, often.come(0).streamed);
}

TEST(Residency, MigrationClearsHistoryOfOldCpu) {
    Tasks t(256, {100, 50}, 0, 2);
    t.come(0, 0);
    EXPECT_EQ(t.m.resident_on[t.task(0)], 0u);
    EXPECT_EQ(t.come(0, 1).streamed, 100u);
    EXPECT_EQ(t.m.cpu(0).recent, 0u);
    EXPECT_EQ(t.m.resident_on[t.task(0)], 1u);
    EXPECT_EQ(t.come(0, 0).streamed, 100u);
    EXPECT_EQ(t.m.cpu(1).recent, 0u);
}

TEST(Residency, HistoryHolds64Tasks) {
    std::vector<std::uint32_t> sets(66, 1);
    Tasks t(65'536, sets);
    for (std::uint32_t i = 0; i < 64; ++i) t.come(i);
    EXPECT_EQ(t.come(0).streamed, 0u);  // 63 other tasks displaced almost nothing
    for (std::uint32_t i = 1; i < 65; ++i) t.come(i);
    EXPECT_EQ(t.m.cpu(0).recent, Residency::kRecentTasks);
    EXPECT_EQ(t.m.resident_on[t.task(0)], Task::kNoProcessor);
    EXPECT_EQ(t.come(0).streamed, 1u);
    EXPECT_EQ(t.m.resident_on[t.task(1)], Task::kNoProcessor);  // the oldest task was dropped
    EXPECT_EQ(t.come(2).streamed, 0u);
}

TEST(Residency, ForgetRemovesTaskFromHistory) {
    Tasks t(256, {100, 50, 20});
    for (const std::uint32_t i : {0u, 1u, 2u}) t.come(i);
    t.residency.remove_entries(t.m, t.task(1));
    t.residency.remove_entries(t.m, t.task(1));  // a second call has no effect
    EXPECT_EQ(t.m.cpu(0).recent, 2u);
    EXPECT_EQ(t.m.recent(0)[0].task, t.task(2));
    EXPECT_EQ(t.m.recent(0)[1].task, t.task(0));
    EXPECT_EQ(t.come(1).streamed, 50u);
}

TEST(Residency, ContentsMatchLinesFoundOnReturn) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::uint32_t> sets;
        for (int i = 0; i < 10; ++i) sets.push_back(static_cast<std::uint32_t>(random() % 300));
        Tasks t(512, sets, 30);
        for (int i = 0; i < 40; ++i) t.come(static_cast<std::uint32_t>(random() % 10));
        const std::vector<ResidentEntries> contents = t.residency.contents(t.m, 0);
        EXPECT_EQ(contents.size(), t.m.cpu(0).recent);
        for (std::size_t i = 0; i < contents.size(); ++i) {
            const ResidentEntries& r = contents[i];
            if (i == 0) {
                EXPECT_EQ(r.lines, r.lines_needed);
            }
            Machine copy = t.m;
            const RefillWork refilled = t.residency.refill_entries(copy, 0, r.task);
            // Footprint and working set are rounded separately.
            EXPECT_NEAR(r.lines_needed - r.lines, refilled.lines + refilled.streamed, 1);
        }
    }
}

// --- TLBs, in a run ---

std::string tlb(const char* tagged) {
    return fmt::format(
        R"("lazy_tlb": false, "tlb": {{"entries": 64, "tagged": {}, "footprint": 12, "refill": "1us"}},)",
        tagged);
}

TEST(Tlb, UntaggedIsFlushedByAddressSpaceLoad) {
    const char* tasks =
        R"({"name": "a", "count": 2, "working_set": "16KiB", "program": [{"loop": 3, "steps": ["yield"]}]})";
    Simulation flushed(small_scenario(tasks, {.machine = tlb("false")}), "linux-2.0");
    EXPECT_EQ(flushed.go(), StopReason::all_exited);
    EXPECT_EQ(flushed.statistics.tlb_entries, 8u * 16);  // 16 entries at each of 8 switches to a task
    Simulation tagged(small_scenario(tasks, {.machine = tlb("true")}), "linux-2.0");
    EXPECT_EQ(tagged.go(), StopReason::all_exited);
    // At first, each of the two tasks loads 16 entries. Each later switch displaces 16 * (1 - (63/64)^16) =
    // 3.6 of these entries. The number of entries that remain is rounded to 12, so that 4 are loaded again.
    EXPECT_EQ(tagged.statistics.tlb_entries, 2u * 16 + 6 * 4);
    EXPECT_EQ(tagged.statistics.tlb_flushes, 0u);
}

TEST(Tlb, ThreadsOfSameAddressSpaceKeepEntries) {
    Simulation run(
        small_scenario(
            R"({"name": "a", "count": 2, "mm": "x", "program": [{"loop": 3, "steps": ["yield"]}]})",
            {.machine = tlb("false")}),
        "linux-2.0");
    EXPECT_EQ(run.go(), StopReason::all_exited);
    // At first, each of the two tasks loads 12 entries. Later it loads those that were displaced: 12 * (1 -
    // (63/64)^12) = 2.07.
    EXPECT_EQ(run.statistics.tlb_entries, 2u * 12 + 6 * 2);
}

TEST(Tlb, IdlePeriodFlushesUnlessLazy) {
    const char* sleeper =
        R"({"name": "a", "program": [{"loop": 3, "steps": [{"run": "1ms"}, {"arrival": "1ms"}]}]})";
    const auto entries = [&](const char* lazy) {
        Simulation run(small_scenario(
            sleeper,
            {.machine = fmt::format(R"("lazy_tlb": {}, "tlb": {{"entries": 64, "footprint": 12}},)", lazy)}));
        EXPECT_EQ(run.go(), StopReason::all_exited);
        return run.statistics.tlb_entries;
    };
    EXPECT_EQ(entries("true"), 12u);
    EXPECT_EQ(entries("false"), 4u * 12);
}

TEST(Tlb, ExecDoesNotCountAsRefill) {
    Simulation run(
        small_scenario(R"({"name": "a", "program": [{"exec": "b"}]},
        {"name": "b", "count": 0, "program": [{"run": "1ms"}, {"arrival": "1ms"}, {"run": "1ms"}]})",
                       {.machine = R"("lazy_tlb": true, "tlb": {"entries": 64, "footprint": 12},)"}));
    EXPECT_EQ(run.go(), StopReason::all_exited);
    EXPECT_EQ(run.statistics.tlb_entries, 12u);  // loaded when a starts
}

// The kernel thread borrows the current address space, so only the exec can flush its entries.
TEST(Tlb, ExecFlushesEntriesOfOtherTasks) {
    const auto entries = [](const char* then) {
        Simulation run(
            small_scenario(fmt::format(
                               R"({{"name": "a", "program": [{{"run": "3ms"}}, {}]}},
                {{"name": "b", "count": 0, "program": [{{"run": "3ms"}}]}},
                {{"name": "k", "mm": null, "start": "1ms", "class": "fifo", "rt_priority": 1,
                    "program": [{{"run": "1us"}}, {{"arrival": "4ms"}}, {{"run": "1us"}}]}})",
                               then),
                           {.machine = R"("lazy_tlb": true, "tlb": {"entries": 64, "footprint": 12},)"}));
        EXPECT_EQ(run.go(), StopReason::all_exited);
        return std::pair(run.statistics.tlb_entries, run.statistics.tlb_flushes);
    };
    // At first, a and k load 12 entries each. Later, other tasks displace 12 * (1 - (63/64)^12) = 2.07 of
    // the 12.
    EXPECT_EQ(entries(R"({"run": "3ms"})"), std::pair(std::uint64_t{12 + 12 + 2 + 2 + 2}, std::uint64_t{0}));
    EXPECT_EQ(entries(R"({"exec": "b"})"), std::pair(std::uint64_t{12 + 12 + 2 + 12 + 2}, std::uint64_t{1}));
}

TEST(Cache, MigratedTaskReloadsWorkingSet) {
    const auto lines = [](const char* affinity) {
        Simulation run(small_scenario(fmt::format(R"({{"name": "first", "program": [{{"run": "1ms"}}]}},
                {{"name": "a", "affinity": {}, "working_set": "3200B", "program": [{{"run": "2ms"}}, {{"arrival": "5ms"}}, {{"run": "1ms"}}]}},
                {{"name": "hog", "start": "3ms", "affinity": [1], "class": "fifo", "rt_priority": 1, "program": [{{"run": "100ms"}}]}})",
                                                  affinity),
                                      {.cpus = 2, .machine = R"("cache": {"size": "16KiB", "line": "32B",
                                              "prefetched_refill": "1ns"},)"}));
        EXPECT_EQ(run.go(), StopReason::all_exited);
        return std::pair(run.statistics.streamed_lines, run.statistics.migrations);
    };
    EXPECT_EQ(lines("[0, 1]"), std::pair(std::uint64_t{200}, std::uint64_t{1}));  // a moves to cpu0
    EXPECT_EQ(lines("[1]"), std::pair(std::uint64_t{100}, std::uint64_t{0}));     // a waits for the hog
}

}  // namespace residency_test
}  // namespace sim
