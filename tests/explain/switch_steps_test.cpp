// Tests of switch_steps(): the costs, the contents that a switch flushes or preserves, and the task that
// `prev` denotes after the switch.
#include "sim/explain/switch_steps.h"
#include "sim/scenario/builtin_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "sim/explain/decision_steps.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/decision_views.h"
#include "tests/support/random_scenario.h"
#include "tests/support/smp_scenario.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace switch_steps_test {

using OldContents = SwitchStep::OldContents;

Scenario scenario_of(const std::string& tasks) {
    return parse_scenario("test.json",
                          R"({"format": "switchyard-scenario/1", "until": "1h", "machine": {"hz": 1, "costs":
        {"syscall": "500ns", "schedule": "300ns", "considered": "100ns", "recalculated": "10ns",
         "switch_same_mm": "1us", "switch_other_mm": "4us"}}, "tasks": [)" +
                              tasks + "]}");
}

SwitchView switch_of(const Scenario& scenario, std::uint64_t decision,
                     const std::string& spec = "linux-2.0") {
    const auto policy = make_policy(spec);
    SwitchView result;
    look_at_decision(scenario, *policy.policy, decision, [&](const DecisionView& view) {
        result = switch_steps(view, policy, scenario, make_task_namer(view, scenario));
    });
    return result;
}

SwitchStep step_of(const SwitchView& view, const std::string& title) {
    for (const SwitchStep& step : view.steps)
        if (step.title == title) return step;
    ADD_FAILURE() << "no step " << title;
    return {};
}

// Titles of the step that loads page tables.
const std::set<std::string> kLoads{"Page directory", "switch_mm()", "switch_mm_irqs_off()"};

Nanos cost_of(const SwitchView& view, const std::set<std::string>& titles) {
    Nanos sum{};
    for (const SwitchStep& step : view.steps)
        if (titles.contains(step.title)) sum += step.cost;
    return sum;
}

std::ptrdiff_t loads_of(const SwitchView& view) {
    return std::count_if(view.steps.begin(), view.steps.end(),
                         [](const SwitchStep& step) { return step.happens && kLoads.contains(step.title); });
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::string kProcesses = R"(
    {"name": "A", "program": [{"loop": "forever", "steps": ["yield"]}]},
    {"name": "B", "program": [{"loop": "forever", "steps": ["yield"]}]})";

// --- every switch ---

void check(const Scenario& scenario, const std::string& spec, std::uint64_t most) {
    const auto policy = make_policy(spec);
    const CostModel& costs = scenario.machine.costs;
    for_each_decision(scenario, *policy.policy, most, [&](const DecisionView& view) {
        if (testing::Test::HasFailure()) return;
        const SwitchView s = switch_steps(view, policy, scenario, make_task_namer(view, scenario));
        const Overhead charged = decision_overhead(view, costs);
        EXPECT_EQ(s.switched, view.switch_number != 0);
        EXPECT_EQ(s.cost, charged.context_switch + charged.address_space + charged.cache_refill);
        EXPECT_EQ(s.other_mm, s.switched && view.record.loads_mm);
        Nanos sum{};
        ASSERT_FALSE(s.steps.empty());
        for (const SwitchStep& step : s.steps) {
            sum += step.cost;
            EXPECT_FALSE(step.title.empty());
            EXPECT_EQ(step.detail.back(), step.detail.ends_with(")") ? ')' : '.') << step.detail;
            EXPECT_TRUE(step.happens || step.cost == Nanos{}) << step.title;
        }
        EXPECT_EQ(sum, s.cost);
        EXPECT_EQ(s.summary.back(), '.');
        EXPECT_EQ(s.whose_prev.back(), '.');
        const bool is_free = costs.switch_same_mm.time == Nanos{} && costs.switch_other_mm.time == Nanos{} &&
                             scenario.shape.recent == 0;
        if (s.switched && is_free && policy.system.empty()) {
            EXPECT_EQ(s.steps.size(), 1u);
            EXPECT_TRUE(contains(s.summary, "On this machine, a switch takes no time."));
        } else if (s.switched) {
            EXPECT_EQ(step_of(s, "TLB").kept,
                      view.record.flushes_tlb ? OldContents::flushed : OldContents::kept);
            EXPECT_EQ(loads_of(s) > 0, s.other_mm);
            EXPECT_EQ(cost_of(s, {"Save registers", "switch_to()"}), charged.context_switch);
            EXPECT_EQ(cost_of(s, kLoads), charged.address_space);
            EXPECT_EQ(std::count_if(s.steps.begin(), s.steps.end(),
                                    [](const SwitchStep& step) { return step.begins_next; }),
                      1);
        }
    });
    ASSERT_FALSE(testing::Test::HasFailure());
}

