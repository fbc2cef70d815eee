#include "sim/core/tick_phases.h"

#include <algorithm>
#include <cassert>

#include "sim/core/policy.h"
#include "sim/core/scenario.h"

namespace sim {
namespace {

Nanos phase_of(const TickPhases& phases, CpuId c, std::uint32_t cpus, std::int64_t tick) {
    switch (phases.rule) {
        case TickPhases::Rule::together:
            return {};
        case TickPhases::Rule::spread:
            return Nanos{tick / (cpus + 1) * (c + 1)};  // divides before it multiplies, like the kernel
        case TickPhases::Rule::half:
            return Nanos{tick / 2 / cpus * c};
        case TickPhases::Rule::listed:
            return c < phases.phases.size() ? phases.phases[c] : Nanos{};
    }
    return {};
}

}  // namespace

std::string_view to_string(TickPhases::Rule rule) {
    switch (rule) {
        case TickPhases::Rule::together:
            return "together";
        case TickPhases::Rule::spread:
            return "spread";
        case TickPhases::Rule::half:
            return "half";
        case TickPhases::Rule::listed:
            break;
    }
    return "listed";
}

std::vector<TickGroup> tick_groups(const MachineSpec& machine, const Policy& policy, std::uint32_t cpus) {
    std::vector<TickGroup> groups{{Nanos{}, 0}};
    const std::int64_t tick = 1'000'000'000 / machine.hz;
    TickPhases phases;
    if (machine.tick_phases)
        phases = *machine.tick_phases;
    else if (cpus > 1)
        phases.rule = policy.tick_phases();
    for (CpuId c = 0; c < cpus; ++c) {
        const Nanos phase = phase_of(phases, c, cpus, tick);
        assert(phase >= Nanos{} && phase < Nanos{tick});
        const auto group =
            std::find_if(groups.begin(), groups.end(), [&](const TickGroup& g) { return g.phase == phase; });
        if (group != groups.end())
            group->cpus |= std::uint64_t{1} << c;
        else
            groups.push_back({phase, std::uint64_t{1} << c});
    }
    std::sort(groups.begin(), groups.end(),
              [](const TickGroup& a, const TickGroup& b) { return a.phase < b.phase; });
    return groups;
}

void set_next_timer_interrupt(Machine& m, const Scenario& scenario, const Policy& policy) {
    Globals& g = m.globals();
    const std::vector<TickGroup> groups = tick_groups(scenario.machine, policy, m.shape().cpus);
    g.tick_group = 0;
    g.next_interrupt = g.next_tick;
    if (g.ticks == 0) return;  // as in the initial state, no CPU takes an interrupt before the first tick
    for (std::uint32_t i = 1; i < groups.size(); ++i) {
        const Nanos at = scenario.time_of_tick(g.ticks) + groups[i].phase;
        if (at <= g.now) continue;
        g.tick_group = i;
        g.next_interrupt = at;
        return;
    }
}

}  // namespace sim
