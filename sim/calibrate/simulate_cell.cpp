#include "sim/calibrate/simulate_cell.h"

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

ordered_json forever(ordered_json steps) {
    return ordered_json::array({{{"loop", "forever"}, {"steps", std::move(steps)}}});
}

ordered_json task(const std::string& name, ordered_json program, const CellSpec& cell) {
    ordered_json entry{{"name", name}, {"program", std::move(program)}};
    if (cell.threads) entry["mm"] = "threads";
    if (cell.kib > 0) entry["working_set"] = fmt::format("{}KiB", cell.kib);
    return entry;
}

// The tasks of a scenario that does the work of a cell. `own_ns`: user time of a task per turn.
ordered_json tasks_of(const CellSpec& cell, std::int64_t own_ns) {
    const ordered_json sum{{"run", fmt::format("{}ns", own_ns)}};
    ordered_json tasks = ordered_json::array();
    switch (cell.kind) {
        case CellKind::syscall:
            // A system call of 0ns takes only the machine's cost of a system call.
            tasks.push_back(task("caller", forever({{{"syscall", "0ns"}}}), cell));
            break;
        case CellKind::yield:
            tasks.push_back(task("spinner", forever({"yield"}), cell));
            tasks[0]["count"] = cell.contexts;
            break;
        case CellKind::pipe_alone:
            tasks.push_back(task("alone", forever({{{"pipe_write", "p"}}, sum, {{"pipe_read", "p"}}}), cell));
            break;
        case CellKind::ring:
            for (int i = 0; i < cell.contexts; ++i) {
                const std::string in = fmt::format("p{}", i),
                                  out = fmt::format("p{}", (i + 1) % cell.contexts);
                ordered_json program = forever({{{"pipe_read", in}}, sum, {{"pipe_write", out}}});
                if (i == 0) program.insert(program.begin(), ordered_json::object({{"pipe_write", out}}));
                tasks.push_back(task(fmt::format("t{}", i), std::move(program), cell));
            }
            break;
        case CellKind::fork:
        case CellKind::thread: {
            ordered_json child{{"name", "child"}, {"count", 0}, {"program", {{{"wake", "done"}}}}};
            ordered_json parent{{"name", "parent"},
                                {"program", forever({{{"fork", "child"}}, {{"wait", "done"}}})}};
            if (cell.kind == CellKind::thread) parent["mm"] = child["mm"] = "threads";
            tasks = {parent, child};
            break;
        }
        case CellKind::futex:
            tasks.push_back(task("a", forever({sum, {{"unpark", "b"}}, "park"}), cell));
            tasks.push_back(task("b", forever({"park", sum, {{"unpark", "a"}}}), cell));
            break;
    }
    return tasks;
}

std::uint64_t operations(CellKind kind, const Statistics& s, std::int64_t own_ns) {
    const auto work = [&](KernelWork which) { return s.work[static_cast<std::size_t>(which)]; };
    switch (kind) {
        case CellKind::syscall:
            return s.syscalls;
        case CellKind::yield:
            return s.yields;
        case CellKind::pipe_alone:
        case CellKind::ring:
            return work(KernelWork::pipe) / 2;
        case CellKind::fork:
        case CellKind::thread:
            return s.forks;
        case CellKind::futex:
            // The number of operations follows from the user time: every operation has its user time, but
            // not every operation is a system call.
            return static_cast<std::uint64_t>(s.user.count() / own_ns);
    }
    return 0;
}

// The work per operation between two totals. `each`: the number of operations.
std::vector<double> work_between(const WorkTotals& before, const WorkTotals& after, double each) {
    std::vector<double> result(kCosts, 0.0);
    const auto set = [&](CalibratedCost what, std::uint64_t from, std::uint64_t to) {
        result[static_cast<std::size_t>(what)] += static_cast<double>(to - from) / each;
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
CellRun simulate_once(const CellSpec& cell, const CostList& list, const MachineFacts& facts,
                      std::int64_t own_ns, std::uint64_t events) {
    const ordered_json json{
        {"format", "switchyard-scenario/1"},  {"title", cell.name}, {"machine", machine_of(list, facts)},
        {"policy", policy_for(facts.kernel)}, {"until", "1h"},      {"tasks", tasks_of(cell, own_ns)}};
    const Scenario scenario = parse_scenario(cell.name, json_text(json));
    const NamedPolicy policy = make_policy(scenario.policy, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    Statistics s(scenario.shape);
    const Globals& g = m.globals();
    const auto go_on = [&](std::uint64_t more) {
        engine.run(m, {.events = g.events + more}, {.statistics = &s});
    };
    go_on(1'000 + 16 * static_cast<std::uint64_t>(cell.contexts));
    const WorkTotals before = s.totals();
    const std::uint64_t done = operations(cell.kind, s, own_ns), switches = g.switches;
    const Nanos from = g.now;
    go_on(events);
    const double each =
        static_cast<double>(std::max<std::uint64_t>(operations(cell.kind, s, own_ns) - done, 1));
    return {.ns = static_cast<double>((g.now - from).count()) / each,
            .switches = static_cast<double>(g.switches - switches) / each,
            .work = work_between(before, s.totals(), each)};
}

}  // namespace

bool is_simulated(const CellSpec& cell) { return cell.kind != CellKind::fork || cell.kib == 0; }

CellRun simulate_cell(const CellSpec& cell, const CostList& list, const MachineFacts& facts, double sum_ns) {
    const std::int64_t sum = std::llround(std::max(sum_ns, 0.0));
    constexpr std::uint64_t kEvents = 10'000;
    if (cell.kind != CellKind::ring && cell.kind != CellKind::futex)
        return simulate_once(cell, list, facts, sum, kEvents);
    // In one simulation all turns are alike: a few nanoseconds can decide for all of them whether a woken
    // task preempts. On a real machine turns differ. So this function averages simulations with turns of
    // different lengths.
    constexpr int kVariants = 8;
    constexpr std::int64_t kApart = 29;  // difference between the lengths, in ns
    CellRun mean{.ns = 0, .switches = 0, .work = std::vector<double>(kCosts, 0.0)};
    for (int i = 1; i <= kVariants; ++i) {
        const CellRun run = simulate_once(cell, list, facts, sum + i * kApart, kEvents);
        mean.ns += (run.ns - static_cast<double>(i * kApart)) / kVariants;
        mean.switches += run.switches / kVariants;
        for (std::size_t k = 0; k < kCosts; ++k) mean.work[k] += run.work[k] / kVariants;
    }
    return mean;
}

}  // namespace sim::calibrate
