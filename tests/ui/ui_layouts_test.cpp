// The layouts of the window and the band at its bottom, used by keyboard and mouse.
#include "ui/view/layouts.h"

#include <SDL.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/scripted_window.h"
#include "ui/app/app.h"
#include "ui/view/decision_page.h"

namespace ui_layouts_test {

using namespace ui;

constexpr Size kSizes[] = {{1024, 600}, {1366, 768}, {1920, 1080}, {3840, 2160}};
constexpr const char* kKeys[] = {"Shift+1", "Shift+2", "Shift+3"};

class Window final : public ScriptedWindow {
  public:
    explicit Window(Size size, const std::string& scenario = "yield-processes") : ScriptedWindow(size) {
        app.control().set_wait_without_limit(true);
        if (scenario.empty())
            app.open_example_jobs();
        else
            EXPECT_TRUE(app.control().open(scenario)) << app.model().error;
        play("settle");
    }

    void key(const std::string& chord) { play("key " + chord + "\nsettle"); }
    bool shows(const std::string& words) const { return app.text().find(words) != std::string::npos; }

    // The panes and the band that the last frame shows, with their rectangles.
    static std::vector<std::pair<std::string, ImRect>> places() {
        std::vector<std::pair<std::string, ImRect>> places;
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            const std::string name = window->Name;
            if (!window->Active || window->ParentWindow != window->RootWindow) continue;
            if (name.starts_with("switchyard/"))
                places.emplace_back(name.substr(11, name.rfind('_') - 11), window->Rect());
        }
        return places;
    }
    static ImRect place(const std::string& pane) {
        for (const auto& [name, rectangle] : places())
            if (name == pane) return rectangle;
        return {0, 0, 0, 0};
    }
};

// The child window of this name in a pane; null: it is not shown.
const ImGuiWindow* child_window(const std::string& name) {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && std::string(window->Name).find("/" + name + "_") != std::string::npos)
            return window;
    return nullptr;
}

// --- choosing a layout ---

TEST(Layouts, ButtonsChooseThemAndNameTheirKeys) {
    Window w({1366, 768});
    EXPECT_EQ(w.app.view().layout, WindowLayout::lecture);
    for (const WindowLayout layout :
         {WindowLayout::kernel, WindowLayout::laboratory, WindowLayout::lecture}) {
        const LayoutInfo& info = info_of(layout);
        bool found = false;
        for (int x = 1360; x > 1000 && !found; x -= 12) {
            w.play(fmt::format("move {} 16\nwait 2", x));
            found = w.backend.visible_text().find(info.command_title) != std::string::npos;
            if (!found) continue;
            const std::string key =
                display_name(w.app.commands().find("layout." + std::string(info.name))->keys[0]);
            EXPECT_NE(w.backend.visible_text().find(key), std::string::npos) << key;
            w.play(fmt::format("click {} 16\nsettle", x));
        }
        ASSERT_TRUE(found) << info.title;
        EXPECT_EQ(w.app.view().layout, layout);
    }
}

TEST(Layouts, KeysChooseThemAndLeaveASinglePane) {
    Window w({1366, 768});
    const char* const own[] = {"== Decision", "== Switch", "== Laboratory"};
    for (std::size_t i = 0; i < kLayouts.size(); ++i) {
        w.key("Shift+F2");
        EXPECT_EQ(w.app.view().alone, "timeline");
        w.key(kKeys[i]);
        EXPECT_EQ(w.app.view().layout, kLayouts[i].layout);
        EXPECT_EQ(w.app.view().alone, "");
        EXPECT_TRUE(w.shows(own[i])) << w.app.text();
        w.play(fmt::format("command layout.{}", kLayouts[(i + 1) % 3].name));
        EXPECT_EQ(w.app.view().layout, kLayouts[(i + 1) % 3].layout);
    }
    w.key("Shift+F5");
    EXPECT_TRUE(w.app.view().presenting);
    w.key("Shift+2");
    EXPECT_FALSE(w.app.view().presenting);
}

TEST(Layouts, AreRememberedAlsoBehindTheStartScreen) {
    const ScratchFolder folder;
    const std::string file = folder / "window";
    {
        Window w({1366, 768}, "");
        w.app.use_window_settings_file(file);
        w.key("F9");
        EXPECT_EQ(w.app.view().layout, WindowLayout::lecture) << "at first";
        w.key("F9");
        EXPECT_TRUE(w.app.view().start);
        w.key("Shift+2");
        EXPECT_FALSE(w.app.view().start);
        EXPECT_TRUE(w.shows("== Decision"));
    }
    {
        Window w({1366, 768}, "");
        w.app.use_window_settings_file(file);
        EXPECT_FALSE(w.app.prefers_start_screen());
        EXPECT_EQ(w.app.view().layout, WindowLayout::kernel);
        w.key("F9");
        w.key("F9");
        EXPECT_TRUE(w.app.prefers_start_screen());
    }
    Window w({1366, 768}, "");
    w.app.use_window_settings_file(file);
    EXPECT_TRUE(w.app.prefers_start_screen());
    EXPECT_TRUE(w.app.view().start);
    w.key("F9");
    EXPECT_EQ(w.app.view().layout, WindowLayout::kernel);
}

