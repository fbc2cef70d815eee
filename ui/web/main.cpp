// The window in a browser: what its page (ui/web/view.js) calls. A call hands one thing on that has happened,
// or makes one frame; between two calls nothing runs. A page may have several windows: each call is for the
// one that was selected last.
//
// Files are in memory. The person's are in /files: what was dropped, and what the window saves, which the
// page takes from there as a download. The settings are in /home, and the page keeps them.
#include <emscripten.h>
#include <imgui_internal.h>  // whether a window scrolls
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ui/app/app.h"
#include "ui/app/news.h"
#include "ui/app/place.h"
#include "ui/app/transport.h"
#include "ui/web/keyboard.h"

// clang-format off
EM_JS(void, page_stop, (const char* why), { Module.page.stop(UTF8ToString(why)); });
EM_JS(void, page_place_caret, (int x, int y), { Module.page.placeCaret(x, y); });
EM_JS(void, page_download, (const char* name), { Module.page.download(UTF8ToString(name)); });
EM_JS(void, page_keep_settings, (), { Module.page.keepSettings(); });
EM_JS(void, page_forget, (), { Module.page.forget(); });
// clang-format on

namespace {

namespace fs = std::filesystem;

constexpr const char* kFiles = "/files";
constexpr const char* kSettings = "/home/settings";
constexpr int kQuietFrames = 3;  // until nothing moves any more, though nobody said that anything would

// The files of a folder that have been written since the last look at it.
class Watched {
  public:
    explicit Watched(const char* folder) : folder_(folder) {
        fs::create_directories(folder);
        look();
    }

    std::vector<std::string> look() {
        std::vector<std::string> news;
        for (const fs::directory_entry& file : fs::directory_iterator(folder_)) {
            struct stat now {};
            if (stat(file.path().c_str(), &now) != 0) continue;
            const Version version{now.st_ino, now.st_size, now.st_mtime};
            const auto [known, is_new] = versions_.try_emplace(file.path().filename().string(), version);
            if (is_new || known->second != version) news.push_back(known->first);
            known->second = version;
        }
        return news;
    }

  private:
    // Whole files are new ones each time, others grow; time there is in whole seconds.
    using Version = std::tuple<ino_t, off_t, time_t>;

    const char* folder_;
    std::map<std::string, Version> versions_;
};

struct Window {
    ui::Backend backend = ui::Backend::window("Switchyard", {});
    ImGuiContext* context = ImGui::GetCurrentContext();
    ui::App app{backend};
    std::vector<SDL_Event> waiting;  // for its next frame
    int quiet = 0;                   // frames since anything happened
    bool was_told_to_quit = false;
    bool is_where_it_opened = false;  // at the place that it was to open at
};

// What all windows have in common.
struct Folders {
    Watched files{kFiles}, settings{kSettings};
};

std::vector<std::unique_ptr<Window>> windows;  // by their numbers; null for one that was closed
Window* window = nullptr;                      // the selected one

Folders& folders() {
    static Folders both;
    return both;
}

void select(Window* which) {
    window = which;
    ImGui::SetCurrentContext(which != nullptr ? which->context : nullptr);
}

void push(const SDL_Event& event) {
    window->waiting.push_back(event);
    window->quiet = 0;
}

// Does it unless the window is not there, and tells the page when that fails for good.
template <class Work>
void guarded(Work work) {
    try {
        if (window) work();
    } catch (const std::exception& problem) {
        page_stop(ui::words_of(problem).c_str());  // and nothing is called any more
    }
}

Uint16 modifiers_of(int bits) {
    constexpr Uint16 kOf[] = {KMOD_LCTRL, KMOD_LSHIFT, KMOD_LALT, KMOD_LGUI};
    unsigned all = 0;
    for (unsigned i = 0; i < std::size(kOf); ++i)
        if ((bits >> i & 1) != 0) all |= kOf[i];
    return static_cast<Uint16>(all);
}

// Returns whether the window is at that place now.
bool go_to_link(const std::string& link) {
    try {
        return ui::go_to_place(window->app, ui::parse_link(link));
    } catch (const std::invalid_argument& problem) {
        ui::go_to_place(window->app, {});
        window->app.control().set_error(problem.what());
        return false;
    }
}

// What the window says, until the next call that returns words.
template <class Words>
const char* told(Words words) {
    static std::string text;
    text.clear();
    guarded([&] { text = words(window->app); });
    return text.c_str();
}

}  // namespace

