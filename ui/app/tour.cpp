#include "ui/app/tour.h"

#include <fmt/format.h>

#include "ui/app/app.h"
#include "ui/view/decision_cursor.h"
#include "ui/view/format.h"

namespace ui {
namespace {

// True from the first recorded stop until the tour is saved.
bool is_recording_tour(const App& app) {
    return app.model().a != nullptr && app.control().tour_recorder().has_unsaved_stops();
}

const std::vector<sim::TourStop>* shown_tour(const App& app) {
    if (app.model().a == nullptr || !app.view().show_tour || is_recording_tour(app)) return nullptr;
    const std::vector<sim::TourStop>& tour = app.model().a->scenario().tour;
    return tour.empty() ? nullptr : &tour;
}

// The heading of the current stop, such as "2/5 The two-line patch". Before the first stop, the heading
// states how to start the tour.
std::string heading(const App& app, const std::vector<sim::TourStop>& tour) {
    if (!app.view().stop)
        return fmt::format("This scenario has a tour of {}: {} starts the tour",
                           pluralize(tour.size(), "stop", "s"), app.key_of_command("tour.next"));
    return stop_heading(tour, *app.view().stop);
}

// A warning that the caption was written for another state than the window now shows, such as "This caption
// is for 13.42 µs under linux-2.0: "; empty if the state is the same.
std::string caption_state_warning(const App& app) {
    const std::optional<ViewState::TourStopState>& then = app.view().stop_state;
    if (!then) return {};
    const ViewState::TourStopState now = tour_stop_state_of(app.model());
    // A caption that was written for one run stays correct if the window now also shows a second run.
    if (now.time == then->time && now.policy == then->policy && now.sets == then->sets &&
        now.interventions == then->interventions &&
        (then->compared.empty() || now.compared == then->compared))
        return {};
    const std::string pair = then->compared.empty() ? "" : " and " + then->compared;
    const char* const values = now.sets != then->sets ? ", with other values" : "";
    return fmt::format("This caption is for {} under {}{}{}: ", instant_text(then->time), then->policy, pair,
                       values);
}

// The caption of the stop. While the user is asked to predict an outcome, the caption is hidden, because it
// would reveal the outcome.
std::string stop_caption(const App& app, const std::vector<sim::TourStop>& tour) {
    if (!app.view().stop) return {};
    if (is_outcome_hidden(app.view())) return "The caption of this stop appears after your answer.";
    return caption_state_warning(app) + tour[*app.view().stop].caption;
}

}  // namespace

std::string stop_heading(const std::vector<sim::TourStop>& tour, std::size_t stop_index) {
    return fmt::format("{}/{}{}{}", stop_index + 1, tour.size(), tour[stop_index].title.empty() ? "" : "  ",
                       tour[stop_index].title);
}

std::string tour_heading(const App& app) {
    if (is_recording_tour(app))
        return fmt::format("Recording a tour. Stops so far: {}. {} adds a stop, {} saves the tour",
                           app.control().tour_recorder().stops().size(), app.key_of_command("tour.record"),
                           app.key_of_command("save"));
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    return tour == nullptr ? std::string{} : heading(app, *tour);
}

std::string tour_caption(const App& app) {
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    return tour == nullptr ? std::string{} : stop_caption(app, *tour);
}

std::string tour_text(const App& app) {
    if (is_recording_tour(app)) return "\n== Tour\n" + tour_heading(app) + "\n";
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    if (tour == nullptr) return {};
    const std::string words = stop_caption(app, *tour);
    return fmt::format("\n== Tour\n{}\n{}", heading(app, *tour), words.empty() ? "" : words + "\n");
}

}  // namespace ui
