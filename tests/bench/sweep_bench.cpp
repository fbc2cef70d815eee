// Measures sweep points per second on one core and on several. With two cores, the rate must be at least
// 1.9 times that with one core. Because the load of the machine varies, one-core and two-core runs are made
// in alternation (--benchmark_enable_random_interleaving=true --benchmark_repetitions=31).
#include <benchmark/benchmark.h>

#include "sim/lab/parallel.h"
#include "sim/lab/sweep_file.h"
#include "sim/lab/sweep_run.h"

namespace {

using namespace sim::lab;

// 96 runs of 100 ms of simulated time; each takes about 1 ms.
const Sweep& sweep() {
    static const Sweep one(sim::find_scenario("yield-processes"),
                           {.sets = {"/until=100ms"},
                            .vary = {"/tasks/0/count=2,4,8,10,20,40,80,160"},
                            .policies = {"linux-2.0", "linux-2.0:yield=one_tick", "sorted-queue"},
                            .seeds = "4"});
    return one;
}

void points_per_second(benchmark::State& state) {
    const std::uint64_t runs = sweep().spec().runs();
    for (auto _ : state) {
        std::size_t bytes = 0;
        process_in_order(
            static_cast<unsigned>(state.range(0)), runs,
            [](std::uint64_t run) { return row_line(sweep().spec(), run_to_end(sweep(), run)); },
            [&](std::uint64_t, const std::string& line) { bytes += line.size(); }, [] {});
        benchmark::DoNotOptimize(bytes);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(runs) * state.iterations());
}
BENCHMARK(points_per_second)->Name("sweep/jobs")->Arg(1)->Arg(2)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace
