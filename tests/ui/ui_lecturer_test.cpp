// The tools of lecturers: a tour that was performed is what `switchyard tour` and the window show again; the
// pen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/scripted_window.h"
#include "ui/app/app.h"
#include "ui/view/layouts.h"

namespace ui_lecturer_test {

using namespace ui;

class Window final : public ScriptedWindow {
  public:
    explicit Window(const std::string& scenario) : ScriptedWindow({1366, 768}) {
        app.control().set_wait_without_limit(true);
        EXPECT_TRUE(app.control().open(scenario)) << app.model().error;
        app.view().start = false;
        play("settle\n");
    }
    void record(const std::string& title, const std::string& caption) {
        play(fmt::format(
            "key Shift+F6\nwait 3\ntext \"{}\"\nkey Tab\nwait 2\ntext \"{}\"\nkey Ctrl+Enter\nsettle\n",
            title, caption));
    }
};

// What a stop shows.
struct Seen {
    sim::Nanos time{};
    std::uint64_t events = 0, decisions = 0, switches = 0;
    std::string policy, compared;
    DepthLevel level = DepthLevel::time;
    std::string pane;  // on the tabs
    sim::Nanos range{};
    std::size_t step = 0;  // inside schedule()

    bool operator==(const Seen&) const = default;
};

Seen seen_in(const App& app) {
    const Run& a = *app.model().a;
    const sim::Globals& g = a.session().machine().globals();
    const ViewState& view = app.view();
    return {g.now,
            g.events,
            g.decisions,
            g.switches,
            a.history().policy().spec(),
            app.model().b == nullptr ? "" : app.model().b->history().policy().spec(),
            view.level,
            selected_tab_pane(view),
            view.shown.end - view.shown.begin,
            view.level == DepthLevel::inside ? view.inside_step : 0};
}

// Performs a tour of five stops, and returns what each stop showed.
std::vector<Seen> perform(Window& w) {
    std::vector<Seen> seen;
    const auto record = [&](const std::string& title, const std::string& caption) {
        seen.push_back(seen_in(w.app));
        w.record(title, caption);
        EXPECT_EQ(w.app.overlay(), Overlay::none) << "the stop is recorded";
        EXPECT_EQ(w.app.control().tour_recorder().stops().size(), seen.size());
    };
    w.play("command step.switch.forward\ncommand step.switch.forward\ncommand step.switch.forward\nsettle\n");
    record("After three switches", "The two tasks take turns.");
    w.play(
        "command inside.in\ncommand inside.in\nsettle\nkey Right\nkey Right\nkey Right\ncommand "
        "pane.tasks\nsettle\n");
    EXPECT_EQ(w.app.view().inside_step, 3u);
    record("Inside schedule()", "Line by line.");
    w.play("command inside.out\ncommand inside.out\ncommand step.tick.forward\nsettle\n");
    record("A tick", "A tick that does not switch.");
    w.app.control().navigator().go_to(sim::SeekTarget{.kind = {}, .n = 0, .time = sim::Nanos{5'123'457}});
    w.play("settle\ncommand pane.costs\nsettle\n");
    record("A time", "Between two events.");
    w.app.control().comparison().compare_with("linux-2.0:yield=one_tick");
    w.play("settle\n");
    record("Compared", "With the patch.");
    return seen;
}

TEST(TourRecorder, CommandAndWindowReplayTheSameStops) {
    const ScratchFolder folder;
    const std::string path = folder / "mine.json";
    Window w("yield-processes");
    const std::vector<Seen> seen = perform(w);
    ASSERT_EQ(seen.size(), 5u);
    EXPECT_TRUE(w.app.control().has_unsaved_changes());
    const SaveResult saved = w.app.control().save_as(path, false);
    ASSERT_EQ(saved.outcome, SaveResult::Outcome::saved) << saved.words;
    EXPECT_FALSE(w.app.control().has_unsaved_changes());

    const Finished told = run_program({SWITCHYARD_BINARY, "tour", path, "--format", "json"},
                                      {.folder = folder.path(), .input = {}, .environment = {}});
    ASSERT_EQ(told.exit_code, 0) << told;
    const nlohmann::json stops = nlohmann::json::parse(told.out);
    ASSERT_EQ(stops.size(), seen.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
        SCOPED_TRACE(i);
        EXPECT_EQ(stops[i]["time_ns"], seen[i].time.count());
        EXPECT_EQ(stops[i]["decisions"], seen[i].decisions);
        EXPECT_EQ(stops[i]["switches"], seen[i].switches);
        EXPECT_EQ(stops[i].contains("beside"), !seen[i].compared.empty());
    }
    EXPECT_EQ(stops[0]["title"], "After three switches");
    EXPECT_EQ(stops[4]["caption"], "With the patch.");

    Window again(path);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        SCOPED_TRACE(i);
        again.app.control().tour().go_to_stop(i);
        again.play("settle\n");
        EXPECT_TRUE(seen_in(again.app) == seen[i])
            << seen_in(again.app).time.count() << " " << seen[i].time.count() << "; range "
            << seen_in(again.app).range.count() << " " << seen[i].range.count();
    }
}

