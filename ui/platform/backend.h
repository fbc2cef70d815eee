// The window as a whole, or the lack of one: its events, its pixels and the clipboard. What a person sees it
// on is a Screen (ui/platform/screen.h), of which there is one for desktops and one for browsers.
//
// SDL's events are fed to Dear ImGui here rather than by its own imgui_impl_sdl, which asks SDL where the
// mouse is: here the events alone say what happened, so that pushed events (ui/platform/script.h) are as good
// as real ones and a run without a display repeats to the byte.
//
// Frames are painted in memory by ui/platform/painter.h, with and without a window: always the same pixels,
// and sooner than by SDL's software renderer. A graphics card only shows them. (That such a card could draw
// them too is not worth a second way of drawing, and what calls itself a card is often none:
// docs/benchmarks.md.)
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

// Of a frame: more than the largest screens have.
inline constexpr int kMostPixels = 1 << 25, kLongestSide = 16'384;

inline constexpr float kSmallestScale = 0.75f;
inline constexpr float kLargestScale = 3.0f;
inline constexpr float kLargestFontScale = 6.0f;  // of a presenter's view on a wall of 4,096 rows

// One exists at a time. It owns the ImGui context, which is current from its making to its end.
class Backend {
  public:
    // A resizable window on the screen, no larger than what the desktop leaves of it. Throws
    // std::runtime_error with SDL's words.
    static Backend window(const std::string& title, Size size);
    // No window and no display: frames go to memory, every frame lasts 1/60 s (set_frame_time()), the
    // clipboard is our own and the keyboard is a US one.
    static Backend headless(Size size);

    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    ~Backend();

    bool is_headless() const { return screen_ == nullptr; }

    // The next event that is waiting, if any. The caller looks at it and hands it to process(); and frees the
    // name in SDL_DROPFILE by SDL_free(). For modifiers at a mouse event use ImGui's io.KeyCtrl and so on:
    // SDL_GetModState() knows nothing of pushed events.
    bool poll(SDL_Event& event);
    // The same, but waits up to this long for one; without a window it does not wait.
    bool wait(SDL_Event& event, int milliseconds);

    // Feeds one event to ImGui. Returns whether ImGui takes such input for itself now: the mouse over one of
    // its windows, the keyboard into a text box.
    bool process(const SDL_Event& event);

    // Between these two the caller makes the frame. `dt_seconds` is the time since the last one; without a
    // window it is set_frame_time(), whatever the caller says.
    void begin_frame(double dt_seconds);
    void end_frame(ImU32 clear);
    // How long every frame lasts without a window, in seconds, from the next one on.
    void set_frame_time(double seconds) { frame_time_ = seconds; }

    // Whether input has come that ImGui has not shown all effects of: a program that only makes frames when
    // something happens makes one while this is true.
    bool wants_frame() const;

    // A menu or a drop-down box of ImGui's is open; closes them all.
    bool has_popup() const;
    void close_popups();

    // The size of text and of all else, 1 being 15 pixels for the text: from the next begin_frame() on, with
    // new fonts. Clamped to kSmallestScale..kLargestFontScale.
    void set_scale(float scale);
    float scale() const { return fonts_.scale; }
    const Fonts& fonts() const { return fonts_; }

    // Of a frame: that of the window, unless it has more pixels than a frame may have. Then each pixel of the
    // frame is so many of the window's in both directions that it has not, and places of the mouse are those
    // in the frame.
    Size size() const { return size_; }
    // How large text is to be for a person who has set nothing; 1 without a window.
    float density() const { return screen_ ? screen_->density() : 1; }
    // The window: at once where there is none, otherwise when the window system agrees;
    // SDL_WINDOWEVENT_SIZE_CHANGED follows either way.
    void resize(Size size);
    void set_title(const std::string& title);
    void set_fullscreen(bool full);  // nothing without a window
    bool is_fullscreen() const { return screen_ && screen_->is_fullscreen(); }
    // See Screen.
    bool offers_files() const { return screen_ && screen_->offers_files(); }
    void choose_file() { screen_->choose_file(); }

    // Paints the frame that end_frame() finished last, unless that has been done: end_frame() does it where
    // there is a window, and screenshot() everywhere, so that a run without a display paints what somebody
    // looks at. REQUIRES: no begin_frame() since that end_frame().
    void paint() const;
    // That frame. The same pixels with and without a window.
    // REQUIRES: no begin_frame() since that end_frame().
    Image screenshot() const;
    // What can be read in that frame; see screen_text(). For ScriptHost::text().
    // REQUIRES: the same.
    std::string text() const;

    std::string clipboard() const;
    void set_clipboard(const std::string& text);

  private:
    // A change of the mouse or keyboard that ImGui has not seen yet; see begin_frame().
    struct Input {
        enum class Kind : std::uint8_t { move, button, wheel, key, modifiers, text } kind;
        int code = 0;  // of the button or key
        bool down = false;
        Modifiers modifiers{};
        float x = 0;
        float y = 0;
        std::string text;
    };

    Backend(const char* title, Size size);
    void make_context();
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
    int magnified_ = 1;         // a pixel of the frame is so many of the window's, each way
    Size frame_size_;           // of the last frame
    std::int64_t largest_ = 0;  // pixels of a frame, since memory was given back
    ImU32 clear_ = 0;           // what is behind it
    mutable bool is_painted_ = true;
    mutable std::vector<std::uint32_t> pixels_;  // that frame, or the one that was painted last
    double frame_time_ = 1.0 / 60;               // without a window
    std::deque<Input> inputs_;
    ImVec2 fed_mouse_{-FLT_MAX, -FLT_MAX};  // the latest that ImGui has, or gets in this frame
    Modifiers fed_modifiers_;
    std::array<int, SDL_NUM_SCANCODES> held_{};  // the ImGui key that each physical key went down as, or -1
    int buttons_down_ = 0;                       // bits
    int frames_wanted_ = 3;
    int shown_cursor_ = -2;
    std::string clipboard_;  // ours, or for ImGui a copy of the screen's
};

}  // namespace ui
