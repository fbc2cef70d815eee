#include "ui/platform/backend.h"

#include <imgui_internal.h>  // ClosePopupsOverWindow()

#include <algorithm>
#include <cassert>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "sim/base/text.h"
#include "ui/platform/memory.h"
#include "ui/platform/painter.h"
#include "ui/platform/screen_text.h"
#include "ui/platform/sdl_versions.h"

namespace ui {
namespace {

constexpr int kFramesAfterInput = 3;  // frames until ImGui shows all effects of an input
constexpr float kNowhere = -FLT_MAX;  // ImGui's coordinate of a mouse outside the window
constexpr int kNoKey = -1;

Modifiers modifiers_of(Uint16 mod) {
    return {(mod & KMOD_CTRL) != 0, (mod & KMOD_SHIFT) != 0, (mod & KMOD_ALT) != 0, (mod & KMOD_GUI) != 0};
}

// The ImGui key of an SDL key, or kNoKey. Navigation keys are identified by their position. Letters are
// identified by the character that they type, so that Ctrl+Z undoes on every keyboard layout.
int imgui_key(const SDL_Keysym& key) {
    switch (key.scancode) {
        case SDL_SCANCODE_TAB:
            return ImGuiKey_Tab;
        case SDL_SCANCODE_LEFT:
            return ImGuiKey_LeftArrow;
        case SDL_SCANCODE_RIGHT:
            return ImGuiKey_RightArrow;
        case SDL_SCANCODE_UP:
            return ImGuiKey_UpArrow;
        case SDL_SCANCODE_DOWN:
            return ImGuiKey_DownArrow;
        case SDL_SCANCODE_PAGEUP:
            return ImGuiKey_PageUp;
        case SDL_SCANCODE_PAGEDOWN:
            return ImGuiKey_PageDown;
        case SDL_SCANCODE_HOME:
            return ImGuiKey_Home;
        case SDL_SCANCODE_END:
            return ImGuiKey_End;
        case SDL_SCANCODE_INSERT:
            return ImGuiKey_Insert;
        case SDL_SCANCODE_DELETE:
            return ImGuiKey_Delete;
        case SDL_SCANCODE_BACKSPACE:
            return ImGuiKey_Backspace;
        case SDL_SCANCODE_SPACE:
            return ImGuiKey_Space;
        case SDL_SCANCODE_RETURN:
            return ImGuiKey_Enter;
        case SDL_SCANCODE_ESCAPE:
            return ImGuiKey_Escape;
        case SDL_SCANCODE_KP_ENTER:
            return kKeypadEnter;
        default:
            break;
    }
    switch (key.sym) {
        case SDLK_a:
            return ImGuiKey_A;
        case SDLK_c:
            return ImGuiKey_C;
        case SDLK_v:
            return ImGuiKey_V;
        case SDLK_x:
            return ImGuiKey_X;
        case SDLK_y:
            return ImGuiKey_Y;
        case SDLK_z:
            return ImGuiKey_Z;
        default:
            return kNoKey;
    }
}

// ImGui's number of a mouse button, or -1.
int imgui_button(Uint8 button) {
    switch (button) {
        case SDL_BUTTON_LEFT:
            return 0;
        case SDL_BUTTON_RIGHT:
            return 1;
        case SDL_BUTTON_MIDDLE:
            return 2;
        case SDL_BUTTON_X1:
            return 3;
        case SDL_BUTTON_X2:
            return 4;
        default:
            return -1;
    }
}

// Removes invisible characters and control characters, except newlines and tabs.
std::string visible_characters(std::string_view text) {
    std::string typed;
    for (std::size_t at = 0; at < text.size();) {
        const sim::Character character = sim::character_at(text, at);
        if (character.code == U'\n' || character.code == U'\t' ||
            (character.code != sim::kNoCharacter && sim::why_unsafe_to_show(character.code) == nullptr))
            typed += text.substr(at, character.bytes);
        at += character.bytes;
    }
    return typed;
}

std::int64_t pixels_of(Size size) { return std::int64_t{size.width} * size.height; }

}  // namespace

Backend Backend::window(const std::string& title, Size size) { return Backend(title.c_str(), size); }

Backend Backend::headless(Size size) { return Backend(nullptr, size); }

Backend::Backend(const char* title, Size size)
    : sdl_events_(title != nullptr), screen_(title != nullptr ? Screen::open(title, size) : nullptr) {
    fit_frame_to(screen_ ? screen_->size() : size);
    held_.fill(kNoKey);
    make_context();
    rebuild_fonts(1);
}

Backend::~Backend() = default;

// Sets the size of frames for a window of this size, within the limits of backend.h.
void Backend::fit_frame_to(Size window) {
    for (magnified_ = 1;; ++magnified_) {
        size_ = {std::max(1, window.width / magnified_), std::max(1, window.height / magnified_)};
        if (pixels_of(size_) <= kMostPixels && std::max(size_.width, size_.height) <= kLongestSide) return;
    }
}

// Frees the buffers if an earlier frame was at least twice as large as the current one.
void Backend::free_larger_frame_buffers() {
    const std::int64_t now = pixels_of(size_);
    largest_ = std::max(largest_, now);
    if (largest_ < 2 * now) return;
    largest_ = now;
    pixels_ = std::vector<std::uint32_t>();
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) window->DrawList->_ClearFreeMemory();
    return_freed_memory();
}

