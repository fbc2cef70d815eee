// Untrusted files, enormous windows and a lack of memory must not keep the window busy, fill the memory or
// end the program. Nor may untrusted files put control sequences (of terminals, titles or formats) into the
// texts of the window.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <SDL.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "tests/support/hostile_text.h"
#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/app/screen_reader_text.h"
#include "ui/app/script_host.h"
#include "ui/app/window_link.h"
#include "ui/app/window_settings.h"
#include "ui/control/bookmarks.h"
#include "ui/control/undo_history.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/script.h"
#include "ui/view/cost_report.h"
#include "ui/view/format.h"

namespace ui {
namespace ui_hardening_test {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Window final : public AppInputScriptHost {
  public:
    explicit Window(const std::string& scenario = "two-hogs", Size size = {1000, 640})
        : AppInputScriptHost(app), backend(Backend::headless(size)), app(backend) {
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
        app.control().set_wait_without_limit(true);
        EXPECT_TRUE(app.control().open(scenario)) << app.model().error;
        EXPECT_TRUE(comes_to_rest());
    }

    // Returns true if the window becomes idle within ten seconds of simulated frames.
    bool comes_to_rest() {
        for (int frame = 0, idle = 0; frame < 600; ++frame) {
            app.run_frame(1.0 / 60);
            idle = app.is_busy() || backend.wants_frame() ? 0 : idle + 1;
            if (idle > 3) return true;
        }
        return false;
    }
    void play(const std::string& script) {
        std::ostringstream out;
        InputScriptPlayer player(parse_input_script(script, "script"), *this, out);
        while (player.push_next_frame()) app.run_frame(1.0 / 60);
        for (const sim::Problem& problem : player.failures()) ADD_FAILURE() << problem.text();
    }

    void save_screenshot(const std::string&) override { backend.screenshot(); }

    Backend backend;
    App app;
};

bool is_printable(const std::string& text) { return find_unsafe_bytes(text).empty(); }

std::string scenario_of(const std::string& name) {
    return fmt::format(
        R"({{"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "until": "1s", "tasks":
            [{{"name": "{0}a", "count": 2, "program": [{{"loop": "forever", "steps": [{{"run": "1ms"}}, "yield"]}}]}},
             {{"name": "{0}b", "count": 2, "program": [{{"loop": "forever", "steps": [{{"run": "1ms"}}]}}]}}]}})",
        name);
}

// --- coming to rest ---

TEST(IdleWindow, SelectionBeyondRunIsComputed) {
    Window w("lazy-tlb");
    ViewState& view = w.app.view();
    view.tab = Tab::costs;
    const sim::Nanos end = w.app.model().a->end();
    const std::optional<CostReport> whole = costs_of(*w.app.model().a, CostScope::whole, view);
    for (const TimeRange& selection :
         {TimeRange{0ns, end + 1s}, TimeRange{-1s, end}, TimeRange{end + 1s, end + 2s},
          TimeRange{end, end + 1ns}, TimeRange{5ms, 5ms}}) {
        view.selection = selection;
        EXPECT_TRUE(w.comes_to_rest()) << selection.begin.count() << " to " << selection.end.count();
        const std::optional<CostReport> costs = costs_of(*w.app.model().a, CostScope::selection, view);
        ASSERT_TRUE(costs);
        EXPECT_EQ(costs->parts.total(), selection.begin <= 0ns ? whole->parts.total() : 0ns);
    }
}

TEST(IdleWindow, SelectionBeyondSecondRunIsComputed) {
    const InsideScratchFolder folder;
    const std::string file = folder.write("ends.json", R"({"format": "switchyard-scenario/1",
        "machine": "pentium-mmx-200", "until": "20s",
        "tasks": [{"name": "a", "count": 3, "program": [{"loop": 40, "steps": [{"run": "1ms"}, "yield"]}]}]})");
    Window w(file);
    w.app.control().comparison().compare_with("linux-2.0:yield=one_tick");
    ASSERT_TRUE(w.comes_to_rest());
    w.app.view().tab = Tab::costs;
    w.app.view().selection = TimeRange{0ns, std::max(w.app.model().a->end(), w.app.model().b->end())};
    ASSERT_NE(w.app.model().a->end(), w.app.model().b->end());
    EXPECT_TRUE(w.comes_to_rest());
}

