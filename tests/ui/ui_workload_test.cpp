// The start screen and the table of jobs, used by keyboard and mouse like a student would.
#include "ui/view/workload.h"

#include <SDL.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/rng.h"
#include "sim/scenario/job_list.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/scripted_window.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/app/overlay_parts.h"
#include "ui/app/start_screen.h"

namespace ui_workload_test {

using namespace ui;
using namespace std::chrono_literals;
using sim::JobField;
using sim::Nanos;

// The window at 1366 x 768 with the start screen.
class Student final : public ScriptedWindow {
  public:
    Student() : ScriptedWindow({1366, 768}) {
        app.control().set_wait_without_limit(true);
        app.open_example_jobs();
        play("settle");
    }

    WorkloadTable table() const { return workload_table(app.model()); }
    const sim::Scenario& scenario() const { return app.model().a->scenario(); }
};

// Places on the start screen at 1366 x 768: the rows of the table, and two columns.
constexpr int kRow[] = {95, 120, 145, 170, 195, 220};
constexpr int kName = 80, kBurst = 290;

std::string click(int x, int row) { return fmt::format("click {} {}\n", x, kRow[row]); }

TEST(StartScreen, ShowsFourJobsAndTheirMeans) {
    Student s;
    const WorkloadTable table = s.table();
    ASSERT_EQ(table.rows.size(), 4u);
    EXPECT_EQ(table.mean_waiting, 11e6);
    EXPECT_EQ(table.mean_turnaround, 17.5e6);
    EXPECT_EQ(s.app.model().a->history().policy().spec(), "rr:quantum=5");
    EXPECT_EQ(s.app.model().a->now(), 0ns);
    s.play(
        "expect \"mean                                                 17.5       11\"\n"
        "expect \"cpu0: A 0 ms to 5 ms, B 5 ms to 9 ms, C 9 ms to 14 ms, D 14 ms to 19 ms, A 19 ms to 22 "
        "ms\"\n");
}

TEST(StartScreen, PlaybackTakesAboutTwentySeconds) {
    Student s;
    s.play("key Space");
    int frames = 0;
    while (s.app.view().playing && frames < 60 * 60) {
        s.app.run_frame(1.0 / 60);
        ++frames;
    }
    EXPECT_FALSE(s.app.view().playing);
    EXPECT_GT(frames, 60 * 10);
    EXPECT_LT(frames, 60 * 40);
}

TEST(StartScreen, MoreShowsAllPanesAndIsRemembered) {
    const ScratchFolder folder;
    const std::string file = folder / "window";
    {
        Student s;
        s.app.use_window_settings_file(file);
        EXPECT_TRUE(s.app.prefers_start_screen());
        s.play(
            "click 1329 18\nsettle\nexpect \"== Timeline\"\nexpect \"== Decision\"\nreject \"== "
            "Workload\"\n");
        EXPECT_FALSE(s.app.view().start);
    }
    Student again;
    again.app.use_window_settings_file(file);
    EXPECT_FALSE(again.app.prefers_start_screen());
    again.play("key F9\nsettle\nexpect \"== Timeline\"\nkey F9\nsettle\nexpect \"== Workload\"\n");
    EXPECT_TRUE(again.app.prefers_start_screen());
}

TEST(Workload, ATableIsEnteredByKeyboardAlone) {
    Student s;
    s.play(click(kName, 0) +
           "wait 2\ntext \"P1\"\nkey Tab\nwait 2\ntext \"2\"\nkey Tab\nwait 2\ntext \"3\"\nkey Tab\nwait "
           "2\ntext \"7\"\n"
           "key Tab\nwait 2\ntext \"P2\"\nkey Enter\nsettle\n");
    const WorkloadTable table = s.table();
    EXPECT_EQ(table.rows[0].name, "P1");
    EXPECT_EQ(table.rows[0].arrival, "2");
    EXPECT_EQ(table.rows[0].burst, "3");
    EXPECT_EQ(table.rows[0].priority, "7");
    EXPECT_EQ(table.rows[1].name, "P2");
    s.play("key Shift+Tab\nwait 2\ntext \"9\"\nkey Enter\nsettle\n");
    EXPECT_EQ(s.table().rows[1].priority, "9") << "back from the name of C to the priority of P2";
}

TEST(Workload, EnterInTheLastRowAddsAJob) {
    Student s;
    s.play(click(kBurst, 3) +
           "wait 2\ntext \"6\"\nkey Enter\nsettle\nwait 3\ntext \"E\"\nkey Tab\nwait 2\ntext \"4\"\n"
           "key Tab\nwait 2\ntext \"2.5\"\nkey Enter\nsettle\n");
    const WorkloadTable table = s.table();
    ASSERT_EQ(table.rows.size(), 5u) << "the empty row is no job";
    EXPECT_EQ(table.rows[3].burst, "6");
    EXPECT_EQ(table.rows[4].name, "E");
    EXPECT_EQ(table.rows[4].arrival, "4");
    EXPECT_EQ(table.rows[4].burst, "2.5");
    s.play("key Esc\nkey Ctrl+Z\nsettle\nexpect \"Undone: new job E\"\n");
    EXPECT_EQ(s.table().rows.size(), 4u) << "a new job is one change";
}

TEST(Workload, AnInvalidNewJobIsMarkedAndCanBeCorrected) {
    Student s;
    s.play(
        click(kName, 4) +
        "wait 2\ntext \"E\"\nkey Tab\nwait 2\ntext \"soon\"\nkey Tab\nwait 2\ntext \"3\"\nkey Enter\nsettle\n"
        "expect \"arrival: expected a time\"\n");
    EXPECT_EQ(s.table().rows.size(), 4u);
    s.play("text \"6\"\nkey Enter\nsettle\n");
    ASSERT_EQ(s.table().rows.size(), 5u) << s.app.text();
    EXPECT_EQ(s.table().rows[4].arrival, "6");
    EXPECT_EQ(s.table().rows[4].burst, "3");
}

TEST(Workload, AnInvalidValueStaysInItsCellAndTheRunStays) {
    Student s;
    const std::uint64_t run = s.app.model().a->id();
    s.play(click(kBurst, 1) +
           "wait 2\ntext \"many\"\nkey Enter\nsettle\n"
           "expect \"burst: expected a time, like 8 (in ms) or 8ms, got 'many'\"\n");
    EXPECT_EQ(s.app.model().a->id(), run);
    EXPECT_EQ(s.table().rows[1].burst, "4");
    s.play(click(kBurst, 1) + "wait 2\ntext \"5\"\nkey Enter\nsettle\nreject \"expected a time\"\n");
    EXPECT_EQ(s.table().rows[1].burst, "5");
    s.play(click(kBurst, 1) + "wait 2\ntext \"77\"\nkey Esc\nsettle\n");
    EXPECT_EQ(s.table().rows[1].burst, "5") << "Esc keeps the value";
}

TEST(Workload, AJobIsRemovedAndBroughtBack) {
    Student s;
    s.play("click 742 120\nsettle\n");
    ASSERT_EQ(s.table().rows.size(), 3u);
    EXPECT_EQ(s.table().rows[1].name, "C");
    s.play("key Ctrl+Z\nsettle\nexpect \"Undone: B removed\"\n");
    EXPECT_EQ(s.table().rows[1].name, "B");
}

// The axis is 1342 pixels wide, a twelfth longer than the run; D's only box ends at 19 ms.
TEST(Workload, EdgesOfTheBoxesAreDragged) {
    Student s;
    const auto x = [](double ms) { return static_cast<int>(12 + 1341 * ms / (26.0 * 13 / 12)); };
    const int y = 590;
    s.play(fmt::format("drag {} {} {} {}\nsettle\n", x(19), y, x(21), y));
    EXPECT_EQ(s.table().rows[3].burst, "7");
    s.play("key Ctrl+Z\nsettle\n");
    EXPECT_EQ(s.table().rows[3].burst, "5") << "a drag is one change";
    s.play("expect \"Undone: burst of D: 7ms\"\n");
    s.play(fmt::format("drag {} {} {} {}\nsettle\n", x(0) + 1, y, x(2) + 1, y));
    EXPECT_EQ(s.table().rows[0].arrival, "2");
}

TEST(Workload, TheHandleIsDragged) {
    Student s;
    s.play("drag 12 546 488 546\nsettle\n");
    EXPECT_EQ(s.app.model().a->now(), 10ms);
    s.play("expect \"C keeps the CPU: C has 4 ms of its slice left. At 9 ms: C runs: it is first\"\n");
    s.play("drag 488 546 441 546\nsettle\n");
    EXPECT_EQ(s.app.model().a->now(), 9ms);
    s.play("expect \"why: B has exited. C runs: \"\nexpect \"cpu0 runs C\"\n");  // B ends at 9 ms
}

TEST(Workload, ATableIsPastedAlsoWhileACellIsTypedIn) {
    Student s;
    s.backend.set_clipboard("Process,Arrival Time,Burst Time\nP1,0,24\nP2,1,3\n");
    s.play("key Ctrl+V\nsettle\nexpect \"Pasted 2 jobs.\"\n");
    ASSERT_EQ(s.table().rows.size(), 2u);
    EXPECT_EQ(s.table().rows[0].burst, "24");
    s.backend.set_clipboard("X 0 1, Y 0 2, Z 0 3");
    s.play(click(kBurst, 0) + "wait 2\nkey Ctrl+V\nsettle\n");
    ASSERT_EQ(s.table().rows.size(), 3u);
    EXPECT_EQ(s.table().rows[2].name, "Z");
    s.backend.set_clipboard("12");
    s.play(click(kBurst, 0) + "wait 2\nkey Ctrl+V\nkey Enter\nsettle\n");
    EXPECT_EQ(s.table().rows[0].burst, "12") << "a single value goes into the cell";
    s.play("key Esc\n");
    s.backend.set_clipboard("no table");
    s.play("key Ctrl+V\nsettle\nexpect \"The clipboard contains no table of jobs\"\n");
    s.play("key Ctrl+Z\nkey Ctrl+Z\nkey Ctrl+Z\nsettle\n");
    EXPECT_EQ(s.table().rows.size(), 4u);
}

TEST(Workload, ADroppedTableIsOpened) {
    const ScratchFolder folder;
    const std::string file = folder.write("jobs.csv", "A;0;8\nB;1;4\n");
    Student s;
    s.play("drop \"" + file + "\"\nsettle\n");
    EXPECT_EQ(s.table().rows.size(), 2u);
    EXPECT_EQ(s.app.model().scenario_name, "jobs");
}

TEST(Workload, ATypedValueIsNotLostByAKeyAndNeverLandsInAnotherCell) {
    const InsideScratchFolder folder;
    Student s;
    s.play(click(kBurst, 0) +
           "wait 2\ntext \"77\"\nwait 2\nkey Ctrl+Q\nwait 2\n"
           "expect \"Save the changes first?\"\nkey Esc\nsettle\n");
    EXPECT_EQ(s.table().rows[0].burst, "77");
    s.play(click(kBurst, 1) + "wait 2\ntext \"55\"\nwait 2\nkey F9\nsettle\nkey F9\nsettle\n");
    EXPECT_EQ(s.table().rows[1].burst, "55");
    s.play(click(kBurst, 2) + "wait 2\ntext \"many\"\nkey Enter\nkey Ctrl+N\nwait 2\n");
    s.app.unsaved_prompt().discard();
    s.play("settle");
    EXPECT_EQ(s.table().rows[2].burst, "9") << "a new table";
    s.play(click(kBurst, 2) + "wait 2\nkey Enter\nsettle\nreject \"expected a time\"\n");
}

TEST(Workload, ANameFromTheClipboardGoesIntoItsCell) {
    Student s;
    s.backend.set_clipboard("Job 1");
    s.play(click(kName, 0) + "wait 2\nkey Ctrl+V\nwait 2\nkey Esc\nsettle\n");
    EXPECT_EQ(s.table().rows.size(), 4u);
}

TEST(Workload, LinksContainTheEditedTable) {
    Student s;
    ASSERT_TRUE(s.app.control().open("two-hogs"));
    s.app.control().add_job({"E", 0ns, 3ms, {}});
    s.app.copy_link();
    EXPECT_FALSE(s.app.control().is_builtin());
    EXPECT_NE(s.backend.clipboard().find("text="), std::string::npos) << s.backend.clipboard();
}

TEST(Workload, HoldingTheQuantumButtonIsOneChange) {
    Student s;
    for (const char* const spec : {"rr:quantum=6", "rr:quantum=7", "rr:quantum=8"})
        s.app.control().set_policy(spec, "quantum");
    s.app.control().undo();
    EXPECT_EQ(s.app.model().a->history().policy().spec(), "rr:quantum=5");
}

TEST(Workload, ReloadingATableSaysThatThereIsNoFile) {
    Student s;
    s.play("key F5\nexpect \"jobs was entered as a table: there is no file to reload.\"\n");
}

TEST(Workload, SavedTablesAreScenarios) {
    const InsideScratchFolder folder;
    Student s;
    s.play(click(kBurst, 0) +
           "wait 2\ntext \"10\"\nkey Enter\nkey Esc\nkey Ctrl+S\nwait 3\n"
           "expect \"the edited workload\"\nkey Enter\nsettle\n");
    ASSERT_TRUE(std::filesystem::exists("jobs-mine.json")) << s.app.text();
    const sim::Scenario saved = sim::load_scenario("./jobs-mine.json");
    EXPECT_EQ(saved.policy, "rr:quantum=5");
    EXPECT_EQ(saved.groups[0].length, 10ms);
    EXPECT_FALSE(s.app.control().has_unsaved_changes());
}

TEST(Workload, ClosingAsksWhetherToSave) {
    const InsideScratchFolder folder;
    {
        Student s;
        s.play("key Ctrl+Q");
        EXPECT_TRUE(s.app.wants_quit()) << "nothing was changed";
    }
    {
        Student s;
        s.play(click(kBurst, 0) +
               "wait 2\ntext \"10\"\nkey Enter\nkey Esc\nkey Ctrl+Q\nwait 2\n"
               "expect \"Not saved yet: the changes to jobs.\"\nkey Esc\n");
        EXPECT_FALSE(s.app.wants_quit());
        EXPECT_EQ(s.app.overlay(), App::Overlay::none);
        s.play(
            "key Ctrl+N\nwait 2\nexpect \"Save the changes first?\"\nkey Esc\n"
            "key Ctrl+Q\nwait 2\nkey Ctrl+Q");
        EXPECT_TRUE(s.app.wants_quit()) << "a second Ctrl+Q discards";
        EXPECT_FALSE(std::filesystem::exists("jobs-mine.json"));
    }
    {
        Student s;
        s.play(click(kBurst, 0) +
               "wait 2\ntext \"10\"\nkey Enter\nkey Esc\nkey Ctrl+Q\nwait 2\nkey Enter\nwait 3\n"
               "key Enter\nwait 3\n");
        EXPECT_TRUE(s.app.wants_quit()) << s.app.text();
        EXPECT_TRUE(std::filesystem::exists("jobs-mine.json"));
    }
}

TEST(Workload, ANewTableAsksFirstAndThenGoesOn) {
    const InsideScratchFolder folder;
    Student s;
    s.play(
        click(kName, 0) +
        "wait 2\ntext \"X\"\nkey Enter\nkey Esc\nkey Ctrl+N\nwait 2\nkey Enter\nwait 3\nkey Enter\nsettle\n");
    EXPECT_TRUE(std::filesystem::exists("jobs-mine.json"));
    EXPECT_EQ(s.table().rows[0].name, "A") << "the new table";
    s.play("key Ctrl+N\nsettle\nreject \"Save the changes first?\"\n");
}

// A task with a program keeps it: the cell describes it and cannot be edited.
TEST(Workload, ProgramsAreDescribed) {
    Student s;
    ASSERT_TRUE(s.app.control().open("two-hogs"));
    s.play("settle\nexpect \"2 steps\"\n");
    EXPECT_FALSE(s.table().rows[0].has_single_burst);
}

TEST(Palette, KnowsTheWordsOfCourses) {
    for (const char* const word : {"new", "table", "round robin", "quantum", "why", "gantt", "starvation",
                                   "csv", "fcfs", "O(1)", "waiting time", "turnaround", "eevdf", "burst"}) {
        Student s;
        s.play(fmt::format("key Ctrl+P\nwait 3\ntext \"{}\"\nwait 2\n", word));
        EXPECT_EQ(s.app.text().find("No command matches."), std::string::npos) << word;
        EXPECT_FALSE(overlays::matching_commands(s.app).empty()) << word;
    }
    Student s;
    s.play("key Ctrl+P\nwait 3\ntext \"shortest remaining\"\nwait 2\nkey Enter\nsettle\n");
    EXPECT_EQ(s.app.model().a->history().policy().spec(), "srtf");
}

// --- the draft ---

TEST(Draft, AnEditedTableComesBackUntilItIsSavedOrDiscarded) {
    const InsideScratchFolder folder;
    const std::string file = folder / "settings/draft";
    {
        Student s;
        EXPECT_FALSE(s.app.use_draft_file(file));
        s.play(click(kBurst, 0) + "wait 2\ntext \"10\"\nkey Enter\nsettle\n");
        s.app.control().set_policy("srtf");
        s.play("settle");
        EXPECT_TRUE(std::filesystem::exists(file));
    }  // ends without a question, like a killed program
    {
        Student s;
        EXPECT_TRUE(s.app.use_draft_file(file));
        EXPECT_EQ(s.table().rows[0].burst, "10");
        EXPECT_EQ(s.app.model().a->history().policy().spec(), "srtf");
        EXPECT_TRUE(s.app.control().has_unsaved_changes());
        s.play("settle\nkey Ctrl+S\nwait 3\nkey Enter\nsettle\n");
        EXPECT_TRUE(std::filesystem::exists("jobs-mine.json")) << s.app.text();
        EXPECT_FALSE(std::filesystem::exists(file)) << "saved";
    }
    {
        Student s;
        EXPECT_FALSE(s.app.use_draft_file(file));
        s.play(click(kBurst, 0) + "wait 2\ntext \"11\"\nkey Enter\nkey Esc\nsettle\n");
        EXPECT_TRUE(std::filesystem::exists(file));
        s.play("key Ctrl+Q\nwait 2\nkey Ctrl+Q");
        EXPECT_FALSE(std::filesystem::exists(file)) << "discarded";
    }
}

TEST(Draft, ADamagedFileIsIgnored) {
    const ScratchFolder folder;
    for (
        const char* const text :
        {"", "{", "{}", R"({"format": "switchyard-draft/1", "file": 1})",
         R"({"format": "switchyard-draft/1", "file": "a.json", "folder": "", "name": "a", "scenario": "{}"})"}) {
        Draft draft(folder.write("draft", text));
        EXPECT_FALSE(draft.read().has_value()) << text;
    }
}

// A program that is killed at any instant leaves the draft of its latest edit, or of the one before.
TEST(Draft, KilledProgramsLoseAtMostTheLastEdit) {
    const ScratchFolder folder;
    const std::string file = folder / "draft";
    std::uint64_t random = 3;
    for (std::size_t round = 0; round < rounds<std::size_t>(100, 100, 10); ++round) {
        int pipe[2];
        ASSERT_EQ(::pipe(pipe), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            Draft draft(file);
            for (std::int64_t edit = 1;; ++edit) {
                const std::vector<sim::ListedJob> jobs{{"A", 0ns, Nanos{edit * 1'000'000}, {}}};
                draft.write({"jobs.json", sim::scenario_of_jobs(jobs), "", "jobs"});
                if (::write(pipe[1], &edit, sizeof edit) != sizeof edit) ::_exit(1);
            }
        }
        ::close(pipe[1]);
        std::int64_t edit = 0;
        ASSERT_EQ(::read(pipe[0], &edit, sizeof edit), ssize_t{sizeof edit});
        ::usleep(static_cast<useconds_t>(sim::random_below(random, 4'000)));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        for (std::int64_t next = 0; ::read(pipe[0], &next, sizeof next) == ssize_t{sizeof next};) edit = next;
        ::close(pipe[0]);
        const std::optional<sim::ScenarioText> text = Draft(file).read();
        ASSERT_TRUE(text.has_value());
        const std::int64_t kept = sim::parse_scenario(*text).groups[0].length.count() / 1'000'000;
        EXPECT_TRUE(kept == edit || kept == edit + 1) << kept << " after " << edit;
    }
}

// --- undo ---

struct Moment {
    std::string text, policy;
    std::vector<std::string> sets;
    Nanos time;
    std::uint64_t events, hash;

    bool operator==(const Moment&) const = default;
};

Moment moment_of(Control& control) {
    const sim::Machine& m = control.model().a->session().machine();
    return {control.source_text().text, control.model().a->history().policy().spec(),
            control.model().sets,       m.globals().now,
            m.globals().events,         m.hash()};
}

// One random edit, policy change, option or value. Returns whether something changed.
bool change_something(Control& control, std::uint64_t& random) {
    const Moment before = moment_of(control);
    const auto draw = [&](std::uint64_t n) { return sim::random_below(random, n); };
    const sim::Scenario& scenario = control.model().a->scenario();
    const std::size_t groups = scenario.groups.size();
    const std::size_t group = groups == 0 ? 0 : draw(groups);
    constexpr const char* kPolicies[] = {"fcfs", "rr:quantum=3", "rr:quantum=7", "sjf",
                                         "srtf", "linux-2.0",    "linux-6.6",    "mlfq"};
    try {
        switch (draw(8)) {
            case 0:
                control.set_policy(kPolicies[draw(std::size(kPolicies))]);
                break;
            case 1:
                if (groups < 5) control.add_job({sim::unused_job_name(scenario), Nanos{0}, 1ms, {}});
                break;
            case 2:
                if (groups > 1) control.remove_job(group);
                break;
            case 3:
                control.edit_field(group, JobField::arrival, fmt::format("{}", draw(8)));
                break;
            case 4:
                control.edit_field(group, JobField::burst, fmt::format("{}", draw(5)));
                break;
            case 5:
                control.edit_field(group, JobField::priority, fmt::format("{}", draw(45)));
                break;
            case 6:
                control.set_value("/machine/hz", fmt::format("{}", 100 + draw(200)));
                break;
            default:
                control.edit_field(group, JobField::name, fmt::format("T{}", draw(40)));
        }
    } catch (const sim::ScenarioError&) {  // refused; nothing may have changed
        EXPECT_EQ(moment_of(control), before);
        return false;
    }
    control.end_change_series();
    const Moment after = moment_of(control);
    return after.text != before.text || after.policy != before.policy || after.sets != before.sets;
}

TEST(Undo, RestoresTextPolicyAndPositionOfAThousandChanges) {
    Student s;
    Control& control = s.app.control();
    std::uint64_t random = 11;
    std::vector<Moment> before, after;
    while (before.size() < rounds<std::size_t>(1'000, 1'000, 100)) {
        control.navigator().seek(Nanos{static_cast<std::int64_t>(sim::random_below(random, 15'000'000))});
        const Moment now = moment_of(control);
        if (!change_something(control, random)) continue;
        before.push_back(now);
        after.push_back(moment_of(control));
    }
    for (std::size_t i = before.size(); i-- > 0;) {
        control.undo();
        ASSERT_EQ(moment_of(control), before[i]) << i << " " << control.model().message;
    }
    control.undo();
    EXPECT_EQ(control.model().message, "There is nothing to undo.");
    for (std::size_t i = 0; i < after.size(); ++i) {
        control.redo();
        ASSERT_EQ(moment_of(control).text, after[i].text) << i;
        ASSERT_EQ(moment_of(control).policy, after[i].policy) << i;
    }
}

// --- exercises ---

// The tables of textbooks, pasted, give the means that the books or the recorded solutions state.
TEST(Exercises, PastedTablesGiveTheMeansOfTheBooks) {
    std::ifstream in(SWITCHYARD_SOURCE_DIR "/tests/textbook/textbook-tables.json");
    const nlohmann::json all = nlohmann::json::parse(in);
    Student s;
    std::size_t checked = 0;
    for (const nlohmann::json& t : all.at("tables")) {
        const std::string policy = t.at("policy");
        const nlohmann::json& params = t.at("params");
        std::string spec = policy;
        if (policy == "rr") spec += fmt::format(":quantum={}", params.at("quantum").get<int>());
        const bool is_plain =
            (policy == "fcfs" || policy == "rr" || policy == "sjf" || policy == "srtf" || policy == "hrrn") &&
            !params.contains("idle_until");
        if (!is_plain || t.at("unit") != "1" || !t.at("computed").contains("mean_waiting")) continue;
        SCOPED_TRACE(t.at("id").get<std::string>());
        std::string cells = "job\tarrival\tburst\n";
        for (const nlohmann::json& p : t.at("processes"))
            cells += fmt::format("{}\t{}\t{}\n", p.at("name").get<std::string>(), p.at("arrival").dump(),
                                 p.at("service").dump());
        s.backend.set_clipboard(cells);
        s.play("key Ctrl+V\nsettle\n");
        s.app.control().set_policy(spec);
        s.play("settle");
        const WorkloadTable table = s.table();
        ASSERT_TRUE(table.mean_waiting.has_value());
        EXPECT_NEAR(*table.mean_waiting / 1e6, t.at("computed").at("mean_waiting").get<double>(), 0.0001);
        ++checked;
    }
    EXPECT_GE(checked, 15u);
}

}  // namespace ui_workload_test
