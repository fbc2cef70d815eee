// Places in the run that somebody wants to come back to.
#pragma once

#include <cstddef>
#include <string>

#include "ui/control/navigator.h"

namespace ui {

class Bookmarks {
  public:
    Bookmarks(Desk& desk, ViewHistory& history, Navigator& navigator)
        : desk_(desk), history_(history), navigator_(navigator) {}

    void toggle();  // puts one at the position, or takes it away
    static constexpr std::size_t kMost = 500;
    // Puts one at the position, or says that there are kMost. REQUIRES: a scenario is open.
    void add(const std::string& note);
    void next(int direction);  // +1 or -1 in time
    bool is_here() const;      // one is at the position

    // They as the "tour" of a scenario's file, to the clipboard; the captions are left to be written.
    void copy_as_tour();

  private:
    bool say_if_there_are_none();

    Desk& desk_;
    ViewHistory& history_;
    Navigator& navigator_;
};

}  // namespace ui