void Backend::make_context() {
    context_.reset(ImGui::CreateContext());
    ImGui::SetCurrentContext(context_.get());
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // no file, because the program saves its own settings
    io.LogFilename = nullptr;
    io.BackendPlatformName = "switchyard";
    io.BackendRendererName = "switchyard painter";
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    if (screen_) {
        io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    } else {
        io.ConfigInputTextCursorBlink = false;
    }
    set_up_input(io);
    io.ClipboardUserData = this;
    io.GetClipboardTextFn = [](void* user) {
        auto* self = static_cast<Backend*>(user);
        self->clipboard_ = visible_characters(self->clipboard());
        return self->clipboard_.c_str();
    };
    io.SetClipboardTextFn = [](void* user, const char* text) {
        static_cast<Backend*>(user)->set_clipboard(text);
    };
}

bool Backend::poll(SDL_Event& event) {
    if (SDL_PollEvent(&event) == 0) return false;
    restore_pushed_event(event);
    return true;
}

bool Backend::wait(SDL_Event& event, int milliseconds) {
    return screen_ ? screen_->wait(event, milliseconds) : poll(event);
}

void Backend::queue_input(Input input) {
    inputs_.push_back(std::move(input));
    frames_wanted_ = kFramesAfterInput;
}

// Moves ImGui's mouse to this position in the window, converted to a position in the frame.
void Backend::move_mouse_to(int x, int y) {
    const auto each = static_cast<float>(magnified_);
    queue_input({.kind = Input::Kind::move,
                 .x = std::floor(static_cast<float>(x) / each),
                 .y = std::floor(static_cast<float>(y) / each),
                 .text = {}});
}

// Queues a mouse button event. Returns false if ImGui does not have the button.
bool Backend::queue_button(const SDL_MouseButtonEvent& event) {
    const int button = imgui_button(event.button);
    if (button < 0) return false;
    const bool down = event.type == SDL_MOUSEBUTTONDOWN;
    buttons_down_ = down ? buttons_down_ | 1 << button : buttons_down_ & ~(1 << button);
    move_mouse_to(event.x, event.y);
    queue_input({.kind = Input::Kind::button, .code = button, .down = down, .text = {}});
    return true;
}

void Backend::queue_wheel(const SDL_MouseWheelEvent& event) {
    float x = event.preciseX;
    float y = event.preciseY;
    if (x == 0 && y == 0) {
        x = static_cast<float>(event.x);
        y = static_cast<float>(event.y);
    }
    // A positive x scrolls to the left in ImGui, to the right in SDL.
    queue_input({.kind = Input::Kind::wheel, .x = -x, .y = y, .text = {}});
}

void Backend::queue_key(const SDL_KeyboardEvent& event) {
    const bool down = event.type == SDL_KEYDOWN;
    queue_input({.kind = Input::Kind::modifiers, .modifiers = modifiers_of(event.keysym.mod), .text = {}});
    const auto place = static_cast<std::size_t>(event.keysym.scancode);
    if (place >= held_.size() || event.repeat != 0) return;  // ImGui generates repeated key presses itself
    if (down) held_[place] = imgui_key(event.keysym);
    if (held_[place] != kNoKey)
        queue_input({.kind = Input::Kind::key, .code = held_[place], .down = down, .text = {}});
    if (!down) held_[place] = kNoKey;
}

