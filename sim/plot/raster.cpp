#include "sim/plot/raster.h"

#include <algorithm>

#include "sim/plot/palette.h"

namespace sim::plot {
namespace {

constexpr int kFine = 256;  // units per pixel
constexpr int kLines = 16;  // scanlines per pixel
constexpr int kStep = kFine / kLines;
constexpr int kFull = kFine * kLines;  // coverage of a fully covered pixel

}  // namespace

Raster::Raster(int width, int height, Colour background) {
    image_.width = width;
    image_.height = height;
    image_.rgb.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    for (std::size_t i = 0; i < image_.rgb.size(); i += 3) {
        image_.rgb[i] = background.red;
        image_.rgb[i + 1] = background.green;
        image_.rgb[i + 2] = background.blue;
    }
}

void Raster::blend_pixel(int x, int y, int coverage, Colour colour) {
    if (coverage <= 0) return;
    std::uint8_t* p = &image_.rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) +
                                   static_cast<std::size_t>(x)) *
                                  3];
    const auto blend = [&](std::uint8_t under, std::uint8_t over) {
        return static_cast<std::uint8_t>((over * coverage + under * (kFull - coverage) + kFull / 2) / kFull);
    };
    p[0] = blend(p[0], colour.red);
    p[1] = blend(p[1], colour.green);
    p[2] = blend(p[2], colour.blue);
}

void Raster::add_polygon(const std::vector<SubPixel>& polygon) {
    std::int64_t area = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const SubPixel &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        area += p.x * q.y - q.x * p.y;
    }
    const int turn = area < 0 ? -1 : 1;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const SubPixel &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        if (p.y < q.y)
            edges_.push_back({p, q, turn});
        else if (p.y > q.y)
            edges_.push_back({q, p, -turn});
    }
}

void Raster::fill_polygons(Colour colour) {
    if (edges_.empty()) return;
    std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return a.from.y < b.from.y; });
    std::int64_t bottom = 0;
    for (const Edge& e : edges_) bottom = std::max(bottom, e.to.y);
    const int first =
                  static_cast<int>(std::clamp<std::int64_t>(edges_.front().from.y / kFine, 0, image_.height)),
              last = static_cast<int>(std::clamp<std::int64_t>(bottom / kFine + 1, 0, image_.height));
    const std::int64_t right = std::int64_t{image_.width} * kFine;
    std::vector<int> covered(static_cast<std::size_t>(image_.width));
    std::vector<const Edge*> active;
    std::vector<std::pair<std::int64_t, int>> cuts;
    std::size_t next = 0;
    for (int y = first; y < last; ++y) {
        int left_most = image_.width, right_most = -1;
        const std::int64_t row_end = std::int64_t{y + 1} * kFine;
        while (next < edges_.size() && edges_[next].from.y < row_end) active.push_back(&edges_[next++]);
        std::erase_if(active, [&](const Edge* e) { return e->to.y <= std::int64_t{y} * kFine; });
        for (int line = 0; line < kLines; ++line) {
            const std::int64_t at = std::int64_t{y} * kFine + line * kStep + kStep / 2;
            cuts.clear();
            for (const Edge* e : active)
                if (e->from.y <= at && at < e->to.y)
                    cuts.emplace_back(
                        e->from.x + (e->to.x - e->from.x) * (at - e->from.y) / (e->to.y - e->from.y),
                        e->winding);
            std::sort(cuts.begin(), cuts.end());
            int winding = 0;
            for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
                winding += cuts[i].second;
                if (winding == 0) continue;
                const std::int64_t from = std::clamp<std::int64_t>(cuts[i].first, 0, right),
                                   to = std::clamp<std::int64_t>(cuts[i + 1].first, 0, right);
                if (from >= to) continue;
                const int a = static_cast<int>(from / kFine), b = static_cast<int>((to - 1) / kFine);
                left_most = std::min(left_most, a);
                right_most = std::max(right_most, b);
                if (a == b) {
                    covered[static_cast<std::size_t>(a)] += static_cast<int>(to - from);
                    continue;
                }
                covered[static_cast<std::size_t>(a)] += static_cast<int>(std::int64_t{a + 1} * kFine - from);
                for (int x = a + 1; x < b; ++x) covered[static_cast<std::size_t>(x)] += kFine;
                covered[static_cast<std::size_t>(b)] += static_cast<int>(to - std::int64_t{b} * kFine);
            }
        }
        for (int x = left_most; x <= right_most; ++x) {
            int& share = covered[static_cast<std::size_t>(x)];
            blend_pixel(x, y, share, colour);  // at most kFull, because segments of a scanline do not overlap
            share = 0;
        }
    }
    edges_.clear();
}

void Raster::fill(const std::vector<Point>& polygon, Colour colour) {
    std::vector<SubPixel> fine;
    for (const Point& s : polygon)
        fine.push_back({std::int64_t{s.x} * (kFine / kUnit), std::int64_t{s.y} * (kFine / kUnit)});
    add_polygon(fine);
    fill_polygons(colour);
}

void Raster::stroke(const Strokes& strokes) {
    const std::int64_t half = std::max<std::int64_t>(1, std::int64_t{strokes.width} * (kFine / kUnit) / 2);
    for (const auto& whole : strokes.lines) {
        for (const auto& line : cut_into_dashes(whole, strokes.dash)) {
            for (std::size_t i = 1; i < line.size(); ++i) {
                const SubPixel p{std::int64_t{line[i - 1].x} * (kFine / kUnit),
                                 std::int64_t{line[i - 1].y} * (kFine / kUnit)},
                    q{std::int64_t{line[i].x} * (kFine / kUnit), std::int64_t{line[i].y} * (kFine / kUnit)};
                const std::int64_t dx = q.x - p.x, dy = q.y - p.y, length = square_root(dx * dx + dy * dy);
                if (length == 0) continue;
                const std::int64_t nx = -dy * half / length, ny = dx * half / length;
                add_polygon(
                    {{p.x + nx, p.y + ny}, {q.x + nx, q.y + ny}, {q.x - nx, q.y - ny}, {p.x - nx, p.y - ny}});
                if (i + 1 == line.size()) continue;
                std::vector<SubPixel> join;
                for (const Point& s : mark_outline(0))
                    join.push_back({q.x + s.x * half / 150, q.y + s.y * half / 150});
                add_polygon(join);
            }
        }
        // Paints each line before the next line is added. If all lines were added first, every row would
        // have to test every line of a pattern.
        fill_polygons(strokes.colour);
    }
}

void Raster::blend(std::span<const std::uint8_t> alpha, int width, int height, int left, int top,
                   Colour colour) {
    for (int y = std::max(0, -top); y < height && top + y < image_.height; ++y)
        for (int x = std::max(0, -left); x < width && left + x < image_.width; ++x)
            blend_pixel(left + x, top + y,
                        alpha[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                              static_cast<std::size_t>(x)] *
                            kFull / 255,
                        colour);
}

}  // namespace sim::plot
