#include "sim/calibrate/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/units.h"
#include "sim/calibrate/simulate_benchmark.h"
#include "sim/core/cost_model.h"
#include "sim/lab/least_squares.h"

namespace sim::calibrate {
namespace {

// The costs that are fitted together to the benchmarks with context switches, in this order.
constexpr CalibratedCost kFittedTogether[] = {
    CalibratedCost::schedule, CalibratedCost::switch_same, CalibratedCost::other_mm, CalibratedCost::wake_up,
    CalibratedCost::futex,    CalibratedCost::tlb_entry,   CalibratedCost::line,     CalibratedCost::stream};
// Number of fits. Each fit uses simulated numbers of operations, which depend on the costs found before.
constexpr int kRepeats = 6;

bool has_context_switches(const BenchmarkSpec& benchmark) {
    return benchmark.kind == BenchmarkKind::yield || benchmark.kind == BenchmarkKind::ring ||
           benchmark.kind == BenchmarkKind::futex;
}

class CostFitter {
  public:
    CostFitter(const std::vector<BenchmarkSummary>& values, const MachineFacts& facts)
        : values_(values), facts_(facts) {
        list_.entry(CalibratedCost::syscall) = {ns("syscall"), CostBasis::measured,
                                                "getppid(), called repeatedly"};
        list_.entry(CalibratedCost::pipe) = {
            std::max(ns("pipe-alone-0K") / 2 - ns("syscall"), 0.0), CostBasis::measured,
            "half of the time to write a byte to a pipe and read it in one process, minus the cost of a "
            "system call"};
        const double pages = 4096.0 * 1024 / kPageSize;
        list_.entry(CalibratedCost::copied_page) = {
            std::max((ns("fork-4096K") - ns("fork-0K")) / pages, 0.0), CostBasis::measured,
            "time of fork() after writing 4 MiB minus the time of fork() without writing, per page; includes "
            "the child's exit"};
        list_.entry(CalibratedCost::comparison) = {
            10, CostBasis::assumed,
            "the value of server-2020, because this time is too short to measure in "
            "a tree of few tasks"};
        for (const CalibratedCost what : kFittedTogether)
            list_.entry(what) = {what == CalibratedCost::schedule ? 100.0 : 0.0, CostBasis::fitted, {}};
        list_.entry(CalibratedCost::fork_process) = {
            0, CostBasis::fitted,
            "time of fork(), the child's exit and waitpid(), minus the cost of "
            "scheduling"};
        list_.entry(CalibratedCost::fork_thread) = {
            0, CostBasis::fitted,
            "time of pthread_create(), the thread's exit and pthread_join(), minus "
            "the cost of scheduling"};
    }

    CostFit fit() {
        if (const std::uint32_t size = is_valid_cache_size(facts_.l2) ? facts_.l2 : facts_.l1d;
            is_valid_cache_size(size)) {
            list_.cache = size;
            list_.footprint = std::min(kFootprint, size);
        }
        for (int i = 0; i < kRepeats; ++i) fit_costs_together();
        fit_remaining_cost(CalibratedCost::fork_process, "fork-0K");
        fit_remaining_cost(CalibratedCost::fork_thread, "thread");
        return result();
    }

  private:
    double ns(const std::string& benchmark) const {
        return values_[benchmark_index(benchmark)].representative_ns();
    }
    // True if a machine file accepts a cache of this size: a multiple of the line size, at most
    // kLargestSize.
    bool is_valid_cache_size(std::uint32_t size) const {
        const std::uint32_t line = facts_.line == 0 ? 64 : facts_.line;
        return size > 0 && line >= 8 && size % line == 0 && size <= kLargestSize;
    }

    // The user time in which a context sums its array, between two system calls.
    double array_sum_ns(const BenchmarkSpec& benchmark) const {
        if (benchmark.kind != BenchmarkKind::ring && benchmark.kind != BenchmarkKind::pipe_alone) return 0;
        return ns(alone_benchmark_name(benchmark)) - ns("pipe-alone-0K");
    }
    static std::string alone_benchmark_name(const BenchmarkSpec& benchmark) {
        return fmt::format("pipe-alone-{}K", benchmark.kib);
    }

    // For a ring, the measured time of a pass by one process alone. The benchmark's time includes this time.
    // For other benchmarks, 0.
    double single_context_pass_ns(std::size_t i) const {
        const BenchmarkSpec& benchmark = benchmarks()[i];
        return benchmark.kind == BenchmarkKind::ring ? ns(alone_benchmark_name(benchmark)) : 0;
    }
    // The measured time of a benchmark; for a ring, minus the pass of one context alone.
    double measured(std::size_t i) const {
        return values_[i].representative_ns() - single_context_pass_ns(i);
    }

