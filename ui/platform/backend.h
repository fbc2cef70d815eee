// The window, or its replacement in a headless run: events, pixels and clipboard. A Screen
// (ui/platform/screen.h) displays it.
//
// This class feeds SDL's events to Dear ImGui, because imgui_impl_sdl also queries SDL for the mouse
// position. Here only events count: pushed events (ui/platform/script.h) are equivalent to real ones, and a
// headless run is reproducible to the byte.
//
// Frames are painted in memory by ui/platform/painter.h, with and without a window: the pixels are always the
// same, and SDL's software renderer is slower. A graphics card only displays them; drawing on it would need a
// second implementation, and OpenGL is often a software renderer (docs/how-to/benchmarks.md).
#pragma once

#include <SDL.h>
#include <imgui.h>

#include <array>
#include <cfloat>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "ui/platform/fonts.h"
#include "ui/platform/image.h"
#include "ui/platform/imgui_versions.h"
#include "ui/platform/screen.h"

namespace ui {

// Limits of a frame; the largest screens are smaller.
inline constexpr int kMostPixels = 1 << 25, kLongestSide = 16'384;

inline constexpr float kSmallestScale = 0.75f;
inline constexpr float kLargestScale = 3.0f;
inline constexpr float kLargestFontScale = 6.0f;  // for a presenter's view on a wall of 4,096 rows

// At most one exists. It owns the ImGui context, which is current during its lifetime.
class Backend {
  public:
    // Resizable, limited to the usable part of the desktop. Throws std::runtime_error with SDL's message.
    static Backend window(const std::string& title, Size size);
    // Frames are painted in memory and last 1/60 s (set_frame_time()). The clipboard is internal and the
    // keyboard a US one.
    static Backend headless(Size size);

    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    ~Backend();

    bool is_headless() const { return screen_ == nullptr; }

    // The next pending event. The caller passes it to process() and frees the name in SDL_DROPFILE with
    // SDL_free(). For modifiers of mouse events use ImGui's io.KeyCtrl etc.: SDL_GetModState() ignores pushed
    // events.
    bool poll(SDL_Event& event);
    // Waits up to `milliseconds` for an event; does not wait if there is no window.
    bool wait(SDL_Event& event, int milliseconds);

    // Feeds an event to ImGui. Returns true if ImGui captures such input: the mouse is over one of its
    // windows, or the keyboard in a text box.
    bool process(const SDL_Event& event);

    // The caller builds the frame between these calls. `dt_seconds`: since the last frame; ignored without a
    // window.
    void begin_frame(double dt_seconds);
    void end_frame(ImU32 clear);
    // Sets the duration of frames without a window, in seconds, from the next frame on.
    void set_frame_time(double seconds) { frame_time_ = seconds; }

    // True if ImGui has not shown all effects of the input yet. A program that draws on demand must then
    // draw a frame.
    bool wants_frame() const;

    // True if a menu or a drop-down box of ImGui is open; close_popups() closes all of them.
    bool has_popup() const;
    void close_popups();

    // Sets the scale of everything from the next begin_frame() on, with new fonts; 1: text of 15 pixels.
    // Clamped to kSmallestScale..kLargestFontScale.
    void set_scale(float scale);
    float scale() const { return fonts_.scale; }
    const Fonts& fonts() const { return fonts_; }

    // Size of a frame: that of the window, unless it exceeds the limits. Then a pixel of the frame covers N
    // x N pixels of the window, and mouse positions are in pixels of the frame.
    Size size() const { return size_; }
    // Default scale for users without a setting; 1 without a window.
    float density() const { return screen_ ? screen_->density() : 1; }
    // Takes effect at once without a window, otherwise when the window system agrees.
    // SDL_WINDOWEVENT_SIZE_CHANGED follows in both cases.
    void resize(Size size);
    void set_title(const std::string& title);
    void set_fullscreen(bool full);  // no effect without a window
    bool is_fullscreen() const { return screen_ && screen_->is_fullscreen(); }
    // See Screen.
    bool offers_files() const { return screen_ && screen_->offers_files(); }
    void choose_file() { screen_->choose_file(); }

    // Paints the last finished frame unless it is already painted. end_frame() calls it if there is a
    // window, screenshot() always, so that a headless run only paints what is used. REQUIRES: no
    // begin_frame() since that end_frame().
    void paint() const;
    // The last finished frame; the same pixels with and without a window. REQUIRES: as for paint().
    Image screenshot() const;
    // The readable text of that frame; see screen_text(). For ScriptHost::text(). REQUIRES: as for paint().
    std::string text() const;

    std::string clipboard() const;
    void set_clipboard(const std::string& text);

  private:
    // A change that ImGui has not received yet; see feed_inputs().
    struct Input {
        enum class Kind : std::uint8_t { move, button, wheel, key, modifiers, text } kind;
        int code = 0;  // button or key
        bool down = false;
        Modifiers modifiers{};
        float x = 0;
        float y = 0;
        std::string text;
    };

    Backend(const char* title, Size size);
    void make_context();
    void take(Input input);
    void move_mouse_to(int x, int y);
    bool take_button(const SDL_MouseButtonEvent& event);
    void take_wheel(const SDL_MouseWheelEvent& event);
    void take_key(const SDL_KeyboardEvent& event);
    void take_window_event(const SDL_WindowEvent& event);
    void release_all();
    void feed_inputs();
    void feed(const Input& input);
    void rebuild_fonts(float scale);
    void fit(Size window);
    void forget_larger_frames();

    struct Close {
        void operator()(ImGuiContext* context) const { ImGui::DestroyContext(context); }
    };

    Events sdl_events_;
    std::unique_ptr<Screen> screen_;  // null when headless
    std::unique_ptr<ImGuiContext, Close> context_;
    Fonts fonts_{};
    float wanted_scale_ = 1;
    Size size_;
    int magnified_ = 1;         // pixels of the window per pixel of the frame, in each direction
    Size frame_size_;           // size of the last frame
    std::int64_t largest_ = 0;  // pixels of the largest frame since memory was returned
    ImU32 clear_ = 0;           // background of the last frame
    mutable bool is_painted_ = true;
    mutable std::vector<std::uint32_t> pixels_;  // the frame that was painted last
    double frame_time_ = 1.0 / 60;               // seconds per frame without a window
    std::deque<Input> inputs_;
    ImVec2 fed_mouse_{-FLT_MAX, -FLT_MAX};  // last position that ImGui received
    Modifiers fed_modifiers_;
    std::array<int, SDL_NUM_SCANCODES> held_{};  // by scancode: ImGui key that it was pressed as, or -1
    int buttons_down_ = 0;                       // bits
    int frames_wanted_ = 3;
    int shown_cursor_ = -2;
    std::string clipboard_;  // without a window, the clipboard; otherwise ImGui's copy of it
};

}  // namespace ui
