// A figure as it is meant: what is shown against what, and what the reader shall notice. Nothing of pixels,
// and nothing of where the numbers come from.
//
// layout.h makes shapes of it for a given size; svg.h and png.h, and the window, paint those.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sim::plot {

enum class Scale { linear, logarithmic };

struct Axis {
    std::string label;  // with its unit: "us per yield"
    Scale scale = Scale::linear;
    std::optional<double> from = {}, to = {};  // otherwise what the values need
    std::vector<double> ticks = {};            // exactly these, as many as fit; otherwise round numbers
    std::vector<std::string> categories = {};  // x only: the values are 0, 1, ... and have these names
    std::string detail = {};                   // x only: small, behind the label, where there is room
};

enum class ChartType {
    line,
    line_with_marks,
    points,
    labels,  // of the points, and nothing else
    steps,
    bars,          // side by side with those of other series at the same x
    stacked_bars,  // on those of the series before
    stacked_area,
};
inline bool is_bars(ChartType type) { return type == ChartType::bars || type == ChartType::stacked_bars; }

struct Interval {
    double low = 0, high = 0;
};

// A place on the axes.
struct DataPoint {
    double x = 0, y = 0;  // one that is not a number is left out
    std::optional<Interval> interval = {};
    std::string label = {};  // beside the point, where there is room
};

struct Series {
    std::string name;  // in the legend; without one it is not there
    ChartType type = ChartType::line;
    std::vector<DataPoint> points;
    // How it looks: hue, mark, dash, pattern. Series that belong together share one: published points and the
    // curve beside them. Without one, the next that is free.
    std::optional<std::size_t> style = {};
    bool emphasis = false;    // thicker
    bool hollow = false;      // marks as outlines
    std::string inside = {};  // stacked_area: written into it where it is thickest
};

// A line from what was published to what was simulated, for each x: as long as the difference.
struct Residual {
    double x = 0, from = 0, to = 0;
};

// Something to notice: a place on the x axis, or a point.
struct Note {
    double x = 0;
    std::optional<double> y = {};  // without it a vertical line
    std::string text;              // '\n' begins a new line
};

// A style without a hue: that of the texts.
inline constexpr std::size_t kNeutral = static_cast<std::size_t>(-1);

// What a span of a lane looks like.
struct Kind {
    std::string name;  // in the legend; without one it is not there
    std::size_t style = 0;
    enum class Fill { full, plain, pale, hatched, line } fill = Fill::full;  // full: with its pattern
};

struct Span {
    double begin = 0, end = 0;
    std::size_t kind = 0;    // of Panel::kinds
    std::string label = {};  // inside it, where there is room
    double height = 1;       // of the lane's
};

// A row of spans along the x axis.
struct Lane {
    std::string name;
    std::vector<Span> spans;
    std::vector<std::string> cells = {};  // texts between the name and the spans, in columns
};

// One pair of axes and what is drawn between them.
struct Panel {
    std::string title = {};
    Axis x, y;
    std::vector<Series> series = {};
    std::vector<Residual> residuals = {};
    std::vector<Note> notes = {};
    std::vector<Kind> kinds = {};
    std::vector<Lane> lanes = {};                 // with them there is no y axis
    std::vector<std::string> lane_headings = {};  // of their names and cells
    int weight = 1;                               // its share of the height
};

struct Plot {
    std::string title, subtitle,
        source;  // source: the command, the seed, the table that the numbers are from
    std::vector<Panel> panels;
    int columns = 1;
    bool same_y = false;  // the panels share one range of y
};

}  // namespace sim::plot
