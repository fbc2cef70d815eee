// Navigation in the run: seeking, stepping and changing the depth.
//
// If a target is not simulated yet, the session moves as close as possible, and complete_pending_move(),
// called between frames, completes the move.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/seek_target.h"
#include "ui/control/comparison.h"
#include "ui/control/predictor.h"
#include "ui/control/view_history.h"

namespace ui {

// A position in the run: at `time`, after `events` events. Several positions may have the same time; if
// `events` is 0, it is the first of them.
struct RunPosition {
    sim::Nanos time{};
    std::uint64_t events = 0;
};

class Navigator {
  public:
    Navigator(AppState& state, ViewHistory& history, PredictionQuiz& prediction_quiz, Comparison& comparison)
        : state_(state), history_(history), prediction_quiz_(prediction_quiz), comparison_(comparison) {}

    // --- seeking ---

    // Simulates for a short time. In the simulated part, goes to the first recalculation of the counters, or
    // to the second switch if there is no recalculation.
    void go_to_first_point_of_interest();
    void seek(sim::Nanos t);  // goes to time t, or to the simulated end if t is later
    // Goes to the position after all events at time t, so that the decisions at this time are shown.
    void seek_after_events_at(sim::Nanos t);
    // Goes to the position right after the n-th event of this kind; simulates further if necessary. Does
    // nothing if the run has no such event.
    void seek(sim::StepEventKind kind, std::uint64_t n);
    // Goes to a position such as "12.5ms", "switch 37" or "decision 37". If `text` is invalid, shows the
    // reason. Returns true if the move is done or pending.
    bool go_to(const std::string& text);
    bool go_to(const sim::SeekTarget& place);
    // Goes to the position after `place.events` events. If this position is not at `place.time`, because the
    // run is different, goes to `place.time`.
    void go_to(const RunPosition& place);
    // As go_to(), but first simulates up to the position, for at most `wait` of wall time.
    void simulate_and_go_to(const RunPosition& place, std::chrono::milliseconds wait);
    void seek_beginning();
    void seek_end();
    // Goes to the next decision in which the runs choose different tasks.
    void go_to_next_difference();
    // Goes to the next (1) or previous (-1) context switch of run A that differs from the trace of the real
    // machine.
    void go_to_next_trace_mismatch(int direction);

    // The time or position of a pending move's target; if no move is pending, the current one. REQUIRES: a
    // scenario is open.
    sim::Nanos target_time() const { return position().time; }
    RunPosition position() const;
    bool is_seeking() const { return pending_position_.has_value(); }
    // Completes a pending move if its target has been simulated by now. Called between frames.
    void complete_pending_move();

    // --- stepping ---

    void step(sim::StepEventKind kind, int direction);  // `direction`: 1: forward, -1: back
    // Moves by one event, context switch or step of schedule(), depending on view.level.
    void step_at_depth_level(int direction);
    void enter_depth_level();
    // Goes from the current depth level to the next outer one. At the outermost level, shows all panes again;
    // if they are already shown, clears the selected time range.
    void leave_depth_level();
    // Moves to the position of the last schedule() and shows step `step` of this decision. REQUIRES: a run is
    // open.
    void show_decision_step(std::size_t step);

  private:
    void set_position(const RunPosition& place);
    void update_after_move();
    bool go_to_nth_event(const sim::SeekTarget& place);
    // Cancels a pending move and removes its message.
    void cancel_pending_move();
    // Shows a message that the window is simulating up to `target`, until the move is completed or
    // cancelled.
    void show_pending_message(const std::string& target);

    AppState& state_;
    ViewHistory& history_;
    PredictionQuiz& prediction_quiz_;
    Comparison& comparison_;
    // The target of a pending move, which waits for the simulation; at most one of the three is set.
    std::optional<RunPosition> pending_position_;
    std::optional<sim::StepEventKind> pending_step_;  // the next event of this kind
    std::optional<sim::SeekTarget> pending_event_;    // the n-th event of a kind
    // Result of the last go_to_next_trace_mismatch(): Run::id(), index into RunTraceComparison::mismatches(),
    // position.
    struct {
        std::uint64_t run = 0;
        std::size_t place = 0;
        RunPosition at;
    } at_mismatch_;
    std::string pending_message_;         // shown by show_pending_message(); empty: none
    int pending_mismatch_direction_ = 0;  // direction of a pending go_to_next_trace_mismatch(); 0: none
};

}  // namespace ui
