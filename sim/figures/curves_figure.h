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
    std::string name;
    std::vector<CurvePoint> points;  // by x
};

struct Crossing {
    double x = 0, y = 0;
    std::string text;  // "sorted-queue is cheaper from 23 on"
};

struct Curves {
    std::string title, subtitle, source;
    std::string x_label, y_label;
    std::vector<std::string> categories = {};  // when x is not a number: what 0, 1, ... stand for
    std::vector<Curve> curves;
    std::vector<Crossing> crossings = {};
};

// Axes are logarithmic where the values span more than a decade and are all above 0: x always, y when it
// spans more than two.
plot::Plot curves_plot(const Curves& curves);

// Whether values like these are better shown on a logarithmic axis: all above 0, and the largest at least
// `factor` times the smallest.
bool spans(const std::vector<double>& values, double factor);

}  // namespace sim::figures
