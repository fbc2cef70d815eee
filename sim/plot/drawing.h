// A figure as shapes: what a painter needs to know, and all of it. Every painter draws the same ones.
//
// Coordinates are integers, in sixteenths of a pixel from the upper left corner, so that a figure is the same
// on every machine. Patterns are lines like any other, already cut to what they fill.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sim::plot {

inline constexpr int kUnit = 16;  // to a pixel

// A place in the picture.
struct Point {
    int x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

struct Box {
    int left = 0, top = 0, right = 0, bottom = 0;

    int width() const { return right - left; }
    int height() const { return bottom - top; }
    bool meets(const Box& b) const {
        return left < b.right && b.left < right && top < b.bottom && b.top < bottom;
    }
    bool holds(const Box& b) const {
        return left <= b.left && b.right <= right && top <= b.top && b.bottom <= bottom;
    }
    bool holds(Point p) const { return left <= p.x && p.x <= right && top <= p.y && p.y <= bottom; }
    friend bool operator==(const Box&, const Box&) = default;
};

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    friend bool operator==(const Colour&, const Colour&) = default;
};

// How bright a colour looks: WCAG's relative luminance, times 1000.
int luminance(Colour colour);
// `share` of 100 parts of `over` upon `under`.
Colour mix(Colour over, Colour under, int share);

// Lines of one kind, with round joins and flat ends.
struct Strokes {
    std::vector<std::vector<Point>> lines;
    int width = kUnit;
    std::vector<int> dash =
        {};  // lengths of line and gap in turn; an even number of them, none for a whole line
    Colour colour;
};

// A polygon.
struct Area {
    std::vector<Point> corners;
    Colour fill;
    std::size_t pattern = 0;  // which one the strokes that follow draw on it; 0 for none
};

enum class Anchor { start, middle, end };

struct Text {
    Point at;  // the baseline, at the anchor
    std::string text;
    int size = 0;
    int width = 0;  // as text_width() says
    Anchor anchor = Anchor::start;
    bool bold = false;
    Colour colour;

    Box box() const;  // around everything that a letter may cover
};

using Shape = std::variant<Strokes, Area, Text>;

// Where a point of the data is.
struct Place {
    Point at;
    std::size_t panel = 0, series = 0, point = 0;
};

struct Drawing {
    int width = 0, height = 0;  // in units
    Colour background;
    std::string title, description;  // for those who cannot see it
    std::vector<Shape> shapes;       // in the order of painting
    std::vector<Place> places;
};

// The data point that is nearest to a place and not farther away than `reach`, or null.
const Place* nearest(const Drawing& drawing, Point to, int reach);

// A line cut into its dashes. Lines without dashes come back whole.
std::vector<std::vector<Point>> dashes(const std::vector<Point>& line, const std::vector<int>& dash);

// The whole square root.
std::int64_t square_root(std::int64_t n);

}  // namespace sim::plot
