// The context switch of one decision on an i386: the state that is saved, loaded, lost or kept, and the value
// of `prev` after the switch.
//
// Without lazy TLB the switch is that of Linux 2.0, a hardware task switch by one far jump. Source: 2.0.40
// include/asm-i386/system.h, switch_to(); lazy floating-point unit: arch/i386/kernel/traps.c,
// math_state_restore(); start of a new task: arch/i386/kernel/process.c, copy_thread().
//
// With lazy TLB the switch is that of Linux 2.4, in software. Source: 2.4.22 kernel/sched.c, schedule() and
// __schedule_tail(); include/asm-i386/mmu_context.h, switch_mm() and enter_lazy_tlb();
// include/asm-i386/system.h, switch_to(); arch/i386/kernel/process.c, __switch_to(); arch/i386/kernel/smp.c,
// leave_mm().
//
// Under the policies linux-2.6.20 and later the switch is that of the policy's kernel, from
// prepare_task_switch() to finish_task_switch() (context_switch.cpp).
//
// Not modelled: debug registers, the I/O permission map and local descriptor tables, which no simulated task
// has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/cost_model.h"
#include "sim/core/policy.h"
#include "sim/explain/decision_view.h"
#include "sim/explain/explain.h"

namespace sim {

struct SwitchStep {
    std::string title;    // two or three words: "Page tables"
    std::string detail;   // one or two sentences
    Nanos cost{};         // cost that the model charges
    bool happens = true;  // false: the kernel avoids the step, so it is listed as avoided
    enum class OldContents : std::uint8_t {
        kept,
        flushed,
        none
        // What happens to old contents of registers, page tables, TLB and caches.
    } kept = OldContents::none;
    bool begins_next = false;  // the first step that runs on the kernel stack of `next`
};

// The switch in which a task lost its CPU.
struct SwitchOut {
    std::uint64_t number;     // number of the switch, from 1
    CpuId cpu;                // the CPU that the task lost
    TaskId to;                // the task that ran next on this CPU
    std::string replaced_by;  // name of `to`
};

struct SwitchView {
    bool switched = false;
    bool other_mm = false;  // the switch is to another address space
    std::string summary;    // one sentence: the tasks of the switch, or the reason why there is no switch
    std::vector<SwitchStep> steps;
    std::string whose_prev;  // one sentence: the tasks in the variables `prev` and `next` after switch_to()
    Nanos cost{};            // cost of all steps: context_switch + address_space + cache_refill
};

const char* to_string(SwitchStep::OldContents kept);

// Whether switch_steps() uses `switch_out` under this policy. If not, the caller need not search for the
// latest switch in which `next` lost its CPU.
bool uses_switch_out(const NamedPolicy& policy, const Scenario& scenario);

// Describes the switch of this decision. `switch_out` is the latest switch in which the task `next` lost its
// CPU; nullopt: unknown, or `next` has never run. REQUIRES: `view` was recorded with this policy and
// scenario.
SwitchView switch_steps(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario,
                        const TaskNamer& name, const std::optional<SwitchOut>& switch_out = std::nullopt);

}  // namespace sim
