// Fits in which a cache has a part: linear in all prices, but for how much of the cache each task uses, which
// is tried.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/lab/least_squares.h"

namespace sim::cli {

// Of so many lines, those that are displaced by `others` in a cache of so many: what sim/core/residency.h
// counts, without its rounding.
double lines_lost(double lines, double others, double places);

// A price in us, rounded as a change of a scenario's machine: POINTER="...ns".
std::string set_price(const std::string& pointer, double us);

struct CacheFit {
    int footprint = 0;           // bytes
    std::vector<double> prices;  // us, of the work that `observed` lists
    double squares = 0;          // of the differences, added up
};

// The footprint, in steps of 256 bytes up to `most`, and the prices that fit best. `observed` says what the
// work is with so many bytes of footprint.
CacheFit fit_cache(int most, const std::function<std::vector<lab::Observation>(int bytes)>& observed);

}  // namespace sim::cli
