// Periodic tasks: release times, deadlines, and job facts passed to policies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/jobs.h"
#include "sim/core/run_queue.h"
#include "sim/replay/run_history.h"
#include "tests/support/simulation.h"

namespace sim {
namespace timer_test {

// A scenario on the textbook machine ("ideal").
Scenario ideal(const std::string& tasks, const std::string& until = "10s") {
    return parse_scenario("test.json", fmt::format(R"({{"format": "switchyard-scenario/1", "machine": "ideal",
                                      "policy": "linux-2.0", "until": "{}", "tasks": [{}]}})",
                                                   until, tasks));
}

Summary::Deadlines deadlines_of(const Simulation& run, const std::string& task) {
    const Summary s = summarize(run.scenario, "", run.m, run.statistics, StopReason::until);
    for (const Summary::TaskSummary& t : s.tasks)
        if (t.name == task) return t.deadlines.value_or(Summary::Deadlines{});
    ADD_FAILURE() << "no task " << task;
    return {};
}

// Formats deadlines as text: "3 jobs, 1 met, 2 missed, 20 ms late".
std::string deadlines_text(const Summary::Deadlines& d) {
    return fmt::format("{} jobs, {} met, {} missed, {} ms late", d.jobs, d.met, d.missed,
                       static_cast<double>(d.max_lateness.count()) / 1e6);
}

std::string deadlines_text(const Scenario& scenario, const std::string& task, Nanos until) {
    Simulation run(scenario);
    run.go(until);
    return deadlines_text(deadlines_of(run, task));
}

// --- releases ---

TEST(Timer, ReleasesArePeriodicForAnyJobLength) {
    Simulation run(ideal(R"({"name": "a", "start": "3ms", "program": [{"loop": "forever", "steps": [
        {"run": "7ms"}, {"timer": "50ms"}, {"run": {"uniform": ["1us", "40ms"]}}, {"timer": "50ms"}]}]})"));
    run.go(210ms);
    EXPECT_EQ(run.events(TraceKind::wake_up), "3000000 a, 53000000 a, 103000000 a, 153000000 a, 203000000 a");
}

TEST(Timer, DoesNotDriftWithTickTimers) {
    // 3 ms after the release the timer is set for 47 ms, which are rounded up to 5 ticks of 10 ms; one tick
    // is added. So the job starts 10 ms late. After ten periods, the delay is the same as after one.
    Simulation run(
        small_scenario(
            R"({"name": "a", "program": [{"loop": "forever", "steps": [{"run": "3ms"}, {"timer": "50ms"}]}]})",
            {.hz = 100}),
        "linux-2.0");
    run.go(555ms);
    EXPECT_EQ(run.events(TraceKind::wake_up).substr(0, 34), "60000000 a, 110000000 a, 160000000");
    EXPECT_TRUE(run.events(TraceKind::wake_up).ends_with("510000000 a"));
    EXPECT_EQ(run.m.job[run.task("a")].release, 550ms);
}

TEST(Timer, ForkedTaskCountsFromFork) {
    Simulation run(ideal(R"(
        {"name": "parent", "program": [{"run": "4ms"}, {"fork": "child"}, {"run": "1ms"}]},
        {"name": "child", "count": 0, "program": [{"loop": "forever", "steps": [{"run": "2ms"}, {"timer": "10ms"}]}]})"));
    run.go(25ms);
    EXPECT_TRUE(run.events(TraceKind::wake_up).ends_with("14000000 child.2, 24000000 child.2"))
        << run.events(TraceKind::wake_up);
}

TEST(Timer, JobEndingAtReleaseIsNotLate) {
    EXPECT_EQ(
        deadlines_text(
            ideal(
                R"({"name": "a", "program": [{"loop": "forever", "steps": [{"run": "50ms"}, {"timer": "50ms"}]}]})"),
            "a", 201ms),
        "5 jobs, 4 met, 0 missed, 0 ms late");
}

// --- late jobs ---

// A periodic task whose first job takes 120 ms and whose other jobs take 20 ms.
std::string late(const std::string& timer) {
    return fmt::format(R"({{"name": "a", "program": [{{"run": "120ms"}}, {{"timer": {0}}},
        {{"loop": "forever", "steps": [{{"run": "20ms"}}, {{"timer": {0}}}]}}]}})",
                       timer);
}

