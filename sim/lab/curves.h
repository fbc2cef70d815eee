// From rows to curves: means over the seeds with their 95 % intervals, one curve for each policy.
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

// The mean of some runs that differ in their seed, and half the width of its 95 % interval: with n values x,
// t(n - 1) * s / sqrt(n), where s is their standard deviation and t Student's quantile. It is honest when the
// values are independent and about normally distributed; runs with different seeds are independent.
struct Estimate {
    std::uint64_t n = 0;         // values that there are
    double mean = 0;             // REQUIRES: n > 0
    std::optional<double> half;  // none for a single value, which says nothing of its error
};
Estimate estimate_of(const std::vector<double>& values);

// The 97.5 % quantile of Student's t distribution: 95 % of it lie within +-t. REQUIRES: degrees >= 1.
double student_t(std::uint64_t degrees);

// The values of some measures, of those runs of a sweep that are there.
class Results {
  public:
    Results(SweepSpec spec, std::vector<Measure> measures);

    // In any order; a run that is there already is replaced.
    void add(const Row& row);

    const SweepSpec& spec() const { return spec_; }
    const std::vector<Measure>& measures() const { return measures_; }
    std::uint64_t runs() const { return there_count_; }
    bool has(std::uint64_t run) const { return there_[run]; }
    // Nothing when the run is not there or the measure is not defined for it.
    std::optional<double> value(std::size_t measure, std::uint64_t run) const;
    // Over the seeds.
    Estimate estimate(std::size_t measure, std::uint64_t point, std::size_t policy) const;
    // How many runs ended otherwise than the scenario wanted, by reason: deadlock, livelock, task_limit.
    const std::map<std::string, std::uint64_t>& odd_ends() const { return odd_ends_; }

  private:
    SweepSpec spec_;
    std::vector<Measure> measures_;
    std::vector<double> values_;  // run by run; NaN for none
    std::vector<bool> there_;
    std::uint64_t there_count_ = 0;
    std::map<std::string, std::uint64_t> odd_ends_;
};

// The measure that says whether a workload yields: which share of the calls of schedule() came from
// sched_yield().
Measure yield_share();
// Whether it does, in every run that is there: half of the calls or more came from sched_yield(). REQUIRES:
// `share` is the index of yield_share() among the measures.
bool yields(const Results& results, std::size_t share);

struct CurvePoint {
    double x = 0;
    std::size_t value = 0;  // the index of x on its axis
    Estimate y;             // n may be 0
    std::uint64_t run = 0;  // the first of its runs
};

// One policy along one axis, the other axes held at some values.
struct Curve {
    std::size_t policy = 0;          // an index into the spec's
    std::vector<std::size_t> at;     // by axis, as in RunPlace; of no meaning for the axis of x
    std::vector<CurvePoint> points;  // by increasing x
};

// The last axis whose values are all numbers: what curves run along unless somebody says otherwise. Nothing
// when there is none.
std::optional<std::size_t> numeric_axis(const SweepSpec& spec);

// All curves along an axis, for each combination of the other axes' values one for each policy.
// REQUIRES: the values of the axis are numbers.
std::vector<Curve> curves(const Results& results, std::size_t measure, std::size_t axis);

// The same without those values of x for which a policy has no run yet: what has not been simulated is no
// gap to stop at when one looks for crossovers. Curves of the same `at` keep the same values.
std::vector<Curve> there_in_all(std::vector<Curve> curves, const Results& results);

}  // namespace sim::lab
