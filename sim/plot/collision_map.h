// The positions of texts and data in a picture, so that new texts avoid both.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/plot/drawing.h"
#include "sim/plot/geometry.h"

namespace sim::plot {

class CollisionMap {
  public:
    // `bounds`: the edges of the picture; `em`: the text size, in units.
    CollisionMap(const Box& bounds, int em);

    // Whether a text fits in the box: inside the picture and on no other text.
    bool is_free(const Box& box) const;
    void add_text(const Box& box) { texts_.push_back(box); }
    // Whether the straight line from a point to a box crosses a text.
    bool has_text_between(Point from, const Box& to) const;

    // `reach`: radius of the area that is drawn around the point.
    void add_data(Point point, int reach);
    void add_data(const Line& line, int reach);  // adds closely spaced points of the line
    void clear_data();
    // Whether any data position is in the box; ignores `reach`.
    bool has_data(const Box& box) const;
    // Whether the box would cover part of the drawn data.
    bool would_cover_data(const Box& box) const;
    // Whether the line from `from` to `to` crosses data or passes closer than `clearance`. Ignores data
    // within `ignored_radius` of `from`, because the line leads to that data.
    bool crosses_data(Point from, Point to, int ignored_radius, int clearance) const;

  private:
    struct Datum {
        Point at;
        int reach;
    };

    std::size_t column_of(int x) const;
    // Whether `predicate` returns true for any datum in the columns from x = left - margin to x = right +
    // margin. The first and last of these columns can also contain data outside this range.
    template <class Predicate>
    bool any_datum_between(int left, int right, int margin, Predicate predicate) const;

    Box bounds_;
    int em_, most_reach_ = 0;
    std::vector<Box> texts_;
    // Data by column of x; a search tests only the columns near its x.
    std::vector<std::vector<Datum>> columns_;
};

}  // namespace sim::plot