TEST(Timer, LateTaskStartsNextJobImmediately) {
    Simulation run(ideal(late(R"("50ms")")));
    run.go(230ms);
    // The jobs released at 50 and 100 ms are late and end at 140 and 160 ms. The job released at 150 ms
    // ends at 180 ms.
    EXPECT_EQ(run.events(TraceKind::wake_up), "200000000 a");
    EXPECT_EQ(deadlines_text(deadlines_of(run, "a")), "5 jobs, 2 met, 3 missed, 70 ms late");
}

TEST(Timer, DropModeSkipsPassedReleases) {
    Simulation run(ideal(late(R"({"period": "50ms", "late": "drop"})")));
    run.go(230ms);
    // The jobs released at 50 and 100 ms never start.
    EXPECT_EQ(run.events(TraceKind::wake_up), "150000000 a, 200000000 a");
    EXPECT_EQ(deadlines_text(deadlines_of(run, "a")), "5 jobs, 2 met, 3 missed, 70 ms late");
}

TEST(Timer, DropModeKeepsReleaseAtCurrentTime) {
    Simulation run(ideal(R"({"name": "a", "program": [{"loop": 3, "steps": [
        {"run": "100ms"}, {"timer": {"period": "50ms", "late": "drop"}}]}]})"));
    run.go();
    EXPECT_EQ(run.now(), 300'000'000);
    EXPECT_EQ(deadlines_text(deadlines_of(run, "a")), "6 jobs, 0 met, 6 missed, 50 ms late");
}

// --- deadlines ---

TEST(Deadline, TaskWithoutTimerIsOneJob) {
    const Scenario scenario = ideal(R"(
        {"name": "a", "deadline": "20ms", "program": [{"run": "10ms"}, {"sleep": "10ms"}]},
        {"name": "b", "deadline": "15ms", "start": "1ms", "program": [{"run": "10ms"}]},
        {"name": "c", "start": "1s", "program": [{"run": "1s"}]})");
    EXPECT_EQ(deadlines_text(scenario, "a", 2s), "1 jobs, 1 met, 0 missed, 0 ms late");
    EXPECT_EQ(deadlines_text(scenario, "b", 2s), "1 jobs, 0 met, 1 missed, 4 ms late");
    EXPECT_EQ(deadlines_text(scenario, "c", 2s), "0 jobs, 0 met, 0 missed, 0 ms late");
}

TEST(Deadline, MayPrecedeNextRelease) {
    const std::string task =
        R"({"name": "a", "deadline": "5ms", "program": [{"loop": 3, "steps": [{"run": "6ms"}, {"timer": "50ms"}]}]})";
    EXPECT_EQ(deadlines_text(ideal(task), "a", 1s), "3 jobs, 0 met, 3 missed, 1 ms late");
}

TEST(Deadline, UnfinishedJobMissesPassedDeadline) {
    const Scenario scenario = ideal(
        R"({"name": "a", "program": [{"loop": "forever", "steps": [{"run": "1s"}, {"timer": "50ms"}]}]})");
    EXPECT_EQ(deadlines_text(scenario, "a", 50ms), "1 jobs, 0 met, 0 missed, 0 ms late");
    EXPECT_EQ(deadlines_text(scenario, "a", 51ms), "2 jobs, 0 met, 1 missed, 1 ms late");
    EXPECT_EQ(deadlines_text(scenario, "a", 120ms), "3 jobs, 0 met, 2 missed, 70 ms late");
}

TEST(Deadline, PeriodWithOnlyExitCountsNoJob) {
    EXPECT_EQ(
        deadlines_text(
            ideal(R"({"name": "a", "program": [{"loop": 2, "steps": [{"run": "6ms"}, {"timer": "50ms"}]}]})"),
            "a", 1s),
        "2 jobs, 2 met, 0 missed, 0 ms late");
    EXPECT_EQ(deadlines_text(
                  ideal(R"({"name": "a", "program": [{"run": "6ms"}, {"timer": "50ms"}, {"run": "60ms"}]})"),
                  "a", 1s),
              "2 jobs, 1 met, 1 missed, 10 ms late");
}

