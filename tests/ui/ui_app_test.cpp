// Tests of the entire window without a display. Keys and mouse are SDL events; pictures and text are
// compared.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <SDL.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/app/script_host.h"
#include "ui/platform/png.h"
#include "ui/platform/script.h"
#include "ui/view/presentation.h"
#include "ui/view/speeds.h"
#include "ui/view/tabs.h"

namespace ui {
namespace ui_app_test {

namespace fs = std::filesystem;
using sim::Nanos;
using namespace std::chrono_literals;

// Slow builds test only every 9th case.
constexpr std::size_t kStride = kManyRounds ? 1 : 9;

const std::vector<std::string>& scenarios() {
    static const std::vector<std::string> names = sim::builtin_file_names("");
    return names;
}

std::string content_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    ASSERT_TRUE(out) << path;
}

std::string scenario_json(const std::string& tasks, const std::string& until = "1s") {
    return fmt::format(
        R"({{"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", {}"tasks": [{}]}})",
        until.empty() ? "" : fmt::format(R"("until": "{}", )", until), tasks);
}

using Folder = ScratchFolder;

Uint16 modifiers(const Chord& chord) {
    return static_cast<Uint16>((chord.ctrl ? KMOD_LCTRL : 0) | (chord.shift ? KMOD_LSHIFT : 0) |
                               (chord.alt ? KMOD_LALT : 0));
}

// The window program without its main().
class Window final : public AppInputScriptHost {
  public:
    explicit Window(const std::string& scenario = "two-hogs", Size size = {1000, 640})
        : AppInputScriptHost(app), backend(Backend::headless(size)), app(backend) {
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
        app.control().set_wait_without_limit(true);
        if (!scenario.empty()) {
            EXPECT_TRUE(app.control().open(scenario)) << app.model().error;
        }
        settle();
    }

    void frames(int n = 1) {
        for (int i = 0; i < n; ++i) app.run_frame(1.0 / 60);
    }
    // Draws frames until the window no longer changes. Returns false if it does not stop changing.
    bool settle() {
        frames(2);
        // Like the program, draws a few more frames before it waits.
        for (int i = 0, idle = 0; i < 600; ++i) {
            idle = app.is_busy() || backend.wants_frame() ? 0 : idle + 1;
            if (idle > 3) return true;
            app.run_frame(1.0 / 60);
        }
        return false;
    }

    // Presses and releases a key `times` within one frame.
    void push(const std::string& key, int times = 1) {
        const std::optional<Chord> chord = parse_chord(key);
        ASSERT_TRUE(chord) << key;
        push(*chord, times);
    }
    static void push(const Chord& chord, int times = 1) {
        for (int i = 0; i < times; ++i) {
            for (const bool down : {true, false}) {
                SDL_Event event{};
                event.type = down ? SDL_KEYDOWN : SDL_KEYUP;
                event.key.state = down ? SDL_PRESSED : SDL_RELEASED;
                event.key.keysym.scancode = chord.key;
                event.key.keysym.sym = SDL_GetKeyFromScancode(chord.key);
                event.key.keysym.mod = modifiers(chord);
                SDL_PushEvent(&event);
            }
        }
        // Releases the modifier keys, too.
        SDL_Event event{};
        event.type = SDL_KEYUP;
        event.key.keysym.scancode = SDL_SCANCODE_LSHIFT;
        SDL_PushEvent(&event);
    }
    void key(const std::string& key, int times = 1) {
        push(key, times);
        frames(2);
    }
    void keys(const std::vector<std::string>& all) {
        for (const std::string& one : all) key(one);
    }

    // Plays statements of an input script. Returns the failures.
    std::string play(const std::string& script) {
        InputScriptPlayer player(parse_input_script(script, "script"), *this, printed);
        while (player.push_next_frame()) app.run_frame(1.0 / 60);
        std::string failures;
        for (const sim::Problem& problem : player.failures()) failures += problem.text() + "\n";
        return failures;
    }
    void type(const std::string& text) { EXPECT_EQ(play(fmt::format("text \"{}\"", text)), ""); }
    void click(ImVec2 at, const std::string& how = "") {
        EXPECT_EQ(play(fmt::format("click {:.0f} {:.0f} {}", at.x, at.y, how)), "");
    }
    void drag(ImVec2 from, ImVec2 to, const std::string& how = "") {
        EXPECT_EQ(play(fmt::format("drag {:.0f} {:.0f} {:.0f} {:.0f} {}", from.x, from.y, to.x, to.y, how)),
                  "");
    }
    void drop(const std::string& path) { EXPECT_EQ(play(fmt::format("drop \"{}\"", path)), ""); }

    // The rectangle of a pane in the window; empty if it is not shown.
    ImRect place(const std::string& pane) const {
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
            if (window->Active &&
                std::string(window->Name).find("switchyard/" + pane + "_") != std::string::npos &&
                window->ParentWindow == window->RootWindow)
                return window->Rect();
        return {0, 0, 0, 0};
    }

    std::vector<std::uint8_t> picture() const { return backend.screenshot().rgba; }
    const sim::Machine& machine() const { return app.model().a->session().machine(); }
    Nanos now() const { return app.model().a->now(); }
    bool says(const std::string& words) { return app.text().find(words) != std::string::npos; }

    // Everything that a command can change, as text for comparisons.
    std::string state() {
        const ViewState& v = app.view();
        std::string all = app.text() + backend.clipboard();
        if (app.model().a != nullptr)
            all += fmt::format("{} {} {}", machine().hash(), now().count(), app.model().sets.size());
        all += fmt::format("{} {} {} ", v.bookmarks.size(), v.cursor_a.has_value(), v.cursor_b.has_value());
        all += fmt::format("{} {} {} {} {} ", v.show_mms, v.cpu, v.presenting, v.blank, v.show_toolbar) +
               fmt::format("{} {} {} {} ", v.show_what_if, v.show_hints, static_cast<int>(v.layout),
                           v.band_page);
        return all + fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", v.shown.begin.count(),
                                 v.shown.end.count(), static_cast<int>(v.level), v.inside_step, v.show_marks,
                                 v.show_depth, v.alone, static_cast<int>(v.tab), v.reduce_motion,
                                 v.predicting, v.selection.has_value(), v.task.value_or(0), app.theme().name,
                                 app.scale(), app.wants_quit());
    }

    Backend backend;
    App app;
    std::ostringstream printed;
};

std::size_t pixels_that_differ(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
    if (a.size() != b.size()) return a.size();
    std::size_t n = 0;
    for (std::size_t i = 0; i + 4 <= a.size(); i += 4) n += !std::equal(&a[i], &a[i] + 4, &b[i]);
    return n;
}

// Saves both pictures of a failed comparison to the directory in SWITCHYARD_KEEP.
void keep(const Window& w, const std::vector<std::uint8_t>& before, const std::string& name) {
    const char* folder = std::getenv("SWITCHYARD_KEEP");
    if (folder == nullptr) return;
    const Image after = w.backend.screenshot();
    write_png(fmt::format("{}/{}-after.png", folder, name), after);
    write_png(fmt::format("{}/{}-before.png", folder, name), {after.width, after.height, before});
}

// --- back and forth ---

struct Stepping {
    const char* name;
    std::vector<const char*> before;  // keys that enter the level
    const char* forth;
    const char* back;
};
const Stepping kSteppings[] = {
    {"event", {}, "Right", "Left"},
    {"switch", {"I"}, "Right", "Left"},
    {"line", {"I", "I"}, "Right", "Left"},
    {"switch-shift", {}, "Shift+Right", "Shift+Left"},
    {"decision", {}, "Ctrl+Right", "Ctrl+Left"},
    {"decision-in-switch", {"I"}, "Ctrl+Right", "Ctrl+Left"},
    {"event-e", {}, "E", "Shift+E"},
    {"yield", {}, "Y", "Shift+Y"},
    {"recalculation", {}, "R", "Shift+R"},
    {"tick", {}, "T", "Shift+T"},
    {"switch-inside", {"I", "I"}, "Shift+Right", "Shift+Left"},
};

class BackwardSteps : public testing::TestWithParam<std::string> {};

