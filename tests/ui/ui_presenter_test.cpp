// Tests of the presenter view with eight tours at projector sizes, and of playback inside and outside
// schedule().
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/app/tour.h"
#include "ui/app/window_settings.h"
#include "ui/panels/caption_target.h"
#include "ui/panels/drawing.h"
#include "ui/platform/script.h"
#include "ui/view/animation_timing.h"
#include "ui/view/presentation.h"
#include "ui/view/speeds.h"

namespace ui_presenter_test {

using namespace ui;
using namespace std::chrono_literals;
using sim::Nanos;

struct PresenterFixture {
    PresenterFixture(const std::string& scenario, Size size)
        : backend(Backend::headless(size)), app(backend) {
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
        app.control().set_wait_without_limit(true);
        EXPECT_TRUE(app.control().open(scenario)) << app.model().error;
        app.toggle_presenting();
        settle();
    }
    void frames(int n) {
        for (int i = 0; i < n; ++i) app.run_frame(1.0 / 30);
    }
    void settle() {
        frames(4);
        for (int i = 0; i < 200 && app.is_busy(); ++i) app.run_frame(1.0 / 30);
    }
    void command(const char* id) {
        app.commands().find(id)->run(app);
        settle();
    }
    void press(SDL_Scancode code, SDL_Keymod mod = KMOD_NONE) {
        for (const bool down : {true, false}) {
            SDL_Event event{};
            event.type = down ? SDL_KEYDOWN : SDL_KEYUP;
            event.key.state = down ? SDL_PRESSED : SDL_RELEASED;
            event.key.keysym.scancode = code;
            event.key.keysym.sym = SDL_GetKeyFromScancode(code);
            event.key.keysym.mod = static_cast<Uint16>(mod);
            SDL_PushEvent(&event);
        }
        settle();
    }
    void move_to(int x, int y) {
        SDL_Event event{};
        event.type = SDL_MOUSEMOTION;
        event.motion.x = x;
        event.motion.y = y;
        SDL_PushEvent(&event);
        frames(3);
    }
    void button(Uint8 which, bool down, int x, int y) {
        SDL_Event event{};
        event.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
        event.button.button = which;
        event.button.state = down ? SDL_PRESSED : SDL_RELEASED;
        event.button.x = x;
        event.button.y = y;
        SDL_PushEvent(&event);
        frames(3);
    }
    // The number of pixels of this colour (0xRRGGBB).
    std::size_t pixels(std::uint32_t rgb) {
        const Image image = backend.screenshot();
        std::size_t n = 0;
        for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4)
            n += (static_cast<std::uint32_t>(image.rgba[i]) << 16 |
                  static_cast<std::uint32_t>(image.rgba[i + 1]) << 8 | image.rgba[i + 2]) == rgb;
        return n;
    }

    Backend backend;
    App app;
};

std::vector<std::string> tours() {
    std::vector<std::string> names;
    for (const std::string& name : sim::builtin_file_names(""))
        if (!sim::load_scenario(name).tour.empty()) names.push_back(name);
    return names;
}

// Letter height of a font, from the top of an ascender to the bottom of a descender.
float letter_height(ImFont& font) { return find_glyph(font, 'g')->Y1 - find_glyph(font, 'd')->Y0; }

class EveryTour : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, EveryTour, testing::ValuesIn(tours()), [](const auto& p) {
    std::string name = p.param;
    for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
});

