// Where two curves cross: from which value on another policy is the better one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/lab/curves.h"
#include "sim/lab/values.h"

namespace sim::lab {

// `below` lies below `above` from here on. To the left of it, it does not.
struct Crossover {
    std::size_t below = 0, above = 0;       // policies
    std::vector<std::size_t> at;            // the other axes, as in Curve
    double left = 0, right = 0;             // the neighbouring values of x between which it lies
    double below_left = 0, above_left = 0;  // the curves there
    double below_right = 0, above_right = 0;
    double x = 0;  // where straight lines between the neighbours meet
    // Whether the curves lie further apart on both sides than the errors of both together. Without
    // replications there are no errors to compare with.
    bool is_clear = true;

    // The neighbours are next to each other among the whole numbers: `below` is lower from `right` on,
    // exactly.
    bool is_exact() const { return right - left == 1; }
};

// All crossovers of two curves by increasing x. Between neighbouring points at which both are defined, the
// curves are taken as straight lines. Where they touch and part again on the same sides they do not cross; of
// a stretch on which they are equal, the first point is taken as the place. REQUIRES: the same axis and the
// same `at`.
std::vector<Crossover> crossovers(const Curve& a, const Curve& b);

// From where on `below` is the lower one, for people: "from 4 on (about 3.7)" on an axis of whole numbers,
// where nothing lies between two of them; "from 4 on" where the neighbours are next to each other; "from
// about 3.71ms on" otherwise. REQUIRES: `axis` are the values that it was found on.
std::string from_where(const Crossover& crossover, const Numbers& axis);
// The whole of it, for people: "sorted-queue is cheaper than linux-2.0 from 4 on (about 3.7; 2: 19.78
// against 19.02; 4: 14.04 against 14.17)". REQUIRES: the same, and that it is one of this measure in this
// sweep.
std::string crossing_words(const Crossover& crossover, const SweepSpec& spec, const Measure& measure,
                           const Numbers& axis);

// Those of each pair of curves of the list that have the other axes in common, in the order of the list.
std::vector<Crossover> crossovers(const std::vector<Curve>& curves);

// The mean of a measure at a value of x: what refine() asks its owner to simulate. Nothing when the measure
// is not defined there.
using Probe = std::function<std::optional<double>(std::size_t policy, std::int64_t x)>;

// Halves the gap of a crossover between whole numbers until its neighbours are next to each other. Where the
// curves cross more than once in between, it finds one of the crossovers. It stops early where the measure is
// not defined. REQUIRES: left and right are whole numbers.
Crossover refine(Crossover crossover, const Probe& probe);

}  // namespace sim::lab
