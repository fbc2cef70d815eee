// The guided tour of a scenario, stop by stop.
#pragma once

#include <cstddef>

#include "ui/control/bookmarks.h"
#include "ui/control/navigator.h"

namespace ui {

class TourPlayer {
  public:
    TourPlayer(AppState& state, ViewHistory& history, Comparison& comparison, Navigator& navigator,
               Bookmarks& bookmarks)
        : state_(state),
          history_(history),
          comparison_(comparison),
          navigator_(navigator),
          bookmarks_(bookmarks) {}

    // Goes to the stop with index n; the first stop has index 0. A stop defines everything that is shown, so
    // stops can be visited in any order. REQUIRES: the open scenario has this stop.
    void go_to_stop(std::size_t n);
    void go_to_adjacent_stop(int direction);
    // Once the position of the stop has been reached, records the state of the window in the view.
    void save_stop_state_on_arrival();
    void toggle_tour_panel();  // shows or hides the tour

  private:
    void prepare_runs(const sim::TourStop& stop);
    void show_depth_level(const sim::TourStop& stop);

    AppState& state_;
    ViewHistory& history_;
    Comparison& comparison_;
    Navigator& navigator_;
    Bookmarks& bookmarks_;
    bool is_depth_pending_ = false;  // show_depth_level() must be called once the stop's position is reached
};

}  // namespace ui
