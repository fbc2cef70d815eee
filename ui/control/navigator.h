// Where in the run one is: going to a place, stepping, and going deeper.
//
// The place asked for may not be simulated yet. Then the position is as far as one can get, and catch_up(),
// called between frames, goes on as soon as there is more.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/place.h"
#include "ui/control/comparison.h"
#include "ui/control/predictor.h"
#include "ui/control/view_history.h"

namespace ui {

class Navigator {
  public:
    Navigator(Desk& desk, ViewHistory& history, Predictor& predictor, Comparison& comparison)
        : desk_(desk), history_(history), predictor_(predictor), comparison_(comparison) {}

    // --- going to a place ---

    // To the first decision that there is something to see in: one that refilled all counters, or a switch.
    void go_to_start();
    void seek(sim::Nanos t);  // as far as it is simulated
    void seek(sim::StepKind kind, std::uint64_t n);
    // "12.5ms", "switch 37", "decision 37"; says what is wrong with anything else. Returns whether it went.
    bool go_to(const std::string& text);
    bool go_to(const sim::Place& place);
    // To this instant, behind so many events of the run: at an instant there may be several places. Where the
    // two do not agree, because the run is another one, to the instant.
    void go_to_event(sim::Nanos t, std::uint64_t events);
    // To an instant that may not be simulated yet, waiting no longer than this.
    void arrive(sim::Nanos t, std::chrono::milliseconds wait);
    void seek_beginning();
    void seek_end();
    // To the next decision in which the two runs choose another task.
    void next_difference();

    // Where one is, or is on the way to. REQUIRES: a scenario is open.
    sim::Nanos heading() const { return wanted_.value_or(desk_.a().now()); }
    bool is_on_the_way() const { return wanted_.has_value(); }
    // What waited for the simulation, if it has come that far.
    void catch_up();

    // --- stepping ---

    void step(sim::StepKind kind, int direction);  // +1 or -1
    void step_here(int direction);                 // at the depth where one is: event, switch or line
    void go_in();
    // A level out; of all panes instead of one, when there is none; and then nothing is selected.
    void go_out();

  private:
    void moved();

    Desk& desk_;
    ViewHistory& history_;
    Predictor& predictor_;
    Comparison& comparison_;
    std::optional<sim::Nanos> wanted_;          // where to go as soon as it is simulated
    std::optional<sim::StepKind> wanted_step_;  // likewise, a step
};

}  // namespace ui