TEST(Deadline, TotalsIncludeReusedRows) {
    Simulation run(ideal(R"(
        {"name": "parent", "program": [{"loop": 3, "steps": [{"fork": "child"}, {"sleep": "30ms"}]}]},
        {"name": "child", "count": 0, "deadline": "5ms", "program": [{"run": "10ms"}]})"));
    run.go();
    const Summary s = summarize(run.scenario, "", run.m, run.statistics, StopReason::all_exited);
    EXPECT_EQ(deadlines_text(s.deadlines.value_or(Summary::Deadlines{})),
              "3 jobs, 0 met, 3 missed, 5 ms late");
}

TEST(Deadline, SummaryOmitsUnusedDeadlines) {
    Simulation run(ideal(R"({"name": "a", "tickets": 5, "program": [{"run": "6ms"}]})"));
    run.go();
    const Summary s = summarize(run.scenario, "", run.m, run.statistics, StopReason::all_exited);
    EXPECT_FALSE(s.deadlines.has_value());
    EXPECT_FALSE(s.tasks.front().deadlines.has_value());
    EXPECT_EQ(run.m.job.size(), 0u);
}

// --- published examples ---

struct Periodic {
    std::int64_t c, period;  // c: computation time. Unit: a tenth of the book's (one c is 2.1)
};

struct PublishedSet {
    const char* source;
    std::vector<Periodic> tasks;   // highest priority first
    std::int64_t over;             // common multiple of the periods
    std::vector<unsigned> misses;  // by task
};

// Numbers of late jobs under fixed priorities, as published. If a book reports only the first late job, the
// other numbers are derived from the rules of the book. A job that is late continues to run.
const std::vector<PublishedSet> kPublished{
    {"Liu, Layland 1973, figure 2a", {{10, 20}, {10, 50}}, 100, {0, 0}},
    {"Liu, Layland 1973, figure 2b", {{10, 20}, {20, 50}}, 100, {0, 0}},
    {"Liu, Layland 1973, figure 2b, more than that", {{10, 20}, {21, 50}}, 100, {0, 1}},
    {"Liu, Layland 1973, figure 2c", {{10, 50}, {10, 20}}, 100, {0, 0}},
    {"Liu, Layland 1973, figure 2c, a longer first", {{10, 50}, {11, 20}}, 100, {0, 2}},
    {"Liu, Layland 1973, figure 2c, a longer second", {{11, 50}, {10, 20}}, 100, {0, 1}},
    {"Silberschatz et al., 10th, 5.6.3, rate-monotonic", {{200, 500}, {350, 1000}}, 1000, {0, 0}},
    {"Silberschatz et al., 10th, 5.6.3, the other way round", {{350, 1000}, {200, 500}}, 1000, {0, 1}},
    {"Silberschatz et al., 10th, 5.6.3, P2 ends at 85", {{250, 500}, {350, 800}}, 4000, {0, 1}},
    {"Silberschatz et al., exercise of rate-monotonic and EDF", {{250, 500}, {300, 750}}, 1500, {0, 1}},
    {"Stallings, 9th, chapter 10", {{200, 1000}, {400, 1500}, {1000, 3500}}, 21'000, {0, 0, 0}},
    {"Sha, Goodenough 1990, second example", {{400, 1000}, {400, 1500}, {1000, 3500}}, 21'000, {0, 0, 0}},
    {"Burns, Wellings, set A", {{100, 300}, {100, 400}, {120, 500}}, 6'000, {0, 0, 1}},
    {"Burns, Wellings, set B", {{40, 160}, {50, 400}, {320, 800}}, 800, {0, 0, 0}},
    {"Burns, Wellings, set C", {{50, 200}, {100, 400}, {400, 800}}, 800, {0, 0, 0}},
    {"Burns, Wellings, set D", {{30, 70}, {30, 120}, {50, 200}}, 4'200, {0, 0, 0}},
    {"Buttazzo, chapter 4, EDF against RM", {{20, 50}, {40, 70}}, 350, {0, 1}},
    {"Tanenbaum, Bos, 3rd, multimedia, first", {{100, 300}, {150, 400}, {50, 500}}, 6'000, {0, 0, 0}},
    {"Tanenbaum, Bos, 3rd, multimedia, second", {{150, 300}, {150, 400}, {50, 500}}, 6'000, {0, 0, 5}},
};

// Converts a published set to a scenario: a tenth of the book's unit becomes 1 ms.
Scenario as_scenario(const PublishedSet& set) {
    std::string tasks;
    for (std::size_t i = 0; i < set.tasks.size(); ++i)
        tasks += fmt::format(
            R"({}{{"name": "t{}", "class": "fifo", "rt_priority": {}, "program": [
                {{"loop": "forever", "steps": [{{"run": "{}ms"}}, {{"timer": "{}ms"}}]}}]}})",
            i == 0 ? "" : ", ", i + 1, 50 - i, set.tasks[i].c, set.tasks[i].period);
    return ideal(tasks, "100s");
}

TEST(RateMonotonic, FixedPrioritiesMissPublishedDeadlines) {
    for (const PublishedSet& set : kPublished) {
        SCOPED_TRACE(set.source);
        Simulation run(as_scenario(set));
        run.go(set.over * 1ms + 1ns);
        for (std::size_t i = 0; i < set.tasks.size(); ++i)
            EXPECT_EQ(deadlines_of(run, fmt::format("t{}", i + 1)).missed, set.misses[i]) << "task " << i + 1;
    }
}

TEST(RateMonotonic, SilberschatzSecondTaskEndsAt85) {
    Simulation run(as_scenario(kPublished[8]));
    run.go(851ms);
    EXPECT_EQ(deadlines_text(deadlines_of(run, "t2")), "2 jobs, 0 met, 1 missed, 50 ms late");
}

TEST(RateMonotonic, GoodenoughThirdTaskRespondsAfter300) {
    Simulation run(as_scenario(kPublished[11]));  // Sha and Goodenough: response 300, at the deadline
    run.go(3000ms);
    EXPECT_EQ(deadlines_of(run, "t3").met, 0u);
    run.go(3000ms + 1ns);
    EXPECT_EQ(deadlines_of(run, "t3").met, 1u);
}

// --- job facts passed to policies ---

// A policy that picks the task with the earliest deadline. If several tasks have this deadline, it picks
// the task with the shortest burst. It records the job facts that it receives, and the length of the burst
// with which a task became ready.
class JobFactsSpy final : public Policy {
  public:
    struct ReceivedFacts {
        JobParameters facts;
        Nanos burst;
    };

    explicit JobFactsSpy(bool needs_facts = true) : needs_facts_(needs_facts) {}

    std::uint64_t facts_sent() const { return facts_sent_; }

    StateSize state_size() const override { return {.task_bytes = sizeof(ReceivedFacts)}; }
    bool needs_job_parameters() const override { return needs_facts_; }
    bool needs_burst_lengths() const override { return true; }
    void set_job_parameters(Machine& m, TaskId p, const JobParameters& facts) const override {
        ++facts_sent_;
        m.of_task<ReceivedFacts>(p).facts = facts;
    }

    void start(Machine&, TaskId) const override {}
    void fork(Machine&, TaskId, TaskId) const override {}
    bool tick(Machine&, TaskId) const override { return false; }
    bool yield(Machine&, TaskId) const override { return true; }
    bool keeps_running_task_queued() const override { return true; }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        m.of_task<ReceivedFacts>(p).burst = m.remaining_burst(p);
        RunQueue(m).add_last(p);
        return 0;
    }
    bool preempts(const Machine& m, TaskId woken, TaskId current) const override {
        return m.is_idle_task(current) || is_before(m, woken, current);
    }
    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog*) const override {
        RunQueue queue(m);
        TaskId best = cpu;
        if (m.task[prev].state != TaskState::runnable)
            queue.remove(prev);
        else
            best = prev;
        for (TaskId p = queue.first(); p != cpu; p = m.next_run[p])
            if (m.is_idle_task(best) || is_before(m, p, best)) best = p;
        m.task[prev].processor = Task::kNoProcessor;
        m.set_running_task(best, cpu);
        return {.next = best};
    }

  private:
    static bool is_before(const Machine& m, TaskId a, TaskId b) {
        const Nanos of_a = m.of_task<ReceivedFacts>(a).facts.deadline,
                    of_b = m.of_task<ReceivedFacts>(b).facts.deadline;
        return of_a != of_b ? of_a < of_b : m.remaining_burst(a) < m.remaining_burst(b);
    }

    const bool needs_facts_;
    mutable std::uint64_t facts_sent_ = 0;
};

NamedPolicy job_facts_policy() {
    return {.name = "told",
            .options = {},
            .policy = std::make_shared<JobFactsSpy>(),
            .criterion = {},
            .pseudo_code = {},
            .recorded_kernel = {}};
}

struct JobFactsRun {
    explicit JobFactsRun(Scenario s, bool needs_facts = true)
        : scenario(std::move(s)),
          policy(needs_facts),
          engine(scenario, policy),
          m(engine.initial_state()),
          statistics(m.shape()) {}

    void go(Nanos until) { engine.run(m, {.until = until}, {&statistics, nullptr, nullptr}); }
    const JobFactsSpy::ReceivedFacts& received_facts(std::uint32_t row) const {
        return m.of_task<JobFactsSpy::ReceivedFacts>(m.first_task() + row);
    }
    const JobParameters& facts(std::uint32_t row) const { return received_facts(row).facts; }

    Scenario scenario;
    JobFactsSpy policy;
    Engine engine;
    Machine m;
    Statistics statistics;
};

const char* const kOfTheBook = R"(
    {"name": "P1", "program": [{"loop": "forever", "steps": [{"run": "25ms"}, {"timer": "50ms"}]}]},
    {"name": "P2", "tickets": 7, "program": [{"loop": "forever", "steps": [{"run": "35ms"}, {"timer": "80ms"}]}]})";