TEST(SwitchSteps, ShippedScenarioCostsMatchEngine) {
    for (const std::string& shipped : builtin_file_names("")) {
        const Scenario scenario = load_scenario(shipped);
        for (const PolicyInfo& info : policies()) {
            SCOPED_TRACE(shipped + " " + info.name);
            if (make_policy(info.name).policy->max_cpus() < scenario.cpus) continue;
            check(scenario, info.name, kManyRounds ? 1'000 : 50);
        }
    }
}

TEST(SwitchSteps, RandomScenarioCostsMatchEngine) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        check(random_scenario(seed), policies()[seed % policies().size()].name, kManyRounds ? 1'000 : 30);
    }
}

TEST(SwitchSteps, SmpScenarioCostsMatchEngine) {
    for (const std::uint32_t cpus : {1u, 2u, 8u}) {
        for (const char* spec : {"linux-6.6", "linux-2.6.24", "linux-2.6.20", "linux-2.4.22", "linux-2.4.0",
                                 "linux-2.2", "linux-2.0", "nt4"}) {
            for (const bool lazy : {true, false}) {
                for (const bool tagged : {true, false}) {
                    SCOPED_TRACE(fmt::format("{} CPUs {} lazy {} tagged {}", cpus, spec, lazy, tagged));
                    check(smp_scenario(cpus, "60ms", lazy, tagged), spec, kManyRounds ? 1'000 : 50);
                }
            }
        }
    }
}

// --- what a switch preserves ---

TEST(SwitchSteps, BetweenProcessesTheTlbIsFlushed) {
    const SwitchView s = switch_of(scenario_of(kProcesses), 3);
    EXPECT_EQ(s.summary, "B hands the CPU to A, which has another address space: the TLB is flushed.");
    EXPECT_EQ(step_of(s, "Save registers").cost, 1us);
    EXPECT_EQ(step_of(s, "Page directory").cost, 3us);
    EXPECT_TRUE(contains(step_of(s, "Page directory").detail, "A's page directory instead of that of B."));
    EXPECT_EQ(step_of(s, "Page tables").kept, OldContents::kept);
    EXPECT_EQ(step_of(s, "Caches").kept, OldContents::kept);
    EXPECT_FALSE(step_of(s, "Floating point").happens);
    EXPECT_EQ(s.cost, 4us);
}

TEST(SwitchSteps, BetweenThreadsTheTlbIsKept) {
    const SwitchView s = switch_of(
        scenario_of(
            R"({"name": "T", "count": 2, "mm": "x", "program": [{"loop": "forever", "steps": ["yield"]}]})"),
        2);
    EXPECT_EQ(s.summary, "T.1 hands the CPU to T.2, a thread of the same address space: the TLB is kept.");
    EXPECT_EQ(step_of(s, "TLB").kept, OldContents::kept);
    EXPECT_FALSE(step_of(s, "Page directory").happens);
    EXPECT_EQ(s.cost, 1us);
}

TEST(SwitchSteps, KernelThreadFlushesTlbBothWays) {
    const Scenario scenario = scenario_of(R"(
        {"name": "A", "program": [{"loop": "forever", "steps": ["yield"]}]},
        {"name": "kswapd", "mm": null, "program": [{"loop": "forever", "steps": ["yield"]}]})");
    const SwitchView there = switch_of(scenario, 2), back = switch_of(scenario, 3);
    EXPECT_EQ(step_of(there, "TLB").kept, OldContents::flushed);
    EXPECT_TRUE(contains(step_of(there, "Page directory").detail, "Linux 2.0 has no lazy TLB"));
    EXPECT_EQ(step_of(back, "TLB").kept, OldContents::flushed) << "and again on the way back";
    EXPECT_TRUE(contains(step_of(back, "Page directory").detail,
                         "A's page directory instead of that of the kernel."));
}

TEST(SwitchSteps, IdleToKernelThreadKeepsTlb) {
    const SwitchView s =
        switch_of(scenario_of(R"({"name": "kflushd", "mm": null, "program": [{"run": "1ms"}]})"), 1);
    EXPECT_EQ(s.summary, "idle hands the CPU to kflushd; both have the kernel's own page tables.");
    EXPECT_EQ(step_of(s, "TLB").kept, OldContents::kept);
    EXPECT_EQ(s.cost, 1us);
}

TEST(SwitchSteps, SwitchToIdleFlushesTlb) {
    const SwitchView s = switch_of(
        scenario_of(R"({"name": "A", "program": [{"run": "1ms"}, {"arrival": "1ms"}, {"run": "1ms"}]})"), 2);
    EXPECT_EQ(s.summary, "A hands the CPU to idle, which has another address space: the TLB is flushed.");
    EXPECT_TRUE(contains(step_of(s, "idle continues").detail, "in the idle loop"));
}

TEST(SwitchSteps, ExitedTaskIsNeverLoadedAgain) {
    const SwitchView s = switch_of(scenario_of(R"({"name": "A", "program": [{"run": "1ms"}]})"), 2);
    EXPECT_TRUE(
        contains(step_of(s, "Save registers").detail, "A has exited: its state is never loaded again."));
    EXPECT_TRUE(contains(step_of(s, "Page directory").detail, "charges only for the change at this step"));
}

TEST(SwitchSteps, UnchangedTaskStatesReason) {
    const SwitchView s = switch_of(scenario_of(kProcesses), 3, "linux-2.0:yield=one_tick");
    EXPECT_FALSE(s.switched);
    EXPECT_EQ(s.summary, "No context switch: B was running and was chosen again.");
    ASSERT_EQ(s.steps.size(), 1u);
    EXPECT_FALSE(s.steps[0].happens);
    EXPECT_EQ(s.steps[0].detail,
              "B runs: its goodness 20 is the highest, including 1 for being the running task. schedule() "
              "returns to "
              "B, whose registers, page tables and TLB are in place; switch_to() is not called.");
    EXPECT_EQ(s.whose_prev, "`prev` and `next` are both B.");
    EXPECT_EQ(s.cost, 0ns);
}

// --- the variable prev ---

TEST(SwitchSteps, PrevIsVariableOfResumedTask) {
    EXPECT_EQ(switch_of(scenario_of(kProcesses), 3).whose_prev,
              "The code after switch_to() runs on A's stack and sees A's variables: `prev` is A itself, as "
              "when it was switched out, not B. `next` is the task that replaced A then. Linux 2.0 has "
              "nothing to clean up there and does not need B.");
}

TEST(SwitchSteps, NewTaskHasNoPrev) {
    const SwitchView s = switch_of(scenario_of(kProcesses), 2);
    EXPECT_EQ(s.whose_prev, "B does not return from a switch_to(): it has no `prev` yet that could hold A.");
    EXPECT_TRUE(contains(step_of(s, "B begins").detail, "ret_from_sys_call"));
}

TEST(SwitchSteps, ForkedTaskInReusedRowIsNew) {
    // The first child has exited before the second is forked and reuses its row.
    const Scenario scenario = scenario_of(R"(
        {"name": "A", "program": [{"loop": 2, "steps": [{"fork": "child"}, "yield", {"arrival": "1ms"}]}]},
        {"name": "child", "count": 0, "program": [{"run": "10us"}]})");
    const auto policy = make_policy("linux-2.0");
    int begun = 0;
    for_each_decision(scenario, *policy.policy, 100, [&](const DecisionView& view) {
        const TaskNamer name = make_task_namer(view, scenario);
        if (!name(view.record.task).starts_with("child")) return;
        const SwitchView s = switch_steps(view, policy, scenario, name);
        EXPECT_TRUE(contains(s.steps.back().title, " begins")) << s.steps.back().title;
        ++begun;
    });
    EXPECT_EQ(begun, 2);
}

// --- Linux 2.4 ---

// The first switch of a lazy TLB scenario for which `wanted` holds. Copies its decision to `which`.
template <class Wanted>
SwitchView first_switch(const Scenario& scenario, Wanted wanted, DecisionView* which = nullptr) {
    const auto policy = make_policy("linux-2.4.22", scenario.cpus);
    SwitchView found;
    for_each_decision(scenario, *policy.policy, 5'000, [&](const DecisionView& view) {
        if (found.switched || view.switch_number == 0) return;
        const SwitchView s = switch_steps(view, policy, scenario, make_task_namer(view, scenario));
        if (!wanted(view, s)) return;
        found = s;
        if (which != nullptr) *which = view;
    });
    EXPECT_TRUE(found.switched) << "there is no such switch";
    return found;
}

