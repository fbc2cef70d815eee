// Playing. Outside of schedule() time goes on: so much simulated time a second, or so many switches. Inside,
// the lines of schedule() are walked, one after the other; then the window comes out of it, the task runs
// until the next schedule(), and it goes in again: a film of the scheduler.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ui/control/navigator.h"

namespace ui {

class Player {
  public:
    Player(Desk& desk, ViewHistory& history, Navigator& navigator)
        : desk_(desk), history_(history), navigator_(navigator) {}

    void set_playing(bool playing);
    void change_speed(int by);
    // On by so many of our seconds, if it plays; and what is shown glides on to where it is to be.
    void play(double dt);

  private:
    enum class Scene : std::uint8_t {
        time,   // goes on as the speed says
        walk,   // through the lines of a schedule()
        still,  // at its last line, for a moment
        run,    // from that schedule() to the next
    };

    // A stretch of the run that is passed in a given number of our seconds.
    struct Stretch {
        sim::Nanos from{}, to{};
        std::uint64_t n = 0;  // of the switch or decision at its end
        double seconds = 0;   // since it began; below 0: there is none
        // Where it has got to; whoever stands elsewhere has left it.
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

    Desk& desk_;
    ViewHistory& history_;
    Navigator& navigator_;
    double rest_ = 0;  // nanoseconds that were too few to move
    Scene scene_ = Scene::time;
    double in_scene_ = 0;                        // seconds
    std::size_t first_line_ = 0, set_line_ = 0;  // of the walk: where it began, and where it put the cursor
    Stretch stretch_{.seconds = -1};
};

}  // namespace ui