TEST_P(EveryTour, SubjectOfCaptionIsLargeAndOutlined) {
    if (!kThorough && GetParam() == "web-server")
        GTEST_SKIP() << "17 simulated hours: only in optimised builds";
    // Builds without optimisation or with sanitizers test only the smallest size, which has the least space.
    std::vector<Size> sizes{{800, 600}};
    if (kThorough) sizes.insert(sizes.end(), {{1366, 768}, {1920, 1080}});
    for (const Size size : sizes) {
        PresenterFixture lecture(GetParam(), size);
        const std::vector<sim::TourStop> tour = lecture.app.model().a->scenario().tour;
        for (std::size_t n = 0; n < tour.size(); ++n) {
            SCOPED_TRACE(fmt::format("{}x{}, stop {}: {}", size.width, size.height, n + 1, tour[n].title));
            if (n > 0) lecture.command("tour.next");
            EXPECT_EQ(lecture.app.view().stop, n);
            EXPECT_EQ(tour_caption(lecture.app), tour[n].caption);
            ASSERT_FALSE(tour[n].subject.empty());
            EXPECT_STREQ(presented_pane(lecture.app.view()), pane_of_tour_subject(tour[n].subject));
            const Fonts& fonts = lecture.backend.fonts();
            for (ImFont* font : {fonts.sans, fonts.mono, fonts.title})
                EXPECT_GE(letter_height(*font) * 1.04F, static_cast<float>(size.height) / 35);
            const std::optional<CaptionTarget::Box> box = lecture.app.caption_outline();
            ASSERT_TRUE(box);
            EXPECT_GE(box->min.x, 0);
            EXPECT_GE(box->min.y, 0);
            EXPECT_LE(box->max.x, static_cast<float>(size.width));
            EXPECT_LE(box->max.y, static_cast<float>(size.height));
            // The box is large: higher than a twentieth of the window, and wider than three tenths of it.
            EXPECT_GT(box->max.y - box->min.y, static_cast<float>(size.height) / 20);
            EXPECT_GT(box->max.x - box->min.x, static_cast<float>(size.width) * 0.3F);
        }
    }
}

TEST(Presenter, ClickerMovesThroughTourAndBlanksScreen) {
    PresenterFixture lecture("yield-processes", {1024, 768});
    EXPECT_EQ(lecture.app.view().stop, 0u);
    lecture.press(SDL_SCANCODE_PAGEDOWN);
    EXPECT_EQ(lecture.app.view().stop, 1u);
    EXPECT_STREQ(presented_pane(lecture.app.view()), "decision");
    lecture.press(SDL_SCANCODE_PAGEUP);
    EXPECT_EQ(lecture.app.view().stop, 0u);
    const std::size_t all = 1024 * 768;
    EXPECT_LT(lecture.pixels(0), all / 2);
    const std::size_t bookmarks = lecture.app.view().bookmarks.size();
    lecture.press(SDL_SCANCODE_B);
    EXPECT_EQ(lecture.pixels(0), all) << "black";
    EXPECT_EQ(lecture.app.view().bookmarks.size(), bookmarks);
    lecture.press(SDL_SCANCODE_B);
    EXPECT_LT(lecture.pixels(0), all / 2);
    lecture.press(SDL_SCANCODE_B);
    lecture.press(SDL_SCANCODE_PAGEDOWN);
    EXPECT_FALSE(lecture.app.view().blank) << "who goes on wants to see it";
}

TEST(FullScreen, ScaleFollowsScreenHeight) {
    EXPECT_FLOAT_EQ(full_screen_scale(720, 1080), 1.5F);
    EXPECT_FLOAT_EQ(full_screen_scale(768, 768), 1);
    EXPECT_FLOAT_EQ(full_screen_scale(1200, 768), 1) << "nothing gets smaller";
    EXPECT_FLOAT_EQ(full_screen_scale(0, 768), 1);
}

TEST(Presenter, EscLeavesLevelsThenPresentation) {
    PresenterFixture lecture("yield-processes", {1024, 768});
    lecture.command("tour.next");
    ASSERT_EQ(lecture.app.view().level, DepthLevel::inside);
    lecture.press(SDL_SCANCODE_B);
    lecture.press(SDL_SCANCODE_ESCAPE);
    EXPECT_FALSE(lecture.app.view().blank);
    EXPECT_EQ(lecture.app.view().level, DepthLevel::inside);
    lecture.press(SDL_SCANCODE_ESCAPE);
    lecture.press(SDL_SCANCODE_ESCAPE);
    EXPECT_EQ(lecture.app.view().level, DepthLevel::time);
    EXPECT_TRUE(lecture.app.view().presenting);
    lecture.press(SDL_SCANCODE_ESCAPE);
    EXPECT_FALSE(lecture.app.view().presenting);
    EXPECT_EQ(lecture.backend.fonts().scale, 1);
}

