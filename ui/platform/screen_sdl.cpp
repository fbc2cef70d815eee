// The desktop window, based on SDL.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "sim/os/display.h"
#include "ui/platform/screen.h"
#include "ui/platform/sdl_versions.h"

namespace ui {
namespace {

constexpr std::uint64_t kWindowFrame = 16;  // frame time in milliseconds without vertical synchronization

[[noreturn]] void fail(const char* what) {
    throw std::runtime_error(fmt::format("{}: {}", what, SDL_GetError()));
}

// True if OpenGL renders in software on this machine. It is then much faster to pass frames directly to the X
// server (docs/how-to/benchmarks.md).
bool is_software_renderer() {
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

// The size of the usable area of the first screen, minus the borders of a window.
Size largest_window_size() {
    constexpr int kBorders = 8, kTitleBar = 40;
    SDL_Rect usable{};
    if (SDL_GetDisplayUsableBounds(0, &usable) != 0) return {16'384, 16'384};
    return {std::max(usable.w - kBorders, 320), std::max(usable.h - kTitleBar, 240)};
}

class SdlScreen final : public Screen {
  public:
    SdlScreen(const char* title, Size size);

    Size size() const override {
        Size size;
        SDL_GetWindowSize(window_.get(), &size.width, &size.height);
        return size;
    }
    float density() const override {
        SDL_Rect bounds{};
        const bool is_known = SDL_GetDisplayUsableBounds(0, &bounds) == 0;
        return std::max(sim::os::display_scale(), is_known ? density_for_screen_height(bounds.h) : 1.0F);
    }
    void show(const std::uint32_t* pixels, Size size) override {
        if (renderer_) {
            show_by_renderer(pixels, size);
        } else {
            show_by_surface(pixels, size);
        }
    }
    void show_cursor(ImGuiMouseCursor wanted) override;
    void resize(Size size) override { SDL_SetWindowSize(window_.get(), size.width, size.height); }
    void set_title(const std::string& title) override { SDL_SetWindowTitle(window_.get(), title.c_str()); }
    void set_fullscreen(bool full) override {
        if (SDL_SetWindowFullscreen(window_.get(), full ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0) == 0)
            fullscreen_ = full;
    }
    bool is_fullscreen() const override { return fullscreen_; }
    std::uint32_t id() const override { return SDL_GetWindowID(window_.get()); }
    std::string clipboard() const override {
        char* text = SDL_GetClipboardText();
        std::string copy = text != nullptr ? text : "";
        SDL_free(text);
        return copy;
    }
    void set_clipboard(const std::string& text) override { SDL_SetClipboardText(text.c_str()); }
    bool wait(SDL_Event& event, int milliseconds) override {
        if (SDL_WaitEventTimeout(&event, milliseconds) == 0) return false;
        restore_pushed_event(event);
        return true;
    }
    void discard_textures() override { frame_texture_.reset(); }

  private:
    void show_by_renderer(const std::uint32_t* pixels, Size size);
    void show_by_surface(const std::uint32_t* pixels, Size size);

    struct SdlDeleter {
        void operator()(SDL_Window* window) const { SDL_DestroyWindow(window); }
        void operator()(SDL_Renderer* renderer) const { SDL_DestroyRenderer(renderer); }
        void operator()(SDL_Texture* texture) const { SDL_DestroyTexture(texture); }
        void operator()(SDL_Cursor* cursor) const { SDL_FreeCursor(cursor); }
    };

    std::unique_ptr<SDL_Window, SdlDeleter> window_;
    std::unique_ptr<SDL_Renderer, SdlDeleter> renderer_;      // null without hardware acceleration
    std::unique_ptr<SDL_Texture, SdlDeleter> frame_texture_;  // null before the renderer shows a frame
    Size texture_size_;
    std::array<std::unique_ptr<SDL_Cursor, SdlDeleter>, ImGuiMouseCursor_COUNT> cursors_;
    bool fullscreen_ = false;
    std::uint64_t shown_at_ = 0;  // SDL_GetTicks64() at the last frame; used only if renderer_ is null
};

SdlScreen::SdlScreen(const char* title, Size size) {
    const Size room = largest_window_size();
    size = {std::min(size.width, room.width), std::min(size.height, room.height)};
    const auto make_window = [&] {
        window_.reset(SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, size.width,
                                       size.height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_HIDDEN));
        if (!window_) fail("cannot create the window");
    };
    make_window();
    // SDL returns a software renderer only if the user sets SDL_RENDER_DRIVER.
    renderer_.reset(
        SDL_CreateRenderer(window_.get(), -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC));
    if (renderer_ && is_software_renderer()) {
        renderer_.reset();
        make_window();
    }
    if (!renderer_) {
        SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
        if (SDL_GetWindowSurface(window_.get()) == nullptr) fail("cannot access the pixels of the window");
    }
    SDL_ShowWindow(window_.get());
}

void SdlScreen::show_by_renderer(const std::uint32_t* pixels, Size size) {
    SDL_Renderer* renderer = renderer_.get();
    if (!frame_texture_ || texture_size_ != size) {
        frame_texture_.reset(SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING,
                                               size.width, size.height));
        if (!frame_texture_) fail("cannot create the texture of the window");
        SDL_SetTextureBlendMode(frame_texture_.get(), SDL_BLENDMODE_NONE);
        texture_size_ = size;
    }
    SDL_UpdateTexture(frame_texture_.get(), nullptr, pixels, size.width * 4);
    SDL_RenderCopy(renderer, frame_texture_.get(), nullptr, nullptr);
    SDL_RenderPresent(renderer);
}

void SdlScreen::show_by_surface(const std::uint32_t* pixels, Size size) {
    SDL_Surface* surface = SDL_GetWindowSurface(window_.get());
    SDL_Surface* painted =
        SDL_CreateRGBSurfaceWithFormatFrom(const_cast<std::uint32_t*>(pixels), size.width, size.height, 32,
                                           size.width * 4, SDL_PIXELFORMAT_RGBA32);
    if (surface != nullptr && painted != nullptr) {  // either may be null while the user resizes the window
        SDL_SetSurfaceBlendMode(painted, SDL_BLENDMODE_NONE);
        if (surface->w >= 2 * size.width && surface->h >= 2 * size.height)
            SDL_BlitScaled(painted, nullptr, surface, nullptr);
        else
            SDL_BlitSurface(painted, nullptr, surface, nullptr);
        SDL_UpdateWindowSurface(window_.get());
    }
    SDL_FreeSurface(painted);
    const std::uint64_t now = SDL_GetTicks64();
    if (now < shown_at_ + kWindowFrame) SDL_Delay(static_cast<Uint32>(shown_at_ + kWindowFrame - now));
    shown_at_ = SDL_GetTicks64();
}

void SdlScreen::show_cursor(ImGuiMouseCursor wanted) {
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

}  // namespace

SdlEventSubsystem::SdlEventSubsystem(bool screen) {
    // A headless run uses SDL's dummy driver, the only driver that works everywhere, and ignores
    // SDL_VIDEODRIVER.
    if (!screen) {
        SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "dummy", SDL_HINT_OVERRIDE);
        // SDL does not catch SIGINT, so that Ctrl+C ends the program.
        SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    }
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    const bool works = SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
    if (!screen) SDL_ResetHint(SDL_HINT_VIDEODRIVER);
    if (!works) fail("cannot start the window system");
    // Without a display, SDL selects a driver that shows nothing. This is an error unless the user has
    // requested that driver.
    const std::string driver = SDL_GetCurrentVideoDriver();
    if (screen && SDL_GetHint(SDL_HINT_VIDEODRIVER) == nullptr &&
        (driver == "offscreen" || driver == "dummy")) {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        throw std::runtime_error("cannot open a window: there is no display");
    }
    SDL_StartTextInput();
    if (!screen)
        // Removes the driver's initial events, which are not part of the run.
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
}

SdlEventSubsystem::~SdlEventSubsystem() { SDL_QuitSubSystem(SDL_INIT_VIDEO); }

std::unique_ptr<Screen> Screen::open(const std::string& title, Size size) {
    return std::make_unique<SdlScreen>(title.c_str(), size);
}

}  // namespace ui