// After n steps forward and n steps back, machine and picture are the same.
TEST_P(BackwardSteps, RestoreStateAndPicture) {
    // Tests only some kinds of steps, and different ones for each scenario, because opening the 17 hours of
    // web-server takes a second.
    const bool is_long = GetParam() == "web-server";
    if (is_long && !kOptimised) GTEST_SKIP() << "takes long in a build that is not optimised";
    const std::size_t stride = (is_long ? 3U : 1U) * rounds(2U, 9U, 11U);
    std::size_t i = is_long ? 0 : GetParam().size();
    for (const Stepping& how : kSteppings) {
        if (i++ % stride != 0) continue;
        Window w(GetParam());
        // The first step is not compared: the test must start where a step of this kind ends.
        for (const char* key : how.before) w.key(key);
        w.key(how.forth);
        for (const bool close : {false, true}) {
            if (close) {
                for (int zoom = 0; zoom < 6; ++zoom) w.push("W");
                w.settle();
            }
            for (const int n : {1, 5, 40}) {
                if (close && n == 5) continue;
                SCOPED_TRACE(fmt::format("{} {} {}{}", GetParam(), how.name, n, close ? " close" : ""));
                w.app.control().say("");
                ASSERT_TRUE(w.settle());
                const std::uint64_t hash = w.machine().hash();
                const Nanos now = w.now();
                const auto picture = w.picture();
                const std::string text = w.window_text();
                const TimeRange shown = w.app.view().shown;
                if (n <= 5) {
                    for (int step = 0; step < n; ++step) w.key(how.forth);
                } else {
                    w.push(how.forth, n);
                }
                ASSERT_TRUE(w.settle());
                const bool at_end =
                    w.says("This is the end of the run.") || w.now() >= w.app.model().a->end();
                if (n <= 5) {
                    for (int step = 0; step < n; ++step) w.key(how.back);
                } else {
                    w.push(how.back, n);
                }
                w.app.control().say("");
                ASSERT_TRUE(w.settle());
                if (at_end) continue;  // near the end of the run there are fewer steps forward than back
                EXPECT_EQ(w.machine().hash(), hash);
                EXPECT_EQ(w.now(), now);
                EXPECT_EQ(w.app.view().shown, shown);
                EXPECT_EQ(w.window_text(), text);
                const std::size_t other = pixels_that_differ(w.picture(), picture);
                EXPECT_EQ(other, 0u);
                if (other > 0) keep(w, picture, fmt::format("{}-{}-{}-{}", GetParam(), how.name, n, close));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, BackwardSteps, testing::ValuesIn(scenarios()), name_of_parameter);

TEST(StepCommand, ReachesEndAndReturnsToBeginning) {
    const Folder folder;
    const std::string path = folder.write(
        "short.json",
        scenario_json(
            R"({"name": "a", "count": 3, "program": [{"loop": 3, "steps": ["yield", {"run": "1ms"}]}]})",
            ""));
    for (const Stepping& how : kSteppings) {
        SCOPED_TRACE(how.name);
        Window w(path);
        w.key("Home");
        for (const char* key : how.before) w.key(key);
        w.app.control().say("");
        ASSERT_TRUE(w.settle());
        const auto picture = w.picture();
        int steps = 0;
        for (; steps < 1000 && !w.says("This is the end of the run."); ++steps) w.key(how.forth);
        ASSERT_LT(steps, 1000);
        for (int i = 0; i + 1 < steps; ++i) w.key(how.back);
        EXPECT_EQ(w.now(), 0ns);
        EXPECT_FALSE(w.says("This is the start of the run."));
        ASSERT_TRUE(w.settle());
        const std::size_t other = pixels_that_differ(w.picture(), picture);
        EXPECT_EQ(other, 0u);
        if (other > 0) keep(w, picture, fmt::format("short-{}", how.name));
        w.key(how.back);
        EXPECT_TRUE(w.says("This is the start of the run."));
    }
}

TEST(StepCommand, ShownRangeDependsOnPositionOnly) {
    Window w("yield-processes");
    const TimeRange home = w.app.view().shown;
    std::vector<TimeRange> shown;
    for (int i = 0; i < 60; ++i) {
        shown.push_back(w.app.view().shown);
        EXPECT_TRUE(shown.back().contains(w.now())) << i;
        w.push("Shift+Right");
        w.frames();
    }
    EXPECT_NE(shown.back(), home);
    for (int i = 59; i >= 0; --i) {
        w.push("Shift+Left");
        w.frames();
        EXPECT_EQ(w.app.view().shown, shown[static_cast<std::size_t>(i)]) << i;
    }
    EXPECT_EQ(w.app.view().shown, home);
}

// --- the table of commands ---

struct State {
    const char* name;
    std::function<void(Window&)> make;
};

const State kStates[] = {
    {"at the start", [](Window&) {}},
    {"at the beginning", [](Window& w) { w.key("Home"); }},
    {"at the end", [](Window& w) { w.key("End"); }},
    {"playing", [](Window& w) { w.key("Space"); }},
    {"comparing", [](Window& w) { w.key("C"); }},
    {"comparing at the end",
     [](Window& w) {
         w.keys({"C", "End"});
     }},
    {"inside",
     [](Window& w) {
         w.keys({"I", "I", "Right"});
     }},
    {"inside at the beginning",
     [](Window& w) {
         w.keys({"I", "I", "Home"});
     }},
    {"predicting", [](Window& w) { w.key("P"); }},
    {"one pane", [](Window& w) { w.key("F11"); }},
    {"help", [](Window& w) { w.key("F1"); }},
    {"palette", [](Window& w) { w.key("Ctrl+P"); }},
    {"picker", [](Window& w) { w.key("Ctrl+O"); }},
    {"go to", [](Window& w) { w.key("G"); }},
    {"save", [](Window& w) { w.key("Ctrl+S"); }},
    {"error", [](Window& w) { w.app.control().open("/nowhere/at-all.json"); }},
    {"marked",
     [](Window& w) {
         w.keys({"B", "Q", "Ctrl+A", "Down"});
     }},
};

// Expects that the position is in the run, and that the visible range does not end before it begins.
void expect_position_in_run(const Window& w) {
    if (w.app.model().a == nullptr) return;
    EXPECT_GE(w.now(), 0ns);
    EXPECT_LE(w.now(), w.app.model().a->end() + 1ns);
    EXPECT_LE(w.app.view().shown.begin, w.app.view().shown.end);
}

class EveryCommand : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryCommand, RunsInEveryState) {
    const State& state = kStates[GetParam()];
    const Folder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    std::size_t i = static_cast<std::size_t>(GetParam());  // each state tests other commands
    // A short run that opens quickly.
    std::string text = content_of(SWITCHYARD_SOURCE_DIR "/scenarios/yield-processes.json");
    text.replace(text.find("\"until\": \"2s\""), 13, "\"until\": \"20ms\"");
    const std::string path = folder.write("short.json", text);
    for (const char* scenario : {path.c_str(), ""}) {
        Window w(scenario, {640, 480});
        const std::size_t count = w.app.commands().all().size();
        ASSERT_GT(count, 50u);
        for (std::size_t n = 0; n < count; ++n) {
            if (i++ % rounds(1u, 9u, 17u) != 0) continue;
            const Command& command = w.app.commands().all()[n];
            SCOPED_TRACE(fmt::format("{}: {} with '{}'", state.name, command.id, scenario));
            const auto again = [&] {
                w.app.show_overlay(App::Overlay::none);
                w.app.control().comparison().end();
                w.app.view() = {};
                w.app.set_scale(1);
                if (*scenario != '\0') {
                    ASSERT_TRUE(w.app.control().open(scenario));
                }
                w.frames(2);
                state.make(w);
            };
            // Runs the command directly if a text box has the keyboard or the command has no key.
            if (command.keys.empty() || w.app.overlay() != App::Overlay::none) {
                again();
                command.run(w.app);
                w.frames(2);
                expect_position_in_run(w);
            }
            for (const Chord& chord : command.keys) {
                again();
                Window::push(chord);
                w.frames(2);
                expect_position_in_run(w);
            }
        }
    }
    fs::current_path(before);
}

INSTANTIATE_TEST_SUITE_P(States, EveryCommand, testing::Range(std::size_t{0}, std::size(kStates)),
                         [](const auto& state) { return test_name(kStates[state.param].name); });

TEST(Commands, EachKeyChangesVisibleState) {
    const Folder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    // Keys that the test presses before it runs a command.
    const std::map<std::string, std::vector<std::string>> first{
        {"inside.out", {"I"}},
        {"view.back", {"W", "F"}},
        {"view.forward", {"F", "Alt+Left"}},
        {"view.left", {"End", "Z"}},
        {"view.right", {"Home", "Z"}},
        {"view.fit_selection", {"Ctrl+A", "F"}},
        {"view.position", {"F"}},
        {"layout.lecture", {"Shift+2"}},
        {"speed.down", {"."}},
        {"view.deselect", {"Ctrl+A"}},
        {"view.task_up", {"Down", "Down"}},
        {"view.zoom_out", {"W", "W"}},
        {"mark.next", {"B", "Home"}},
        {"mark.previous", {"B", "End"}},
        {"compare.next", {"C"}},
        {"pane.switch", {"2"}},
        {"scale.reset", {"Ctrl+="}},
        {"undo", {}},
        {"redo", {"Ctrl+Z"}},
        {"present.blank", {"Shift+F5"}},
        {"present.toolbar", {"Shift+F5"}},
    };
    for (const auto& [id, unused] : first) {
        const Window w;
        EXPECT_NE(w.app.commands().find(id), nullptr) << id;
    }
    Window w("yield-processes", {1280, 800});
    const std::size_t count = w.app.commands().all().size();
    for (std::size_t n = 0; n < count; ++n) {
        const Command& command = w.app.commands().all()[n];
        // needs a real window; tested below
        if (command.id == "fullscreen" || command.id == "quit") continue;
        if (n % kStride != 0 && command.id != "picture") continue;
        SCOPED_TRACE(command.id);
        EXPECT_TRUE(!command.keys.empty() || command.id == "motion" || command.id == "lessons");
        for (std::size_t k = 0; k < std::max<std::size_t>(1, command.keys.size()); ++k) {
            w.app.show_overlay(App::Overlay::none);
            w.app.view() = {};
            w.app.set_scale(1);
            w.app.set_theme("dark");
            ASSERT_TRUE(w.app.control().open("yield-processes"));
            if (command.id == "reset" || command.id == "undo" || command.id == "redo")
                w.app.control().set_value("/tasks/0/count", "4");
            w.frames(2);
            if (const auto keys = first.find(command.id); keys != first.end()) w.keys(keys->second);
            const std::string was = w.state();
            if (command.keys.empty())
                command.run(w.app);
            else
                Window::push(command.keys[k]);
            w.frames(2);
            EXPECT_NE(w.state(), was);
            EXPECT_EQ(w.app.model().error, "");
        }
    }
    EXPECT_FALSE(w.app.wants_quit());
    EXPECT_TRUE(fs::exists("switchyard-001.png"));
    w.key("Ctrl+Q");
    EXPECT_TRUE(w.app.wants_quit());
    fs::current_path(before);
}

TEST(Commands, KeysAreUniqueAndListedInHelp) {
    Window w;
    std::map<std::string, std::string> owner;
    w.key("F1");
    for (const Command& command : w.app.commands().all()) {
        std::string keys;
        for (const Chord& chord : command.keys) keys += (keys.empty() ? "" : ", ") + display_name(chord);
        EXPECT_TRUE(w.says(fmt::format("{:<18} {:<14} {}\n", keys, command.group, command.title)))
            << command.id;
        for (const Chord& chord : command.keys) {
            const auto [at, is_new] = owner.emplace(to_string(chord), command.id);
            EXPECT_TRUE(is_new) << to_string(chord) << ": " << command.id << " and " << at->second;
        }
    }
}

// --- other keys ---

TEST(KeyFile, RebindsCommands) {
    const Folder folder;
    Window w;
    w.app.use_key_bindings_file(folder.write(
        "keys", "# mine\nplay = X, Ctrl+X\nstep.forward = ,\nspeed.down = Keypad ,, Keypad +, Ctrl+,\n"));
    EXPECT_EQ(w.app.model().error, "");
    w.key("Space");
    EXPECT_FALSE(w.app.view().playing);
    w.key("X");
    EXPECT_TRUE(w.app.view().playing);
    w.key("Ctrl+X");
    EXPECT_FALSE(w.app.view().playing);
    const std::uint64_t events = w.machine().globals().events;
    w.key(",");
    EXPECT_EQ(w.machine().globals().events, events + 1);
    EXPECT_EQ(w.app.commands().find("speed.down")->keys.size(), 3u);
    const std::size_t speed = w.app.view().speed;
    w.key("Ctrl+,");
    EXPECT_EQ(w.app.view().speed, speed - 1);
    w.key("Keypad +");
    EXPECT_EQ(w.app.view().speed, speed - 2);
}

TEST(KeyFile, ReportsInvalidLinesAndAppliesOthers) {
    const Folder folder;
    const std::string path =
        folder.write("keys", "plai = X\nplay = Hyper+X\n\nstep.back\nspeed.up = Ctrl+U\nhelp =\n");
    Window w;
    w.app.use_key_bindings_file(path);
    w.settle();
    const std::string& error = w.app.model().error;
    EXPECT_NE(error.find(path), std::string::npos) << error;
    EXPECT_NE(error.find("line 1: unknown command 'plai'; did you mean"), std::string::npos) << error;
    EXPECT_NE(error.find("line 2: 'Hyper+X' is not a key"), std::string::npos) << error;
    EXPECT_NE(error.find("line 4: expected"), std::string::npos) << error;
    w.key("Esc");
    EXPECT_EQ(w.app.model().error, "");
    const std::size_t speed = w.app.view().speed;
    w.key("Ctrl+U");
    EXPECT_EQ(w.app.view().speed, speed + 1);
    w.key("F1");  // the key file removed this key
    EXPECT_EQ(w.app.overlay(), App::Overlay::none);
}

TEST(KeyFile, MissingIsIgnoredAndBinaryIsReported) {
    const Folder folder;
    Window w;
    w.app.use_key_bindings_file(folder / "none");
    EXPECT_EQ(w.app.model().error, "");
    w.app.use_key_bindings_file(folder.path().string());
    w.app.use_key_bindings_file(folder.write("binary", std::string("\0\1\2=\xff\xfe\n", 7)));
    EXPECT_NE(w.app.model().error.find("line 1"), std::string::npos);
    w.settle();
    EXPECT_TRUE(w.says("binary"));
}

TEST(HelpBox, RebindsCommandAndKeepsKey) {
    const Folder folder;
    const std::string path = folder / "new/folder/keys";
    {
        Window w;
        w.app.use_key_bindings_file(path);
        w.key("F1");
        // The first key in the list belongs to the first command, "play". The position of this key is found
        // by clicking.
        for (float y = 100; y < 300 && w.app.rebinding_command().empty(); y += 8)
            for (float x = 80; x < 200 && w.app.rebinding_command().empty(); x += 24) w.click({x, y});
        ASSERT_NE(w.app.rebinding_command(), "");
        const std::string id = w.app.rebinding_command();
        EXPECT_EQ(w.app.overlay(), App::Overlay::help);
        w.key("Ctrl+Shift+F5");
        EXPECT_EQ(w.app.rebinding_command(), "");
        EXPECT_EQ(w.app.overlay(), App::Overlay::help);
        EXPECT_EQ(content_of(path), id + " = Ctrl+Shift+F5\n");
        w.app.start_rebinding("theme");
        w.key("Esc");  // cancels
        EXPECT_EQ(w.app.overlay(), App::Overlay::help);
        EXPECT_EQ(w.app.rebinding_command(), "");
        w.app.start_rebinding("theme");
        w.key("F7");
        w.app.start_rebinding("inside.out");
        w.key("X");
        w.key("Esc");  // closes the list, even if bound to a command
        EXPECT_EQ(w.app.overlay(), App::Overlay::none);
        const std::string theme = w.app.theme().name;
        w.key("F7");
        EXPECT_NE(w.app.theme().name, theme);
        // Closing the box also stops waiting for a key.
        w.key("F1");
        w.app.start_rebinding("theme");
        w.click({2, 300});
        EXPECT_EQ(w.app.overlay(), App::Overlay::none);
        EXPECT_EQ(w.app.rebinding_command(), "");
    }
    Window w;
    w.app.use_key_bindings_file(path);
    EXPECT_EQ(w.app.model().error, "");
    const std::string theme = w.app.theme().name;
    w.key("F7");
    EXPECT_NE(w.app.theme().name, theme);
    // If the file cannot be written, the key remains valid until the program exits.
    w.app.use_key_bindings_file("/proc/no/such/keys");
    w.app.start_rebinding("help");
    w.key("F8");
    EXPECT_TRUE(w.says("cannot be written"));
    w.key("F8");
    EXPECT_EQ(w.app.overlay(), App::Overlay::help);
}

// --- all panes and themes ---

TEST(Pictures, PanesRenderRepeatablyInAllThemes) {
    const std::vector<Size> sizes{{1280, 800}, {640, 480}, {320, 240},  {1920, 1080},
                                  {640, 480},  {320, 240}, {3840, 2160}};
    // Each scenario is first simulated to its end.
    std::vector<std::string> names =
        kManyRounds ? scenarios() : std::vector<std::string>{"yield-processes", "token-pipe", "lazy-tlb"};
    names.emplace_back("");
    std::size_t i = 0, seen = 0;
    Window w("", sizes[0]);
    for (const std::string& name : names) {
        if (!name.empty()) {
            ASSERT_TRUE(w.app.control().open(name));
        }
        for (const Theme& theme : themes()) {
            for (const float scale : {0.75F, 1.0F, 1.5F, 3.0F}) {
                for (const Panel& panel : panels()) {
                    // Tests only some of all combinations of scenario, theme, scale and pane. The stride 23
                    // is coprime to the number of each of these, so that each pane occurs in each size.
                    // Slow builds still test each pane.
                    if (i++ % (kManyRounds ? 23 : 29) != 0) continue;
                    const Size size = sizes[seen++ % sizes.size()];
                    SCOPED_TRACE(fmt::format("{} {} {} {} {}x{}", name, theme.name, scale, panel.id,
                                             size.width, size.height));
                    w.app.set_theme(theme.name);
                    w.app.set_scale(scale);
                    w.backend.resize(size);
                    w.app.view().alone = panel.id;
                    ASSERT_TRUE(w.settle());
                    const auto picture = w.picture();
                    ASSERT_EQ(picture.size(), static_cast<std::size_t>(size.width * size.height) * 4);
                    std::set<std::uint32_t> colours;
                    for (std::size_t p = 0; p + 4 <= picture.size() && colours.size() <= 3; p += 4)
                        colours.insert(std::uint32_t{picture[p]} | std::uint32_t{picture[p + 1]} << 8U |
                                       std::uint32_t{picture[p + 2]} << 16U);
                    EXPECT_GT(colours.size(), 3u);
                    w.frames(2);
                    const std::size_t other = pixels_that_differ(w.picture(), picture);
                    EXPECT_EQ(other, 0u);
                    if (other > 0) keep(w, picture, fmt::format("{}-{}", panel.id, scale));
                    EXPECT_NE(panel.text(w.app.model(), w.app.view()), "");
                }
            }
        }
    }
    EXPECT_GT(seen, kManyRounds ? 100u : 10u);
}

TEST(Pictures, NoCellOfCostsIsCut) {
    for (const Size size : {Size{1366, 768}, {800, 600}, {1280, 720}}) {
        for (const char* policy : {"", "sorted-queue"}) {
            SCOPED_TRACE(fmt::format("{}x{} {}", size.width, size.height, policy));
            Window w("yield-processes", size);
            show_tab(w.app.view(), Tab::costs);
            w.app.view().narrow_tab = "costs";
            if (*policy != 0) w.app.control().comparison().compare_with(policy);
            ASSERT_TRUE(w.settle());
            ImGuiContext& context = *ImGui::GetCurrentContext();
            std::size_t cells = 0;
            for (int i = 0; i < context.Tables.GetMapSize(); ++i) {
                const ImGuiTable* table = context.Tables.TryGetMapData(i);
                if (table == nullptr || table->LastFrameActive < context.FrameCount) continue;
                for (int c = 0; c < table->ColumnsCount; ++c) {
                    const ImGuiTableColumn& column = table->Columns[c];
                    if (std::string_view(table->InnerWindow->Name).find("costs") == std::string_view::npos)
                        continue;
                    EXPECT_LE(column.ContentMaxXUnfrozen, column.ClipRect.Max.x + 1) << c;
                    ++cells;
                }
            }
            EXPECT_GE(cells, 6u);
        }
    }
}

// The table is next to the code and below the choice between search and recalculation.
TEST(Pictures, RecalculationTableUsesAvailableHeight) {
    Window w("yield-processes", {1366, 768});
    w.app.set_theme("projector");
    w.app.show_pane_alone("decision");
    w.app.view().prefers_recalculation = true;
    ASSERT_TRUE(w.settle());
    const auto& windows = ImGui::GetCurrentContext()->Windows;
    const auto refill = std::find_if(windows.begin(), windows.end(), [](const ImGuiWindow* window) {
        return window->Active && std::string_view(window->Name).find("/refill") != std::string_view::npos;
    });
    ASSERT_NE(refill, windows.end());
    EXPECT_GT((*refill)->Pos.x, 1366 / 2);
    EXPECT_GT((*refill)->Size.y, 8 * ImGui::GetTextLineHeight());
}

TEST(Window, F11EnlargesPaneAndRestoresScale) {
    Window w("yield-processes", {1366, 768});
    w.app.view().layout = WindowLayout::kernel;
    w.settle();
    EXPECT_FLOAT_EQ(w.backend.fonts().scale, 1);
    w.key("F11");
    EXPECT_FLOAT_EQ(w.backend.fonts().scale, single_pane_scale(768, 1));
    EXPECT_FLOAT_EQ(single_pane_scale(768, 1), 1.25F);
    w.key("Ctrl+=");
    EXPECT_FLOAT_EQ(w.backend.fonts().scale, 1.25F * single_pane_scale(768, 1.25F));
    EXPECT_FLOAT_EQ(single_pane_scale(600, 1.25F), 1.0F) << "24 lines stay";
    EXPECT_FLOAT_EQ(single_pane_scale(720, 1.25F), 1.2F);
    EXPECT_FLOAT_EQ(single_pane_scale(600, 2.5F), 1.0F);
    w.key("F11");
    EXPECT_FLOAT_EQ(w.backend.fonts().scale, 1.25F);
    w.key("Shift+F2");
    EXPECT_FLOAT_EQ(w.backend.fonts().scale, 1.25F) << "a pane that is asked for by name is as it was";
    w.key("Ctrl+0");
    w.key("Alt+Enter");
    EXPECT_FLOAT_EQ(w.backend.fonts().scale, 1) << "without a display there is no screen to fill";
}

// The screen shows the micro sign; values in the files use "us".
TEST(Window, ScenarioTextsUseMicroSign) {
    const std::regex plain("[0-9] us\\b");
    for (const std::string& name : scenarios()) {
        const sim::Scenario scenario = sim::load_scenario(name);
        std::string text = scenario.title + "\n" + scenario.question + "\n" + scenario.hint + "\n";
        for (const sim::TourStop& stop : scenario.tour) text += stop.title + "\n" + stop.caption + "\n";
        EXPECT_FALSE(std::regex_search(text, plain)) << name << ": " << text;
    }
}

TEST(Pictures, WindowRendersAtEverySize) {
    for (const Size size :
         {Size{64, 64}, {320, 240}, {640, 480}, {1280, 300}, {300, 1280}, {1280, 800}, {3840, 2160}}) {
        if (!kThorough && size.width > 1000) continue;  // takes too long
        Window w("yield-processes", size);
        for (const float scale : {0.75F, 1.0F, 3.0F}) {
            SCOPED_TRACE(fmt::format("{}x{} {}", size.width, size.height, scale));
            w.app.set_scale(scale);
            ASSERT_TRUE(w.settle());
            for (const char* key : {"C", "F1", "Ctrl+P", "Ctrl+O", "G", "Esc", "C"}) {
                w.key(key);
                EXPECT_EQ(w.picture().size(), static_cast<std::size_t>(size.width * size.height) * 4);
            }
        }
    }
}

TEST(IdleWindow, RequestsNoFramesAndStaysUnchanged) {
    std::size_t number = 0;
    for (const std::string& name : scenarios()) {
        SCOPED_TRACE(name);
        if (!kManyRounds && name != "yield-processes") continue;  // takes too long
        if (number++ % 2 != 0) continue;
        Window w(name);
        std::size_t turn = number / 2;  // a third of the states is tested, another third in the next run
        for (const std::vector<std::string>& keys : std::vector<std::vector<std::string>>{
                 {}, {"I"}, {"I"}, {"F"}, {"C"}, {"End"}, {"2"}, {"3", "4"}, {"5"}, {"Ctrl+A"}, {"F1"}}) {
            w.keys(keys);
            if (++turn % 3 != 0) continue;
            ASSERT_TRUE(w.settle()) << (keys.empty() ? "" : keys[0]);
            const auto picture = w.picture();
            for (int i = 0; i < (kManyRounds ? 6 : 3); ++i) {
                w.frames();
                EXPECT_FALSE(w.app.is_busy());
                EXPECT_FALSE(w.backend.wants_frame());
            }
            EXPECT_EQ(w.picture(), picture) << (keys.empty() ? "" : keys[0]);
        }
    }
}

// --- errors ---

TEST(OpenError, KeepsOldRunAndReportsLocation) {
    const Folder folder;
    const std::vector<std::pair<std::string, std::string>> bad{
        {folder / "missing.json", "missing.json"},
        {folder.path().string(), "a directory"},
        {folder.write("broken.json", "{\n  \"format\": \"switchyard-scenario/1\",\n  \"tasks\": [}\n"),
         "broken.json:3"},
        {folder.write("binary.json", std::string("\x7f"
                                                 "ELF\0\1\2\3\xff\xfe",
                                                 10)),
         "binary.json: this is a program, not a scenario"},
        {folder.write("empty.json", ""), "empty.json"},
        {folder.write("unknown.json", "{\"format\": \"switchyard-scenario/1\",\n\"taskz\": []}"),
         "unknown.json:2"},
        {folder.write("several.json", "{\"format\": 3,\n\"tasks\": 4}"), "several.json:2"},
        {"yield-proceses", "yield-proceses"},
        {"", ""},
    };
    Window w("yield-processes");
    const std::uint64_t hash = w.machine().hash();
    const std::uint64_t id = w.app.model().a->id();
    for (const auto& [path, words] : bad) {
        SCOPED_TRACE(path);
        if (path.empty())
            w.app.control().open(path);
        else
            w.drop(path);
        w.settle();
        EXPECT_NE(w.app.model().error, "");
        EXPECT_TRUE(w.says(words)) << w.app.model().error;
        EXPECT_EQ(w.app.model().a->id(), id);
        EXPECT_EQ(w.machine().hash(), hash);
        EXPECT_EQ(w.app.model().scenario_name, "yield-processes");
        // The error box has the keyboard.
        const std::uint64_t events = w.machine().globals().events;
        w.key("Right");
        EXPECT_EQ(w.machine().globals().events, events);
        w.key("Esc");
        EXPECT_EQ(w.app.model().error, "");
        EXPECT_FALSE(w.says("could not be opened"));
    }
    w.drop(SWITCHYARD_SOURCE_DIR "/scenarios/two-hogs.json");
    EXPECT_EQ(w.app.model().error, "");
    EXPECT_EQ(w.app.model().scenario_name, "two-hogs");
}

TEST(DroppedFile, OpensInEveryState) {
    for (std::size_t i = 0; const State& state : kStates) {
        if (i++ % (kManyRounds ? 1 : 3) != 0) continue;
        SCOPED_TRACE(state.name);
        Window w("yield-processes");
        state.make(w);
        w.drop("/nowhere/bad.json");
        EXPECT_TRUE(w.says("bad.json"));
        w.drop(SWITCHYARD_SOURCE_DIR "/scenarios/two-hogs.json");
        EXPECT_EQ(w.app.model().error, "");
        EXPECT_EQ(w.app.model().scenario_name, "two-hogs");
        EXPECT_EQ(w.app.model().b, nullptr);
        EXPECT_EQ(w.app.overlay(), App::Overlay::none);
        EXPECT_TRUE(w.settle());
    }
}

TEST(OpenError, VanishedFileKeepsRunAndValues) {
    const Folder folder;
    const std::string path =
        folder.write("mine.json", content_of(SWITCHYARD_SOURCE_DIR "/scenarios/two-hogs.json"));
    Window w(path);
    w.app.control().set_value("/tasks/0/count", "4");
    w.settle();
    EXPECT_EQ(w.app.model().sets.size(), 1u);
    const std::uint64_t id = w.app.model().a->id();
    fs::remove(path);
    w.app.control().set_value("/tasks/0/count", "5");
    w.settle();
    EXPECT_TRUE(w.says("mine.json"));
    w.key("Esc");
    EXPECT_EQ(w.app.model().a->id(), id);
    w.key("Ctrl+Z");
    EXPECT_TRUE(w.says("mine.json"));
    EXPECT_EQ(w.app.model().a->id(), id);
    EXPECT_EQ(w.app.model().sets.size(), 1u);
    w.key("Esc");
    w.app.control().set_policy("sorted-queue");
    w.settle();
    EXPECT_EQ(w.app.model().error, "");
    w.app.control().set_value("/nowhere", "x\"{");
    w.settle();
    EXPECT_NE(w.app.model().error, "");
    w.key("Enter");
    EXPECT_EQ(w.app.model().error, "");
    w.app.control().set_policy("no-such-policy");
    EXPECT_NE(w.app.model().error, "");
    w.key("Esc");
    w.app.control().comparison().compare_with("linux-2.0:yield=never");
    EXPECT_NE(w.app.model().error, "");
    EXPECT_EQ(w.app.model().b, nullptr);
    w.settle();
}

TEST(Window, UnusualScenariosWorkInAllPanes) {
    const Folder folder;
    const std::string deadlock = R"("channels": ["never"], )";
    std::vector<std::pair<std::string, std::string>> strange{
        {"no-tasks", scenario_json("")},
        {"over-at-once", scenario_json(R"({"name": "a", "program": []})", "")},
        {"deadlock", scenario_json(R"({"name": "a", "count": 2, "program": [{"wait": "never"}]})", "")},
        {"without-end",
         scenario_json(
             R"({"name": "a", "program": [{"loop": "forever", "steps": [{"run": "1ms"}, "yield"]}]})",
             "70h")},
        {"long-names",
         scenario_json(
             fmt::format(
                 R"({{"name": "{}", "program": [{{"run": "5ms"}}]}}, {{"name": "über-Größe-日本-😀", "program": [{{"run": "5ms"}}]}}, {{"name": "%s%n%d", "program": [{{"run": "5ms"}}]}})",
                 std::string(200, 'x')),
             "")},
        {"one-nanosecond", scenario_json(R"({"name": "a", "program": [{"run": "1ms"}]})", "1ns")},
    };
    for (const auto& [name, json] : strange) {
        SCOPED_TRACE(name);
        const std::string path = folder.write(name + ".json", json);
        Window w("");
        w.app.control().set_wait_without_limit(name != "without-end");
        if (!w.app.control().open(path)) {
            // The error states the reason.
            EXPECT_NE(w.app.model().error.find(name), std::string::npos);
            w.frames(3);
            EXPECT_TRUE(w.says(name)) << w.window_text();
            if (std::getenv("SWITCHYARD_KEEP") != nullptr) std::puts(w.app.model().error.c_str());
            continue;
        }
        for (const Panel& panel : panels()) {
            w.app.view().alone = panel.id;
            w.frames(2);
            EXPECT_NE(panel.text(w.app.model(), w.app.view()), "") << panel.id;
        }
        w.app.view().alone.clear();
        for (const char* key :
             {"Right", "Right", "Left", "Shift+Right", "Y",   "R", "T", "I", "I", "Right", "Left",
              "Home",  "F",     "W",    "S",           "End", "Z", "C", "N", "N", "C",     "Ctrl+A",
              "Down",  "2",     "3",    "4",           "5",   "6", "7", "U", "V", "Space", "."})
            w.key(key);
        w.frames(5);
        EXPECT_EQ(w.app.model().error, "");
        EXPECT_FALSE(w.app.wants_quit());
    }
}

// The window responds within an acceptable time, however large the scenario.
TEST(Window, StaysResponsiveWithManyTasks) {
    const Folder folder;
    const std::string path = folder.write(
        "many.json",
        scenario_json(
            fmt::format(
                R"({{"name": "t", "count": {}, "program": [{{"loop": "forever", "steps": [{{"run": "300us"}}, "yield"]}}]}})",
                kThorough ? 20'000 : 5'000),
            "1h"));
    Window w("", {1280, 800});
    w.app.control().set_wait_without_limit(false);
    const auto timed = [&](const std::string& what, const std::function<void()>& act) {
        const std::clock_t begin = std::clock();
        act();
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        if (std::getenv("SWITCHYARD_KEEP") != nullptr) fmt::print("{}: {:.3f} s\n", what, seconds);
        // An algorithm over all pairs of tasks would take minutes.
        if (kThorough) {
            EXPECT_LT(seconds, 20) << what;
        }
    };
    timed("open", [&] { EXPECT_TRUE(w.app.control().open(path)); });
    for (int i = 0; i < 3; ++i) timed("frame", [&] { w.frames(1); });
    for (const char* key :
         {"Right", "Shift+Right", "Left", "I", "I", "Right",  "F",      "End", "Home", "Z", "2",    "3",
          "4",     "5",           "1",    "C", "N", "Ctrl+A", "Ctrl+D", "Y",   "R",    "T", "Space"})
        timed(key, [&] {
            w.push(key);
            w.frames(1);
        });
    timed("go to", [&] { w.app.control().navigator().go_to("50min"); });
    for (int i = 0; i < 5; ++i) timed("frame playing", [&] { w.frames(1); });
    timed("text", [&] { EXPECT_GT(w.window_text().size(), 1000u); });
}

TEST(Window, SeeksLongRunInBackground) {
    const Folder folder;
    const std::string path = folder.write(
        "long.json",
        scenario_json(
            R"({"name": "a", "count": 2, "program": [{"loop": "forever", "steps": [{"run": "500us"}, "yield"]}]})",
            "70h"));
    Window w("");
    w.app.control().set_wait_without_limit(false);
    ASSERT_TRUE(w.app.control().open(path));
    w.frames(2);
    EXPECT_TRUE(w.app.control().navigator().go_to("60h"));
    EXPECT_LT(w.app.model().a->end(), 1h) << "nobody waits for it";
    EXPECT_TRUE(w.says("Simulating up to"));
    w.frames(3);
    EXPECT_TRUE(w.app.is_busy());
    // A position that is nearer than the last target is reached.
    const Nanos near = w.app.model().a->end() + 5s;
    EXPECT_TRUE(w.app.control().navigator().go_to(fmt::format("{}ns", near.count())));
    for (int i = 0; i < 3000 && w.now() != near; ++i) w.frames(1);
    EXPECT_EQ(w.now(), near);
    EXPECT_TRUE(w.app.view().shown.contains(near));
}

TEST(Window, SecondRunFollowsOnceSimulated) {
    if (!kThorough) GTEST_SKIP() << "Seventeen hours twice take minutes in this build.";
    Window w("web-server");
    w.key("End");
    w.settle();
    w.app.control().set_wait_without_limit(false);
    w.app.control().comparison().compare_with("sorted-queue");
    // The simulation runs in another thread, which a busy machine may delay. The limit only ends a test that
    // hangs.
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(10);
    while (w.app.is_busy() && std::chrono::steady_clock::now() < limit) {
        w.frames(1);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    w.settle();
    EXPECT_EQ(w.app.model().b->now(), w.app.model().b->end());
    EXPECT_GE(w.app.model().b->now(), w.now());
}

// --- the mouse ---

TEST(Mouse, SplittersMoveAndStayInBounds) {
    Window w("yield-processes", {1280, 800});
    w.app.view().layout = WindowLayout::kernel;
    w.settle();
    const ImRect timeline = w.place("timeline"), decision = w.place("decision"), queue = w.place("run_queue");
    ASSERT_GT(timeline.GetWidth(), 300);
    ASSERT_GT(decision.GetWidth(), 300);
    const float x = (timeline.Max.x + decision.Min.x) / 2;
    w.drag({x, 300}, {x - 100, 300});
    w.settle();
    EXPECT_NEAR(w.place("decision").Min.x, decision.Min.x - 100, 2);
    EXPECT_NEAR(w.place("timeline").Max.x, timeline.Max.x - 100, 2);
    w.drag({x - 100, 300}, {-400, 300});
    w.settle();
    EXPECT_GT(w.place("timeline").GetWidth(), 100);
    w.app.view().sizes = ViewState{}.sizes;
    w.settle();
    const float y = (timeline.Max.y + queue.Min.y) / 2;
    w.drag({400, y}, {400, y - 80});
    w.settle();
    EXPECT_NEAR(w.place("run_queue").Min.y, queue.Min.y - 80, 2);
    const ImRect tab = w.place("context_switch");
    const float between = w.place("run_queue").Max.y + 2;
    w.drag({400, between}, {400, between + 60});
    w.settle();
    EXPECT_NEAR(w.place("context_switch").Min.y, tab.Min.y + 60, 2);
}

TEST(Mouse, ClickSelectsTab) {
    Window w("yield-processes", {1024, 700});
    w.app.view().layout = WindowLayout::kernel;
    w.settle();
    const ImRect tab = w.place("context_switch");
    ASSERT_GT(tab.GetWidth(), 100);
    const float row = ImGui::GetFrameHeight();
    const auto place_in_two_rows = [row](const ImRect& pane, std::size_t i, std::size_t count) {
        const std::size_t first = (count + 1) / 2, in_row = i < first ? first : count - first;
        const float width = pane.GetWidth() / static_cast<float>(in_row);
        return ImVec2{pane.Min.x + (static_cast<float>(i < first ? i : i - first) + 0.5F) * width,
                      pane.Min.y - (i < first ? 1.5F : 0.5F) * row};
    };
    for (std::size_t i = 0; i < kTabs.size(); ++i) {
        show_tab(w.app.view(), Tab::context_switch);
        w.settle();
        w.click(place_in_two_rows(tab, i, kTabs.size()));
        EXPECT_EQ(w.app.view().tab, kTabs[i].tab);
    }
    // In a small window all panes are tabs.
    Window small("yield-processes", {640, 480});
    const ImRect below = small.place("decision");
    ASSERT_GT(below.GetWidth(), 100);
    std::set<std::string> shown;
    const std::size_t all = panels().size() - 1;  // all panes except the timeline
    for (std::size_t i = 0; i < all; ++i) {
        small.click(place_in_two_rows(below, i, all));
        shown.insert(small.app.view().narrow_tab);
        EXPECT_TRUE(small.says(find_panel(small.app.view().narrow_tab)->title));
        EXPECT_NE(small.app.text().find(
                      find_panel(small.app.view().narrow_tab)->text(small.app.model(), small.app.view())),
                  std::string::npos)
            << small.app.view().narrow_tab;
    }
    EXPECT_EQ(shown.size(), all);
}

TEST(Mouse, InputAnywhereDoesNoHarm) {
    for (const char* keys : {"", "C", "I", "F1", "Ctrl+O", "Ctrl+P"}) {
        Window w("yield-processes", {1000, 640});
        if (*keys != '\0') w.key(keys);
        std::string script;
        std::size_t i = 0;
        for (int y = -20; y < 680; y += 90)
            for (int x = -20; x < 1040; x += 130) {
                if (i++ % kStride != 0) continue;
                switch (i % 5) {
                    case 0:
                        script += fmt::format("wheel {} {} 0 3\n", x, y);
                        break;
                    case 1:
                        script += fmt::format("wheel {} {} 1 -2 Ctrl\n", x, y);
                        break;
                    case 2:
                        script += fmt::format("click {} {} {}\n", x, y, i % 2 == 0 ? "right" : "left double");
                        break;
                    case 3:
                        script += fmt::format("drag {} {} {} {} {}\n", x, y, 1000 - x, 640 - y,
                                              i % 2 == 0 ? "right" : "left");
                        break;
                    default:
                        script += fmt::format("wheel {} {} 0 -40 Shift\n", x, y);
                }
            }
        EXPECT_EQ(w.play(script), "") << keys;
        EXPECT_FALSE(w.app.wants_quit());
        EXPECT_NE(w.app.model().a, nullptr) << keys;
        expect_position_in_run(w);
    }
}

TEST(Mouse, DragSurvivesResizeAndEndsOnLeave) {
    Window w("yield-processes", {1280, 800});
    const ImRect timeline = w.place("timeline");
    const ImVec2 at = timeline.GetCenter();
    EXPECT_EQ(w.play(fmt::format(
                  "down {:.0f} {:.0f}\nmove {:.0f} {:.0f}\nresize 500 300\nmove 100 100\nresize 1600 900\n"
                  "move 3000 3000\nmove -50 -50\nup -50 -50\n",
                  at.x, at.y, at.x + 60, at.y)),
              "");
    w.settle();
    EXPECT_EQ(w.app.view().drag.what, ViewState::Drag::What::nothing);
    // While its button is down, the mouse leaves the window. Later the window loses the keyboard focus.
    EXPECT_EQ(w.play(fmt::format("down {:.0f} {:.0f}\nmove {:.0f} {:.0f}\n", at.x, at.y, at.x - 60, at.y)),
              "");
    for (const Uint8 what : {SDL_WINDOWEVENT_LEAVE, SDL_WINDOWEVENT_FOCUS_LOST}) {
        SDL_Event event{};
        event.type = SDL_WINDOWEVENT;
        event.window.event = what;
        SDL_PushEvent(&event);
        w.frames(3);
    }
    EXPECT_EQ(w.app.view().drag.what, ViewState::Drag::What::nothing);
    EXPECT_TRUE(w.settle());
    // A scenario file is dropped on the window during a drag.
    EXPECT_EQ(
        w.play(fmt::format("down {:.0f} {:.0f}\nmove {:.0f} {:.0f}\ndrop {}\nmove 300 300\nup 300 300\n",
                           at.x, at.y, at.x + 90, at.y, SWITCHYARD_SOURCE_DIR "/scenarios/two-hogs.json")),
        "");
    EXPECT_TRUE(w.settle());
    EXPECT_EQ(w.app.model().scenario_name, "two-hogs");
}

TEST(Mouse, DragOnOverviewSeeksPosition) {
    Window w("two-hogs", {1280, 800});
    const ImRect timeline = w.place("timeline");
    const float y = timeline.Min.y - 10;
    std::vector<double> times;
    for (const float x : {400.0F, 500.0F, 600.0F}) {
        w.drag({300, y}, {x, y});
        times.push_back(static_cast<double>(w.now().count()) / 21e9);
        EXPECT_TRUE(w.app.view().shown.contains(w.now()));
    }
    EXPECT_GT(times[1], times[0] + 0.05);
    EXPECT_NEAR(times[2] - times[1], times[1] - times[0], 0.01);
    w.drag({640, y}, {5000, y});
    EXPECT_EQ(w.now(), w.app.model().a->end());
    w.drag({1000, y}, {-500, y});
    EXPECT_EQ(w.now(), 0ns);
}

TEST(Mouse, DragSelectsRangeAndShowsStatistics) {
    Window w("yield-processes", {1280, 800});
    const ImRect timeline = w.place("timeline");
    const ImVec2 middle = timeline.GetCenter();
    w.drag({middle.x - 100, middle.y}, {middle.x + 150, middle.y});
    w.settle();
    ASSERT_TRUE(w.app.view().selection);
    EXPECT_GT(w.app.view().selection->length(), 0ns);
    EXPECT_TRUE(w.says("Selected: "));
    const TimeRange selected = *w.app.view().selection;
    w.key("Shift+F");
    EXPECT_EQ(w.app.view().shown, selected);
    w.key("Ctrl+D");
    EXPECT_FALSE(w.app.view().selection);
    // A click moves to the time at the pointer; with Alt it sets cursor A, with Alt and Shift cursor B.
    w.key("Z");
    w.click({middle.x + 40, timeline.Min.y + 90}, "Alt");
    EXPECT_TRUE(w.app.view().cursor_a);
    w.click({middle.x + 70, timeline.Min.y + 90}, "Alt+Shift");
    EXPECT_TRUE(w.app.view().cursor_b);
}

TEST(Mouse, DraggedWhatIfSliderChangesValue) {
    Window w("yield-processes", {1280, 800});
    w.key("F6");
    w.settle();
    const ImRect strip = w.place("what_if");
    ASSERT_GT(strip.GetWidth(), 300);
    for (float x = strip.Min.x + 40; x < strip.Max.x && w.app.model().sets.empty(); x += 40)
        w.drag({x, strip.Min.y + 33}, {x + 60, strip.Min.y + 33});
    EXPECT_FALSE(w.app.model().sets.empty());
    EXPECT_EQ(w.app.model().error, "");
    EXPECT_TRUE(w.settle());
    w.key("Ctrl+Z");
    EXPECT_TRUE(w.app.model().sets.empty());
}

TEST(Mouse, KillButtonStartsWhatIfRun) {
    Window w("yield-processes", {1280, 800});
    w.app.view().layout = WindowLayout::kernel;
    w.key("2");
    w.settle();
    ImRect tasks = w.place("tasks");
    ASSERT_GT(tasks.GetWidth(), 200);
    for (float y = tasks.Min.y + 40; y < tasks.Max.y && !w.app.view().task; y += 8)
        w.click({tasks.Min.x + 60, y});
    ASSERT_TRUE(w.app.view().task);
    // After the selection of a task, its buttons are above the table.
    bool found = false;
    for (float y = tasks.Min.y + 35; y < tasks.Min.y + 80 && !found; y += 10)
        for (float x = tasks.Max.x - 20; x > tasks.Min.x && !found; x -= 12) {
            EXPECT_EQ(w.play(fmt::format("move {:.0f} {:.0f}\nwait 1", x, y)), "");
            found = w.backend.visible_text().find("Kills the task") != std::string::npos;
            if (found) w.click({x, y});
        }
    ASSERT_TRUE(found) << w.window_text();
    ASSERT_NE(w.app.model().b, nullptr) << w.window_text();
    ASSERT_EQ(w.app.model().b->history().interventions().size(), 1u);
    EXPECT_EQ(w.app.model().b->history().interventions().front().kind, sim::Intervention::Kind::kill);
    EXPECT_EQ(w.app.model().b->history().interventions().front().task, *w.app.view().task);
    EXPECT_TRUE(w.says("B shows the effect of the intervention"));
    EXPECT_TRUE(w.settle());
    // The comparison ends, because the intervention that started it is not valid in the changed scenario.
    w.app.control().set_value("/tasks/0/count", "3");
    EXPECT_EQ(w.app.model().b, nullptr);
    EXPECT_TRUE(w.says("comparison has ended"));
    // Tries all kinds of interventions at the end of the run, and without a scenario.
    for (const auto kind : {sim::Intervention::Kind::kill, sim::Intervention::Kind::wake,
                            sim::Intervention::Kind::renice, sim::Intervention::Kind::policy}) {
        sim::Intervention what{};
        what.kind = kind;
        what.task = 1;
        what.priority = 30;
        what.policy = "sorted-queue";
        w.app.control().comparison().compare_with_intervention(what);
        w.settle();
        w.key("N");
        w.key("End");
        w.app.control().comparison().compare_with_intervention(what);
        EXPECT_TRUE(w.settle());
        w.key("Home");
    }
    Window empty("");
    empty.app.control().comparison().compare_with_intervention({});
    empty.frames(2);
}

// --- boxes ---

TEST(ExportBox, NameEndingSelectsFormat) {
    const InsideScratchFolder folder;
    Window w("two-hogs");
    w.app.control().comparison().toggle();
    w.key("Ctrl+E");
    w.frames(3);
    EXPECT_EQ(w.app.overlay(), App::Overlay::export_run);
    EXPECT_TRUE(
        w.says("== Export as\ntwo-hogs.perfetto-trace\nThe whole run under linux-2.0 is exported. The file "
               "extension selects the format:\n.json  JSON for chrome://tracing"));
    EXPECT_TRUE(w.says("Not saved in the file:\nrun B"));
    w.key("Ctrl+A");
    w.type("hogs.png");
    w.key("Enter");
    w.frames(3);
    EXPECT_TRUE(w.says("hogs.png: unknown extension; expected one of "));
    w.key("Ctrl+A");
    w.type("hogs.txt");
    w.key("Enter");
    w.frames(60);
    EXPECT_EQ(w.app.overlay(), App::Overlay::none);
    EXPECT_TRUE(w.says("hogs.txt as ftrace: 100 switches from 0 ms to "));
    EXPECT_TRUE(fs::exists("hogs.txt"));
    w.key("Ctrl+E");
    w.frames(3);
    w.key("Ctrl+A");
    w.type("hogs.txt");
    w.key("Enter");
    w.frames(3);
    EXPECT_TRUE(w.says("hogs.txt already exists. Press Enter again to replace the file, or Esc to cancel."));
    w.key("Esc");
    Window empty("");
    empty.key("Ctrl+E");
    empty.frames(2);
    EXPECT_NE(empty.app.overlay(), App::Overlay::export_run) << "there is nothing to export";
}

TEST(SaveBox, SavesUnderNameAndOpensFile) {
    const Folder folder;
    Window w(folder.write("two.json", content_of(SWITCHYARD_SOURCE_DIR "/scenarios/two-hogs.json")));
    w.app.use_window_settings_file(folder / "window");
    w.app.control().set_value("/tasks/0/count", "3");
    w.app.control().comparison().toggle();
    w.key("Ctrl+S");
    w.frames(3);
    EXPECT_EQ(w.app.overlay(), App::Overlay::save);
    const std::string own = folder / "two.json", proposed = folder / "two-mine.json";
    EXPECT_TRUE(w.says("== Save as\n" + own +
                       "\nChanges that the file will contain:\n/tasks/0/count=3\n"
                       "Not saved in the file:\nthe comparison with linux-2.0:yield=one_tick"));
    w.key("Esc");
    EXPECT_EQ(w.app.overlay(), App::Overlay::none);
    EXPECT_FALSE(fs::exists(proposed));

    w.key("Ctrl+S");
    w.frames(3);
    w.key("Ctrl+A");
    w.type(proposed);
    w.key("Enter");
    w.frames(3);
    EXPECT_EQ(w.app.overlay(), App::Overlay::none);
    EXPECT_EQ(w.app.model().scenario_name, "two-mine");
    EXPECT_EQ(w.app.recent_files().front(), proposed);
    const std::string written = content_of(proposed);
    EXPECT_NE(written.find("\"count\": 3"), std::string::npos);

    // If the file exists, a question appears. Another name cancels it; a second Enter confirms it.
    w.app.control().set_value("/tasks/0/count", "4");
    w.key("Ctrl+S");
    w.frames(3);
    w.key("Enter");
    w.frames(3);
    EXPECT_TRUE(w.says(proposed + " already exists. Press Enter again to replace the file, or Esc to "
                                  "cancel."));
    EXPECT_EQ(content_of(proposed), written);
    w.type(folder / "nowhere/x");
    w.frames(2);
    EXPECT_FALSE(w.says("already exists."));
    w.key("Enter");
    w.frames(3);
    EXPECT_EQ(w.app.overlay(), App::Overlay::save);
    EXPECT_TRUE(w.says(folder / "nowhere/x.json: ")) << "what is wrong, in the box";
    w.key("Ctrl+A");
    w.type(proposed);
    w.key("Enter");
    w.frames(3);
    w.key("Enter");
    w.frames(3);
    EXPECT_EQ(w.app.overlay(), App::Overlay::none);
    EXPECT_NE(content_of(proposed).find("\"count\": 4"), std::string::npos);

    Window empty("");
    empty.key("Ctrl+S");
    EXPECT_NE(empty.app.overlay(), App::Overlay::save) << "there is nothing to save";
}

TEST(SaveBox, HeldEnterDoesNotReplaceFile) {
    const Folder folder;
    const std::string content = content_of(SWITCHYARD_SOURCE_DIR "/scenarios/two-hogs.json");
    const std::string two = folder.write("two.json", content);
    Window w(two);
    w.app.use_window_settings_file(folder / "window");
    w.app.control().set_value("/tasks/0/count", "3");
    w.key("Ctrl+S");
    w.frames(3);
    EXPECT_EQ(w.play("hold Enter 120"), "");
    w.frames(3);
    EXPECT_TRUE(w.says(two + " already exists. Press Enter again to replace the file, or Esc to cancel."));
    EXPECT_EQ(content_of(two), content);
    w.key("Enter");
    w.frames(3);
    EXPECT_EQ(w.app.overlay(), App::Overlay::none);
    EXPECT_NE(content_of(two).find("\"count\": 3"), std::string::npos);

    // Another program changes the open file.
    w.app.control().set_value("/tasks/0/count", "4");
    folder.write("two.json", content + "// a note\n");
    w.key("Ctrl+S");
    w.frames(3);
    w.key("Enter");
    w.frames(3);
    EXPECT_TRUE(w.says(two + " was changed after this window opened it; that change would be lost. Press "
                             "Enter again to replace the file, or Esc to cancel."));
    w.key("Esc");
    EXPECT_NE(content_of(two).find("// a note"), std::string::npos);
}

TEST(Picker, FiltersByWordsAndOpensSelection) {
    Window w("two-hogs");
    w.key("Ctrl+O");
    w.frames(3);
    EXPECT_EQ(w.app.overlay(), App::Overlay::picker);
    for (const std::string& name : scenarios()) EXPECT_TRUE(w.says(name)) << name;
    w.type("LAZY tlb");
    EXPECT_TRUE(w.says("== Open a scenario\nlazy-tlb"));
    EXPECT_FALSE(w.says("\nyield-processes:"));
    w.key("Enter");
    w.frames(2);
    EXPECT_EQ(w.app.model().scenario_name, "lazy-tlb");
    EXPECT_EQ(w.app.overlay(), App::Overlay::none);
    // Arrow keys select.
    std::set<std::string> opened;
    const std::size_t stride = kManyRounds ? 1 : 7;
    std::size_t tried = 0;
    for (std::size_t down = stride - 1; down < scenarios().size(); down += stride, ++tried) {
        w.key("Ctrl+O");
        w.frames(3);
        for (std::size_t i = 0; i < down; ++i) w.key("Down");
        w.key("Enter");
        w.frames(2);
        EXPECT_EQ(w.app.overlay(), App::Overlay::none);
        opened.insert(w.app.model().scenario_name);
    }
    EXPECT_EQ(opened.size(), tried);
    // Letters are not commands in this box. Esc and a click outside close the box; after a click inside,
    // keys go to it.
    w.key("Ctrl+O");
    w.frames(3);
    EXPECT_EQ(w.play("key C\nkey F\nkey ?\nkey Space\nkey Left\n"), "");
    EXPECT_EQ(w.app.model().b, nullptr);
    EXPECT_EQ(w.app.overlay(), App::Overlay::picker);
    w.key("Esc");
    EXPECT_EQ(w.app.overlay(), App::Overlay::none);
    w.key("Ctrl+O");
    w.frames(3);
    w.click({3, 320});
    EXPECT_EQ(w.app.overlay(), App::Overlay::none);
    // Opens a path.
    w.key("Ctrl+O");
    w.frames(3);
    w.type(SWITCHYARD_SOURCE_DIR "/scenarios/two-hogs.json");
    w.key("Enter");
    w.frames(2);
    EXPECT_EQ(w.app.model().scenario_name, "two-hogs");
    w.key("Ctrl+O");
    w.frames(3);
    w.type("/nowhere/x.json");
    w.key("Enter");
    w.frames(2);
    EXPECT_TRUE(w.says("/nowhere/x.json"));
    EXPECT_EQ(w.app.model().scenario_name, "two-hogs");
    w.key("Enter");
    EXPECT_EQ(w.app.model().error, "");
    EXPECT_EQ(w.app.view().level, DepthLevel::time);
}

TEST(Picker, AppearsAfterFailedOpenWithoutRun) {
    Window w("");
    EXPECT_FALSE(w.app.control().open("/nowhere/x.json"));
    w.settle();
    w.key("Esc");
    EXPECT_EQ(w.app.overlay(), App::Overlay::picker);
    w.frames(3);
    w.key("Enter");
    w.frames(2);
    EXPECT_NE(w.app.model().a, nullptr);
}

TEST(Palette, RunsTypedCommand) {
    Window w("two-hogs");
    w.key("Ctrl+P");
    w.frames(3);
    w.type("theme");
    EXPECT_TRUE(w.says("Window: Switch to the next theme"));
    EXPECT_FALSE(w.says("Time: Play or pause"));
    w.key("Enter");
    w.frames(2);
    EXPECT_EQ(w.app.theme().name, "light");
    w.key("Ctrl+P");
    w.frames(3);
    w.type("no such thing");
    w.key("Enter");
    w.frames(2);
    w.key("Esc");
    EXPECT_EQ(w.app.overlay(), App::Overlay::none);
    // Every command can be selected by its id; commands that open a box do so.
    const std::size_t count = w.app.commands().all().size();
    for (std::size_t i = 0; i < count; i += kStride) {
        const Command& command = w.app.commands().all()[i];
        if (command.id == "picture") continue;
        w.app.show_overlay(App::Overlay::none);
        w.key("Ctrl+P");
        w.frames(3);
        w.type(command.id);
        w.key("Enter");
        w.frames(2);
    }
    w.app.show_overlay(App::Overlay::none);
    w.key("Ctrl+P");
    w.frames(3);
    w.type("keys help");
    w.key("Enter");
    w.frames(2);
    EXPECT_EQ(w.app.overlay(), App::Overlay::help);
}

TEST(GoToBox, AcceptsTimesAndCountsAndReportsErrors) {
    Window w("yield-processes");
    const auto go = [&](const std::string& text) {
        const std::string typing = text.empty() ? "" : "text \"" + text + "\"\n";
        EXPECT_EQ(w.play("key G\nwait 3\n" + typing + "key Enter\nsettle\n"), "");
        EXPECT_EQ(w.app.overlay(), App::Overlay::none) << text;
    };
    go("12.5ms");
    EXPECT_EQ(w.now(), 12'500us);
    EXPECT_TRUE(w.app.view().shown.contains(w.now()));
    go("switch 37");
    EXPECT_EQ(w.machine().globals().switches, 37u);
    go("decision 40");
    EXPECT_EQ(w.machine().globals().decisions, 40u);
    go("event 3");
    EXPECT_EQ(w.machine().globals().events, 3u);
    go("tick 2");
    go("yield 5");
    EXPECT_EQ(w.app.model().a->session().statistics().yields, 5u);
    const Nanos now = w.now();
    for (const char* bad :
         {"switch", "switch 0", "switch -3", "switch many", "switch 99999999999999999999", "", "soon",
          "12 parsecs", "-5ms", "switch 999999999", "99999999999999999999s", "1e400s"}) {
        go(bad);
        EXPECT_EQ(w.now(), now) << bad;
        EXPECT_NE(w.app.model().message, "") << bad;
    }
    go("12");
    EXPECT_EQ(w.now(), 12ms) << "without a unit: in ms";
    go("70h");  // a request for a time after the end moves to the end
    EXPECT_EQ(w.now(), w.app.model().a->end());
    Window empty("");
    EXPECT_EQ(empty.play("key G\nwait 3\ntext \"1ms\"\nkey Enter\nsettle\n"), "");
}

TEST(Overlay, ClosesByEscAndOutsideClick) {
    Window w("two-hogs");
    for (const char* key : {"F1", "Ctrl+P", "Ctrl+O"}) {
        for (const char* other : {"F1", "Ctrl+P", "Ctrl+O"}) {
            w.key(key);
            w.frames(2);
            w.key(other);
            w.frames(2);
            w.key("Esc");
            EXPECT_EQ(w.app.overlay(), App::Overlay::none) << key << other;
            w.key("Esc");
        }
        w.key(key);
        w.frames(2);
        EXPECT_NE(w.app.overlay(), App::Overlay::none);
        w.click({3, 320});
        EXPECT_EQ(w.app.overlay(), App::Overlay::none) << key;
    }
    w.app.control().open("/nowhere/x.json");
    w.settle();
    w.click({3, 320});
    EXPECT_EQ(w.app.model().error, "");
}

TEST(Overlay, ClosesByTitleButton) {
    for (const float scale : {1.0F, 2.0F}) {
        Window w("two-hogs", {1600, 1000});
        w.app.set_scale(scale);
        for (const auto& [overlay, title] :
             {std::pair(App::Overlay::help, "Keys"), {App::Overlay::go_to, "Go to"}}) {
            w.app.show_overlay(overlay);
            w.frames(3);
            const ImGuiWindow* box = ImGui::FindWindowByName(title);
            ASSERT_NE(box, nullptr) << title;
            const ImRect bar = box->TitleBarRect();
            w.click({bar.Max.x - bar.GetHeight() * 2, bar.GetCenter().y});
            EXPECT_EQ(w.app.overlay(), overlay) << title << ": a click on the title";
            w.click({bar.Max.x - bar.GetHeight() / 2, bar.GetCenter().y});
            EXPECT_EQ(w.app.overlay(), App::Overlay::none) << title;
        }
    }
}

// --- exploring a run ---

TEST(DifferenceSearch, StepsToNextDifference) {
    Window w("yield-processes");
    w.key("N");
    EXPECT_TRUE(w.says("no second run"));
    w.key("Home");
    w.key("C");
    ASSERT_NE(w.app.model().b, nullptr);
    EXPECT_TRUE(w.says("compared with linux-2.0:yield=one_tick"));
    std::uint64_t last = 0;
    for (int i = 0; i < 5; ++i) {
        w.key("N");
        ASSERT_TRUE(w.app.model().difference) << w.window_text();
        EXPECT_GT(*w.app.model().difference, last);
        last = *w.app.model().difference;
        EXPECT_EQ(w.machine().globals().decisions, last);
        EXPECT_EQ(w.app.model().b->session().machine().globals().decisions, last);
        EXPECT_NE(w.app.model().a->last_decision(), nullptr);
        w.settle();
    }
    // The search starts from the current position, not from the difference found last.
    w.key("Home");
    w.key("N");
    EXPECT_LT(*w.app.model().difference, last);
    w.key("C");
    EXPECT_EQ(w.app.model().b, nullptr);
    // A run that is compared with itself has no difference. The message states this.
    w.app.control().comparison().compare_with("linux-2.0");
    w.key("N");
    EXPECT_TRUE(w.says("differs.") || w.says("are the same"));
    EXPECT_FALSE(w.app.model().difference);
}

TEST(DifferenceSearch, ContinuesAfterDecisionLimit) {
    if (!kOptimised) GTEST_SKIP() << "millions of decisions: only in optimised builds";
    const Folder folder;
    Window w(folder.write(
        "long.json",
        scenario_json(
            R"({"name": "a", "count": 2, "program": [{"loop": "forever", "steps": [{"run": "500us"}, "yield"]}]})",
            "20min")));
    w.key("Home");
    w.app.control().comparison().compare_with("linux-2.0");
    w.key("N");
    ASSERT_TRUE(w.says("Decisions 1 to 2 000 000 are the same")) << w.app.model().message;
    w.key("N");
    EXPECT_TRUE(w.says("From decision 2 000 001 to the end")) << w.app.model().message;
}

TEST(PredictionMode, HidesOutcomeUntilAnswered) {
    Window w("yield-processes");
    w.key("P");
    w.settle();
    EXPECT_TRUE(w.app.view().predicting);
    const auto hidden = w.picture();
    const std::string before = find_panel("decision")->text(w.app.model(), w.app.view());
    w.app.control().prediction_quiz().answer_question({PredictionQuestion::next_task, 2});
    w.settle();
    EXPECT_NE(w.picture(), hidden);
    EXPECT_NE(find_panel("decision")->text(w.app.model(), w.app.view()), before);
    w.key("Shift+Right");  // moves to the next question
    EXPECT_FALSE(w.app.view().prediction);
    w.key("P");
    EXPECT_FALSE(w.app.view().predicting);
}

TEST(PredictionMode, HidesTasksPaneUntilAnswered) {
    Window w("yield-processes", {1280, 800});
    w.key("2");
    EXPECT_TRUE(w.says("daemon.70"));
    w.key("P");
    w.frames(2);
    EXPECT_FALSE(w.says("daemon.70")) << "nor the state of anybody else";
    EXPECT_TRUE(w.says("hidden until you have answered"));
    w.key("1");
    w.frames(2);
    EXPECT_TRUE(w.app.view().prediction);
    EXPECT_TRUE(w.says("daemon.70"));
}

// --- tours ---

TEST(WindowTour, KeysMoveBetweenStops) {
    Window w("yield-processes", {1280, 800});
    const std::vector<sim::TourStop> tour = w.app.model().a->scenario().tour;
    ASSERT_EQ(tour.size(), 5u);
    std::vector<std::vector<std::uint8_t>> pictures;
    for (std::size_t i = 0; i < tour.size(); ++i) {
        SCOPED_TRACE(tour[i].title);
        if (i > 0) w.key("PageDown");
        w.settle();
        EXPECT_EQ(w.app.view().stop, i);
        EXPECT_TRUE(w.says(fmt::format("{}/5  {}\n{}", i + 1, tour[i].title, tour[i].caption)));
        EXPECT_EQ(w.app.model().a->history().policy().spec(),
                  sim::make_policy(tour[i].policy.empty() ? "linux-2.0" : tour[i].policy, 1).spec());
        EXPECT_EQ(w.app.model().b != nullptr, !tour[i].compare.empty());
        pictures.push_back(w.picture());
    }
    EXPECT_EQ(w.app.view().tab, Tab::costs) << "the last stop opens that pane";
    w.key("PageDown");
    EXPECT_TRUE(w.says("This is the last stop of the tour."));
    // The picture of a stop is the same if it is reached from the next stop, except that a move between
    // stops does not change back the pane on the tabs. The key 1 does that here.
    w.key("1");
    w.app.view().bookmarks.clear();
    for (std::size_t i = tour.size() - 1; i-- > 0;) w.key("PageUp");
    w.settle();
    EXPECT_EQ(w.app.view().stop, 0u);
    w.app.view().bookmarks.resize(1);
    w.settle();
    EXPECT_TRUE(pictures.front() == w.picture());
    w.key("PageUp");
    EXPECT_TRUE(w.says("This is the first stop of the tour."));
}

TEST(WindowTour, HidingLeavesPanesInPlace) {
    Window w("yield-processes", {1280, 800});
    const float with = w.place("timeline").GetHeight();
    w.key("Ctrl+B");
    w.frames(2);
    EXPECT_FALSE(w.says("All slices are used up"));
    EXPECT_EQ(w.place("timeline").GetHeight(), with);
    w.key("PageDown");  // returns to the current stop and shows the tour again
    EXPECT_TRUE(w.says("2/5  Line by line"));
    // The close button at the right end hides the tour, too.
    const ImRect band = w.place("band");
    w.click({band.Max.x - 24, band.Min.y + 18});
    EXPECT_FALSE(w.app.view().show_tour);
}

TEST(WindowTour, StartsOnlyWithTourAndDefaultPolicy) {
    Window w("");
    ASSERT_TRUE(w.app.control().open("yield-processes", "sorted-queue"));
    w.settle();
    EXPECT_FALSE(w.app.view().stop);
    EXPECT_TRUE(w.says("This scenario has a tour of 5 stops: PageDown starts the tour"));
    ASSERT_TRUE(w.app.control().open("two-hogs"));
    w.key("PageDown");
    EXPECT_TRUE(w.says("This scenario has no tour."));
}

TEST(WindowTour, BookmarksCopyAsScenarioTour) {
    Window w("two-hogs");
    w.app.control().bookmarks().copy_as_tour();
    EXPECT_TRUE(w.says("There are no bookmarks"));
    w.key("B");
    const std::uint64_t hash = w.machine().hash();
    for (int i = 0; i < 3; ++i) w.key("Shift+Right");
    w.key("B");
    w.app.control().bookmarks().copy_as_tour();
    const std::string copied = w.backend.clipboard();
    Folder folder;
    std::string text = content_of(fs::path(SWITCHYARD_SOURCE_DIR) / "scenarios/two-hogs.json");
    text.insert(text.find('{') + 1, copied + ",");
    const std::string file = folder.write("with-tour.json", text);
    Window again(file);
    ASSERT_EQ(again.app.model().a->scenario().tour.size(), 2u) << again.app.model().error;
    EXPECT_EQ(again.machine().hash(), hash) << "the first stop is where the first bookmark was";
}

TEST(WindowTour, EveryShippedTourShowsEachStop) {
    for (const std::string& name : scenarios()) {
        if (sim::load_scenario(name).tour.empty()) continue;
        if (!kThorough && name == "web-server") continue;  // takes minutes without optimisation
        Window w(name, {1280, 800});
        const std::vector<sim::TourStop> tour = w.app.model().a->scenario().tour;
        for (std::size_t i = 0; i < tour.size(); i += kManyRounds ? 1 : 3) {
            SCOPED_TRACE(name + ": " + tour[i].title);
            w.app.control().tour().go_to_stop(i);
            EXPECT_TRUE(w.settle());
            EXPECT_TRUE(w.says(tour[i].caption));
            EXPECT_EQ(w.app.model().error, "");
            EXPECT_EQ(w.app.model().message, "");
        }
    }
}

TEST(PredictionMode, AsksInTurnAndKeepsScore) {
    Window w("yield-processes");
    const auto pane = [&] { return find_panel("decision")->text(w.app.model(), w.app.view()); };
    const auto says = [&](const std::string& words) { return pane().find(words) != std::string::npos; };
    w.key("P");
    EXPECT_TRUE(says("Which task runs next?")) << pane();
    w.key("9");  // there is no answer 9, and the key does not select a tab
    EXPECT_TRUE(w.says("There is no answer with the number 9."));
    const Tab tab = w.app.view().tab;
    w.key("2");  // wrong: the task that has just yielded is last in the queue
    EXPECT_TRUE(says("✗ Your answer was: ")) << pane();
    EXPECT_TRUE(says("You chose the task that has just yielded")) << pane();
    EXPECT_TRUE(says("Right predictions: 0 of 1."));
    EXPECT_EQ(w.app.view().tab, tab);
    w.key("Shift+Right");
    EXPECT_TRUE(says("recalculate all counters?")) << pane();
    EXPECT_TRUE(says("Right predictions: 0 of 1."));
    w.key("Shift+Left");  // not answered, so the question is still open
    EXPECT_TRUE(says("recalculate all counters?"));
    const bool recalculates = w.app.model().a->last_decision()->view.log.decision.recalculations > 0;
    w.key(recalculates ? "1" : "2");
    EXPECT_TRUE(says("✓ Right. ")) << pane();
    EXPECT_TRUE(says("Right predictions: 1 of 2."));
    w.key("Ctrl+Right");
    EXPECT_TRUE(says("How many tasks does this schedule() look at?")) << pane();
    w.key("Keypad 1");
    EXPECT_EQ(w.app.view().predicted, 3u);
    w.key("3");  // answered: digits select panes again
    EXPECT_EQ(w.app.view().predicted, 3u);
    EXPECT_EQ(w.app.view().tab, Tab::costs);
    w.key("Shift+Right");
    EXPECT_TRUE(says("Which task runs next?"));
    w.key("P");
    EXPECT_TRUE(w.says(" of 3.")) << w.app.model().message;
    w.key("P");
    EXPECT_EQ(w.app.view().predicted, 0u);
}

// Searches for each button: clicks at increasing positions until the button responds.
TEST(PredictionMode, MouseAnswersInLargeAndSmallWindows) {
    for (const Size size : {Size{1920, 1080}, Size{640, 480}}) {
        Window w("yield-processes", size);
        w.app.show_pane_alone("decision");
        w.key("P");
        for (std::uint32_t question = 1; question <= 3; ++question) {
            w.settle();
            const ImVec2 room{static_cast<float>(size.width), static_cast<float>(size.height)};
            for (float y = 60; y < room.y && w.app.view().predicted < question; y += 9)
                for (float x = 20; x < 140 && w.app.view().predicted < question; x += 40) {
                    w.click({x, y});
                    ASSERT_TRUE(w.app.view().predicting);
                }
            EXPECT_EQ(w.app.view().predicted, question) << size.width;
            ASSERT_TRUE(w.app.view().prediction);
            EXPECT_EQ(static_cast<std::uint32_t>(w.app.view().prediction->ask), question - 1);
            w.key("Shift+Right");
        }
    }
}

TEST(MarkerKeys, SetAndVisitBookmarksAndCursors) {
    Window w("yield-processes");
    w.app.view().bookmarks.clear();  // removes the bookmark of the tour's first stop
    const Nanos first = w.now();
    const std::uint64_t hash = w.machine().hash();
    w.key("B");
    for (int i = 0; i < 5; ++i) w.key("Shift+Right");
    const Nanos second = w.now();
    w.key("B");
    ASSERT_EQ(w.app.view().bookmarks.size(), 2u);
    w.key("End");
    w.key("[");
    EXPECT_EQ(w.now(), second);
    w.key("[");
    EXPECT_EQ(w.now(), first);
    EXPECT_EQ(w.machine().hash(), hash);
    w.key("[");
    EXPECT_EQ(w.now(), first);
    EXPECT_TRUE(w.says("There is no bookmark before this position"));
    w.key("]");
    EXPECT_EQ(w.now(), second);
    w.key("B");
    EXPECT_EQ(w.app.view().bookmarks.size(), 1u);
    w.key("Q");
    w.key("Shift+Left");
    w.key("Shift+Q");
    EXPECT_EQ(w.app.view().cursor_a, second);
    EXPECT_EQ(w.app.view().cursor_b, w.now());
    w.key("Shift+F");
    EXPECT_EQ(w.app.view().shown, (TimeRange{w.now(), second}));
    w.key("Shift+Q");
    EXPECT_FALSE(w.app.view().cursor_b);
}

TEST(Clipboard, HoldsTextOfPaneUnderMouse) {
    Window w("yield-processes", {1280, 800});
    w.app.view().layout = WindowLayout::kernel;
    w.key("F6");
    w.settle();
    const auto copied = [&](const std::string& pane) {
        w.backend.set_clipboard("");
        w.key("Ctrl+C");
        EXPECT_EQ(w.backend.clipboard(), find_panel(pane)->text(w.app.model(), w.app.view())) << pane;
        EXPECT_TRUE(w.says("Copied"));
    };
    for (const char* pane : {"timeline", "run_queue", "decision", "context_switch", "what_if"}) {
        const ImVec2 at = w.place(pane).GetCenter();
        EXPECT_EQ(w.play(fmt::format("move {:.0f} {:.0f}", at.x, at.y)), "");
        copied(pane);
    }
    for (const Panel& panel : panels()) {
        w.app.view().alone = panel.id;
        w.frames(2);
        copied(panel.id);
    }
    w.app.view().alone.clear();
    EXPECT_EQ(w.play("move 2 2"), "");  // no pane is at the pointer, so all panes are copied
    w.key("Ctrl+C");
    EXPECT_NE(w.backend.clipboard().find("== Timeline"), std::string::npos);
    EXPECT_NE(w.backend.clipboard().find("== What if"), std::string::npos);
}

TEST(Playback, FollowsSpeedAndStopsAtEnd) {
    Window w("two-hogs");
    for (std::size_t speed = 0; speed < kSpeeds.size(); ++speed) {
        SCOPED_TRACE(kSpeeds[speed].name);
        w.key("Home");
        w.app.view().speed = speed;
        w.key("Space");
        const Nanos before = w.now();
        w.frames(60);
        const double factor = kSpeeds[speed].factor;
        const double went = static_cast<double>((w.now() - before).count());
        if (factor > 0 && factor <= 10) {
            EXPECT_NEAR(went, factor * 1e9, factor * 2e7 + 1) << went;
        }
        EXPECT_TRUE(w.app.view().playing || w.now() == w.app.model().a->end());
        if (w.app.view().playing) w.key("Space");
        EXPECT_FALSE(w.app.view().playing);
    }
    for (int i = 0; i < 40; ++i) w.key(".");
    EXPECT_EQ(w.app.view().speed, kSpeeds.size() - 1);
    w.key("Home");
    w.key("Space");
    w.frames(300);
    EXPECT_FALSE(w.app.view().playing);
    EXPECT_EQ(w.now(), w.app.model().a->end());
    EXPECT_TRUE(w.says("This is the end of the run."));
    EXPECT_TRUE(w.settle());
    for (int i = 0; i < 40; ++i) w.key(",");
    EXPECT_EQ(w.app.view().speed, 0);
}

TEST(ViewHistory, KeysRestoreShownRanges) {
    Window w("yield-processes");
    std::vector<TimeRange> shown{w.app.view().shown};
    for (const char* key : {"F", "Z", "F"}) {
        w.key(key);
        shown.push_back(w.app.view().shown);
    }
    for (std::size_t i = shown.size() - 1; i-- > 0;) {
        w.key("Alt+Left");
        EXPECT_EQ(w.app.view().shown, shown[i]) << i;
    }
    w.key("Alt+Left");
    EXPECT_EQ(w.app.view().shown, shown[0]);
    for (std::size_t i = 1; i < shown.size(); ++i) {
        w.key("Alt+Right");
        EXPECT_EQ(w.app.view().shown, shown[i]) << i;
    }
    // The command "back" restores the range shown before the window scrolled automatically.
    w.key("Z");
    const TimeRange chosen = w.app.view().shown;
    w.push("Shift+Right", 40);
    w.frames(2);
    EXPECT_NE(w.app.view().shown, chosen);
    w.key("Alt+Left");
    EXPECT_EQ(w.app.view().shown, chosen);
    for (int i = 0; i < 100; ++i) w.push("W");
    w.frames(2);
    EXPECT_GE(w.app.view().shown.length(), 50ns);
    for (int i = 0; i < 200; ++i) w.push("S");
    w.frames(2);
    EXPECT_EQ(w.app.view().shown, (TimeRange{0ns, w.app.model().a->end()}));
}

TEST(TaskTable, EscLeavesFilterOnly) {
    Window w("yield-processes", {1280, 800});
    w.keys({"2", "I"});
    w.settle();
    const ImRect tasks = w.place("tasks");
    w.click({tasks.Min.x + 60, tasks.Min.y + 16});
    EXPECT_EQ(w.play("text \"spin\"\nkey C\n"), "");
    EXPECT_EQ(w.app.view().task_filter, "spinc");
    EXPECT_EQ(w.app.model().b, nullptr);
    w.key("Esc");
    w.settle();
    EXPECT_EQ(w.app.view().level, DepthLevel::context_switch);
    w.key("Esc");
    EXPECT_EQ(w.app.view().level, DepthLevel::time);
}

// --- the program ---

class Program : public testing::Test {
  protected:
    Finished run(std::vector<std::string> words,
                 const std::vector<std::string>& more_environment = {}) const {
        words.insert(words.begin(), SWITCHYARD_UI_BINARY);
        return spawn(words, more_environment);
    }
    Finished spawn(const std::vector<std::string>& words,
                   const std::vector<std::string>& more_environment = {}) const {
        std::vector<std::string> environment = more_environment;
        environment.push_back("XDG_CONFIG_HOME=" + folder / "config");
        return run_program(words, {folder.path(), "", environment});
    }

    std::string printed(std::vector<std::string> words) const {
        words.insert(words.begin(), {"--headless", "--dump-text"});
        const Finished f = run(words);
        EXPECT_EQ(f.exit_code, 0) << f.err;
        EXPECT_EQ(f.err, "");
        return f.out;
    }

    Folder folder;
};

TEST_F(Program, HelpExamplesRun) {
    const Finished f = run({"--help"});
    EXPECT_EQ(f.exit_code, 0);
    EXPECT_EQ(f.err, "");
    for (const char* word :
         {"--scenario",   "--replay", "--affinity",  "--set",        "--policy",   "--compare",
          "--at",         "--switch", "--pane",      "--tab",        "--theme",    "--scale",
          "--size",       "--keys",   "--headless",  "--screenshot", "--script",   "--dump-text",
          "--quit-after", "--link",   "--presenter", "--film",       "Examples:\n"})
        EXPECT_NE(f.out.find(word), std::string::npos) << word;
    // The files that the examples use: a script, a trace, and a fake ffmpeg.
    folder.write("lecture.script", "key Right\n");
    fs::copy_file(SWITCHYARD_SOURCE_DIR "/tests/recordings/three-on-one-cpu.txt",
                  folder.path() / "trace.txt");
    const std::string ffmpeg = folder.write("ffmpeg", "#!/bin/sh\nexec /bin/cat > /dev/null\n");
    fs::permissions(ffmpeg, fs::perms::owner_all);
    std::istringstream lines(f.out.substr(f.out.find("Examples:\n") + 10));
    int examples = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream in(line);
        std::vector<std::string> words;
        for (std::string word; in >> word;) {
            std::erase(word, '\'');  // quotes of the shell
            words.push_back(word);
        }
        if (words.empty()) continue;
        ASSERT_EQ(words[0], "switchyard-ui") << line;
        words.erase(words.begin());
        ++examples;
        // takes minutes without optimisation
        if (!kThorough && line.find("web-server") != std::string::npos) continue;
        if (std::find(words.begin(), words.end(), "--headless") == words.end())
            words.emplace_back("--headless");
        if (line.find("--film") != std::string::npos)
            words.insert(words.end(), {"--size", "160x100", "--fps", "1"});
        const Finished example = run(words, {"PATH=" + folder.path().string()});
        EXPECT_EQ(example.exit_code, 0) << line << "\n" << example.err;
    }
    EXPECT_GE(examples, 4);
}

TEST_F(Program, BadArgumentsAreRefusedWithMessage) {
    folder.write("bad.json", "{\n\"format\": 3}");
    folder.write("bad.script", "key Right\nkick Left\nkey Nonsense\n");
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
        {{"--headless", "--nonsense"}, "--nonsense"},
        {{"--headless", "no-such-scenario"}, "no-such-scenario"},
        {{"--headless", "bad.json"}, "bad.json:2"},
        {{"--headless", "."}, "directory"},
        {{"--headless", "--policy", "linux-9"}, "linux-9"},
        {{"--headless", "--compare", "linux-2.0:yield=sometimes"}, "sometimes"},
        {{"--headless", "--set", "nonsense"}, "POINTER=VALUE"},
        {{"--headless", "--set", "/no/where=3"}, "/no/where"},
        {{"--headless", "--link", "#scenario=two-hogs&nonsense=3"}, "nonsense"},
        {{"--headless", "two-hogs", "--link", "#scenario=two-hogs"}, "--link"},
        {{"--headless", "--at", "soon"}, "soon"},
        {{"--headless", "--switch", "0"}, "from 1"},
        {{"--headless", "--switch", "999999999"}, "999 999 999"},
        {{"--headless", "--switch", "x"}, "--switch"},
        {{"--headless", "--switch", "3", "--at", "1ms"}, "--at"},
        {{"--headless", "--pane", "nonsense"}, "nonsense"},
        {{"--headless", "--tab", "nonsense"}, "nonsense"},
        {{"--headless", "--theme", "pink"}, "pink"},
        {{"--headless", "--scale", "30"}, "30"},
        {{"--headless", "--scale", "301"}, "301"},
        {{"--headless", "--size", "10x10"}, "10x10"},
        {{"--headless", "--size", "99999999999999x100"}, "9x100"},
        {{"--headless", "--size", "100x"}, "100x"},
        {{"--headless", "--size", "100x100x"}, "100x100x"},
        {{"--headless", "--script", "none.script"}, "none.script: no such file"},
        {{"--headless", "--script", "."}, ".: expected a file, got a directory"},
        {{"--headless", "--script", "bad.script"}, "bad.script:2"},
        {{"--headless", "--script", "bad.script"}, "bad.script:3"},
        {{"--headless", "--screenshot", "no/such/folder.png"}, "no/such/folder.png"},
        {{"--headless", "--screenshot", "."}, "cannot be written"},
        {{"--headless", "--quit-after", "3"}, "--quit-after"},
        {{"--screenshot", "x.png"}, "--headless"},
        {{"--dump-text"}, "--headless"},
        {{"--script", "bad.script"}, "--headless"},
    };
    for (const auto& [words, message] : wrong) {
        const Finished f = run(words);
        const std::string line = fmt::format("{}", fmt::join(words, " "));
        EXPECT_EQ(f.exit_code, 2) << line << "\n" << f.err;
        EXPECT_NE(f.err.find(message), std::string::npos) << line << "\n" << f.err;
        EXPECT_TRUE(f.err.ends_with("\n")) << line;
        EXPECT_EQ(f.out, "") << line;
    }
    std::set<std::string> left;
    for (const auto& entry : fs::directory_iterator(folder.path())) left.insert(entry.path().filename());
    EXPECT_EQ(left, (std::set<std::string>{"bad.json", "bad.script"}));
}

TEST_F(Program, OptionsTakeEffect) {
    const std::string plain = printed({"two-hogs"});
    EXPECT_NE(plain.find("two-hogs   linux-2.0"), std::string::npos) << plain;
    EXPECT_EQ(printed({"--scenario", "two-hogs"}), plain);
    EXPECT_NE(printed({}).find("jobs   rr:quantum=5"), std::string::npos) << "the start screen";
    EXPECT_NE(printed({"--tab", "costs"}).find("yield-processes   linux-2.0"), std::string::npos);
    EXPECT_NE(printed({"two-hogs", "--policy", "sorted-queue"}).find("two-hogs   sorted-queue"),
              std::string::npos);
    EXPECT_NE(printed({"two-hogs", "--compare", "round-robin"}).find("compared with round-robin"),
              std::string::npos);
    EXPECT_NE(printed({"two-hogs", "--at", "1s"}).find("linux-2.0   1 s   switch"), std::string::npos);
    EXPECT_NE(printed({"two-hogs", "--at", "decision 7"}), plain);
    EXPECT_NE(printed({"two-hogs", "--switch", "37"}).find("switch 37 / 100"), std::string::npos);
    EXPECT_NE(printed({"two-hogs", "--set", "/tasks/0/count=5", "--tab", "tasks"}).find("5 tasks"),
              std::string::npos);
    EXPECT_NE(printed({"two-hogs", "--tab", "system"}).find("== System"), std::string::npos);
    EXPECT_EQ(plain.find("== System"), std::string::npos);
    const std::string alone = printed({"two-hogs", "--pane", "decision"});
    EXPECT_NE(alone.find("== Decision"), std::string::npos);
    EXPECT_EQ(alone.find("== Timeline"), std::string::npos);
    const std::string recording = SWITCHYARD_SOURCE_DIR "/tests/recordings/three-on-one-cpu.txt";
    std::set<std::string> imported{printed({recording}), printed({recording, "--affinity", "recorded"}),
                                   printed({recording, "--replay", "open"})};
    EXPECT_EQ(imported.size(), 3u);
    EXPECT_EQ(imported.count(printed({recording, "--affinity", "free", "--replay", "closed"})), 1u);
    // An invalid line of the key file is reported and does not affect the others.
    folder.write("keys", "play = Wrong+Key\ntheme = F7\n");
    folder.write("keys.script",
                 "key Esc\nkey Ctrl+T\nreject \"Theme: light\"\nkey F7\nexpect \"Theme: light\"\n");
    const Finished f =
        run({"--headless", "two-hogs", "--keys", "keys", "--script", "keys.script", "--dump-text"});
    EXPECT_EQ(f.exit_code, 0) << f.err;
    EXPECT_NE(f.err.find("keys: line 1: 'Wrong+Key' is not a key"), std::string::npos) << f.err;
}

TEST_F(Program, OldOptionNamesWorkAndPrintNotice) {
    const Finished pane = run({"--headless", "two-hogs", "--panel=decision", "--print"});
    EXPECT_EQ(pane.out, printed({"two-hogs", "--pane", "decision"}));
    EXPECT_EQ(pane.err, "switchyard-ui: --panel is now --pane\nswitchyard-ui: --print is now --dump-text\n");
    const Finished presenter = run({"--headless", "recalc-storm", "--dump-text", "--present"});
    EXPECT_EQ(presenter.out, printed({"recalc-storm", "--presenter"}));
    EXPECT_EQ(presenter.err, "switchyard-ui: --present is now --presenter\n");
    const std::string help = run({"--help"}).out;
    for (const char* old_name : {"--panel ", "--print ", "--present "})
        EXPECT_EQ(help.find(old_name), std::string::npos) << old_name;
}

TEST_F(Program, ScreenshotsRepeatAndDifferByOption) {
    std::set<std::string> pictures;
    std::size_t count = 0;
    for (const std::vector<std::string>& look :
         std::vector<std::vector<std::string>>{{},
                                               {"--theme", "light"},
                                               {"--theme", "projector"},
                                               {"--scale", "150"},
                                               {"--size", "640x480"},
                                               {"--pane", "timeline"},
                                               {"--tab", "costs"},
                                               {"--compare", "sorted-queue"}}) {
        std::vector<std::string> words{"--headless", "yield-processes", "--screenshot", "a.png"};
        words.insert(words.end(), look.begin(), look.end());
        ASSERT_EQ(run(words).exit_code, 0);
        words[3] = "b.png";
        ASSERT_EQ(run(words).exit_code, 0);
        const std::string a = content_of(folder / "a.png");
        EXPECT_GT(a.size(), 5000u);
        EXPECT_EQ(a, content_of(folder / "b.png"));
        pictures.insert(a);
        ++count;
    }
    EXPECT_EQ(pictures.size(), count);
}

TEST_F(Program, FailedInputScriptExitsWithLocation) {
    folder.write("fails.script",
                 "key Right\nexpect \"no such words\"\nshot \"no/such.png\"\ncommand nonsense\n");
    const Finished f = run({"--headless", "two-hogs", "--script", "fails.script"});
    EXPECT_EQ(f.exit_code, 1);
    for (const char* place : {"fails.script:2:1", "fails.script:3:1", "fails.script:4:1"})
        EXPECT_NE(f.err.find(place), std::string::npos) << f.err;
    folder.write("quits.script", "key Ctrl+Q\nexpect \"never looked at\"\n");
    EXPECT_EQ(run({"--headless", "two-hogs", "--script", "quits.script"}).exit_code, 0);
}

// Runs tests/ui_scripts/*.script, each with the options in its first line.
class InputScript : public Program, public testing::WithParamInterface<std::string> {};

TEST_P(InputScript, AllPass) {
    const std::string path = SWITCHYARD_SOURCE_DIR "/tests/ui_scripts/" + GetParam() + ".script";
    std::istringstream first(content_of(path));
    std::string line;
    std::getline(first, line);
    ASSERT_TRUE(line.starts_with("# switchyard-ui")) << path;
    std::istringstream in(line.substr(15));
    std::vector<std::string> words{"--headless", "--script", path};
    for (std::string word; in >> word;) words.push_back(word);
    fs::create_directory_symlink(SWITCHYARD_SOURCE_DIR "/scenarios", folder / "scenarios");
    const Finished f = run(words);
    EXPECT_EQ(f.exit_code, 0) << f.err << f.out;
}

std::vector<std::string> script_names() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(SWITCHYARD_SOURCE_DIR "/tests/ui_scripts"))
        if (entry.path().extension() == ".script") names.push_back(entry.path().stem());
    std::sort(names.begin(), names.end());
    return names;
}

