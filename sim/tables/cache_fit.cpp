#include "sim/tables/cache_fit.h"

#include <fmt/format.h>

#include <cmath>

namespace sim::tables {

double lines_lost(double lines, double other_lines, double cache_lines) {
    return lines * (1 - lab::power(1 - 1 / cache_lines, static_cast<unsigned>(std::lround(other_lines))));
}

std::string cost_setting(const std::string& pointer, double us) {
    return fmt::format("{}={}ns", pointer, std::lround(us * 1000));
}

CacheFit fit_cache_parameters(
    int max_footprint, const std::function<std::vector<lab::Observation>(int bytes)>& observations_at) {
    constexpr int kStep = 256;
    CacheFit best;
    for (int bytes = kStep; bytes <= max_footprint; bytes += kStep) {
        const std::vector<lab::Observation> observations = observations_at(bytes);
        const std::vector<double> costs = lab::nonnegative_least_squares(observations);
        const double squares = lab::squared_error(observations, costs);
        if (best.footprint == 0 || squares < best.squares) best = {bytes, costs, squares};
    }
    return best;
}

}  // namespace sim::tables
