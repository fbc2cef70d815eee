// The texts of the scenario's guided tour. The band at the bottom of the window draws them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/core/scenario.h"

namespace ui {

class App;

// The heading and caption of the tour, under the title "== Tour"; empty if no tour is shown. This text is a
// section of App::text().
std::string tour_text(const App& app);

// The number and title of a stop, such as "2/5  The two-line patch" for stop_index = 1. REQUIRES: stop_index
// < tour.size().
std::string stop_heading(const std::vector<sim::TourStop>& tour, std::size_t stop_index);
// The heading, such as "2/5 The two-line patch"; empty without a tour or if the tour is hidden.
std::string tour_heading(const App& app);
// The caption of the current stop; empty before the first stop.
std::string tour_caption(const App& app);

}  // namespace ui
