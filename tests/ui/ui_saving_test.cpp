// Tests of "Save as": a scenario changed with the sliders is saved as a file that runs the same.
#include "ui/view/saving.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/atomic_file.h"
#include "sim/core/engine.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_edit.h"
#include "tests/support/line_difference.h"
#include "tests/support/test_sizes.h"
#include "ui/control/control.h"
#include "ui/view/knobs.h"

namespace ui_saving_test {

using namespace ui;
using namespace std::chrono_literals;
using sim::Nanos;
namespace fs = std::filesystem;

// Changes to a temporary directory during its lifetime.
class ScratchDirectory {
  public:
    ScratchDirectory() : before_(fs::current_path()) {
        fs::create_directories(path_);
        fs::current_path(path_);
    }
    ~ScratchDirectory() {
        fs::current_path(before_);
        fs::remove_all(path_);
    }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  private:
    fs::path before_;
    fs::path path_ = fs::path(testing::TempDir()) / ("switchyard-saving-" + std::to_string(::getpid()));
};

std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The number of added or removed lines, whichever is larger.
std::size_t changed_lines(const std::string& before, const std::string& after) {
    const LineDifference between(before, after);
    return std::max(between.gone.size(), between.come.size());
}

// The hash of the state after the first decisions.
std::uint64_t hash_of(const sim::Scenario& scenario, const std::string& spec) {
    const sim::NamedPolicy policy = sim::make_policy(spec, scenario.cpus);
    const sim::Engine engine(scenario, *policy.policy);
    sim::Machine m = engine.initial_state();
    engine.run(m, {.until = scenario.until.value_or(sim::kHorizon - 1ns), .decisions = 2'000}, {});
    return m.hash();
}

TEST(SavedScenario, EverySliderChangeRunsTheSame) {
    std::size_t files = 0, others = 0;
    for (const std::string& name : sim::builtin_file_names("")) {
        const sim::ScenarioText source = sim::find_scenario(name);
        const sim::Scenario before = sim::load_scenario(name);
        const std::uint64_t was = hash_of(before, before.policy);
        for (const Knob& knob : knobs_of(before)) {
            const std::int64_t now = value_of(knob, before);
            const std::int64_t value = now < knob.most ? now + 1 : now - 1;
            const std::vector<std::string> sets{knob.pointer + "=" + scenario_value_text(knob, value)};
            const sim::Scenario on_screen = sim::load_scenario(name, sets);
            const std::string text = sim::text_with_changes(source, sets);
            const sim::Scenario saved = sim::parse_scenario("saved.json", text, {}, source.folder);
            ASSERT_EQ(value_of(knob, saved), value) << name << " " << sets.front();
            const std::uint64_t hash = hash_of(on_screen, on_screen.policy);
            EXPECT_EQ(hash_of(saved, saved.policy), hash) << name << " " << sets.front();
            // At most three lines change: the line of the value, the line of its entry in "provenance", and
            // the line before that entry, which gets a comma.
            EXPECT_LE(changed_lines(source.text, text), 3u) << name << " " << sets.front();
            ++files;
            others += hash != was ? 1 : 0;
        }
        if (!kThorough && files > 40) break;
    }
    EXPECT_GT(files, 40u);
    EXPECT_GT(others, files / 2) << "most changes are seen in the run";
}

TEST(SavedScenario, ContainsChangesAndBecomesOpenFile) {
    const ScratchDirectory folder;
    Control control;
    control.set_wait_without_limit(true);
    ASSERT_TRUE(control.open("yield-processes"));
    control.set_policy("linux-2.0:yield=one_tick");
    control.set_value("/tasks/0/count", "5");
    control.set_value("/machine/hz", "250");
    control.set_value("/machine/hz", "100");  // the original value
    control.navigator().seek(1ms);
    const Nanos now = control.model().a->now();
    EXPECT_EQ(proposed_file(control.source_text()), "yield-processes-mine.json");
    EXPECT_EQ(changes_to_save(control.source_text(), control.model()),
              (std::vector<std::string>{"/tasks/0/count=5", "/policy=\"linux-2.0:yield=one_tick\""}));

    const SaveResult saved = control.save_as("mine", false);
    ASSERT_EQ(saved.outcome, SaveResult::Outcome::saved) << saved.words;
    EXPECT_EQ(saved.path, "mine.json");
    EXPECT_EQ(changed_lines(sim::find_scenario("yield-processes").text, contents("mine.json")), 3u);
    EXPECT_EQ(control.model().scenario_name, "mine");
    EXPECT_EQ(control.file(), (fs::current_path() / "mine.json").string());
    EXPECT_EQ(control.model().a->now(), now) << "at the same place";
    EXPECT_EQ(control.model().a->scenario().groups[0].count, 5u);
    EXPECT_EQ(control.model().a->policy().spec(), "linux-2.0:yield=one_tick");
    EXPECT_TRUE(control.model().sets.empty());
    EXPECT_FALSE(control.model().baseline->is_changed(control.model()));
    control.undo();
    EXPECT_EQ(control.model().message, "There is nothing to undo.") << "the file is the beginning now";
    EXPECT_EQ(control.model().a->scenario().groups[0].count, 5u);

    // After the first "Save as", the name of the saved file is proposed. The file is replaced only on
    // confirmation.
    control.set_value("/tasks/0/count", "6");
    const std::string before = contents("mine.json");
    EXPECT_EQ(control.save_as("mine.json", false).outcome, SaveResult::Outcome::exists);
    EXPECT_EQ(contents("mine.json"), before);
    EXPECT_EQ(control.save_as("mine.json", true).outcome, SaveResult::Outcome::saved);
    EXPECT_EQ(changed_lines(before, contents("mine.json")), 2u);
    EXPECT_FALSE(control.check_file_for_changes()) << "it is what is open";
    EXPECT_EQ(sim::load_scenario("mine.json").groups[0].count, 6u);
}

TEST(SavedScenario, ComparisonStaysOpenButUnsaved) {
    const ScratchDirectory folder;
    Control control;
    control.set_wait_without_limit(true);
    ASSERT_TRUE(control.open("two-hogs"));
    EXPECT_TRUE(state_not_in_file(control.model()).empty());
    control.navigator().seek(1s);
    control.comparison().compare_with_intervention({.kind = sim::Intervention::Kind::kill, .task = 1});
    const std::vector<std::string> left_out = state_not_in_file(control.model());
    ASSERT_EQ(left_out.size(), 2u);
    EXPECT_EQ(left_out[0], "the comparison with linux-2.0");
    EXPECT_TRUE(left_out[1].starts_with("the intervention in run B: kill hog.1 at ")) << left_out[1];
    ASSERT_EQ(control.save_as("killed.json", false).outcome, SaveResult::Outcome::saved);
    ASSERT_NE(control.model().b, nullptr);
    EXPECT_EQ(state_not_in_file(control.model()), left_out);
    EXPECT_EQ(contents("killed.json"), sim::find_scenario("two-hogs").text) << "nothing was changed";
}

TEST(SavedScenario, FailedSaveKeepsState) {
    const ScratchDirectory folder;
    Control control;
    control.set_wait_without_limit(true);
    ASSERT_TRUE(control.open("two-hogs"));
    control.set_value("/tasks/0/count", "3");
    for (const char* path : {"", "nowhere/x.json", "folder/"}) {
        const SaveResult saved = control.save_as(path, true);
        EXPECT_EQ(saved.outcome, SaveResult::Outcome::failed) << path;
        EXPECT_NE(saved.words, "") << path;
    }
    EXPECT_EQ(control.model().scenario_name, "two-hogs");
    EXPECT_EQ(control.model().sets.size(), 1u);
    EXPECT_TRUE(fs::is_empty(fs::current_path()));
}

TEST(SavedScenario, SavingKeepsPosition) {
    const ScratchDirectory folder;
    Control control;
    control.set_wait_without_limit(true);
    // The position is that of the first stop: the third switch, which is not the only event at its time.
    ASSERT_TRUE(control.open("yield-processes"));
    const auto standing = [](const ui::Run& run) {
        return std::pair(run.session().machine().globals().events, run.session().machine().hash());
    };
    const auto here = standing(*control.model().a);
    control.navigator().seek(control.model().a->now());
    ASSERT_NE(standing(*control.model().a).first, here.first) << "there are several places at this instant";
    control.tour().go_to_stop(0);
    ASSERT_EQ(standing(*control.model().a), here);
    ASSERT_EQ(control.save_as("mine", false).outcome, SaveResult::Outcome::saved);
    EXPECT_EQ(standing(*control.model().a), here);
    control.reload();
    EXPECT_EQ(standing(*control.model().a), here);

    // With two runs, the position is inside schedule(), right after a decision in which they differ.
    control.comparison().toggle();
    control.navigator().go_to_next_difference();
    ASSERT_TRUE(control.model().difference);
    control.view().inside_step = 2;
    const auto a = standing(*control.model().a), b = standing(*control.model().b);
    const std::optional<std::uint64_t> difference = control.model().difference;
    control.comparison().sync_run_b();
    ASSERT_NE(standing(*control.model().b), b) << "B has a place of its own";
    control.comparison().move_b_after(*difference);
    ASSERT_EQ(control.save_as("mine", true).outcome, SaveResult::Outcome::saved);
    EXPECT_EQ(standing(*control.model().a), a);
    EXPECT_EQ(standing(*control.model().b), b);
    EXPECT_EQ(control.model().difference, difference);
    EXPECT_EQ(control.view().inside_step, 2u);
}

TEST(SavedScenario, FileIsWrittenAfterAllChecks) {
    AppState desk;
    desk.open("two-hogs", "");
    const ui::Run* const run = desk.model.a;
    bool written = false;
    const auto write = [&] { written = true; };
    EXPECT_THROW(desk.replace_text_and_save({"x.json", "{}", {}}, write), sim::ScenarioError);
    EXPECT_FALSE(written);
    EXPECT_THROW(
        desk.replace_text_and_save({"x.json", desk.text().text, {}}, [] { throw sim::FileError("no room"); }),
        sim::FileError);
    EXPECT_EQ(desk.source(), "two-hogs");
    EXPECT_EQ(desk.model.a, run);
    desk.replace_text_and_save({"x.json", desk.text().text, {}}, write);
    EXPECT_TRUE(written);
    EXPECT_EQ(desk.model.scenario_name, "x");
}

TEST(SavedScenario, TypedNameBecomesFileName) {
    const ScratchDirectory folder;
    fs::create_directories("folder.json");
    fs::create_directories("plain");
    std::ofstream("scenario.txt") << "{}";
    const std::string home = std::getenv("HOME") == nullptr ? "~" : std::getenv("HOME");
    for (const auto& [typed, file] :
         std::vector<std::pair<std::string, std::string>>{{"mine", "mine.json"},
                                                          {" mine.json  ", "mine.json"},
                                                          {"linux-2.4 mine", "linux-2.4 mine.json"},
                                                          {"plain", "plain.json"},
                                                          {"scenario.txt", "scenario.txt"},
                                                          {"other.txt", "other.txt.json"},
                                                          {"a~", "a~.json"},
                                                          {"~/x", home + "/x.json"}})
        EXPECT_EQ(scenario_save_path(typed), file) << typed;
    for (const char* typed : {"", "   ", ".", "..", "plain/", "plain/..", "folder.json", "folder"})
        EXPECT_THROW(scenario_save_path(typed), sim::FileError) << typed;
    Control control;
    control.set_wait_without_limit(true);
    ASSERT_TRUE(control.open("two-hogs"));
    const SaveResult saved = control.save_as("nowhere/x", false);
    EXPECT_EQ(saved.words, "nowhere/x.json: cannot be written: No such file or directory");
    EXPECT_EQ(control.save_as("folder", false).outcome, SaveResult::Outcome::failed)
        << "it is not to be replaced";
    // Setting any member to its value in the file is not a change.
    control.set_value("/title", "\"" + control.model().a->scenario().title + "\"");
    control.set_value("/seed", "5");
    EXPECT_EQ(changes_to_save(control.source_text(), control.model()), (std::vector<std::string>{"/seed=5"}));
}

}  // namespace ui_saving_test
