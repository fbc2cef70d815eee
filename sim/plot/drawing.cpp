#include "sim/plot/drawing.h"

#include <algorithm>

namespace sim::plot {
namespace {

// Approximates the linear brightness of an sRGB channel (0 to 255) by a cubic. The result is in thousandths;
// its error is at most 1.
int linear_brightness(int srgb) {
    const int n = srgb * 1000 / 255;
    return ((n * 305 / 1000 + 682) * n / 1000 + 13) * n / 1000;
}

}  // namespace

int luminance(Colour c) {
    return (2126 * linear_brightness(c.red) + 7152 * linear_brightness(c.green) +
            722 * linear_brightness(c.blue)) /
           10'000;
}

Colour mix(Colour over, Colour under, int over_percent) {
    const auto part = [&](int a, int b) {
        return static_cast<std::uint8_t>((a * over_percent + b * (100 - over_percent) + 50) / 100);
    };
    return {part(over.red, under.red), part(over.green, under.green), part(over.blue, under.blue)};
}

std::int64_t square_root(std::int64_t n) {
    if (n <= 0) return 0;
    std::int64_t root = 0;
    for (std::int64_t bit = std::int64_t{1} << 31; bit != 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= n) root += bit;
    return root;
}

Box Text::box() const {
    const int left = anchor == Anchor::start    ? at.x
                     : anchor == Anchor::middle ? at.x - width / 2
                                                : at.x - width;
    return {left, at.y - size * 93 / 100, left + width, at.y + size * 24 / 100};
}

const PlottedPoint* nearest_plotted_point(const Drawing& drawing, Point to, int max_distance) {
    const PlottedPoint* best = nullptr;
    std::int64_t least = std::int64_t{max_distance} * max_distance;
    for (const PlottedPoint& place : drawing.places) {
        const std::int64_t dx = place.at.x - to.x, dy = place.at.y - to.y;
        const std::int64_t distance = dx * dx + dy * dy;
        if (distance > least || (best != nullptr && distance == least)) continue;
        best = &place;
        least = distance;
    }
    return best;
}

std::vector<std::vector<Point>> cut_into_dashes(const std::vector<Point>& line,
                                                const std::vector<int>& dash) {
    if (dash.empty() || line.size() < 2) return {line};
    std::vector<std::vector<Point>> pieces;
    std::vector<Point> piece{line.front()};
    std::size_t which = 0;
    std::int64_t left = dash[0];
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Point p = line[i - 1], q = line[i];
        const std::int64_t dx = q.x - p.x, dy = q.y - p.y;
        const std::int64_t length = square_root(dx * dx + dy * dy);
        std::int64_t done = 0;
        while (length - done > left) {
            done += left;
            const Point at{static_cast<int>(p.x + dx * done / length),
                           static_cast<int>(p.y + dy * done / length)};
            if (which % 2 == 0) {
                piece.push_back(at);
                pieces.push_back(piece);
            }
            piece.assign(1, at);
            which = (which + 1) % dash.size();
            left = std::max(1, dash[which]);
        }
        left -= length - done;
        if (which % 2 == 0) piece.push_back(q);
        if (left <= 0) {
            if (which % 2 == 0) pieces.push_back(piece);
            piece.assign(1, q);
            which = (which + 1) % dash.size();
            left = std::max(1, dash[which]);
        }
    }
    if (which % 2 == 0 && piece.size() > 1) pieces.push_back(piece);
    return pieces;
}

}  // namespace sim::plot
