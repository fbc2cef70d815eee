// Playback of a run. Outside schedule(), simulated time advances at a rate, or by N switches per second.
// Inside schedule(), playback shows line after line, leaves schedule(), advances to the next schedule() and
// enters it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ui/control/navigator.h"

namespace ui {

class Player {
  public:
    Player(AppState& state, ViewHistory& history, Navigator& navigator)
        : state_(state), history_(history), navigator_(navigator) {}

    void set_playing(bool playing);
    void change_speed_by_steps(int by);
    // Advances playback by dt seconds of wall time and animates the visible range.
    void advance_playback(double dt);

  private:
    enum class PlaybackPhase : std::uint8_t {
        time,   // advances at the selected speed
        walk,   // shows the lines of a schedule() one after another
        still,  // waits at the last line of the schedule()
        run,    // advances from the schedule() just shown to the next one
    };

    // A range of simulated time that is played in a fixed wall time.
    struct PlaybackSegment {
        sim::Nanos from{}, to{};
        std::uint64_t n = 0;  // number of the switch or decision at the end of the segment
        double seconds = 0;   // wall time since the segment began; below 0: no segment
        // The simulated time to which playback last moved the run. If the run is at another time now, the
        // user has moved the position.
        sim::Nanos at{};
        std::uint64_t run = 0;
    };

    void play_at_speed(double dt);
    void play_at_switch_rate(double dt, double switches_per_second);
    void play_decisions(double dt);
    void update_skipped_switches(double dt);
    void play_inside_schedule(double dt);
    void play_schedule_lines();
    bool begin_segment_to_next(sim::StepEventKind kind);
    bool play_segment_to_next(sim::StepEventKind kind, double dt, double seconds);
    double inside_schedule_speed_factor() const;
    void stop_at_end();

    AppState& state_;
    ViewHistory& history_;
    Navigator& navigator_;
    double rest_ = 0;  // fraction of a simulated ns that is carried over to the next frame
    PlaybackPhase phase_ = PlaybackPhase::time;
    double in_phase_ = 0;  // wall seconds
    double hold_ = 0;      // remaining wall seconds for which the current decision stays on the screen
    // Wall seconds since the last update of ViewState::skipped_switches, and the number of switches then.
    double since_update_ = 0;
    std::uint64_t switches_ = 0;
    // In PlaybackPhase::walk: the step at which playback of this schedule() began, and the step to which
    // playback last set the cursor; both as ViewState::inside_step.
    std::size_t first_line_ = 0, set_line_ = 0;
    PlaybackSegment segment_{.seconds = -1};
};

}  // namespace ui
