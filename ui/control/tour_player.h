// The guided tour of a scenario, stop by stop.
#pragma once

#include <cstddef>

#include "ui/control/bookmarks.h"
#include "ui/control/navigator.h"

namespace ui {

class TourPlayer {
  public:
    TourPlayer(Desk& desk, ViewHistory& history, Comparison& comparison, Navigator& navigator,
               Bookmarks& bookmarks)
        : desk_(desk),
          history_(history),
          comparison_(comparison),
          navigator_(navigator),
          bookmarks_(bookmarks) {}

    // To stop n, from 0. A stop says all of what is shown, so that stops can be gone to in any order.
    // REQUIRES: a scenario is open, and has it.
    void go_to_stop(std::size_t n);
    void next_stop(int direction);
    void toggle();  // shows it, or puts it away

  private:
    void prepare_runs(const sim::TourStop& stop);

    Desk& desk_;
    ViewHistory& history_;
    Comparison& comparison_;
    Navigator& navigator_;
    Bookmarks& bookmarks_;
};

}  // namespace ui
