// Fits the costs of a machine with a cache. The model is linear in the costs. The footprint of a task is the
// best of several footprints that are tried.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/lab/least_squares.h"

namespace sim::tables {

// The expected number of lines lost by a task with `lines` lines in a cache of `cache_lines` lines, after
// `other_lines` other lines are loaded. The formula is the one of sim/core/residency.h, but without rounding.
double lines_lost(double lines, double other_lines, double cache_lines);

// A setting POINTER=...ns for a cost of a scenario's machine. `us`: the cost in us, which is rounded to ns.
std::string cost_setting(const std::string& pointer, double us);

struct CacheFit {
    int footprint = 0;          // bytes
    std::vector<double> costs;  // costs in us, one for each kind of work in the observations
    double squares = 0;         // sum of the squared differences from the published values
};

// Tries footprints of up to `max_footprint` bytes in steps of 256 and returns the best fit. `observations_at`
// returns the observations (work and published value) for a footprint of `bytes`.
CacheFit fit_cache_parameters(int max_footprint,
                              const std::function<std::vector<lab::Observation>(int bytes)>& observations_at);

}  // namespace sim::tables