TEST(Layouts, OldSettingsFilesAreRead) {
    const ScratchFolder folder;
    struct Old {
        const char* text;
        bool starts;
        WindowLayout layout;
        bool hints;
    };
    for (const Old& old : {Old{"folded = what_if, hints\nlayout = all\n", false, WindowLayout::kernel, false},
                           Old{"folded = \nrecent = /a.json\n", true, WindowLayout::lecture, true},
                           Old{"layout = nonsense\n", false, WindowLayout::lecture, true},
                           Old{"more = laboratory\n", true, WindowLayout::laboratory, true}}) {
        Window w({1366, 768});
        w.app.use_window_settings_file(folder.write("window", old.text));
        EXPECT_EQ(w.app.prefers_start_screen(), old.starts) << old.text;
        EXPECT_EQ(w.app.view().layout, old.layout) << old.text;
        EXPECT_EQ(w.app.view().show_hints, old.hints) << old.text;
        EXPECT_FALSE(w.app.view().show_what_if) << old.text;
    }
}

TEST(Layouts, OptionChoosesOneAndRefusesOthers) {
    const auto run = [](std::vector<std::string> words) {
        words.insert(words.begin(), SWITCHYARD_UI_BINARY);
        return run_program(words, {std::filesystem::temp_directory_path(), "", {}});
    };
    EXPECT_NE(
        run({"--headless", "two-hogs", "--layout", "laboratory", "--dump-text"}).out.find("== Laboratory"),
        std::string::npos);
    EXPECT_NE(run({"--headless", "--layout", "kernel", "--dump-text"}).out.find("== Switch"),
              std::string::npos);
    const auto bad = run({"--headless", "--layout", "kernl"});
    EXPECT_EQ(bad.exit_code, 2);
    EXPECT_NE(bad.err.find("did you mean 'kernel'?"), std::string::npos) << bad.err;
}

// --- what the layouts show ---

TEST(Layouts, KernelShowsFourteenLinesOfPseudoCode) {
    Window w({1366, 768});
    w.key("Shift+2");
    for (const char* keys : {"", "key I\nkey I\nsettle"}) {
        w.play(*keys == 0 ? "settle" : keys);
        const std::optional<Cursor> cursor = cursor_in(w.app.model().a, w.app.view());
        ASSERT_TRUE(cursor);
        const std::string drawn = w.backend.visible_text();  // without what is scrolled out of view
        int lines = 0;
        for (const CodeLine& line : decision_page(*cursor, w.app.view()).code)
            lines += drawn.find(line.text) != std::string::npos;
        EXPECT_GE(lines, 14) << drawn;
    }
    EXPECT_TRUE(w.shows("== Timeline") && w.shows("== Run queue"));
    const ImRect decision = Window::place("decision");
    EXPECT_GT(decision.GetHeight(), 768 * 0.8);
}

// On a small screen with large letters, the means are visible although the last row of the table is not.
TEST(Layouts, SmallStartScreenShowsTheMeans) {
    for (const Size size : {Size{1024, 600}, Size{1366, 768}}) {
        SCOPED_TRACE(size.width);
        Window w(size, "");
        w.app.set_theme("projector");
        w.play("settle\n");
        const std::string drawn = w.backend.visible_text();
        EXPECT_NE(drawn.find("17.5"), std::string::npos) << drawn;
        EXPECT_NE(drawn.find("mean"), std::string::npos);
    }
    Window w({1024, 600}, "");
    w.app.set_theme("projector");
    w.play("settle\n");
    EXPECT_NE(w.backend.visible_text().find("mean turnaround 17.5, mean waiting 11"), std::string::npos);
}

TEST(Layouts, LectureShowsEveryCandidateInLargeLetters) {
    Window w({1366, 768}, "lesson-2-goodness");
    EXPECT_FALSE(w.shows("== What if"));
    EXPECT_GE(w.backend.fonts().scale, 1.25F);
    int decisions = 0;
    for (int i = 0; i < 30; ++i) {
        w.key("Ctrl+Right");
        const ImGuiWindow* const table = child_window("candidates");
        if (table == nullptr) continue;
        ++decisions;
        EXPECT_EQ(table->ScrollMax.y, 0) << w.backend.visible_text();
    }
    EXPECT_GT(decisions, 20);
    const float scale = w.backend.fonts().scale;
    w.key("Ctrl+=");
    EXPECT_GT(w.backend.fonts().scale, scale + 0.1F);
    EXPECT_TRUE(w.shows("== Run queue")) << "the layout stays";
    w.key("Ctrl+0");
    w.backend.resize({1920, 1080});
    w.play("settle");
    EXPECT_NEAR(w.backend.fonts().scale / scale, 1080.0F / 768, 0.02) << "letters follow the height";
    w.key("Shift+2");
    EXPECT_EQ(w.backend.fonts().scale, 1);
}

