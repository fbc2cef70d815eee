#include "ui/platform/backend.h"

#include <fmt/format.h>
#include <imgui_internal.h>  // ClosePopupsOverWindow()

#include <algorithm>
#include <cassert>
#include <cfloat>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "ui/platform/painter.h"
#include "ui/platform/screen_text.h"

namespace ui {
namespace {

constexpr std::uint64_t kWindowFrame = 16;  // milliseconds, where nothing waits for the screen
constexpr int kFramesAfterInput = 3;        // until ImGui shows all that followed from it
constexpr float kNowhere = -FLT_MAX;        // the mouse outside the window, as ImGui writes it
constexpr int kNoKey = -1;

[[noreturn]] void fail(const char* what) {
    throw std::runtime_error(fmt::format("{}: {}", what, SDL_GetError()));
}

enum ModifierBit { kCtrl = 1, kShift = 2, kAlt = 4, kGui = 8 };

int modifiers_of(Uint16 mod) {
    return ((mod & KMOD_CTRL) != 0 ? kCtrl : 0) | ((mod & KMOD_SHIFT) != 0 ? kShift : 0) |
           ((mod & KMOD_ALT) != 0 ? kAlt : 0) | ((mod & KMOD_GUI) != 0 ? kGui : 0);
}

// ImGui's key, or kNoKey. Keys that move are told by their place; letters by what they type, so that Ctrl+Z
// undoes on every layout.
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
            return ImGuiKey_KeyPadEnter;
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

// Whether the current OpenGL is a program rather than a card. Handing a frame to the X server as it is takes
// a small part of the time that such a program needs to show it (docs/benchmarks.md).
bool is_pretended() {
    using GetString = const unsigned char* (*)(unsigned);
    constexpr unsigned kGlRenderer = 0x1f01;
    const auto get_string = reinterpret_cast<GetString>(SDL_GL_GetProcAddress("glGetString"));
    if (SDL_GL_GetCurrentContext() == nullptr || get_string == nullptr) return false;
    const auto* name = reinterpret_cast<const char*>(get_string(kGlRenderer));
    const std::string_view renderer = name != nullptr ? name : "";
    for (const std::string_view program : {"llvmpipe", "softpipe", "SwiftShader", "Software Rasterizer"})
        if (renderer.find(program) != std::string_view::npos) return true;
    return false;
}

AlphaTexture atlas_texture() {
    AlphaTexture texture{};
    unsigned char* pixels = nullptr;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &texture.width, &texture.height);
    texture.alpha = pixels;
    return texture;
}

// The part of the first screen that no panel covers, less the frame that a window gets.
Size room_on_screen() {
    constexpr int kBorders = 8, kTitleBar = 40;
    SDL_Rect usable{};
    if (SDL_GetDisplayUsableBounds(0, &usable) != 0) return {16'384, 16'384};
    return {std::max(usable.w - kBorders, 320), std::max(usable.h - kTitleBar, 240)};
}

}  // namespace

Backend::Video::Video(bool screen) {
    // Without a screen SDL's dummy driver is the one that works everywhere, whatever SDL_VIDEODRIVER says.
    if (!screen) {
        SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "dummy", SDL_HINT_OVERRIDE);
        SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // Ctrl+C ends the program
    }
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    const bool works = SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
    if (!screen) SDL_ResetHint(SDL_HINT_VIDEODRIVER);
    if (!works) fail("the window system");
    // Where nothing shows windows SDL settles for drivers that show none; only those who ask for one want
    // that.
    const std::string driver = SDL_GetCurrentVideoDriver();
    if (screen && SDL_GetHint(SDL_HINT_VIDEODRIVER) == nullptr &&
        (driver == "offscreen" || driver == "dummy")) {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        throw std::runtime_error("the window system: there is no display");
    }
}

Backend::Video::~Video() { SDL_QuitSubSystem(SDL_INIT_VIDEO); }

