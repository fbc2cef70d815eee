// The explanations of decisions and of wake-ups and ticks without one, for every policy and script: they name
// the cause that follows from the trace, and the values that the policy compared.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/base/human_text.h"
#include "sim/core/machine.h"
#include "sim/explain/decision_reasons.h"
#include "sim/explain/decision_steps.h"
#include "sim/replay/why_not.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace why_test {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::vector<std::string> all_policies() {
    std::vector<std::string> names;
    for (const PolicyInfo& info : policies()) names.push_back(info.name);
    for (const PolicyInfo& info : script_policies()) names.push_back(info.name);
    return names;
}

// Tasks that compute, sleep and yield, on a machine without costs, so that a schedule() has the time of its
// cause. Timers are exact, so that wake-ups rarely coincide with ticks.
Scenario workload(std::uint64_t seed, std::uint32_t cpus = 1) {
    const auto task = [](const char* name, const char* run, const char* rest, const char* more = "") {
        return fmt::format(R"({{"name": "{}", {} "program": [{{"loop": "forever", "steps": [
                               {{"run": {}}}, {{"sleep": {}}}, {{"run": {}}}, "yield"]}}]}})",
                           name, more, run, rest, run);
    };
    return parse_scenario(
        "test.json",
        fmt::format(
            R"({{"format": "switchyard-scenario/1", "policy": "fcfs", "until": "4s", "cpus": {}, "seed": {},
            "machine": {{"hz": 250, "hrtimers": true, "costs": {{}}}},
            "tasks": [{}, {}, {}, {}, {}, {{"name": "long", "arrival": "7ms", "burst": "1500ms"}}]}})",
            cpus, seed, task("a", R"({"uniform": ["1ms", "9ms"]})", R"({"uniform": ["2ms", "50ms"]})"),
            task("b", R"({"uniform": ["300us", "2ms"]})", R"({"uniform": ["5ms", "30ms"]})",
                 R"("priority": 25,)"),
            task("c", R"({"uniform": ["3ms", "60ms"]})", R"({"uniform": ["20ms", "90ms"]})",
                 R"("priority": 15,)"),
            task("d", R"({"uniform": ["100us", "900us"]})", R"({"uniform": ["1ms", "15ms"]})"),
            task("e", R"({"uniform": ["9ms", "200ms"]})", R"({"uniform": ["30ms", "300ms"]})")));
}

struct TracedRun {
    explicit TracedRun(const std::string& spec, std::uint64_t seed, std::uint32_t cpus = 1)
        : history(std::make_shared<const Scenario>(workload(seed, cpus)), make_policy(spec, cpus)) {
        trace.logs_checks = true;
        Moment moment = history.beginning();
        history.extend_to_end();
        history.advance(moment, {.until = history.latest_end()}, &trace);
    }
    std::string name(TaskId p) const {
        return history.scenario().task_name(history.simulated_end().machine, p);
    }

    RunHistory history;
    Trace trace;
};

// The causes that the records before a schedule() permit: those of the same time since the last schedule().
std::set<ReschedCause> possible_causes(const Trace& trace, std::size_t schedule, bool has_slices) {
    const TraceRecord& r = trace.records[schedule];
    std::set<ReschedCause> causes;
    for (std::size_t i = schedule; i-- > 0 && trace.records[i].time == r.time;) {
        const TraceRecord& before = trace.records[i];
        if (before.kind == TraceKind::schedule && before.cpu == r.cpu) break;
        if (before.kind == TraceKind::wake_up) causes.insert(ReschedCause::wake_up);
        if (before.kind == TraceKind::tick && before.cpu == r.cpu) causes.insert(ReschedCause::tick);
    }
    if (has_slices && !causes.contains(ReschedCause::wake_up)) causes.insert(ReschedCause::slice_end);
    return causes;
}

