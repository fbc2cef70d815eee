#include "sim/plot/occupied.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace sim::plot {
namespace {

constexpr std::int64_t kMostSteps = 20'000;  // of one line, however far outside it ends

}  // namespace

bool Occupied::is_free(const Box& box) const {
    if (!bounds_.holds(box)) return false;
    return std::none_of(texts_.begin(), texts_.end(), [&](const Box& b) { return b.meets(box); });
}

bool Occupied::text_between(Point from, const Box& to) const {
    const Point end = nearest_in(to, from);
    return std::any_of(texts_.begin(), texts_.end(), [&](const Box& text) {
        Point p = from, q = end;
        return clip(p, q, text);
    });
}

void Occupied::add_data(const Line& line) {
    const int step = em_ / 6 + 1;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Point a = line[i - 1], b = line[i];
        const std::int64_t dx = std::int64_t{b.x} - a.x, dy = std::int64_t{b.y} - a.y;
        const std::int64_t steps = std::min(std::max(std::abs(dx), std::abs(dy)) / step + 1, kMostSteps);
        for (std::int64_t k = 0; k <= steps; ++k)
            data_.push_back({static_cast<int>(a.x + dx * k / steps), static_cast<int>(a.y + dy * k / steps)});
    }
}

int Occupied::data_in(const Box& box) const {
    return static_cast<int>(std::count_if(data_.begin(), data_.end(), [&](Point p) { return box.holds(p); }));
}

}  // namespace sim::plot
