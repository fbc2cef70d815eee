// Timing of animations that run without user input, as functions of the elapsed seconds.
#pragma once

#include <algorithm>
#include <cstddef>

namespace ui {

// The playback of the lines of one schedule() shows each line for 0.5 s, but takes six seconds at most. A
// playback that is limited to six seconds is slower at its start and at its end than in its middle. The end
// is slow because schedule() chooses the task in the last lines.
inline constexpr double kSecondsPerLine = 0.5, kLongestPlayback = 6;

inline double playback_seconds(std::size_t line_count) {
    return std::min(static_cast<double>(line_count) * kSecondsPerLine, kLongestPlayback);
}

// Ease-in and ease-out (Perlin's quintic): maps 0..1 to 0..1, slowly at both ends. Clamps `progress` to 0..1.
inline double ease_in_out(double progress) {
    const double u = std::clamp(progress, 0.0, 1.0);
    return u * u * u * (u * (u * 6 - 15) + 10);
}

// The index of the line that is shown `seconds` after the start of the playback: 0 to line_count - 1.
inline std::size_t line_at_playback_time(std::size_t line_count, double seconds) {
    if (line_count == 0) return 0;
    const double whole = playback_seconds(line_count);
    const double part = std::clamp(seconds / whole, 0.0, 1.0);
    const bool is_long = static_cast<double>(line_count) * kSecondsPerLine > kLongestPlayback;
    const auto line =
        static_cast<std::size_t>(static_cast<double>(line_count) * (is_long ? ease_in_out(part) : part));
    return std::min(line, line_count - 1);
}

}  // namespace ui
