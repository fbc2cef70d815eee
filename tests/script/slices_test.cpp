// Tests of slices in scripts: a CPU timer ends them, so they can have any length, independent of the tick.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/check/policy_driver.h"
#include "sim/scenario/builtin_files.h"
#include "tests/support/random_scenario.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/simulation.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace slices_test {

std::string job(const std::string& name, const std::string& program, const std::string& start = "0ms") {
    return R"({"name": ")" + name + R"(", "start": ")" + start + R"(", "program": [)" + program + "]}";
}
std::string run(const std::string& time) { return R"({"run": ")" + time + R"("})"; }

// Writes a policy file with this text and returns its path.
std::string file_of(const ScratchFolder& folder, const std::string& text) {
    const std::string path = (folder.path() / "my.lua").string();
    std::ofstream(path) << text;
    return path;
}

TEST(Slices, StartWithTaskInsteadOfTick) {
    for (const int hz : {100, 1000}) {
        Simulation s(
            small_scenario(job("A", run("500us")) + "," + job("B", run("2ms")) + "," + job("C", run("2ms")),
                           {.hz = hz}),
            "rr:quantum=2");
        s.go(1s);
        const auto tasks = s.tasks();
        EXPECT_EQ(tasks[s.m.first_task() + 1].ready, 500us) << "B, at hz " << hz;
        EXPECT_EQ(tasks[s.m.first_task() + 2].ready, 2500us) << "C, at hz " << hz;
        EXPECT_EQ(s.decisions(), "0 idle>A, 500000 A>B, 2500000 B>C, 4500000 C>idle") << hz;
    }
}

TEST(Slices, ExitAtSliceEndIsVoluntary) {
    Simulation s(small_scenario(job("A", run("2ms")) + "," + job("B", run("1ms"))), "rr:quantum=2");
    s.go(1s);
    EXPECT_EQ(s.decisions(), "0 idle>A, 2000000 A>B, 3000000 B>idle");
    EXPECT_EQ(s.tasks()[s.m.first_task()].involuntary, 0U);
}

TEST(Slices, SliceEndPrecedesNextBurst) {
    Simulation s(small_scenario(job("A", run("2ms") + "," + run("1ms")) + "," + job("B", run("1ms"))),
                 "rr:quantum=2");
    s.go(1s);
    EXPECT_EQ(s.decisions(), "0 idle>A, 2000000 A>B, 3000000 B>A, 4000000 A>idle");
}

TEST(Slices, SimultaneousArrivalPrecedesSliceEnd) {
    const std::string tasks = job("A", run("4ms")) + "," + job("B", run("1ms"), "2ms");
    Simulation stallings(small_scenario(tasks), "rr:quantum=2");
    stallings.go(1s);
    EXPECT_EQ(stallings.decisions(), "0 idle>A, 2000000 A>B, 3000000 B>A, 5000000 A>idle");
    Simulation ostep(small_scenario(tasks), "rr:quantum=2,newcomer=last");
    ostep.go(1s);
    EXPECT_EQ(ostep.decisions(), "0 idle>A, 2000000 A>A, 4000000 A>B, 5000000 B>idle");
}

TEST(Slices, SliceEndFunctionCanRenewSlice) {
    const ScratchFolder folder;
    const std::string file =
        file_of(folder,
                "fields { ended = 0 }\n"
                "function enqueue(p)\n    p.slice = 1 * ms\n    ready:add_last(p)\nend\n"
                "function slice_end(p)\n    assert(p.slice == 0)\n    p.ended = p.ended + 1\n"
                "    p.slice = 3 * ms\n    return p.ended == 2\nend\n");
    Simulation s(small_scenario(job("A", run("6ms")) + "," + job("B", run("1ms"))), file);
    s.go(1s);
    EXPECT_EQ(s.decisions(), "0 idle>A, 4000000 A>B, 5000000 B>A, 7000000 A>idle");
}

TEST(Slices, ZeroSliceHasNoEnd) {
    const ScratchFolder folder;
    const std::string file = file_of(folder, "function tick(p)\n    assert(p.slice == 0)\nend\n");
    Simulation s(small_scenario(job("A", run("60ms")) + "," + job("B", run("1ms")), {.hz = 100}), file);
    s.go(1s);
    EXPECT_EQ(s.decisions(), "0 idle>A, 60000000 A>B, 61000000 B>idle");
}

TEST(Slices, TickFunctionCanShortenRunningSlice) {
    const ScratchFolder folder;
    const std::string file =
        file_of(folder,
                "function enqueue(p)\n    p.slice = 50 * ms\n    ready:add_last(p)\nend\n"
                "function tick(p)\n    assert(p.slice == 50 * ms - p.ran)\n    p.slice = 7 * ms\nend\n");
    Simulation s(small_scenario(job("A", run("30ms")) + "," + job("B", run("1ms")), {.hz = 100}), file);
    s.go(20ms);
    EXPECT_EQ(s.decisions(), "0 idle>A, 17000000 A>B, 18000000 B>A");
}