TEST(Presenter, ShowsRequestedPaneAndToolbar) {
    PresenterFixture lecture("yield-processes", {1366, 768});
    lecture.press(SDL_SCANCODE_F4);
    EXPECT_STREQ(presented_pane(lecture.app.view()), "run_queue");
    EXPECT_TRUE(lecture.app.view().subject.empty()) << "nothing is dimmed that one has gone to oneself";
    lecture.press(SDL_SCANCODE_3);
    EXPECT_STREQ(presented_pane(lecture.app.view()), "costs");
    lecture.press(SDL_SCANCODE_TAB);
    EXPECT_TRUE(lecture.app.view().show_toolbar);
    lecture.press(SDL_SCANCODE_I);
    lecture.press(SDL_SCANCODE_I);
    EXPECT_STREQ(presented_pane(lecture.app.view()), "decision") << "the depth chooses again";
}

TEST(Presenter, HeadlineBreaksAtSpacesOnly) {
    const PresenterFixture lecture("two-hogs", {800, 600});
    ImFont* const font = lecture.backend.fonts().sans;
    const std::string text = "Linux 2.4.22 keeps\nthem: 3.14 µs, of 1,000.5 tasks";
    for (int width = 10; width < 500; width += 7) {
        std::string lines = wrapped_text(font, text, static_cast<float>(width));
        for (std::size_t begin = 0, end = 0; end < lines.size(); begin = end + 1) {
            end = std::min(lines.find('\n', begin), lines.size());
            const std::string line = lines.substr(begin, end - begin);
            EXPECT_TRUE(line.find(' ') == std::string::npos ||
                        text_width(font, line) <= static_cast<float>(width))
                << line;
        }
        for (std::size_t at = 0; at < text.size(); ++at)
            if (text[at] == ' ' && lines[at] == '\n') lines[at] = ' ';
        EXPECT_EQ(lines, text);
    }
}

// All commands, and leaving the view, must be possible with a mouse alone.
TEST(Presenter, RightClickTogglesToolbar) {
    PresenterFixture lecture("yield-processes", {1366, 768});
    const auto drag = [&](int to) {
        lecture.move_to(700, 400);
        lecture.button(SDL_BUTTON_RIGHT, true, 700, 400);
        if (to != 700) lecture.move_to(to, 400);
        lecture.button(SDL_BUTTON_RIGHT, false, to, 400);
        lecture.settle();
    };
    drag(700);
    EXPECT_TRUE(lecture.app.view().show_toolbar);
    drag(700);
    EXPECT_FALSE(lecture.app.view().show_toolbar);
    drag(500);
    EXPECT_FALSE(lecture.app.view().show_toolbar) << "that was no click";
}

TEST(Presenter, PressDrawsTemporaryRing) {
    PresenterFixture lecture("two-hogs", {800, 600});
    const std::uint32_t colour = [&] {
        const ImU32 c = lecture.app.theme().cursor_a;
        return (c & 0xff) << 16 | (c >> 8 & 0xff) << 8 | (c >> 16 & 0xff);
    }();
    const std::size_t before = lecture.pixels(colour);
    lecture.move_to(400, 400);
    lecture.button(SDL_BUTTON_LEFT, true, 400, 400);
    EXPECT_GT(lecture.pixels(colour), before + 100);
    lecture.button(SDL_BUTTON_LEFT, false, 400, 400);
    lecture.frames(30);
    EXPECT_LE(lecture.pixels(colour), before + 20) << "and it goes away";
}

TEST(Presenter, CaptionIsHiddenBeforeAnswer) {
    PresenterFixture lecture("yield-processes", {1366, 768});
    lecture.command("tour.next");
    const std::string caption = tour_caption(lecture.app);
    lecture.command("predict");
    EXPECT_EQ(tour_caption(lecture.app), "The caption of this stop appears after your answer.");
    lecture.app.control().prediction_quiz().choose_answer_number(1);
    lecture.settle();
    EXPECT_EQ(tour_caption(lecture.app), caption);
}

// --- playback ---

