#include "sim/plot/geometry.h"

#include <algorithm>
#include <cmath>

namespace sim::plot {

Line corners_of(const Box& b) {
    return {{b.left, b.top}, {b.right, b.top}, {b.right, b.bottom}, {b.left, b.bottom}};
}

Line closed_outline(Line polygon) {
    polygon.insert(polygon.end(), {polygon[0], polygon[1]});
    return polygon;
}

Point nearest_point_in(const Box& box, Point to) {
    return {std::clamp(to.x, box.left, box.right), std::clamp(to.y, box.top, box.bottom)};
}

bool clip(Point& a, Point& b, const Box& box) {
    // The Liang-Barsky algorithm. t0 and t1 are the positions of the clipped ends on the segment, from 0 to
    // 1.
    double t0 = 0, t1 = 1;
    const double dx = b.x - a.x, dy = b.y - a.y;
    const auto side = [&](double p, double q) {
        if (p == 0) return q >= 0;
        const double t = q / p;
        if (p < 0)
            t0 = std::max(t0, t);
        else
            t1 = std::min(t1, t);
        return t0 <= t1;
    };
    if (!side(-dx, a.x - box.left) || !side(dx, box.right - a.x) || !side(-dy, a.y - box.top) ||
        !side(dy, box.bottom - a.y))
        return false;
    const Point from = a;
    const auto along = [&](double t) -> Point {
        return {from.x + static_cast<int>(std::lround(dx * t)),
                from.y + static_cast<int>(std::lround(dy * t))};
    };
    if (t1 < 1) b = along(t1);
    if (t0 > 0) a = along(t0);
    return true;
}

std::vector<Line> clipped(const Line& line, const Box& box) {
    std::vector<Line> parts;
    for (std::size_t i = 1; i < line.size(); ++i) {
        Point a = line[i - 1], b = line[i];
        if (!clip(a, b, box)) continue;
        if (parts.empty() || !(parts.back().back() == a)) parts.push_back({a});
        if (!(a == b)) parts.back().push_back(b);
    }
    std::erase_if(parts, [](const Line& part) { return part.size() < 2; });
    return parts;
}

int y_of_line_at(const Line& line, int x) {
    std::size_t i = 1;
    while (i + 1 < line.size() && line[i].x < x) ++i;
    const Point &a = line[i - 1], &b = line[i];
    if (b.x <= a.x) return b.y;
    const std::int64_t dx = std::clamp(x, a.x, b.x) - a.x;
    return static_cast<int>(a.y + dx * (b.y - a.y) / (b.x - a.x));
}

}  // namespace sim::plot
