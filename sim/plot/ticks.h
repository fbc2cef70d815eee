// Axes: maps values to positions and selects the labelled values.
#pragma once

#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::plot {

// log2(value), bit-identical on every machine. REQUIRES: value is finite and above 0.
double log2_of(double value);

// Whether the axis can show the value: finite, and above 0 on a logarithmic axis.
bool is_plottable(const Axis& axis, double value);

struct AxisRange {
    double low = 0, high = 1;
};

// Maps values of an axis to coordinates of the picture.
class AxisMapping {
  public:
    // REQUIRES: range.low < range.high, both finite; above 0 when logarithmic.
    AxisMapping(Scale scale, AxisRange range, int from, int to);

    // The coordinate of a value. A value far outside the range has a coordinate far outside the axis that
    // still fits into an int.
    int operator()(double value) const;

  private:
    Scale scale_;
    double low_, span_;
    int from_, to_;
};

// The range that an axis needs for these values. Ignores values that are not finite, and on a logarithmic
// axis those not above 0. `with_zero`: a linear range includes 0. `max_ticks`: maximum number of ticks.
// `rounded`: extends a linear range to round numbers.
AxisRange range_of(const Axis& axis, const std::vector<double>& values, bool with_zero, int max_ticks,
                   bool rounded);

struct Ticks {
    std::vector<double> values;  // ascending
    double step = 1;             // distance between ticks, for number_text(); 0: the distance varies
};

// Up to about `max_ticks` round values in the range.
Ticks ticks_of(const Axis& axis, AxisRange range, int max_ticks);

}  // namespace sim::plot
