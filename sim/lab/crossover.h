// Crossovers of two curves. A crossover is the value on the x axis at which a different policy becomes
// better.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/lab/curves.h"
#include "sim/lab/values.h"

namespace sim::lab {

// A value of x from which on policy `below` has a lower value than policy `above`. Before this value of x,
// `below` is not lower.
struct Crossover {
    std::size_t below = 0, above = 0;       // indices of the policies
    std::vector<std::size_t> at;            // index of the value on each axis, as in Curve::at
    double left = 0, right = 0;             // values of x with results, before and after the crossover
    double below_left = 0, above_left = 0;  // values of the curves at `left`
    double below_right = 0, above_right = 0;
    double x = 0;  // value of x at which the straight lines from `left` to `right` intersect
    // True if the curves differ, both at `left` and at `right`, by more than the sum of the half widths of
    // their 95 % intervals. With a single seed there are no intervals, and is_clear is true.
    bool is_clear = true;

    // True if `left` and `right` are consecutive whole numbers. The curve of `below` is then lower exactly
    // from `right` on.
    bool is_exact() const { return right - left == 1; }
};

// All crossovers of two curves, by increasing x. A curve consists of straight lines between neighbouring
// points at which both curves are defined. Curves that meet do not cross if the same curve is above before
// and after the meeting point. If the curves are equal over a range before they cross, the crossover is at
// the first point of the range. REQUIRES: both curves have the same axis and the same `at`.
std::vector<Crossover> crossovers(const Curve& a, const Curve& b);

// The value of x from which the curve of `below` is the lower one, as text. Whole-number axis: "from 4 on
// (about 3.7)", or "from 4 on" if `left` and `right` are consecutive. Other axes: "from about 3.71ms on".
// REQUIRES: `axis` has the values on which the crossover was found.
std::string crossover_position_text(const Crossover& crossover, const NumericValues& axis);
// The crossover as a complete text: "sorted-queue is cheaper than linux-2.0 from 4 on (about 3.7; 2: 19.78
// against 19.02; 4: 14.04 against 14.17)". "2: 19.78 against 19.02" are the values of the two curves at x =
// 2. REQUIRES: `axis` has the values on which the crossover was found; the crossover belongs to this sweep
// and this measure.
std::string crossover_text(const Crossover& crossover, const SweepSpec& spec, const Measure& measure,
                           const NumericValues& axis);

// The crossovers of each pair of curves that have the same values of the other axes, in the order of
// `curves`.
std::vector<Crossover> crossovers(const std::vector<Curve>& curves);

// A function that simulates a policy at a value of x and returns the mean of the measure; nullopt if the
// measure is not defined at this value of x. Used by refine().
using Probe = std::function<std::optional<double>(std::size_t policy, std::int64_t x)>;

// Narrows a crossover: bisects between whole numbers until `left` and `right` are consecutive. If several
// crossovers are between `left` and `right`, finds one of them. Stops earlier at a value of x for which the
// measure is not defined. REQUIRES: `left` and `right` are whole numbers.
Crossover refine(Crossover crossover, const Probe& probe);

}  // namespace sim::lab