Scenario lazy_scenario(const std::string& tasks, int cpus = 1) {
    return parse_scenario("test.json",
                          fmt::format(R"({{"format": "switchyard-scenario/1", "until": "1h", "cpus": {},
        "machine": {{"hz": 1, "lazy_tlb": true, "costs": {{"syscall": "1us", "switch_same_mm": "1us", "switch_other_mm": "4us"}}}},
        "tasks": [{}]}})",
                                      cpus, tasks));
}

TEST(Linux24SwitchSteps, KernelThreadBorrowsAddressSpace) {
    const Scenario scenario = lazy_scenario(R"(
        {"name": "A", "program": [{"loop": "forever", "steps": [{"run": "1ms"}, {"arrival": "1ms"}]}]},
        {"name": "kswapd", "mm": null, "program": [{"loop": "forever", "steps": [{"arrival": "1500us"}, {"run": "1ms"}]}]})");
    const SwitchView there = first_switch(scenario, [](const DecisionView& v, const SwitchView&) {
        return v.after.task[v.record.task].mm == kKernelMm && v.after.cpu(0).active_mm != kKernelMm;
    });
    EXPECT_EQ(there.summary,
              "A hands the CPU to idle, which has no address space of its own and borrows A's address space: "
              "nothing is loaded.");
    EXPECT_TRUE(contains(step_of(there, "active_mm").detail, "enter_lazy_tlb()"));
    EXPECT_TRUE(contains(step_of(there, "active_mm").detail, "mm_users 1, mm_count 2"));
    EXPECT_FALSE(step_of(there, "Page directory").happens);
    EXPECT_EQ(step_of(there, "TLB").kept, OldContents::kept);
    EXPECT_EQ(there.cost, 1us);

    const SwitchView on = first_switch(scenario, [](const DecisionView& v, const SwitchView&) {
        return v.before.is_idle_task(v.record.other) && v.after.task[v.record.task].mm == kKernelMm &&
               v.after.cpu(0).active_mm != kKernelMm;
    });
    EXPECT_TRUE(contains(step_of(on, "active_mm").detail,
                         "idle had borrowed this address space, too, and passes it on."))
        << step_of(on, "active_mm").detail;

    const SwitchView back = first_switch(scenario, [](const DecisionView& v, const SwitchView& s) {
        return v.before.cpu(0).active_mm != kKernelMm && v.before.task[v.record.other].mm == kKernelMm &&
               v.after.task[v.record.task].mm != kKernelMm && !s.other_mm;
    });
    EXPECT_TRUE(contains(back.summary, "whose address space was only borrowed meanwhile: nothing is loaded"));
    EXPECT_TRUE(contains(step_of(back, "mmdrop()").detail,
                         "drops its reference to A's address space (mm_count 1 now)"))
        << step_of(back, "mmdrop()").detail;
    EXPECT_EQ(back.cost, 1us);
    // Linux 2.4 calls mmdrop() in schedule(), before switch_to(); finish_task_switch() was added in 2.6.
    const auto place = [&](const char* title) {
        return std::find_if(back.steps.begin(), back.steps.end(),
                            [&](const SwitchStep& s) { return s.title == title; }) -
               back.steps.begin();
    };
    EXPECT_LT(place("mmdrop()"), place("Save registers"));
    EXPECT_LT(place("Save registers"), std::ssize(back.steps));
    EXPECT_TRUE(contains(step_of(back, "mmdrop()").detail, "before the stack switch"));
}