extern "C" {

// Another window opens, and is selected, at this place of the page with this address; "#scenario=two-hogs" or
// nothing. Around one that is `embedded`, the page has what the window has around its panes. Returns its
// number.
EMSCRIPTEN_KEEPALIVE int switchyard_open(const char* address, const char* link, int reduce_motion,
                                         int embedded) {
    try {
        select(nullptr);
        folders();
        windows.push_back(std::make_unique<Window>());
        select(windows.back().get());
        fs::current_path(kFiles);
        ImGui::GetIO().ImeSetInputScreenPosFn = page_place_caret;
        window->app.view().reduce_motion = reduce_motion != 0;
        window->app.set_link_base(address);
        window->is_where_it_opened = go_to_link(link);
        if (embedded != 0) {
            window->app.view().bare = true;
        } else {
            window->app.commands().add("forget", "Window", "Forget what this page keeps", "",
                                       [](ui::App&) { page_forget(); });
            window->app.use_key_file(std::string(kSettings) + "/keys");
            window->app.use_memory_file(std::string(kSettings) + "/window");
        }
        return static_cast<int>(windows.size()) - 1;
    } catch (const std::exception& problem) {
        page_stop(ui::words_of(problem).c_str());
        return -1;
    }
}

// What follows is for this window; for none, if there is none of that number.
EMSCRIPTEN_KEEPALIVE void switchyard_select(int number) {
    const auto place = static_cast<std::size_t>(number);
    select(number >= 0 && place < windows.size() ? windows[place].get() : nullptr);
}

EMSCRIPTEN_KEEPALIVE void switchyard_close() {
    for (std::unique_ptr<Window>& one : windows)
        if (one.get() == window) one.reset();
    select(nullptr);
}

// Another link, in the window that is open.
EMSCRIPTEN_KEEPALIVE void switchyard_go(const char* link) {
    guarded([link] {
        window->quiet = 0;
        go_to_link(link);
    });
}

// The place at which the window opened is where an earlier visit ended: says so and how that is forgotten, or
// opens what a first visit opens where there is no such place any more.
EMSCRIPTEN_KEEPALIVE void switchyard_went_on() {
    guarded([] {
        window->quiet = 0;
        if (window->is_where_it_opened)
            return window->app.control().say(
                "Going on where you were. Menu, Window, Forget what this page keeps: and you begin anew.");
        go_to_link({});
        window->app.control().say("The place where you were is no more.");
    });
}

// Makes a frame, so many seconds after the one before. Returns whether there is to be another one; otherwise
// nothing moves until something happens.
EMSCRIPTEN_KEEPALIVE int switchyard_frame(double seconds) {
    bool more = false;
    guarded([&] {
        Window& w = *window;
        for (SDL_Event& event : std::exchange(w.waiting, {})) SDL_PushEvent(&event);
        w.app.frame(std::clamp(seconds, 0.0, 0.1));
        for (const std::string& name : folders().files.look())
            if (!name.ends_with(".part")) page_download(name.c_str());
        if (!folders().settings.look().empty()) page_keep_settings();
        if (w.app.wants_quit() && !w.was_told_to_quit)
            w.app.control().say("A page does not quit by itself: close its tab.");
        w.was_told_to_quit = w.app.wants_quit();
        w.quiet = w.app.busy() || w.backend.wants_frame() ? 0 : w.quiet + 1;
        more = w.quiet <= kQuietFrames;
    });
    return more ? 1 : 0;
}

// The page has another size, or its pixels have; both are asked for.
EMSCRIPTEN_KEEPALIVE void switchyard_resized() {
    guarded([] {
        SDL_Event event{};
        event.type = SDL_WINDOWEVENT;
        event.window.event = SDL_WINDOWEVENT_SIZE_CHANGED;
        push(event);
    });
}

// The mouse is not over the page, or the keyboard types elsewhere.
EMSCRIPTEN_KEEPALIVE void switchyard_left(int with_keyboard) {
    guarded([with_keyboard] {
        SDL_Event event{};
        event.type = SDL_WINDOWEVENT;
        event.window.event =
            static_cast<Uint8>(with_keyboard != 0 ? SDL_WINDOWEVENT_FOCUS_LOST : SDL_WINDOWEVENT_LEAVE);
        push(event);
    });
}

// Places are in the canvas's pixels.
EMSCRIPTEN_KEEPALIVE void switchyard_move(double x, double y) {
    guarded([=] {
        SDL_Event event{};
        event.type = SDL_MOUSEMOTION;
        event.motion.x = static_cast<int>(x);
        event.motion.y = static_cast<int>(y);
        push(event);
    });
}

// `button` as MouseEvent.button has it.
EMSCRIPTEN_KEEPALIVE void switchyard_button(int button, int down, double x, double y) {
    guarded([=] {
        constexpr std::array<Uint8, 5> kButtons{SDL_BUTTON_LEFT, SDL_BUTTON_MIDDLE, SDL_BUTTON_RIGHT,
                                                SDL_BUTTON_X1, SDL_BUTTON_X2};
        if (button < 0 || static_cast<std::size_t>(button) >= kButtons.size()) return;
        SDL_Event event{};
        event.type = down != 0 ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
        event.button.button = kButtons[static_cast<std::size_t>(button)];
        event.button.x = static_cast<int>(x);
        event.button.y = static_cast<int>(y);
        push(event);
    });
}

// In notches, up and to the right.
EMSCRIPTEN_KEEPALIVE void switchyard_wheel(double x, double y) {
    guarded([=] {
        SDL_Event event{};
        event.type = SDL_MOUSEWHEEL;
        event.wheel.preciseX = static_cast<float>(x);
        event.wheel.preciseY = static_cast<float>(y);
        push(event);
    });
}

// A key goes down or up: KeyboardEvent's code and key; modifiers are bits: Ctrl, Shift, Alt, Meta.
EMSCRIPTEN_KEEPALIVE void switchyard_key(const char* code, const char* key, int modifiers, int down,
                                         int repeat) {
    guarded([=] {
        const ui::KeyboardKey* const place = ui::keyboard_key(code);
        if (place == nullptr) return;
        SDL_Event event{};
        event.type = down != 0 ? SDL_KEYDOWN : SDL_KEYUP;
        event.key.repeat = static_cast<Uint8>(repeat);
        event.key.keysym.scancode = place->place;
        // What a letter's key types on this layout.
        const bool one = std::strlen(key) == 1;
        const char lower = one && *key >= 'A' && *key <= 'Z' ? static_cast<char>(*key - 'A' + 'a') : *key;
        event.key.keysym.sym = one ? lower : SDL_GetKeyFromScancode(place->place);
        event.key.keysym.mod = modifiers_of(modifiers);
        push(event);
    });
}

// What was typed, composed or pasted by an input method.
EMSCRIPTEN_KEEPALIVE void switchyard_text(const char* text) {
    guarded([text] {
        SDL_Event event{};
        event.type = SDL_TEXTINPUT;
        std::string left = text;
        while (!left.empty()) {  // in pieces of whole characters that fit into an event
            std::size_t size = std::min(left.size(), sizeof event.text.text - 1);
            while (size < left.size() && size > 0 && (left[size] & 0xC0) == 0x80) --size;
            if (size == 0) break;
            std::memset(event.text.text, 0, sizeof event.text.text);
            std::memcpy(event.text.text, left.data(), size);
            push(event);
            left.erase(0, size);
        }
    });
}

// A file of /files is to be opened.
EMSCRIPTEN_KEEPALIVE void switchyard_drop(const char* path) {
    guarded([path] {
        folders().files.look();  // the person has it already
        SDL_Event event{};
        event.type = SDL_DROPFILE;
        event.drop.file = strdup(path);
        push(event);
    });
}

EMSCRIPTEN_KEEPALIVE void switchyard_say(const char* words) {
    guarded([words] {
        window->quiet = 0;
        window->app.control().say(words);
    });
}

// A command of the window's, by its name in docs/window.md. Returns whether there is one.
EMSCRIPTEN_KEEPALIVE int switchyard_command(const char* id) {
    const ui::Command* command = nullptr;
    guarded([&] {
        window->quiet = 0;
        command = window->app.commands().find(id);
        if (command != nullptr) command->run(window->app);
    });
    return command != nullptr ? 1 : 0;
}

// Playing shows a switch a second, whatever time passes.
EMSCRIPTEN_KEEPALIVE void switchyard_slow() {
    guarded([] { window->app.view().speed = ui::kSwitchASecond; });
}

EMSCRIPTEN_KEEPALIVE int switchyard_is_playing() {
    return window != nullptr && window->app.view().playing ? 1 : 0;
}

// A value of the scenario, as --set has it; it is run anew.
EMSCRIPTEN_KEEPALIVE void switchyard_set(const char* pointer, const char* value) {
    guarded([=] {
        window->quiet = 0;
        window->app.control().set_value(pointer, value);
    });
}

// A box is typed into, so that a telephone is to show its keyboard.
EMSCRIPTEN_KEEPALIVE int switchyard_wants_text() { return window && ImGui::GetIO().WantTextInput ? 1 : 0; }

// What a finger that moves does to what the mouse is over, as of the last frame: 0 drags, 1 scrolls when it
// goes up or down, 2 moves the timeline.
EMSCRIPTEN_KEEPALIVE int switchyard_under_finger() {
    if (!window) return 0;
    if (window->app.hovered_pane() == "timeline") return 2;
    for (const ImGuiWindow* w = ImGui::GetCurrentContext()->HoveredWindow; w != nullptr; w = w->ParentWindow)
        if (w->ScrollMax.y > 0) return 1;
    return 0;
}

// Whether Tab has a meaning in the window now; otherwise it goes to what is beside the window.
EMSCRIPTEN_KEEPALIVE int switchyard_takes_tab(int with_shift) {
    if (!window) return 0;
    const ui::App& app = window->app;
    const bool is_key = app.view().presenting && with_shift == 0;
    return ImGui::GetIO().WantTextInput || !app.rebinding().empty() || is_key ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE void switchyard_reduce_motion(int reduce) {
    guarded([reduce] {
        window->quiet = 0;
        window->app.view().reduce_motion = reduce != 0;
    });
}

// All that the window says, as switchyard-ui --print.
EMSCRIPTEN_KEEPALIVE const char* switchyard_print() {
    return told([](ui::App& app) { return app.text(); });
}

// The same in parts, each of which begins with a line "== Title".
EMSCRIPTEN_KEEPALIVE const char* switchyard_parts() {
    return told([](ui::App& app) { return app.text(/*all_headed=*/true); });
}

// See news().
EMSCRIPTEN_KEEPALIVE const char* switchyard_news() {
    return told([](ui::App& app) { return ui::news(app); });
}

// Where the window stands, as a link for this browser, where a file of the person's has its path; empty when
// no scenario is open.
EMSCRIPTEN_KEEPALIVE const char* switchyard_place() {
    return told([](ui::App& app) {
        if (app.model().a == nullptr) return std::string();
        sim::Link place = ui::place_of(app);
        if (const std::string& file = app.control().file(); !file.empty()) {
            place.scenario = file;
            place.text.clear();
        }
        return sim::to_link(place);
    });
}

// The path of the file that is open; empty for a built-in scenario, and while something is wrong.
EMSCRIPTEN_KEEPALIVE const char* switchyard_file() {
    return told(
        [](ui::App& app) { return app.model().error.empty() ? app.control().file() : std::string(); });
}

// What is wrong, or else what it said last.
EMSCRIPTEN_KEEPALIVE const char* switchyard_message() {
    return told([](ui::App& app) {
        const ui::Model& model = app.model();
        return model.error.empty() ? model.message : model.error;
    });
}

// Where in the run one is.
EMSCRIPTEN_KEEPALIVE const char* switchyard_position() {
    return told([](ui::App& app) {
        return app.model().a != nullptr ? ui::position_text(*app.model().a) : std::string();
    });
}

}  // extern "C"