TEST(WalkPace, LongWalkIsSlowAtBothEnds) {
    for (const std::size_t lines : {1u, 2u, 12u, 13u, 100u, 1012u, 65'000u}) {
        SCOPED_TRACE(lines);
        const double whole = playback_seconds(lines);
        EXPECT_LE(whole, 6.0);
        EXPECT_EQ(line_at_playback_time(lines, 0), 0u);
        EXPECT_EQ(line_at_playback_time(lines, whole), lines - 1);
        std::size_t before = 0;
        for (double t = 0; t < whole; t += 1.0 / 30) {
            const std::size_t line = line_at_playback_time(lines, t);
            ASSERT_GE(line, before);
            ASSERT_LT(line, lines);
            before = line;
        }
    }
    EXPECT_EQ(playback_seconds(12), 6.0);
    EXPECT_EQ(playback_seconds(4), 2.0);
    EXPECT_EQ(line_at_playback_time(1012, 0.25), 0u);
    EXPECT_EQ(line_at_playback_time(1012, 6 - 0.25), 1011u);
    EXPECT_EQ(line_at_playback_time(1012, 3), 506u);
}

TEST(Player, WalksLinesAndContinuesInNextSchedule) {
    PresenterFixture lecture("recalc-storm", {800, 600});
    ViewState& view = lecture.app.view();
    lecture.app.control().navigator().seek(sim::StepEventKind::recalculation, 1);
    view.level = DepthLevel::inside;
    const auto decisions = [&] { return lecture.app.model().a->session().machine().globals().decisions; };
    const std::uint64_t first = decisions();
    const std::size_t lines = lecture.app.model().a->last_decision()->steps.size();
    ASSERT_GT(lines, 1000u);
    lecture.app.control().player().set_playing(true);
    const auto seconds_until = [&](auto done) {
        int n = 0;
        for (; n < 30 * 20 && !done(); ++n) {
            EXPECT_EQ(decisions(), first);
            lecture.app.control().player().advance_playback(1.0 / 30);
        }
        return n / 30.0;
    };
    EXPECT_NEAR(seconds_until([&] { return view.inside_step == lines - 1; }), 6, 0.5);
    EXPECT_NEAR(seconds_until([&] { return view.level == DepthLevel::time; }), 0.8, 0.4);
    EXPECT_EQ(view.subject, "");
    EXPECT_NEAR(seconds_until([&] { return view.level == DepthLevel::inside; }), 1.2, 0.2);
    EXPECT_EQ(decisions(), first + 1);
    EXPECT_EQ(view.inside_step, 0u);
    EXPECT_TRUE(view.playing);
    lecture.app.control().player().advance_playback(0.1);
    lecture.app.control().player().advance_playback(0.6);
    EXPECT_EQ(view.inside_step, 1u) << "and walks again";
    // Playback ends when the user makes a step.
    lecture.app.control().navigator().step(sim::StepEventKind::decision, 1);
    EXPECT_FALSE(view.playing);
}

TEST(Player, ShowsRequestedSwitchesPerSecond) {
    PresenterFixture lecture("two-hogs", {800, 600});
    Control& control = lecture.app.control();
    const auto switches = [&] { return lecture.app.model().a->session().machine().globals().switches; };
    for (const auto& [speed, each] : {std::pair<std::size_t, double>{1, 1.0}, {2, 0.1}}) {
        ASSERT_GT(kSpeeds[speed].switches, 0);
        control.navigator().seek_beginning();
        lecture.app.view().speed = speed;
        control.player().set_playing(true);
        Nanos before{-1};
        for (std::uint64_t n = 1; n <= 3; ++n) {
            int steps = 0;
            for (; switches() < n && steps < 100; ++steps) {
                control.player().advance_playback(each / 20);
                EXPECT_GE(lecture.app.model().a->now(), before) << "never back";
                before = lecture.app.model().a->now();
            }
            EXPECT_NEAR(steps, 20, 1) << "switch " << n;
        }
        // After a seek, playback continues from the new position.
        control.player().advance_playback(each / 4);
        control.navigator().seek(2s);
        for (int i = 0; i < 8; ++i) control.player().advance_playback(each / 4);
        EXPECT_GT(lecture.app.model().a->now(), Nanos{2s});
    }
}

TEST(TourPlayer, GlidesBetweenStops) {
    PresenterFixture lecture("yield-processes", {800, 600});
    Control& control = lecture.app.control();
    control.tour().go_to_stop(0);
    control.history().show({Nanos{0}, Nanos{100'000}});
    const TimeRange before = lecture.app.view().shown;
    control.tour().go_to_stop(4);
    lecture.frames(1);
    control.tour().go_to_stop(0);
    const TimeRange after = lecture.app.view().shown;
    ASSERT_TRUE(lecture.app.view().glide);
    EXPECT_EQ(lecture.app.view().glide->to, after) << "what is shown is the end of it, at once";
    lecture.frames(30);
    EXPECT_FALSE(lecture.app.view().glide);
    lecture.app.view().reduce_motion = true;
    control.tour().go_to_stop(4);
    EXPECT_FALSE(lecture.app.view().glide);
    EXPECT_NE(before, after);
}

// --- folding ---

TEST(WindowSettings, ShownAndHiddenPartsArePersisted) {
    const std::string path = testing::TempDir() + "switchyard-window/window";
    std::filesystem::remove(path);
    const auto has_strip = [](const std::string& text) {
        return text.find("== What if") != std::string::npos;
    };
    {
        PresenterFixture w("yield-processes", {1366, 768});
        w.app.toggle_presenting();
        w.app.use_window_settings_file(path);
        w.settle();
        EXPECT_FALSE(has_strip(w.app.text()));
        w.press(SDL_SCANCODE_F6);
        w.press(SDL_SCANCODE_F7);
        EXPECT_TRUE(has_strip(w.app.text()));
        EXPECT_FALSE(w.app.view().show_hints);
    }
    PresenterFixture w("yield-processes", {1366, 768});
    w.app.toggle_presenting();
    w.app.use_window_settings_file(path);
    w.settle();
    EXPECT_TRUE(has_strip(w.app.text()));
    EXPECT_FALSE(w.app.view().show_hints);
    EXPECT_TRUE(w.app.view().show_tour);
    w.press(SDL_SCANCODE_F6);
    EXPECT_FALSE(has_strip(w.app.text()));
    w.app.use_window_settings_file(testing::TempDir() + "switchyard-window/window/below-a-file");
    w.press(SDL_SCANCODE_F7);
    EXPECT_NE(w.app.text().find("cannot be written"), std::string::npos);
    // An unreadable file is left unchanged and reported.
    w.app.use_window_settings_file(testing::TempDir());
    w.settle();
    EXPECT_NE(w.app.text().find("cannot be read"), std::string::npos);
    std::filesystem::remove(path);
}

TEST(RecentFiles, AppearFirstInPicker) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "switchyard-recent";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::string memory = (folder / "window").string();
    std::vector<std::string> files;
    for (std::size_t n = 0; n < kMostRecent + 2; ++n) {
        files.push_back((folder / fmt::format("mine-{}.json", n)).string());
        std::filesystem::copy_file(SWITCHYARD_SOURCE_DIR "/scenarios/two-hogs.json", files.back());
    }
    {
        PresenterFixture w("two-hogs", {800, 600});
        w.app.use_window_settings_file(memory);
        EXPECT_TRUE(w.app.recent_files().empty()) << "a built-in one is no file";
        for (const std::string& file : files) {
            ASSERT_TRUE(w.app.control().open(file));
            w.settle();
        }
        ASSERT_TRUE(w.app.control().open(files[5]));
        w.settle();
    }
    PresenterFixture w("two-hogs", {800, 600});
    w.app.use_window_settings_file(memory);
    ASSERT_EQ(w.app.recent_files().size(), kMostRecent);
    EXPECT_EQ(w.app.recent_files()[0], files[5]);
    EXPECT_EQ(w.app.recent_files()[1], files.back());
    w.app.show_overlay(App::Overlay::picker);
    w.settle();
    EXPECT_NE(w.app.text().find(files[5] + ": opened recently"), std::string::npos);
    w.press(SDL_SCANCODE_RETURN);
    EXPECT_EQ(w.app.control().file(), files[5]) << "Enter takes the first";
    std::filesystem::remove_all(folder);
}

}  // namespace ui_presenter_test
