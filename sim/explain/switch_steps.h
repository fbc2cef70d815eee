// The context switch of one decision, step by step, as it is made on an i386: what is saved, what is loaded,
// what is lost, what stays, and whose `prev` the code behind it sees.
//
// There are two ways. Without lazy TLB it is that of Linux 2.0, a hardware task switch by one far jump.
// Source: 2.0.40 include/asm-i386/system.h, switch_to(); the lazy floating-point unit is
// arch/i386/kernel/traps.c, math_state_restore(); where a new task begins is arch/i386/kernel/process.c,
// copy_thread().
//
// With lazy TLB it is that of Linux 2.4, in software. Source: 2.4.22 kernel/sched.c, schedule() and
// __schedule_tail(); include/asm-i386/mmu_context.h, switch_mm() and enter_lazy_tlb();
// include/asm-i386/system.h, switch_to(); arch/i386/kernel/process.c, __switch_to(); arch/i386/kernel/smp.c,
// leave_mm().
//
// Left out: debug registers, the I/O permission map and local descriptor tables, which no task here has.
#pragma once

#include <cstdint>
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
    Nanos cost{};         // what the model charges for it
    bool happens = true;  // false: it is named to say that it is spared
    enum class Kept : std::uint8_t { kept, flushed, none } kept = Kept::none;  // what was there before
};

struct SwitchView {
    bool switched = false;
    bool other_mm = false;  // to another address space; false unless switched
    std::string summary;    // one sentence: who hands over to whom, or why nobody does
    std::vector<SwitchStep> steps;
    std::string whose_prev;  // one sentence: what the variables prev and next are after switch_to()
    Nanos cost{};            // of all steps: context_switch + address_space + cache_refill of the decision
};

const char* to_string(SwitchStep::Kept kept);

// REQUIRES: `view` was made under this policy and of this scenario.
SwitchView switch_steps(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario,
                        const TaskNamer& name);

}  // namespace sim