TEST(Layouts, EveryPaneIsReachableInEachByItsKey) {
    for (std::size_t i = 0; i < kLayouts.size(); ++i) {
        Window w({1366, 768});
        w.key(kKeys[i]);
        int panes = 0;
        for (const Command& command : w.app.commands().all()) {
            if (!command.id.starts_with("pane.")) continue;
            const std::string title = command.title.substr(command.title.starts_with("Show only ") ? 10 : 5);
            const auto panel = std::find_if(panels().begin(), panels().end(),
                                            [&](const Panel& p) { return p.title == title; });
            ASSERT_NE(panel, panels().end()) << title;
            w.key(to_string(command.keys.front()));
            EXPECT_TRUE(w.shows("== " + title + "\n")) << kLayouts[i].name << " " << title;
            EXPECT_GT(Window::place(panel->id).GetHeight(), 100) << kLayouts[i].name << " " << title;
            EXPECT_EQ(w.app.view().layout, kLayouts[i].layout);
            if (!w.app.view().alone.empty()) w.key(to_string(command.keys.front()));
            ++panes;
        }
        EXPECT_EQ(panes, 15) << "all but the strip and the form";
        w.key("F10");
        EXPECT_TRUE(w.shows("== Scenario"));
        w.key("F10");
        EXPECT_FALSE(w.shows("== Scenario"));
    }
}

TEST(Layouts, WhatIfStripIsShownOnDemandAndInTheLaboratory) {
    Window w({1366, 768});
    for (const char* key : {"Shift+1", "Shift+2"}) {
        w.key(key);
        EXPECT_FALSE(w.shows("== What if"));
        w.key("F6");
        EXPECT_TRUE(w.shows("== What if"));
        w.key("F6");
    }
    w.key("Shift+3");
    EXPECT_TRUE(w.shows("== What if"));
    EXPECT_EQ(child_window("cells")->ScrollMax.y, 0) << "all sliders are visible";
    w.key("F6");
    EXPECT_TRUE(w.shows("always shows the what-if strip"));
    EXPECT_TRUE(w.shows("== Laboratory") && w.shows("== Jobs") && w.shows("== Gantt chart"));
    w.key("Shift+1");
    EXPECT_FALSE(w.shows("== What if"));
}

TEST(Layouts, TourStopsShowTheirPane) {
    for (const char* key : kKeys) {
        Window w({1366, 768});
        w.key(key);
        for (int i = 0; i < 4; ++i) w.key("PageDown");
        EXPECT_TRUE(w.shows("5/5")) << w.app.text();
        EXPECT_TRUE(w.shows("== Costs")) << key;
        w.key("PageUp");
        EXPECT_TRUE(w.shows("== Decision")) << key << ": this stop names no pane";
        EXPECT_TRUE(w.shows("== Timeline")) << key;
    }
}

TEST(Layouts, SmallWindowsHaveTabsInstead) {
    Window w({640, 480});
    w.key("Shift+2");
    EXPECT_TRUE(w.shows("too small for layouts"));
    EXPECT_TRUE(w.shows("== Timeline") && w.shows("== Decision"));
    EXPECT_FALSE(w.shows("== Run queue"));
    w.key("4");
    EXPECT_TRUE(w.shows("== System"));
    w.backend.resize({1366, 768});
    w.play("settle");
    EXPECT_TRUE(w.shows("== Run queue") && w.shows("== System"));
}

// --- nothing overlaps ---

void expect_no_overlap(const Size& size) {
    const auto places = Window::places();
    const ImRect whole(0, 0, static_cast<float>(size.width), static_cast<float>(size.height));
    for (std::size_t i = 0; i < places.size(); ++i) {
        const ImRect& a = places[i].second;
        EXPECT_TRUE(whole.Contains(a)) << places[i].first;
        EXPECT_GT(a.GetHeight(), 40) << places[i].first;
        for (std::size_t j = i + 1; j < places.size(); ++j)
            EXPECT_FALSE(a.Overlaps(places[j].second)) << places[i].first << " " << places[j].first;
    }
}

TEST(Layouts, PanesDoNotOverlapAtAnySize) {
    for (const Size& size : kSizes)
        for (const char* key : kKeys)
            for (const char* more : {"", "F6", "C", "0"}) {
                SCOPED_TRACE(fmt::format("{}x{} {} {}", size.width, size.height, key, more));
                Window w(size);
                w.key(key);
                if (*more != 0) w.key(more);
                EXPECT_GE(Window::places().size(), 4u);
                expect_no_overlap(size);
            }
}

