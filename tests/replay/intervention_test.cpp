// Interventions in a run: on tasks in every state, at any time, and at positions reached by different
// routes.
#include "sim/replay/intervention.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sim/check/invariants.h"
#include "sim/core/summary.h"
#include "sim/core/wait_table.h"
#include "sim/replay/session.h"
#include "tests/support/recorded.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace intervention_test {

using Kind = Intervention::Kind;

Intervention of(Kind kind, TaskId task, std::int32_t priority = 0) {
    return {.kind = kind, .task = task, .priority = priority};
}
Intervention to_policy(std::string policy) { return {.kind = Kind::policy, .policy = std::move(policy)}; }

std::shared_ptr<const Scenario> scenario_of(const std::string& tasks, const std::string& rest = "") {
    return std::make_shared<const Scenario>(parse_scenario(
        "test.json", R"({"format": "switchyard-scenario/1", "machine": {"costs": {"syscall": "2us",
            "schedule": "3us", "considered": "100ns", "recalculated": "50ns", "queue_step": "70ns",
            "switch_same_mm": "1us", "switch_other_mm": "5us"}}, "until": "3s", )" +
                         rest + R"("tasks": [)" + tasks + "]}"));
}

const std::string kHog = R"({"name": "hog", "program": [{"loop": "forever", "steps": [{"run": "1h"}]}]})";
const std::string kTwoHogs =
    R"({"name": "hog", "count": 2, "program": [{"loop": "forever", "steps": [{"run": "1h"}]}]})";

// Replays the run event by event. Returns the first violated invariant and its position; empty if there is
// none.
std::string first_broken_rule(const RunHistory& history) {
    Moment moment = history.beginning();
    for (;;) {
        // This reference is valid in this iteration only: a change of policy moves the machine's memory.
        const Globals& g = moment.machine.globals();
        const std::string problem =
            check_invariants(moment.machine, history.scenario(), *history.policy_at(moment.machine).policy,
                             &moment.statistics);
        if (!problem.empty())
            return fmt::format("{}, after event {} at {} and {} interventions", problem, g.events,
                               g.now.count(), g.interventions);
        if (g.events >= history.simulated_end().machine.globals().events) return {};
        history.advance(moment, {.events = g.events + 1});
    }
}

// Extends the run to its end, then returns its first violated invariant; empty if there is none.
std::string first_violation_in(Session& session) {
    session.history().extend_to_end();
    return first_broken_rule(session.history());
}

bool lives(const Machine& m, TaskId p) { return m.is_live(p); }

// --- one at a time ---

TEST(Intervention, ReniceKeepsCounterUntilRecalculation) {
    Session session(scenario_of(kTwoHogs), make_policy("linux-2.0"));
    session.history().extend_to_end();
    session.seek(1s);
    const auto other = session.what_if(of(Kind::renice, 1, 5));
    EXPECT_EQ(other->machine().counter[1], session.machine().counter[1]);
    EXPECT_EQ(other->machine().priority[1], 5);
    EXPECT_EQ(session.machine().priority[1], 20) << "the other run is as it was";
    EXPECT_EQ(first_violation_in(*other), "");
    other->seek_end();
    session.seek_end();
    EXPECT_LT(other->statistics().tasks[1].user, session.statistics().tasks[1].user);
    EXPECT_GT(other->statistics().tasks[2].user, session.statistics().tasks[2].user);
}

TEST(Intervention, KillEndsRunningTaskAtOnce) {
    for (const char* policy : {"linux-2.0", "sorted-queue", "round-robin", "linux-1.2", "linux-2.4.0",
                               "linux-2.6.20", "linux-2.6.24", "linux-2.6.32", "linux-6.6", "nt4"}) {
        Session session(scenario_of(kTwoHogs), make_policy(policy));
        session.history().extend_to_end();
        session.seek(1234567891ns);
        const TaskId victim = session.machine().cpu(0).current;
        const Nanos had =
            elapsed_task_statistics(session.scenario(), session.statistics(), session.machine())[victim].user;
        const auto other = session.what_if(of(Kind::kill, victim));
        EXPECT_EQ(first_violation_in(*other), "");
        EXPECT_TRUE(other->step_forward(StepEventKind::decision));
        EXPECT_EQ(other->now(), session.now()) << "at once";
        EXPECT_FALSE(lives(other->machine(), victim));
        EXPECT_EQ(other->statistics().tasks[victim].user, had);
        EXPECT_EQ(other->statistics().exits, 1u);
        EXPECT_EQ(other->machine().globals().nr_tasks, 1u);
    }
}

