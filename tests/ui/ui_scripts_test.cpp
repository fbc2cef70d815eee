// Tests of policy scripts in the window: selected, opened, edited, saved, and watched on disk.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/headless_window.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_sizes.h"
#include "ui/app/script_host.h"
#include "ui/control/control.h"
#include "ui/panels/script_box.h"
#include "ui/view/job_table.h"
#include "ui/view/knobs.h"
#include "ui/view/tabs.h"

namespace ui {
namespace ui_scripts_test {

using namespace std::chrono_literals;
using sim::Nanos;

// 4 million instructions per call; each call stays within its limit.
constexpr const char* kSlow = R"(-- Slow.
function pick_next(prev, cpu)
    local x = 0
    for i = 1, 1000000 do x = (x + i) % 7 end
    for p in ready:each() do if may_run(p) then return p end end
end
function tick(p)
    local x = 0
    for i = 1, 1000000 do x = (x + i) % 7 end
    return true
end
)";

std::string rr_with(int quantum) {
    return "-- Mine.\noptions { quantum = " + std::to_string(quantum) +
           " }\nfields { left = 0 }\nfunction enqueue(p)\n    p.left = option.quantum\n    "
           "ready:add_last(p)\nend\n"
           "function tick(p)\n    p.left = p.left - 1\n    return p.left <= 0\nend\n";
}

void write(const std::string& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    static int seconds = 0;  // needed on file systems with coarse clocks
    std::filesystem::last_write_time(
        file, std::filesystem::last_write_time(file) + std::chrono::seconds(++seconds));
}

// Checks the script files twice, like the window, which waits until a changed file no longer changes.
bool look_twice(Control& control) {
    const bool first = control.check_scripts_for_changes();
    return control.check_scripts_for_changes() || first;
}

class PolicyScriptEditor : public testing::Test {
  protected:
    void SetUp() override {
        control.set_wait_without_limit(true);
        ASSERT_TRUE(control.open("two-hogs"));
    }
    std::string policy() const { return control.model().a->history().policy().spec(); }
    std::uint64_t switches_at_the_end() {
        control.work(Deadline::max());
        return control.model().a->history().simulated_end().machine.globals().switches;
    }