TEST(IdleWindow, RefinedSamplesAreComputedOnce) {
    const InsideScratchFolder folder;
    Window w(folder.write("yields.json", R"({"format": "switchyard-scenario/1", "machine": "pentium-mmx-200",
        "until": "10s", "tasks": [
            {"name": "busy", "count": 2, "program": [{"loop": "forever", "steps": [{"run": "1us"}, "yield"]}]}]})"),
             {1800, 700});
    const ui::Run& run = *w.app.model().a;
    const std::size_t samples = run.history().overview().samples().size();
    w.app.show_pane_alone("timeline");
    // This range contains too many slices to draw them all. Its samples must be refined, because they are
    // too few.
    const sim::Nanos part = run.end() / 80;
    w.app.control().history().show({50 * part, 51 * part});
    ASSERT_TRUE(w.comes_to_rest());
    const TimelineDetail detail = run.detail(w.app.view().shown);
    ASSERT_EQ(detail.timeline, nullptr);
    EXPECT_FALSE(detail.refining);
    EXPECT_GT(detail.samples.size(), samples / 80 * 2);
    EXPECT_EQ(w.backend.visible_text().find("refining"), std::string::npos) << w.backend.visible_text();
    // After the text version of the window has been created, the refined samples still exist.
    w.app.text();
    w.app.run_frame(1.0 / 60);
    EXPECT_EQ(w.backend.visible_text().find("refining"), std::string::npos);
}

// --- memory ---

TEST(LargeWindow, HasFramesOfABoundedSize) {
    Window w;
    for (const Size window :
         {Size{32'000, 32'000}, Size{100'000, 1}, Size{1, 100'000}, Size{16'384, 16'384}}) {
        w.backend.resize(window);
        const Size frame = w.backend.size();
        EXPECT_LE(std::int64_t{frame.width} * frame.height, kMostPixels);
        EXPECT_LE(std::max(frame.width, frame.height), kLongestSide);
        // A mouse position in the large window is converted to a position in the smaller frame.
        w.play(fmt::format("move {} {}", window.width - 1, window.height - 1));
        EXPECT_NEAR(ImGui::GetIO().MousePos.x, frame.width - 1, 1);
        EXPECT_NEAR(ImGui::GetIO().MousePos.y, frame.height - 1, 1);
    }
    w.backend.resize({3840, 2160});
    EXPECT_EQ(w.backend.size(), (Size{3840, 2160}));
    w.backend.resize({7680, 4320});
    EXPECT_EQ(w.backend.size(), (Size{7680, 4320}));
}

TEST(LargeWindow, ReleasesMemoryAfterShrinking) {
    if (!kOptimised) GTEST_SKIP() << "sanitizers keep memory";
    const auto resident = [] {
        std::ifstream in("/proc/self/statm");
        double pages = 0;
        in >> pages >> pages;
        return pages * 4096 / (1 << 20);  // MiB
    };
    Window w;
    w.play("shot x");
    const double before = resident();
    w.play("resize 32000 32000\nshot x");
    const double large = resident();
    w.play("resize 1000 640\nshot x");
    EXPECT_GT(large, before + 100);
    EXPECT_LT(large, before + 400);
    EXPECT_LT(resident(), before + 20);
}

TEST(OutOfMemory, EndsCommandAndKeepsWindow) {
    Window w;
    int tried = 0;
    w.app.commands().add("greedy", "Test", "Ask for too much", "Ctrl+Shift+F9", [&](App&) {
        ++tried;
        throw std::bad_alloc();
    });
    w.app.control().say({});
    w.play("key Ctrl+Shift+F9");
    EXPECT_EQ(tried, 1);
    EXPECT_EQ(w.app.model().message, "There is not enough memory for this action.");
    w.app.control().say({});
    w.app.ask([](App&) { throw std::bad_alloc(); });
    w.app.run_frame(1.0 / 60);
    EXPECT_EQ(w.app.model().message, "There is not enough memory for this action.");
    EXPECT_TRUE(w.comes_to_rest());
    w.play("key Right\nexpect two-hogs");
}

// --- untrusted texts ---

