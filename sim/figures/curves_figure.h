// Figure of the curves of a sweep, one per policy, with confidence intervals and crossings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/plot/plot.h"

namespace sim::figures {

struct CurvePoint {
    double x = 0, mean = 0;
    // 95 % confidence interval; present if there are several seeds.
    std::optional<plot::ConfidenceInterval> interval = {};
};

struct Curve {
    std::string name;                // name of the policy
    std::vector<CurvePoint> points;  // by x
    std::string panel = {};          // values of the other axes; curves with the same text are in one panel
};

// A crossing of two curves between two neighbouring values of x. From the crossing on, one curve is below
// the other.
struct Crossing {
    double left = 0, right = 0;
    double below_left = 0, above_left = 0, below_right = 0, above_right = 0;
    std::string text;  // "sorted-queue is cheaper from 4 on"
    std::string panel = {};
};

struct Curves {
    std::string title, subtitle, source;
    std::string x_label, y_label;
    std::string x_detail = {};                 // small text next to the x label
    std::vector<std::string> categories = {};  // names of the x values 0, 1, ... if x is not a number
    std::vector<Curve> curves;
    std::vector<Crossing> crossings = {};
    std::vector<double> to_come = {};  // further x values for which the x axis reserves space
};

// An axis of numbers is logarithmic if has_wide_range(its values, factor) is true; `factor` is 10 for the x
// axis and 100 for the y axis. A note marks each crossing, at the point where the drawn lines cross.
plot::Plot curves_plot(const Curves& curves);

// True if there are at least three values, all are positive, and the largest is at least `factor` times the
// smallest.
bool has_wide_range(const std::vector<double>& values, double factor);

}  // namespace sim::figures