Backend Backend::window(const std::string& title, Size size) { return Backend(title.c_str(), size); }

Backend Backend::headless(Size size) { return Backend(nullptr, size); }

Backend::Backend(const char* title, Size size) : video_(title != nullptr), size_(size) {
    held_.fill(kNoKey);
    if (title != nullptr) {
        open_window(title);
    } else {
        SDL_StartTextInput();
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);  // what the driver had to say is not part of the run
    }
    make_context();
    rebuild_fonts(1);
}

Backend::~Backend() = default;

void Backend::open_window(const char* title) {
    const Size room = room_on_screen();
    size_ = {std::min(size_.width, room.width), std::min(size_.height, room.height)};
    const auto make_window = [&] {
        window_.reset(SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, size_.width,
                                       size_.height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_HIDDEN));
        if (!window_) fail("the window");
    };
    make_window();
    // SDL answers with a software renderer only if the user asks for it by SDL_RENDER_DRIVER.
    renderer_.reset(
        SDL_CreateRenderer(window_.get(), -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC));
    if (renderer_ && is_pretended()) {
        renderer_.reset();
        make_window();
    }
    if (!renderer_) {
        SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
        if (SDL_GetWindowSurface(window_.get()) == nullptr) fail("the window's pixels");
    }
    SDL_ShowWindow(window_.get());
    SDL_GetWindowSize(window_.get(), &size_.width, &size_.height);
    SDL_StartTextInput();
}

void Backend::make_context() {
    context_.reset(ImGui::CreateContext());
    ImGui::SetCurrentContext(context_.get());
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // the program has its own settings
    io.LogFilename = nullptr;
    io.BackendPlatformName = "switchyard";
    io.BackendRendererName = "switchyard painter";
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    if (window_) {
        io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    } else {
        io.ConfigInputTextCursorBlink = false;
    }
    for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
    io.ClipboardUserData = this;
    io.GetClipboardTextFn = [](void* user) {
        auto* self = static_cast<Backend*>(user);
        self->clipboard_ = self->clipboard();
        return self->clipboard_.c_str();
    };
    io.SetClipboardTextFn = [](void* user, const char* text) {
        static_cast<Backend*>(user)->set_clipboard(text);
    };
}

bool Backend::poll(SDL_Event& event) { return SDL_PollEvent(&event) != 0; }

bool Backend::wait(SDL_Event& event, int milliseconds) {
    if (is_headless()) return poll(event);
    return SDL_WaitEventTimeout(&event, milliseconds) != 0;
}

