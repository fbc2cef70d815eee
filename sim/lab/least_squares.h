// Least squares for the tables: prices from published figures and counted work, and the simple formulas that
// a model has to be better than. Small and dense: tens of figures, a handful of numbers.
#pragma once

#include <vector>

namespace sim::lab {

// base * base * ... so many times. Not std::pow(), whose last bits differ between C libraries.
double power(double base, unsigned times);

// A published figure and what it is the sum of: so much of each kind of work, each at a price to be found.
struct Observation {
    std::vector<double> work;
    double published = 0;
};

// The prices with the least sum of squared differences. A kind of work that is a combination of those before
// it gets 0. REQUIRES: every observation has as many kinds of work.
std::vector<double> least_squares(const std::vector<Observation>& observations);

// The same among prices of which none is below 0. REQUIRES: at most 32 kinds of work.
std::vector<double> prices_of(const std::vector<Observation>& observations);

// What these prices say of an observation.
double explained(const Observation& observation, const std::vector<double>& prices);

// The sum of the squared differences that they leave.
double squares_left(const std::vector<Observation>& observations, const std::vector<double>& prices);

}  // namespace sim::lab
