// Axes: from values to places, and which values are labelled.
#pragma once

#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::plot {

// log2(value), the same to the last bit on every machine. REQUIRES: value is finite and above 0.
double log2_of(double value);

// Whether the axis has a place for the value.
bool is_usable(const Axis& axis, double value);

struct Range {
    double low = 0, high = 1;
};

// An axis from `low` to `high` between two places of the picture.
class Mapping {
  public:
    // REQUIRES: range.low < range.high, both finite; above 0 when logarithmic.
    Mapping(Scale scale, Range range, int from, int to);

    // The place of a value; far outside, but no farther than an int, when the value is.
    int operator()(double value) const;

  private:
    Scale scale_;
    double low_, span_;
    int from_, to_;
};

// The range that an axis needs for these values, of which those that are no numbers, or not above 0 on a
// logarithmic axis, do not count. `rounded` goes on to the next round number.
Range range_of(const Axis& axis, const std::vector<double>& values, bool with_zero, int ticks, bool rounded);

struct Ticks {
    std::vector<double> values;  // ascending
    double step = 1;             // the distance, for number_text(); 0 when there is no single one
};

// Round values in the range, about so many at most.
Ticks ticks_of(const Axis& axis, Range range, int most);

}  // namespace sim::plot