TEST(Linux24SwitchSteps, ExitedAddressSpaceLastsWhileBorrowed) {
    const Scenario scenario = lazy_scenario(R"(
        {"name": "A", "program": [{"run": "1ms"}]},
        {"name": "B", "start": "3ms", "program": [{"run": "1ms"}]})");
    const SwitchView exits = first_switch(scenario, [](const DecisionView& v, const SwitchView&) {
        return v.after.is_idle_task(v.record.task);
    });
    EXPECT_EQ(exits.summary,
              "A hands the CPU to idle, which has no address space of its own and borrows A's address space: "
              "nothing is loaded.");
    EXPECT_TRUE(
        contains(step_of(exits, "Page tables").detail, "its page directory stays as long as it is borrowed"));
    EXPECT_TRUE(contains(step_of(exits, "Clean up").detail, "the task that waits for A may free the stack"));
    const SwitchView next = first_switch(scenario, [](const DecisionView& v, const SwitchView&) {
        return v.record.time >= 3ms && !v.after.is_idle_task(v.record.task);
    });
    EXPECT_TRUE(
        contains(step_of(next, "mmdrop()").detail,
                 "whose tasks have exited: this was the last reference, and the page directory is freed"))
        << step_of(next, "mmdrop()").detail;
    EXPECT_EQ(step_of(next, "Page directory").cost, 3us);
}

