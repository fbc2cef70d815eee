// Times at which the CPUs take their timer interrupts within a tick. The machine counts ticks (jiffies), and
// runs timers, at the multiples of a tick. The timer interrupt of each CPU is later by the phase of the CPU.
//
// Sources: kernel/sched.c of 2.0, update_process_times(); arch/i386/kernel/smp.c of 2.2 and apic.c of 2.4,
// setup_APIC_timer(); apic.c of 2.6.20; kernel/time/tick-sched.c of 2.6.24 and later,
// tick_setup_sched_timer().
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/types.h"

namespace sim {

struct MachineSpec;
struct Scenario;
class Machine;
class Policy;

struct TickPhases {
    enum class Rule : std::uint8_t {
        // All CPUs take their timer interrupts at the same time. In Linux 2.0 one interrupt serves all CPUs.
        // From 2.5.41 to 2.6.20, and in current kernels without `skew_tick`, the local timers start at the
        // same time.
        together,
        // The phase of CPU c of n CPUs is (c + 1) / (n + 1) of a tick. Linux 2.2 and 2.4: "interrupt skew".
        spread,
        // The phase of CPU c of n CPUs is c / n of half a tick. Linux 2.6.21 to 2.6.38, with high-resolution
        // timers.
        half,
        listed,  // each CPU has its phase in `phases`
    };
    Rule rule = Rule::together;
    // Phase of each CPU, 0 for CPUs that are not listed; used only with Rule::listed.
    std::vector<Nanos> phases;

    bool operator==(const TickPhases&) const = default;
};

// The name of the rule in JSON. The rule `listed` has no name in JSON, because its phases are listed there.
std::string_view to_string(TickPhases::Rule rule);

// CPUs that take their timer interrupts at the same time.
struct TickGroup {
    Nanos phase;
    std::uint64_t cpus;  // CPUs of the group, one bit each

    bool operator==(const TickGroup&) const = default;
};

// The groups of a machine with `cpus` CPUs, by increasing phase. The first group has the phase 0, and may
// have no CPUs. If the machine does not specify phases, the phases of the policy's kernel are used. A kernel
// for one CPU has no local timers, so the CPU's phase is 0. REQUIRES: a listed phase is less than a tick.
std::vector<TickGroup> tick_groups(const MachineSpec& machine, const Policy& policy, std::uint32_t cpus);

// Sets the next timer interrupt to the first timer interrupt after now. Called after a change of the policy,
// because the new policy can have other phases.
void set_next_timer_interrupt(Machine& m, const Scenario& scenario, const Policy& policy);

}  // namespace sim
