// Tests of the back end of the window: themes, keys, pictures, input scripts, and frames without a display.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <SDL.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "ui/platform/backend.h"
#include "ui/platform/fonts.h"
#include "ui/platform/keys.h"
#include "ui/platform/png.h"
#include "ui/platform/script.h"
#include "ui/platform/theme.h"

namespace ui {
namespace ui_backend_test {

// An ImGui window that fills the entire back end, as in the program.
void in_window(const Backend& backend, const std::function<void()>& content) {
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(
        ImVec2(static_cast<float>(backend.size().width), static_cast<float>(backend.size().height)));
    ImGui::Begin("test", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
    content();
    ImGui::End();
}

// A minimal program for input scripts. The test supplies a function that draws the content of the window
// and sets the window's text `says`.
class Host : public InputScriptHost {
  public:
    explicit Host(Backend& backend) : backend_(backend) {}

    bool is_busy() override { return busy_frames > 0; }
    std::string window_text() override { return says; }
    void save_screenshot(const std::string& path) override { write_png(path, backend_.screenshot()); }
    bool run_command(const std::string& id) override {
        commands.push_back(id);
        return id != "unknown";
    }
    void resize(Size size) override { backend_.resize(size); }

    // Plays the input script to its end. Returns the failures, one per line.
    std::string play(const std::string& script, const std::function<void()>& content) {
        InputScriptPlayer player(parse_input_script(script, "test.script"), *this, printed);
        while (player.push_next_frame()) {
            SDL_Event event;
            while (backend_.poll(event)) {
                backend_.process_event(event);
                events.push_back(event);
                if (event.type != SDL_DROPFILE) continue;
                dropped.emplace_back(event.drop.file);
                SDL_free(event.drop.file);
            }
            backend_.begin_frame(0);
            in_window(backend_, content);
            backend_.end_frame(IM_COL32_BLACK);
            busy_frames = std::max(0, busy_frames - 1);
            ++frames;
        }
        std::string failures;
        for (const sim::Problem& problem : player.failures()) failures += problem.text() + "\n";
        return failures;
    }

    std::string says;
    int busy_frames = 0;
    int frames = 0;
    std::vector<std::string> commands;
    std::vector<std::string> dropped;
    std::vector<SDL_Event> events;
    std::ostringstream printed;

  private:
    Backend& backend_;
};

std::string parse_errors(const std::string& script) {
    try {
        parse_input_script(script, "s");
        return "";
    } catch (const sim::ScenarioError& error) {
        std::string all;
        for (const sim::Problem& problem : error.problems()) all += problem.text() + "\n";
        return all;
    }
}

bool has_glyph(ImFont& font, ImWchar character) { return find_glyph(font, character) != nullptr; }

ImU32 pixel(const Image& image, int x, int y) {
    ImU32 colour = 0;
    std::memcpy(&colour, image.rgba.data() + 4 * (y * image.width + x), 4);
    return colour;
}

TEST(UiTheme, TextCanBeReadInEveryTheme) {
    ASSERT_EQ(themes().size(), 3u);
    for (const Theme& theme : themes()) {
        SCOPED_TRACE(theme.name);
        EXPECT_GE(contrast(theme.text, theme.background), 12);
        EXPECT_GE(contrast(theme.text, theme.panel), 12);
        EXPECT_GE(contrast(theme.text_dim, theme.background), 4.5);
        EXPECT_GE(contrast(theme.text_dim, theme.panel), 4.5);
        EXPECT_GE(contrast(theme.text, text_highlight_colour(theme)), 4.5);
        for (const ImU32 colour : {theme.accent, theme.warning, theme.error, theme.ok}) {
            EXPECT_GE(contrast(colour, theme.background), 4.5);
            EXPECT_GE(contrast(colour, theme.panel), 4.5);
        }
        for (const ImU32 colour :
             {theme.cursor, theme.cursor_a, theme.cursor_b, theme.mark_yield, theme.mark_wake,
              theme.mark_recalculation, theme.mark_exit, theme.mark_fork})
            EXPECT_GE(contrast(colour, theme.background), 3);
        for (std::uint32_t i = 0; i < 40; ++i)
            EXPECT_GE(contrast(theme.task_colour(i), readable_text_colour(theme.task_colour(i))), 4.5) << i;
    }
}

TEST(UiTheme, FortyTasksHaveFortyColours) {
    for (const Theme& theme : themes()) {
        std::set<ImU32> colours;
        for (std::uint32_t i = 0; i < 40; ++i) colours.insert(theme.task_colour(i));
        EXPECT_EQ(colours.size(), 40u) << theme.name;
        EXPECT_EQ(theme.task_colour(40), theme.task_colour(0));
    }
}

TEST(UiTheme, ContrastMatchesWcag) {
    EXPECT_NEAR(contrast(IM_COL32_BLACK, IM_COL32_WHITE), 21, 1e-9);
    EXPECT_NEAR(contrast(IM_COL32(0x77, 0x77, 0x77, 255), IM_COL32_WHITE), 4.48, 0.005);
    EXPECT_EQ(readable_text_colour(IM_COL32(0xf0, 0xe4, 0x42, 255)), IM_COL32_BLACK);
    EXPECT_EQ(readable_text_colour(IM_COL32(0x00, 0x40, 0x80, 255)), IM_COL32_WHITE);
}

TEST(UiTheme, AnErrorNamesThemeAndKey) {
    const auto error_of = [](std::string_view text) -> std::string {
        try {
            parse_themes(text);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(error_of(R"({"themes": [{"name": "x", "dark": 1}]})"),
              "themes.json: theme x: \"dark\": expected true or false");
    EXPECT_EQ(error_of(R"({"themes": [{"name": "x", "dark": true, "line_width": 1, "text_scale": 1,
                           "background": "red"}]})"),
              "themes.json: theme x: \"background\": expected a colour, \"#rrggbb\" or \"#rrggbbaa\"");
    EXPECT_NE(error_of("{").find("parse error"), std::string::npos);
    EXPECT_EQ(find_theme("sepia"), nullptr);
    EXPECT_TRUE(find_theme("dark")->dark);
}

TEST(UiKeys, ChordsRoundTripAsText) {
    for (const char* text : {"Ctrl+Shift+Right", "F11", "A", "Ctrl+P", "Alt+Return", "Shift+/", "Keypad +",
                             "-", "Ctrl+=", "Ctrl+Shift+Alt+Space", "PageUp"}) {
        const auto chord = parse_chord(text);
        ASSERT_TRUE(chord) << text;
        EXPECT_EQ(to_string(*chord), text);
        EXPECT_EQ(parse_chord(to_string(*chord)), chord);
    }
    EXPECT_EQ(parse_chord("?"), (Chord{SDL_SCANCODE_SLASH, false, true, false}));
    EXPECT_EQ(parse_chord("Ctrl++"), (Chord{SDL_SCANCODE_EQUALS, true, true, false}));
    EXPECT_EQ(parse_chord("shift+CTRL+right"), parse_chord("Ctrl+Shift+Right"));
    EXPECT_EQ(parse_chord("esc"), parse_chord("Escape"));
    for (const char* text : {"", "Ctrl", "Ctrl+", "Hyper+A", "Ctrl+Nothing", "AB"})
        EXPECT_FALSE(parse_chord(text)) << text;
}

TEST(UiKeys, LeftAndRightModifiersMatchExactly) {
    SDL_KeyboardEvent event{};
    event.keysym.scancode = SDL_SCANCODE_P;
    event.keysym.mod = KMOD_RCTRL | KMOD_NUM | KMOD_LGUI;
    EXPECT_TRUE(matches(*parse_chord("Ctrl+P"), event));
    EXPECT_FALSE(matches(*parse_chord("P"), event));
    EXPECT_FALSE(matches(*parse_chord("Ctrl+Shift+P"), event));
}

TEST(InputScriptParser, EveryBadLineIsReported) {
    EXPECT_EQ(parse_errors("# fine\nkey Ctrl+P\n\nkye A\nwait\nwait x\nclick 1 2 up\nkey Bogus\nexpect \"a\n"
                           "resize 0 5\nprint 3\nwait 200000\ntext \"\"\ntext \"\\q\"\n"),
              "s:4:1: unknown statement \"kye\"\n"
              "s:5:1: missing argument; usage: wait FRAMES\n"
              "s:6:1: expected a whole number, got \"x\"; usage: wait FRAMES\n"
              "s:7:1: unexpected \"up\"; usage: click X Y [left|right|middle] [double] [MODIFIERS]\n"
              "s:8:1: \"Bogus\" is not a key\n"
              "s:9:1: missing closing quotation mark\n"
              "s:10:1: expected a number from 1 to 100000, got 0; usage: resize W H\n"
              "s:11:1: unexpected \"3\"; usage: print\n"
              "s:12:1: expected a number from 1 to 100000, got 200000; usage: wait FRAMES\n"
              "s:13:1: expected a text, got \"\"; usage: text \"words\"\n"
              "s:14:1: unknown escape \\q\n");
}

TEST(InputScriptParser, EveryStatementIsRead) {
    const ParsedInputScript script = parse_input_script(
        "key ?\nhold Right 30 # pan\r\ntext \"a \\\"b\\\"\\n\"\nmove 1 2\nclick 3 4 right double Ctrl+Shift\n"
        "down 1 1\nup 1 1 middle\ndrag 1 2 3 4 Shift\nwheel 1 2 0 -3 Ctrl\nwait 2\nsettle\nresize 640 480\n"
        "drop /tmp/x.json\nshot \"a b.png\"\nexpect yes\nreject no\nprint\ncommand view.zoom\n",
        "s");
    ASSERT_EQ(script.statements.size(), 18u);
    EXPECT_EQ(script.statements[2].text, "a \"b\"\n");
    EXPECT_EQ(script.statements[4].button, SDL_BUTTON_RIGHT);
    EXPECT_TRUE(script.statements[4].twice);
    EXPECT_TRUE(script.statements[4].chord.ctrl && script.statements[4].chord.shift);
    EXPECT_EQ(script.statements[8].numbers[3], -3);
    EXPECT_EQ(script.statements[17].line, 18);
}

TEST(UiPng, EqualImagesGiveEqualFiles) {
    Image image{31, 17, {}};
    for (int i = 0; i < 31 * 17 * 4; ++i) image.rgba.push_back(static_cast<std::uint8_t>(i * i));
    EXPECT_EQ(encode_png(image), encode_png(image));
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "switchyard_ui_test.png";
    write_png(path.string(), image);
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const auto encoded = encode_png(image);
    EXPECT_EQ(bytes, std::string(encoded.begin(), encoded.end()));
    EXPECT_EQ(bytes.substr(1, 3), "PNG");
    std::filesystem::remove(path);
    EXPECT_THROW(write_png("/nonexistent/x.png", image), std::runtime_error);
}

TEST(UiBackend, TheSameFrameGivesTheSamePixels) {
    const auto frame = [] {
        Backend backend = Backend::headless({400, 300});
        apply_theme(themes()[0], 1);
        for (int i = 0; i < 3; ++i) {
            backend.begin_frame(0);
            in_window(backend, [&] {
                ImGui::TextUnformatted("Idle → Σ 12 µs ⏸ ✓");
                ImGui::Button("Run");
                ImDrawList& list = *ImGui::GetWindowDrawList();
                list.AddLine(ImVec2(10, 100), ImVec2(300, 280), IM_COL32(255, 0, 0, 200), 2);
                list.AddCircleFilled(ImVec2(200, 200), 40, IM_COL32(0, 255, 0, 100));
                list.AddRectFilledMultiColor(ImVec2(20, 200), ImVec2(80, 260), IM_COL32_WHITE, IM_COL32_BLACK,
                                             IM_COL32(0, 0, 255, 255), IM_COL32(0, 0, 255, 0));
                for (int p = 0; p < static_cast<int>(kPatterns); ++p)
                    fill_pattern(list, backend.fonts(), static_cast<Pattern>(p),
                                 ImVec2(220, 20.0f + 20 * static_cast<float>(p)),
                                 ImVec2(390, 36.0f + 20 * static_cast<float>(p)),
                                 IM_COL32(86, 180, 233, 255));
            });
            backend.end_frame(IM_COL32(1, 2, 3, 255));
        }
        return backend.screenshot();
    };
    const Image first = frame();
    EXPECT_EQ(first.rgba.size(), 400u * 300 * 4);
    EXPECT_TRUE(first == frame());
    std::set<ImU32> colours;
    for (int i = 0; i < 400 * 300; ++i) colours.insert(pixel(first, i % 400, i / 400));
    EXPECT_GT(colours.size(), 50u);
    for (const ImU32 colour : colours) EXPECT_EQ(colour >> IM_COL32_A_SHIFT, 255u);
}

TEST(UiBackend, RectanglesAreExact) {
    Backend backend = Backend::headless({64, 48});
    backend.begin_frame(0);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    fill_rect(list, ImVec2(10, 10), ImVec2(20, 20), IM_COL32(10, 20, 30, 255));
    fill_rect(list, ImVec2(30, 10), ImVec2(40, 20), IM_COL32(255, 255, 255, 128));
    fill_rect(list, ImVec2(-1e9f, 40), ImVec2(1e9f, 41), IM_COL32(200, 0, 0, 255));
    list.PushClipRect(ImVec2(50, 0), ImVec2(55, 48));
    fill_rect(list, ImVec2(45, 30), ImVec2(64, 32), IM_COL32(0, 200, 0, 255));
    list.PopClipRect();
    backend.end_frame(IM_COL32_BLACK);
    const Image image = backend.screenshot();
    EXPECT_EQ(pixel(image, 10, 10), IM_COL32(10, 20, 30, 255));
    EXPECT_EQ(pixel(image, 19, 19), IM_COL32(10, 20, 30, 255));
    EXPECT_EQ(pixel(image, 9, 10), IM_COL32_BLACK);
    EXPECT_EQ(pixel(image, 20, 19), IM_COL32_BLACK);
    EXPECT_EQ(pixel(image, 35, 15), IM_COL32(128, 128, 128, 255));
    EXPECT_EQ(pixel(image, 0, 40), IM_COL32(200, 0, 0, 255));
    EXPECT_EQ(pixel(image, 63, 40), IM_COL32(200, 0, 0, 255));
    EXPECT_EQ(pixel(image, 49, 30), IM_COL32_BLACK);
    EXPECT_EQ(pixel(image, 50, 30), IM_COL32(0, 200, 0, 255));
    EXPECT_EQ(pixel(image, 54, 31), IM_COL32(0, 200, 0, 255));
    EXPECT_EQ(pixel(image, 55, 31), IM_COL32_BLACK);
}

// Two triangles with a common edge cover each pixel once, so that a translucent polygon has one colour.
TEST(UiBackend, TrianglesMeetWithoutSeamOrOverlap) {
    Backend backend = Backend::headless({200, 200});
    apply_theme(themes()[0], 1);
    backend.begin_frame(0);
    ImGui::GetBackgroundDrawList()->AddNgonFilled(ImVec2(100.3f, 99.8f), 90, IM_COL32(255, 255, 255, 100),
                                                  23);
    backend.end_frame(IM_COL32_BLACK);
    const Image image = backend.screenshot();
    std::set<ImU32> colours;
    int inside = 0;
    for (int i = 0; i < 200 * 200; ++i) {
        colours.insert(pixel(image, i % 200, i / 200));
        inside += pixel(image, i % 200, i / 200) != IM_COL32_BLACK;
    }
    EXPECT_EQ(colours.size(), 2u);
    EXPECT_NEAR(inside, 3.14159 * 90 * 90, 400);
}

TEST(UiBackend, PatternsJoinAcrossRectangles) {
    const auto draw = [](const std::vector<float>& cuts, float scale) {
        Backend backend = Backend::headless({300, static_cast<int>(3 + 27 * kPatterns)});
        backend.set_scale(scale);
        backend.begin_frame(0);
        ImDrawList& list = *ImGui::GetBackgroundDrawList();
        for (std::size_t p = 0; p < kPatterns; ++p) {
            const float top = 3 + 27 * static_cast<float>(p);
            for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
                fill_pattern(list, backend.fonts(), static_cast<Pattern>(p), ImVec2(cuts[i], top),
                             ImVec2(cuts[i + 1], top + 24), IM_COL32_WHITE);
        }
        backend.end_frame(IM_COL32_BLACK);
        return backend.screenshot();
    };
    for (const float scale : {0.75f, 1.0f, 1.6f, 3.0f}) {
        const Image whole = draw({5, 290}, scale);
        EXPECT_TRUE(whole == draw({5, 6, 7.3f, 60, 64, 65, 131.5f, 290}, scale)) << scale;
        std::set<std::vector<std::uint8_t>> looks;
        for (std::size_t p = 0; p < kPatterns; ++p) {
            const auto from = whole.rgba.begin() + static_cast<std::ptrdiff_t>((3 + 27 * p) * 300 * 4);
            looks.insert(std::vector<std::uint8_t>(from, from + 24 * 300 * 4));
        }
        EXPECT_EQ(looks.size(), kPatterns);
    }
}

TEST(UiBackend, FontsHaveAllGlyphsAtEveryScale) {
    Backend backend = Backend::headless({320, 200});
    for (const float scale : {0.75f, 1.0f, 1.25f, 2.0f, 3.0f, 9.0f}) {
        backend.set_scale(scale);
        backend.begin_frame(0);
        const Fonts& fonts = backend.fonts();
        EXPECT_EQ(fonts.scale, std::min(scale, kLargestFontScale));
        for (ImFont* font : {fonts.sans, fonts.mono, fonts.title})
            for (const ImWchar c :
                 {u'A', u'ÿ', u'→', u'←', u'↑', u'↓', u'▶', u'◀', u'▲', u'▼', u'●', u'○', u'■', u'□',
                  u'◆', u'◇', u'✓', u'✗', u'×', u'·', u'…', u'–', u'—', u'µ', u'≤', u'≥', u'Σ'})
                EXPECT_TRUE(has_glyph(*font, c)) << std::hex << c;
        for (const ImWchar c : {u'⏸', u'⏵', u'⏮', u'⏭', u'⏹', u'⏴'})
            EXPECT_TRUE(has_glyph(*fonts.sans, c)) << std::hex << c;
        push_font(fonts.mono);
        ImGui::TextUnformatted("mono");
        ImGui::PopFont();
        backend.end_frame(IM_COL32_BLACK);
    }
}

// The text of the window is recognised from its pixels.
TEST(UiBackend, DrawnTextCanBeRead) {
    Backend backend = Backend::headless({400, 300});
    for (const float scale : {0.75f, 1.0f, 1.5f, 3.0f}) {
        backend.resize({static_cast<int>(400 * scale), static_cast<int>(300 * scale)});
        backend.set_scale(scale);
        apply_theme(themes()[0], scale);
        backend.begin_frame(0);
        in_window(backend, [&] {
            ImGui::TextUnformatted("12.5 µs → task 3");
            push_font(backend.fonts().title);
            ImGui::TextUnformatted("Title ✓");
            ImGui::PopFont();
            ImGui::Button("left");
            ImGui::SameLine(200 * scale);
            push_font(backend.fonts().mono);
            ImGui::TextUnformatted("a  b");
            ImGui::PopFont();
            ImGui::BeginChild("narrow", ImVec2(60 * scale, 30 * scale));
            ImGui::TextUnformatted("begin and a very long end");
            ImGui::EndChild();
        });
        backend.end_frame(IM_COL32_BLACK);
        const std::string text = backend.visible_text();
        EXPECT_EQ(text.find("12.5 µs → task 3\nTitle ✓\nleft  a  b\nbeg"), 0u) << text;
        EXPECT_EQ(text.find("long"), std::string::npos);
    }
}

TEST(UiBackend, AScriptedClickPressesAButton) {
    Backend backend = Backend::headless({300, 200});
    Host host(backend);
    int left = 0;
    int doubles = 0;
    const auto content = [&] {
        ImGui::SetCursorPos(ImVec2(50, 50));
        left += ImGui::Button("press", ImVec2(80, 30)) ? 1 : 0;
        doubles += ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) ? 1 : 0;
        host.says = "pressed " + std::to_string(left);
    };
    EXPECT_EQ(
        host.play(
            "expect \"pressed 0\"\nclick 60 60\nexpect \"pressed 1\"\nclick 200 60\nclick 60 60 right\n"
            "reject \"pressed 2\"\nwait 30\nclick 60 60 double\nprint\nexpect nonsense\ncommand unknown\n",
            content),
        "test.script:10:1: the window does not contain \"nonsense\"\n"
        "test.script:11:1: unknown command \"unknown\"\n");
    EXPECT_EQ(left, 3);
    EXPECT_EQ(doubles, 1);
    EXPECT_EQ(host.printed.str(), "pressed 3");
}

TEST(UiBackend, ClickWithinSingleFrameIsKept) {
    Backend backend = Backend::headless({300, 200});
    int pressed = 0;
    const auto frame = [&] {
        SDL_Event event;
        while (backend.poll(event)) backend.process_event(event);
        backend.begin_frame(0);
        in_window(backend, [&] {
            ImGui::SetCursorPos(ImVec2(50, 50));
            pressed += ImGui::Button("press", ImVec2(80, 30)) ? 1 : 0;
        });
        backend.end_frame(IM_COL32_BLACK);
    };
    frame();
    frame();  // since ImGui 1.90, a click has no effect in the second frame
    for (const auto type : {SDL_MOUSEMOTION, SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP}) {
        SDL_Event event{};
        event.type = type;
        if (type == SDL_MOUSEMOTION) {
            event.motion.x = event.motion.y = 60;
        } else {
            event.button.button = SDL_BUTTON_LEFT;
            event.button.x = event.button.y = 60;
        }
        SDL_PushEvent(&event);
    }
    EXPECT_TRUE(backend.wants_frame());
    int frames = 0;
    do {
        frame();
    } while (backend.wants_frame() && ++frames < 20);
    EXPECT_LT(frames, 20);
    EXPECT_EQ(pressed, 1);
}

TEST(UiBackend, KeysAndTextReachATextBox) {
    Backend backend = Backend::headless({300, 200});
    Host host(backend);
    char text[64] = "";
    bool captured = false;
    const auto content = [&] {
        ImGui::SetCursorPos(ImVec2(20, 20));
        ImGui::InputText("##box", text, sizeof text);
        captured = captured || ImGui::GetIO().WantTextInput;
        host.says = text;
    };
    EXPECT_EQ(
        host.play("click 40 28\ntext \"grüße, 25 µs: a text of more than one event\"\n"
                  "expect \"grüße, 25 µs: a text of more than one event\"\nkey Ctrl+A\nkey Ctrl+X\nreject g\n"
                  "key H\nkey Shift+I\nkey ?\nexpect hI?\nkey Backspace\nreject ?\nkey Home\nkey Delete\n"
                  "key Shift+End\nkey Ctrl+C\n",
                  content),
        "");
    EXPECT_STREQ(text, "I");
    EXPECT_EQ(backend.clipboard(), "I");
    EXPECT_TRUE(captured);
    backend.set_clipboard("pasted ");
    EXPECT_EQ(
        host.play("key Ctrl+V\nexpect \"pasted \"\nkey Ctrl+Z\nkey Ctrl+Z\nexpect I\nhold X 20\n", content),
        "");
    EXPECT_STREQ(text, "Ixxxx");  // the press, and repeats after 15, 17 and 19 frames
    EXPECT_FALSE(ImGui::GetIO().KeyCtrl);
}

TEST(UiBackend, WheelDragAndModifiersArrive) {
    Backend backend = Backend::headless({300, 200});
    Host host(backend);
    float rolled = 0;
    float rolled_with_ctrl = 0;
    ImVec2 dragged(0, 0);
    const auto content = [&] {
        const ImGuiIO& io = ImGui::GetIO();
        rolled += io.MouseWheel;
        if (io.KeyCtrl) rolled_with_ctrl += io.MouseWheel;
        if (ImGui::IsMouseDragging(ImGuiMouseButton_Middle) && io.KeyShift)
            dragged = ImGui::GetMouseDragDelta(ImGuiMouseButton_Middle);
    };
    EXPECT_EQ(
        host.play("wheel 100 100 0 2 Ctrl\nwheel 100 100 0 -5\ndrag 10 20 110 60 middle Shift\n", content),
        "");
    EXPECT_EQ(rolled, -3);
    EXPECT_EQ(rolled_with_ctrl, 2);
    EXPECT_EQ(dragged.x, 100);
    EXPECT_EQ(dragged.y, 40);
}

TEST(UiBackend, RawKeysKeepModifiers) {
    Backend backend = Backend::headless({300, 200});
    Host host(backend);
    EXPECT_EQ(host.play("key Ctrl+Shift+Right\nkey F11\n", [] {}), "");
    int chords = 0;
    for (const SDL_Event& event : host.events)
        if (event.type == SDL_KEYDOWN)
            chords += matches(*parse_chord("Ctrl+Shift+Right"), event.key) ||
                      matches(*parse_chord("F11"), event.key);
    EXPECT_EQ(chords, 2);
}

TEST(UiBackend, ResizeDropSettleAndShotTakeEffect) {
    Backend backend = Backend::headless({300, 200});
    Host host(backend);
    host.busy_frames = 50;
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "switchyard_ui_shot.png";
    EXPECT_EQ(host.play("settle\nresize 640 360\ndrop \"/tmp/a b.json\"\nshot " + path.string() +
                            "\nresize 20 10\n",
                        [] { ImGui::TextUnformatted("x"); }),
              "");
    EXPECT_EQ(host.busy_frames, 0);
    EXPECT_GE(host.frames, 50);
    EXPECT_EQ(backend.size(), (Size{20, 10}));
    EXPECT_EQ(backend.screenshot().rgba.size(), 20u * 10 * 4);
    EXPECT_EQ(host.dropped, std::vector<std::string>{"/tmp/a b.json"});
    std::ifstream in(path, std::ios::binary);
    std::string head(24, 0);
    in.read(head.data(), 24);
    EXPECT_EQ(head.substr(16, 8), std::string("\0\0\2\x80\0\0\1\x68", 8));
    std::filesystem::remove(path);
    int sizes = 0;
    for (const SDL_Event& event : host.events)
        sizes += event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_SIZE_CHANGED;
    EXPECT_EQ(sizes, 2);
}

TEST(UiBackend, EveryThemeAppliesAtEveryScale) {
    Backend backend = Backend::headless({640, 480});
    for (const Theme& theme : themes())
        for (const float scale : {0.75f, 1.5f, 3.0f}) {
            backend.set_scale(scale);
            apply_theme(theme, scale);
            backend.begin_frame(0);
            in_window(backend, [] { ImGui::Button("a button"); });
            backend.end_frame(theme.background);
            EXPECT_EQ(pixel(backend.screenshot(), 320, 470), theme.panel) << theme.name;
        }
}

// On SDL's dummy driver a window has pixels but no accelerated renderer. SDL_RENDER_DRIVER selects SDL's own
// software renderer, which uses the same code path as the accelerated ones.
TEST(UiBackend, WindowWorksWithAndWithoutRenderer) {
    SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "dummy", SDL_HINT_OVERRIDE);
    for (const char* driver : {"", "software"}) {
        SDL_SetHint(SDL_HINT_RENDER_DRIVER, driver);
        Backend backend = Backend::window("test", {320, 240});
        EXPECT_FALSE(backend.is_headless());
        apply_theme(themes()[1], 1);
        const auto frame = [&] {
            SDL_Event event;
            while (backend.poll(event)) backend.process_event(event);
            backend.begin_frame(1.0 / 60);
            in_window(backend, [] { ImGui::TextUnformatted("window"); });
            backend.end_frame(IM_COL32_BLACK);
        };
        frame();
        frame();
        backend.set_scale(2);
        backend.resize({400, 300});
        frame();
        frame();
        EXPECT_EQ(backend.size(), (Size{400, 300}));
        const Image image = backend.screenshot();
        EXPECT_EQ(image.width, 400);
        EXPECT_EQ(pixel(image, 300, 290), themes()[1].panel);
        backend.set_clipboard("shared");
        EXPECT_EQ(backend.clipboard(), "shared");
    }
    SDL_ResetHint(SDL_HINT_RENDER_DRIVER);
    SDL_ResetHint(SDL_HINT_VIDEODRIVER);
}

}  // namespace ui_backend_test
}  // namespace ui

#endif
