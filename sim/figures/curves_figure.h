// Curves of a sweep: one for each policy, with their intervals, and where they cross.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::figures {

struct CurvePoint {
    double x = 0, mean = 0;
    std::optional<plot::Interval> interval = {};  // of 95 %, when there were several seeds
};

struct Curve {
    std::string name;                // of the policy
    std::vector<CurvePoint> points;  // by x
    std::string panel = {};          // the values of the other axes; curves of one panel are drawn together
};

// Two curves cross between two neighbouring values of x, and one is below from there on.
struct Crossing {
    double left = 0, right = 0;
    double below_left = 0, above_left = 0, below_right = 0, above_right = 0;
    std::string text;  // "sorted-queue is cheaper from 4 on"
    std::string panel = {};
};

struct Curves {
    std::string title, subtitle, source;
    std::string x_label, y_label;
    std::string x_detail = {};                 // small, beside the label of x
    std::vector<std::string> categories = {};  // when x is not a number: what 0, 1, ... stand for
    std::vector<Curve> curves;
    std::vector<Crossing> crossings = {};
    std::vector<double> to_come = {};  // other values of x that there is to be room for
};

// An axis is logarithmic when its values are all above 0 and span more than a decade (x), or two (y). A
// crossing is marked where the drawn lines cross.
plot::Plot curves_plot(const Curves& curves);

// Whether values like these are better shown on a logarithmic axis: all above 0, and the largest at least
// `factor` times the smallest.
bool spans(const std::vector<double>& values, double factor);

}  // namespace sim::figures
