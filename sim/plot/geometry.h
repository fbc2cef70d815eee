// Geometry of lines and boxes in a picture.
#pragma once

#include <vector>

#include "sim/plot/drawing.h"

namespace sim::plot {

using Line = std::vector<Point>;  // a polyline

// The four corners, clockwise from the upper left.
Line corners_of(const Box& box);
// The outline of a polygon as a line. The line repeats its first segment at the end, so that the last
// corner is joined, too.
Line closed_outline(Line polygon);

Point nearest_point_in(const Box& box, Point to);

// Clips a line segment to the box; returns false if the segment misses it.
bool clip(Point& a, Point& b, const Box& box);
// The parts of a line inside the box.
std::vector<Line> clipped(const Line& line, const Box& box);

// The y coordinate of a line at x. REQUIRES: at least two points, from left to right.
int y_of_line_at(const Line& line, int x);

}  // namespace sim::plot
