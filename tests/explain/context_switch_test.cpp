// Tests of switch_steps() under Linux 2.6.20 and later: the calls in context_switch(), the reference counts
// before and after, and the value of `prev`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/explain/decision_steps.h"
#include "sim/explain/switch_steps.h"
#include "sim/replay/switch_out.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/random_scenario.h"
#include "tests/support/smp_scenario.h"

namespace sim {
namespace context_switch_test {

using Titles = std::vector<std::string>;

const char* const kLaterKernels[] = {"linux-2.6.20", "linux-2.6.24", "linux-2.6.32", "linux-6.6"};

std::unique_ptr<RunHistory> history_of(const Scenario& scenario, const std::string& spec) {
    auto history = std::make_unique<RunHistory>(std::make_shared<const Scenario>(scenario),
                                                make_policy(spec, scenario.cpus));
    history->extend_to_end();
    return history;
}

DecisionView switch_number(const RunHistory& history, std::uint64_t n) {
    Moment at = history.beginning();
    EXPECT_TRUE(history.find_step(StepEventKind::context_switch, n, at)) << "there is no switch " << n;
    return *history.decision_at(at.machine.globals().decisions);
}

SwitchView steps_of(const RunHistory& history, const DecisionView& view) {
    return switch_steps(view, history.policy(), history.scenario(), make_task_namer(view, history.scenario()),
                        find_switch_out(history, view));
}

SwitchView switch_of(const std::string& scenario, const std::string& spec, std::uint64_t n,
                     const std::vector<std::string>& changes = {}) {
    const std::unique_ptr<RunHistory> history = history_of(load_scenario(scenario, changes), spec);
    return steps_of(*history, switch_number(*history, n));
}

// The titles, without those of the last two steps: caches, and the task that continues.
Titles titles_of(const SwitchView& view) {
    Titles titles;
    for (const SwitchStep& step : view.steps) titles.push_back(step.title);
    EXPECT_GE(titles.size(), 2u);
    titles.resize(titles.size() - 2);
    return titles;
}

std::string detail_of(const SwitchView& view, const std::string& title) {
    for (const SwitchStep& step : view.steps)
        if (step.title == title) return step.detail;
    ADD_FAILURE() << "no step " << title;
    return {};
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

#define EXPECT_CONTAINS(text, part) EXPECT_TRUE(contains(text, part)) << (text)

TEST(ContextSwitch, BetweenProcessesFollowsTheKernelsCalls) {
    const SwitchView s = switch_of("two-hogs", "linux-2.6.20", 4, {"/tasks/0/count=3"});
    EXPECT_EQ(titles_of(s),
              (Titles{"prepare_task_switch()", "switch_mm()", "TLB", "switch_to()", "Floating point",
                      "`prev` after switch_to()", "barrier()", "finish_task_switch()"}));
    EXPECT_CONTAINS(
        detail_of(s, "prepare_task_switch()"),
        "The last call is the hook prepare_arch_switch(). A hook lets an architecture run code of "
        "its own before the switch; Sparc needs it. On x86 it is empty.");
    EXPECT_CONTAINS(
        detail_of(s, "switch_mm()"),
        "CR3, the register that points to the page tables, is loaded with hog.1's page directory, "
        "which replaces hog.3's.");
    EXPECT_CONTAINS(detail_of(s, "switch_to()"),
                    "switch_to(prev, next, prev): prev is hog.3 and next is hog.1");
    EXPECT_CONTAINS(detail_of(s, "finish_task_switch()"), "finish_task_switch(this_rq(), prev)");
    EXPECT_CONTAINS(detail_of(s, "finish_task_switch()"),
                    "hog.1 releases the run-queue lock that hog.3 took, and interrupts are on again.");
}

TEST(ContextSwitch, StackOfNextIsUsedFromInsideSwitchTo) {
    for (const char* kernel : kLaterKernels) {
        SCOPED_TRACE(kernel);
        const SwitchView s = switch_of("two-hogs", kernel, 3);
        EXPECT_TRUE(
            detail_of(s, "switch_to()").ends_with("From here on the code runs on hog.1's kernel stack."))
            << detail_of(s, "switch_to()");
        const auto first = std::find_if(s.steps.begin(), s.steps.end(),
                                        [](const SwitchStep& step) { return step.begins_next; });
        ASSERT_NE(first, s.steps.end());
        EXPECT_EQ(first->title, "Floating point");
        EXPECT_TRUE(first->happens);
        EXPECT_EQ(first->kept, SwitchStep::OldContents::none);
        EXPECT_CONTAINS(first->detail, "The model charges no time for floating-point registers.");
    }
    EXPECT_CONTAINS(detail_of(switch_of("two-hogs", "linux-2.6.32", 3), "Floating point"),
                    "hog.1's floating-point registers are loaded now if hog.1 has used them in more than 5 "
                    "slices in a row "
                    "(fpu_counter > 5); otherwise the first use traps and loads them.");
}

TEST(ContextSwitch, InLinux2620ScheduleMakesTheCallsAfterSwitchTo) {
    for (const char* kernel : kLaterKernels) {
        SCOPED_TRACE(kernel);
        const bool in_schedule = std::string(kernel) == "linux-2.6.20";
        const SwitchView s = switch_of("two-hogs", kernel, 3);
        EXPECT_EQ(contains(detail_of(s, "`prev` after switch_to()"),
                           "context_switch() returns prev to schedule()."),
                  in_schedule);
        EXPECT_EQ(contains(detail_of(s, "barrier()"),
                           "In this kernel, barrier() and the next call are in schedule()."),
                  in_schedule);
    }
}

TEST(ContextSwitch, PrevIsSomeRandomOtherTask) {
    const SwitchView s = switch_of("two-hogs", "linux-2.6.20", 4, {"/tasks/0/count=3"});
    EXPECT_CONTAINS(detail_of(s, "`prev` after switch_to()"),
                    "where it stopped in switch 2. There its variable prev was hog.1 and next was hog.2. "
                    "switch_to() sets prev to hog.3 through its third parameter.");
    EXPECT_EQ(
        s.whose_prev,
        "After switch_to(), `prev` is hog.3, the task that ran last on this CPU. hog.1 cleans up after "
        "hog.3. But in switch 2, hog.1 had switched to hog.2. Three tasks take part: for hog.1, hog.3 is "
        "\"some random other task\". Without the third parameter, `prev` would still be hog.1.");
}

TEST(ContextSwitch, IdleTaskIsNoRandomOtherTask) {
    const SwitchView s = switch_of("lazy-tlb", "linux-2.6.24", 3);
    EXPECT_CONTAINS(s.whose_prev, "But in switch 1, idle had switched to kthread.");
    EXPECT_FALSE(contains(s.whose_prev, "random")) << s.whose_prev;
}

TEST(ContextSwitch, OfTwoTasksPrevIsTheOther) {
    const SwitchView s = switch_of("two-hogs", "linux-2.6.20", 3);
    EXPECT_CONTAINS(s.whose_prev, "In switch 2, hog.1 had switched to hog.2: only two tasks take part.");
}

TEST(ContextSwitch, NewTaskGetsPrevFromRegister) {
    const SwitchView s = switch_of("two-hogs", "linux-2.6.20", 2);
    EXPECT_EQ(s.whose_prev,
              "hog.2 had no `prev`: it gets hog.1 from ret_from_fork, and cleans up after hog.1.");
    const Titles titles = titles_of(s);
    EXPECT_EQ(std::count(titles.begin(), titles.end(), "barrier()"), 0);
    EXPECT_CONTAINS(detail_of(s, "`prev` for schedule_tail()"),
                    "A register passes hog.1 to schedule_tail().");
    EXPECT_TRUE(
        detail_of(s, "finish_task_switch()").starts_with("schedule_tail() looks up the run queue and calls"))
        << detail_of(s, "finish_task_switch()");
    EXPECT_CONTAINS(
        s.steps.back().detail,
        "user mode starts: its user registers are loaded from its kernel stack, where fork has put "
        "them.");
}

TEST(ContextSwitch, BetweenThreadsNothingIsLoaded) {
    const SwitchView s = switch_of("yield-threads", "linux-2.6.20", 3);
    const auto mm = std::find_if(s.steps.begin(), s.steps.end(),
                                 [](const SwitchStep& step) { return step.title == "switch_mm()"; });
    ASSERT_NE(mm, s.steps.end());
    EXPECT_FALSE(mm->happens);
    EXPECT_CONTAINS(
        mm->detail,
        "have the same address space: CR3, the register that points to the page tables, does not change.");
}

// In lazy-tlb: 3 server -> idle, 4 idle -> client, 5 client -> kthread, 6 kthread, which exits -> client,
// 7 client, which exits -> server, 8 server, which exits -> idle.
TEST(ContextSwitch, KernelThreadIncrementsMmCount) {
    const SwitchView s = switch_of("lazy-tlb", "linux-2.6.20", 5);
    EXPECT_EQ(titles_of(s),
              (Titles{"prepare_task_switch()", "enter_lazy_tlb()", "TLB", "switch_to()", "Floating point",
                      "`prev` after switch_to()", "barrier()", "finish_task_switch()"}));
    EXPECT_CONTAINS(detail_of(s, "enter_lazy_tlb()"),
                    "Its `active_mm` becomes client's address space (atomic_inc(): mm_count 1 -> 2).");
}

TEST(ContextSwitch, NextTaskDropsBorrowedAddressSpace) {
    const SwitchView other = switch_of("lazy-tlb", "linux-2.6.20", 4);
    EXPECT_EQ(titles_of(other),
              (Titles{"prepare_task_switch()", "switch_mm()", "TLB", "rq->prev_mm", "switch_to()",
                      "Floating point", "`prev` for schedule_tail()", "finish_task_switch()", "mmdrop()"}));
    EXPECT_CONTAINS(detail_of(other, "switch_mm()"),
                    "replaces the borrowed page directory (server's address space).");
    EXPECT_CONTAINS(
        detail_of(other, "rq->prev_mm"),
        "idle has no `mm`, and idle's `active_mm` becomes NULL. rq->prev_mm stores the pointer until "
        "the run queue is unlocked: the last mmdrop() frees the address space");
    EXPECT_EQ(detail_of(other, "mmdrop()"),
              "mm_count 2 -> 1. The run queue is unlocked now. client drops idle's reference to server's "
              "address space, which rq->prev_mm has stored.");
    const SwitchView back = switch_of("lazy-tlb", "linux-2.6.20", 6);
    EXPECT_CONTAINS(detail_of(back, "mmdrop()"), "client drops kthread's reference to ");
    EXPECT_CONTAINS(detail_of(back, "mmdrop()"), "mm_count 2 -> 1.");
}

TEST(ContextSwitch, ExitedProcessIsDroppedByNextTask) {
    const SwitchView s = switch_of("lazy-tlb", "linux-2.6.20", 7);
    EXPECT_EQ(titles_of(s), (Titles{"prepare_task_switch()", "switch_mm()", "TLB", "rq->prev_mm",
                                    "switch_to()", "Floating point", "`prev` after switch_to()", "barrier()",
                                    "finish_task_switch()", "mmdrop()", "TASK_DEAD"}));
    EXPECT_CONTAINS(detail_of(s, "rq->prev_mm"), "exit() has set the `mm` of client to NULL");
    EXPECT_CONTAINS(
        detail_of(s, "mmdrop()"),
        "mm_count 1 -> 0. It was the last reference: the page directory is freed. The run queue is unlocked "
        "now. server drops");
    EXPECT_EQ(
        detail_of(s, "TASK_DEAD"),
        "client has exited: server drops the reference to client's task_struct that client had as the "
        "running "
        "task (put_task_struct()). client could not do so itself while it ran on its own kernel stack.");
    EXPECT_CONTAINS(detail_of(s, "switch_to()"),
                    "client has exited: its state is saved, but never loaded again.");
    EXPECT_FALSE(contains(detail_of(s, "switch_to()"), "user stack"));
    EXPECT_CONTAINS(detail_of(s, "`prev` after switch_to()"), "client stops for ever.");
    // A borrower that takes over from the exited task increments the count before it is decremented.
    const SwitchView idle = switch_of("lazy-tlb", "linux-2.6.20", 8);
    EXPECT_CONTAINS(detail_of(idle, "enter_lazy_tlb()"), "mm_count 1 -> 2");
    EXPECT_CONTAINS(detail_of(idle, "mmdrop()"), "mm_count 2 -> 1");
}

TEST(ContextSwitch, EachKernelHasItsOwnCalls) {
    const auto prepare = [](const char* kernel) {
        return detail_of(switch_of("two-hogs", kernel, 2), "prepare_task_switch()");
    };
    EXPECT_FALSE(contains(prepare("linux-2.6.20"), "preempt notifiers"));
    EXPECT_CONTAINS(prepare("linux-2.6.24"), "hog.1's preempt notifiers are called.");
    EXPECT_CONTAINS(prepare("linux-2.6.32"), "hog.1's preempt notifiers are called.");
    EXPECT_CONTAINS(prepare("linux-6.6"), "hog.2's `on_cpu` becomes 1.");
    const SwitchView s = switch_of("two-hogs", "linux-6.6", 3);
    EXPECT_CONTAINS(detail_of(s, "switch_mm_irqs_off()"),
                    "membarrier_switch_mm() is called before switch_mm_irqs_off()");
    EXPECT_CONTAINS(detail_of(s, "finish_task_switch()"), "finish_task() sets hog.2's `on_cpu` to 0");
    EXPECT_CONTAINS(detail_of(s, "finish_task_switch()"), "Then hog.1's preempt notifiers are called.");
    EXPECT_CONTAINS(switch_of("lazy-tlb", "linux-6.6", 3).steps.back().detail,
                    "schedule_idle() in do_idle() has returned,");
    const SwitchView events = switch_of("two-hogs", "linux-2.6.32", 3);
    EXPECT_CONTAINS(detail_of(events, "prepare_task_switch()"),
                    "schedule() has stopped hog.2's perf events.");
    EXPECT_CONTAINS(detail_of(events, "finish_task_switch()"), "hog.1's perf events start.");
}

// The first switch of the run that `wanted` accepts.
template <class Wanted>
SwitchView first_switch(const RunHistory& history, Wanted wanted) {
    for (std::uint64_t n = 1; n <= history.simulated_end().machine.globals().switches; ++n) {
        const DecisionView view = switch_number(history, n);
        const SwitchView s = steps_of(history, view);
        if (wanted(view, s)) return s;
    }
    ADD_FAILURE() << "there is no such switch";
    return {};
}

TEST(ContextSwitch, BetweenBorrowersLinux66PassesTheReference) {
    const Scenario scenario =
        parse_scenario("test.json", R"({"format": "switchyard-scenario/1", "until": "20ms",
        "machine": {"hz": 100, "costs": {"switch_same_mm": "1us", "switch_other_mm": "1us"}}, "tasks": [
        {"name": "A", "program": [{"run": "1ms"}, {"sleep": "1h"}]},
        {"name": "K", "mm": null, "start": "5ms", "program": [{"run": "1ms"}, {"sleep": "1h"}]}]})");
    const auto idle_to_k = [](const DecisionView& v, const SwitchView&) {
        return v.record.time >= 5ms && v.before.is_idle_task(v.record.other);
    };
    const SwitchView later = first_switch(*history_of(scenario, "linux-6.6"), idle_to_k);
    EXPECT_CONTAINS(detail_of(later, "enter_lazy_tlb()"), "takes over idle's reference: mm_count stays 2");
    EXPECT_CONTAINS(detail_of(later, "active_mm"), "K has the reference now.");
    const SwitchView before = first_switch(*history_of(scenario, "linux-2.6.32"), idle_to_k);
    EXPECT_CONTAINS(detail_of(before, "enter_lazy_tlb()"), "atomic_inc(): mm_count 2 -> 3");
    EXPECT_CONTAINS(detail_of(before, "mmdrop()"), "mm_count 3 -> 2.");
}

TEST(ContextSwitch, UnloadedAddressSpaceIsLoadedAgain) {
    const Scenario scenario =
        parse_scenario("test.json", R"({"format": "switchyard-scenario/1", "until": "1s", "cpus": 2,
        "machine": {"hz": 100, "costs": {"switch_same_mm": "1us", "switch_other_mm": "4us"}}, "tasks": [
        {"name": "S", "mm": "x", "affinity": [0], "program": [{"loop": "forever", "steps": [{"run": "1ms"}, {"arrival": "5ms"}]}]},
        {"name": "M", "mm": "x", "affinity": [1], "program": [{"loop": "forever", "steps": [{"run": "2ms"}, "munmap"]}]}]})");
    for (const char* kernel : kLaterKernels) {
        SCOPED_TRACE(kernel);
        const SwitchView s =
            first_switch(*history_of(scenario, kernel), [](const DecisionView& v, const SwitchView& one) {
                return one.other_mm && v.before.cpu(v.record.cpu).left_mm;
            });
        EXPECT_CONTAINS(s.summary, "whose address space was unloaded meanwhile: it is loaded again");
        const bool new_kernel = std::string(kernel) == "linux-6.6";
        const std::string how = detail_of(s, new_kernel ? "switch_mm_irqs_off()" : "switch_mm()");
        EXPECT_CONTAINS(how, new_kernel ? "flush_tlb_func() has loaded the kernel's page directory instead."
                                        : "leave_mm() has loaded the kernel's page directory instead.");
    }
}

TEST(ContextSwitch, MigratedTaskLooksUpItsRunQueueAgain) {
    for (const char* kernel : kLaterKernels) {
        SCOPED_TRACE(kernel);
        const std::unique_ptr<RunHistory> history = history_of(smp_scenario(2), kernel);
        const SwitchView s = first_switch(*history, [](const DecisionView& v, const SwitchView& one) {
            return v.before.is_live(v.record.task) && v.record.cpu == 1 &&
                   contains(detail_of(one, "finish_task_switch()"), "lost cpu0 and resumes on cpu1");
        });
        EXPECT_CONTAINS(detail_of(s, "finish_task_switch()"), "the `rq` on its stack is still cpu0's.");
    }
}

// Where each task lost its CPU last, computed from the trace.
struct TraceFollower {
    const RunHistory& history;
    std::map<TaskId, SwitchOut> lost{};
    std::map<CpuId, TaskId> last{};  // the task that ran last on this CPU
    int checked = 0;