TEST(Window, BoundsUndoListAndBookmarks) {
    UndoHistory changes;
    const auto text = std::make_shared<const std::string>("{}");
    const auto state = [&](std::size_t i) {
        return EditState{text, {fmt::format("/seed={}", i)}, "linux-2.0", {}};
    };
    for (std::size_t i = 0; i <= UndoHistory::kMost; ++i) changes.record(state(i), fmt::format("/{}", i));
    for (std::size_t i = UndoHistory::kMost; i > 0; --i)
        EXPECT_EQ(changes.undo(state(0)).value().state.sets, state(i).sets);
    EXPECT_FALSE(changes.undo(state(0)).has_value()) << "the oldest is forgotten";

    UndoHistory large;
    constexpr std::size_t kTexts = 12;
    for (std::size_t i = 0; i < kTexts; ++i)
        large.record(
            {std::make_shared<const std::string>(UndoHistory::kMostBytes / 4, 'x'), {}, "linux-2.0", {}}, {});
    std::size_t kept = 0;
    while (large.undo(state(0))) ++kept;
    EXPECT_EQ(kept, 4u) << "texts of more than 64 MiB are forgotten";

    Window w;
    for (std::size_t i = 0; i <= Bookmarks::kMost; ++i) w.app.control().bookmarks().add("here");
    EXPECT_EQ(w.app.view().bookmarks.size(), Bookmarks::kMost);
    w.app.control().bookmarks().toggle();
    EXPECT_TRUE(w.app.view().bookmarks.empty());
}

TEST(UntrustedText, IsEscapedForBoxesAndLabels) {
    EXPECT_EQ(sanitize_for_text_box("caf\u00e9 \u4e2d.json", 100), "caf\u00e9 \u4e2d.json");
    EXPECT_EQ(sanitize_for_text_box("\xff\xfe-\xc3", 100), "__-_");
    EXPECT_EQ(sanitize_for_text_box("\U0001f600 \xc0\x80 \xed\xa0\x80", 100), "_ __ ___");
    EXPECT_EQ(sanitize_for_text_box("a\x1b\n", 100), "a__");
    EXPECT_EQ(sanitize_for_text_box("abc\u00e9", 4), "abc");
    EXPECT_EQ(sanitize_for_text_box("abc\u00e9", 5), "abc\u00e9");
    for (const std::string& text : hostile_bytes(2000)) {
        const std::string typed = sanitize_for_text_box(text, 100);
        EXPECT_EQ(find_unsafe_bytes(typed), "") << typed;
        EXPECT_EQ(sanitize_for_text_box(typed, 100), typed);
    }
    EXPECT_EQ(escape_for_imgui_label("a##b###c"), "a# #b# # #c");
    EXPECT_EQ(escape_for_imgui_label("a#b"), "a#b");
    EXPECT_EQ(escape_for_printf("50% of %s"), "50%% of %%s");
}

TEST(UntrustedText, FileNamesAreShownPrintable) {
    const InsideScratchFolder folder;
    for (const std::string name :
         {"esc\x1b[31m\x07", "two\nlines", "\xff\xfe bytes", "c1 \u009b31m", "del\x7f"}) {
        SCOPED_TRACE(sim::printable(name));
        const std::string file = folder.write(name + ".json", scenario_of("t"));
        const std::string bad = folder.write(name + "-bad.json", "{");
        Window w;
        w.app.use_window_settings_file("window");
        for (const std::string& path : {file, bad, file + ".none"}) {
            w.app.control().open(path);
            w.comes_to_rest();
            EXPECT_TRUE(is_printable(w.app.model().error)) << w.app.model().error;
            EXPECT_TRUE(is_printable(w.app.text()));
            EXPECT_TRUE(is_printable(w.backend.visible_text()));
            EXPECT_TRUE(is_printable(screen_reader_lines(w.app)));
            w.play("key Escape\nkey Escape");
        }
        EXPECT_EQ(w.app.model().scenario_name, sim::printable(name));
        for (const char* command : {"link", "copy", "reload", "open", "save"}) {
            w.run_command(command);
            w.comes_to_rest();
            EXPECT_TRUE(is_printable(w.app.model().message)) << w.app.model().message;
            EXPECT_TRUE(is_printable(w.app.text())) << command;
            EXPECT_TRUE(is_printable(w.backend.clipboard())) << command;
            EXPECT_TRUE(is_printable(content_of("window"))) << command;
        }
        // The box proposes a name, which can be edited in all ways.
        w.play(
            "key Ctrl+A\nkey Ctrl+C\nkey Ctrl+V\nkey Ctrl+V\nkey Ctrl+A\nkey Backspace\ntext \"x\"\nkey "
            "Ctrl+Z\nkey Return");
        EXPECT_TRUE(is_printable(w.app.text()));
    }
}

