// Tests of exports from the window: they contain the same bytes as an export without a window, and are
// written atomically.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/base/atomic_file.h"
#include "sim/policies/policies.h"
#include "sim/scenario/builtin_files.h"
#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/scenario/recorded_run.h"
#include "tests/support/emit_run.h"
#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"
#include "ui/control/control.h"

namespace ui {
namespace ui_export_test {

namespace fs = std::filesystem;

const sim::trace_io::ExportFormat& format_of(const std::string& name) {
    for (const sim::trace_io::ExportFormat& format : sim::trace_io::export_formats())
        if (name == format.name) return format;
    throw std::logic_error(name);
}

// The expected file: the run repeated from its start without a window.
std::string expected(const std::string& scenario, const std::string& policy, const std::string& format,
                     sim::Nanos from = {}, sim::Nanos until = sim::kHorizon) {
    const auto s = sim::load_scenario(scenario);
    const sim::NamedPolicy named = sim::make_policy(policy, s.cpus);
    std::string text;
    const auto sink =
        format_of(format).make([&](std::string_view piece) { text.append(piece.data(), piece.size()); });
    sim::trace_io::emit_run(s, *named.policy, {.until = std::min(until, s.until.value_or(sim::kHorizon))},
                            {.title = s.title,
                             .cpus = s.cpus,
                             .hz = s.machine.hz,
                             .policy = named.spec(),
                             .machine = "\"" + s.machine.name + "\"",
                             .begin = from},
                            *sink);
    return text;
}

void work_on(Control& control) {
    while (control.work(Deadline::clock::now() + std::chrono::milliseconds(1))) {
    }
}

TEST(Exporter, FileEndingSelectsFormat) {
    const InsideScratchFolder folder;
    Control control;
    ASSERT_TRUE(control.open("two-hogs"));
    const std::pair<const char*, const char*> files[] = {
        {"hogs.txt", "ftrace"},  {"hogs.csv", "csv"},       {"hogs.perfetto-trace", "perfetto"},
        {"hogs.json", "chrome"}, {"hogs.dat", "trace.dat"}, {"hogs.schedule.json", "schedule"}};
    for (const auto& [name, format] : files) {
        const SaveResult begun = control.exporter().begin_export(name, false);
        EXPECT_EQ(begun.outcome, SaveResult::Outcome::saved) << begun.words;
        EXPECT_TRUE(control.exporter().is_exporting());
        EXPECT_FALSE(fs::exists(name)) << "it appears when it is finished";
        EXPECT_EQ(control.model().exporting.rfind(std::string("exporting to ") + name, 0), 0u);
        work_on(control);
        EXPECT_EQ(content_of(name), expected("two-hogs", "linux-2.0", format)) << format;
        EXPECT_EQ(
            control.model().message.rfind(
                std::string("Exported to ") + name + " as " + format + ": 100 switches from 0 ms to ", 0),
            0u)
            << control.model().message;
        EXPECT_EQ(control.model().exporting, "");
    }
}

TEST(Exporter, ContainsSelectionOfOpenRun) {
    const InsideScratchFolder folder;
    Control control;
    ASSERT_TRUE(control.open("two-hogs", "sorted-queue"));
    control.selection().select(TimeRange{sim::Nanos{500'000'000}, sim::Nanos{900'000'000}});
    ASSERT_EQ(control.exporter().begin_export("part.txt", false).outcome, SaveResult::Outcome::saved);
    work_on(control);
    EXPECT_EQ(content_of("part.txt"), expected("two-hogs", "sorted-queue", "ftrace", sim::Nanos{500'000'000},
                                               sim::Nanos{900'000'000}));

    // The export contains the changed values, so the import produces the changed run.
    control.selection().select(std::nullopt);
    control.set_value("/tasks/0/count", "3");
    control.set_value("/machine/hz", "250");
    ASSERT_EQ(control.exporter().begin_export("changed.txt", false).outcome, SaveResult::Outcome::saved);
    work_on(control);
    const auto recorded = sim::trace_io::read_recorded_run({"changed.txt"}, {});
    const sim::Scenario s = sim::parse_scenario("changed", recorded->scenario);
    EXPECT_EQ(s.policy, "sorted-queue");
    EXPECT_EQ(s.machine.hz, 250u);
    EXPECT_EQ(s.groups.size(), 3u);
    control.set_wait_without_limit(true);
    ASSERT_TRUE(control.open("./changed.txt"));
    work_on(control);
    EXPECT_TRUE(control.model().trace_comparison->is_complete());
    EXPECT_TRUE(control.model().trace_comparison->mismatches().empty())
        << control.model().trace_comparison->summary();
}

TEST(Exporter, ConfirmsReplacementAndReportsErrors) {
    const InsideScratchFolder folder;
    Control control;
    ASSERT_TRUE(control.open("two-hogs"));
    sim::write_atomically("there.csv", "mine");
    EXPECT_EQ(control.exporter().begin_export("there.csv", false).outcome, SaveResult::Outcome::exists);
    EXPECT_FALSE(control.exporter().is_exporting());
    EXPECT_EQ(control.exporter().begin_export("there.csv", true).outcome, SaveResult::Outcome::saved);
    work_on(control);
    EXPECT_EQ(content_of("there.csv"), expected("two-hogs", "linux-2.0", "csv"));

    const SaveResult nothing = control.exporter().begin_export("there", false);
    EXPECT_EQ(nothing.outcome, SaveResult::Outcome::failed);
    EXPECT_EQ(nothing.words,
              "there: unknown extension; expected one of .json, .csv, .txt, .data, .perfetto-trace, "
              ".schedule.json, .dat.");
    EXPECT_EQ(control.exporter().begin_export("  ", false).words, "The file name is missing.");
    const SaveResult nowhere = control.exporter().begin_export("no/such/folder.csv", false);
    EXPECT_EQ(nowhere.outcome, SaveResult::Outcome::failed);
    EXPECT_EQ(nowhere.words.rfind("no/such/folder.csv: ", 0), 0u) << nowhere.words;
    // If a second export cannot start, this does not affect the export that is in progress.
    ASSERT_EQ(control.exporter().begin_export("first.csv", false).outcome, SaveResult::Outcome::saved);
    EXPECT_EQ(control.exporter().begin_export("no/such/folder.csv", false).outcome,
              SaveResult::Outcome::failed);
    work_on(control);
    EXPECT_EQ(content_of("first.csv"), expected("two-hogs", "linux-2.0", "csv"));
    control.selection().select(TimeRange{sim::Nanos{900'000'000'000}, sim::Nanos{900'000'000'001}});
    EXPECT_EQ(control.exporter().begin_export("late.csv", false).words,
              "The run ends before the selection starts.");
    EXPECT_FALSE(control.exporter().is_exporting());
}

TEST(Exporter, RunChangeCancelsExport) {
    const InsideScratchFolder folder;
    Control control;
    ASSERT_TRUE(control.open("two-hogs"));
    ASSERT_EQ(control.exporter().begin_export("gone.txt", false).outcome, SaveResult::Outcome::saved);
    control.set_policy("sorted-queue");
    work_on(control);
    EXPECT_EQ(control.model().message, "gone.txt was not written: the run has changed.");
    EXPECT_FALSE(fs::exists("gone.txt"));
    ASSERT_EQ(control.exporter().begin_export("gone.txt", false).outcome, SaveResult::Outcome::saved);
    ASSERT_TRUE(control.open("yield-threads"));
    work_on(control);
    EXPECT_EQ(control.model().message, "gone.txt was not written: the run has changed.");
    EXPECT_FALSE(control.exporter().is_exporting());
    ASSERT_EQ(control.exporter().begin_export("gone.txt", false).outcome, SaveResult::Outcome::saved);
    control.exporter().stop();
    EXPECT_EQ(control.model().message, "The export was cancelled: gone.txt was not written.");
    work_on(control);
    control.exporter().stop();
    EXPECT_EQ(control.model().message, "Nothing is being exported.");
    EXPECT_TRUE(fs::is_empty(".")) << "nothing half-written is left";
}

// The end of this run is not known in advance: it ends when all tasks have exited.
TEST(Exporter, SelectionAfterRunEndWritesNoFile) {
    const InsideScratchFolder folder;
    sim::write_atomically("short.json",
                          R"({"format": "switchyard-scenario/1", "title": "t", "machine": "ideal",
                              "policy": "linux-2.0",
                              "tasks": [{"name": "a", "program": [{"run": "1s"}, "exit"]}]})");
    Control control;
    ASSERT_TRUE(control.open("./short.json")) << control.model().error;
    control.selection().select(TimeRange{sim::Nanos{10'000'000'000}, sim::Nanos{11'000'000'000}});
    const SaveResult begun = control.exporter().begin_export("late.csv", false);
    work_on(control);
    EXPECT_EQ(begun.outcome == SaveResult::Outcome::saved ? control.model().message
                                                          : "late.csv was not written: " + begun.words,
              "late.csv was not written: The run ends before the selection starts.");
    EXPECT_FALSE(fs::exists("late.csv"));
}

}  // namespace ui_export_test
}  // namespace ui
