// The window in a browser: functions for its page (ui/web/view.js). A call passes one event or makes one
// frame; nothing runs between calls. A page may have several windows; a call applies to the selected window.
//
// Files are in memory. The user's files are in /files: files that the user has dropped on the page, and files
// that the window has saved, which the page offers as downloads. The settings are in /home; the page stores
// them.
#include <emscripten.h>
#include <imgui_internal.h>  // for ImGuiWindow::ScrollMax
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
#include "ui/app/screen_reader_text.h"
#include "ui/app/top_bar.h"
#include "ui/app/window_link.h"
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
constexpr int kQuietFrames = 3;  // frames drawn after the last activity, because the window may still change
// Largest number of successive frames that are not drawn while the window simulates. On a phone, drawing
// takes longer than a frame, and the drawing would show only the progress of the simulation.
constexpr int kUndrawnFrames = 5;

// Watches the files of a directory. changed_files() returns the names of the files that were written since
// its last call.
class WatchedDirectory {
  public:
    explicit WatchedDirectory(const char* folder) : folder_(folder) {
        fs::create_directories(folder);
        changed_files();
    }

    std::vector<std::string> changed_files() {
        std::vector<std::string> changed;
        for (const fs::directory_entry& file : fs::directory_iterator(folder_)) {
            struct stat now {};
            if (stat(file.path().c_str(), &now) != 0) continue;
            const Version version{now.st_ino, now.st_size, now.st_mtime};
            const auto [known, is_new] = versions_.try_emplace(file.path().filename().string(), version);
            if (is_new || known->second != version) changed.push_back(known->first);
            known->second = version;
        }
        return changed;
    }

  private:
    // The version of a file: inode, size and time. The time alone is not enough, because Emscripten stores it
    // in whole seconds. A file that is written again within a second has another inode, if it is written
    // atomically, or usually another size.
    using Version = std::tuple<ino_t, off_t, time_t>;

    const char* folder_;
    std::map<std::string, Version> versions_;
};

struct Window {
    ui::Backend backend = ui::Backend::window("Switchyard", {});
    ImGuiContext* context = ImGui::GetCurrentContext();
    ui::App app{backend};
    std::vector<SDL_Event> waiting;  // events for the window's next frame
    int quiet = 0;                   // frames since the last activity
    int undrawn = 0;                 // successive frames that were not drawn
    float finger_margin = 0;  // distance in pixels from a control at which a touch still hits the control
    bool was_told_to_quit = false;
    bool was_initial_link_valid = false;  // the link with which the window was opened was valid
};

// The watched directories, which all windows share.
struct WatchedDirectories {
    WatchedDirectory files{kFiles}, settings{kSettings};
};

std::vector<std::unique_ptr<Window>> windows;  // by window number; null: the window is closed
Window* window = nullptr;                      // the selected window; null: none

WatchedDirectories& watched_directories() {
    static WatchedDirectories both;
    return both;
}

void select_window(Window* selected) {
    window = selected;
    ImGui::SetCurrentContext(selected != nullptr ? selected->context : nullptr);
}

void push_event(const SDL_Event& event) {
    window->waiting.push_back(event);
    window->quiet = 0;
}

// Calls `work` if a window is selected. If `work` throws, the page stops permanently.
template <class Work>
void run_guarded(Work work) {
    try {
        if (window) work();
    } catch (const std::exception& problem) {
        page_stop(ui::words_of(problem).c_str());  // the page makes no more calls after this
    }
}

Uint16 modifiers_of(int bits) {
    constexpr Uint16 kOf[] = {KMOD_LCTRL, KMOD_LSHIFT, KMOD_LALT, KMOD_LGUI};
    unsigned all = 0;
    for (unsigned i = 0; i < std::size(kOf); ++i)
        if ((bits >> i & 1) != 0) all |= kOf[i];
    return static_cast<Uint16>(all);
}

// Shows the contents of a link. Returns true if the window now shows what the link specifies.
bool go_to_link(const std::string& link) {
    try {
        return ui::apply_link(window->app, ui::parse_link(link));
    } catch (const std::invalid_argument& problem) {
        ui::apply_link(window->app, {});
        window->app.control().set_error(problem.what());
        return false;
    }
}

// Returns the text that `words` returns for the selected window. The returned pointer is valid until the next
// call that returns text.
template <class Words>
const char* text_for_page(Words words) {
    static std::string text;
    text.clear();
    run_guarded([&] { text = words(window->app); });
    return text.c_str();
}

}  // namespace

