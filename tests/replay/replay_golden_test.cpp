// Golden values of the data for views: all slices and samples from the start of each scenario. The other
// tests compare such data with the run over a longer time, but do not compare every number.
#include <random>
#include <string>

#include "sim/replay/difference.h"
#include "sim/replay/range_samples.h"
#include "sim/replay/range_statistics.h"
#include "sim/replay/timeline.h"
#include "tests/support/golden_table.h"
#include "tests/support/recorded.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace replay_golden_test {

std::string text_of(const Timeline& t, const Scenario& scenario) {
    std::string text = fmt::format("{} {} {}\n", t.begin.count(), t.end.count(), t.first_decision);
    for (const std::vector<CpuSlice>& slices : t.cpus)
        for (const CpuSlice& s : slices)
            text += fmt::format("{} {} {} {} {} {} {} {} {}\n", s.begin.count(), s.end.count(), s.task,
                                to_string(s.activity), s.record, s.mm, s.borrowed,
                                t.name(scenario, s.task, s.begin), t.mm_name(scenario, s.mm, s.begin));
    for (const std::vector<TaskSlice>& slices : t.tasks)
        for (const TaskSlice& s : slices)
            text += fmt::format("{} {} {} {} {} {}\n", s.begin.count(), s.end.count(), to_string(s.activity),
                                s.cpu, s.channel, s.record);
    for (const TimelineMarker& mark : t.marks) text += fmt::format("{} {}\n", mark.time.count(), mark.record);
    for (const RunnableCount& count : t.runnable_counts)
        text += fmt::format("{} {}\n", count.time.count(), count.runnable);
    for (const std::uint64_t number : t.decision_numbers) text += fmt::format("{} ", number);
    return text;
}

std::string text_of(const Sample& s) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n",
                       s.time.count(), s.parts.user.count(), s.parts.idle.count(),
                       s.parts.overhead.total().count(), s.events, s.decisions, s.switches, s.voluntary,
                       s.involuntary, s.yields, s.yields_switched, s.ticks, s.timer_wake_ups, s.syscalls,
                       s.device_interrupts, s.timer_interrupts, s.ipis, s.considered, s.recalculations,
                       s.recalculated, s.queue_sum, s.longest, s.nr_running, s.nr_tasks);
}

std::string text_of(const Overview::TaskTableSample& row) {
    std::string text = fmt::format("{}:", row.time.count());
    for (const TaskSample& s : row.tasks)
        text += fmt::format(" {}/{}/{}", s.user.count(), s.system.count(), s.ready.count());
    return text + "\n";
}

template <class View>
std::string samples_of(const View& view) {
    std::string text;
    for (const Sample& sample : view.samples()) text += text_of(sample);
    for (const Overview::TaskTableSample& row : view.task_samples()) text += text_of(row);
    return text;
}

std::string text_of(const SpanHistogram& h) {
    std::string text =
        fmt::format("{} {} {} {}", h.count(), h.sum().count(), h.min_span().count(), h.max_span().count());
    for (const double percent : {1.0, 25.0, 50.0, 90.0, 99.0, 100.0})
        text += fmt::format(" {}", h.percentile(percent).count());
    return text + "\n";
}

std::string window(const RunHistory& history, Nanos begin, Nanos end) {
    std::string text;
    if (const auto timeline = make_timeline(history, begin, end, 10'000))
        text += text_of(*timeline, history.scenario());
    RangeSamples zoom(history, begin, end, 20);
    while (zoom.advance(100)) {
    }
    text += samples_of(zoom);
    RangeStatistics range(history, begin, end);
    while (range.advance(100)) {
    }
    text += text_of(range.before()) + text_of(range.after()) + text_of(range.schedule) +
            text_of(range.stretch) + text_of(range.readiness);
    for (const Nanos user : range.user) text += fmt::format("{} ", user.count());
    return text;
}

class GoldenViews : public testing::TestWithParam<std::string> {};

TEST_P(GoldenViews, MatchHashTable) {
    const Scenario scenario = load_scenario(GetParam());
    const auto names = builtin_file_names("");
    const auto turn = std::find(names.begin(), names.end(), GetParam()) - names.begin();
    if (!kOptimised && (turn % 3 != 0 || scenario.shape.tasks > 100))
        GTEST_SKIP() << "takes long in a build that is not optimised";
    std::string text;
    std::shared_ptr<const RunHistory> first;
    for (const char* spec : {"linux-2.0", "linux-2.4.22"}) {
        const NamedPolicy policy = make_policy(spec);
        const auto shared = std::make_shared<const Scenario>(
            shortened(scenario, make_policy("linux-2.0"), scale_by_task_count(600, scenario)));
        const auto history = std::make_shared<RunHistory>(shared, policy, std::vector<Intervention>{},
                                                          RecordingLimits{.keyframe_spacing = 50});
        history->extend_to_end();
        text += fmt::format("{} {}\n", spec, history->keyframe_count()) + samples_of(history->overview());
        const Nanos simulated_end = history->simulated_end().machine.globals().now;
        std::mt19937_64 random(1);
        for (int i = 0; i < 4; ++i) {
            const auto somewhere = [&] {
                return Nanos(static_cast<std::int64_t>(
                    random() % (static_cast<std::uint64_t>(simulated_end.count()) + 2)));
            };
            const Nanos a = somewhere(), b = somewhere();
            text += window(*history, std::min(a, b), std::max(a, b) + 1ns);
        }
        if (first) {
            const DifferenceSearchResult d = find_difference(*first, *history, 1, 100'000);
            text += fmt::format("{} {} {}\n", d.decision.value_or(0), d.next, d.over);
        }
        first = history;
    }
    GoldenTable("view_hashes.txt").expect(GetParam(), text);
}

INSTANTIATE_TEST_SUITE_P(Gallery, GoldenViews, testing::ValuesIn(builtin_file_names("")), name_of_parameter);

TEST(GoldenViewTable, HasEachScenario) {
    GoldenTable("view_hashes.txt").expect_names(builtin_file_names(""));
}

}  // namespace replay_golden_test
}  // namespace sim
