// A recording of a real machine in the window: what is imported of it is a scenario like any other.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sim/exchange/recorded_run.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/scratch_folder.h"
#include "ui/control/control.h"
#include "ui/view/model.h"

namespace ui {
namespace ui_recording_test {

const std::string kRecording = SWITCHYARD_SOURCE_DIR "/tests/recordings/three-on-one-cpu.txt";

TEST(OpenedRecording, IsTheScenarioThatIsImported) {
    const InsideScratchFolder folder;
    Control control;
    control.set_patient(true);
    ASSERT_TRUE(control.open(kRecording)) << control.model().error;
    const Model& model = control.model();
    EXPECT_EQ(model.scenario_name, "three-on-one-cpu");
    EXPECT_EQ(control.source_text().text, sim::exchange::read_recorded_run({kRecording}, {})->scenario);
    EXPECT_EQ(model.a->policy().spec(), "linux-6.6");
    EXPECT_EQ(
        model.message.rfind("three-on-one-cpu.txt: a recording of 13 tasks on 2 CPUs, 334 switches in ", 0),
        0u)
        << model.message;
    EXPECT_NE(model.message.find("Noticed: 2 events of a task that did not have the CPU"), std::string::npos)
        << model.message;
    EXPECT_NE(model.message.find("; 2 more, which switchyard import says"), std::string::npos)
        << model.message;
    control.reload();
    EXPECT_NE(model.message.find("is made of a recording: there is no file to load again."),
              std::string::npos)
        << model.message;

    // It is run under others, changed and saved; then it is a file.
    control.set_policy("linux-2.0");
    EXPECT_EQ(model.a->policy().spec(), "linux-2.0");
    control.set_value("/tasks/0/nice", "5");
    EXPECT_EQ(model.error, "");
    EXPECT_EQ(control.save_as("mine.json", false).outcome, Saved::Outcome::saved);
    EXPECT_NE(control.file(), "");
    EXPECT_EQ(sim::load_scenario("./mine.json").policy, "linux-2.0");
    control.reload();
    EXPECT_EQ(model.message.rfind("Loaded again: ", 0), 0u) << model.message;
}

TEST(OpenedRecording, WithAPolicyRunsUnderIt) {
    Control control;
    ASSERT_TRUE(control.open(kRecording, "linux-2.4.22")) << control.model().error;
    EXPECT_EQ(control.model().a->policy().spec(), "linux-2.4.22");
}

TEST(OpenedRecording, ThatIsNoneLeavesWhatWasOpen) {
    const ScratchFolder folder;
    Control control;
    ASSERT_TRUE(control.open("two-hogs"));
    const std::string torn =
        folder.write("torn.txt", "bash-1 [000] d... 1.000000: sched_switch: prev_comm=\n");
    EXPECT_FALSE(control.open(torn));
    EXPECT_EQ(control.model().error.rfind(torn + ":", 0), 0u) << control.model().error;
    EXPECT_EQ(control.model().scenario_name, "two-hogs");
}

}  // namespace ui_recording_test
}  // namespace ui
