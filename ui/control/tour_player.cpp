#include "ui/control/tour_player.h"

#include <fmt/format.h>

#include "ui/view/presentation.h"
#include "ui/view/tabs.h"

namespace ui {
namespace {

DepthLevel level_of(sim::TourStop::Depth depth) {
    switch (depth) {
        case sim::TourStop::Depth::inside:
            return DepthLevel::inside;
        case sim::TourStop::Depth::context_switch:
            return DepthLevel::context_switch;
        case sim::TourStop::Depth::time:
            break;
    }
    return DepthLevel::time;
}

}  // namespace

// Builds the runs that the stop shows. Keeps run A if it has the stop's policy and no interventions.
void TourPlayer::prepare_runs(const sim::TourStop& stop) {
    const sim::Scenario& scenario = state_.scenario();
    const sim::RunHistory& history = state_.a().history();
    const std::string policy = stop.policy.empty() ? scenario.policy : stop.policy;
    if (history.policy().spec() != sim::make_policy(policy, scenario.cpus).spec() ||
        !history.interventions().empty())
        state_.replace_run_a(policy);
    if (stop.compare.empty())
        comparison_.end();
    else
        comparison_.compare_with(stop.compare);
}

void TourPlayer::go_to_stop(std::size_t n) {
    const sim::TourStop& stop = state_.scenario().tour[n];
    try {
        prepare_runs(stop);
    } catch (const sim::PolicyError& problem) {
        state_.show_error(problem);
        return;
    }
    ViewState& view = state_.view;
    const TimeRange before = view.shown;
    state_.model.message.clear();
    view.stop = n;
    view.stop_state.reset();
    view.prediction.reset();
    if (const TabInfo* tab = tab_named(stop.pane))
        show_tab(view, tab->tab);
    else
        view.narrow_tab = "decision";
    if (!navigator_.go_to(stop.at)) return;
    is_depth_pending_ = navigator_.is_seeking();
    if (!is_depth_pending_) show_depth_level(stop);
    view.subject = stop.subject;
    view.presented = stop.subject.empty() ? "" : pane_of_tour_subject(stop.subject);
    view.level = level_of(stop.depth);
    const sim::Nanos now = state_.a().now();
    if (stop.span > sim::Nanos{}) history_.show({now - stop.span / 2, now + stop.span / 2});
    history_.animate_range_from(before);
    if (!bookmarks_.has_bookmark_at_position() && !navigator_.is_seeking())
        bookmarks_.add(stop.title.empty() ? fmt::format("stop {}", n + 1) : stop.title);
}

// Shows the step of schedule() that the stop specifies. REQUIRES: the run is at the position of the stop.
void TourPlayer::show_depth_level(const sim::TourStop& stop) {
    is_depth_pending_ = false;
    if (stop.depth == sim::TourStop::Depth::inside) navigator_.show_decision_step(stop.decision_step - 1);
}

void TourPlayer::save_stop_state_on_arrival() {
    ViewState& view = state_.view;
    if (!view.stop || view.stop_state || !state_.is_open() || navigator_.is_seeking()) return;
    if (is_depth_pending_) show_depth_level(state_.scenario().tour[*view.stop]);
    view.stop_state = tour_stop_state_of(state_.model);
}

void TourPlayer::go_to_adjacent_stop(int direction) {
    if (!state_.is_open()) return;
    const std::size_t stops = state_.scenario().tour.size();
    if (stops == 0) {
        state_.say("This scenario has no tour.");
        return;
    }
    ViewState& view = state_.view;
    view.show_tour = true;
    if (!view.stop)
        go_to_stop(0);
    else if (direction > 0 && *view.stop + 1 < stops)
        go_to_stop(*view.stop + 1);
    else if (direction < 0 && *view.stop > 0)
        go_to_stop(*view.stop - 1);
    else
        return state_.say(direction > 0 ? "This is the last stop of the tour."
                                        : "This is the first stop of the tour.");
    // A stop that names no pane shows the timeline or the decision, which the laboratory layout does not
    // contain.
    if (view.stop && view.layout == WindowLayout::laboratory &&
        state_.scenario().tour[*view.stop].pane.empty())
        view.layout = WindowLayout::lecture;
}

void TourPlayer::toggle_tour_panel() {
    state_.view.show_tour = !state_.view.show_tour;
    if (state_.is_open() && state_.scenario().tour.empty()) state_.say("This scenario has no tour.");
}

}  // namespace ui