// What happened to prev, from the trace alone, as part of the expected sentence.
std::string expected_end(const TracedRun& run, std::size_t schedule) {
    const TraceRecord& r = run.trace.records[schedule];
    for (std::size_t i = schedule; i-- > 0 && run.trace.records[i].time == r.time;) {
        const TraceRecord& before = run.trace.records[i];
        if (before.task != r.other) continue;
        if (before.kind == TraceKind::exit) return run.name(r.other) + " has exited.";
        if (before.kind == TraceKind::sleep) return run.name(r.other) + " sleeps until ";
        if (before.kind == TraceKind::yield) return run.name(r.other) + " calls sched_yield().";
    }
    return {};
}

class ExplainedPolicy : public testing::TestWithParam<std::string> {};

TEST_P(ExplainedPolicy, DecisionsNameTheCauseThatTheTraceShows) {
    const int wanted = rounds(20, 200, 200);
    int checked = 0, certain = 0;
    for (std::uint64_t seed = 1; checked < wanted && seed < 6; ++seed) {
        const TracedRun run(GetParam(), seed);
        const bool has_slices = run.history.policy().policy->has_slices();
        std::uint64_t number = 0;
        for (std::size_t i = 0; i < run.trace.records.size() && checked < wanted; ++i) {
            const TraceRecord& r = run.trace.records[i];
            if (r.kind != TraceKind::schedule) continue;
            ++number;
            if (number % 3 != seed % 3) continue;  // spreads the checked decisions over the run
            SCOPED_TRACE(fmt::format("seed {}, decision {}", seed, number));
            ++checked;
            const DecisionView view = *run.history.decision_at(number);
            ASSERT_EQ(view.record.time, r.time);
            const DecisionReasons explained =
                decision_reasons(view, run.history.policy(), run.history.scenario());
            EXPECT_EQ(explained.chosen, why_winner_won(view.log, run.history.policy(),
                                                       make_task_namer(view, run.history.scenario())));
            EXPECT_FALSE(contains(explained.text(), "its turn")) << explained.text();
            if (view.before.is_idle_task(r.other)) {
                if (r.time == Nanos{} && number <= view.before.shape().cpus &&
                    r.cause == ReschedCause::wake_up)
                    EXPECT_EQ(explained.stopped, "The run starts.");
                else
                    EXPECT_TRUE(contains(explained.stopped, "is idle")) << explained.stopped;
                continue;
            }
            if (r.voluntary || r.after_yield) {
                EXPECT_EQ(r.cause, r.voluntary ? ReschedCause::none : ReschedCause::yield);
                EXPECT_TRUE(explained.stopped.starts_with(expected_end(run, i)))
                    << explained.stopped << " / " << expected_end(run, i);
                continue;
            }
            const std::set<ReschedCause> possible = possible_causes(run.trace, i, has_slices);
            EXPECT_TRUE(possible.contains(r.cause)) << static_cast<int>(r.cause) << ": " << explained.text();
            certain += possible.size() == 1;
            if (r.cause == ReschedCause::wake_up) {
                EXPECT_TRUE(explained.stopped.starts_with(run.name(r.caused_by) + " has become ready"))
                    << explained.stopped;
            } else {
                EXPECT_TRUE(contains(explained.stopped, run.name(r.other)) ||
                            explained.stopped == "tick() asks for a schedule().")
                    << explained.stopped;
            }
        }
    }
    EXPECT_EQ(checked, wanted);
    RecordProperty("certain", certain);
}

