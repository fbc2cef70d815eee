// Playback. Outside schedule() simulated time advances at a rate, or N switches per second. Inside, playback
// walks the lines, leaves schedule(), runs to the next one and enters it.
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
    void change_speed(int by);
    // Advances playback by dt seconds of wall time and animates the visible range.
    void play(double dt);

  private:
    enum class PlaybackPhase : std::uint8_t {
        time,   // advances at the selected speed
        walk,   // walks the lines of a schedule()
        still,  // waits at its last line
        run,    // advances from that schedule() to the next
    };

    // A range that is played in a fixed wall time.
    struct PlaybackSegment {
        sim::Nanos from{}, to{};
        std::uint64_t n = 0;  // number of the switch or decision at its end
        double seconds = 0;   // wall time since its start; below 0: no segment
        // The last time reached by playback. If the current time differs, the user has moved the position.
        sim::Nanos at{};
        std::uint64_t run = 0;
    };

    void play_time(double dt);
    void play_switches(double dt, double per_second);
    void play_film(double dt);
    void walk();
    bool begin_stretch(sim::StepKind kind);
    bool pass(sim::StepKind kind, double dt, double seconds);
    double pace() const;
    void end();

    AppState& state_;
    ViewHistory& history_;
    Navigator& navigator_;
    double rest_ = 0;  // simulated ns that are carried over to the next frame
    PlaybackPhase scene_ = PlaybackPhase::time;
    double in_scene_ = 0;  // wall seconds
    // of PlaybackPhase::walk: its first line, and the line to which it last set the cursor
    std::size_t first_line_ = 0, set_line_ = 0;
    PlaybackSegment stretch_{.seconds = -1};
};

}  // namespace ui
