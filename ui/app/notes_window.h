// A second window for the lecturer: caption and notes of the tour's stop, the next stop, and the time. The
// audience sees the first window.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "ui/platform/backend.h"
#include "ui/platform/theme.h"

namespace ui {

class App;

// The texts of the notes window.
struct NotesPage {
    std::string clock;    // "14:05   12:30 since the notes were opened"
    std::string heading;  // heading of the stop: "2/5 The two-line patch"
    std::string caption, notes;
    std::string next;  // the next stop: "Next: 3/5 Half is kept" and its caption
    std::string position;

    bool operator==(const NotesPage&) const = default;
    std::string text() const;
};

// `time_of_day`: local time, such as "14:05". `time_since_opened`: time since the notes window was opened.
NotesPage notes_page(const App& app, const std::string& time_of_day, std::chrono::seconds time_since_opened);

// The local time: "14:05".
std::string local_time_of_day();

class NotesWindow {
  public:
    // `main`: the main window; if it is headless, the notes window is headless, too. Throws
    // std::runtime_error with SDL's message if no window can be opened.
    explicit NotesWindow(const Backend& main);

    // Handles an event of this window. Returns true if the main window must not handle the event. Key events
    // are always left to the main window.
    bool handle_event(const SDL_Event& event);
    bool wants_close() const { return wants_close_; }
    // Draws the page if it, the theme or the window's size has changed.
    void draw(const NotesPage& page, const Theme& theme);
    std::chrono::seconds time_since_opened() const;
    const Backend& backend() const { return backend_; }

  private:
    bool pass_event_to_imgui(
        const SDL_Event& event);  // passes the event to ImGui, for scrolling; returns true

    Backend backend_;
    std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
    NotesPage drawn_;
    const Theme* theme_ = nullptr;
    Size size_;
    bool wants_close_ = false;
};

}  // namespace ui
