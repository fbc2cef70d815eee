#include "sim/os/linux/measure.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>

#include "sim/calibrate/benchmarks.h"
#include "sim/os/linux/measurements/facts.h"
#include "sim/os/linux/measurements/worker_pool.h"

namespace sim::calibrate {
namespace {

// A set of CPUs, also for machines with more CPUs than a cpu_set_t holds.
class CpuSet {
  public:
    static constexpr int kMost = 8192;
    static constexpr std::size_t kBytes = kMost / 8;

    CpuSet() : set_(CPU_ALLOC(kMost), [](cpu_set_t* set) { CPU_FREE(set); }) {
        if (!set_) throw std::bad_alloc();
        CPU_ZERO_S(kBytes, set_.get());
    }
    void add(int cpu) { CPU_SET_S(cpu, kBytes, set_.get()); }
    bool has(int cpu) const { return cpu < kMost && CPU_ISSET_S(cpu, kBytes, set_.get()); }
    cpu_set_t* get() { return set_.get(); }

  private:
    std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set_;
};

// Keeps this thread and all tasks that it creates on one CPU during its lifetime.
class CpuPinning {
  public:
    // `cpu` -1: the last allowed CPU, because the first CPUs often handle the interrupts of devices.
    explicit CpuPinning(int cpu) : cpu_(cpu) {
        if (sched_getaffinity(0, CpuSet::kBytes, before_.get()) != 0)
            throw MeasurementError(fmt::format("cannot read the allowed CPUs: {}", std::strerror(errno)));
        for (int i = 0; cpu < 0 && i < CpuSet::kMost; ++i)
            if (before_.has(i)) cpu_ = i;
        if (cpu >= 0 && !before_.has(cpu))
            throw MeasurementError(fmt::format("this program may not use CPU {}", cpu));
        CpuSet one;
        one.add(cpu_);
        if (sched_setaffinity(0, CpuSet::kBytes, one.get()) != 0)
            throw MeasurementError(
                fmt::format("cannot bind this program to CPU {}: {}", cpu_, std::strerror(errno)));
    }
    ~CpuPinning() { sched_setaffinity(0, CpuSet::kBytes, before_.get()); }
    CpuPinning(const CpuPinning&) = delete;
    CpuPinning& operator=(const CpuPinning&) = delete;

    int cpu() const { return cpu_; }

  private:
    CpuSet before_;
    int cpu_;
};

struct WorkerPools {
    WorkerPool processes{false}, threads{true};

    WorkerPool& of(const BenchmarkSpec& benchmark) { return benchmark.threads ? threads : processes; }
};

// The number of operations that member 0 must do so that a batch lasts `batch_ns` ns. The minimum is 2. If
// several contexts share the batch, the minimum is 100: each batch also counts two additional switches per
// context, which must remain a small part.
std::uint64_t quota_for(WorkerPool& pool, std::size_t benchmark, double batch_ns) {
    const std::uint64_t least = benchmarks()[benchmark].contexts > 1 ? 100 : 2;
    std::uint64_t quota = 2;
    for (;;) {
        const double total = pool.run_batch(benchmark, quota).total;
        if (total >= batch_ns / 4 || quota > 10'000'000) {
            const double factor = std::clamp(batch_ns / std::max(total, 1.0), 0.01, 4.0);
            return std::max(static_cast<std::uint64_t>(static_cast<double>(quota) * factor), least);
        }
        quota *= 2;
    }
}

// Rounds to the precision of samples files.
double rounded(double value, double steps_per_unit) {
    return std::round(value * steps_per_unit) / steps_per_unit;
}

}  // namespace

CalibrationSamples measure_this_machine(const MeasureOptions& options) {
    const CpuPinning pinning(options.cpu);
    CalibrationSamples samples{.facts = read_machine_facts(pinning.cpu()), .benchmarks = {}};
    samples.benchmarks.resize(benchmarks().size());
    WorkerPools pools;
    const std::int64_t began = read_clock_ns(CLOCK_MONOTONIC);
    const auto share = [&] {
        return static_cast<double>(read_clock_ns(CLOCK_MONOTONIC) - began) /
               static_cast<double>(options.time.count());
    };
    const auto report_progress = [&] {
        if (options.progress) options.progress(std::min(share(), 1.0));
    };
    std::vector<std::uint64_t> quotas;
    for (std::size_t i = 0; i < benchmarks().size(); ++i) {
        report_progress();
        quotas.push_back(quota_for(pools.of(benchmarks()[i]), i, static_cast<double>(options.batch.count())));
    }
    for (std::uint32_t round = 0; round < options.least || share() < 1; ++round)
        for (std::size_t i = 0; i < benchmarks().size(); ++i) {
            report_progress();
            const BatchResult batch = pools.of(benchmarks()[i]).run_batch(i, quotas[i]);
            samples.benchmarks[i].ns.push_back(rounded(batch.ns, 10));
            samples.benchmarks[i].switches.push_back(rounded(batch.switches, 1000));
            samples.benchmarks[i].others.push_back(rounded(batch.others, 1000));
        }
    return samples;
}

}  // namespace sim::calibrate
