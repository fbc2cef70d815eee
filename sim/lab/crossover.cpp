#include "sim/lab/crossover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sim::lab {
namespace {

// The x at which the straight lines between `left` and `right` intersect. REQUIRES: the differences have
// opposite signs.
double intersection_x(double left, double right, double difference_left, double difference_right) {
    return left + (right - left) * (difference_left / (difference_left - difference_right));
}

}  // namespace

std::vector<Crossover> crossovers(const Curve& a, const Curve& b) {
    std::vector<Crossover> list;
    const CurvePoint *last_a = nullptr, *last_b = nullptr;  // latest points where the curves differ
    const CurvePoint* equal = nullptr;                      // first later point at which the curves are equal
    for (std::size_t i = 0; i < std::min(a.points.size(), b.points.size()); ++i) {
        const CurvePoint &pa = a.points[i], &pb = b.points[i];
        // If a curve has no value at this point, the search for crossovers restarts after the point.
        if (pa.y.n == 0 || pb.y.n == 0) {
            last_a = last_b = nullptr;
            equal = nullptr;
            continue;
        }
        const double difference = pa.y.mean - pb.y.mean;
        if (difference == 0) {
            if (equal == nullptr) equal = &pa;
            continue;
        }
        if (last_a != nullptr) {
            const double before = last_a->y.mean - last_b->y.mean;
            if ((before < 0) != (difference < 0)) {
                const bool b_wins = difference > 0;
                Crossover c;
                c.below = b_wins ? b.policy : a.policy;
                c.above = b_wins ? a.policy : b.policy;
                c.at = a.at;
                c.left = last_a->x;
                c.right = pa.x;
                c.below_left = (b_wins ? last_b : last_a)->y.mean;
                c.above_left = (b_wins ? last_a : last_b)->y.mean;
                c.below_right = (b_wins ? pb : pa).y.mean;
                c.above_right = (b_wins ? pa : pb).y.mean;
                c.x = equal != nullptr ? equal->x : intersection_x(c.left, c.right, before, difference);
                const auto errors = [](const CurvePoint& p, const CurvePoint& q) {
                    return p.y.half.value_or(0) + q.y.half.value_or(0);
                };
                c.is_clear =
                    std::abs(before) > errors(*last_a, *last_b) && std::abs(difference) > errors(pa, pb);
                list.push_back(std::move(c));
            }
        }
        last_a = &pa;
        last_b = &pb;
        equal = nullptr;
    }
    return list;
}

std::vector<Crossover> crossovers(const std::vector<Curve>& curves) {
    std::vector<Crossover> list;
    for (std::size_t i = 0; i < curves.size(); ++i)
        for (std::size_t k = i + 1; k < curves.size() && curves[k].at == curves[i].at; ++k) {
            const std::vector<Crossover> found = crossovers(curves[i], curves[k]);
            list.insert(list.end(), found.begin(), found.end());
        }
    return list;
}

std::string crossover_position_text(const Crossover& c, const NumericValues& axis) {
    if (!axis.integers) return fmt::format("from about {:.3g}{} on", c.x, axis.unit);
    if (c.is_exact()) return fmt::format("from {:.10g} on", c.right);
    const double first = std::floor(c.x) + 1;  // first whole number after the crossover
    // The value of x is shown with one decimal, or with two if one decimal would make it look like a whole
    // number.
    for (const int decimals : {1, 2}) {
        std::string about = fmt::format("{:.{}f}", c.x, decimals);
        if (about.find_first_not_of('0', about.find('.') + 1) != std::string::npos)
            return fmt::format("from {:.10g} on (about {})", first, about);
    }
    return c.x == first - 1 ? fmt::format("from {:.10g} on (about {:.10g})", first, c.x)
                            : fmt::format("from {:.10g} on", first);
}

std::string crossover_text(const Crossover& c, const SweepSpec& spec, const Measure& m,
                           const NumericValues& axis) {
    const auto side = [&](double x, double below, double above) {
        return fmt::format("{:.10g}{}: {} against {}", x, axis.unit, m.text(below), m.text(above));
    };
    // Adds the measured values inside the parentheses of a text such as "from 4 on (about 3.7)".
    std::string from = crossover_position_text(c, axis);
    from.ends_with(')') ? from.replace(from.size() - 1, 1, "; ") : from.append(" (");
    return fmt::format("{} is {} than {} {}{}; {}){}", spec.policies[c.below],
                       m.is_cost ? "cheaper" : "lower", spec.policies[c.above], from,
                       side(c.left, c.below_left, c.above_left), side(c.right, c.below_right, c.above_right),
                       c.is_clear ? "" : ", but the intervals overlap");
}

Crossover refine(Crossover c, const Probe& probe) {
    auto left = static_cast<std::int64_t>(c.left), right = static_cast<std::int64_t>(c.right);
    while (right - left > 1) {
        const std::int64_t middle = left + (right - left) / 2;
        const std::optional<double> below = probe(c.below, middle), above = probe(c.above, middle);
        if (!below || !above) break;
        if (*below < *above) {
            right = middle;
            c.below_right = *below;
            c.above_right = *above;
        } else {
            left = middle;
            c.below_left = *below;
            c.above_left = *above;
        }
    }
    c.left = static_cast<double>(left);
    c.right = static_cast<double>(right);
    const double before = c.above_left - c.below_left, after = c.above_right - c.below_right;
    if (before < 0 && after > 0) c.x = intersection_x(c.left, c.right, before, after);
    if (before == 0) c.x = c.left;
    return c;
}

}  // namespace sim::lab
