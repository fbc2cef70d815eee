// Least squares for the published tables: computes costs from published values and counted work, and simple
// formulas with which a model is compared. For small dense problems: tens of values, a few unknowns.
#pragma once

#include <vector>

namespace sim::lab {

// base to the power of `times`. Replaces std::pow(), whose last bits differ between C libraries.
double power(double base, unsigned times);

// A published value, and how much of each kind of work it consists of.
struct Observation {
    std::vector<double> work;
    double published = 0;
};

// The cost of each kind of work with the smallest sum of squared differences. A kind that is a linear
// combination of earlier ones gets 0. REQUIRES: all observations have the same number of kinds.
std::vector<double> least_squares(const std::vector<Observation>& observations);

// As least_squares(), but with costs that are not negative. REQUIRES: at most 32 kinds of work.
std::vector<double> prices_of(const std::vector<Observation>& observations);

// The value of an observation predicted by these costs.
double explained(const Observation& observation, const std::vector<double>& prices);

// The sum of squared differences with these costs.
double squares_left(const std::vector<Observation>& observations, const std::vector<double>& prices);

}  // namespace sim::lab