bool Backend::process(const SDL_Event& event) {
    using Kind = Input::Kind;
    const ImGuiIO& io = ImGui::GetIO();
    const auto add = [&](Input input) {
        inputs_.push_back(std::move(input));
        frames_wanted_ = kFramesAfterInput;
    };
    const auto move = [&](float x, float y) { add({.kind = Kind::move, .x = x, .y = y, .text = {}}); };
    switch (event.type) {
        case SDL_MOUSEMOTION:
            move(static_cast<float>(event.motion.x), static_cast<float>(event.motion.y));
            return io.WantCaptureMouse;
        case SDL_MOUSEBUTTONDOWN:
        case SDL_MOUSEBUTTONUP: {
            const int button = imgui_button(event.button.button);
            if (button < 0) return false;
            const bool down = event.type == SDL_MOUSEBUTTONDOWN;
            buttons_down_ = down ? buttons_down_ | 1 << button : buttons_down_ & ~(1 << button);
            move(static_cast<float>(event.button.x), static_cast<float>(event.button.y));
            add({.kind = Kind::button, .code = button, .down = down, .text = {}});
            return io.WantCaptureMouse;
        }
        case SDL_MOUSEWHEEL: {
            float x = event.wheel.preciseX;
            float y = event.wheel.preciseY;
            if (x == 0 && y == 0) {
                x = static_cast<float>(event.wheel.x);
                y = static_cast<float>(event.wheel.y);
            }
            add({.kind = Kind::wheel, .x = -x, .y = y, .text = {}});  // ImGui's x is the other way round
            return io.WantCaptureMouse;
        }
        case SDL_KEYDOWN:
        case SDL_KEYUP: {
            const bool down = event.type == SDL_KEYDOWN;
            add({.kind = Kind::modifiers, .code = modifiers_of(event.key.keysym.mod), .text = {}});
            const auto place = static_cast<std::size_t>(event.key.keysym.scancode);
            if (place >= held_.size() || event.key.repeat != 0)
                return io.WantTextInput;  // ImGui repeats keys itself
            if (down) held_[place] = imgui_key(event.key.keysym);
            if (held_[place] != kNoKey)
                add({.kind = Kind::key, .code = held_[place], .down = down, .text = {}});
            if (!down) held_[place] = kNoKey;
            return io.WantTextInput;
        }
        case SDL_TEXTINPUT:
            add({.kind = Kind::text, .text = event.text.text});
            return io.WantTextInput;
        case SDL_WINDOWEVENT:
            frames_wanted_ = kFramesAfterInput;
            switch (event.window.event) {
                case SDL_WINDOWEVENT_SIZE_CHANGED:
                    if (window_) {
                        SDL_GetWindowSize(window_.get(), &size_.width, &size_.height);
                    } else {
                        size_ = {std::max(1, event.window.data1), std::max(1, event.window.data2)};
                    }
                    break;
                case SDL_WINDOWEVENT_LEAVE:
                    if (buttons_down_ == 0) move(kNowhere, kNowhere);
                    break;
                case SDL_WINDOWEVENT_FOCUS_LOST:
                    release_all();
                    break;
                default:
                    break;
            }
            return false;
        case SDL_RENDER_TARGETS_RESET:
        case SDL_RENDER_DEVICE_RESET:
            frame_texture_.reset();
            return false;
        default:
            return false;
    }
}

// Nobody tells us about keys that are released while another window has the keyboard.
void Backend::release_all() {
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

void Backend::feed(const Input& input) {
    ImGuiIO& io = ImGui::GetIO();
    using Kind = Input::Kind;
    switch (input.kind) {
        case Kind::move:
            io.MousePos = ImVec2(input.x, input.y);
            break;
        case Kind::button:
            io.MouseDown[input.code] = input.down;
            break;
        case Kind::wheel:
            io.MouseWheelH += input.x;
            io.MouseWheel += input.y;
            break;
        case Kind::key:
            io.KeysDown[input.code] = input.down;
            break;
        case Kind::modifiers:
            io.KeyCtrl = (input.code & kCtrl) != 0;
            io.KeyShift = (input.code & kShift) != 0;
            io.KeyAlt = (input.code & kAlt) != 0;
            io.KeySuper = (input.code & kGui) != 0;
            break;
        case Kind::text:
            io.AddInputCharactersUTF8(input.text.c_str());
            break;
    }
}

// ImGui 1.86 sees the mouse and keyboard once a frame, so that of a button pressed and released within one
// frame it would see nothing. What would hide or reorder an earlier change waits for the next frame, by the
// rules that ImGui itself has had since 1.87.
void Backend::feed_inputs() {
    using Kind = Input::Kind;
    bool moved = false;
    bool rolled = false;
    bool typed = false;
    int buttons = 0;  // bits
    std::uint32_t keys = 0;
    while (!inputs_.empty()) {
        const Input& next = inputs_.front();
        const int bit = 1 << (next.code & 31);
        const ImGuiIO& io = ImGui::GetIO();
        switch (next.kind) {
            case Kind::move:
                if (io.MousePos.x == next.x && io.MousePos.y == next.y) break;
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
            case Kind::modifiers: {
                const int now = (io.KeyCtrl ? kCtrl : 0) | (io.KeyShift ? kShift : 0) |
                                (io.KeyAlt ? kAlt : 0) | (io.KeySuper ? kGui : 0);
                if (now != next.code && (keys != 0 || typed || buttons != 0 || rolled)) return;
                break;
            }
            case Kind::key:
                if ((keys & static_cast<std::uint32_t>(bit)) != 0 || typed || buttons != 0) return;
                keys |= static_cast<std::uint32_t>(bit);
                break;
            case Kind::text:
                if (keys != 0 || moved || buttons != 0 || rolled) return;
                typed = true;
                break;
        }
        feed(next);
        inputs_.pop_front();
    }
}

bool Backend::wants_frame() const { return frames_wanted_ > 0 || !inputs_.empty(); }

void Backend::begin_frame(double dt_seconds) {
    ImGui::SetCurrentContext(context_.get());
    if (wanted_scale_ != fonts_.scale) rebuild_fonts(wanted_scale_);
    feed_inputs();
    frames_wanted_ = std::max(0, frames_wanted_ - 1);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(size_.width), static_cast<float>(size_.height));
    io.DeltaTime = static_cast<float>(is_headless() ? frame_time_ : std::clamp(dt_seconds, 1e-4, 1.0));
    ImGui::NewFrame();
}

