// How fast things go on the screen when nobody presses a key: plain functions of the seconds that have
// passed.
#pragma once

#include <algorithm>
#include <cstddef>

namespace ui {

// The walk through the lines of one schedule(), begun at line 0. A short one takes half a second a line. A
// long one takes six seconds: it gathers pace, and slows down towards its end, where the choice is.
inline constexpr double kSecondsPerLine = 0.5, kLongestWalk = 6;

inline double walk_seconds(std::size_t lines) {
    return std::min(static_cast<double>(lines) * kSecondsPerLine, kLongestWalk);
}

// From 0 to 1 as `part` goes from 0 to 1, gently at both ends: Perlin's quintic.
inline double eased(double part) {
    const double u = std::clamp(part, 0.0, 1.0);
    return u * u * u * (u * (u * 6 - 15) + 10);
}

// The line that the walk stands at so many seconds after it began: from 0 to lines - 1.
inline std::size_t line_of_walk(std::size_t lines, double seconds) {
    if (lines == 0) return 0;
    const double whole = walk_seconds(lines);
    const double part = std::clamp(seconds / whole, 0.0, 1.0);
    const bool is_long = static_cast<double>(lines) * kSecondsPerLine > kLongestWalk;
    const auto line = static_cast<std::size_t>(static_cast<double>(lines) * (is_long ? eased(part) : part));
    return std::min(line, lines - 1);
}

}  // namespace ui