// Whether the policy says, for a task of this name, what the state of the machine says.
void expect_values(const TracedRun& run, const ReschedCheck& check, const Machine& m) {
    const NamedPolicy& policy = run.history.policy();
    const std::string woken = run.name(check.task), current = run.name(check.current);
    if (policy.name.starts_with("linux-2.0") || policy.name == "linux-1.2" || policy.name == "linux-2.2" ||
        policy.name == "sorted-queue") {
        EXPECT_EQ(check.reason, fmt::format("{}'s counter {} is not more than 3 above {}'s {}", woken,
                                            m.counter[check.task], current, m.counter[check.current]));
        EXPECT_LE(m.counter[check.task], m.counter[check.current] + 3);
    } else if (policy.name == "linux-2.6.20") {
        const std::int64_t own = policy.policy->candidate_key(m, check.task),
                           theirs = policy.policy->candidate_key(m, check.current);
        EXPECT_EQ(check.reason, fmt::format("{}'s prio {} is not better than {}'s {} (lower is better)",
                                            woken, own, current, theirs));
        EXPECT_GE(own, theirs);
    } else if (policy.name == "srtf") {
        // The state is 1 ns later.
        const auto left = [&](TaskId p) {
            return human_time(m.remaining_burst(p) + (p == check.current ? Nanos{1} : Nanos{}));
        };
        EXPECT_EQ(check.reason, fmt::format("preempts() returns false: {}'s remaining {}, {}'s remaining {}",
                                            woken, left(check.task), current, left(check.current)));
        EXPECT_GT(m.remaining_burst(check.task), m.remaining_burst(check.current));
    }
}

TEST_P(ExplainedPolicy, WakeUpsWithoutPreemptionAreExplained) {
    // Under these policies, each wake-up leads to a schedule(), in which the choice is made.
    const bool always_asks = GetParam() == "mlfq";
    const std::size_t wanted = rounds(20, 200, 200);
    std::size_t found = 0;
    for (std::uint64_t seed = 1; found < wanted && seed < 12; ++seed) {
        const TracedRun run(GetParam(), seed);
        // From the trace alone: a wake-up while a task runs, and no schedule() at this time.
        std::set<Nanos> decided;
        for (const TraceRecord& r : run.trace.records)
            if (r.kind == TraceKind::schedule) decided.insert(r.time);
        for (const ReschedCheck& check : run.trace.checks) {
            if (check.at != ReschedCheck::Point::wake_up || found >= wanted) continue;
            if (check.current < 1) {
                EXPECT_TRUE(check.asks) << "an idle CPU takes every task";
                continue;
            }
            EXPECT_FALSE(check.asks && !decided.contains(check.time)) << "asked, but no schedule()";
            if (decided.contains(check.time)) continue;
            EXPECT_FALSE(check.asks);
            EXPECT_FALSE(check.reason.empty());
            Moment moment = run.history.beginning();
            run.history.state_at(check.time + Nanos{1}, moment);
            const std::string text =
                resched_check_text(check, moment.machine, [&](TaskId p) { return run.name(p); });
            EXPECT_TRUE(text.starts_with(fmt::format(
                "{} becomes ready and does not preempt {}: ", run.name(check.task), run.name(check.current))))
                << text;
            if (moment.machine.globals().now == check.time + Nanos{1})
                expect_values(run, check, moment.machine);
            ++found;
        }
    }
    EXPECT_TRUE(always_asks ? found == 0 : found == wanted) << found;
}

INSTANTIATE_TEST_SUITE_P(All, ExplainedPolicy, testing::ValuesIn(all_policies()), [](const auto& param) {
    std::string name = param.param;
    if (name.find('_') != std::string::npos) name += "_script";
    std::replace_if(
        name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
        '_');
    return name;
});

// With several CPUs, the cause of each decision is one that can occur there.
TEST(Explanations, SeveralCpusNameACauseForEveryDecision) {
    for (const char* const spec :
         {"linux-2.0", "linux-2.4.22", "linux-2.6.20", "linux-2.6.32", "linux-6.6", "fcfs"}) {
        SCOPED_TRACE(spec);
        const TracedRun run(spec, 3, 2);
        std::uint64_t number = 0;
        for (const TraceRecord& r : run.trace.records) {
            if (r.kind != TraceKind::schedule || ++number > 150) continue;
            const DecisionView view = *run.history.decision_at(number);
            EXPECT_EQ(r.cause == ReschedCause::none, r.voluntary) << number;
            const std::string text =
                decision_reasons(view, run.history.policy(), run.history.scenario()).text();
            EXPECT_FALSE(contains(text, "need_resched is set")) << text;
        }
    }
}