void Backend::end_frame(ImU32 clear) {
    ImGui::Render();
    frame_size_ = size_;
    clear_ = clear | IM_COL32_A_MASK;
    is_painted_ = false;
    if (is_headless()) return;
    paint();
    if (renderer_) {
        show_by_renderer();
    } else {
        show_by_surface();
    }
    show_mouse_cursor();
}

void Backend::paint() const {
    if (is_painted_) return;
    const ImDrawData* frame = ImGui::GetDrawData();
    assert(frame != nullptr);
    pixels_.resize(static_cast<std::size_t>(frame_size_.width) *
                   static_cast<std::size_t>(frame_size_.height));
    ui::paint(*frame, atlas_texture(), {pixels_.data(), frame_size_.width, frame_size_.height}, clear_);
    is_painted_ = true;
}

bool Backend::has_popup() const {
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void Backend::close_popups() { ImGui::ClosePopupsOverWindow(nullptr, false); }

void Backend::set_scale(float scale) { wanted_scale_ = std::clamp(scale, kSmallestScale, kLargestFontScale); }

void Backend::rebuild_fonts(float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    fonts_ = build_fonts(atlas, scale);
    wanted_scale_ = scale;
    atlas.SetTexID((ImTextureID) static_cast<std::intptr_t>(1));  // any; the painter has only one texture
}

void Backend::show_by_renderer() {
    SDL_Renderer* renderer = renderer_.get();
    if (!frame_texture_ || texture_size_ != frame_size_) {
        frame_texture_.reset(SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING,
                                               frame_size_.width, frame_size_.height));
        if (!frame_texture_) fail("the window's texture");
        SDL_SetTextureBlendMode(frame_texture_.get(), SDL_BLENDMODE_NONE);
        texture_size_ = frame_size_;
    }
    SDL_UpdateTexture(frame_texture_.get(), nullptr, pixels_.data(), frame_size_.width * 4);
    SDL_RenderCopy(renderer, frame_texture_.get(), nullptr, nullptr);
    SDL_RenderPresent(renderer);
}

void Backend::show_by_surface() {
    SDL_Surface* surface = SDL_GetWindowSurface(window_.get());
    SDL_Surface* painted =
        SDL_CreateRGBSurfaceWithFormatFrom(pixels_.data(), frame_size_.width, frame_size_.height, 32,
                                           frame_size_.width * 4, SDL_PIXELFORMAT_RGBA32);
    if (surface != nullptr && painted != nullptr) {  // or the window is just being resized
        SDL_SetSurfaceBlendMode(painted, SDL_BLENDMODE_NONE);
        SDL_BlitSurface(painted, nullptr, surface, nullptr);
        SDL_UpdateWindowSurface(window_.get());
    }
    SDL_FreeSurface(painted);
    const std::uint64_t now = SDL_GetTicks64();
    if (now < shown_at_ + kWindowFrame) SDL_Delay(static_cast<Uint32>(shown_at_ + kWindowFrame - now));
    shown_at_ = SDL_GetTicks64();
}

