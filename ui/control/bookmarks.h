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

    void toggle();  // adds one at the position, or removes it
    static constexpr std::size_t kMost = 500;
    // Adds one at the position, unless there are kMost. REQUIRES: a scenario is open.
    void add(const std::string& note);
    void next(int direction);  // +1: the next in time, -1: the previous
    bool is_here() const;      // a bookmark is at the time of the position

    // Copies them as the "tour" of a scenario file, with empty captions.
    void copy_as_tour();

  private:
    bool say_if_there_are_none();

    AppState& state_;
    ViewHistory& history_;
    Navigator& navigator_;
};

}  // namespace ui