TEST(Slices, TimerInterruptCostsTime) {
    Simulation s(small_scenario(job("A", run("3ms")) + "," + job("B", run("1ms")),
                                {.costs = R"("timer_interrupt": "10us")"}),
                 "rr:quantum=2");
    s.go(500ms);
    EXPECT_EQ(s.decisions(), "0 idle>A, 2010000 A>B, 3010000 B>A, 4010000 A>idle");
}

// Time is conserved, no task is lost, and no end of a slice is missed.
TEST(Slices, RandomScenariosKeepInvariants) {
    const std::uint64_t scenarios = rounds(30, 10, 3);
    for (const char* policy :
         {"rr:quantum=3", "feedback:quantum=2,doubling=yes", "mlfq:quantum=2/3/4,boost=35",
          "stride:quantum=7", "priority:quantum=5,preempted=head"})
        for (std::uint64_t seed = 1; seed <= scenarios; ++seed) {
            Simulation s(random_scenario(seed), policy);
            for (Nanos until = 7ms; until < 200ms && !s.m.globals().is_stopped; until += 7ms) s.go(until);
            EXPECT_EQ(s.policy.policy->failure(), nullptr) << policy << " in random scenario " << seed;
        }
}

TEST(Slices, PolicyChangeKeepsInvariants) {
    const Scenario scenario = small_scenario(
        job("A", R"({"loop": "forever", "steps": [{"run": "9ms"}]})") + "," + job("B", run("90ms")),
        {.hz = 100});
    for (const auto& [from, to] : {std::pair{"rr:quantum=3", "linux-2.0"}, {"linux-2.0", "rr:quantum=3"}}) {
        Simulation s(scenario, from);
        s.go(4ms);
        const NamedPolicy next = make_policy(to);
        const Engine engine(s.scenario, *next.policy);
        intervene({.kind = Intervention::Kind::policy, .policy = to}, engine.context(s.m, s.sinks()));
        ++s.m.globals().interventions;
        EXPECT_EQ(check_invariants(s.m, s.scenario, *next.policy, &s.statistics), "") << from << " to " << to;
        EXPECT_EQ(engine.run(s.m, {.until = 90ms}, s.sinks()), StopReason::until);
        std::vector<Nanos> switches;
        for (const TraceRecord& r : s.trace.records)
            if (r.kind == TraceKind::schedule && r.task != r.other && r.time > 4ms)
                switches.push_back(r.time);
        if (next.policy->has_slices()) {
            EXPECT_GT(switches.size(), 20u) << "3 ms for each task, up to 90 ms";
            for (std::size_t i = 1; i < switches.size(); ++i) EXPECT_EQ(switches[i] - switches[i - 1], 3ms);
        } else {
            EXPECT_LT(switches.size(), 5u) << "no slices of 3 ms any more";
        }
        EXPECT_EQ(check_invariants(s.m, s.scenario, *next.policy, &s.statistics), "") << from << " to " << to;
    }
}

TEST(Slices, DriverEndsSliceWhenUsedUp) {
    const NamedPolicy rr = make_policy("rr:quantum=20");
    PolicyDriver d(*rr.policy, 2);
    d.add({.name = "A"});
    d.add({.name = "B"});
    d.schedule();
    d.advance_clock(10ms);
    EXPECT_FALSE(d.tick());
    d.advance_clock(10ms);
    EXPECT_TRUE(d.tick());
    EXPECT_EQ(d.name(d.current()), "B");
    d.advance_clock(19ms);
    EXPECT_FALSE(d.end_slice_if_over());
    d.advance_clock(1ms);
    EXPECT_TRUE(d.end_slice_if_over());
    EXPECT_EQ(d.name(d.current()), "A");
}

TEST(Slices, ForkedTaskRunsStartWithoutForkFunction) {
    Simulation s(small_scenario(R"({"name": "A", "program": [{"fork": "B"}, {"run": "1ms"}]},
                                  {"name": "B", "count": 0, "program": [{"run": "1ms"}]})"),
                 "mlfq");
    s.go(1s);
    EXPECT_EQ(s.policy.policy->failure(), nullptr);
    EXPECT_EQ(s.m.globals().nr_tasks, 0U);
    const ScratchFolder folder;
    Simulation started(s.scenario, file_of(folder,
                                           "fields { started = 0 }\n"
                                           "function start(p)\n    p.started = p.started + 1\nend\n"
                                           "function enqueue(p)\n    assert(p.started == 1)\n"
                                           "    ready:add_last(p)\nend\n"));
    started.go(1s);
    EXPECT_EQ(started.policy.policy->failure(), nullptr);
    EXPECT_EQ(started.m.globals().nr_tasks, 0U);
    EXPECT_EQ(started.statistics.forks, 1u);
}

}  // namespace slices_test
}  // namespace sim