TEST(JobParameters, DescribeNextJob) {
    JobFactsRun run(ideal(kOfTheBook));
    EXPECT_EQ(run.facts(0), (JobParameters{0ns, 25ms, 0ns, 50ms, 50ms, 100}));
    EXPECT_EQ(run.facts(1), (JobParameters{0ns, 35ms, 0ns, 80ms, 80ms, 7}));
    run.go(26ms);
    EXPECT_EQ(run.facts(0), (JobParameters{0ns, 25ms, 50ms, 100ms, 50ms, 100}));
    run.go(126ms);
    EXPECT_EQ(run.facts(0), (JobParameters{0ns, 25ms, 150ms, 200ms, 50ms, 100}));
    EXPECT_EQ(run.facts(1), (JobParameters{0ns, 35ms, 80ms, 160ms, 80ms, 7}));
}

// Silberschatz et al., 10th, 5.6.4: with the same tasks, no job is late under EDF.
TEST(JobParameters, SufficeForEarliestDeadlineFirst) {
    JobFactsRun run(ideal(kOfTheBook));
    run.go(401ms);
    const Summary s = summarize(run.scenario, "", run.m, run.statistics, StopReason::until);
    EXPECT_EQ(deadlines_text(s.deadlines.value_or(Summary::Deadlines{})),
              "15 jobs, 13 met, 0 missed, 0 ms late");
}

