// What is where already, so that a new text keeps away from it: always from other texts, and from the data
// as far as it can.
#pragma once

#include <vector>

#include "sim/plot/drawing.h"
#include "sim/plot/geometry.h"

namespace sim::plot {

class Occupied {
  public:
    // Of a picture with these bounds, in whose texts an em is so many units.
    Occupied(const Box& bounds, int em) : bounds_(bounds), em_(em) {}

    // Whether a text may stand in the box: it is inside the picture, and no text is there.
    bool is_free(const Box& box) const;
    void add_text(const Box& box) { texts_.push_back(box); }
    // Whether the way from a point to a box leads through a text.
    bool text_between(Point from, const Box& to) const;

    void add_data(Point point) { data_.push_back(point); }
    void add_data(const Line& line);  // as points in small steps
    void forget_data() { data_.clear(); }
    // How much data the box would hide.
    int data_in(const Box& box) const;

  private:
    Box bounds_;
    int em_;
    std::vector<Box> texts_;
    std::vector<Point> data_;
};

}  // namespace sim::plot