// --- the band ---

TEST(Band, HasConstantHeightBelowAllPanes) {
    for (const Size& size : kSizes)
        for (const char* key : kKeys) {
            Window w(size);
            w.key(key);
            const ImRect band = Window::place("band");
            EXPECT_LT(band.GetHeight(), 85 * w.backend.fonts().scale);
            EXPECT_NEAR(band.Max.y, size.height, 6 * w.backend.fonts().scale);
            for (const auto& [name, place] : Window::places()) {
                if (name == "band") continue;
                EXPECT_LT(place.Max.y, band.Min.y) << name;
            }
            for (const char* change : {"F7", "Ctrl+B", "PageDown", "H", "F7"}) {
                // A stop that is not about the laboratory leaves its layout.
                if (change == std::string("PageDown") && key == std::string("Shift+3")) continue;
                w.key(change);
                EXPECT_EQ(Window::place("band").Min.y, band.Min.y) << change;
            }
            w.app.control().say("a message");
            w.play("settle");
            EXPECT_EQ(Window::place("band").Min.y, band.Min.y);
        }
}

// The words of the band in the last frame.
std::set<std::string> words_of_band(const Window& w) {
    std::istringstream in(w.backend.visible_text());
    std::set<std::string> words;
    for (std::string word; in >> word;) words.insert(word);
    return words;
}

TEST(Band, PagesShowCaptionQuestionHintAndKeys) {
    for (const Size& size : {Size{1366, 768}, {1024, 600}}) {
        Window w(size);
        w.key("Shift+2");
        const sim::Scenario& scenario = w.app.model().a->scenario();
        std::set<std::string> seen;
        for (int i = 0; i < 10; ++i) {
            seen.merge(words_of_band(w));
            w.key("H");
        }
        for (const std::string& text : {scenario.tour[0].caption, scenario.question, scenario.hint,
                                        std::string("recalculation T: tick compares with another")}) {
            std::istringstream in(text);
            for (std::string word; in >> word;) EXPECT_TRUE(seen.count(word) > 0) << word;
        }
    }
}

TEST(Band, ShowsMessageFirstAndKeepsCaption) {
    Window w({1366, 768});
    w.key("Shift+2");
    w.key("H");
    EXPECT_EQ(w.app.view().band_page, 1u);
    w.app.control().say("The scheduler has a message.");
    w.play("settle");
    EXPECT_EQ(w.app.view().band_page, 0u) << "a message is not on a hidden page";
    const std::string drawn = w.backend.visible_text();
    EXPECT_NE(drawn.find("The scheduler has a message."), std::string::npos);
    EXPECT_NE(drawn.find("All slices are used up: Both processes have yielded"), std::string::npos);
    EXPECT_LT(drawn.find("The scheduler has a message."), drawn.find("All slices are used up: "));
}

TEST(Band, ButtonsMoveThroughTourAndPages) {
    Window w({1366, 768});
    w.key("Shift+2");
    const ImRect band = Window::place("band");
    w.play(fmt::format("click {:.0f} {:.0f}\nsettle", band.Min.x + 46, band.Min.y + 16));
    EXPECT_EQ(w.app.view().stop, 1u);
    w.play(fmt::format("click {:.0f} {:.0f}\nsettle", band.Min.x + 20, band.Min.y + 16));
    EXPECT_EQ(w.app.view().stop, 0u);
    w.play(fmt::format("click {:.0f} {:.0f}\nsettle", band.Max.x - 70, band.Min.y + 16));
    EXPECT_EQ(w.app.view().band_page, 1u);
    EXPECT_NE(w.backend.visible_text().find("Two processes hand the CPU to each other"), std::string::npos);
}

TEST(Band, HoverShowsAllOfIt) {
    Window w({1366, 768});
    w.key("Shift+2");
    EXPECT_EQ(w.backend.visible_text().find("compares with another policy"), std::string::npos);
    const ImRect band = Window::place("band");
    w.play(fmt::format("move {:.0f} {:.0f}\nwait 3", band.Min.x + 300, band.Min.y + 45));
    EXPECT_NE(w.backend.visible_text().find("compares with another policy"), std::string::npos);
    EXPECT_NE(w.backend.visible_text().find("Two processes hand the CPU"), std::string::npos);
    std::string message;
    for (int i = 0; i < 60; ++i) message += "word ";
    w.app.control().say(message + "end");
    w.play(fmt::format("move {:.0f} {:.0f}\nwait 3", band.Min.x + 300, band.Min.y + 45));
    EXPECT_NE(w.backend.visible_text().find("word end"), std::string::npos) << w.backend.visible_text();
}

}  // namespace ui_layouts_test
