#include "sim/plot/palette.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace sim::plot {
namespace {

constexpr Colour rgb(std::uint32_t n) {
    return {static_cast<std::uint8_t>(n >> 16), static_cast<std::uint8_t>(n >> 8 & 0xff),
            static_cast<std::uint8_t>(n & 0xff)};
}

// The hues of Okabe and Ito, ordered so that dark and bright hues alternate.
constexpr Palette kLight{rgb(0xffffff),
                         rgb(0x15181d),
                         rgb(0x4d5663),
                         rgb(0xdfe3e8),
                         rgb(0xb3261e),
                         {rgb(0x0072b2), rgb(0xe69f00), rgb(0x1c1f24), rgb(0x56b4e9), rgb(0xb84a00),
                          rgb(0x4fc3a1), rgb(0x8a3a6b), rgb(0xd9a3c0), rgb(0x6a798c), rgb(0xc78508),
                          rgb(0xcc3800), rgb(0xb24073), rgb(0x7346bc), rgb(0x85764b), rgb(0x1c1f24)}};
constexpr Palette kDark{rgb(0x15181d),
                        rgb(0xe8ebf0),
                        rgb(0xa9b3c1),
                        rgb(0x303742),
                        rgb(0xff8f80),
                        {rgb(0x56b4e9), rgb(0xf0e442), rgb(0xe07b3a), rgb(0xf4f6fa), rgb(0x26a17b),
                         rgb(0xffc04d), rgb(0xb565a0), rgb(0xc3ccd8), rgb(0x8890a0), rgb(0xf2a700),
                         rgb(0xef683c), rgb(0xda96cf), rgb(0xb787fe), rgb(0xc4b17e), rgb(0xf4f6fa)}};
constexpr Palette kPrint{rgb(0xffffff),
                         rgb(0x000000),
                         rgb(0x333333),
                         rgb(0xcccccc),
                         rgb(0x000000),
                         {rgb(0x222222), rgb(0xa8a8a8), rgb(0x555555), rgb(0xc8c8c8), rgb(0x000000),
                          rgb(0x8c8c8c), rgb(0x404040), rgb(0xb8b8b8), rgb(0x404040), rgb(0xc8c8c8),
                          rgb(0xa8a8a8), rgb(0x222222), rgb(0xb8b8b8), rgb(0x8c8c8c), rgb(0x000000)}};

constexpr Point kCircle[] = {{150, 0},    {139, 57},  {106, 106},  {57, 139},   {0, 150},     {-57, 139},
                             {-106, 106}, {-139, 57}, {-150, 0},   {-139, -57}, {-106, -106}, {-57, -139},
                             {0, -150},   {57, -139}, {106, -106}, {139, -57}};
constexpr Point kSquare[] = {{-132, -132}, {132, -132}, {132, 132}, {-132, 132}};
constexpr Point kUp[] = {{0, -176}, {168, 128}, {-168, 128}};
constexpr Point kDiamond[] = {{0, -188}, {188, 0}, {0, 188}, {-188, 0}};
constexpr Point kDown[] = {{0, 176}, {-168, -128}, {168, -128}};
constexpr Point kCross[] = {{0, -62}, {100, -162}, {162, -100}, {62, 0},  {162, 100},   {100, 162},
                            {0, 62},  {-100, 162}, {-162, 100}, {-62, 0}, {-162, -100}, {-100, -162}};
constexpr Point kPlus[] = {{-50, -170}, {50, -170}, {50, -50}, {170, -50}, {170, 50},   {50, 50},
                           {50, 170},   {-50, 170}, {-50, 50}, {-170, 50}, {-170, -50}, {-50, -50}};
constexpr Point kRight[] = {{176, 0}, {-128, 168}, {-128, -168}};

// Parallel lines of a hatch pattern. A point (x, y) is on such a line if `a * x + b * y` is a multiple of
// `every` / 10 times the hatch spacing.
struct LineFamily {
    int a, b, every;
};

std::initializer_list<LineFamily> line_families(std::size_t pattern) {
    static constexpr LineFamily kRising{1, 1, 14}, kFalling{1, -1, 14}, kAcross{0, 1, 10}, kUpright{1, 0, 10};
    static constexpr std::initializer_list<LineFamily> kAll[kStyles + kCosts] = {
        {},
        {kRising},
        {kAcross},
        {kFalling},
        {kUpright},
        {kRising, kFalling},
        {kAcross, kUpright},
        {{1, 1, 7}},
        // The patterns of the costs. The window of the program uses similar patterns.
        {kAcross},
        {kRising},
        {{1, 1, 7}},
        {kUpright},
        {kAcross, kUpright},
        {kRising, kFalling},
        {kFalling}};
    return kAll[pattern];
}

}  // namespace

const Palette& palette(Theme theme) {
    return theme == Theme::light ? kLight : theme == Theme::dark ? kDark : kPrint;
}

std::span<const Point> mark_outline(std::size_t style) {
    static constexpr std::array<std::span<const Point>, kStyles> kMarks{kCircle, kSquare, kUp,   kDiamond,
                                                                        kDown,   kCross,  kPlus, kRight};
    return kMarks[style % kStyles];
}

const std::vector<int>& dash_of(std::size_t style) {
    static const std::array<std::vector<int>, kStyles> kDashes{{{},
                                                                {144, 80},
                                                                {48, 48},
                                                                {192, 56, 48, 56},
                                                                {96, 40},
                                                                {240, 64, 48, 64, 48, 64},
                                                                {32, 64},
                                                                {288, 96}}};
    return kDashes[style % kStyles];
}

std::vector<std::vector<Point>> pattern_lines(std::size_t pattern, std::span<const Point> polygon,
                                              int spacing) {
    std::vector<std::vector<Point>> lines;
    for (const LineFamily& family : line_families(pattern)) {
        const auto value = [&](const Point& p) {
            return std::int64_t{family.a} * p.x + std::int64_t{family.b} * p.y;
        };
        std::int64_t low = value(polygon[0]), high = low;
        for (const Point& p : polygon) {
            low = std::min(low, value(p));
            high = std::max(high, value(p));
        }
        const std::int64_t step = std::max<std::int64_t>(kUnit, std::int64_t{spacing} * family.every / 10);
        std::int64_t c = low / step * step;
        if (c <= low) c += step;
        std::vector<Point> cuts;
        for (; c < high; c += step) {
            cuts.clear();
            for (std::size_t i = 0; i < polygon.size(); ++i) {
                const Point p = polygon[i], q = polygon[(i + 1) % polygon.size()];
                const std::int64_t vp = value(p), vq = value(q);
                if ((vp <= c) == (vq <= c)) continue;
                const auto along = [&](int from, int to) {
                    return static_cast<int>(from + (std::int64_t{to} - from) * (c - vp) / (vq - vp));
                };
                cuts.push_back({along(p.x, q.x), along(p.y, q.y)});
            }
            std::sort(cuts.begin(), cuts.end(),
                      [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
            for (std::size_t i = 0; i + 1 < cuts.size(); i += 2)
                if (!(cuts[i] == cuts[i + 1])) lines.push_back({cuts[i], cuts[i + 1]});
        }
    }
    return lines;
}

}  // namespace sim::plot