    void follow(const DecisionView& view) {
        const TaskNamer name = make_task_namer(view, history.scenario());
        const TraceRecord& r = view.record;
        const std::string prev = name(r.other), next = name(r.task);
        const SwitchView s = steps_of(history, view);
        if (last.contains(r.cpu)) {
            EXPECT_EQ(r.other, last[r.cpu]) << "prev is not the task that ran last";
        }
        if (!contains(s.whose_prev, "had no `prev`")) {
            EXPECT_CONTAINS(s.whose_prev, fmt::format("`prev` is {}, the task that ran last", prev));
            const std::optional<SwitchOut> found = find_switch_out(history, view);
            ASSERT_EQ(found.has_value(), lost.contains(r.task)) << next;
            if (found) {
                EXPECT_EQ(found->number, lost.at(r.task).number);
                EXPECT_EQ(found->cpu, lost.at(r.task).cpu);
                EXPECT_EQ(found->to, lost.at(r.task).to);
                if (!view.after.is_idle_task(found->to)) {
                    EXPECT_EQ(found->replaced_by, lost.at(r.task).replaced_by);
                }
                const auto is_idle = [&](TaskId p) { return view.after.is_idle_task(p); };
                const bool no_idle = !is_idle(r.other) && !is_idle(r.task) && !is_idle(found->to);
                EXPECT_EQ(contains(s.whose_prev, "some random other task"), found->to != r.other && no_idle);
                EXPECT_EQ(contains(s.whose_prev, "only two tasks take part"), found->to == r.other);
            }
            ++checked;
        }
        lost[r.other] = {view.switch_number, r.cpu, r.task, next};
        last[r.cpu] = r.task;
        if (!view.after.is_live(r.other)) lost.erase(r.other);
    }
};

TEST(ContextSwitch, PrevIsTheTaskOfThePreviousSwitchInRandomRuns) {
    int checked = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(seed);
        const Scenario scenario = seed % 3 == 0 ? smp_scenario(2) : random_scenario(seed);
        const std::unique_ptr<RunHistory> history = history_of(scenario, kLaterKernels[seed % 4]);
        TraceFollower follower{*history};
        const std::uint64_t most =
            std::min<std::uint64_t>(60, history->simulated_end().machine.globals().switches);
        for (std::uint64_t n = 1; n <= most && !testing::Test::HasFailure(); ++n)
            follower.follow(switch_number(*history, n));
        checked += follower.checked;
    }
    EXPECT_GT(checked, 100);
}

}  // namespace context_switch_test
}  // namespace sim
