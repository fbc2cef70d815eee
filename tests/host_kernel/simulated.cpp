#include <fmt/format.h>

#include "sim/core/engine.h"
#include "sim/core/summary.h"
#include "sim/scenario/scenario_json.h"
#include "tests/host_kernel/host_kernel.h"

namespace host_kernel {

RunResult simulate(const Case& which, const Place& place, int seconds, const std::string& policy,
                   const RunResult::BackgroundLoad& others) {
    std::string tasks;
    for (std::size_t i = 0; i < which.tasks.size(); ++i) {
        const Program& p = which.tasks[i];
        // Varies the run times, as real run times do. Tasks with constant run times could synchronise
        // permanently.
        std::string steps = fmt::format(R"({{"run": {{"uniform": ["{}us", "{}us"]}}}})", p.run_us * 98 / 100,
                                        p.run_us * 102 / 100);
        if (p.sleep_us > 0) steps += fmt::format(R"(, {{"sleep": "{}us"}})", p.sleep_us);
        if (p.yields) steps += R"(, "yield")";
        tasks += fmt::format(R"({}{{"name": "hostk{}", "nice": {}, "affinity": [{}],
            "program": [{{"loop": "forever", "steps": [{}]}}]}})",
                             i == 0 ? "" : ",\n", i, p.nice, place.cpu, steps);
    }
    if (others.turns > 0) {
        const auto turns = static_cast<double>(others.turns);
        tasks += fmt::format(R"(,
            {{"name": "others", "affinity": [{}], "program": [{{"loop": "forever", "steps": [
            {{"arrival": {{"exponential": "{:.0f}ns"}}}}, {{"run": {{"exponential": "{:.0f}ns"}}}}]}}]}})",
                             place.cpu, 1e9 * seconds / turns, 1e9 * others.seconds / turns + 1);
    }
    const sim::Scenario scenario = sim::parse_scenario(
        "host-kernel.json", fmt::format(R"({{"format": "switchyard-scenario/1", "cpus": {}, "until": "{}s",
            "machine": {{"base": "server-2020", "hz": {}}}, "tasks": [{}]}})",
                                        place.cpus, seconds, place.hz, tasks));
    const sim::NamedPolicy named = sim::make_policy(policy, scenario.cpus);
    const sim::Engine engine(scenario, *named.policy);
    sim::Machine m = engine.initial_state();
    sim::Statistics statistics(m.shape());
    sim::Trace trace;
    engine.run(m, {.until = *scenario.until}, {.statistics = &statistics, .trace = &trace});

    RunResult seen;
    const std::size_t count = which.tasks.size();
    const std::vector<sim::TaskStatistics> settled = sim::elapsed_task_statistics(scenario, statistics, m);
    for (std::size_t i = 0; i < count; ++i) {
        const sim::TaskStatistics& t = settled[m.first_task() + i];
        seen.tasks.push_back(
            {static_cast<double>((t.user + t.system).count()) / 1e9 / seconds, t.voluntary, t.involuntary});
    }
    seen.follows.assign(count, std::vector<std::uint64_t>(count, 0));
    for (const sim::TraceRecord& r : trace.records) {
        if (r.kind != sim::TraceKind::schedule || r.task == r.other || m.is_idle_task(r.task) ||
            m.is_idle_task(r.other))
            continue;
        const std::size_t before = r.other - m.first_task(), after = r.task - m.first_task();
        if (before < count && after < count) ++seen.follows[before][after];
    }
    return seen;
}

}  // namespace host_kernel
