#include "sim/plot/collision_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace sim::plot {
namespace {

constexpr std::int64_t kColumns = 64;
// Maximum number of points per segment, for lines that extend far outside.
constexpr std::int64_t kMostSteps = 20'000;

std::int64_t square(std::int64_t n) { return n * n; }

// The squared distance between a point and a line segment.
std::int64_t squared_distance_to_segment(Point p, Point from, Point to) {
    const std::int64_t dx = std::int64_t{to.x} - from.x, dy = std::int64_t{to.y} - from.y;
    const std::int64_t length = dx * dx + dy * dy;
    std::int64_t x = from.x, y = from.y;
    if (length > 0) {
        const std::int64_t along = std::clamp(
            (std::int64_t{p.x} - from.x) * dx + (std::int64_t{p.y} - from.y) * dy, std::int64_t{0}, length);
        // This calculation uses doubles, because the product of three lengths does not fit into 64 bits.
        const double share = static_cast<double>(along) / static_cast<double>(length);
        x += std::llround(share * static_cast<double>(dx));
        y += std::llround(share * static_cast<double>(dy));
    }
    return square(p.x - x) + square(p.y - y);
}

}  // namespace

CollisionMap::CollisionMap(const Box& bounds, int em) : bounds_(bounds), em_(em), columns_(kColumns) {}

bool CollisionMap::is_free(const Box& box) const {
    if (!bounds_.contains(box)) return false;
    return std::none_of(texts_.begin(), texts_.end(), [&](const Box& b) { return b.overlaps(box); });
}

bool CollisionMap::has_text_between(Point from, const Box& to) const {
    const Point end = nearest_point_in(to, from);
    return std::any_of(texts_.begin(), texts_.end(), [&](const Box& text) {
        Point p = from, q = end;
        return clip(p, q, text);
    });
}

void CollisionMap::add_data(Point point, int reach) {
    columns_[column_of(point.x)].push_back({point, reach});
    most_reach_ = std::max(most_reach_, reach);
}

void CollisionMap::clear_data() {
    for (std::vector<Datum>& column : columns_) column.clear();
    most_reach_ = 0;
}

void CollisionMap::add_data(const Line& line, int reach) {
    const int step = em_ / 6 + 1;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Point a = line[i - 1], b = line[i];
        const std::int64_t dx = std::int64_t{b.x} - a.x, dy = std::int64_t{b.y} - a.y;
        const std::int64_t steps = std::min(std::max(std::abs(dx), std::abs(dy)) / step + 1, kMostSteps);
        for (std::int64_t k = 0; k <= steps; ++k)
            add_data({static_cast<int>(a.x + dx * k / steps), static_cast<int>(a.y + dy * k / steps)}, reach);
    }
}

std::size_t CollisionMap::column_of(int x) const {
    const std::int64_t share = std::int64_t{std::clamp(x, bounds_.left, bounds_.right)} - bounds_.left;
    return static_cast<std::size_t>(share * (kColumns - 1) / std::max(1, bounds_.width()));
}

template <class Predicate>
bool CollisionMap::any_datum_between(int left, int right, int margin, Predicate predicate) const {
    for (std::size_t c = column_of(left - margin); c <= column_of(right + margin); ++c)
        if (std::any_of(columns_[c].begin(), columns_[c].end(), predicate)) return true;
    return false;
}

bool CollisionMap::has_data(const Box& box) const {
    return any_datum_between(box.left, box.right, 0, [&](const Datum& d) { return box.contains(d.at); });
}

bool CollisionMap::would_cover_data(const Box& box) const {
    return any_datum_between(box.left, box.right, most_reach_, [&](const Datum& d) {
        return Box{box.left - d.reach, box.top - d.reach, box.right + d.reach, box.bottom + d.reach}.contains(
            d.at);
    });
}

bool CollisionMap::crosses_data(Point from, Point to, int ignored_radius, int clearance) const {
    const auto [left, right] = std::minmax(from.x, to.x);
    return any_datum_between(left, right, std::max(most_reach_, clearance), [&](const Datum& d) {
        return squared_distance_to_segment(d.at, from, from) >= square(ignored_radius) &&
               squared_distance_to_segment(d.at, from, to) < square(std::max(d.reach, clearance));
    });
}

}  // namespace sim::plot