TEST(JobParameters, FollowForkAndExec) {
    JobFactsRun run(ideal(R"(
        {"name": "parent", "program": [{"run": "4ms"}, {"fork": "child"}, {"run": "1s"}]},
        {"name": "child", "count": 0, "deadline": "9ms", "program": [{"run": "2ms"}, {"exec": "other"}]},
        {"name": "other", "count": 0, "deadline": "8ms", "tickets": 3, "program": [{"run": "2ms"}, {"sleep": "1s"}]})"));
    EXPECT_EQ(run.facts(0), (JobParameters{0ns, 1004ms, 0ns, kHorizon, 0ns, 100}));
    run.go(5ms);
    EXPECT_EQ(run.facts(1), (JobParameters{4ms, 0ns, 4ms, 13ms, 0ns, 100}));
    run.go(7ms);
    EXPECT_EQ(run.facts(1), (JobParameters{4ms, 2ms, 4ms, 12ms, 0ns, 3}));
}

TEST(JobParameters, AreSentOnlyOnRequest) {
    // These scenarios contain every event at which job facts can be sent: a new task, the end of a job, a
    // fork, an exec.
    const Scenario forks = ideal(R"(
        {"name": "parent", "program": [{"run": "4ms"}, {"fork": "child"}, {"run": "1s"}]},
        {"name": "child", "count": 0, "deadline": "9ms", "program": [{"run": "2ms"}, {"exec": "other"}]},
        {"name": "other", "count": 0, "deadline": "8ms", "program": [{"run": "2ms"}, {"sleep": "1s"}]})");
    for (const Scenario& scenario : {ideal(kOfTheBook), forks}) {
        JobFactsRun asked(scenario), unasked(scenario, false);
        asked.go(401ms);
        unasked.go(401ms);
        EXPECT_GE(asked.policy.facts_sent(), 3u);
        EXPECT_EQ(unasked.policy.facts_sent(), 0u);
    }
    Simulation run(ideal(kOfTheBook));
    run.go(401ms);
    EXPECT_EQ(run.m.shape().task_bytes, 0u);
}

TEST(BurstLength, IsKnownForReadyTasks) {
    JobFactsRun run(ideal(R"(
        {"name": "a", "program": [{"run": "30ms"}]},
        {"name": "b", "program": [{"loop": 20, "steps": [{"loop": 2, "steps": [{"run": "40ms"}, {"sleep": "5ms"}]}]}]},
        {"name": "c", "start": "2ms", "program": [{"loop": 3, "steps": [{"run": {"uniform": ["20ms", "21ms"]}}, {"sleep": "1ms"}]}]},
        {"name": "d", "program": [{"wake": "x"}, {"run": "100ms"}]})"));
    EXPECT_EQ(run.received_facts(0).burst, 30ms);
    EXPECT_EQ(run.received_facts(1).burst, 40ms);
    EXPECT_GE(run.m.remaining_burst(run.m.first_task() + 2), 0ms);
    EXPECT_EQ(run.received_facts(3).burst, 0ms);  // the first step is a wake-up, not a burst
    run.go(3ms);
    EXPECT_GE(run.received_facts(2).burst, 20ms);
    EXPECT_LE(run.received_facts(2).burst, 21ms);
    run.go(400ms);
    EXPECT_EQ(run.received_facts(1).burst, 40ms);  // the burst comes after the ends of two loops
}

TEST(BurstLength, ShrinksWhileTaskRuns) {
    JobFactsRun run(ideal(R"({"name": "a", "program": [{"run": "30ms"}, {"run": "7ms"}]})"));
    run.go(12ms);
    EXPECT_EQ(run.m.remaining_burst(run.m.first_task()), 18ms);
    run.go(31ms);
    EXPECT_EQ(run.m.remaining_burst(run.m.first_task()), 6ms);
}

// A task's random numbers are the same if they are drawn earlier, to determine the length of a burst in
// advance.
TEST(BurstLength, EarlyDrawKeepsValues) {
    const Scenario scenario = ideal(R"({"name": "a", "program": [{"loop": 20, "steps": [
        {"run": {"exponential": "3ms"}}, {"sleep": {"exponential": "2ms"}}]}]})");
    JobFactsRun run(scenario);
    run.go(10s);
    Simulation other(scenario);
    other.go();
    EXPECT_EQ(run.statistics.user, other.statistics.user);
}

