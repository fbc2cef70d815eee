#include "sim/lab/least_squares.h"

#include <cmath>
#include <cstddef>

namespace sim::lab {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

void subtract_multiple(std::vector<double>& target, double factor, const std::vector<double>& subtrahend) {
    for (std::size_t i = 0; i < target.size(); ++i) target[i] -= factor * subtrahend[i];
}

std::vector<double> column_of(const std::vector<Observation>& observations, std::size_t k) {
    std::vector<double> column;
    column.reserve(observations.size());
    for (const Observation& o : observations) column.push_back(o.work[k]);
    return column;
}

// Returns the costs with the least squared error, under the restriction that only the kinds of work whose bit
// is set in `chosen` have a cost. The costs of the other kinds are 0.
std::vector<double> solve(const std::vector<Observation>& observations, unsigned chosen) {
    const std::size_t kinds = observations.front().work.size();
    std::vector<double> rest;
    for (const Observation& o : observations) rest.push_back(o.published);

    // Modified Gram-Schmidt: the projections of each column onto the earlier columns are subtracted from
    // it.
    struct Column {
        std::size_t kind;
        std::vector<double> direction;  // unit vector
        std::vector<double> on_earlier;
        // `length` is the length of the column after the subtraction. `share` is the component of the
        // published values in the direction of the column.
        double length, share;
    };
    std::vector<Column> columns;
    for (std::size_t k = 0; k < kinds; ++k) {
        if ((chosen >> k & 1u) == 0) continue;
        Column c{k, column_of(observations, k), {}, 0, 0};
        const double whole = std::sqrt(dot(c.direction, c.direction));
        for (const Column& earlier : columns) {
            c.on_earlier.push_back(dot(earlier.direction, c.direction));
            subtract_multiple(c.direction, c.on_earlier.back(), earlier.direction);
        }
        c.length = std::sqrt(dot(c.direction, c.direction));
        if (c.length <= 1e-9 * whole) continue;  // linearly dependent on earlier columns
        for (double& d : c.direction) d /= c.length;
        c.share = dot(c.direction, rest);
        subtract_multiple(rest, c.share, c.direction);
        columns.push_back(std::move(c));
    }
    std::vector<double> costs(kinds, 0.0);
    for (std::size_t i = columns.size(); i-- > 0;) {
        double share = columns[i].share;
        for (std::size_t later = i + 1; later < columns.size(); ++later)
            share -= columns[later].on_earlier[i] * costs[columns[later].kind];
        costs[columns[i].kind] = share / columns[i].length;
    }
    return costs;
}

struct BestFit {
    std::vector<double> costs;
    double squares;
};

// Finds the best non-negative costs of the kinds of work in `chosen`; all other kinds cost 0. solve() can
// also return negative costs. Then at least one kind with a negative cost has cost 0 in the best non-negative
// solution, so the search leaves out each of these kinds in turn. (If all of them cost more than 0, a small
// change of this solution towards the result of solve() would reduce the error and keep all costs valid.)
void search(const std::vector<Observation>& observations, unsigned chosen, BestFit& best) {
    const std::vector<double> costs = solve(observations, chosen);
    const double squares = squared_error(observations, costs);
    if (squares >= best.squares) return;
    bool allowed = true;
    for (std::size_t k = 0; k < costs.size(); ++k) {
        if (costs[k] >= 0) continue;
        allowed = false;
        search(observations, chosen & ~(1u << k), best);
    }
    if (allowed) best = {costs, squares};
}

}  // namespace

double power(double base, unsigned exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        if ((exponent & 1) != 0) result *= base;
    return result;
}

std::vector<double> least_squares(const std::vector<Observation>& observations) {
    return solve(observations, ~0u);
}

std::vector<double> nonnegative_least_squares(const std::vector<Observation>& observations) {
    BestFit best{std::vector<double>(observations.front().work.size(), 0.0), 0};
    best.squares = squared_error(observations, best.costs);
    search(observations, ~0u, best);
    return best.costs;
}

double predicted_value(const Observation& observation, const std::vector<double>& costs) {
    return dot(observation.work, costs);
}

double squared_error(const std::vector<Observation>& observations, const std::vector<double>& costs) {
    double sum = 0;
    for (const Observation& o : observations) {
        const double difference = predicted_value(o, costs) - o.published;
        sum += difference * difference;
    }
    return sum;
}

}  // namespace sim::lab
