// A figure as a list of shapes, which is all that a painter needs. All painters draw the same shapes.
//
// Coordinates are integers in sixteenths of a pixel from the upper left corner, so that a figure is identical
// on every machine. Patterns are ordinary lines, already clipped to the area they fill.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sim::plot {

inline constexpr int kUnit = 16;  // units per pixel

// A position in the picture, in units.
struct Point {
    int x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

struct Box {
    int left = 0, top = 0, right = 0, bottom = 0;

    int width() const { return right - left; }
    int height() const { return bottom - top; }
    bool overlaps(const Box& b) const {
        return left < b.right && b.left < right && top < b.bottom && b.top < bottom;
    }
    bool contains(const Box& b) const {
        return left <= b.left && b.right <= right && top <= b.top && b.bottom <= bottom;
    }
    bool contains(Point p) const { return left <= p.x && p.x <= right && top <= p.y && p.y <= bottom; }
    friend bool operator==(const Box&, const Box&) = default;
};

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    friend bool operator==(const Colour&, const Colour&) = default;
};

// WCAG's relative luminance, scaled to the range from 0 to 1000.
int luminance(Colour colour);
// A mixture of `over_percent` percent of `over` and the remainder of `under`.
Colour mix(Colour over, Colour under, int over_percent);

// Lines with the same attributes, round joins and flat ends.
struct Strokes {
    std::vector<std::vector<Point>> lines;
    int width = kUnit;
    std::vector<int> dash = {};  // alternating lengths of dashes and gaps (an even number); empty: solid line
    Colour colour;
};

struct FilledPolygon {
    std::vector<Point> corners;
    Colour fill;
    std::size_t pattern = 0;  // index of the pattern drawn by the strokes that follow; 0: none
};

enum class Anchor { start, middle, end };

struct Text {
    Point at;  // position of the anchor on the baseline
    std::string text;
    int size = 0;
    int width = 0;  // as returned by text_width()
    Anchor anchor = Anchor::start;
    bool bold = false;
    Colour colour;

    Box box() const;  // encloses everything that a letter may cover
};

using Shape = std::variant<Strokes, FilledPolygon, Text>;

// The position of a data point in the picture, and its indices in the plot.
struct PlottedPoint {
    Point at;
    std::size_t panel = 0, series = 0, point = 0;
};

struct Drawing {
    int width = 0, height = 0;  // in units
    Colour background;
    std::string title, description;  // for screen readers
    std::vector<Shape> shapes;       // in painting order
    std::vector<PlottedPoint> places;
};

// The data point nearest to `to` within `max_distance`, or null.
const PlottedPoint* nearest_plotted_point(const Drawing& drawing, Point to, int max_distance);

// Cuts a line into its dashes. If `dash` is empty, returns the whole line.
std::vector<std::vector<Point>> cut_into_dashes(const std::vector<Point>& line, const std::vector<int>& dash);

// The square root, rounded down.
std::int64_t square_root(std::int64_t n);

}  // namespace sim::plot