TEST(Intervention, KillWaitsForKernelWork) {
    Session session(scenario_of(kTwoHogs), make_policy("linux-2.0"));
    session.history().extend_to_end();
    ASSERT_TRUE(session.seek(StepEventKind::context_switch, 3));
    const Cpu& cpu = session.machine().cpu(0);
    ASSERT_GT(cpu.kernel_until, session.now());
    const TaskId next = cpu.current, prev = next == 1 ? 2 : 1;
    const auto without_next = session.what_if(of(Kind::kill, next));
    EXPECT_EQ(first_violation_in(*without_next), "");
    ASSERT_TRUE(without_next->step_forward(StepEventKind::decision));
    EXPECT_EQ(without_next->now(), cpu.kernel_until);
    EXPECT_FALSE(lives(without_next->machine(), next));
    // Tests a task that has just been switched out: it exits when it runs again.
    const auto without_prev = session.what_if(of(Kind::kill, prev));
    EXPECT_EQ(first_violation_in(*without_prev), "");
    EXPECT_TRUE(lives(without_prev->machine(), prev));
    without_prev->seek_end();
    EXPECT_FALSE(lives(without_prev->machine(), prev));
    EXPECT_TRUE(lives(without_prev->machine(), next));
}

TEST(Intervention, KillsSleepingAndQueuedTasks) {
    const auto scenario = scenario_of(kHog + R"(, {"name": "sleeper", "program": [{"arrival": "1h"}]},
        {"name": "waiter", "count": 4, "program": [{"wait": "c"}, {"run": "1ms"}]},
        {"name": "late", "start": "2s", "program": [{"run": "1ms"}]})");
    for (const char* policy : {"linux-2.0", "sorted-queue", "round-robin", "linux-1.2", "linux-2.4.0",
                               "linux-2.6.20", "linux-2.6.24", "linux-2.6.32", "linux-6.6", "nt4"}) {
        Session session(scenario, make_policy(policy));
        session.history().extend_to_end();
        session.seek(1s);
        for (TaskId p = 2; p <= 7; ++p) {
            SCOPED_TRACE(p);
            ASSERT_EQ(refusal(of(Kind::kill, p), session.machine()), "");
            const auto other = session.what_if(of(Kind::kill, p));
            EXPECT_EQ(first_violation_in(*other), "");
            other->seek_end();
            EXPECT_FALSE(lives(other->machine(), p));
            EXPECT_EQ(other->statistics().exits, 1u + (p == 7 ? 0u : 1u));  // plus the exit of `late`
        }
        // Kills all tasks one by one, first those in the middle of the queue, then those at its end and
        // start.
        std::unique_ptr<Session> last = session.what_if(of(Kind::kill, 4));
        for (const TaskId p : {6u, 3u, 5u, 2u, 7u, 1u}) last = last->what_if(of(Kind::kill, p));
        EXPECT_EQ(last->machine().globals().interventions, 7u);
        EXPECT_EQ(first_violation_in(*last), "");
        EXPECT_EQ(last->history().stop_reason(), StopReason::all_exited);
        EXPECT_EQ(last->history().simulated_end().statistics.exits, 7u);
    }
}

