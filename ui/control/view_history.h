// Which stretch of time is shown: zooming, moving, fitting, and the way back to what was shown before.
#pragma once

#include <vector>

#include "ui/control/desk.h"

namespace ui {

class ViewHistory {
  public:
    explicit ViewHistory(Desk& desk) : desk_(desk) {}

    // Kept within the run, and remembered for back(); many small changes in a row are one.
    void show(TimeRange range);
    void zoom(double factor, sim::Nanos anchor);  // above 1: closer; the anchor keeps its place
    void pan(double widths);
    void fit();
    void fit_selection();
    void show_position();  // around_position()
    // Some switches before the position and some after it. REQUIRES: a scenario is open.
    TimeRange around_position() const;
    // What zooming holds in its place: the position, or the middle.
    sim::Nanos focus() const;

    // What is drawn comes from here to what is shown now, in the seconds that glide() is given.
    void glide_from(TimeRange range);
    void glide(double dt);

    void back();
    void forward();
    // There is no way back from here.
    void forget_back() { back_.clear(); }

    // Pages on when the position has left what is shown. Which page it is depends on nothing but the position
    // and the stretch of time that the person chose last: who steps back sees the same pages again. REQUIRES:
    // a scenario is open.
    void keep_in_view();

  private:
    TimeRange within_run(TimeRange range) const;

    Desk& desk_;
    std::vector<TimeRange> back_, forward_;
    TimeRange home_;  // shown last by choice; see keep_in_view()
};

}  // namespace ui
