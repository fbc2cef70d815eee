// Least squares for the published tables. Computes the costs of counted kinds of work from published
// values, and fits simple formulas that are compared with a model. For small dense problems: tens of
// values, a few unknowns.
#pragma once

#include <vector>

namespace sim::lab {

// Returns `base` to the power of `exponent`. Replaces std::pow(), whose last bits differ between C libraries.
double power(double base, unsigned exponent);

// A published value, and the amount of each kind of work that it includes.
struct Observation {
    std::vector<double> work;
    double published = 0;
};

// The cost of each kind of work that minimizes the sum of squared differences from the published values. If
// the work of a kind is a linear combination of earlier kinds, its cost is 0. REQUIRES: all observations
// have the same number of kinds.
std::vector<double> least_squares(const std::vector<Observation>& observations);

// Like least_squares(), but restricted to costs that are not negative. REQUIRES: at most 32 kinds of work.
std::vector<double> nonnegative_least_squares(const std::vector<Observation>& observations);

// The value that these costs predict for an observation.
double predicted_value(const Observation& observation, const std::vector<double>& costs);

// The sum of squared differences between the published values and those predicted with these costs.
double squared_error(const std::vector<Observation>& observations, const std::vector<double>& costs);

}  // namespace sim::lab