// V is the mean of the vruntimes if all weights are equal. A task behind it is eligible.
TEST(Explanations, EevdfLagIsTheDistanceFromTheMean) {
    const Scenario scenario =
        parse_scenario("test.json", R"({"format": "switchyard-scenario/1", "policy": "linux-6.6",
        "until": "2s", "machine": {"hz": 250, "hrtimers": true, "costs": {}}, "tasks": [
        {"name": "a", "program": [{"run": "10s"}]}, {"name": "b", "program": [{"run": "10s"}]},
        {"name": "c", "program": [{"loop": "forever", "steps": [{"run": {"uniform": ["100us", "3ms"]}}, {"sleep": {"uniform": ["1ms", "9ms"]}}]}]}]})");
    RunHistory history(std::make_shared<const Scenario>(scenario), make_policy("linux-6.6"));
    history.extend_to_end();
    Trace trace;
    trace.logs_checks = true;
    Moment moment = history.beginning();
    history.advance(moment, {.until = history.latest_end()}, &trace);
    int eligible = 0, others = 0;
    for (const ReschedCheck& check : trace.checks) {
        if (check.at != ReschedCheck::Point::wake_up || check.asks || check.current < 1) continue;
        history.state_at(check.time + Nanos{1}, moment);
        const Machine& m = moment.machine;
        if (m.cpu(0).current != check.current) continue;
        std::vector<std::int64_t> times;  // vruntimes, as the policy shows them
        std::int64_t own = 0;
        for (TaskId p = 1; p < m.globals().high_row; ++p) {
            if (m.task[p].state != TaskState::runnable) continue;
            times.push_back(std::stoll(
                history.policy().policy->scheduling_values(m, p).substr(std::string("vruntime ").size())));
            if (p == check.task) own = times.back();
        }
        std::int64_t sum = 0;
        for (const std::int64_t t : times) sum += t;
        const auto count = static_cast<std::int64_t>(times.size());
        const std::int64_t mean = (sum - ((sum % count + count) % count)) / count;  // rounded down
        const std::int64_t lag = mean - own;
        const std::string shown = fmt::format("{}{}", lag < 0 ? "-" : "", human_time(Nanos{std::abs(lag)}));
        EXPECT_TRUE(contains(check.reason, shown)) << check.reason << " / " << shown;
        if (!contains(check.reason, "RUN_TO_PARITY")) {
            EXPECT_EQ(contains(check.reason, "it is not eligible"), lag < 0) << check.reason;
        }
        (lag < 0 ? others : eligible) += 1;
    }
    EXPECT_GT(eligible, 10);
    EXPECT_GT(others, 0);
}

// --- one textbook run, sentence by sentence ---

constexpr const char* kJobs = R"({"format": "switchyard-scenario/1", "policy": "rr:quantum=5", "tasks": [
    {"name": "A", "arrival": "0ms", "burst": "8ms"}, {"name": "B", "arrival": "1ms", "burst": "4ms"},
    {"name": "C", "arrival": "2ms", "burst": "9ms"}, {"name": "D", "arrival": "3ms", "burst": "5ms"}]})";

std::string at(const std::string& policy, Nanos time) {
    Session session(std::make_shared<const Scenario>(parse_scenario("jobs.json", kJobs)),
                    make_policy(policy));
    session.history().extend_to_end();
    session.seek(time + Nanos{1});
    return explain_last_event(session);
}

std::string why_not_at(const std::string& policy, Nanos time, const std::string& task) {
    Session session(std::make_shared<const Scenario>(parse_scenario("jobs.json", kJobs)),
                    make_policy(policy));
    session.history().extend_to_end();
    session.seek(time + Nanos{1});
    for (TaskId p = 1; p < session.machine().globals().high_row; ++p)
        if (session.scenario().task_name(session.machine(), p) == task)
            return explain_not_running(session.history(), session.moment(), p);
    return "no such task";
}

