// What is where already, so that a new text keeps away from it: from other texts, and from the data.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/plot/drawing.h"
#include "sim/plot/geometry.h"

namespace sim::plot {

class Occupied {
  public:
    // Of a picture with these bounds, in whose texts an em is so many units.
    Occupied(const Box& bounds, int em);

    // Whether a text may stand in the box: it is inside the picture, and no text is there.
    bool is_free(const Box& box) const;
    void add_text(const Box& box) { texts_.push_back(box); }
    // Whether the way from a point to a box leads through a text.
    bool text_between(Point from, const Box& to) const;

    // `reach`: how far around its place it is drawn.
    void add_data(Point point, int reach);
    void add_data(const Line& line, int reach);  // as points in small steps
    void forget_data();
    // Whether the place of something is in the box.
    bool has_data(const Box& box) const;
    // Whether the box would hide a part of something that is drawn.
    bool hides_data(const Box& box) const;
    // Whether a line would lead over something, or pass it by less than `clearance`. What is nearer to the
    // line's beginning than `near` does not count: that is what the line is about.
    bool leads_over_data(Point from, Point to, int near, int clearance) const;

  private:
    struct Datum {
        Point at;
        int reach;
    };

    std::size_t column_of(int x) const;
    // Whether there is a datum for which is(datum), of those whose x is not farther than `margin` from the
    // range.
    template <class Is>
    bool any_between(int left, int right, int margin, Is is) const;

    Box bounds_;
    int em_, most_reach_ = 0;
    std::vector<Box> texts_;
    std::vector<std::vector<Datum>> columns_;  // the data by x, so that one looks at those nearby only
};

}  // namespace sim::plot