INSTANTIATE_TEST_SUITE_P(Files, InputScript, testing::ValuesIn(script_names()), name_of_parameter);

// A real window on a virtual screen.
TEST_F(Program, WindowMatchesHeadlessAndEndsBySignal) {
    if (spawn({"/bin/sh", "-c", "command -v xvfb-run && command -v Xvfb && command -v xauth"}).exit_code != 0)
        GTEST_SKIP() << "Xvfb or xauth is not installed: the real window is not tried.";
    // X11's libraries keep memory until the end, so leaks are not checked.
    const auto under_screen = [&](const std::string& line) {
        return spawn({"/bin/sh", "-c", "exec xvfb-run -a -s '-screen 0 1600x1200x24' " + line},
                     {"SDL_AUDIODRIVER=dummy", "ASAN_OPTIONS=detect_leaks=0"});
    };
    const std::string program = SWITCHYARD_UI_BINARY;
    // Both the pointer and the window are centred on the screen.
    const std::string common = " two-hogs --size 1000x640 --switch 37 ";
    const Finished shown =
        under_screen(program + common + "--quit-after 60 --screenshot window.png --dump-text");
    ASSERT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_NE(shown.out.find("switch 37 / 100"), std::string::npos);
    const Finished headless =
        run({"--headless", "two-hogs", "--size", "1000x640", "--switch", "37", "--screenshot", "headless.png",
             "--dump-text", "--script", folder.write("pointer.script", "move 500 320\nwait 30\n")});
    EXPECT_EQ(headless.exit_code, 0);
    EXPECT_EQ(shown.out, headless.out);
    EXPECT_EQ(content_of(folder / "window.png"), content_of(folder / "headless.png"));
    if (const char* kept = std::getenv("SWITCHYARD_KEEP"); kept != nullptr)
        for (const char* name : {"window.png", "headless.png"})
            fs::copy_file(folder / name, fs::path(kept) / name, fs::copy_options::overwrite_existing);
    // The window waits for input; a signal ends it cleanly.
    const Finished ended = under_screen(fmt::format(
        "/bin/sh -c '{} two-hogs & child=$!; sleep 2; kill -TERM $child; wait $child; exit $?'", program));
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
}

}  // namespace ui_app_test
}  // namespace ui

#endif
