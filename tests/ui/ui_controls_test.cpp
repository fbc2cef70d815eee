// The use of controls by keyboard alone: Tab reaches each control that the mouse reaches.
#include <SDL.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/scripted_window.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/platform/imgui_versions.h"

namespace ui_controls_test {

using namespace ui;

class Keyboard final : public ScriptedWindow {
  public:
    explicit Keyboard(const std::string& script = {}) : ScriptedWindow({1366, 768}) {
        app.control().set_wait_without_limit(true);
        app.open_example_jobs();
        play("settle\n" + script);
    }

    void press(SDL_Scancode code, int modifiers = KMOD_NONE) {
        SDL_Event event{};
        event.key.keysym.scancode = code;
        event.key.keysym.sym = SDL_GetKeyFromScancode(code);
        event.key.keysym.mod = static_cast<Uint16>(modifiers);
        event.type = SDL_KEYDOWN;
        SDL_PushEvent(&event);
        app.run_frame(1.0 / 60);
        event.type = SDL_KEYUP;
        event.key.keysym.mod = KMOD_NONE;
        SDL_PushEvent(&event);
        app.run_frame(1.0 / 60);
        app.run_frame(1.0 / 60);
    }

    // The controls at which Tab stops, until it comes back to the first one.
    std::set<unsigned> tab_stops() {
        constexpr int kMost = 1'500;
        std::set<unsigned> stops;
        press(SDL_SCANCODE_TAB);
        const unsigned first = focused_control_id();
        for (int i = 0; i < kMost; ++i) {
            stops.insert(focused_control_id());
            press(SDL_SCANCODE_TAB);
            if (focused_control_id() == first) break;
        }
        return stops;
    }

    // The controls under the mouse, with a place of each, on a grid over the window.
    std::map<unsigned, std::pair<int, int>> under_mouse(int step) {
        std::map<unsigned, std::pair<int, int>> found;
        for (int y = step / 2; y < 768; y += step)
            for (int x = step / 2; x < 1366; x += step) {
                SDL_Event event{};
                event.type = SDL_MOUSEMOTION;
                event.motion.x = x;
                event.motion.y = y;
                SDL_PushEvent(&event);
                app.run_frame(1.0 / 60);
                if (const unsigned control = hovered_control_id(); control != 0)
                    found.try_emplace(control, x, y);
            }
        return found;
    }

    // Whether a control is at this place. Borders show only after a moment that they are borders.
    bool is_control(std::pair<int, int> place) {
        play(fmt::format("move {} {}\nwait 10\n", place.first, place.second));
        return hovered_control_id() != 0;
    }
};

// The screens, each as an input script after the start.
const std::pair<const char*, const char*> kScreens[] = {
    {"start screen", ""},
    {"editor", "key F10\nsettle\nkey Escape\n"},
    {"lecture", "key F9\nsettle\n"},
    {"kernel", "key F9\nkey Shift+2\nsettle\n"},
    {"laboratory", "key F9\nkey Shift+3\nsettle\n"},
    {"tasks", "key F9\nkey Shift+2\nkey 2\nsettle\n"},
    {"save first", "click 250 95\ntext \"9\"\nkey Return\nsettle\nkey Ctrl+Q\nsettle\n"},
};

TEST(Controls, TabReachesEachControl) {
    const int step = rounds(6, 8, 24);
    for (const auto& [name, script] : kScreens) {
        SCOPED_TRACE(name);
        std::set<unsigned> stops;
        {
            Keyboard keyboard(script);
            stops = keyboard.tab_stops();
        }
        Keyboard mouse(script);
        std::string missing;
        for (const auto& [control, place] : mouse.under_mouse(step))
            if (!stops.contains(control) && mouse.is_control(place))
                missing += fmt::format(" {},{}", place.first, place.second);
        EXPECT_EQ(missing, "") << stops.size() << " stops";
        EXPECT_GT(stops.size(), 2u);
    }
}

// Presses Tab until the control at this place has the focus.
void go_to(Keyboard& keyboard, unsigned control) {
    for (int i = 0; i < 300 && focused_control_id() != control; ++i) keyboard.press(SDL_SCANCODE_TAB);
    EXPECT_EQ(focused_control_id(), control);
}

unsigned control_at(const std::string& script, int x, int y) {
    Keyboard mouse(script);
    mouse.play(fmt::format("move {} {}\n", x, y));
    return hovered_control_id();
}

TEST(Controls, SpaceUsesTheControlWithTheFocus) {
    const unsigned more = control_at("", 1330, 18), plus = control_at("", 882, 18),
                   remove = control_at("", 739, 170), policy = control_at("", 500, 18);
    Keyboard keyboard;
    go_to(keyboard, plus);
    keyboard.press(SDL_SCANCODE_SPACE);
    EXPECT_EQ(keyboard.app.model().a->history().policy().spec(), "rr:quantum=6");
    EXPECT_FALSE(keyboard.app.view().playing) << "Space is no command now";
    go_to(keyboard, remove);
    keyboard.press(SDL_SCANCODE_RETURN);
    EXPECT_EQ(keyboard.app.model().a->scenario().groups.size(), 3u) << "Enter does the same";
    go_to(keyboard, policy);
    keyboard.press(SDL_SCANCODE_SPACE);
    keyboard.press(SDL_SCANCODE_UP);
    keyboard.press(SDL_SCANCODE_SPACE);
    EXPECT_EQ(keyboard.app.model().a->history().policy().spec(), "fcfs") << "the policy above";
    go_to(keyboard, more);
    keyboard.press(SDL_SCANCODE_SPACE);
    EXPECT_FALSE(keyboard.app.view().start);
    EXPECT_TRUE(keyboard.app.is_navigating_by_keyboard());
    keyboard.press(SDL_SCANCODE_ESCAPE);
    EXPECT_FALSE(keyboard.app.is_navigating_by_keyboard());
    keyboard.press(SDL_SCANCODE_SPACE);
    EXPECT_TRUE(keyboard.app.view().playing) << "Space is a command again";
}

TEST(Controls, TabInACellGoesToTheNextCell) {
    Keyboard keyboard("click 80 95\n");
    keyboard.press(SDL_SCANCODE_TAB);
    EXPECT_FALSE(keyboard.app.is_navigating_by_keyboard());
    keyboard.play("text \"2\"\nkey Return\nsettle\n");
    EXPECT_EQ(keyboard.app.model().a->scenario().groups[0].start, sim::Nanos{2'000'000});
}

TEST(Controls, AClickEndsTheUseByKeyboard) {
    Keyboard keyboard;
    keyboard.press(SDL_SCANCODE_TAB);
    EXPECT_TRUE(keyboard.app.is_navigating_by_keyboard());
    keyboard.play("click 1000 400\n");
    EXPECT_FALSE(keyboard.app.is_navigating_by_keyboard());
}

}  // namespace ui_controls_test
