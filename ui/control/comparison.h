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
    // Ends the comparison, or starts one with linux-2.0; if that is the policy of A, with its other yield
    // variant.
    void toggle();

    // Moves B to where all events at A's time have happened, or to its simulated end, from where catch_up()
    // continues. Both do nothing without B.
    void sync_second_run();
    void catch_up();
    // Synchronizes B and restarts the search for a difference. Call it when the position has changed.
    void moved();

    // The first decision after the position in which the runs choose different tasks. If none is found, shows
    // a message; another call at the same position searches further.
    std::optional<std::uint64_t> find_difference();
    // Moves B right after this result of find_difference().
    void stand_after(std::uint64_t decision);

  private:
    AppState& state_;
    bool is_late_ = false;         // B is not simulated up to A's position
    std::uint64_t look_from_ = 0;  // first decision not compared yet
};

}  // namespace ui