TEST(Intervention, WakesSleepingAndWaitingTasks) {
    const auto scenario =
        scenario_of(kHog + R"(, {"name": "sleeper", "program": [{"arrival": "1h"}, {"run": "1ms"}]},
        {"name": "waiter", "count": 3, "program": [{"wait": "c"}, {"run": "1ms"}]})");
    Session session(scenario, make_policy("linux-2.0"));
    session.history().extend_to_end();
    session.seek(1s);
    for (TaskId p = 2; p <= 5; ++p) {
        const auto other = session.what_if(of(Kind::wake, p));
        EXPECT_EQ(other->machine().task[p].state, TaskState::runnable);
        EXPECT_EQ(other->statistics().interrupts_of(Interrupt::device),
                  session.statistics().interrupts_of(Interrupt::device));
        EXPECT_EQ(first_violation_in(*other), "");
        other->seek_end();
        EXPECT_FALSE(lives(other->machine(), p)) << "it went on to its end";
        EXPECT_EQ(other->statistics().tasks[p].user, 1ms);
    }
}

TEST(Intervention, WakeOrKillResolvesDeadlock) {
    const auto scenario = scenario_of(R"({"name": "a", "program": [{"wait": "x"}, {"run": "5ms"}]},
        {"name": "b", "program": [{"run": "1ms"}, {"wait": "y"}, {"wake": "x"}]})");
    Session session(scenario, make_policy("linux-2.0"));
    session.history().extend_to_end();
    ASSERT_EQ(session.history().stop_reason(), StopReason::deadlock);
    session.seek_end();
    EXPECT_EQ(first_violation_in(*session.what_if(of(Kind::renice, 1, 7))), "");
    EXPECT_EQ(session.what_if(to_policy("round-robin"))->history().stop_reason(), StopReason::deadlock);
    const auto woken = session.what_if(of(Kind::wake, 2));
    EXPECT_EQ(first_violation_in(*woken), "");
    EXPECT_EQ(woken->history().stop_reason(), StopReason::all_exited);
    EXPECT_EQ(woken->now(), session.now());
    const auto killed = session.what_if(of(Kind::kill, 2));
    EXPECT_EQ(first_violation_in(*killed), "");
    EXPECT_EQ(killed->history().stop_reason(), StopReason::deadlock) << "nobody wakes the other one";
    // Makes a second intervention, at the end of the run that follows the first one.
    killed->seek_end();
    const auto both = killed->what_if(of(Kind::kill, 1));
    EXPECT_EQ(first_violation_in(*both), "");
    EXPECT_EQ(both->history().stop_reason(), StopReason::all_exited);
    for (std::size_t k = 0; k + 1 < both->history().keyframe_count(); ++k)
        EXPECT_FALSE(both->history().check_replay(k));
}

TEST(Intervention, KillsLoneTaskAndRealTimeTask) {
    Session only(scenario_of(kHog), make_policy("linux-2.0"));
    only.history().extend_to_end();
    only.seek(50ms);
    const auto none = only.what_if(of(Kind::kill, 1));
    EXPECT_EQ(first_violation_in(*none), "");
    EXPECT_EQ(none->history().stop_reason(), StopReason::all_exited);

    Session fifo(scenario_of(kHog + R"(, {"name": "rt", "class": "fifo", "rt_priority": 5,
        "program": [{"loop": "forever", "steps": [{"arrival": "30ms"}, {"run": "1s"}]}]})"),
                 make_policy("linux-2.0"));
    fifo.history().extend_to_end();
    for (const Nanos t : {10ms, 500ms}) {
        fifo.seek(t);
        for (const Kind kind : {Kind::kill, Kind::wake}) {
            if (!refusal(of(kind, 2), fifo.machine()).empty()) continue;
            const auto other = fifo.what_if(of(kind, 2));
            EXPECT_EQ(first_violation_in(*other), "");
            other->seek_end();
            EXPECT_EQ(lives(other->machine(), 2), kind == Kind::wake);
        }
    }
}

