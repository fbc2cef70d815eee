// The visible time range and its history.
#pragma once

#include <vector>

#include "ui/control/app_state.h"

namespace ui {

class ViewHistory {
  public:
    explicit ViewHistory(AppState& state) : state_(state) {}

    // Shows the range, clamped to the run, and records the change for back(). A series of small changes
    // counts as one.
    void show(TimeRange range);
    // A factor above 1 zooms in. The anchor keeps its position on the screen.
    void zoom(double factor, sim::Nanos anchor);
    void pan(double widths);
    void fit();
    void fit_selection();
    void show_position();  // shows around_position()
    // A few switches around the position. REQUIRES: a scenario is open.
    TimeRange around_position() const;
    // Fixed point of zooming: the position if visible, otherwise the middle.
    sim::Nanos focus() const;

    // Animates the drawn range from `range` to the visible one; `dt`: seconds.
    void glide_from(TimeRange range);
    void glide(double dt);

    void back();
    void forward();
    // Clears the back history.
    void forget_back() { back_.clear(); }

    // Turns the page if the position has left the view. The page depends only on the position and on the
    // user's last range, so stepping back shows the same pages. REQUIRES: a scenario is open.
    void keep_in_view();

  private:
    TimeRange within_run(TimeRange range) const;

    AppState& state_;
    std::vector<TimeRange> back_, forward_;
    TimeRange home_;  // the user's last choice; see keep_in_view()
};

}  // namespace ui
