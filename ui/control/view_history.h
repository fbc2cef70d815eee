// The visible time range and its history.
#pragma once

#include <vector>

#include "ui/control/app_state.h"

namespace ui {

class ViewHistory {
  public:
    explicit ViewHistory(AppState& state) : state_(state) {}

    // Shows the range, limited to the run, and records the change for back(). Successive small changes
    // count as one change.
    void show(TimeRange range);
    // Zooms; a factor above 1 zooms in. The position of time `anchor` on the screen does not change.
    void zoom(double factor, sim::Nanos anchor);
    // Moves the visible range by `range_lengths` times its length; a positive number moves it to later times.
    void pan(double range_lengths);
    // Shows the whole run.
    void show_whole_run();
    // Shows the selected range or, without a selection, the range between the measuring cursors.
    void fit_selection();
    void show_range_around_position();  // shows range_around_position()
    // The range that shows a few switches around the position. REQUIRES: a scenario is open.
    TimeRange range_around_position() const;
    // The fixed point for zooming: the position if it is visible, otherwise the middle of the visible
    // range.
    sim::Nanos zoom_anchor() const;

    // animate_range_from() starts an animation: the drawn range moves from `range` to the visible range.
    // advance_range_animation() advances the animation by `dt` seconds.
    void animate_range_from(TimeRange range);
    void advance_range_animation(double dt);

    void back();
    void forward();
    // Clears the ranges to which back() returns.
    void clear_back_ranges() { back_.clear(); }

    // If the position is no longer visible, moves the visible range by whole pages; a page is 85 % of the
    // range. The new range depends only on the position and on the last visible range that another function
    // set (home_), so stepping back shows the same pages. REQUIRES: a scenario is open.
    void keep_position_visible();

  private:
    TimeRange clamped_to_run(TimeRange range) const;

    AppState& state_;
    std::vector<TimeRange> back_, forward_;
    TimeRange home_;  // last visible range that was not set by keep_position_visible()
};

}  // namespace ui
