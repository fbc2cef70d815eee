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

    void compare_with(const std::string& policy);  // makes run B: the scenario under another policy
    void compare_with_intervention(
        sim::Intervention intervention);  // makes run B: run A with this intervention at the position
    void end() { state_.end_compare(); }
    // Ends the comparison if there is one. Otherwise compares with linux-2.0. If run A already has this
    // policy, compares with its other variant of sched_yield(): `yield=one_tick`, or the default if A has
    // `yield=one_tick`.
    void toggle();

    // sync_run_b() moves B to A's time, after all events at that time. If B is not simulated that far,
    // B moves to its simulated end, and continue_sync() continues from there. Without B, both functions do
    // nothing.
    void sync_run_b();
    void continue_sync();
    // Synchronizes B and restarts the search for a difference. Call it when the position has changed.
    void sync_to_position();

    // Finds the first decision after the position in which the runs choose different tasks. If none is
    // found in the available time, shows a message; another call at the same position continues the search.
    std::optional<std::uint64_t> find_difference();
    // Moves run B to the position right after `decision`, which find_difference() has returned.
    void move_b_after(std::uint64_t decision);

  private:
    AppState& state_;
    bool is_late_ = false;         // B is not simulated up to A's position
    std::uint64_t look_from_ = 0;  // first decision not compared yet
};

}  // namespace ui
