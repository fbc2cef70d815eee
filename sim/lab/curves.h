// Computes curves from rows: means over the seeds with 95 % confidence intervals, one curve per policy.
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

// The mean of a measure over runs that differ in their seed, and half the width of its 95 % interval. For n
// values this half is t(n - 1) * s / sqrt(n), with standard deviation s and Student's quantile t. It is
// valid if the values are independent and about normally distributed; runs with different seeds are
// independent.
struct Estimate {
    std::uint64_t n = 0;         // number of values
    double mean = 0;             // REQUIRES: n > 0
    std::optional<double> half;  // none for a single value
};
Estimate estimate_of(const std::vector<double>& values);

// The 97.5 % quantile of Student's t distribution: 95 % of it lies within +-t. REQUIRES: degrees >= 1.
double student_t(std::uint64_t degrees);

// The values of some measures, for the available runs of a sweep.
class Results {
  public:
    Results(SweepSpec spec, std::vector<Measure> measures);

    // Adds the values of a run. Runs may come in any order; an existing run is replaced.
    void add(const Row& row);

    const SweepSpec& spec() const { return spec_; }
    const std::vector<Measure>& measures() const { return measures_; }
    std::uint64_t runs() const { return there_count_; }
    bool has(std::uint64_t run) const { return there_[run]; }
    // Returns nullopt if the run is not available or the measure is not defined for it.
    std::optional<double> value(std::size_t measure, std::uint64_t run) const;
    // The estimate over all seeds.
    Estimate estimate(std::size_t measure, std::uint64_t point, std::size_t policy) const;
    // Number of runs with an abnormal end, by reason: deadlock, livelock, task_limit.
    const std::map<std::string, std::uint64_t>& abnormal_stops() const { return odd_ends_; }

  private:
    SweepSpec spec_;
    std::vector<Measure> measures_;
    std::vector<double> values_;  // by run and measure; NaN: none
    std::vector<bool> there_;
    std::uint64_t there_count_ = 0;
    std::map<std::string, std::uint64_t> odd_ends_;
};

// The measure that shows whether a workload yields: the share of schedule() calls made by sched_yield().
Measure yield_share();
// True if sched_yield() made at least half of the schedule() calls in every available run. REQUIRES: `share`
// is the index of yield_share() among the measures.
bool yields(const Results& results, std::size_t share);

struct CurvePoint {
    double x = 0;
    std::size_t value = 0;  // index of x on its axis
    Estimate y;             // its n is 0 if no run is available
    std::uint64_t run = 0;  // the run with the first seed
};

// One policy along one axis, with fixed values of the other axes.
struct Curve {
    std::size_t policy = 0;          // index into SweepSpec::policies
    std::vector<std::size_t> at;     // by axis, as in RunPlace; unused for the axis of x
    std::vector<CurvePoint> points;  // by increasing x
};

// The last axis whose values are all numbers, the default x axis of curves; nullopt if there is none.
std::optional<std::size_t> numeric_axis(const SweepSpec& spec);

// All curves along an axis: one per policy and combination of the other axes' values. REQUIRES: the values of
// the axis are numbers.
std::vector<Curve> curves(const Results& results, std::size_t measure, std::size_t axis);

// Removes the values of x at which some policy has no run yet, because crossovers() would take them for
// gaps. So curves with the same `at` have the same values of x.
std::vector<Curve> keep_common_points(std::vector<Curve> curves, const Results& results);

}  // namespace sim::lab
