#include "sim/lab/curves.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/lab/values.h"

namespace sim::lab {
namespace {

// The 97.5 % quantiles for 1 to 30 degrees of freedom, to 6 decimals. They were computed by bisection on
// the closed form of the distribution function (Abramowitz and Stegun, 26.7.3 and 26.7.4) and agree with
// printed tables (12.706, 4.303, 3.182, ...). A table makes the results independent of the C library's arc
// tangent.
constexpr std::array<double, 30> kStudentT{
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139,
    2.200985,  2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963,
    2.079614,  2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.045230, 2.042272};

}  // namespace

double student_t_quantile(std::uint64_t degrees_of_freedom) {
    assert(degrees_of_freedom >= 1);
    if (degrees_of_freedom <= kStudentT.size()) return kStudentT[degrees_of_freedom - 1];
    // The normal quantile z with its corrections (Abramowitz and Stegun, 26.7.5), accurate to 7 decimals
    // for more than 30 degrees of freedom: z + (z^3 + z) / 4n + ....
    const double n = static_cast<double>(degrees_of_freedom);
    return 1.959964 + (2.372271 + (2.822499 + (2.555850 + 1.589534 / n) / n) / n) / n;
}

MeanEstimate estimate_mean(const std::vector<double>& values) {
    MeanEstimate e;
    e.n = values.size();
    if (values.empty()) return e;
    const double n = static_cast<double>(values.size());
    double sum = 0;
    for (const double value : values) sum += value;
    e.mean = sum / n;
    // If all values are equal, the mean must be exactly this value, despite rounding of the sum.
    if (std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); }))
        e.mean = values.front();
    if (values.size() == 1) return e;
    double squares = 0;
    for (const double value : values) squares += (value - e.mean) * (value - e.mean);
    e.half = student_t_quantile(values.size() - 1) * std::sqrt(squares / (n - 1) / n);
    return e;
}

SweepResults::SweepResults(SweepSpec spec, std::vector<Measure> measures)
    : spec_(std::move(spec)), measures_(std::move(measures)), there_(spec_.runs()) {
    values_.assign(spec_.runs() * measures_.size(), std::numeric_limits<double>::quiet_NaN());
}

void SweepResults::add(const Row& row) {
    for (std::size_t measure = 0; measure < measures_.size(); ++measure)
        values_[row.run * measures_.size() + measure] =
            value_of(measures_[measure], *row.summary).value_or(std::numeric_limits<double>::quiet_NaN());
    if (there_[row.run]) return;
    there_[row.run] = true;
    ++there_count_;
    const auto reason = row.summary->find("stop_reason");
    if (reason != row.summary->end() && reason->is_string() && *reason != "until" && *reason != "all_exited")
        ++odd_ends_[reason->get<std::string>()];
}

std::optional<double> SweepResults::value(std::size_t measure, std::uint64_t run) const {
    const double value = values_[run * measures_.size() + measure];
    if (std::isnan(value)) return std::nullopt;
    return value;
}

MeanEstimate SweepResults::estimate(std::size_t measure, std::uint64_t point, std::size_t policy) const {
    std::vector<double> values;
    const std::uint64_t first = spec_.first_run(point, policy);
    for (std::uint64_t run = first; run < first + spec_.seeds(); ++run)
        if (const std::optional<double> there = value(measure, run)) values.push_back(*there);
    return estimate_mean(values);
}

Measure yield_share_measure() { return find_measure("/yields/calls:/schedule/calls"); }

bool is_yielding_workload(const SweepResults& results, std::size_t share_index) {
    for (std::uint64_t run = 0; run < results.spec().runs(); ++run)
        if (results.has_run(run) && results.value(share_index, run).value_or(0) < 0.5) return false;
    return true;
}

std::optional<std::size_t> last_numeric_axis(const SweepSpec& spec) {
    for (std::size_t axis = spec.axes.size(); axis-- > 0;)
        if (numbers_of(spec.axes[axis].values)) return axis;
    return std::nullopt;
}

std::vector<Curve> curves(const SweepResults& results, std::size_t measure, std::size_t axis) {
    const SweepSpec& spec = results.spec();
    const std::optional<NumericValues> x = numbers_of(spec.axes[axis].values);
    assert(x);
    std::vector<Curve> list;
    for (std::uint64_t point = 0; point < spec.points(); ++point) {
        std::vector<std::size_t> at = spec.value_indices_at(point);
        if (at[axis] != 0) continue;
        // The difference between the indices of two points with consecutive values on this axis.
        std::uint64_t stride = 1;
        for (std::size_t inner = axis + 1; inner < spec.axes.size(); ++inner)
            stride *= spec.axes[inner].values.size();
        for (std::size_t policy = 0; policy < spec.policies.size(); ++policy) {
            Curve curve{policy, at, {}};
            for (std::size_t value = 0; value < x->values.size(); ++value) {
                const std::uint64_t place = point + value * stride;
                curve.points.push_back({x->values[value], value, results.estimate(measure, place, policy),
                                        spec.first_run(place, policy)});
            }
            std::stable_sort(curve.points.begin(), curve.points.end(),
                             [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
            list.push_back(std::move(curve));
        }
    }
    return list;
}

std::vector<Curve> keep_common_points(std::vector<Curve> curves, const SweepResults& results) {
    const SweepSpec& spec = results.spec();
    // True if every policy has at least one run in `results` at the point of this run.
    const auto is_there = [&](std::uint64_t run) {
        const std::uint64_t point = spec.coordinates(run).point;
        for (std::size_t policy = 0; policy < spec.policies.size(); ++policy) {
            bool any = false;
            const std::uint64_t first = spec.first_run(point, policy);
            for (std::uint64_t seed = 0; seed < spec.seeds() && !any; ++seed)
                any = results.has_run(first + seed);
            if (!any) return false;
        }
        return true;
    };
    for (Curve& curve : curves)
        std::erase_if(curve.points, [&](const CurvePoint& p) { return !is_there(p.run); });
    return curves;
}

}  // namespace sim::lab