void Backend::process_window_event(const SDL_WindowEvent& event) {
    frames_wanted_ = kFramesAfterInput;
    switch (event.event) {
        case SDL_WINDOWEVENT_SIZE_CHANGED:
            fit_frame_to(screen_ ? screen_->size() : Size{event.data1, event.data2});
            break;
        case SDL_WINDOWEVENT_LEAVE:
            if (buttons_down_ == 0)
                queue_input({.kind = Input::Kind::move, .x = kNowhere, .y = kNowhere, .text = {}});
            break;
        case SDL_WINDOWEVENT_FOCUS_LOST:
            release_all_keys_and_buttons();
            break;
        default:
            break;
    }
}

bool Backend::process_event(const SDL_Event& event) {
    const ImGuiIO& io = ImGui::GetIO();
    switch (event.type) {
        case SDL_MOUSEMOTION:
            move_mouse_to(event.motion.x, event.motion.y);
            return io.WantCaptureMouse;
        case SDL_MOUSEBUTTONDOWN:
        case SDL_MOUSEBUTTONUP:
            return queue_button(event.button) && io.WantCaptureMouse;
        case SDL_MOUSEWHEEL:
            queue_wheel(event.wheel);
            return io.WantCaptureMouse;
        case SDL_KEYDOWN:
        case SDL_KEYUP:
            queue_key(event.key);
            return io.WantTextInput;
        case SDL_TEXTINPUT:
            queue_input({.kind = Input::Kind::text, .text = event.text.text});
            return io.WantTextInput;
        case SDL_WINDOWEVENT:
            process_window_event(event.window);
            return false;
        case SDL_RENDER_TARGETS_RESET:
        case SDL_RENDER_DEVICE_RESET:
            if (screen_) screen_->discard_textures();
            return false;
        default:
            return false;
    }
}

// Releases all keys and buttons when the window loses the focus, because no event reports a later release.
void Backend::release_all_keys_and_buttons() {
    using Kind = Input::Kind;
    for (int& key : held_) {
        if (key != kNoKey) inputs_.push_back({.kind = Kind::key, .code = key, .text = {}});
        key = kNoKey;
    }
    for (int button = 0; button < ImGuiMouseButton_COUNT; ++button)
        if ((buttons_down_ >> button & 1) != 0)
            inputs_.push_back({.kind = Kind::button, .code = button, .text = {}});
    buttons_down_ = 0;
    inputs_.push_back({.kind = Kind::modifiers, .text = {}});
}

void Backend::pass_input_to_imgui(const Input& input) {
    ImGuiIO& io = ImGui::GetIO();
    using Kind = Input::Kind;
    switch (input.kind) {
        case Kind::move:
            feed_mouse_position(io, input.x, input.y);
            fed_mouse_ = ImVec2(input.x, input.y);
            break;
        case Kind::button:
            feed_mouse_button(io, input.code, input.down);
            break;
        case Kind::wheel:
            feed_mouse_wheel(io, input.x, input.y);
            break;
        case Kind::key:
            feed_key(io, input.code, input.down);
            break;
        case Kind::modifiers:
            feed_modifiers(io, input.modifiers);
            fed_modifiers_ = input.modifiers;
            break;
        case Kind::text:
            io.AddInputCharactersUTF8(visible_characters(input.text).c_str());
            break;
    }
}

// Passes queued input to ImGui. ImGui 1.86 reads the state of all keys and buttons once per frame, and would
// miss a button that is pressed and released within one frame. Therefore, input waits for the next frame if
// it would undo an earlier change or if the order would be lost. The rules are those of ImGui 1.87.
void Backend::pass_inputs_to_imgui() {
    using Kind = Input::Kind;
    bool moved = false;
    bool rolled = false;
    bool typed = false;
    int buttons = 0;  // bits
    std::uint32_t keys = 0;
    while (!inputs_.empty()) {
        const Input& next = inputs_.front();
        const int bit = 1 << (next.code & 31);
        switch (next.kind) {
            case Kind::move:
                if (fed_mouse_.x == next.x && fed_mouse_.y == next.y) break;
                if (buttons != 0 || rolled || keys != 0 || typed) return;
                moved = true;
                break;
            case Kind::button:
                if ((buttons & bit) != 0 || rolled) return;
                buttons |= bit;
                break;
            case Kind::wheel:
                if (moved || buttons != 0) return;
                rolled = true;
                break;
            case Kind::modifiers:
                if (fed_modifiers_ != next.modifiers && (keys != 0 || typed || buttons != 0 || rolled))
                    return;
                break;
            case Kind::key:
                if ((keys & static_cast<std::uint32_t>(bit)) != 0 || typed || buttons != 0) return;
                keys |= static_cast<std::uint32_t>(bit);
                break;
            case Kind::text:
                if (keys != 0 || moved || buttons != 0 || rolled) return;
                typed = true;
                break;
        }
        pass_input_to_imgui(next);
        inputs_.pop_front();
    }
}