    const InsideScratchFolder folder;
    Control control;
};

TEST_F(PolicyScriptEditor, ShowsScriptOfRunPolicy) {
    control.update_after_actions();
    EXPECT_EQ(control.script().name, "") << "linux-2.0 is no script";
    EXPECT_TRUE(control.report_if_no_script());
    control.set_policy("rr:quantum=3");
    control.update_after_actions();
    EXPECT_EQ(control.script().name, "rr");
    EXPECT_TRUE(control.script().is_builtin);
    EXPECT_NE(control.script().text.find("function enqueue(p, why)"), std::string::npos);
    control.set_policy("mlfq");
    control.update_after_actions();
    EXPECT_EQ(control.script().name, "mlfq");
}

TEST_F(PolicyScriptEditor, EditedBuiltInRunsAsOwnScript) {
    control.set_policy("rr:quantum=3");
    control.update_after_actions();
    control.navigator().seek(sim::StepEventKind::event, 40);
    const Nanos now = control.model().a->now();
    control.set_script_text(rr_with(20));
    EXPECT_EQ(policy(), "rr:quantum=3") << "until it is run";
    ASSERT_TRUE(control.run_script());
    EXPECT_EQ(policy(), "rr-mine.lua:quantum=3") << "with the options that were chosen";
    EXPECT_EQ(control.model().a->now(), now);
    control.navigator().seek(sim::StepEventKind::event, 40);
    const Nanos then = control.model().a->now();
    control.set_script_text(rr_with(20) + "-- The same.\n");
    ASSERT_TRUE(control.run_script());
    EXPECT_EQ(control.model().a->now(), then);
    EXPECT_EQ(control.model().a->session().machine().globals().events, 40u)
        << "at the same event, if there is one";
    EXPECT_FALSE(std::filesystem::exists("rr-mine.lua")) << "it is in no file yet";
    EXPECT_EQ(with_option(control.model().a->history().policy(), "quantum", "5"), "rr-mine.lua:quantum=5");
    control.set_policy("rr-mine.lua:quantum=7");
    EXPECT_EQ(policy(), "rr-mine.lua:quantum=7") << "it can be chosen like any other";
    EXPECT_EQ(control.model().own_scripts, std::vector<std::string>{"rr-mine.lua"});
}

TEST_F(PolicyScriptEditor, ErrorIsLocatedAndOldPolicyStays) {
    control.set_policy("rr");
    control.update_after_actions();
    control.set_script_text("-- Mine.\nfunction tick(p)\n    return p.left <=\nend\n");
    EXPECT_FALSE(control.run_script());
    EXPECT_EQ(policy(), "rr");
    EXPECT_EQ(control.script().line, 4);
    EXPECT_TRUE(control.script().problem.starts_with("rr:4: ")) << control.script().problem;
    EXPECT_TRUE(
        control.model().message.ends_with("the old version of the script stays in "
                                          "use"))
        << control.model().message;
    control.set_script_text(rr_with(2));
    EXPECT_EQ(control.script().problem, "");
    EXPECT_TRUE(control.run_script());
    // An error at run time is reported and ends the run at that point.
    control.set_script_text("-- Mine.\nfunction tick(p)\n    error('no')\nend\n");
    EXPECT_TRUE(control.run_script());
    control.work(Deadline::max());
    control.update_after_actions();
    ASSERT_NE(control.model().a->failure(), nullptr);
    EXPECT_EQ(control.model().a->failure()->line, 3);
    EXPECT_TRUE(control.model().message.starts_with("rr-mine.lua:3: no, in tick() at 10ms"))
        << control.model().message;
}

TEST_F(PolicyScriptEditor, UnsavedTextSurvivesPolicyChange) {
    control.set_policy("rr");
    control.update_after_actions();
    control.set_script_text("-- half of it");
    control.set_policy("sjf");
    control.update_after_actions();
    EXPECT_EQ(control.script().name, "sjf");
    ASSERT_TRUE(control.open("web-server", "rr"));
    control.update_after_actions();
    EXPECT_EQ(control.script().text, "-- half of it") << "whatever scenario is open";
}

TEST_F(PolicyScriptEditor, SavesConfirmsReplacementAndReverts) {
    control.set_policy("rr");
    control.update_after_actions();
    control.set_script_text(rr_with(4));
    write("there.lua", "-- another one\n");
    EXPECT_EQ(control.save_script("there", false).outcome, SaveResult::Outcome::exists);
    const SaveResult saved = control.save_script("mine", false);
    ASSERT_EQ(saved.outcome, SaveResult::Outcome::saved) << saved.words;
    EXPECT_EQ(saved.path, "mine.lua");
    EXPECT_EQ(sim::script_text("mine.lua"), rr_with(4));
    EXPECT_EQ(policy(), "mine.lua") << "and it runs";
    EXPECT_TRUE(control.script().is_saved());
    control.set_script_text(rr_with(5));
    ASSERT_TRUE(control.run_script());
    EXPECT_EQ(sim::script_text("mine.lua"), rr_with(4)) << "running saves nothing";
    control.revert_script();
    EXPECT_EQ(control.script().text, rr_with(4));
    EXPECT_EQ(control.model().a->history().policy().options.at("quantum"), "4");
    EXPECT_EQ(control.save_script("no/such/folder/x", false).outcome, SaveResult::Outcome::failed);
    // A source with an error can be saved; the running policy does not change.
    control.set_script_text("nonsense(");
    EXPECT_EQ(control.save_script("mine.lua", false).outcome, SaveResult::Outcome::saved);
    EXPECT_EQ(sim::script_text("mine.lua"), "nonsense(");
    EXPECT_EQ(control.model().a->history().policy().options.at("quantum"), "4");
    EXPECT_EQ(control.script().line, 1);
    // Changes by another program are replaced only on confirmation.
    write("mine.lua", "-- of somebody else\n");
    EXPECT_EQ(control.save_script("mine.lua", false).outcome, SaveResult::Outcome::exists);
    EXPECT_EQ(control.save_script("mine.lua", true).outcome, SaveResult::Outcome::saved);
}

TEST_F(PolicyScriptEditor, StableFileChangeRunsAtSamePosition) {
    write("own.lua", rr_with(2));
    control.set_policy("own.lua");
    ASSERT_EQ(policy(), "own.lua");
    control.comparison().compare_with("own.lua:quantum=9");
    control.navigator().seek(123ms);
    const std::uint64_t before = switches_at_the_end();
    EXPECT_FALSE(look_twice(control));
    write("own.lua", rr_with(4));
    EXPECT_FALSE(control.check_scripts_for_changes()) << "it may just be being written";
    EXPECT_TRUE(control.check_scripts_for_changes());
    EXPECT_EQ(control.model().message, "own.lua has changed on disk; the run now uses the new version.");
    EXPECT_EQ(control.model().a->now(), Nanos{123ms});
    EXPECT_LT(switches_at_the_end(), before);
    EXPECT_EQ(control.model().b->history().policy().spec(), "own.lua:quantum=9");
    control.update_after_actions();
    EXPECT_EQ(control.script().text, rr_with(4));
    EXPECT_FALSE(look_twice(control)) << "once is enough";

    // If a file is only partly written, the previous version remains in use, also for new runs.
    const std::uint64_t run = control.model().a->id();
    write("own.lua", rr_with(7).substr(0, 90));
    EXPECT_TRUE(look_twice(control));
    EXPECT_EQ(control.model().a->id(), run);
    EXPECT_TRUE(control.script().problem.starts_with("own.lua:")) << control.script().problem;
    control.set_value("/machine/hz", "200");
    EXPECT_EQ(control.model().error, "");
    EXPECT_EQ(control.model().a->history().policy().options.at("quantum"), "4");
    std::filesystem::remove("own.lua");
    EXPECT_FALSE(look_twice(control)) << "gone: it is being replaced, or nobody wants it any more";
    write("own.lua", rr_with(7));
    EXPECT_TRUE(look_twice(control));
    EXPECT_EQ(control.model().a->history().policy().options.at("quantum"), "7") << "mended";
}

TEST_F(PolicyScriptEditor, UnsavedTextSurvivesFileChange) {
    write("own.lua", rr_with(2));
    control.set_policy("own.lua");
    control.update_after_actions();
    control.set_script_text("-- mine, unsaved\n");
    write("own.lua", rr_with(4));
    EXPECT_TRUE(look_twice(control));
    control.update_after_actions();
    EXPECT_EQ(control.model().a->history().policy().options.at("quantum"), "4");
    EXPECT_EQ(control.script().text, "-- mine, unsaved\n");
    EXPECT_TRUE(control.script().changed_elsewhere);
    control.revert_script();
    EXPECT_EQ(control.script().text, rr_with(4));
}

TEST_F(PolicyScriptEditor, InvalidFileOpensInEditorUntilCorrected) {
    write("own.lua", "function tick(p\n");
    control.set_policy("own.lua");
    EXPECT_TRUE(control.model().error.starts_with("own.lua:")) << control.model().error;
    EXPECT_EQ(policy(), "linux-2.0");
    EXPECT_EQ(control.script().name, "own.lua");
    EXPECT_GT(control.script().line, 0);
    write("own.lua", rr_with(4));
    EXPECT_TRUE(look_twice(control));
    EXPECT_EQ(policy(), "own.lua");

    Control another;
    another.set_wait_without_limit(true);
    write("other.lua", "nonsense(");
    EXPECT_FALSE(another.open("two-hogs", "other.lua"));
    ASSERT_NE(another.model().a, nullptr) << "there is something to run it under when it is mended";
    EXPECT_NE(another.model().error, "");
    EXPECT_EQ(another.script().text, "nonsense(");
}

TEST_F(PolicyScriptEditor, SecondRunFollowsScriptChanges) {
    write("own.lua", rr_with(2));
    control.comparison().compare_with("own.lua");
    ASSERT_NE(control.model().b, nullptr);
    const std::uint64_t b = control.model().b->id(), a = control.model().a->id();
    write("own.lua", rr_with(4));
    EXPECT_TRUE(look_twice(control));
    EXPECT_NE(control.model().b->id(), b);
    EXPECT_EQ(control.model().a->id(), a) << "which is not made of it";
    // The policy changes to a script at this position. When the script changes, the past remains and the rest
    // is recomputed.
    control.navigator().seek(200ms);
    control.comparison().compare_with_intervention(
        {.kind = sim::Intervention::Kind::policy, .policy = "own.lua:quantum=3"});
    ASSERT_NE(control.model().b, nullptr);
    write("own.lua", rr_with(9));
    EXPECT_TRUE(look_twice(control));
    ASSERT_NE(control.model().b, nullptr);
    EXPECT_EQ(control.model().b->history().interventions().at(0).scripts.at("own.lua"), rr_with(9));
    // Run B continues the past of run A. So if A changes, the comparison ends.
    control.set_policy("own.lua");
    control.comparison().compare_with_intervention(
        {.kind = sim::Intervention::Kind::policy, .policy = "linux-2.0"});
    write("own.lua", rr_with(5));
    EXPECT_TRUE(look_twice(control));
    EXPECT_EQ(control.model().b, nullptr);
}

TEST_F(PolicyScriptEditor, DroppedScriptBecomesPolicy) {
    write("own.lua", rr_with(2));
    control.open_file("own.lua", "two-hogs");
    EXPECT_EQ(control.model().error, "");
    EXPECT_EQ(policy(), "own.lua");
    Control fresh;
    fresh.set_wait_without_limit(true);
    fresh.open_file("own.lua", "two-hogs");
    EXPECT_EQ(fresh.model().error, "");
    EXPECT_EQ(fresh.model().scenario_name, "two-hogs");
}

// Each event takes about 50 ms to simulate. Chunks of the run are as short as possible, and viewing the run
// recomputes only a few events.
TEST_F(PolicyScriptEditor, SlowScriptKeepsWindowResponsive) {
    if (!kOptimised) GTEST_SKIP() << "says something only of optimised code";
    write("slow.lua", kSlow);
    control.set_wait_without_limit(false);
    control.set_policy("slow.lua");
    std::vector<std::clock_t> times;  // of this process on a CPU, because other programs delay the wall clock
    for (int i = 0; i < 40; ++i) {
        const std::clock_t begin = std::clock();
        control.work(std::chrono::steady_clock::now() + 5ms);
        if (i % 8 == 4) control.navigator().step(sim::StepEventKind::event, i % 16 == 4 ? -1 : 1);
        if (i == 20) control.navigator().seek_beginning();
        control.model().a->segments_in_run();
        times.push_back(std::clock() - begin);
    }
    EXPECT_GT(control.model().a->end(), Nanos{20ms}) << "it goes on";
    // Most rounds simulate one or two events. No round simulates more than a few dozen.
    std::sort(times.begin(), times.end());
    EXPECT_LT(times.back(), 60 * times[times.size() / 2]);
    EXPECT_EQ(control.model().a->events_of_equal_replay_time(6'000), 1u);
}

// --- in a window ---

class ScriptWindow {
  public:
    explicit ScriptWindow(const std::string& policy, Size size = {1280, 800})
        : backend(Backend::headless(size)), app(backend) {
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
        app.control().set_wait_without_limit(true);
        EXPECT_TRUE(app.control().open("two-hogs", policy)) << app.model().error;
        frames(8);
    }
    void frames(int n) {
        for (int i = 0; i < n; ++i) app.run_frame(1.0 / 60);
    }
    // Plays the input script. Returns its failures.
    std::string play(const std::string& text) {
        AppInputScriptHost host(app);
        std::ostringstream out;
        InputScriptPlayer player(parse_input_script(text, "test"), host, out);
        while (player.push_next_frame()) app.run_frame(1.0 / 60);
        std::string problems;
        for (const sim::Problem& problem : player.failures()) problems += problem.text() + "\n";
        return problems;
    }
    std::string policy() const { return app.model().a->history().policy().spec(); }
    const std::string& text() const { return app.control().script().text; }

    Backend backend;
    App app;
};

TEST(ScriptPane, TypingDoesNotTriggerCommands) {
    const InsideScratchFolder folder;
    ScriptWindow w("rr");
    const sim::Nanos now = w.app.model().a->now();
    EXPECT_EQ(w.play("key F8\nkey Ctrl+Home\ntext \"-- by me: b w f 1 3 ?\"\nkey Left\nkey Right\nkey Space\n"
                     "text \"x\"\nkey Ctrl+Backspace\nkey Return\n"),
              "");
    EXPECT_TRUE(w.app.is_typing_script());
    EXPECT_TRUE(w.text().starts_with("-- by me: b w f 1 3 ? \n")) << w.text();
    EXPECT_EQ(w.app.model().a->now(), now) << "no step";
    EXPECT_FALSE(w.app.view().playing);
    EXPECT_TRUE(w.app.view().bookmarks.empty());
    EXPECT_EQ(w.app.view().tab, Tab::script);
    EXPECT_EQ(w.play("key Ctrl+Enter\nexpect \"rr-mine.lua\"\n"), "");
    EXPECT_EQ(w.policy(), "rr-mine.lua");
    EXPECT_TRUE(w.app.is_typing_script()) << "one goes on typing";
    EXPECT_EQ(w.play("key Escape\nkey B\n"), "");
    EXPECT_FALSE(w.app.is_typing_script());
    EXPECT_TRUE(w.text().starts_with("-- by me")) << "Esc leaves the box and takes nothing back";
    EXPECT_EQ(w.app.view().bookmarks.size(), 1u) << "now B is the window's";
}

TEST(ScriptPane, TabIndentsAndUndoRestoresText) {
    const InsideScratchFolder folder;
    ScriptWindow w("rr");
    const std::string before = w.text();
    EXPECT_EQ(w.play("key F8\nkey Ctrl+A\ntext \"function tick(p)\"\nkey Return\nkey Tab\ntext \"x()\"\nkey "
                     "Return\ntext \"y()\"\n"),
              "");
    EXPECT_EQ(w.text(), "function tick(p)\n    x()\n    y()");
    std::string last;
    for (int i = 0; i < 30 && w.text() != before; ++i) w.play("key Ctrl+Z\nwait 2\n");
    EXPECT_EQ(w.text(), before) << "the whole script that was typed over is back";
    for (int i = 0; i < 30; ++i) w.play("key Ctrl+Y\nwait 2\n");
    EXPECT_EQ(w.text(), "function tick(p)\n    x()\n    y()");
    EXPECT_EQ(w.app.model().sets.size(), 0u);
}

TEST(ScriptPane, ErrorIsShownAtLine) {
    const InsideScratchFolder folder;
    ScriptWindow w("rr");
    const auto pixels = [&](ImU32 colour) {
        const Image image = w.backend.screenshot();
        std::size_t n = 0;
        for (std::size_t i = 0; i + 4 <= image.rgba.size(); i += 4)
            n += IM_COL32(image.rgba[i], image.rgba[i + 1], image.rgba[i + 2], 255) ==
                 (colour | IM_COL32_A_MASK);
        return n;
    };
    w.play("key F8\n");
    const std::size_t red = pixels(w.app.theme().error);
    EXPECT_EQ(
        w.play("key Ctrl+Home\ntext \"if\\n\"\nkey Ctrl+Enter\nexpect \"the old version of the script stays "
               "in use\"\n"),
        "");
    const int line = w.app.control().script().line;
    EXPECT_GT(line, 1);
    EXPECT_NE(w.app.text().find(fmt::format("> {:>3}  ", line)), std::string::npos);
    EXPECT_GT(pixels(w.app.theme().error), red + 20) << "the words and the number of the line";
    EXPECT_EQ(w.policy(), "rr");
}

TEST(ScriptPane, SaveKeyAsksForNameOnce) {
    const InsideScratchFolder folder;
    ScriptWindow w("rr");
    EXPECT_EQ(
        w.play("key F8\nkey Ctrl+Home\ntext \"-- x\\n\"\nkey Ctrl+S\nexpect \"rr-mine.lua\"\nkey Return\n"),
        "");
    EXPECT_TRUE(sim::script_text("rr-mine.lua").starts_with("-- x\n"));
    EXPECT_EQ(w.policy(), "rr-mine.lua");
    EXPECT_EQ(w.play("key F8\nkey Ctrl+Home\ntext \"-- y\\n\"\nkey Ctrl+S\nexpect \"Saved rr-mine.lua.\"\n"),
              "");
    EXPECT_TRUE(sim::script_text("rr-mine.lua").starts_with("-- y\n")) << "the second time it has a name";
    EXPECT_EQ(w.play("key Escape\nkey Ctrl+S\nexpect \"two-hogs-mine.json\"\n"), "")
        << "elsewhere the key saves the scenario";
}

TEST(ScriptPane, NonScriptPolicyOffersNewScript) {
    const InsideScratchFolder folder;
    ScriptWindow w("linux-2.2");
    w.play("key 0\n");
    EXPECT_NE(w.app.text().find("and has no script"), std::string::npos);
    w.app.control().copy_builtin_script("fcfs");
    w.frames(4);
    EXPECT_EQ(w.policy(), "fcfs-mine.lua");
    EXPECT_EQ(w.app.control().script().name, "fcfs-mine.lua");
}

TEST(ScriptPicker, ListsScriptsAndFilesAndCompletesPaths) {
    const InsideScratchFolder folder;
    std::filesystem::create_directory("homework");
    write("homework/first.lua", rr_with(3));
    write("here.lua", rr_with(3));
    write("other.txt", "no script");
    ScriptWindow w("linux-2.0");
    EXPECT_EQ(
        w.play("key Ctrl+Shift+O\nexpect \"here.lua: a file\"\nexpect \"homework/: a directory\"\nexpect "
               "\"mlfq: \"\n"
               "reject \"other.txt\"\ntext \"home\"\nkey Tab\nwait 3\nexpect \"homework/first.lua\"\n"
               "text \"fi\"\nkey Return\nwait 3\n"),
        "");
    EXPECT_EQ(w.policy(), "homework/first.lua");
    EXPECT_EQ(w.play("key Ctrl+Shift+C\ntext \"longest next burst\"\n"), "");
    EXPECT_EQ(w.play("key Escape\nkey Ctrl+Shift+C\ntext \"shortest remaining\"\nkey Return\nwait 3\n"), "");
    ASSERT_NE(w.app.model().b, nullptr);
    EXPECT_EQ(w.app.model().b->policy().name, "srtf");
}

TEST(DroppedFile, ScriptBecomesPolicy) {
    const InsideScratchFolder folder;
    write("own.lua", rr_with(3));
    ScriptWindow w("linux-2.0");
    EXPECT_EQ(w.play("drop own.lua\nwait 2\n"), "");
    EXPECT_EQ(w.policy(), "own.lua");
}

// --- jobs ---

TEST(JobsPane, ShowsValuesUntilPositionOrWholeRun) {
    const InsideScratchFolder folder;
    // Stallings' five processes under FCFS: finish 3, 9, 13, 18, 20; mean turnaround 8.6.
    write("five.json", R"({"format": "switchyard-scenario/1", "machine": "ideal", "policy": "fcfs", "tasks": [
        {"name": "A", "start": "0ms", "program": [{"run": "30ms"}, "exit"]},
        {"name": "B", "start": "20ms", "program": [{"run": "60ms"}, "exit"]},
        {"name": "C", "start": "40ms", "program": [{"run": "40ms"}, "exit"]},
        {"name": "D", "start": "60ms", "program": [{"run": "50ms"}, "exit"]},
        {"name": "E", "start": "80ms", "program": [{"run": "20ms"}, "exit"]}]})");
    ScriptWindow w("fcfs");
    ASSERT_TRUE(w.app.control().open("five.json")) << w.app.model().error;
    w.app.control().navigator().seek(100ms);
    w.app.view().alone = "jobs";
    w.frames(8);
    const std::string here = w.app.text();
    EXPECT_NE(here.find("until 100 ms, times in ms"), std::string::npos) << here;
    EXPECT_NE(here.find("2 jobs finished by 100 ms"), std::string::npos) << here;
    w.app.view().jobs_whole = true;
    w.frames(4);
    const std::string whole = w.app.text();
    EXPECT_NE(whole.find("5 jobs finished by 200 ms, 25 jobs per second"), std::string::npos) << whole;
    for (const char* row :
         {"E             80       20        180     200       100         120      100   6.00",
          "mean                                                46          86       46   2.56"})
        EXPECT_NE(whole.find(row), std::string::npos) << row << "\n" << whole;
    // The chart has a box for each segment.
    const sim::RangeSegments* const pieces = w.app.model().a->segments_in_run();
    ASSERT_NE(pieces, nullptr);
    ASSERT_TRUE(pieces->is_complete());
    std::string order;
    for (const sim::RunSegment& piece : pieces->segments().by_cpu().at(0))
        if (piece.task != sim::kNoTask)
            order +=
                piece.name(w.app.model().a->scenario()) + std::to_string(piece.end.count() / 1'000'000) + " ";
    EXPECT_EQ(order, "A30 B90 C130 D180 E200 ");
    // If there are two runs, the pane shows both.
    w.app.control().comparison().compare_with("srtf");
    w.frames(8);
    const std::string both = w.app.text();
    EXPECT_NE(both.find("Run B: whole run"), std::string::npos) << both;
    EXPECT_NE(both.find("mean                                                20          72       32   1.59"),
              std::string::npos)
        << both;
}

TEST(JobsPane, LongRunShowsOnlyVisibleSegments) {
    const InsideScratchFolder folder;
    ScriptWindow w("rr");
    ASSERT_TRUE(w.app.control().open("yield-processes"));
    w.app.view().alone = "jobs";
    w.frames(8);
    const ui::Run& run = *w.app.model().a;
    ASSERT_TRUE(run.segments_in_run()->is_cut_off());
    const sim::RangeSegments* const shown = run.segments_in(w.app.view().shown);
    ASSERT_NE(shown, nullptr);
    EXPECT_TRUE(shown->is_complete());
    EXPECT_FALSE(shown->is_cut_off());
    EXPECT_GT(shown->segments().count(), 5u);
    EXPECT_NE(w.backend.visible_text().find("The run has more than 2"), std::string::npos)
        << w.backend.visible_text();
    // If the visible range is the whole run, this range contains too many segments, too.
    w.app.control().history().show_whole_run();
    w.frames(30);
    ASSERT_TRUE(run.segments_in(w.app.view().shown)->is_cut_off());
    EXPECT_NE(w.backend.visible_text().find("only the first are drawn"), std::string::npos)
        << w.backend.visible_text();
    EXPECT_EQ(w.backend.visible_text().find("The run has more than 2"), std::string::npos)
        << w.backend.visible_text();
}

TEST(JobsPane, PredictionHidesJobs) {
    const InsideScratchFolder folder;
    ScriptWindow w("rr");
    w.app.view().alone = "jobs";
    w.play("key P\n");
    EXPECT_NE(w.app.text().find("This table is hidden until"), std::string::npos);
}

TEST(JobUnit, SmallTimesUseFinerUnit) {
    EXPECT_EQ(JobTimeUnit(3s).text(Nanos{1500ms}), "1.5");
    EXPECT_EQ(JobTimeUnit(3s).text(Nanos{7'210}), "7.21 µs");
    EXPECT_EQ(JobTimeUnit(30ms).text(Nanos{}), "0");
    EXPECT_EQ(std::string(JobTimeUnit(30ms).name), "ms");
}

}  // namespace ui_scripts_test
}  // namespace ui