TEST(Intervention, InvalidRequestIsRefusedWithReason) {
    Session session(scenario_of(kTwoHogs), make_policy("linux-2.0"));
    session.history().extend_to_end();
    session.seek(1s);
    const Machine& m = session.machine();
    EXPECT_EQ(refusal(of(Kind::wake, 1), m), "the task is already awake");
    EXPECT_EQ(refusal(of(Kind::kill, 0), m), "this task does not exist at this time") << "the idle task";
    EXPECT_EQ(refusal(of(Kind::kill, 3), m), "this task does not exist at this time");
    EXPECT_EQ(refusal(of(Kind::kill, kNoTask), m), "this task does not exist at this time");
    EXPECT_EQ(refusal(of(Kind::renice, 1, 0), m), "expected a priority from 1 to 40");
    EXPECT_EQ(refusal(of(Kind::renice, 1, 41), m), "expected a priority from 1 to 40");
    EXPECT_EQ(refusal(of(Kind::renice, 1, 40), m), "");
    EXPECT_NE(refusal(to_policy("linux-3.0"), m), "");
    EXPECT_NE(refusal(to_policy("round-robin:quantum=x"), m), "");
    EXPECT_EQ(refusal(to_policy("round-robin:quantum=5"), m), "");
    const auto killed = session.what_if(of(Kind::kill, 1));
    killed->step_forward(StepEventKind::decision);
    EXPECT_EQ(refusal(of(Kind::kill, 1), killed->machine()), "this task does not exist at this time");
    const auto over = killed->what_if(of(Kind::kill, 2));
    over->history().extend_to_end();
    over->seek_end();
    EXPECT_EQ(refusal(to_policy("round-robin"), over->machine()), "the run is over");
}

// --- another policy ---

