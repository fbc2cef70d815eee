// Timing of animations that run without user input, as functions of the elapsed seconds.
#pragma once

#include <algorithm>
#include <cstddef>

namespace ui {

// The playback of the lines of one schedule() shows each line for 0.5 s, but takes six seconds at most. A
// playback that is limited to six seconds is slower at its start and at its end, because schedule() chooses
// the task in the last lines.
inline constexpr double kSecondsPerLine = 0.5, kLongestPlayback = 6;

inline double playback_seconds(std::size_t lines) {
    return std::min(static_cast<double>(lines) * kSecondsPerLine, kLongestPlayback);
}

// Ease-in and ease-out (Perlin's quintic): maps 0..1 to 0..1, slowly at both ends. Clamps `part` to 0..1.
inline double eased(double part) {
    const double u = std::clamp(part, 0.0, 1.0);
    return u * u * u * (u * (u * 6 - 15) + 10);
}

// The index of the line that is shown `seconds` after the start of the playback: 0 to lines - 1.
inline std::size_t line_of_playback(std::size_t lines, double seconds) {
    if (lines == 0) return 0;
    const double whole = playback_seconds(lines);
    const double part = std::clamp(seconds / whole, 0.0, 1.0);
    const bool is_long = static_cast<double>(lines) * kSecondsPerLine > kLongestPlayback;
    const auto line = static_cast<std::size_t>(static_cast<double>(lines) * (is_long ? eased(part) : part));
    return std::min(line, lines - 1);
}

}  // namespace ui
