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

// A place in a run: behind so many of its events. At an instant there may be several places; 0 for the first.
struct Standing {
    sim::Nanos time{};
    std::uint64_t events = 0;
};

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
    // To this place. Where its instant and its events do not agree, because the run is another one, to the
    // instant.
    void go_to(const Standing& place);
    // The same for a place that may not be simulated yet, waiting no longer than this.
    void arrive(const Standing& place, std::chrono::milliseconds wait);
    void seek_beginning();
    void seek_end();
    // To the next decision in which the two runs choose another task.
    void next_difference();
    // To the next switch of A that is not the recorded one, or to the one before.
    void next_parting(int direction);

    // Where one is, or is on the way to. REQUIRES: a scenario is open.
    sim::Nanos heading() const { return standing().time; }
    Standing standing() const;
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
    void stand(const Standing& place);
    void moved();
    bool go_to_nth(const sim::Place& place);
    void forget_wanted();

    Desk& desk_;
    ViewHistory& history_;
    Predictor& predictor_;
    Comparison& comparison_;
    std::optional<Standing> wanted_;            // where to go as soon as it is simulated
    std::optional<sim::StepKind> wanted_step_;  // likewise, a step
    std::optional<sim::Place> wanted_place_;    // likewise, the n-th of a kind
    // Where next_parting() went: of which run (Run::id()), to which of BesideRecorded::places().
    struct {
        std::uint64_t run = 0;
        std::size_t place = 0;
        Standing at;
    } at_parting_;
    int wanted_parting_ = 0;  // likewise, next_parting() with that direction; 0: none
};

}  // namespace ui
