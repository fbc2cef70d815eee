// The content of a figure: the data, its form and the notes for the reader. It contains no pixels and no
// information about the source of the data. layout.h converts it to shapes of a specific size; svg.h, png.h
// and the window paint these shapes.
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
    std::optional<double> from = {}, to = {};  // ends of the axis; default: least, greatest value
    std::vector<double> ticks = {};            // tick values, as many as fit; by default round numbers
    std::vector<std::string> categories = {};  // x only: names of the values 0, 1, ...
    std::string detail = {};                   // x only: small text after the label if there is space
};

enum class ChartType {
    line,
    line_with_marks,
    points,
    labels,  // draws only the labels, without markers
    steps,
    bars,          // next to bars of other series at the same x
    stacked_bars,  // on top of the previous stacked bars
    stacked_area,
};
inline bool is_bars(ChartType type) { return type == ChartType::bars || type == ChartType::stacked_bars; }

struct ConfidenceInterval {
    double low = 0, high = 0;
};

struct DataPoint {
    double x = 0, y = 0;  // a point with NaN or infinity is omitted
    std::optional<ConfidenceInterval> interval = {};
    std::string label = {};  // next to the point if there is space
};

// The parts of the cost of scheduling. Each has one hue and pattern in all figures; the hues are those of the
// window (ui/platform/themes.json).
enum class CostComponent {
    system_call,
    search,
    recalculation,
    context_switch,
    address_space,
    cache_refill,
    interrupts
};
inline constexpr std::size_t kCosts = 7;

struct Series {
    std::string name;  // in the legend; empty: not listed
    ChartType type = ChartType::line;
    std::vector<DataPoint> points;
    // Selects hue, mark, dash and pattern. Related series share a style, such as published points and the
    // simulated curve. Default: the next free style.
    std::optional<std::size_t> style = {};
    std::optional<CostComponent> cost = {};  // selects the hue and the pattern of this cost; replaces `style`
    bool emphasis = false;                   // thicker line
    bool hollow = false;                     // markers are outlines
    std::string inside = {};                 // stacked_area: text inside the area, where it is thickest
};

// A line from the published to the simulated value at one x.
struct Residual {
    double x = 0, from = 0, to = 0;
};

// An annotation of an x value or a point.
struct Note {
    double x = 0;
    std::optional<double> y = {};  // absent: a vertical line at x
    std::string text;              // '\n' starts a new line
};

// A style number that selects the text colour instead of a hue.
inline constexpr std::size_t kNeutral = static_cast<std::size_t>(-1);

// The appearance of the spans of one kind.
struct SpanKind {
    std::string name;  // in the legend; empty: not listed
    std::size_t style = 0;
    // full: hue with the pattern of the style; plain: hue only; pale: light hue; hatched: lines on a light
    // hue; line: a horizontal line instead of an area.
    enum class Fill { full, plain, pale, hatched, line } fill = Fill::full;
};

struct Span {
    double begin = 0, end = 0;
    std::size_t kind = 0;    // index into Panel::kinds
    std::string label = {};  // inside the span if there is space
    double height = 1;       // fraction of the lane's height, 0 to 1
};

// A row of spans along the x axis.
struct Lane {
    std::string name;
    std::vector<Span> spans;
    std::vector<std::string> cells = {};  // columns of text between the name and the spans
};

// A pair of axes and its data.
struct Panel {
    std::string title = {};
    Axis x, y;
    std::vector<Series> series = {};
    std::vector<Residual> residuals = {};
    std::vector<Note> notes = {};
    std::vector<SpanKind> kinds = {};
    std::vector<Lane> lanes = {};                 // a panel with lanes has no y axis
    std::vector<std::string> lane_headings = {};  // headings of names and cells
    int weight = 1;                               // share of the height; the first panel of a row sets it
};

struct Plot {
    std::string title, subtitle,
        source;  // source: origin of the numbers: command, seed, table
    std::vector<Panel> panels;
    int columns = 1;
    bool same_y = false;  // all panels have the same y range
};

}  // namespace sim::plot