TEST(Linux24SwitchSteps, LeftAddressSpaceIsLoadedAgain) {
    // S sleeps on one CPU, and the idle task of that CPU borrows the address space of S. M changes the
    // address space on the other CPU.
    const Scenario scenario = lazy_scenario(R"(
        {"name": "S", "mm": "x", "program": [{"loop": "forever", "steps": [{"run": "1ms"}, {"arrival": "5ms"}]}]},
        {"name": "M", "mm": "x", "program": [{"loop": "forever", "steps": [{"run": "2ms"}, "munmap"]}]})",
                                            2);
    const SwitchView s = first_switch(scenario, [](const DecisionView& v, const SwitchView& one) {
        return one.other_mm && v.before.cpu(v.record.cpu).left_mm;
    });
    EXPECT_TRUE(contains(s.summary, "whose address space was unloaded meanwhile: it is loaded again"))
        << s.summary;
    EXPECT_TRUE(contains(step_of(s, "Page directory").detail, "swapper_pg_dir"));
    EXPECT_EQ(s.cost, 4us);
}

TEST(Linux24SwitchSteps, PrevIsLastRunningTask) {
    const SwitchView again =
        first_switch(lazy_scenario(kProcesses),
                     [](const DecisionView& v, const SwitchView&) { return v.switch_number == 3; });
    EXPECT_EQ(again.whose_prev,
              "The code after switch_to() runs on A's stack, where `next` is still the task that replaced A "
              "then. That is why switch_to() has a third parameter: it passes, in a register, the task that "
              "really ran last. So `prev` is B, and __schedule_tail() cleans up after it.");
    const SwitchView first =
        first_switch(lazy_scenario(kProcesses),
                     [](const DecisionView& v, const SwitchView&) { return v.switch_number == 2; });
    EXPECT_TRUE(contains(first.whose_prev, "ret_from_fork gets A from a register")) << first.whose_prev;
}

TEST(Linux24SwitchSteps, CacheRefillListsEntriesAndLines) {
    DecisionView view{.before = Machine({}), .after = Machine({})};
    const SwitchView s = first_switch(
        smp_scenario(2),
        [](const DecisionView& v, const SwitchView&) { return v.record.refilled_lines > 20; }, &view);
    const SwitchStep refill = step_of(s, "Cache refill");
    EXPECT_EQ(refill.cost, view.record.refill);
    EXPECT_EQ(refill.cost, 60ns * view.record.refilled_entries + 80ns * view.record.refilled_lines +
                               30ns * view.record.streamed_lines);
    EXPECT_TRUE(contains(
        refill.detail,
        fmt::format("{} page-table walks, {} lines one by one and {} in sequence.",
                    view.record.refilled_entries, view.record.refilled_lines, view.record.streamed_lines)))
        << refill.detail;
}

}  // namespace switch_steps_test
}  // namespace sim