TEST(TourRecorder, BoxRemovesContinuesAndDiscards) {
    Window w("yield-processes");
    TourRecorder& recorder = w.app.control().tour_recorder();
    const std::size_t own = w.app.model().a->scenario().tour.size();
    ASSERT_GT(own, 0u);
    EXPECT_TRUE(recorder.can_extend_scenario_tour());
    recorder.extend_scenario_tour();
    EXPECT_FALSE(recorder.can_extend_scenario_tour());
    EXPECT_FALSE(recorder.has_unsaved_stops()) << "nothing is new";
    w.record("One more", "And its caption.");
    EXPECT_EQ(recorder.stops().size(), own + 1);
    w.play("expect \"Recording a tour. Stops so far: " + std::to_string(own + 1) + ".\"\n");
    recorder.remove_last_stop();
    EXPECT_EQ(recorder.stops().size(), own);
    recorder.discard_stops();
    EXPECT_FALSE(w.app.control().has_unsaved_changes());
    w.play("key Shift+F6\nwait 3\nexpect \"1. (new) \"\nkey Escape\nwait 2\n");
    EXPECT_EQ(w.app.overlay(), Overlay::none);
    EXPECT_EQ(recorder.stops().size(), 0u) << "Esc adds nothing";
}

// A recorded tour survives the end of the program without a question, and a later edit of the saved file
// stays.
TEST(TourRecorder, SurvivesACrashAndKeepsLaterEdits) {
    const ScratchFolder folder;
    const std::string draft = folder / "draft", path = folder / "mine.json";
    {
        Window w("two-hogs");
        w.app.use_draft_file(draft);
        w.record("One", "The first stop.");
        w.record("Two", "The second stop.");
    }
    Window again("two-hogs");
    ASSERT_TRUE(again.app.use_draft_file(draft));
    again.app.view().start = false;
    again.play("settle\n");
    ASSERT_EQ(again.app.model().a->scenario().tour.size(), 2u);
    EXPECT_EQ(again.app.model().a->scenario().tour[1].caption, "The second stop.");

    again.record("Three", "The third stop.");
    EXPECT_EQ(again.app.control().tour_recorder().stops().size(), 1u);
    ASSERT_EQ(again.app.control().save_as(path, false).outcome, SaveResult::Outcome::saved);
    EXPECT_TRUE(again.app.control().tour_recorder().stops().empty()) << "they are in the file";
    std::string edited = content_of(path);
    const std::size_t at = edited.find("The third stop.");
    ASSERT_NE(at, std::string::npos);
    edited.replace(at, 15, "Edited elsewhere.");
    folder.write("mine.json", edited);
    again.app.control().reload();
    again.play("settle\n");
    ASSERT_EQ(again.app.control().save_as(path, true).outcome, SaveResult::Outcome::saved);
    EXPECT_NE(content_of(path).find("Edited elsewhere."), std::string::npos);
}

TEST(TourRecorder, StatesWhatAStopCannotContain) {
    Window w("two-hogs");
    TourRecorder& recorder = w.app.control().tour_recorder();
    EXPECT_TRUE(recorder.state_not_in_stop().empty());
    w.record("Start", "Nothing runs yet.");
    w.app.control().set_value("/tasks/0/priority", "10");
    w.play("settle\n");
    ASSERT_EQ(recorder.state_not_in_stop().size(), 1u);
    EXPECT_TRUE(recorder.state_not_in_stop()[0].starts_with("the values at the earlier stops"))
        << recorder.state_not_in_stop()[0];
}

