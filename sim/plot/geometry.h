// Lines and boxes in the picture.
#pragma once

#include <vector>

#include "sim/plot/drawing.h"

namespace sim::plot {

using Line = std::vector<Point>;  // from point to point

// Its four corners.
Line corners_of(const Box& box);
// A polygon's outline as a line that ends behind its beginning, so that the last corner is joined, too.
Line outline_of(Line polygon);

// The place in a box that is nearest to a point.
Point nearest_in(const Box& box, Point to);

// Moves the ends of a line to where it enters and leaves the box; false when it misses it.
bool clip(Point& a, Point& b, const Box& box);
// The parts of a line that lie in the box.
std::vector<Line> clipped(const Line& line, const Box& box);

// The height of a line at x. REQUIRES: two points or more, from left to right.
int height_at(const Line& line, int x);

}  // namespace sim::plot