bool Backend::wants_frame() const { return frames_wanted_ > 0 || !inputs_.empty(); }

void Backend::begin_frame(double dt_seconds) {
    ImGui::SetCurrentContext(context_.get());
    if (wanted_scale_ != fonts_.scale) rebuild_fonts(wanted_scale_);
    free_larger_frame_buffers();
    pass_inputs_to_imgui();
    frames_wanted_ = std::max(0, frames_wanted_ - 1);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(size_.width), static_cast<float>(size_.height));
    io.DeltaTime = static_cast<float>(is_headless() ? frame_time_ : std::clamp(dt_seconds, 1e-4, 1.0));
    set_default_font(fonts_.sans);
    ImGui::NewFrame();
}

void Backend::end_frame(ImU32 clear_colour) {
    ImGui::Render();
    frame_size_ = size_;
    background_ = clear_colour | IM_COL32_A_MASK;
    is_painted_ = false;
    if (is_headless()) return;
    paint();
    screen_->show(pixels_.data(), frame_size_);
    const ImGuiMouseCursor cursor = ImGui::GetMouseCursor();
    if (cursor != shown_cursor_) screen_->show_cursor(cursor);
    shown_cursor_ = cursor;
}

void Backend::paint() const {
    if (is_painted_) return;
    const ImDrawData* frame = ImGui::GetDrawData();
    assert(frame != nullptr);
    pixels_.resize(static_cast<std::size_t>(frame_size_.width) *
                   static_cast<std::size_t>(frame_size_.height));
    ui::paint(*frame, texture_of(*ImGui::GetIO().Fonts),
              {pixels_.data(), frame_size_.width, frame_size_.height}, background_);
    is_painted_ = true;
}

bool Backend::has_popup() const {
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void Backend::close_popups() { ImGui::ClosePopupsOverWindow(nullptr, false); }

void Backend::set_scale(float scale) { wanted_scale_ = std::clamp(scale, kSmallestScale, kLargestFontScale); }

void Backend::rebuild_fonts(float scale) {
    fonts_ = build_fonts(*ImGui::GetIO().Fonts, scale);
    wanted_scale_ = scale;
}

void Backend::resize(Size size) {
    size = {std::max(1, size.width), std::max(1, size.height)};
    if (screen_) return screen_->resize(size);
    fit_frame_to(size);
    SDL_Event event{};
    event.type = SDL_WINDOWEVENT;
    event.window.event = SDL_WINDOWEVENT_SIZE_CHANGED;
    event.window.data1 = size.width;
    event.window.data2 = size.height;
    SDL_PushEvent(&event);
}

void Backend::set_title(const std::string& title) {
    if (screen_) screen_->set_title(title);
}

void Backend::set_fullscreen(bool full) {
    if (screen_) screen_->set_fullscreen(full);
}

Image Backend::screenshot() const {
    paint();
    Image image{frame_size_.width, frame_size_.height, {}};
    image.rgba.resize(pixels_.size() * 4);
    if (!pixels_.empty()) std::memcpy(image.rgba.data(), pixels_.data(), image.rgba.size());
    return image;
}

std::string Backend::visible_text() const {
    const ImDrawData* data = ImGui::GetDrawData();
    return data != nullptr ? screen_text(*data, fonts_) : std::string();
}

std::string Backend::clipboard() const { return screen_ ? screen_->clipboard() : clipboard_; }

void Backend::set_clipboard(const std::string& text) {
    if (screen_) {
        screen_->set_clipboard(text);
    } else {
        clipboard_ = text;
    }
}

}  // namespace ui
