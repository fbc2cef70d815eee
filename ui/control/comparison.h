// The second run, and its differences from the first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/replay/intervention.h"
#include "ui/control/app_state.h"

namespace ui {

class Comparison {
  public:
    explicit Comparison(AppState& state) : state_(state) {}

    void compare_with(const std::string& policy);  // the scenario under another policy
    void what_if(sim::Intervention intervention);  // run A with this intervention at the position
    void end() { state_.end_compare(); }
    // Ends the comparison, or starts one with linux-2.0. If linux-2.0 is the policy of A, compares with its
    // other yield variant.
    void toggle();

    // Moves B to A's time, after all events at that time. If B is not simulated that far, moves it to its
    // simulated end, and catch_up() continues from there. Both functions do nothing without B.
    void sync_second_run();
    void catch_up();
    // Synchronizes B and restarts the search for a difference. Call it when the position has changed.
    void moved();

    // The first decision after the position in which the runs choose different tasks. If none is found, shows
    // a message; another call at the same position searches further.
    std::optional<std::uint64_t> find_difference();
    // Moves run B to the position after this decision, which find_difference() returned.
    void stand_after(std::uint64_t decision);

  private:
    AppState& state_;
    bool is_late_ = false;         // B is not simulated up to A's position
    std::uint64_t look_from_ = 0;  // first decision not compared yet
};

}  // namespace ui
