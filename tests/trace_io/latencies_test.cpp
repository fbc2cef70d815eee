// Wait times measured during a run equal those computed from its events.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/core/engine.h"
#include "sim/core/policy.h"
#include "sim/lab/latencies.h"
#include "sim/lab/measure.h"
#include "sim/lab/values.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/export/run_events.h"
#include "sim/trace_io/wait_analyzer.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace latencies_test {

std::string in_words(const SpanHistogram& spans) {
    return fmt::format("{} of {} ns, {} {} {}", spans.count(), spans.sum().count(),
                       spans.percentile(50).count(), spans.percentile(99).count(), spans.max_span().count());
}

class LatenciesOf : public testing::TestWithParam<std::string> {};

TEST_P(LatenciesOf, MatchWaitsFromEvents) {
    const Scenario scenario = load_scenario(GetParam());
    const NamedPolicy policy = make_policy(scenario.policy, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    lab::Latencies latencies(scenario, m);
    trace_io::WaitAnalyzer waits;
    trace_io::RunToEventConverter events(scenario, m, {.cpus = scenario.cpus}, waits);
    Trace trace;
    const std::uint64_t switches = rounds(20'000u, 5'000u, 1'000u);
    engine.run(m, {.until = scenario.until.value_or(kHorizon), .switches = switches, .events = 20 * switches},
               {.trace = &trace});
    for (const TraceRecord& record : trace.records) {
        latencies.add_record(record);
        events.add_record(record);
    }
    events.finish(m.globals().now);
    EXPECT_EQ(in_words(latencies.all().waits), in_words(waits.waits_of_all_tasks().waits));
    EXPECT_EQ(in_words(latencies.all().wakeups), in_words(waits.waits_of_all_tasks().latency));
    EXPECT_GT(latencies.all().waits.count(), 0u);
    const lab::UnfinishedWaits waiting = total(latencies.unfinished_waits(m.globals().now));
    EXPECT_EQ(waiting.count, waits.waits_of_all_tasks().unfinished.count);
    EXPECT_EQ(waiting.sum, waits.waits_of_all_tasks().unfinished.sum);

    // Compares the waits of a task group with those of its task, if the group has a single task that exists
    // for the entire run.
    std::size_t compared = 0;
    for (std::size_t i = 0; i < scenario.groups.size(); ++i) {
        const auto is_it = [&](const trace_io::WaitAnalyzer::TaskIdentity& task) {
            return task.name == scenario.groups[i].name;
        };
        const auto task = std::find_if(waits.identities().begin(), waits.identities().end(), is_it);
        if (task == waits.identities().end() || task->life > 0) continue;
        const trace_io::TaskWaits& of = waits.waits_of(static_cast<int>(task - waits.identities().begin()));
        EXPECT_EQ(in_words(latencies.by_group()[i].waits), in_words(of.waits)) << task->name;
        EXPECT_EQ(in_words(latencies.by_group()[i].wakeups), in_words(of.latency)) << task->name;
        ++compared;
    }
    if (GetParam() == "interactive-vs-hog") {
        EXPECT_EQ(compared, 2u);
    }

    // The measures of sweeps find these values in the JSON summary.
    nlohmann::ordered_json summary{{"latency", to_json(latencies, scenario, m.globals().now)}};
    EXPECT_EQ(value_of(lab::find_measure("wait-p99"), summary),
              static_cast<double>(latencies.all().waits.percentile(99).count()) * 1e-3);
    for (std::size_t i = 0; i < scenario.groups.size(); ++i) {
        const lab::Measure measure = lab::find_measure("wakeup-latency-max@" + scenario.groups[i].name);
        EXPECT_NO_THROW(check_task_group(measure, scenario));
        const SpanHistogram& spans = latencies.by_group()[i].wakeups;
        EXPECT_EQ(value_of(measure, summary).has_value(), spans.count() > 0) << measure.name;
        if (spans.count() > 0) {
            EXPECT_EQ(*value_of(measure, summary), static_cast<double>(spans.max_span().count()) * 1e-3);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Gallery, LatenciesOf, testing::ValuesIn(builtin_file_names("")), name_of_parameter);

TEST(LatencyMeasures, UnknownMeasureOrGroupIsRefused) {
    const Scenario scenario = load_scenario("interactive-vs-hog");
    EXPECT_THROW(lab::find_measure("switches@hog"), lab::LabError);
    EXPECT_THROW(lab::find_measure("wait-p98"), lab::LabError);
    EXPECT_THROW(lab::find_measure("wait-p98@hog"), lab::LabError);
    EXPECT_THROW(check_task_group(lab::find_measure("wait-p50@hug"), scenario), lab::LabError);
    EXPECT_THROW(check_task_group(lab::find_measure("/latency/entries/hug/wait/p50_ns"), scenario),
                 lab::LabError);
    EXPECT_NO_THROW(check_task_group(lab::find_measure("/latency/entries/hog/wait/p50_ns:/ticks"), scenario));
    EXPECT_NO_THROW(check_task_group(lab::find_measure("/latency/all/wait/p50_ns"), scenario));
    EXPECT_FALSE(needs_latency(lab::find_measure("switches")));
    EXPECT_TRUE(needs_latency(lab::find_measure("/switches/total:/latency/all/wait/count")));
    EXPECT_EQ(lab::find_measure("wait-p50@a/b~c@d").of.front(), "/latency/entries/a~1b~0c@d/wait/p50_ns");
}

}  // namespace latencies_test
}  // namespace sim
