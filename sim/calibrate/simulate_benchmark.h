// Simulates a benchmark on a machine with specified costs. Returns the time and the amounts of work per
// operation.
#pragma once

#include <string>
#include <vector>

#include "sim/calibrate/benchmarks.h"
#include "sim/calibrate/cost_list.h"

namespace sim::calibrate {

struct SimulatedBenchmark {
    double ns = 0;             // per operation
    double switches = 0;       // per operation
    std::vector<double> work;  // units of work per operation, indexed by CalibratedCost
};

// `sum_ns`: user time to sum the benchmark's array. REQUIRES: can_be_simulated(benchmark).
SimulatedBenchmark simulate_benchmark(const BenchmarkSpec& benchmark, const CostList& list,
                                      const MachineFacts& facts, double sum_ns);

// False only for the benchmark of fork() after writing memory. This benchmark serves only to compute the cost
// of a page, from the difference between its time and the time of the benchmark of fork() without written
// memory.
bool can_be_simulated(const BenchmarkSpec& benchmark);

}  // namespace sim::calibrate