TEST(UntrustedText, InvisibleCharactersAreNotTypedOrPasted) {
    Window w;
    w.play("command go.to\ntext \"\u200b3\u202e7\x7f\"\nkey Ctrl+A\nkey Ctrl+C");
    EXPECT_EQ(w.backend.clipboard(), "37");
    w.backend.set_clipboard("\x1b[31m1\u2066\xff");
    w.play("key Ctrl+A\nkey Ctrl+V\nkey Ctrl+A\nkey Ctrl+C");
    EXPECT_EQ(w.backend.clipboard(), "[31m1");
}

TEST(UntrustedText, LinkValuesCanBeReplaced) {
    Window w("two-hogs", {1300, 900});
    for (const std::string& values :
         {std::string("%FF%FE,2"), std::string(1500, '1'), std::string("%C2%9B1")}) {
        EXPECT_TRUE(apply_link(
            w.app, parse_link("#scenario=two-hogs&panel=laboratory&vary=/tasks/0/count%3D" + values)));
        w.comes_to_rest();
        EXPECT_TRUE(is_printable(w.app.text()));
        EXPECT_NE(w.backend.visible_text().find("values"), std::string::npos);
        for (const char* box : {"120 152", "230 244"})
            w.play(fmt::format("click {}\nkey Ctrl+A\nkey Backspace\nkey Ctrl+Z\nkey Return", box));
        w.comes_to_rest();
    }
}

// `##` ends a label of ImGui, and `%` starts a conversion in a format. Names may contain both.
TEST(UntrustedText, TaskNamesAreDrawnLiterally) {
    const InsideScratchFolder folder;
    const std::string file = folder.write("##100%d%s.json", scenario_of("p%d##q###"));
    Window w(file, {1600, 1000});
    const auto shown = [&](const std::string& words) {
        return w.backend.visible_text().find(words) != std::string::npos;
    };
    EXPECT_TRUE(shown("# #100%d%s")) << w.backend.visible_text();
    for (const Panel& panel : panels()) {
        // a card of this pane shows only the end of a name
        if (panel.id == std::string_view("run_queue")) continue;
        w.app.show_pane_alone(panel.id);
        w.comes_to_rest();
        const std::string text = w.backend.visible_text();
        if (text.find("p%d") == std::string::npos) continue;
        EXPECT_TRUE(shown("p%d##q###a") || shown("p%d# #q# # #a") || shown("p%d##q###b")) << panel.id << "\n"
                                                                                          << text;
        w.app.show_pane_alone("");
    }
    // A pane of little height shows the names in its sliders.
    w.app.view().bare = true;
    w.app.view().alone = "what_if";
    w.backend.resize({1800, 45});
    w.comes_to_rest();
    EXPECT_TRUE(shown("p%d# #q# # #a × 2")) << w.backend.visible_text();
}

TEST(RecentFiles, PathsWithControlCharactersAreSkipped) {
    std::vector<std::string> recent;
    add_recent_file(recent, "/tmp/a.json");
    add_recent_file(recent, "/tmp/two\nrecent = /lines.json");
    add_recent_file(recent, "/tmp/esc\x1b[2J.json");
    EXPECT_EQ(recent, std::vector<std::string>{"/tmp/a.json"});
}

TEST(KeyFile, RebindKeepsUnterminatedLastLine) {
    const InsideScratchFolder folder;
    folder.write("keys", "# mine\nplay = F9");  // without a newline at the end
    Window w;
    w.app.use_key_bindings_file("keys");
    w.app.start_rebinding("go.end");
    w.play("key F8");
    EXPECT_EQ(content_of("keys"), "# mine\nplay = F9\ngo.end = F8\n");
}

}  // namespace ui_hardening_test
}  // namespace ui

#endif