TEST(Explanations, RoundRobinSentences) {
    const std::string rr = "rr:quantum=5";
    EXPECT_EQ(at(rr, 0ms), "The run starts. A runs: it is first in the queue.");
    EXPECT_EQ(at(rr, 4ms),
              "At this tick, A keeps the CPU: A has 1 ms of its slice left. At the start: A runs: it is "
              "first in the "
              "queue.");
    EXPECT_EQ(at(rr, 5ms),
              "A's slice is used up: it has had the CPU for 5 ms. B runs: it is first in the queue. B had "
              "been ready since 1 ms, for 4 ms. A is now number 3 of the 3 tasks that wait in the queue.");
    EXPECT_EQ(at(rr, 9ms),
              "B has exited. C runs: it is first in the queue. C had been ready since 2 ms, for 7 ms.");
    EXPECT_EQ(at(rr, 26ms), "C has exited. No task is ready for this CPU: the idle task runs.");
    EXPECT_EQ(
        why_not_at(rr, 2ms, "C"),
        "C is ready and waits: it is number 2 of the 2 tasks that wait in the queue. At 2 ms: C becomes "
        "ready and does not preempt A: no wake-up preempts under this policy.");
    EXPECT_EQ(
        why_not_at(rr, 6ms, "A"),
        "A is ready and waits: it is number 3 of the 3 tasks that wait in the queue. At 5 ms, A was not "
        "chosen: it was behind B in the queue. B runs: it is first in the queue.");
    EXPECT_EQ(why_not_at(rr, 6ms, "B"), "B runs on cpu0. B runs: it is first in the queue.");
    EXPECT_EQ(why_not_at(rr, 1ms, "D"), "D arrives at 3 ms.");
}

TEST(Explanations, WaitForLockNamesHolder) {
    constexpr const char* kLock = R"({"format": "switchyard-scenario/1", "policy": "rr:quantum=5", "tasks": [
        {"name": "A", "program": [{"lock": "L"}, {"run": "8ms"}, {"unlock": "L"}]},
        {"name": "B", "program": [{"lock": "L"}, {"run": "4ms"}, {"unlock": "L"}]}]})";
    Session session(std::make_shared<const Scenario>(parse_scenario("lock.json", kLock)),
                    make_policy("rr:quantum=5"));
    session.history().extend_to_end();
    session.seek(5ms + Nanos{1});
    EXPECT_TRUE(contains(explain_last_event(session), "B waits for lock L, held by A. A runs:"))
        << explain_last_event(session);
}

TEST(Explanations, OtherTextbookSentences) {
    EXPECT_EQ(
        at("srtf", 1ms),
        "B has become ready, and preempts() returns true: B's remaining 4 ms, A's remaining 7 "
        "ms. B runs: its time left 4 ms is the lowest. A is now the only task that waits in the queue.");
    EXPECT_EQ(why_not_at("sjf", 8ms, "C"),
              "C is ready and waits: it is number 2 of the 2 tasks that wait in the queue. At 8 ms, C was "
              "not chosen: its burst is 9 ms, B's is 4 ms. B runs: its burst 4 ms is the lowest.");
    EXPECT_TRUE(contains(at("lottery", 8ms), "it holds number ")) << at("lottery", 8ms);
    EXPECT_TRUE(contains(at("mlfq", 8ms), "on level 1, the highest level with a task")) << at("mlfq", 8ms);
    EXPECT_TRUE(contains(at("feedback", 1ms), "A is now the only task that waits in level[2]."))
        << at("feedback", 1ms);
}

// --- what a reviewer found false ---

std::string explained(const std::string& json, const std::string& policy, std::uint64_t decision) {
    const Scenario scenario = parse_scenario("test.json", json);
    RunHistory history(std::make_shared<const Scenario>(scenario), make_policy(policy, scenario.cpus));
    history.extend_to_end();
    const std::optional<DecisionView> view = history.decision_at(decision);
    if (!view) return "there is no such decision";
    const DecisionReasons reasons = decision_reasons(*view, history.policy(), history.scenario());
    std::string text = reasons.text();
    for (const DecisionReasons::NotChosenTask& other : reasons.others)
        text += " Not " + make_task_namer(*view, history.scenario())(other.task) + ": " + other.reason + ".";
    return text;
}