// The notes window shows what the audience does not see: the notes, and what comes next.
TEST(Notes, ShowStopNextStopAndClock) {
    const ScratchFolder folder;
    Window performed("yield-processes");
    perform(performed);
    performed.play(
        "key Shift+F6\nwait 3\ntext \"Last\"\nkey Tab\nwait 2\ntext \"The end.\"\nkey Tab\nwait 2\n"
        "text \"Ask for questions.\"\nkey Ctrl+Enter\nsettle\n");
    const std::string path = folder / "mine.json";
    ASSERT_EQ(performed.app.control().save_as(path, false).outcome, SaveResult::Outcome::saved);

    Window w(path);
    ASSERT_EQ(w.app.view().stop, 0u);
    NotesPage page = notes_page(w.app, "14:05", std::chrono::seconds{754});
    EXPECT_EQ(page.clock, "14:05   12:34 since the notes were opened");
    EXPECT_EQ(page.heading, "1/6  After three switches");
    EXPECT_EQ(page.caption, "The two tasks take turns.");
    EXPECT_EQ(page.next, "Next: 2/6  Inside schedule()\nLine by line.");
    for (int i = 0; i < 5; ++i) w.play("key PageDown\nsettle\n");
    page = notes_page(w.app, "14:06", std::chrono::seconds{0});
    EXPECT_EQ(page.caption, "The end.");
    EXPECT_EQ(page.notes, "Ask for questions.");
    EXPECT_EQ(page.next, "This is the last stop of the tour.");
    EXPECT_EQ(w.app.text().find("Ask for questions."), std::string::npos)
        << "the audience does not see the notes";

    // The second window has its own pixels, and the first one stays as it was.
    w.play("move 1300 700\nsettle\n");
    const auto before = w.backend.screenshot().rgba;
    ASSERT_EQ(w.app.notes_window(), nullptr);
    w.play("key Shift+F9\nsettle\n");
    ASSERT_NE(w.app.notes_window(), nullptr);
    w.app.control().say("");
    w.play("settle\n");
    EXPECT_TRUE(w.backend.screenshot().rgba == before);
    const std::uint64_t events = seen_in(w.app).events;
    w.play("command step.event.forward\nsettle\n");
    EXPECT_EQ(seen_in(w.app).events, events + 1) << "keys work as before";
    w.play("key Shift+F9\nsettle\n");
    EXPECT_EQ(w.app.notes_window(), nullptr);
}

// The pen draws over every pane, moves nothing, and an erased drawing leaves no pixel.
TEST(Pen, DrawsOverPanesAndIsErased) {
    Window w("yield-processes");
    w.play("move 1300 700\nsettle\n");
    const auto before = w.backend.screenshot().rgba;
    const sim::Nanos at = w.app.model().a->now();
    w.play("key Shift+F7\nwait 2\ndrag 300 300 500 320\nsettle\n");
    ASSERT_EQ(w.app.pen_drawing().strokes.size(), 1u);
    EXPECT_FALSE(w.app.pen_drawing().strokes[0].is_marker);
    EXPECT_FALSE(w.app.view().selection) << "a drag over the timeline selects nothing now";
    w.play("key Shift+F7\nwait 2\ndrag 800 200 1200 200\nsettle\n");
    ASSERT_EQ(w.app.pen_drawing().strokes.size(), 2u);
    EXPECT_TRUE(w.app.pen_drawing().strokes[1].is_marker);
    w.play("key Right\nsettle\nkey Left\nsettle\nkey Escape\nmove 1300 700\nsettle\n");
    EXPECT_EQ(w.app.pen_drawing().tool, PenDrawing::Tool::none) << "Esc puts the tool away";
    EXPECT_EQ(w.app.model().a->now(), at) << "keys still step";
    w.app.control().say("");
    w.play("settle\n");
    EXPECT_NE(w.backend.screenshot().rgba, before) << "the drawing stays";
    w.play("key Shift+F8\nsettle\n");
    w.app.control().say("");
    w.play("settle\n");
    EXPECT_TRUE(w.backend.screenshot().rgba == before);
    w.play("drag 300 250 400 250\nsettle\n");
    EXPECT_TRUE(w.app.view().selection) << "the mouse points again";
}

}  // namespace ui_lecturer_test