    // Simulates a benchmark. For a ring, subtracts the pass of one context alone.
    SimulatedBenchmark simulate_net_run(std::size_t i, const CostList& list) const {
        const BenchmarkSpec& benchmark = benchmarks()[i];
        SimulatedBenchmark run = simulate_benchmark(benchmark, list, facts_, array_sum_ns(benchmark));
        if (benchmark.kind != BenchmarkKind::ring) return run;
        const SimulatedBenchmark one =
            simulate_benchmark(benchmarks()[benchmark_index(alone_benchmark_name(benchmark))], list, facts_,
                               array_sum_ns(benchmark));
        run.ns -= one.ns;
        for (std::size_t k = 0; k < kCosts; ++k) run.work[k] -= one.work[k];
        return run;
    }

    // The number of operations of each kind in a simulated benchmark. Operations of switches are scaled to
    // the measured number of switches. Reason: in a ring, a few nanoseconds decide whether a woken task
    // preempts the running task, and the costs must not depend on these few nanoseconds.
    std::vector<double> scaled_work(std::size_t i, const SimulatedBenchmark& run) const {
        std::vector<double> work = run.work;
        const auto of = [&](CalibratedCost what) -> double& { return work[static_cast<std::size_t>(what)]; };
        const double simulated = of(CalibratedCost::switch_same);
        // A measured 0 may mean that the system does not count switches.
        if (simulated < 0.5 || values_[i].switches < 0.5) return work;
        const double ratio = std::clamp(values_[i].switches / simulated, 0.5, 2.0);
        of(CalibratedCost::schedule) += (ratio - 1) * simulated;
        for (const CalibratedCost what :
             {CalibratedCost::switch_same, CalibratedCost::other_mm, CalibratedCost::tlb_entry,
              CalibratedCost::line, CalibratedCost::stream})
            of(what) *= ratio;
        return work;
    }

    // Fits the costs in kFittedTogether to the amounts of work. The work of each benchmark is counted by a
    // simulation with the current costs.
    void fit_costs_together() {
        std::vector<lab::Observation> observations;
        for (std::size_t i = 0; i < benchmarks().size(); ++i) {
            if (!has_context_switches(benchmarks()[i])) continue;
            const double all = values_[i].representative_ns();
            const std::vector<double> work = scaled_work(i, simulate_net_run(i, list_));
            lab::Observation o{.work = {}, .published = measured(i) / all};
            for (const CalibratedCost what :
                 {CalibratedCost::syscall, CalibratedCost::pipe, CalibratedCost::comparison})
                o.published -= work[static_cast<std::size_t>(what)] * list_.entry(what).ns / all;
            for (const CalibratedCost what : kFittedTogether)
                o.work.push_back(work[static_cast<std::size_t>(what)] / all);
            observations.push_back(std::move(o));
        }
        const std::vector<double> costs = lab::nonnegative_least_squares(observations);
        for (std::size_t k = 0; k < costs.size(); ++k)
            list_.entry(kFittedTogether[k]) = {
                costs[k], CostBasis::fitted,
                fmt::format("by least squares over {} cells with context switches", observations.size())};
    }

    // Sets the cost `what` to the part of the benchmark's measured time that the other costs do not explain,
    // divided by the number of operations that have this cost.
    void fit_remaining_cost(CalibratedCost what, const std::string& benchmark) {
        const std::size_t i = benchmark_index(benchmark);
        list_.entry(what).ns = 0;
        const SimulatedBenchmark run = simulate_benchmark(benchmarks()[i], list_, facts_, 0);
        const double times = run.work[static_cast<std::size_t>(what)];
        if (times > 0) list_.entry(what).ns = std::max(measured(i) - run.ns, 0.0) / times;
    }

    CostFit result() const {
        CostFit fit{.list = list_, .residuals = {}};
        double squares = 0;
        int count = 0;
        for (std::size_t i = 0; i < benchmarks().size(); ++i) {
            Residual r{.measured = measured(i),
                       .alone = single_context_pass_ns(i),
                       .simulated = {},
                       .switches = {},
                       .fitted = has_context_switches(benchmarks()[i])};
            if (can_be_simulated(benchmarks()[i])) {
                const SimulatedBenchmark run = simulate_net_run(i, list_);
                r.simulated = run.ns;
                r.switches = run.switches;
            }
            if (r.fitted) {
                squares += r.relative_error() * r.relative_error();
                fit.worst = std::max(fit.worst, std::abs(r.relative_error()));
                ++count;
            }
            fit.residuals.push_back(r);
        }
        fit.rms = std::sqrt(squares / std::max(count, 1));
        return fit;
    }

    const std::vector<BenchmarkSummary>& values_;
    const MachineFacts& facts_;
    CostList list_;
};

}  // namespace

CostFit fit_machine(const std::vector<BenchmarkSummary>& values, const MachineFacts& facts) {
    return CostFitter(values, facts).fit();
}

}  // namespace sim::calibrate