std::string tasks_json(const std::string& tasks, const std::string& more = "") {
    return R"({"format": "switchyard-scenario/1", "policy": "fcfs", "until": "2s", )" + more +
           R"("machine": {"hz": 1000, "hrtimers": true, "costs": {}}, "tasks": [)" + tasks + "]}";
}

// A deadline that was renewed while the task was alone is not the cause of a later preemption.
TEST(Explanations, EevdfPreemptionByDeadlineIsNotTheEndOfASlice) {
    const std::string json = tasks_json(
        R"({"name": "A", "program": [{"run": "60ms"}]},
           {"name": "B", "program": [{"loop": "forever", "steps": [{"run": "300us"}, {"sleep": "2310us"}]}]})");
    int compared = 0;
    for (std::uint64_t n = 2; n < 30; ++n) {
        const std::string text = explained(json, "linux-6.6", n);
        if (!contains(text, "B has become ready")) continue;
        compared += contains(text, "its deadline is the earliest");
    }
    EXPECT_GT(compared, 5);
}

TEST(Explanations, ClassesOfEachKernelFollowItsOwnRules) {
    const std::string idle = tasks_json(
        R"({"name": "A", "program": [{"run": "1s"}]},
           {"name": "I", "class": "idle", "start": "5ms", "program": [{"run": "1ms"}]})");
    EXPECT_TRUE(contains(explained(idle, "linux-2.6.24", 2), "a new task always asks for a schedule()"))
        << explained(idle, "linux-2.6.24", 2);
}

// Only the tasks of the same part of the queue are counted.
TEST(Explanations, PlacesAreCountedInEachPartOfTheQueue) {
    const std::string json =
        tasks_json(R"({"name": "A", "program": [{"run": "1s"}]}, {"name": "B", "program": [{"run": "1s"}]})");
    bool found = false;
    for (std::uint64_t n = 1; n < 6; ++n) {
        const std::string text = explained(json, "linux-2.6.20", n);
        EXPECT_FALSE(contains(text, "of the 2 tasks that wait in the expired array")) << text;
        found = found || contains(text, "the only task that waits in the expired array");
    }
    EXPECT_TRUE(found);
}

TEST(Explanations, ATickIsNoEndOfASliceWithoutSlices) {
    Session session(
        std::make_shared<const Scenario>(parse_scenario(
            "test.json", tasks_json(R"({"name": "A", "priority": 1, "arrival": "0ms", "burst": "30ms"},
                        {"name": "C", "priority": 2, "arrival": "2ms", "burst": "5ms"})"))),
        make_policy("priority:aging=5"));
    session.history().extend_to_end();
    bool found = false;
    for (std::uint64_t n = 1; n <= session.history().simulated_end().machine.globals().decisions; ++n) {
        const std::string text =
            explained(tasks_json(R"({"name": "A", "priority": 1, "arrival": "0ms", "burst": "30ms"},
                        {"name": "C", "priority": 2, "arrival": "2ms", "burst": "5ms"})"),
                      "priority:aging=5", n);
        EXPECT_FALSE(contains(text, "slice")) << text;
        found = found || contains(text, "tick() asks for a schedule()");
    }
    EXPECT_TRUE(found);
}

TEST(Explanations, AForkUnderO1ComparesNoPriorities) {
    const std::string json = tasks_json(
        R"({"name": "A", "program": [{"run": "2ms"}, {"fork": "T"}, {"run": "20ms"}]},
           {"name": "T", "count": 0, "priority": 30, "program": [{"run": "2ms"}]})");
    const std::string text = explained(json, "linux-2.6.20", 2);
    EXPECT_TRUE(contains(text, "a fork of a process always asks for a schedule()")) << text;
}

}  // namespace why_test
}  // namespace sim
