// Bookmarks at positions in the run.
#pragma once

#include <cstddef>
#include <string>

#include "ui/control/navigator.h"

namespace ui {

class Bookmarks {
  public:
    Bookmarks(AppState& state, ViewHistory& history, Navigator& navigator)
        : state_(state), history_(history), navigator_(navigator) {}

    void toggle();  // adds a bookmark at the position, or removes it
    static constexpr std::size_t kMost = 500;
    // Adds a bookmark at the position. If there are already kMost bookmarks, shows a message instead.
    // REQUIRES: a scenario is open.
    void add(const std::string& note);
    void go_to_next(int direction);         // +1: goes to the next bookmark in time, -1: to the previous one
    bool has_bookmark_at_position() const;  // true if a bookmark has the position's time

    // Copies the bookmarks to the clipboard, as JSON for the "tour" of a scenario file, with empty captions.
    void copy_as_tour();

  private:
    bool report_if_empty();

    AppState& state_;
    ViewHistory& history_;
    Navigator& navigator_;
};

}  // namespace ui