TEST(JobParameters, AreRestoredAfterRewind) {
    const auto scenario = std::make_shared<const Scenario>(ideal(kOfTheBook, "2s"));
    RunHistory recording(scenario, job_facts_policy(), {}, {.keyframe_spacing = 5});
    recording.extend_to_end();
    for (const Nanos at : {126ms, 1900ms, 5ms, 85ms, 400ms}) {
        JobFactsRun plain(*scenario);
        plain.go(at);
        Moment moment = recording.beginning();
        recording.state_at(at, moment);
        EXPECT_EQ(moment.machine.hash(), plain.m.hash()) << at.count();
        const TaskId p = moment.machine.first_task() + 1;
        EXPECT_EQ(moment.machine.of_task<JobFactsSpy::ReceivedFacts>(p).facts, plain.facts(1));
        EXPECT_EQ(moment.machine.job[p].release, plain.facts(1).release);
    }
    for (std::size_t i = 0; i + 1 < recording.keyframe_count(); ++i)
        EXPECT_FALSE(recording.check_replay(i).has_value()) << i;
}

TEST(JobParameters, AreSentWhenPolicyChanges) {
    Simulation run(ideal(R"({"name": "a", "start": "1ms", "program": [{"run": "30ms"}]},
                            {"name": "b", "start": "3ms", "program": [{"loop": 2, "steps": [{"run": "20ms"}]}]})"));
    run.go(10ms);
    const JobFactsSpy policy;
    const Engine engine(run.scenario, policy);
    intervene({.kind = Intervention::Kind::policy}, engine.context(run.m, {}));
    const TaskId a = run.task("a"), b = run.task("b");
    EXPECT_EQ(run.m.of_task<JobFactsSpy::ReceivedFacts>(a).facts,
              (JobParameters{1ms, 30ms, 1ms, kHorizon, 0ns, 100}));
    EXPECT_EQ(run.m.of_task<JobFactsSpy::ReceivedFacts>(b).facts,
              (JobParameters{3ms, 40ms, 3ms, kHorizon, 0ns, 100}));
    EXPECT_EQ(run.m.of_task<JobFactsSpy::ReceivedFacts>(b).burst, 20ms);
}

// --- length of a job ---

Nanos length_of(const std::string& program) {
    return ideal(fmt::format(R"({{"name": "a", "program": [{}]}}, {{"name": "b", "program": ["exit"]}})",
                             program))
        .groups[0]
        .length;
}

TEST(JobLength, SumsCpuTimeOfProgram) {
    EXPECT_EQ(length_of(R"({"run": "2ms"}, {"sleep": "9ms"}, {"run": "3ms"})"), 5ms);
    EXPECT_EQ(
        length_of(
            R"({"run": "2ms"}, {"loop": 3, "steps": [{"run": "1ms"}, {"loop": 2, "steps": [{"run": "4ms"}]}]})"),
        29ms);
    EXPECT_EQ(length_of(R"({"run": "2ms"}, "exit", {"run": "3ms"})"), 2ms);
    EXPECT_EQ(length_of(R"({"loop": 5, "steps": [{"run": "2ms"}, "exit"]}, {"run": "3ms"})"), 2ms);
    EXPECT_EQ(length_of(R"({"loop": 0, "steps": [{"run": "2ms"}]}, {"run": "3ms"})"), 3ms);
}

TEST(JobLength, CoversOnePeriodWithTimer) {
    EXPECT_EQ(length_of(R"({"loop": "forever", "steps": [{"run": "2ms"}, {"timer": "9ms"}]})"), 2ms);
    EXPECT_EQ(length_of(R"({"loop": 7, "steps": [{"run": "2ms"}, {"timer": "9ms"}]})"), 2ms);
    EXPECT_EQ(length_of(R"({"loop": 7, "steps": [{"run": "2ms"}, {"timer": "9ms"}]}, {"run": "2ms"})"), 2ms);
    EXPECT_EQ(length_of(R"({"loop": 7, "steps": [{"run": "2ms"}, {"timer": "9ms"}]}, {"run": "3ms"})"), 0ms);
    EXPECT_EQ(
        length_of(R"({"run": "1ms"}, {"loop": "forever", "steps": [{"run": "2ms"}, {"timer": "9ms"}]})"),
        0ms);
    EXPECT_EQ(
        length_of(
            R"({"loop": "forever", "steps": [{"run": "2ms"}, {"timer": "9ms"}, {"run": "3ms"}, {"timer": "9ms"}]})"),
        0ms);
    EXPECT_EQ(
        length_of(
            R"({"run": "1ms"}, {"loop": "forever", "steps": [{"run": "1ms"}, {"timer": "9ms"}, {"run": "1ms"}]})"),
        2ms);
}

TEST(JobLength, IsUnknownForRandomOrEndlessPrograms) {
    EXPECT_EQ(length_of(R"({"run": {"exponential": "2ms"}})"), 0ms);
    EXPECT_EQ(length_of(R"({"loop": "forever", "steps": [{"run": "2ms"}]})"), 0ms);
    EXPECT_EQ(length_of(R"({"run": "2ms"}, {"exec": "b"})"), 0ms);
    EXPECT_EQ(length_of(R"({"loop": 4000000000, "steps": [{"run": "1000s"}]})"), 0ms);
    EXPECT_EQ(length_of(R"({"run": "70h"}, {"run": "70h"})"), 0ms);
}

}  // namespace timer_test
}  // namespace sim
