// Emits runs as trace events: they add up to the run's statistics in every scenario.
#include "sim/trace_io/export/run_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/core/statistics.h"
#include "sim/core/summary.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/emit_run.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace run_events_test {

using namespace trace_io;

// Sums up the events and checks that they are consistent.
class EventTotals final : public EventSink {
  public:
    void begin(const RunInfo& info) override {
        ++begins;
        current.assign(info.cpus, kIdleThread);
        since.assign(info.cpus, info.begin);
        depth.assign(info.cpus, 0);
        last = info.begin;
    }
    void event(const SchedEvent& e, const Threads& threads) override {
        ASSERT_GE(e.time, last);
        last = e.time;
        ASSERT_EQ(e.current, current[e.cpu]) << to_string(e.kind) << " at " << e.time.count();
        switch (e.kind) {
            case EventKind::sched_switch:
                if (e.current != kIdleThread) had[threads[e.current].pid] += e.time - since[e.cpu];
                ++switches[e.current == kIdleThread ? "from idle" : prev_state_text(e.state)];
                current[e.cpu] = e.thread;
                since[e.cpu] = e.time;
                break;
            case EventKind::work_begin:
                ++depth[e.cpu];
                break;
            case EventKind::work_end:
                ASSERT_GT(depth[e.cpu]--, 0);
                break;
            case EventKind::queue_length:
                queue_length = e.value;
                break;
            default:
                ++others[to_string(e.kind)];
        }
    }
    void end(Nanos now) override {
        end_at = now;
        for (const ThreadId t : current) EXPECT_EQ(t, kIdleThread);
        for (const int d : depth) EXPECT_EQ(d, 0);
    }

    int begins = 0;
    std::vector<ThreadId> current;
    std::vector<Nanos> since;
    std::vector<int> depth;
    std::map<std::int32_t, Nanos> had;  // by pid
    std::map<std::string, std::uint64_t> switches, others;
    std::int64_t queue_length = 0;
    Nanos last{}, end_at{-1};
};

// A run of a built-in scenario under its own policy, within the limits, with the sums of its events.
struct RunWithEvents {
    RunWithEvents(const std::string& name, std::uint64_t switches, Nanos from = {}, Nanos until = kHorizon)
        : scenario(load_scenario(name)),
          policy(make_policy(scenario.policy, scenario.cpus)),
          statistics(with_policy_state_size(*policy.policy, scenario.shape)),
          m(emit_run(scenario, *policy.policy,
                     {.until = std::min(until, scenario.until.value_or(kHorizon)), .switches = switches},
                     {.title = "t", .cpus = scenario.cpus, .begin = from}, sums, &statistics)) {}

    Scenario scenario;
    NamedPolicy policy;
    EventTotals sums{};
    Statistics statistics;
    Machine m;
};

class RunEventsOf : public testing::TestWithParam<std::string> {};

TEST_P(RunEventsOf, AddUpToTheStatistics) {
    RunWithEvents run(GetParam(), rounds(3000U, 1000U, 500U));
    if (HasFatalFailure()) return;
    EventTotals& sums = run.sums;
    const Statistics& s = run.statistics;
    const Machine& m = run.m;
    EXPECT_EQ(sums.begins, 1);
    EXPECT_EQ(sums.end_at, m.globals().now);
    // At the end of the run, each running task is switched out.
    std::uint64_t taken = 0;
    for (CpuId c = 0; c < m.shape().cpus; ++c) taken += m.is_idle_task(m.cpu(c).current) ? 0 : 1;
    EXPECT_EQ(sums.switches["S"] + sums.switches["D"] + sums.switches["X"], s.switches.voluntary);
    EXPECT_EQ(sums.switches["R"] + sums.switches["R+"], s.switches.involuntary + taken);
    EXPECT_EQ(sums.switches["R"], s.yields_switched);
    EXPECT_EQ(sums.switches["from idle"], s.switches.from_idle);
    EXPECT_EQ(sums.switches["X"], s.exit_switches);
    EXPECT_EQ(sums.others["sched_yield"], s.yields);
    EXPECT_EQ(sums.others["sched_process_fork"], s.forks);
    EXPECT_EQ(sums.queue_length, m.globals().nr_running);
    Nanos had{};
    for (const auto& [pid, time] : sums.had) had += time;
    // All time that is not idle is attributed to a task, except the overhead before the idle task runs.
    const TimeParts time = elapsed_time_parts(run.scenario, s, m);
    EXPECT_LE(had, time.user + time.overhead.total());
    EXPECT_GE(had, time.user);
}

TEST_P(RunEventsOf, HalvesAddUpToWholeRun) {
    const RunWithEvents whole(GetParam(), 400);
    const EventTotals& all = whole.sums;
    const Nanos middle = all.end_at / 2;
    RunWithEvents second(GetParam(), 400, middle), first(GetParam(), ~std::uint64_t{0}, {}, middle);
    EventTotals &later = second.sums, &earlier = first.sums;
    if (HasFatalFailure()) return;
    for (const auto& [pid, time] : all.had) EXPECT_EQ(time, earlier.had[pid] + later.had[pid]) << pid;
    for (const auto& [kind, count] : all.others)
        EXPECT_EQ(count, earlier.others[kind] + later.others[kind]) << kind;
}

INSTANTIATE_TEST_SUITE_P(Gallery, RunEventsOf, testing::ValuesIn(builtin_file_names("")), name_of_parameter);

}  // namespace run_events_test
}  // namespace sim
