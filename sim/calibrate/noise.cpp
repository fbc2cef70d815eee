#include "sim/calibrate/noise.h"

#include <algorithm>
#include <numeric>

namespace sim::calibrate {
namespace {

double quantile(std::vector<double> values, double share) {
    const auto place = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
    return values[place];
}

}  // namespace

BenchmarkSummary summarize_samples(const BenchmarkSamples& samples) {
    return {.least = quantile(samples.ns, 0),
            .quarter = quantile(samples.ns, 0.25),
            .median = quantile(samples.ns, 0.5),
            .switches = quantile(samples.switches, 0.5),
            .others = std::accumulate(samples.others.begin(), samples.others.end(), 0.0) /
                      static_cast<double>(samples.others.size())};
}

std::vector<BenchmarkSummary> summarize_samples(const CalibrationSamples& samples) {
    std::vector<BenchmarkSummary> values;
    for (const BenchmarkSamples& benchmark : samples.benchmarks)
        values.push_back(summarize_samples(benchmark));
    return values;
}

double machine_noise(const std::vector<BenchmarkSummary>& values) {
    std::vector<double> spreads;
    for (const BenchmarkSummary& f : values) spreads.push_back(f.spread());
    return quantile(spreads, 0.9);
}

}  // namespace sim::calibrate