TEST(Intervention, AnyPolicyChangeKeepsInvariants) {
    const std::vector<std::string> policies{"linux-2.0",
                                            "sorted-queue",
                                            "sorted-queue:insert=head",
                                            "round-robin",
                                            "round-robin:quantum=500",
                                            "linux-2.0:yield=one_tick",
                                            "linux-1.2",
                                            "linux-2.2",
                                            "linux-2.2:prev_goodness=yes",
                                            "linux-2.4.0",
                                            "linux-2.4.22",
                                            "linux-2.6.20",
                                            "linux-2.6.24:yield=compat",
                                            "linux-2.6.32",
                                            "linux-6.6",
                                            "linux-6.6:group_sched=yes",
                                            "nt4",
                                            "nt4:yield_to=any,quantum=6"};
    std::mt19937_64 random(1);
    std::uint64_t changes = 0;
    for (std::uint64_t seed = 1; seed <= rounds(100u, 5u, 3u); ++seed) {
        SCOPED_TRACE(seed);
        const std::string from = policies[random() % policies.size()];
        const NamedPolicy policy = make_policy(from);
        const auto scenario =
            std::make_shared<const Scenario>(shortened(random_scenario(20'000 + seed), policy, 400));
        Session session(scenario, policy, {}, {.keyframe_spacing = 50});
        session.history().extend_to_end();
        const auto simulated_end =
            static_cast<std::uint64_t>(session.history().simulated_end().machine.globals().now.count());
        for (const std::string& to : policies) {
            SCOPED_TRACE(from + " to " + to);
            session.seek(Nanos{static_cast<std::int64_t>(random() % (simulated_end + 1))});
            if (!refusal(to_policy(to), session.machine()).empty()) continue;
            auto other = session.what_if(to_policy(to));
            EXPECT_EQ(other->policy().spec(), make_policy(to).spec());
            ASSERT_EQ(first_violation_in(*other), "");
            // Changes the policy back to the first one.
            other->seek(
                Nanos{(other->now() + other->history().simulated_end().machine.globals().now).count() / 2});
            if (!refusal(to_policy(from), other->machine()).empty()) continue;
            auto back = other->what_if(to_policy(from));
            ASSERT_EQ(first_violation_in(*back), "");
            ++changes;
        }
    }
    EXPECT_GT(changes, kManyRounds ? 300u : 12u);
}

// sorted-queue makes the same decisions as linux-2.0, so changing the policy to sorted-queue has no effect
// if decisions cost nothing. Changing it back to linux-2.0 has an effect: linux-2.0 takes over the queue in
// order of goodness. The order of arrival, which decides later ties, is lost.
TEST(Intervention, SortedQueueReplacesLinux20WithoutEffect) {
    std::uint64_t compared = 0;
    for (std::uint64_t seed = 1; seed <= (kManyRounds ? 300 : 20); ++seed) {
        SCOPED_TRACE(seed);
        Scenario free = random_scenario(21'000 + seed);
        free.machine.costs = {};
        const NamedPolicy policy = make_policy("linux-2.0");
        const auto scenario = std::make_shared<const Scenario>(shortened(free, policy, 600));
        Session session(scenario, policy);
        session.history().extend_to_end();
        session.seek_end();
        session.seek(Nanos{session.now().count() / 3});
        if (!refusal(to_policy("sorted-queue"), session.machine()).empty()) continue;
        const auto other = session.what_if(to_policy("sorted-queue"));
        session.seek_end();
        other->history().extend_to_end();
        other->seek_end();
        ++compared;
        ASSERT_EQ(other->now(), session.now());
        ASSERT_EQ(other->machine().globals().switches, session.machine().globals().switches);
        ASSERT_EQ(other->statistics().user, session.statistics().user);
        for (TaskId p = 1; p < other->machine().globals().high_row; ++p)
            ASSERT_EQ(other->statistics().tasks[p].user, session.statistics().tasks[p].user);
    }
    EXPECT_GT(compared, kManyRounds ? 250u : 13u);
}

TEST(Intervention, PolicyChangeResetsExcessiveSlice) {
    Session session(scenario_of(kTwoHogs), make_policy("round-robin:quantum=500"));
    session.history().extend_to_end();
    session.seek(1s);
    ASSERT_GT(session.machine().counter[1], 80);
    const auto other = session.what_if(to_policy("linux-2.0"));
    EXPECT_EQ(other->machine().counter[1], 20);
    EXPECT_EQ(first_violation_in(*other), "");
}

// --- any route ---

TEST(WhatIf, NewRunHasSamePastAndPosition) {
    std::mt19937_64 random(2);
    std::map<std::string, std::uint64_t> done;
    const std::uint64_t kRuns = kManyRounds ? 500 : 25;
    std::uint64_t made = 0;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
        const NamedPolicy policy = make_policy(kSomePolicies[seed % std::size(kSomePolicies)]);
        const auto scenario = std::make_shared<const Scenario>(
            shortened(random_scenario(22'000 + seed), policy, kManyRounds ? 500 : 250));
        SCOPED_TRACE(fmt::format("seed {} under {}", 22'000 + seed, policy.spec()));
        Session original(scenario, policy, {}, {.keyframe_spacing = 40});
        original.history().extend_to_end();
        original.seek_end();
        const std::uint64_t end_of_original = digest(original.history().simulated_end());
        std::unique_ptr<Session> owner;
        Session* at = &original;
        const std::uint64_t wanted = 1 + random() % 4;
        for (std::uint64_t i = 0; i < wanted; ++i) {
            // Seeks a position after the last intervention: the start, a time, an event, a decision, or the
            // end.
            const Globals simulated_end = at->history().simulated_end().machine.globals();
            const Globals least = at->machine().globals();
            switch (owner == nullptr ? random() % 8 : 1 + random() % 6) {
                case 0:
                    at->seek_beginning();
                    break;
                case 1:
                case 2:
                    at->seek(least.interventions == 0
                                 ? Nanos{static_cast<std::int64_t>(
                                       random() % static_cast<std::uint64_t>(simulated_end.now.count() + 1))}
                                 : least.now + (simulated_end.now - least.now) /
                                                   static_cast<std::int64_t>(1 + random() % 4));
                    break;
                case 3:
                case 4:
                    at->seek(StepEventKind::event,
                             owner == nullptr
                                 ? random() % (simulated_end.events + 1)
                                 : least.events + random() % (simulated_end.events - least.events + 1));
                    break;
                case 5:
                    at->seek(StepEventKind::decision,
                             owner == nullptr ? random() % (simulated_end.decisions + 1)
                                              : least.decisions + random() % (simulated_end.decisions -
                                                                              least.decisions + 1));
                    break;
                default:
                    at->seek_end();
                    break;
            }
            const Machine& m = at->machine();
            Intervention what{};
            what.kind = static_cast<Kind>(random() % 4);
            if (m.globals().high_row > m.first_task())
                what.task =
                    m.first_task() + static_cast<TaskId>(random() % (m.globals().high_row - m.first_task()));
            what.priority = static_cast<std::int32_t>(1 + random() % 40);
            what.policy = kSomePolicies[random() % std::size(kSomePolicies)];
            if (!refusal(what, m).empty()) continue;
            const TaskState state = what.kind == Kind::policy ? TaskState::unused : m.task[what.task].state;
            ++done[fmt::format("{} {}", static_cast<int>(what.kind), to_string(state))];
            ++made;

            auto other = at->what_if(what);
            // `other` is at the same position, but after one more intervention.
            const Globals& a = at->machine().globals();
            const Globals& b = other->machine().globals();
            ASSERT_EQ(a.now, b.now);
            ASSERT_EQ(a.events, b.events);
            ASSERT_EQ(a.interventions + 1, b.interventions);
            const std::uint64_t here = digest(other->machine(), other->statistics());
            // Both runs have the same past: their states after the previous event are equal, and so are
            // their states at a random earlier time.
            other->history().extend_to_end();
            Moment mine = at->history().beginning(), its = mine;
            if (a.events > 0) {
                at->history().state_after(a.events - 1, mine);
                other->history().state_after(a.events - 1, its);
                ASSERT_EQ(digest(mine), digest(its));
            }
            if (a.now > 1ns) {
                const Nanos t{
                    static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(a.now.count()))};
                at->history().state_at(t, mine);
                other->history().state_at(t, its);
                ASSERT_EQ(digest(mine), digest(its));
            }
            owner = std::move(other);
            at = owner.get();
            // Reaches the same position by other routes.
            const Nanos now = at->now();
            const std::uint64_t events = at->machine().globals().events;
            at->seek(StepEventKind::event, events);
            if (at->now() < now)
                at->history().advance(its = {at->machine(), at->statistics()}, {.until = now});
            else
                its = {at->machine(), at->statistics()};
            ASSERT_EQ(digest(its), here);
            at->history().state_after(events, its);
            if (its.machine.globals().now < now) at->history().advance(its, {.until = now});
            ASSERT_EQ(digest(its), here);
            at->history().state_at(now, its);
            at->history().advance(its, {.events = events});
            if (its.machine.globals().now < now) at->history().advance(its, {.until = now});
            ASSERT_EQ(digest(its), here);
            at->seek_beginning();
            at->seek(StepEventKind::event, events);
            // A seek() to the end time would include all events at that time, so seek() is not tested at
            // the end time.
            if (now == at->history().simulated_end().machine.globals().now) continue;
            if (at->now() < now) at->seek(now);
            ASSERT_EQ(digest(at->machine(), at->statistics()), here);
        }
        ASSERT_EQ(digest(original.history().simulated_end()), end_of_original)
            << "nobody touched the original";
        ASSERT_EQ(first_violation_in(*at), "");
        // The state at the tip of the run history equals the state after execution event by event, and the
        // state after each replay.
        const RunHistory& history = at->history();
        Moment moment = history.beginning();
        const Globals& simulated_end = history.simulated_end().machine.globals();
        while (moment.machine.globals().events < simulated_end.events)
            history.advance(moment, {.events = moment.machine.globals().events + 1});
        history.advance(moment, {.until = simulated_end.now, .events = simulated_end.events + 1});
        ASSERT_EQ(digest(moment), digest(history.simulated_end()));
        for (std::size_t k = 0; k + 1 < history.keyframe_count(); ++k) ASSERT_FALSE(history.check_replay(k));
        // Steps forward and back across the interventions.
        const StepEventKind kind = kStepKinds[seed % std::size(kStepKinds)];
        at->seek_beginning();
        std::vector<std::uint64_t> seen{digest(at->machine(), at->statistics())};
        for (int i = 0; i < 60 && at->step_forward(kind); ++i)
            seen.push_back(digest(at->machine(), at->statistics()));
        for (std::size_t i = seen.size() - 1; i-- > 0;) {
            ASSERT_TRUE(at->step_back(kind));
            ASSERT_EQ(digest(at->machine(), at->statistics()), seen[i]);
        }
        ASSERT_FALSE(at->step_back(kind));
        // Every decision near an intervention can be examined.
        for (const Intervention& i : history.interventions()) {
            history.state_after(i.after_events, moment);
            const std::uint64_t n = moment.machine.globals().decisions;
            for (std::uint64_t d = n == 0 ? 1 : n; d <= n + 1 && d <= simulated_end.decisions; ++d) {
                const auto view = history.decision_at(d);
                ASSERT_TRUE(view);
                ASSERT_EQ(view->number, d);
                ASSERT_EQ(view->record.task, view->after.cpu(0).current);
                ASSERT_TRUE(history.find_step(StepEventKind::decision, d, moment));
                // If another intervention follows immediately, the states differ and are not compared.
                if (moment.machine.globals().interventions == view->after.globals().interventions) {
                    ASSERT_EQ(view->after.hash(), moment.machine.hash());
                }
            }
        }
    }
    for (const auto& [what, times] : done) std::cout << what << ": " << times << "\n";
    EXPECT_GT(made, kRuns);
}

// The position is between two events, of which the second one is the decision.
TEST(WhatIf, InterventionBetweenEventsPrecedesNextDecision) {
    const std::string yielders =
        R"({"name": "y", "count": 2, "program": [{"loop": "forever", "steps": [{"run": "1ms"}, "yield"]}]})";
    Session session(scenario_of(yielders), make_policy("linux-2.0"));
    session.history().extend_to_end();
    ASSERT_TRUE(session.seek(StepEventKind::decision, 3));
    const Nanos third = session.now();
    session.seek(third - 1us);  // the previous event was the previous decision, 1 ms earlier
    const std::uint64_t made = session.machine().globals().decisions;
    const auto other = session.what_if(of(Kind::renice, 1, 40));
    other->history().extend_to_end();
    const auto view = other->history().decision_at(made + 1);
    ASSERT_TRUE(view);
    EXPECT_EQ(view->before.globals().interventions, 1u);
    Moment after = other->history().beginning();
    ASSERT_TRUE(other->history().find_step(StepEventKind::decision, made + 1, after));
    EXPECT_EQ(view->after.hash(), after.machine.hash());
    EXPECT_EQ(session.history().decision_at(made + 1)->before.globals().interventions, 0u);
}

TEST(WhatIf, InterventionAtStartBelongsToBeginning) {
    Session session(scenario_of(kTwoHogs), make_policy("linux-2.0"));
    const auto other = session.what_if(of(Kind::renice, 1, 40));
    EXPECT_EQ(other->now(), 0ns);
    EXPECT_EQ(other->machine().priority[1], 40);
    EXPECT_EQ(other->history().beginning().machine.priority[1], 40);
    EXPECT_FALSE(other->step_back(StepEventKind::event));
    EXPECT_TRUE(other->step_forward(StepEventKind::tick));
    EXPECT_TRUE(other->step_back(StepEventKind::tick));
    EXPECT_EQ(other->machine().priority[1], 40);
    EXPECT_EQ(first_violation_in(*other), "");
}

TEST(WhatIf, DropsLaterInterventions) {
    Session session(scenario_of(kTwoHogs), make_policy("linux-2.0"));
    session.history().extend_to_end();
    session.seek(2s);
    const auto late = session.what_if(of(Kind::kill, 1));
    late->seek(1s);
    const auto early = late->what_if(of(Kind::renice, 2, 3));
    EXPECT_EQ(early->history().interventions().size(), 1u);
    early->history().extend_to_end();
    early->seek_end();
    EXPECT_TRUE(lives(early->machine(), 1));
}

}  // namespace intervention_test
}  // namespace sim
