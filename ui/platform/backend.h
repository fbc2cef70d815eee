// Backend manages events, pixels and the clipboard of the window. A Screen (ui/platform/screen.h) displays
// the window; a headless run has no Screen.
//
// This class passes SDL's events to Dear ImGui. It does not use ImGui's own imgui_impl_sdl, because that also
// queries SDL for the mouse position. With events only, pushed events (ui/platform/script.h) have the same
// effect as real ones, and a headless run is reproducible to the byte.
//
// ui/platform/painter.h paints frames in memory, with and without a window, so the pixels are always the
// same. SDL's software renderer would be slower. A graphics card only displays the finished frames; drawing
// on it would need a second implementation, and OpenGL is often a software renderer
// (docs/how-to/benchmarks.md).
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

// Limits for the size of a frame, above the size of the largest screens.
inline constexpr int kMostPixels = 1 << 25, kLongestSide = 16'384;

inline constexpr float kSmallestScale = 0.75f;
inline constexpr float kLargestScale = 3.0f;
inline constexpr float kLargestFontScale = 6.0f;  // largest scale of letters, for the presenter's view

// Owns an ImGui context, which begin_frame() makes current. A program with several backends must make the
// context of a backend current before it calls other functions of that backend.
class Backend {
  public:
    // Opens a resizable window, limited to the usable part of the desktop. Throws std::runtime_error with
    // SDL's message.
    static Backend window(const std::string& title, Size size);
    // A backend without a window: frames are painted in memory and last 1/60 s (set_frame_duration()), the
    // clipboard is internal, and the keyboard has the US layout.
    static Backend headless(Size size);

    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    ~Backend();

    bool is_headless() const { return screen_ == nullptr; }
    // The window id in SDL's events of this window; 0 without a window, or if the platform allows only one.
    std::uint32_t window_id() const { return screen_ ? screen_->id() : 0; }
    bool can_open_second_window() const { return is_headless() || window_id() != 0; }
    // Makes this backend's ImGui context the current one.
    void make_current() { ImGui::SetCurrentContext(context_.get()); }

    // Sets `event` to the next pending event; returns false if there is none. The caller passes the event
    // to process_event(), and frees the name in an SDL_DROPFILE with SDL_free(). For the modifiers of mouse
    // events use ImGui's io.KeyCtrl etc., because SDL_GetModState() ignores pushed events.
    bool poll(SDL_Event& event);
    // Waits up to `milliseconds` for an event; does not wait if there is no window.
    bool wait(SDL_Event& event, int milliseconds);

    // Passes an event to ImGui. Returns true if ImGui uses it: the mouse is over an ImGui window, or the
    // keyboard focus is in a text box.
    bool process_event(const SDL_Event& event);

    // The caller builds the frame between begin_frame() and end_frame(). `dt_seconds`: time since the last
    // frame; ignored without a window.
    void begin_frame(double dt_seconds);
    void end_frame(ImU32 clear_colour);
    // Sets the duration, in seconds, of later frames without a window.
    void set_frame_duration(double seconds) { frame_time_ = seconds; }

    // True if ImGui has not yet shown all effects of the input. A program that draws only on demand must
    // then draw a frame.
    bool wants_frame() const;

    // True if a menu or a drop-down box of ImGui is open; close_popups() closes all of them.
    bool has_popup() const;
    void close_popups();

    // Sets the scale of fonts and sizes from the next begin_frame() on; at scale 1, text is 15 pixels high.
    // Clamped to kSmallestScale..kLargestFontScale.
    void set_scale(float scale);
    float scale() const { return fonts_.scale; }
    const Fonts& fonts() const { return fonts_; }

    // The size of a frame: that of the window, unless the window exceeds the limits. In that case a pixel
    // of the frame covers N x N pixels of the window, and mouse positions are in pixels of the frame.
    Size size() const { return size_; }
    // The scale to use if the user has not set one; 1 without a window.
    float density() const { return screen_ ? screen_->density() : 1; }
    // Requests another size of the window. A headless backend has the new size at once; a window has it
    // when the window system agrees. In both cases SDL_WINDOWEVENT_SIZE_CHANGED follows.
    void resize(Size size);
    void set_title(const std::string& title);
    void set_fullscreen(bool full);  // no effect without a window
    bool is_fullscreen() const { return screen_ && screen_->is_fullscreen(); }
    // True if choose_file() can show a file dialog; see Screen.
    bool can_choose_file() const { return screen_ && screen_->can_choose_file(); }
    void choose_file() { screen_->choose_file(); }

    // Paints the last finished frame, unless it is already painted. With a window, end_frame() calls
    // paint() for each frame. A headless run paints only the frames of which it takes a screenshot().
    // REQUIRES: begin_frame() has not been called since the last end_frame().
    void paint() const;
    // The last finished frame. Its pixels are the same with and without a window. REQUIRES: as for paint().
    Image screenshot() const;
    // The readable text of the last finished frame, for InputScriptHost::window_text(); see screen_text().
    // REQUIRES: as for paint().
    std::string visible_text() const;

    std::string clipboard() const;
    void set_clipboard(const std::string& text);

  private:
    // A change of the mouse or keyboard that ImGui has not received yet; see pass_inputs_to_imgui().
    struct Input {
        enum class Kind : std::uint8_t { move, button, wheel, key, modifiers, text } kind;
        int code = 0;  // number of the button or key in ImGui
        bool down = false;
        Modifiers modifiers{};
        float x = 0;
        float y = 0;
        std::string text;
    };

    Backend(const char* title, Size size);
    void make_context();
    void queue_input(Input input);
    void move_mouse_to(int x, int y);
    bool queue_button(const SDL_MouseButtonEvent& event);
    void queue_wheel(const SDL_MouseWheelEvent& event);
    void queue_key(const SDL_KeyboardEvent& event);
    void process_window_event(const SDL_WindowEvent& event);
    void release_all_keys_and_buttons();
    void pass_inputs_to_imgui();
    void pass_input_to_imgui(const Input& input);
    void rebuild_fonts(float scale);
    void fit_frame_to(Size window);
    void free_larger_frame_buffers();

    struct ContextDeleter {
        void operator()(ImGuiContext* context) const { ImGui::DestroyContext(context); }
    };

    SdlEventSubsystem sdl_events_;
    std::unique_ptr<Screen> screen_;  // null when headless
    std::unique_ptr<ImGuiContext, ContextDeleter> context_;
    Fonts fonts_{};
    float wanted_scale_ = 1;
    Size size_;
    int magnified_ = 1;         // window pixels per frame pixel, in each direction
    Size frame_size_;           // size of the last frame
    std::int64_t largest_ = 0;  // pixels of the largest frame since buffers were freed
    ImU32 background_ = 0;      // background colour of the last frame
    mutable bool is_painted_ = true;
    mutable std::vector<std::uint32_t> pixels_;  // the frame that was painted last
    double frame_time_ = 1.0 / 60;               // seconds per frame without a window
    std::deque<Input> inputs_;
    ImVec2 fed_mouse_{-FLT_MAX, -FLT_MAX};  // last mouse position that ImGui received
    Modifiers fed_modifiers_;
    std::array<int, SDL_NUM_SCANCODES> held_{};  // by scancode: the ImGui key that was pressed, or -1
    int buttons_down_ = 0;                       // bit N: button N of ImGui
    int frames_wanted_ = 3;
    int shown_cursor_ = -2;
    // Without a window: the clipboard. With a window: the text that ImGui read last from the clipboard.
    std::string clipboard_;
};

}  // namespace ui
