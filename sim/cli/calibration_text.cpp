#include "sim/cli/calibration_text.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "sim/base/text.h"
#include "sim/calibrate/benchmarks.h"
#include "sim/calibrate/cost_list.h"
#include "sim/cli/output.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/scenario_json.h"
#include "sim/tables/published.h"
#include "sim/tables/yield_cost.h"

namespace sim::cli {
namespace {

using calibrate::BenchmarkKind;
using calibrate::benchmarks;
using calibrate::BenchmarkSpec;
using calibrate::BenchmarkSummary;
using calibrate::CalibratedCost;
using calibrate::Residual;
using nlohmann::ordered_json;

constexpr int kYieldColumns[] = {1, 2, 4, 8, 10, 20, 40, 64};

std::size_t yield_benchmark_index(bool threads, int contexts) {
    return calibrate::benchmark_index(
        fmt::format("yield-{}-{}", threads ? "threads" : "processes", contexts));
}

// --- sched_yield(): in 1997, and on this machine ---

// The value in us in this row of the 1997 table for this number of contexts; std::nullopt: the table has no
// such number.
std::optional<double> published_yield(const tables::YieldRow& row, int contexts) {
    for (std::size_t i = 0; i < tables::kYieldContexts.size(); ++i)
        if (tables::kYieldContexts[i] == contexts) return row.published[i];
    return {};
}

std::string yield_line(const std::string& label,
                       const std::function<std::string(int contexts)>& column_text) {
    std::string line = fmt::format("  {:<28}", label);
    for (const int contexts : kYieldColumns) line += fmt::format("{:>8}", column_text(contexts));
    return line + "\n";
}

std::string yield_text(const Calibration& c, bool threads) {
    const std::span<const tables::YieldRow> rows = tables::yield_rows();
    const std::size_t kind = threads ? 1 : 0;  // each system has a row for processes, then one for threads
    std::string text = yield_line(threads ? "threads" : "processes",
                                  [](int contexts) { return fmt::format("{}", contexts); });
    const auto of_1997 = [&](const char* label, const tables::YieldRow& row) {
        text += yield_line(label, [&](int contexts) {
            const std::optional<double> us = published_yield(row, contexts);
            return us ? fmt::format("{:.0f}", *us) : std::string("-");
        });
    };
    of_1997("1997, Linux", rows[kind]);
    of_1997("1997, Linux, patched", rows[2 + kind]);
    of_1997("1997, Windows NT", rows[4 + kind]);
    const auto residual = [&](int contexts) -> const Residual& {
        return c.fit.residuals[yield_benchmark_index(threads, contexts)];
    };
    text += yield_line("measured", [&](int n) { return fmt::format("{:.3f}", residual(n).measured / 1e3); });
    text +=
        yield_line("simulated", [&](int n) { return fmt::format("{:.3f}", *residual(n).simulated / 1e3); });
    text += yield_line("  error",
                       [&](int n) { return fmt::format("{:+.1f} %", 100 * residual(n).relative_error()); });
    text += yield_line("switches per call, measured", [&](int n) {
        return fmt::format("{:.2f}", c.values[yield_benchmark_index(threads, n)].switches);
    });
    text += yield_line("  simulated", [&](int n) { return fmt::format("{:.2f}", *residual(n).switches); });
    text += yield_line("1997 / measured", [&](int n) {
        const std::optional<double> us = published_yield(rows[kind], n);
        return us ? fmt::format("{:.1f}", *us * 1e3 / residual(n).measured) : std::string("-");
    });
    return text;
}

// --- everything else ---

struct PublishedTime {
    double ns;
    int year;
};

std::optional<PublishedTime> published_time(const BenchmarkSpec& benchmark) {
    if (benchmark.kind == BenchmarkKind::fork && benchmark.kib == 0)
        return PublishedTime{tables::kClone1997 * 1e6, 1997};
    if (benchmark.kind == BenchmarkKind::thread) return PublishedTime{tables::kThread1997 * 1e6, 1997};
    if (benchmark.kind == BenchmarkKind::pipe_alone && benchmark.kib == 0)
        return PublishedTime{tables::kPipeAlone * 1e3, 2019};
    if (benchmark.kind == BenchmarkKind::syscall) return PublishedTime{tables::kSyscall2019 * 1e3, 2019};
    if (benchmark.kind == BenchmarkKind::ring && benchmark.threads && benchmark.contexts == 20)
        return PublishedTime{(tables::kThreadRing - tables::kPipeAlone) * 1e3, 2019};
    if (benchmark.kind == BenchmarkKind::ring && !benchmark.threads)
        for (const tables::LatCtxColumn& column : tables::kLatCtx)
            if (column.processes == benchmark.contexts && column.kib == benchmark.kib)
                return PublishedTime{column.published * 1e3, 2019};
    return {};
}

std::string label_of(const BenchmarkSpec& benchmark) {
    const std::string array = benchmark.kib > 0 ? fmt::format(", {} KiB each", benchmark.kib) : std::string();
    switch (benchmark.kind) {
        case BenchmarkKind::syscall:
            return "a system call";
        case BenchmarkKind::yield:
            return benchmark.name;
        case BenchmarkKind::pipe_alone:
            return "pipe: write and read in one process" + array;
        case BenchmarkKind::ring:
            return fmt::format("switch in a ring of {} {}{}", benchmark.contexts,
                               benchmark.threads ? "threads" : "processes", array);
        case BenchmarkKind::fork:
            return benchmark.kib > 0 ? fmt::format("fork() after writing {} MiB", benchmark.kib / 1024)
                                     : "fork(), exit, wait";
        case BenchmarkKind::thread:
            return "thread: create, exit, join";
        case BenchmarkKind::futex:
            return "switch between threads by futex";
    }
    return benchmark.name;
}

std::string other_benchmarks_text(const Calibration& c) {
    std::string text =
        fmt::format("  {:<48}{:>14}{:>14}{:>14}{:>10}\n", "", "published", "measured", "simulated", "error");
    for (std::size_t i = 0; i < benchmarks().size(); ++i) {
        const BenchmarkSpec& benchmark = benchmarks()[i];
        if (benchmark.kind == BenchmarkKind::yield) continue;
        const Residual& r = c.fit.residuals[i];
        const std::optional<PublishedTime> published = published_time(benchmark);
        text += fmt::format(
            "  {:<48}{:>14}{:>14.3f}{:>14}{:>10}\n", label_of(benchmark),
            published ? fmt::format("{}: {:.2f}", published->year, published->ns / 1e3) : std::string("-"),
            r.measured / 1e3, r.simulated ? fmt::format("{:.3f}", *r.simulated / 1e3) : std::string("-"),
            r.simulated ? fmt::format("{:+.1f} %", 100 * r.relative_error()) : std::string("-"));
    }
    return text;
}

std::string measurements_text(const Calibration& c) {
    std::string text = fmt::format("  {:<22}{:>12}{:>12}{:>12}{:>9}{:>10}{:>9}\n", "cell", "least", "quarter",
                                   "median", "spread", "switches", "others");
    for (std::size_t i = 0; i < benchmarks().size(); ++i) {
        const BenchmarkSummary& f = c.values[i];
        text += fmt::format("  {:<22}{:>12.1f}{:>12.1f}{:>12.1f}{:>7.1f} %{:>10.2f}{:>7.1f} %\n",
                            benchmarks()[i].name, f.least, f.quarter, f.median, 100 * f.spread(), f.switches,
                            100 * f.others);
    }
    return text;
}

// The cost that the machine file of the 1997 Pentium states; std::nullopt: the file does not state this
// cost.
std::optional<double> cost_in_1997(const CostModel& costs, CalibratedCost cost_kind) {
    const auto if_any = [](Nanos cost) {
        return cost > Nanos{} ? std::optional(static_cast<double>(cost.count())) : std::nullopt;
    };
    switch (cost_kind) {
        case CalibratedCost::syscall:
            return if_any(costs.syscall.time);
        case CalibratedCost::schedule:
            return if_any(costs.schedule.time);
        case CalibratedCost::comparison:
            return if_any(costs.considered.time);
        case CalibratedCost::switch_same:
            return if_any(costs.switch_same_mm.time);
        case CalibratedCost::other_mm:
            return if_any(costs.switch_other_mm.time - costs.switch_same_mm.time);
        case CalibratedCost::fork_process:
            return if_any(costs.cost_of(KernelWork::fork_process));
        case CalibratedCost::fork_thread:
            return if_any(costs.cost_of(KernelWork::fork_thread));
        default:
            return {};
    }
}

std::string costs_text(const Calibration& c) {
    const CostModel costs = load_scenario("yield-processes").machine.costs;
    std::string text = fmt::format("  {:<32}{:>12}{:>14}  {}\n", "cost, ns", "Pentium", "this machine", "");
    for (std::size_t i = 0; i < calibrate::kCosts; ++i) {
        const auto what = static_cast<CalibratedCost>(i);
        const calibrate::CostEntry& entry = c.fit.list.entry(what);
        const std::optional<double> then = cost_in_1997(costs, what);
        text += fmt::format("  {:<32}{:>12}{:>14.1f}  {}: {}\n", to_string(what),
                            then ? fmt::format("{:.0f}", *then) : std::string("-"), entry.ns,
                            to_string(entry.basis), entry.why);
    }
    return text;
}

std::string kib_text(std::uint32_t bytes) {
    return bytes == 0 ? std::string("unknown size") : fmt::format("{} KiB", bytes / 1024);
}

}  // namespace

Calibration fit_calibration(calibrate::CalibrationSamples samples) {
    Calibration c{.samples = std::move(samples), .values = {}, .fit = {}};
    c.values = calibrate::summarize_samples(c.samples);
    c.fit = calibrate::fit_machine(c.values, c.samples.facts);
    return c;
}

std::string calibration_text(const Calibration& c, bool quiet) {
    const calibrate::MachineFacts& facts = c.samples.facts;
    std::string text = fmt::format(
        "calibrate: {} under Linux {}, {} ticks per second, on one of {} CPUs; L1 cache {}, L2 cache {}\n{} "
        "cells (measured operations), {} batches of each; noise {:.1f} %: one cell in ten has a larger "
        "spread (limit {:.0f} %)\n\n",
        printable(facts.processor), printable(facts.kernel), facts.hz, facts.cpus, kib_text(facts.l1d),
        kib_text(facts.l2), benchmarks().size(), c.samples.benchmarks.front().ns.size(),
        100 * calibrate::machine_noise(c.values), 100 * calibrate::kMostNoise);
    text += "Time of sched_yield() in us per call, by number of contexts that call it in a loop\n\n" +
            yield_text(c, false) + "\n" + yield_text(c, true) +
            "\n1997: a 200 MHz Pentium MMX. Measured: this machine, lower quartile of the batches. "
            "Simulated: under " +
            calibrate::policy_for_kernel(facts.kernel) + ".\n\n";
    text +=
        "All other times, in us. The time of a switch is the time to pass a byte to the next task of a ring "
        "of pipes, minus\nthe time of the same work in a single process; its error is relative to the time "
        "of the whole pass.\n\n" +
        other_benchmarks_text(c);
    text += fmt::format(
        "\nThe costs were fitted to the {} cells of yields, rings and futex: rms error {:.1f} %, worst "
        "error {:.1f} %. The pipe in\none process, fork and thread each determine a cost of their own, so "
        "their agreement is not evidence.\n\n",
        std::count_if(c.fit.residuals.begin(), c.fit.residuals.end(),
                      [](const Residual& r) { return r.fitted; }),
        100 * c.fit.rms, 100 * c.fit.worst);
    text += costs_text(c);
    text += fmt::format(
        "  Tuned: a TLB footprint of {} pages. Also assumed: {} TLB entries{}. The costs of fork and thread "
        "include exit.\n  All other costs are those of server-2020.\n",
        calibrate::kTlbPages, calibrate::kTlbEntries,
        c.fit.list.cache > 0 ? fmt::format(", a footprint of {} in a cache of {}",
                                           kib_text(c.fit.list.footprint), kib_text(c.fit.list.cache))
                             : std::string());
    text +=
        "\nMeasured times in ns per operation. quarter: lower quartile; spread: relative distance from "
        "quarter to median;\nothers: share of the time in which the CPU did not run the measured "
        "program\n\n" +
        measurements_text(c);
    if (!quiet)
        text +=
            "\nTry next:\n"
            "  mkdir machines && switchyard calibrate --save-machine machines/here.json\n"
            "  switchyard save yield-threads --set /until=1s --output mine.json\n"
            "  switchyard run mine.json --set /machine=here --policy linux-6.6\n";
    return text;
}

std::string calibration_json(const Calibration& c) {
    const calibrate::MachineFacts& facts = c.samples.facts;
    ordered_json list = ordered_json::array();
    for (std::size_t i = 0; i < benchmarks().size(); ++i) {
        const BenchmarkSummary& f = c.values[i];
        const Residual& r = c.fit.residuals[i];
        ordered_json benchmark{{"cell", benchmarks()[i].name}, {"least_ns", f.least},
                               {"quarter_ns", f.quarter},      {"median_ns", f.median},
                               {"spread", f.spread()},         {"switches", f.switches},
                               {"others", f.others},           {"measured_ns", r.measured}};
        benchmark["simulated_ns"] = r.simulated ? ordered_json(*r.simulated) : ordered_json(nullptr);
        benchmark["simulated_switches"] = r.switches ? ordered_json(*r.switches) : ordered_json(nullptr);
        benchmark["error"] = r.simulated ? ordered_json(r.relative_error()) : ordered_json(nullptr);
        benchmark["fitted"] = r.fitted;
        if (benchmarks()[i].kind == BenchmarkKind::yield) {
            const std::size_t kind = benchmarks()[i].threads ? 1 : 0;
            const std::pair<const char*, std::size_t> rows[] = {
                {"linux_1997_ns", kind}, {"linux_1997_patched_ns", 2 + kind}, {"nt_1997_ns", 4 + kind}};
            for (const auto& [key, row] : rows)
                if (const auto us = published_yield(tables::yield_rows()[row], benchmarks()[i].contexts))
                    benchmark[key] = *us * 1e3;
        } else if (const auto published = published_time(benchmarks()[i])) {
            benchmark["published_ns"] = published->ns;
            benchmark["published_in"] = published->year;
        }
        list.push_back(std::move(benchmark));
    }
    ordered_json costs = ordered_json::array();
    for (std::size_t i = 0; i < calibrate::kCosts; ++i) {
        const calibrate::CostEntry& entry = c.fit.list.costs[i];
        costs.push_back({{"cost", to_string(static_cast<CalibratedCost>(i))},
                         {"ns", entry.ns},
                         {"basis", to_string(entry.basis)},
                         {"source", entry.why}});
    }
    const ordered_json result{{"kernel", facts.kernel},
                              {"processor", facts.processor},
                              {"policy", calibrate::policy_for_kernel(facts.kernel)},
                              {"batches", c.samples.benchmarks.front().ns.size()},
                              {"noise", calibrate::machine_noise(c.values)},
                              {"rms", c.fit.rms},
                              {"worst", c.fit.worst},
                              {"cells", std::move(list)},
                              {"costs", std::move(costs)},
                              {"machine", calibrate::machine_json(c.fit.list, facts)}};
    return json_text(result, 2) + "\n";
}

}  // namespace sim::cli
