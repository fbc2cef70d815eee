// Tests of a trace of a real machine in the window: its import is a scenario like any other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/policies/policies.h"
#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/scenario/recorded_run.h"
#include "tests/support/emit_run.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_sizes.h"
#include "ui/control/control.h"
#include "ui/panels/panel.h"
#include "ui/view/model.h"
#include "ui/view/recorded.h"
#include "ui/view/run_trace_comparison.h"

namespace ui {
namespace ui_trace_test {

const std::string kRecording = SWITCHYARD_SOURCE_DIR "/tests/recordings/three-on-one-cpu.txt";

TEST(OpenedTrace, MatchesImportedScenario) {
    const InsideScratchFolder folder;
    Control control;
    control.set_wait_without_limit(true);
    ASSERT_TRUE(control.open(kRecording)) << control.model().error;
    const Model& model = control.model();
    EXPECT_EQ(model.scenario_name, "three-on-one-cpu");
    EXPECT_EQ(control.source_text().text, sim::trace_io::read_recorded_run({kRecording}, {})->scenario);
    EXPECT_EQ(model.a->policy().spec(), "linux-6.6");
    EXPECT_EQ(model.message.rfind("three-on-one-cpu.txt: a trace of 13 tasks on 2 CPUs, 334 switches in ", 0),
              0u)
        << model.message;
    EXPECT_NE(model.message.find("Note: 5 times a task appeared on CPU 1 without a recorded start"),
              std::string::npos)
        << model.message;
    EXPECT_NE(model.message.find("; `switchyard import` prints 3 more "
                                 "notes"),
              std::string::npos)
        << model.message;
    control.reload();
    EXPECT_NE(model.message.find("was made from a trace: there is no file to reload."), std::string::npos)
        << model.message;

    // The import runs under other policies, and can be changed and saved. After it has been saved, it can
    // be reloaded like any file.
    control.set_policy("linux-2.0");
    EXPECT_EQ(model.a->policy().spec(), "linux-2.0");
    control.set_value("/tasks/0/nice", "5");
    EXPECT_EQ(model.error, "");
    EXPECT_EQ(control.save_as("mine.json", false).outcome, SaveResult::Outcome::saved);
    EXPECT_NE(control.file(), "");
    EXPECT_EQ(sim::load_scenario("./mine.json").policy, "linux-2.0");
    control.reload();
    EXPECT_EQ(model.message.rfind("Reloaded ", 0), 0u) << model.message;
}

TEST(OpenedTrace, UsesGivenPolicy) {
    Control control;
    ASSERT_TRUE(control.open(kRecording, "linux-2.4.22")) << control.model().error;
    EXPECT_EQ(control.model().a->policy().spec(), "linux-2.4.22");
}

TEST(OpenedTrace, WorkloadOfRtAppIsOpened) {
    const InsideScratchFolder folder;
    Control control;
    ASSERT_TRUE(control.open(SWITCHYARD_SOURCE_DIR "/tests/recordings/foreign/rtapp_in_window.json"))
        << control.model().error;
    EXPECT_EQ(control.model().scenario_name, "rtapp_in_window");
    EXPECT_EQ(control.model().message, "rtapp_in_window.json: an rt-app workload with 1 task group.");
    control.reload();
    EXPECT_NE(control.model().message.find("was made from a workload: there is no file to reload."),
              std::string::npos)
        << control.model().message;
    EXPECT_EQ(control.save_as("mine.json", false).outcome, SaveResult::Outcome::saved);
}

TEST(OpenedTrace, PageWithLargeViewerIsOpened) {
    Control control;
    ASSERT_TRUE(control.open(SWITCHYARD_SOURCE_DIR "/tests/recordings/foreign/systrace_viewer_first.html"))
        << control.model().error;
    EXPECT_EQ(control.model().message,
              "systrace_viewer_first.html: a trace of 2 tasks on 1 CPU, 3 switches in 5.00 ms.");
}

TEST(OpenedTrace, InvalidTraceKeepsOpenScenario) {
    const ScratchFolder folder;
    Control control;
    ASSERT_TRUE(control.open("two-hogs"));
    const std::string torn =
        folder.write("torn.txt", "bash-1 [000] d... 1.000000: sched_switch: prev_comm=\n");
    EXPECT_FALSE(control.open(torn));
    EXPECT_EQ(control.model().error.rfind(torn + ":", 0), 0u) << control.model().error;
    EXPECT_EQ(control.model().scenario_name, "two-hogs");
}

TEST(OpenedTrace, LargeTraceIsAnnouncedBeforeReading) {
    const ScratchFolder folder;
    Control control;
    ASSERT_TRUE(control.open("two-hogs"));
    // A prefix of the file is read, and the rest is rejected.
    const std::string large = folder.write("large.txt", std::string(std::size_t{17} << 20, '\n'));
    control.open_soon(large);
    EXPECT_EQ(control.model().message,
              "Reading " + large + ", 17 MB: the window does not respond until the file is read.");
    EXPECT_EQ(control.model().error, "");
    const Deadline now = Deadline::clock::now();
    EXPECT_TRUE(control.work(now)) << "a frame in which it is seen";
    EXPECT_EQ(control.model().error, "");
    for (int frame = 0; frame < 3; ++frame) control.work(now);
    EXPECT_EQ(control.model().error.rfind(large + ":", 0), 0u) << control.model().error;
    EXPECT_EQ(control.model().scenario_name, "two-hogs");

    control.open_soon(kRecording);
    EXPECT_EQ(control.model().scenario_name, "three-on-one-cpu") << "this one is small";
}

// Opens the trace and keeps each task on its recorded CPUs, because the machine was kept busy on one CPU.
void open_as_recorded(Control& control, const std::string& policy = "") {
    control.set_wait_without_limit(true);
    control.set_import_options({.keeps_cpus = true});
    ASSERT_TRUE(control.open(kRecording, policy)) << control.model().error;
    while (control.work(Deadline::max())) {
    }
    ASSERT_TRUE(control.model().trace_comparison->is_complete());
}

TEST(RecordedLanes, CoverEachCpuWithoutGaps) {
    const RecordedTrace recorded(sim::trace_io::read_recorded_run({kRecording}, {}));
    const sim::trace_io::WaitAnalyzer& waits = recorded.run().waits;
    ASSERT_EQ(recorded.cpus(), 2u);
    std::vector<sim::Nanos> ran(waits.identities().size());
    for (std::size_t c = 0; c < recorded.cpus(); ++c) {
        const std::span<const RecordedSlice> slices = recorded.slices(c);
        ASSERT_FALSE(slices.empty());
        sim::Nanos at{}, busy{};
        for (const RecordedSlice& s : slices) {
            EXPECT_EQ(s.begin, at) << "there is no gap";
            EXPECT_LT(s.begin, s.end);
            EXPECT_EQ(recorded.task_at(c, s.begin), s.task);
            EXPECT_EQ(recorded.task_at(c, s.end - sim::Nanos{1}), s.task);
            at = s.end;
            if (s.task < 0) continue;
            busy += s.end - s.begin;
            ran[static_cast<std::size_t>(s.task)] += s.end - s.begin;
        }
        EXPECT_EQ(at, waits.duration());
        TimesByTask owners;
        EXPECT_EQ(recorded.busy_time(c, 0, slices.size() - 1, &owners), busy);
    }
    for (std::size_t n = 0; n < ran.size(); ++n)
        EXPECT_EQ(ran[n], waits.waits_of(static_cast<int>(n)).ran) << waits.identities()[n].name;
}

TEST(RecordedLanes, AppearInTimelineText) {
    Control control;
    open_as_recorded(control);
    control.navigator().seek(sim::Nanos{30'000'000});
    control.history().show({sim::Nanos{30'000'000}, sim::Nanos{40'000'000}});
    const std::string text = find_panel("timeline")->text(control.model(), control.view());
    EXPECT_NE(text.find("recorded: no task on CPU 0, usual on CPU 1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nrecorded 1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("A vs. trace: 180 of 311 recorded switches are in the same order (57.9 %), 37 "
                        "mismatches, the first at 0 ms\n"),
              std::string::npos)
        << text;
}

TEST(RecordedLanes, BelongToImportedScenario) {
    const InsideScratchFolder folder;
    Control control;
    open_as_recorded(control);
    const RecordedTrace* const recorded = control.model().recorded;
    control.set_policy("linux-2.0");
    EXPECT_EQ(control.model().recorded, recorded);
    EXPECT_FALSE(control.model().trace_comparison->is_complete()) << "the run is another one";
    control.set_value("/tasks/0/nice", "5");
    EXPECT_EQ(control.save_as("mine.json", false).outcome, SaveResult::Outcome::saved);
    EXPECT_EQ(control.model().recorded, recorded) << "as a file it has the same tasks";
    ASSERT_TRUE(control.open("two-hogs"));
    EXPECT_EQ(control.model().recorded, nullptr);
    EXPECT_EQ(control.model().trace_comparison, nullptr);
    control.navigator().go_to_next_trace_mismatch(1);
    EXPECT_EQ(control.model().message,
              "This scenario was not made from a trace that is open in this window.");
}

TEST(RecordedLanes, MapToTasksByName) {
    Control control;
    open_as_recorded(control, "linux-2.0");
    const RecordedTrace& recorded = *control.model().recorded;
    const ui::Run& a = *control.model().a;
    std::size_t met = 0;
    for (std::size_t n = 0; n < recorded.run().waits.identities().size(); ++n) {
        const auto task = control.model().trace_comparison->task_of(static_cast<int>(n));
        if (!task) continue;
        ++met;
        // The task may have exited, but its row is not reused: no task forks after the first three.
        const sim::Machine& simulated_end = a.history().simulated_end().machine;
        if (!simulated_end.is_live(*task)) continue;
        const std::string name = a.scenario().task_name(simulated_end, *task);
        EXPECT_EQ(recorded.run().task_index(name), static_cast<int>(n)) << name;
    }
    EXPECT_GE(met, 10u);
    EXPECT_FALSE(control.model().trace_comparison->task_of(-1));
}

// Mismatches equal those of the command line, which also uses WaitAnalyzer.
class SwitchMismatch : public testing::TestWithParam<const char*> {};

TEST_P(SwitchMismatch, MatchesCommandLineResult) {
    Control control;
    open_as_recorded(control, GetParam());
    const RecordedTrace& recorded = *control.model().recorded;
    const RunTraceComparison& beside = *control.model().trace_comparison;
    const ui::Run& a = *control.model().a;
    ASSERT_FALSE(beside.mismatches().empty());
    sim::Nanos before{};
    for (const RunTraceComparison::Mismatch& place : beside.mismatches()) {
        EXPECT_GE(place.time, before);
        before = place.time;
        ASSERT_TRUE(place.mismatch->made || place.mismatch->recorded);
        if (!place.mismatch->made) continue;
        const auto view = a.history().decision_at(place.decision);
        ASSERT_TRUE(view);
        EXPECT_EQ(view->record.time, place.mismatch->made->since);
        EXPECT_EQ(view->record.cpu, place.mismatch->cpu);
        EXPECT_NE(view->record.task, view->record.other);
        if (!place.mismatch->recorded) continue;
        EXPECT_NE(recorded.run().task_index(a.scenario().task_name(view->after, view->record.task)),
                  place.mismatch->recorded->task);
    }
    // Computes the waits as the command does.
    const sim::Scenario s = sim::parse_scenario("recording", recorded.run().scenario);
    const sim::NamedPolicy policy = sim::make_policy(GetParam(), s.cpus);
    sim::trace_io::WaitAnalyzer waits;
    sim::trace_io::emit_run(s, *policy.policy, {.until = s.until.value_or(sim::kHorizon)},
                            {.title = s.title, .cpus = s.cpus, .hz = s.machine.hz}, waits);
    const sim::trace_io::SwitchComparison expected =
        sim::trace_io::compare_switches(recorded.run().waits, waits, recorded.run().task_indices(waits));
    const sim::trace_io::SwitchComparison& found = beside.switch_comparison();
    EXPECT_EQ(found.recorded, expected.recorded);
    EXPECT_EQ(found.made, expected.made);
    EXPECT_EQ(found.same, expected.same);
    ASSERT_EQ(found.mismatches.size(), expected.mismatches.size());
    ASSERT_EQ(beside.mismatches().size(), expected.mismatches.size());
    for (std::size_t i = 0; i < expected.mismatches.size(); ++i) {
        const auto since = [](const std::optional<sim::trace_io::SwitchIn>& had) {
            return had ? had->since : sim::Nanos{-1};
        };
        EXPECT_EQ(found.mismatches[i].cpu, expected.mismatches[i].cpu);
        EXPECT_EQ(found.mismatches[i].number, expected.mismatches[i].number);
        EXPECT_EQ(since(found.mismatches[i].made), since(expected.mismatches[i].made));
        EXPECT_EQ(since(found.mismatches[i].recorded), since(expected.mismatches[i].recorded));
    }
    std::size_t on_cpus = 0;
    for (std::size_t c = 0; c < 2; ++c) on_cpus += beside.mismatches_on(c).size();
    EXPECT_EQ(on_cpus, beside.mismatches().size());
}

TEST_P(SwitchMismatch, NavigationVisitsEachInBothDirections) {
    Control control;
    open_as_recorded(control, GetParam());
    const std::vector<RunTraceComparison::Mismatch>& mismatches =
        control.model().trace_comparison->mismatches();
    const sim::Session& a = control.model().a->session();
    control.navigator().seek_beginning();
    for (const RunTraceComparison::Mismatch& place : mismatches) {
        control.navigator().go_to_next_trace_mismatch(1);
        EXPECT_EQ(control.model().message, control.model().trace_comparison->mismatch_text(place));
        if (place.decision > 0) {
            EXPECT_EQ(a.machine().globals().decisions, place.decision);
        }
    }
    control.navigator().go_to_next_trace_mismatch(1);
    EXPECT_EQ(control.model().message.rfind("No mismatch with the trace after this position. ", 0), 0u)
        << control.model().message;
    for (std::size_t i = mismatches.size() - 1; i-- > 0;) {
        control.navigator().go_to_next_trace_mismatch(-1);
        EXPECT_EQ(control.model().message, control.model().trace_comparison->mismatch_text(mismatches[i]));
    }
    control.navigator().go_to_next_trace_mismatch(-1);
    EXPECT_EQ(control.model().message.rfind("No mismatch with the trace before this position", 0), 0u)
        << control.model().message;
    // The search also works from any other position.
    const RunTraceComparison::Mismatch& middle = mismatches[mismatches.size() / 2];
    control.navigator().seek(middle.time - sim::Nanos{1});
    control.navigator().go_to_next_trace_mismatch(1);
    EXPECT_EQ(a.now(), middle.time);
    control.navigator().seek(middle.time);
    control.navigator().go_to_next_trace_mismatch(-1);
    EXPECT_LT(a.now(), middle.time);
    // A click on a mismatch marker moves to its decision.
    ASSERT_GT(middle.decision, 0u);
    control.navigator().seek(sim::StepEventKind::decision, middle.decision);
    control.navigator().go_to_next_trace_mismatch(-1);
    EXPECT_EQ(control.model().message,
              control.model().trace_comparison->mismatch_text(mismatches[mismatches.size() / 2 - 1]));
    control.navigator().seek(sim::StepEventKind::decision, middle.decision);
    control.navigator().go_to_next_trace_mismatch(1);
    EXPECT_EQ(control.model().message,
              control.model().trace_comparison->mismatch_text(mismatches[mismatches.size() / 2 + 1]));
}

INSTANTIATE_TEST_SUITE_P(Under, SwitchMismatch, testing::Values("linux-6.6", "linux-2.0"),
                         [](const auto& one) {
                             std::string name = one.param;
                             for (char& c : name)
                                 if (c == '-' || c == '.') c = '_';
                             return name;
                         });

// The trace is longer than one action simulates. The search continues when the missing part has been
// simulated.
TEST(MismatchSearch, WaitsForSimulation) {
    const ScratchFolder folder;
    std::string text;
    const char* const names[] = {"a", "b", "c"};
    for (int i = 0; i < (kOptimised ? 90'000 : 9'000); ++i)
        text += fmt::format(
            "{0}-{1} [000] d... {4}.{5:06}: sched_switch: prev_comm={0} prev_pid={1} prev_prio=120 "
            "prev_state=R "
            "==> next_comm={2} next_pid={3} next_prio=120\n",
            names[i % 3], 101 + i % 3, names[(i + 1) % 3], 101 + (i + 1) % 3, 1 + i / 5'000, i % 5'000 * 200);
    Control control;
    ASSERT_TRUE(control.open(folder.write("long.txt", text), "rr:quantum=1")) << control.model().error;
    EXPECT_LT(control.model().trace_comparison->progress(), 1);
    control.navigator().go_to_next_trace_mismatch(1);
    const bool waited = control.model().message.rfind("Going to the mismatch", 0) == 0;
    EXPECT_EQ(waited, !control.model().trace_comparison->is_complete()) << control.model().message;
    for (double before = 0; control.work(Deadline::clock::now() + std::chrono::milliseconds(5));) {
        EXPECT_GE(control.model().trace_comparison->progress(), before);
        before = control.model().trace_comparison->progress();
    }
    EXPECT_TRUE(control.model().trace_comparison->is_complete());
    EXPECT_EQ(control.model().trace_comparison->progress(), 1);
    EXPECT_EQ(control.model().message.rfind("recorded: ", 0), 0u) << control.model().message;
}

}  // namespace ui_trace_test
}  // namespace ui
