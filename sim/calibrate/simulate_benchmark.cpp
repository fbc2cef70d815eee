#include "sim/calibrate/simulate_benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/core/engine.h"
#include "sim/core/statistics.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/scenario_json.h"

namespace sim::calibrate {
namespace {

using nlohmann::ordered_json;

ordered_json endless_program(ordered_json steps) {
    return ordered_json::array({{{"loop", "forever"}, {"steps", std::move(steps)}}});
}

ordered_json task(const std::string& name, ordered_json program, const BenchmarkSpec& benchmark) {
    ordered_json entry{{"name", name}, {"program", std::move(program)}};
    if (benchmark.threads) entry["mm"] = "threads";
    if (benchmark.kib > 0) entry["working_set"] = fmt::format("{}KiB", benchmark.kib);
    return entry;
}

// The tasks of a scenario that does the work of a benchmark. `user_ns`: user time of a task per turn.
ordered_json scenario_tasks(const BenchmarkSpec& benchmark, std::int64_t user_ns) {
    const ordered_json sum{{"run", fmt::format("{}ns", user_ns)}};
    ordered_json tasks = ordered_json::array();
    switch (benchmark.kind) {
        case BenchmarkKind::syscall:
            // A system call of 0ns takes only the machine's cost of a system call.
            tasks.push_back(task("caller", endless_program({{{"syscall", "0ns"}}}), benchmark));
            break;
        case BenchmarkKind::yield:
            tasks.push_back(task("spinner", endless_program({"yield"}), benchmark));
            tasks[0]["count"] = benchmark.contexts;
            break;
        case BenchmarkKind::pipe_alone:
            tasks.push_back(task("alone", endless_program({{{"pipe_write", "p"}}, sum, {{"pipe_read", "p"}}}),
                                 benchmark));
            break;
        case BenchmarkKind::ring:
            for (int i = 0; i < benchmark.contexts; ++i) {
                const std::string in = fmt::format("p{}", i),
                                  out = fmt::format("p{}", (i + 1) % benchmark.contexts);
                ordered_json program = endless_program({{{"pipe_read", in}}, sum, {{"pipe_write", out}}});
                if (i == 0) program.insert(program.begin(), ordered_json::object({{"pipe_write", out}}));
                tasks.push_back(task(fmt::format("t{}", i), std::move(program), benchmark));
            }
            break;
        case BenchmarkKind::fork:
        case BenchmarkKind::thread: {
            ordered_json child{{"name", "child"}, {"count", 0}, {"program", {{{"wake", "done"}}}}};
            ordered_json parent{{"name", "parent"},
                                {"program", endless_program({{{"fork", "child"}}, {{"wait", "done"}}})}};
            if (benchmark.kind == BenchmarkKind::thread) parent["mm"] = child["mm"] = "threads";
            tasks = {parent, child};
            break;
        }
        case BenchmarkKind::futex:
            tasks.push_back(task("a", endless_program({sum, {{"unpark", "b"}}, "park"}), benchmark));
            tasks.push_back(task("b", endless_program({"park", sum, {{"unpark", "a"}}}), benchmark));
            break;
    }
    return tasks;
}

std::uint64_t count_operations(BenchmarkKind kind, const Statistics& s, std::int64_t user_ns) {
    const auto work = [&](KernelWork which) { return s.work[static_cast<std::size_t>(which)]; };
    switch (kind) {
        case BenchmarkKind::syscall:
            return s.syscalls;
        case BenchmarkKind::yield:
            return s.yields;
        case BenchmarkKind::pipe_alone:
        case BenchmarkKind::ring:
            return work(KernelWork::pipe) / 2;
        case BenchmarkKind::fork:
        case BenchmarkKind::thread:
            return s.forks;
        case BenchmarkKind::futex:
            // The number of operations is computed from the user time, because every operation takes
            // `user_ns` of user time, but not every operation makes a system call.
            return static_cast<std::uint64_t>(s.user.count() / user_ns);
    }
    return 0;
}

// The work per operation between two totals. `operations`: the number of operations.
std::vector<double> work_between(const KernelWorkTotals& before, const KernelWorkTotals& after,
                                 double operations) {
    std::vector<double> result(kCosts, 0.0);
    const auto set = [&](CalibratedCost what, std::uint64_t from, std::uint64_t to) {
        result[static_cast<std::size_t>(what)] += static_cast<double>(to - from) / operations;
    };
    const auto set_work = [&](CalibratedCost what, KernelWork work) {
        const auto i = static_cast<std::size_t>(work);
        set(what, before.work[i], after.work[i]);
    };
    set(CalibratedCost::syscall, before.syscalls, after.syscalls);
    set(CalibratedCost::schedule, before.calls, after.calls);
    set(CalibratedCost::comparison, before.considered, after.considered);
    set(CalibratedCost::comparison, before.queue_steps, after.queue_steps);
    set(CalibratedCost::switch_same, before.switches, after.switches);
    set(CalibratedCost::other_mm, before.mm_loads, after.mm_loads);
    set_work(CalibratedCost::wake_up, KernelWork::wake_up);
    set_work(CalibratedCost::pipe, KernelWork::pipe);
    set_work(CalibratedCost::futex, KernelWork::futex);
    set_work(CalibratedCost::fork_process, KernelWork::fork_process);
    set_work(CalibratedCost::copied_page, KernelWork::copied_page);
    set_work(CalibratedCost::fork_thread, KernelWork::fork_thread);
    set(CalibratedCost::tlb_entry, before.tlb_entries, after.tlb_entries);
    set(CalibratedCost::line, before.cache_lines, after.cache_lines);
    set(CalibratedCost::stream, before.streamed_lines, after.streamed_lines);
    return result;
}

// One simulation of `events` events after a warm-up.
SimulatedBenchmark simulate_once(const BenchmarkSpec& benchmark, const CostList& list,
                                 const MachineFacts& facts, std::int64_t user_ns, std::uint64_t events) {
    const ordered_json json{{"format", "switchyard-scenario/1"},
                            {"title", benchmark.name},
                            {"machine", machine_json(list, facts)},
                            {"policy", policy_for_kernel(facts.kernel)},
                            {"until", "1h"},
                            {"tasks", scenario_tasks(benchmark, user_ns)}};
    const Scenario scenario = parse_scenario(benchmark.name, json_text(json));
    const NamedPolicy policy = make_policy(scenario.policy, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics s(scenario.shape);
    const Globals& g = m.globals();
    const auto go_on = [&](std::uint64_t more) {
        engine.run(m, {.events = g.events + more}, {.statistics = &s});
    };
    go_on(1'000 + 16 * static_cast<std::uint64_t>(benchmark.contexts));
    const KernelWorkTotals before = s.totals();
    const std::uint64_t done = count_operations(benchmark.kind, s, user_ns), switches = g.switches;
    const Nanos from = g.now;
    go_on(events);
    const double each =
        static_cast<double>(std::max<std::uint64_t>(count_operations(benchmark.kind, s, user_ns) - done, 1));
    return {.ns = static_cast<double>((g.now - from).count()) / each,
            .switches = static_cast<double>(g.switches - switches) / each,
            .work = work_between(before, s.totals(), each)};
}

}  // namespace

bool can_be_simulated(const BenchmarkSpec& benchmark) {
    return benchmark.kind != BenchmarkKind::fork || benchmark.kib == 0;
}

SimulatedBenchmark simulate_benchmark(const BenchmarkSpec& benchmark, const CostList& list,
                                      const MachineFacts& facts, double sum_ns) {
    const std::int64_t sum = std::llround(std::max(sum_ns, 0.0));
    constexpr std::uint64_t kEvents = 10'000;
    if (benchmark.kind != BenchmarkKind::ring && benchmark.kind != BenchmarkKind::futex)
        return simulate_once(benchmark, list, facts, sum, kEvents);
    // In one simulation, all turns of the tasks have the same length, so a few nanoseconds can decide for all
    // turns whether a woken task preempts. On a real machine, the lengths differ. So this function averages
    // simulations with turns of different lengths.
    constexpr int kVariants = 8;
    constexpr std::int64_t kApart = 29;  // difference between the lengths, in ns
    SimulatedBenchmark mean{.ns = 0, .switches = 0, .work = std::vector<double>(kCosts, 0.0)};
    for (int i = 1; i <= kVariants; ++i) {
        const SimulatedBenchmark run = simulate_once(benchmark, list, facts, sum + i * kApart, kEvents);
        mean.ns += (run.ns - static_cast<double>(i * kApart)) / kVariants;
        mean.switches += run.switches / kVariants;
        for (std::size_t k = 0; k < kCosts; ++k) mean.work[k] += run.work[k] / kVariants;
    }
    return mean;
}

}  // namespace sim::calibrate
