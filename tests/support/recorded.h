// Helpers for tests of run histories: runs to record, and comparison of positions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/rng.h"
#include "sim/core/engine.h"
#include "sim/replay/run_history.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/random_scenario.h"
#include "tests/support/scale_by_task_count.h"
#include "tests/support/test_sizes.h"

namespace sim {

inline constexpr const char* kSomePolicies[] = {
    "linux-2.0",   "sorted-queue", "linux-2.0:yield=move_last_only",
    "round-robin", "linux-2.6.20", "linux-6.6"};

// Hash of machine, position and statistics; equal hashes mean equal positions.
inline std::uint64_t digest(const Machine& machine, const Statistics& s) {
    std::uint64_t h = machine.hash();
    const auto add = [&h](auto... values) {
        ((h = mix64(h + static_cast<std::uint64_t>(values) + 0x9e3779b97f4a7c15)), ...);
    };
    const Globals& g = machine.globals();
    add(g.events, g.interventions, g.is_stopped, g.is_stopped ? static_cast<int>(g.stopped) : -1);
    add(s.switches.voluntary, s.switches.involuntary, s.switches.from_idle, s.switches.to_idle,
        s.switches.kernel_thread, s.switches.same_mm, s.switches.other_mm, s.yields, s.yields_switched,
        s.syscalls, s.schedule_calls, s.considered, s.recalculations, s.recalculated, s.queue_steps,
        s.mm_loads, s.interrupts_of(Interrupt::device), s.timer_wake_ups, s.forks, s.exits, s.user.count(),
        s.idle.count());
    for (const TaskStatistics& t : s.tasks)
        add(t.user.count(), t.system.count(), t.ready.count(), t.ready_since.count(), t.voluntary,
            t.involuntary, t.yields);
    for (const std::uint64_t n : s.queue_length) add(n);
    for (const Statistics::CpuStats& of : s.cpus) {
        const KernelEntryWork& l = of.latest;
        add(l.considered, l.queue_steps, l.recalculated, l.syscall, l.scheduled, l.switched, l.loads_mm,
            l.extra.count(), l.refill.count(), of.charged, of.switches, of.to_idle, of.migrations,
            of.idle.count());
    }
    for (const std::uint64_t n : s.work) add(n);
    add(s.tlb_entries, s.cache_lines, s.streamed_lines, s.lazy_avoided, s.tlb_flushes, s.flush_ipis,
        s.left_mms, s.reschedule_ipis, s.migrations, s.arrivals.switches, s.arrivals.waited.count(),
        s.sleeps.switches, s.sleeps.waited.count(), s.exit_switches);
    for (const WaitStatistics& w : s.waits) add(w.switches, w.waited.count());
    for (const WaitAttribution& b : s.wait_attributions)
        add(b.channel, b.waiter, b.waker, b.waits, b.waited.count());
    return h;
}
inline std::uint64_t digest(const Moment& moment) { return digest(moment.machine, moment.statistics); }

// Ends the run after about `events` events.
inline Scenario shortened(Scenario scenario, const NamedPolicy& policy, std::uint64_t events) {
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    const Nanos until = scenario.until.value_or(kHorizon);
    engine.run(m, {.until = until, .events = events}, {});
    if (!m.globals().is_stopped) scenario.until = std::min(until, m.globals().now + 1ns);
    return scenario;
}

struct RunCase {
    std::string name;
    std::shared_ptr<const Scenario> scenario;
    NamedPolicy policy;
};

// The first `events` events of every shipped scenario (fewer with many tasks, see scale_by_task_count()), and
// of `random` random scenarios from `seed` on. The policies alternate.
inline std::vector<RunCase> some_runs(std::uint64_t events, std::uint64_t random, std::uint64_t seed) {
    std::vector<RunCase> runs;
    const auto add = [&](const std::string& name, const Scenario& scenario, const char* spec) {
        NamedPolicy policy = make_policy(spec);
        auto shared = std::make_shared<const Scenario>(
            shortened(scenario, policy, scale_by_task_count(events, scenario)));
        runs.push_back({name + " under " + spec, std::move(shared), std::move(policy)});
    };
    for (std::size_t turn = 0; const std::string& name : builtin_file_names("")) {
        const Scenario scenario = load_scenario(name);
        // Only optimized builds include large scenarios, because each comparison visits all tasks.
        if (!kThorough && scenario.shape.tasks > 100) continue;
        const bool is_sorted = ++turn % 2 == 0 && scenario.cpus == 1;
        if (kThorough || !is_sorted) add(name, scenario, "linux-2.0");
        if (kThorough || is_sorted) add(name, scenario, "sorted-queue");
    }
    for (std::uint64_t i = seed; i < seed + random; ++i)
        add("seed " + std::to_string(i), random_scenario(i), kSomePolicies[i % std::size(kSomePolicies)]);
    return runs;
}

// Simulates the run event by event and calls visit(moment) at the start and after each event.
template <class Visit>
void for_each_event(const RunCase& run, Visit visit) {
    const Engine engine(*run.scenario, *run.policy.policy);
    Moment moment{engine.initial_state(), Statistics(run.scenario->shape)};
    const Nanos until = run.scenario->until.value_or(kHorizon);
    do visit(std::as_const(moment));
    while (engine.step(moment.machine, until, {.statistics = &moment.statistics}));
}

// Simulates the run up to time `until`, without a run history.
inline Moment plain_until(const RunCase& run, Nanos until) {
    const Engine engine(*run.scenario, *run.policy.policy);
    Moment moment{engine.initial_state(), Statistics(run.scenario->shape)};
    engine.run(moment.machine, {.until = until}, {.statistics = &moment.statistics});
    return moment;
}

}  // namespace sim