void Backend::show_mouse_cursor() {
    const ImGuiMouseCursor wanted = ImGui::GetMouseCursor();
    if (wanted == shown_cursor_) return;
    shown_cursor_ = wanted;
    if (wanted < 0 || wanted >= ImGuiMouseCursor_COUNT) {
        SDL_ShowCursor(SDL_DISABLE);
        return;
    }
    auto& cursor = cursors_[static_cast<std::size_t>(wanted)];
    if (!cursor) {
        const auto kind = [&] {
            switch (wanted) {
                case ImGuiMouseCursor_TextInput:
                    return SDL_SYSTEM_CURSOR_IBEAM;
                case ImGuiMouseCursor_ResizeAll:
                    return SDL_SYSTEM_CURSOR_SIZEALL;
                case ImGuiMouseCursor_ResizeNS:
                    return SDL_SYSTEM_CURSOR_SIZENS;
                case ImGuiMouseCursor_ResizeEW:
                    return SDL_SYSTEM_CURSOR_SIZEWE;
                case ImGuiMouseCursor_ResizeNESW:
                    return SDL_SYSTEM_CURSOR_SIZENESW;
                case ImGuiMouseCursor_ResizeNWSE:
                    return SDL_SYSTEM_CURSOR_SIZENWSE;
                case ImGuiMouseCursor_Hand:
                    return SDL_SYSTEM_CURSOR_HAND;
                case ImGuiMouseCursor_NotAllowed:
                    return SDL_SYSTEM_CURSOR_NO;
                default:
                    return SDL_SYSTEM_CURSOR_ARROW;
            }
        };
        cursor.reset(SDL_CreateSystemCursor(kind()));
    }
    SDL_SetCursor(cursor.get());
    SDL_ShowCursor(SDL_ENABLE);
}

void Backend::resize(Size size) {
    size = {std::max(1, size.width), std::max(1, size.height)};
    if (window_) {
        SDL_SetWindowSize(window_.get(), size.width, size.height);
        return;
    }
    size_ = size;
    SDL_Event event{};
    event.type = SDL_WINDOWEVENT;
    event.window.event = SDL_WINDOWEVENT_SIZE_CHANGED;
    event.window.data1 = size.width;
    event.window.data2 = size.height;
    SDL_PushEvent(&event);
}

void Backend::set_title(const std::string& title) {
    if (window_) SDL_SetWindowTitle(window_.get(), title.c_str());
}

void Backend::set_fullscreen(bool full) {
    if (window_ && SDL_SetWindowFullscreen(window_.get(), full ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0) == 0)
        fullscreen_ = full;
}

Image Backend::screenshot() const {
    paint();
    Image image{frame_size_.width, frame_size_.height, {}};
    image.rgba.resize(pixels_.size() * 4);
    if (!pixels_.empty()) std::memcpy(image.rgba.data(), pixels_.data(), image.rgba.size());
    return image;
}

std::string Backend::text() const {
    const ImDrawData* data = ImGui::GetDrawData();
    return data != nullptr ? screen_text(*data, fonts_) : std::string();
}

std::string Backend::clipboard() const {
    if (is_headless()) return clipboard_;
    char* text = SDL_GetClipboardText();
    std::string copy = text != nullptr ? text : "";
    SDL_free(text);
    return copy;
}

void Backend::set_clipboard(const std::string& text) {
    if (is_headless()) {
        clipboard_ = text;
    } else {
        SDL_SetClipboardText(text.c_str());
    }
}

}  // namespace ui
