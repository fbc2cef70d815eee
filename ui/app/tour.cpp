#include "ui/app/tour.h"

#include <fmt/format.h>

#include "ui/app/app.h"
#include "ui/view/decision_cursor.h"

namespace ui {
namespace {

const std::vector<sim::TourStop>* shown_tour(const App& app) {
    if (app.model().a == nullptr || !app.view().show_tour) return nullptr;
    const std::vector<sim::TourStop>& tour = app.model().a->scenario().tour;
    return tour.empty() ? nullptr : &tour;
}

// The heading, such as "2/5 The two-line patch"; before the first stop, how to start the tour.
std::string heading(const App& app, const std::vector<sim::TourStop>& tour) {
    if (!app.view().stop)
        return fmt::format("A tour of {} stops: {} starts it", tour.size(), app.key_of("tour.next"));
    const std::size_t n = *app.view().stop;
    return fmt::format("{}/{}{}{}", n + 1, tour.size(), tour[n].title.empty() ? "" : "  ", tour[n].title);
}

// The caption of the stop. It would reveal the outcome that the user is asked to predict, so it is hidden
// until the user has answered.
std::string caption(const App& app, const std::vector<sim::TourStop>& tour) {
    if (!app.view().stop) return {};
    return is_outcome_hidden(app.view()) ? "The caption of this stop appears after your answer."
                                         : tour[*app.view().stop].caption;
}

}  // namespace

std::string tour_heading(const App& app) {
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    return tour == nullptr ? std::string{} : heading(app, *tour);
}

std::string tour_caption(const App& app) {
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    return tour == nullptr ? std::string{} : caption(app, *tour);
}

std::string tour_text(const App& app) {
    const std::vector<sim::TourStop>* tour = shown_tour(app);
    if (tour == nullptr) return {};
    const std::string words = caption(app, *tour);
    return fmt::format("\n== Tour\n{}\n{}", heading(app, *tour), words.empty() ? "" : words + "\n");
}

}  // namespace ui
