// Crossovers of two curves: the value from which on another policy is better.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/lab/curves.h"
#include "sim/lab/values.h"

namespace sim::lab {

// A value of x from which policy `below` is lower than `above`; before it, it is not.
struct Crossover {
    std::size_t below = 0, above = 0;       // indices of the policies
    std::vector<std::size_t> at;            // values of the other axes, as in Curve
    double left = 0, right = 0;             // the neighbouring values of x around the crossover
    double below_left = 0, above_left = 0;  // values of the curves there
    double below_right = 0, above_right = 0;
    double x = 0;  // intersection of straight lines between the neighbours
    // True if on both sides the curves differ by more than the sum of their errors. Without several seeds
    // there are no errors.
    bool is_clear = true;

    // True if the neighbours are consecutive whole numbers, so `below` is lower exactly from `right` on.
    bool is_exact() const { return right - left == 1; }
};

// All crossovers of two curves, by increasing x. A curve consists of straight lines between neighbouring
// points at which both curves are defined. Curves that meet and then separate with the same one above do
// not cross. If the curves are equal over a range before they cross, the crossover is at the first point of
// the range. REQUIRES: both curves have the same axis and the same `at`.
std::vector<Crossover> crossovers(const Curve& a, const Curve& b);

// Where `below` becomes lower, for display. Whole-number axis: "from 4 on (about 3.7)", or "from 4 on" for
// consecutive neighbours. Other axes: "from about 3.71ms on". REQUIRES: `axis` has the values on which the
// crossover was found.
std::string from_where(const Crossover& crossover, const Numbers& axis);
// The whole crossover, for display: "sorted-queue is cheaper than linux-2.0 from 4 on (about 3.7; 2: 19.78
// against 19.02; 4: 14.04 against 14.17)". REQUIRES: as for from_where(); it is a crossover of this measure
// in this sweep.
std::string crossing_words(const Crossover& crossover, const SweepSpec& spec, const Measure& measure,
                           const Numbers& axis);

// The crossovers of each pair of curves with the same values of the other axes, in the order of the list.
std::vector<Crossover> crossovers(const std::vector<Curve>& curves);

// Simulates and returns the mean of a measure at a value of x, for refine(); nullopt if the measure is not
// defined there.
using Probe = std::function<std::optional<double>(std::size_t policy, std::int64_t x)>;

// Narrows a crossover: bisects between whole numbers until its neighbours are consecutive. If there are
// several crossovers between them, finds one. Stops early where the measure is not defined. REQUIRES: left
// and right are whole numbers.
Crossover refine(Crossover crossover, const Probe& probe);

}  // namespace sim::lab
