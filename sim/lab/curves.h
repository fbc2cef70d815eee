// Computes curves from the rows of a sweep, one curve per policy. A curve consists of means over the seeds
// with 95 % confidence intervals.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/lab/measure.h"
#include "sim/lab/sweep_run.h"
#include "sim/lab/sweep_spec.h"

namespace sim::lab {

// The mean of a measure over runs that differ only in their seed, and half the width of the 95 % confidence
// interval. For n values this half is t(n - 1) * s / sqrt(n), with standard deviation s and Student's
// quantile t. The interval is valid if the values are independent and about normally distributed. Runs with
// different seeds are independent.
struct MeanEstimate {
    std::uint64_t n = 0;         // number of values
    double mean = 0;             // REQUIRES: n > 0
    std::optional<double> half;  // half the width of the interval; nullopt if n is 1
};
MeanEstimate estimate_mean(const std::vector<double>& values);

// The 97.5 % quantile t of Student's distribution with this number of degrees of freedom: 95 % of the
// distribution lies between -t and t. REQUIRES: degrees_of_freedom >= 1.
double student_t_quantile(std::uint64_t degrees_of_freedom);

// The values of the selected measures in the runs of a sweep that have been added so far.
class SweepResults {
  public:
    SweepResults(SweepSpec spec, std::vector<Measure> measures);

    // Adds the values of a run. Runs can be added in any order; a run with the same number is replaced.
    void add(const Row& row);

    const SweepSpec& spec() const { return spec_; }
    const std::vector<Measure>& measures() const { return measures_; }
    std::uint64_t added_run_count() const { return there_count_; }
    bool has_run(std::uint64_t run) const { return there_[run]; }
    // Returns nullopt if the run has not been added or the measure is not defined for it.
    std::optional<double> value(std::size_t measure, std::uint64_t run) const;
    // The mean of a measure over the added runs with this point and policy, and its confidence interval.
    MeanEstimate estimate(std::size_t measure, std::uint64_t point, std::size_t policy) const;
    // Number of runs that ended abnormally, by reason: deadlock, livelock, task_limit.
    const std::map<std::string, std::uint64_t>& abnormal_stops() const { return odd_ends_; }

  private:
    SweepSpec spec_;
    std::vector<Measure> measures_;
    std::vector<double> values_;  // values by run and measure; NaN: no value
    std::vector<bool> there_;
    std::uint64_t there_count_ = 0;
    std::map<std::string, std::uint64_t> odd_ends_;
};

// The share of schedule() calls that sched_yield() made. It indicates whether tasks of a workload yield.
Measure yield_share_measure();
// True if sched_yield() made at least half of the schedule() calls in every run that has been added.
// REQUIRES: `share_index` is the index of yield_share_measure() among the measures.
bool is_yielding_workload(const SweepResults& results, std::size_t share_index);

struct CurvePoint {
    double x = 0;
    std::size_t value = 0;  // index of x on its axis
    MeanEstimate y;         // mean and interval of the measure; n is 0 if there is no value
    std::uint64_t run = 0;  // number of the run with the first seed
};

// The curve of one policy along one axis. The values of the other axes are fixed.
struct Curve {
    std::size_t policy = 0;          // index into SweepSpec::policies
    std::vector<std::size_t> at;     // for each axis, the index of the fixed value; not used for the x axis
    std::vector<CurvePoint> points;  // sorted by increasing x
};

// The last axis whose values are all numbers, the default x axis of curves; nullopt if there is none.
std::optional<std::size_t> last_numeric_axis(const SweepSpec& spec);

// All curves along an axis: one for each policy and each combination of values of the other axes. REQUIRES:
// the values of the axis are numbers.
std::vector<Curve> curves(const SweepResults& results, std::size_t measure, std::size_t axis);

// Removes the points at values of x for which a policy has no run yet, because crossovers() would treat
// them as gaps. Curves with the same `at` then have the same values of x.
std::vector<Curve> keep_common_points(std::vector<Curve> curves, const SweepResults& results);

}  // namespace sim::lab
