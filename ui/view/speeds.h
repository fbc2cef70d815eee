// The speeds at which the window plays a run.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "sim/base/types.h"

namespace ui {

// A speed of playback: simulated time, or number of switches or decisions, per second of wall time.
struct PlaybackSpeed {
    double factor;  // simulated time per wall time; 0: in switches or decisions per s, or unlimited
    const char* name;
    double switches = 0;          // switches per second of wall time; 0: not a speed in switches
    bool holds_decision = false;  // each decision is shown for one second

    bool is_by_event() const { return switches > 0 || holds_decision; }
    // The name for a list of speeds, such as "1/1 000 of real time".
    std::string title() const {
        if (is_by_event()) return name;
        if (factor == 0) return "maximum: the whole run in 4 s";
        return factor == 1 ? "real time"
                           : std::string(name) + (factor < 1 ? " of real time" : " × real time");
    }
};

// All speeds from slow to fast; the last speed is as fast as possible.
inline constexpr std::array<PlaybackSpeed, 34> kSpeeds{{
    {0, "1 decision/s", 0, true},
    {0, "1 switch/s", 1},
    {0, "10 switches/s", 10},
    {1e-6, "1/1 000 000"},
    {2e-6, "1/500 000"},
    {5e-6, "1/200 000"},
    {1e-5, "1/100 000"},
    {2e-5, "1/50 000"},
    {5e-5, "1/20 000"},
    {1e-4, "1/10 000"},
    {2e-4, "1/5 000"},
    {5e-4, "1/2 000"},
    {1e-3, "1/1 000"},
    {2e-3, "1/500"},
    {5e-3, "1/200"},
    {1e-2, "1/100"},
    {2e-2, "1/50"},
    {5e-2, "1/20"},
    {0.1, "1/10"},
    {0.2, "1/5"},
    {0.5, "1/2"},
    {1, "1"},
    {2, "2"},
    {5, "5"},
    {10, "10"},
    {20, "20"},
    {50, "50"},
    {100, "100"},
    {200, "200"},
    {500, "500"},
    {1000, "1 000"},
    {2000, "2 000"},
    {5000, "5 000"},
    {0, "as fast as possible"},
}};

inline constexpr std::size_t kSwitchASecond = 1;
static_assert(kSpeeds[kSwitchASecond].switches == 1);

// The index of the next faster (direction = 1) or slower (direction = -1) speed. kSpeeds begins with speeds
// in decisions or switches per second. Whether they are faster than a factor of real time depends on the run.
// So direction 1 leads from the last of them to `own_speed`, the factor at which the run takes about 20 s.
// Direction -1 skips the speeds in switches per second.
inline std::size_t next_speed(std::size_t speed_index, int direction, std::size_t own_speed) {
    if (direction > 0 && kSpeeds[speed_index].is_by_event())
        return kSpeeds[speed_index + 1].is_by_event() ? speed_index + 1 : own_speed;
    auto to = static_cast<std::size_t>(
        std::clamp(static_cast<int>(speed_index) + direction, 0, static_cast<int>(kSpeeds.size()) - 1));
    while (to > 0 && direction < 0 && kSpeeds[to].switches > 0) --to;
    return to;
}

// The initial speed if the length of the run is unknown.
inline constexpr std::size_t kUsualSpeed = 9;  // 1/10 000
static_assert(kSpeeds[kUsualSpeed].factor == 1e-4);

// The speed at which a run of this length is played in about 20 s; kUsualSpeed for a run without an end.
inline std::size_t speed_for_run_length(sim::Nanos run_length) {
    if (run_length >= sim::kHorizon) return kUsualSpeed;
    const double wanted = static_cast<double>(run_length.count()) / 20e9;
    std::size_t best = kUsualSpeed;
    for (std::size_t i = 0; i < kSpeeds.size(); ++i)
        if (kSpeeds[i].factor > 0 && kSpeeds[i].factor <= wanted * 1.5) best = i;
    return best;
}

// Changes that follow each other in less than this time cannot be seen one by one.
inline constexpr double kSecondsPerVisibleChange = 0.18;

}  // namespace ui