extern "C" {

// Opens and selects a window that shows `link`, such as "#scenario=two-hogs" or empty. `address`: the address
// of the page, with which the links of the window begin. `embedded`: shows only panes, because the page has
// other contents around the window. Returns the window's number, or -1 on failure.
EMSCRIPTEN_KEEPALIVE int switchyard_open(const char* address, const char* link, int reduce_motion,
                                         int embedded) {
    try {
        select_window(nullptr);
        watched_directories();
        windows.push_back(std::make_unique<Window>());
        select_window(windows.back().get());
        fs::current_path(kFiles);
        ImGui::GetIO().ImeSetInputScreenPosFn = page_place_caret;
        window->app.view().reduce_motion = reduce_motion != 0;
        window->app.view().starts_slow = true;
        window->app.set_link_base(address);
        window->was_initial_link_valid = go_to_link(link);
        if (embedded != 0) {
            window->app.view().bare = true;
        } else {
            window->app.commands().add("forget", "Window", "Clear saved data", "",
                                       [](ui::App&) { page_forget(); });
            window->app.use_key_bindings_file(std::string(kSettings) + "/keys");
            window->app.use_window_settings_file(std::string(kSettings) + "/window");
        }
        return static_cast<int>(windows.size()) - 1;
    } catch (const std::exception& problem) {
        page_stop(ui::words_of(problem).c_str());
        return -1;
    }
}

// Selects the window to which the following calls apply. If the number is invalid, no window is selected.
EMSCRIPTEN_KEEPALIVE void switchyard_select(int number) {
    const auto place = static_cast<std::size_t>(number);
    select_window(number >= 0 && place < windows.size() ? windows[place].get() : nullptr);
}

EMSCRIPTEN_KEEPALIVE void switchyard_close() {
    for (std::unique_ptr<Window>& one : windows)
        if (one.get() == window) one.reset();
    select_window(nullptr);
}

// Shows the contents of a link in the selected window.
EMSCRIPTEN_KEEPALIVE void switchyard_go(const char* link) {
    run_guarded([link] {
        window->quiet = 0;
        go_to_link(link);
    });
}

// Called after the window was opened with the link of an earlier visit. If the link is valid, shows a message
// which states that the window continues at the position of that visit, and how to start over. If the link is
// no longer valid, opens the default scenario.
EMSCRIPTEN_KEEPALIVE void switchyard_report_resumed_visit() {
    run_guarded([] {
        window->quiet = 0;
        if (window->was_initial_link_valid)
            return window->app.control().say(
                "Continuing where you left off. To start over: Menu, Window, Clear saved data.");
        go_to_link({});
        window->app.control().say("The position of your last visit no longer exists.");
    });
}

// Makes a frame, `seconds` after the previous one. Returns 1 if another frame is needed, 0 if nothing
// changes until the next event.
EMSCRIPTEN_KEEPALIVE int switchyard_frame(double seconds) {
    bool more = false;
    run_guarded([&] {
        Window& w = *window;
        more = w.waiting.empty() && !w.backend.wants_frame() && w.undrawn < kUndrawnFrames &&
               w.app.work_between_frames();
        w.undrawn = more ? w.undrawn + 1 : 0;
        if (more) return;
        for (SDL_Event& event : std::exchange(w.waiting, {})) SDL_PushEvent(&event);
        ImGui::GetStyle().TouchExtraPadding = ImVec2(w.finger_margin, w.finger_margin);
        w.app.run_frame(std::clamp(seconds, 0.0, 0.1));
        for (const std::string& name : watched_directories().files.changed_files())
            if (!name.ends_with(".part")) page_download(name.c_str());
        if (!watched_directories().settings.changed_files().empty()) page_keep_settings();
        if (w.app.wants_quit() && !w.was_told_to_quit)
            w.app.control().say("A web page cannot close its own tab: close the tab in the browser.");
        w.was_told_to_quit = w.app.wants_quit();
        w.quiet = w.app.is_busy() || w.backend.wants_frame() ? 0 : w.quiet + 1;
        more = w.quiet <= kQuietFrames;
    });
    return more ? 1 : 0;
}

// Called when the size of the page or the size of its pixels has changed. The window then queries both sizes.
EMSCRIPTEN_KEEPALIVE void switchyard_resized() {
    run_guarded([] {
        SDL_Event event{};
        event.type = SDL_WINDOWEVENT;
        event.window.event = SDL_WINDOWEVENT_SIZE_CHANGED;
        push_event(event);
    });
}

// Sets the distance in pixels from a control at which a touch still hits the control; 0 if the device has no
// touch screen.
EMSCRIPTEN_KEEPALIVE void switchyard_finger_margin(double pixels) {
    run_guarded([pixels] { window->finger_margin = static_cast<float>(pixels); });
}

// Called when the keyboard focus (`with_keyboard` is not 0) or the mouse (`with_keyboard` is 0) has left the
// page.
EMSCRIPTEN_KEEPALIVE void switchyard_left(int with_keyboard) {
    run_guarded([with_keyboard] {
        SDL_Event event{};
        event.type = SDL_WINDOWEVENT;
        event.window.event =
            static_cast<Uint8>(with_keyboard != 0 ? SDL_WINDOWEVENT_FOCUS_LOST : SDL_WINDOWEVENT_LEAVE);
        push_event(event);
    });
}

// Called when the mouse has moved. Coordinates are in pixels of the canvas.
EMSCRIPTEN_KEEPALIVE void switchyard_move(double x, double y) {
    run_guarded([=] {
        SDL_Event event{};
        event.type = SDL_MOUSEMOTION;
        event.motion.x = static_cast<int>(x);
        event.motion.y = static_cast<int>(y);
        push_event(event);
    });
}

// Called when a mouse button has been pressed or released. `button` has the values of MouseEvent.button.
EMSCRIPTEN_KEEPALIVE void switchyard_button(int button, int down, double x, double y) {
    run_guarded([=] {
        constexpr std::array<Uint8, 5> kButtons{SDL_BUTTON_LEFT, SDL_BUTTON_MIDDLE, SDL_BUTTON_RIGHT,
                                                SDL_BUTTON_X1, SDL_BUTTON_X2};
        if (button < 0 || static_cast<std::size_t>(button) >= kButtons.size()) return;
        SDL_Event event{};
        event.type = down != 0 ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
        event.button.button = kButtons[static_cast<std::size_t>(button)];
        event.button.x = static_cast<int>(x);
        event.button.y = static_cast<int>(y);
        push_event(event);
    });
}

// Passes a movement of the mouse wheel to the window, in notches; positive values: up and to the right.
EMSCRIPTEN_KEEPALIVE void switchyard_wheel(double x, double y) {
    run_guarded([=] {
        SDL_Event event{};
        event.type = SDL_MOUSEWHEEL;
        event.wheel.preciseX = static_cast<float>(x);
        event.wheel.preciseY = static_cast<float>(y);
        push_event(event);
    });
}

// Called when a key is pressed or released. `code` and `key` have the values of KeyboardEvent. `modifiers`:
// bits for Ctrl, Shift, Alt, Meta.
EMSCRIPTEN_KEEPALIVE void switchyard_key(const char* code, const char* key, int modifiers, int down,
                                         int repeat) {
    run_guarded([=] {
        const ui::KeyboardKey* const place = ui::keyboard_key(code);
        if (place == nullptr) return;
        SDL_Event event{};
        event.type = down != 0 ? SDL_KEYDOWN : SDL_KEYUP;
        event.key.repeat = static_cast<Uint8>(repeat);
        event.key.keysym.scancode = place->place;
        // If a key types a character, the key's SDL symbol is that character in the user's layout.
        const bool one = std::strlen(key) == 1;
        const char lower = one && *key >= 'A' && *key <= 'Z' ? static_cast<char>(*key - 'A' + 'a') : *key;
        event.key.keysym.sym = one ? lower : SDL_GetKeyFromScancode(place->place);
        event.key.keysym.mod = modifiers_of(modifiers);
        push_event(event);
    });
}

// Inserts text that was typed, pasted, or composed by an input method.
EMSCRIPTEN_KEEPALIVE void switchyard_text(const char* text) {
    run_guarded([text] {
        SDL_Event event{};
        event.type = SDL_TEXTINPUT;
        std::string left = text;
        while (!left.empty()) {  // sends chunks that fit into an event, without splitting characters
            std::size_t size = std::min(left.size(), sizeof event.text.text - 1);
            while (size < left.size() && size > 0 && (left[size] & 0xC0) == 0x80) --size;
            if (size == 0) break;
            std::memset(event.text.text, 0, sizeof event.text.text);
            std::memcpy(event.text.text, left.data(), size);
            push_event(event);
            left.erase(0, size);
        }
    });
}

// Opens a file in /files.
EMSCRIPTEN_KEEPALIVE void switchyard_drop(const char* path) {
    run_guarded([path] {
        // Discards the names of changed files, because the page would offer this file as a download.
        watched_directories().files.changed_files();
        SDL_Event event{};
        event.type = SDL_DROPFILE;
        event.drop.file = strdup(path);
        push_event(event);
    });
}

EMSCRIPTEN_KEEPALIVE void switchyard_say(const char* words) {
    run_guarded([words] {
        window->quiet = 0;
        window->app.control().say(words);
    });
}

// Runs the command with this id (docs/reference/window.md). Returns 1 if there is such a command.
EMSCRIPTEN_KEEPALIVE int switchyard_command(const char* id) {
    const ui::Command* command = nullptr;
    run_guarded([&] {
        window->quiet = 0;
        command = window->app.commands().find(id);
        if (command != nullptr) command->run(window->app);
    });
    return command != nullptr ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE int switchyard_is_playing() {
    return window != nullptr && window->app.view().playing ? 1 : 0;
}

// Sets a value of the scenario, as --set does, and reruns it.
EMSCRIPTEN_KEEPALIVE void switchyard_set(const char* pointer, const char* value) {
    run_guarded([=] {
        window->quiet = 0;
        window->app.control().set_value(pointer, value);
    });
}

// Returns 1 if a text box has the focus. A phone then shows its keyboard.
EMSCRIPTEN_KEEPALIVE int switchyard_wants_text() { return window && ImGui::GetIO().WantTextInput ? 1 : 0; }

// The effect that dragging a finger has, depending on the item that was under the mouse in the last frame.
// 0: drags the item; 1: scrolls vertically; 2: moves the timeline.
EMSCRIPTEN_KEEPALIVE int switchyard_under_finger() {
    if (!window) return 0;
    if (window->app.hovered_pane() == "timeline") return 2;
    for (const ImGuiWindow* w = ImGui::GetCurrentContext()->HoveredWindow; w != nullptr; w = w->ParentWindow)
        if (w->ScrollMax.y > 0) return 1;
    return 0;
}

// Returns 1 if the window uses the Tab key; otherwise Tab moves the focus out of the window.
EMSCRIPTEN_KEEPALIVE int switchyard_takes_tab(int with_shift) {
    if (!window) return 0;
    const ui::App& app = window->app;
    const bool is_key = app.view().presenting && with_shift == 0;
    return ImGui::GetIO().WantTextInput || !app.rebinding_command().empty() || is_key ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE void switchyard_reduce_motion(int reduce) {
    run_guarded([reduce] {
        window->quiet = 0;
        window->app.view().reduce_motion = reduce != 0;
    });
}

// The text that the window shows, as in `switchyard-ui --dump-text`.
EMSCRIPTEN_KEEPALIVE const char* switchyard_print() {
    return text_for_page([](ui::App& app) { return app.text(); });
}

// The text that the window shows, in parts that each start with a line "== Title".
EMSCRIPTEN_KEEPALIVE const char* switchyard_parts() {
    return text_for_page([](ui::App& app) { return app.text(/*with_all_headings=*/true); });
}

// The lines that a screen reader reads out: ui::screen_reader_lines().
EMSCRIPTEN_KEEPALIVE const char* switchyard_screen_reader_lines() {
    return text_for_page([](ui::App& app) { return ui::screen_reader_lines(app); });
}

// The state of the window as a link for use in this browser: it contains the path of a user's file instead
// of its text. Empty if no scenario is open.
EMSCRIPTEN_KEEPALIVE const char* switchyard_place() {
    return text_for_page([](ui::App& app) {
        if (app.model().a == nullptr) return std::string();
        sim::Link link = ui::link_of_window(app);
        if (const std::string& file = app.control().file(); !file.empty()) {
            link.scenario = file;
            link.text.clear();
        }
        return sim::format_link(link);
    });
}

// The path of the open file; empty for a built-in scenario, and while an error is shown.
EMSCRIPTEN_KEEPALIVE const char* switchyard_file() {
    return text_for_page(
        [](ui::App& app) { return app.model().error.empty() ? app.control().file() : std::string(); });
}

// The error, or if there is none, the last message.
EMSCRIPTEN_KEEPALIVE const char* switchyard_message() {
    return text_for_page([](ui::App& app) {
        const ui::Model& model = app.model();
        return model.error.empty() ? model.message : model.error;
    });
}

// The position in the run as text.
EMSCRIPTEN_KEEPALIVE const char* switchyard_position() {
    return text_for_page([](ui::App& app) {
        return app.model().a != nullptr ? ui::position_text(*app.model().a, app.view()) : std::string();
    });
}

}  // extern "C"
